"""The final list: 6-10 records, the closest first, with primary studies among them."""

from collections.abc import Sequence

from evidencegate.evidence._asked import says_all
from evidencegate.evidence._design import Level
from evidencegate.evidence._rank import text_points
from evidencegate.evidence._sufficiency import answering, relevant
from evidencegate.evidence._topic import Tier, tier
from evidencegate.evidence._types import EvidenceItem, EvidencePackage
from evidencegate.question import Question

MINIMUM, MAXIMUM = 6, 10
_FEW = 5
"""With fewer focused records than this, one or two broad reviews come in first."""
_BROAD_REVIEWS = 2
_PRIMARY_STUDIES = 2
_NEAR = 0.6
"""A record about the disease alone is focused if its text matches this well."""


def select(package: EvidencePackage, *, minimum: int = MINIMUM, maximum: int = MAXIMUM) -> tuple[EvidenceItem, ...]:
    """The records to be cited, best first: at most `maximum`, and `minimum` if so many relevant ones exist.

    Focused records (the disease with a decision asked for, or a text that matches well, and one of the interventions
    asked about where there are any) come first. With fewer
    than five of them, one or two broad reviews of the disease are taken in; then other records about the disease
    fill up to `minimum`. At least two primary studies are in wherever two exist. Every record shares a disease tag
    with the question that names one.
    """
    items = relevant(package)
    focused = [item for item in items if _focused(package.question, item)]
    # What names none of the interventions asked about comes last: it fills the list, it answers nothing.
    broad = sorted(
        (item for item in items if item not in focused), key=lambda item: not answering(package.question, item)
    )
    # What names every part of what is asked answers it; a list of ten must not be full before it comes.
    focused.sort(key=lambda item: not _answers(package.question, item))
    chosen = focused[:maximum]
    if len(chosen) < _FEW:
        chosen += _reviews(package.question, broad)[: min(_BROAD_REVIEWS, maximum - len(chosen))]
    for item in broad:
        if len(chosen) >= min(minimum, maximum):
            break
        if item not in chosen:
            chosen.append(item)
    chosen = _with_primary_studies(items, chosen)
    order = {item.document.id: place for place, item in enumerate(items)}
    return tuple(sorted(chosen, key=lambda item: order[item.document.id]))


def _focused(question: Question, item: EvidenceItem) -> bool:
    if not answering(question, item):
        return False
    if _answers(question, item):
        return True
    close = tier(question, item.disease_tags, item.decision_tags, interventions=1, text=1.0) >= Tier.TOPIC_AND_DECISION
    return close or item.components.get("text", 0.0) >= _NEAR * text_points(question)


def _answers(question: Question, item: EvidenceItem) -> bool:
    """Whether a sentence of a record names by itself what a question asks about and the outcome."""
    return answering(question, item) == 1.0 and says_all(question, item)


def _reviews(question: Question, items: Sequence[EvidenceItem]) -> list[EvidenceItem]:
    quality = (Level.GUIDELINE, Level.SYSTEMATIC_REVIEW, Level.REVIEW)
    found = [item for item in items if item.level in quality]
    return sorted(found, key=lambda item: (not answering(question, item), quality.index(item.level)))


def _with_primary_studies(items: Sequence[EvidenceItem], chosen: list[EvidenceItem]) -> list[EvidenceItem]:
    """Put the best primary studies in place of the last other records until two are in, where two exist."""
    waiting = [item for item in items if item.level.primary_study and item not in chosen]
    kept = list(chosen)
    while waiting and sum(item.level.primary_study for item in kept) < _PRIMARY_STUDIES:
        last = next((i for i in reversed(kept) if not i.level.primary_study), None)
        if last is None:
            break
        kept.remove(last)
        kept.append(waiting.pop(0))
    return kept
