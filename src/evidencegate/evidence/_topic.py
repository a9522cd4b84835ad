"""Whether a record is about what was asked (rule 11), and how closely its tags meet the question's."""

from collections.abc import Collection
from enum import IntEnum

from evidencegate.documents import Document, Kind, tokens
from evidencegate.question import Question

_READ = 20_000
"""Characters of a text in which intervention terms are looked for."""


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
    question: Question, disease_tags: Collection[str], decision_tags: Collection[str], *, interventions: int = 0
) -> Tier:
    """How closely these tags meet the question's.

    A record without the question's primary disease tag is off-topic, whatever else it shares. Where the question
    names no condition, its intervention terms stand in: `interventions` is how many of them the record holds. A
    question with neither leaves only its decisions.
    """
    if question.disease_tags:
        on_topic = question.disease_tags.primary in disease_tags
    elif question.intervention_terms:
        on_topic = interventions > 0
    else:
        on_topic = any(tag in question.decision_tags for tag in decision_tags)
    if not on_topic:
        return Tier.OFF_TOPIC
    if not question.decision_tags:
        return Tier.TOPIC_AND_DECISION
    if question.decision_tags.primary in decision_tags:
        return Tier.BOTH_PRIMARY
    return Tier.TOPIC_AND_DECISION if any(t in question.decision_tags for t in decision_tags) else Tier.TOPIC


def interventions_held(question: Question, document: Document) -> int:
    """How many of the question's intervention terms stand in the record's title, text, MeSH or keywords."""
    if not question.intervention_terms:
        return 0
    whole = " . ".join((document.title, document.text[:_READ], *document.mesh, *document.keywords))
    words = f" {' '.join(_words(whole))} "
    return sum(f" {' '.join(_words(term))} " in words for term in question.intervention_terms)


def _words(text: str) -> list[str]:
    """Folded words and numbers; a plural `s` is dropped, so that `statins` meets `statin`."""
    folded = (t.folded for t in tokens(text) if t.kind is not Kind.SYMBOL)
    return [w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in folded]
