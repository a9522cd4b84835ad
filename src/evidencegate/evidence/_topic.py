"""Whether a record is about what was asked (rule 11), and how closely its tags meet the question's."""

import re
from collections.abc import Collection
from enum import IntEnum

from evidencegate.documents import Document
from evidencegate.evidence._asked import sought
from evidencegate.evidence._design import Level
from evidencegate.evidence._level import evidence_level
from evidencegate.question import Question

_MATCH = 0.3
"""How well a text must match where a question names neither a condition nor an intervention."""
_COMPARES = re.compile(
    r"\b(?:versus|vs\.?|compared (?:with|to)|comparison of|comparing|comparative)(?!\w)", re.IGNORECASE
)
_TESTED = (Level.GUIDELINE, Level.SYSTEMATIC_REVIEW, Level.RCT)
_BOTH = 2


class Tier(IntEnum):
    """How closely a record's tags meet the question's, closest last."""

    OFF_TOPIC = 0
    TOPIC = 1
    """The primary disease (or an intervention asked about), and none of the decisions."""
    TOPIC_AND_DECISION = 2
    """The primary disease and any of the decisions asked about."""
    BOTH_PRIMARY = 3
    """The primary disease and the primary decision."""


def tier(
    question: Question,
    disease_tags: Collection[str],
    decision_tags: Collection[str],
    *,
    interventions: int = 0,
    text: float = 0.0,
) -> Tier:
    """How closely these tags meet the question's.

    A record without the question's primary disease tag is off-topic, whatever else it shares. Where the question
    names no condition, its intervention terms stand in: `interventions` is how many of them the record holds. A
    question with neither leaves only its words: `text` is how well they match, in [0, 1].
    """
    if question.disease_tags:
        on_topic = question.disease_tags.primary in disease_tags
    elif question.intervention_terms:
        on_topic = interventions > 0
    else:
        on_topic = text >= _MATCH
    if not on_topic:
        return Tier.OFF_TOPIC
    if not question.decision_tags:
        return Tier.TOPIC_AND_DECISION
    if question.decision_tags.primary in decision_tags:
        return Tier.BOTH_PRIMARY
    return Tier.TOPIC_AND_DECISION if any(t in question.decision_tags for t in decision_tags) else Tier.TOPIC


def decided_by_design(question: Question, document: Document, interventions: int) -> frozenset[str]:
    """The decisions asked about that a record is about by what it compares, whether or not its words say so.

    Where a drug is to be chosen, a record that sets two of the interventions asked about beside each other, or says in
    its title that it compares; where treatments are asked about, a trial or review of them. `interventions` is how many
    of those asked about the record names.
    """
    asked = question.decision_tags
    found: set[str] = set()
    if "drug_choice" in asked and (interventions >= _BOTH or _COMPARES.search(document.title)):
        found.add("drug_choice")
    enough = min(_BOTH, len(sought(question))) or 1
    if "therapy" in asked and interventions >= enough and evidence_level(document) in _TESTED:
        found.add("therapy")
    return frozenset(found)
