"""Ranking: 0-100 from tags, text, design, recency and anchors, with every component shown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType

from evidencegate.documents import Document, Passage
from evidencegate.evidence._anchors import Anchor, scope_only
from evidencegate.evidence._asked import sought
from evidencegate.evidence._design import Level
from evidencegate.evidence._direct_url import direct_url
from evidencegate.evidence._level import evidence_level
from evidencegate.evidence._merge import Merged
from evidencegate.evidence._text import best_passages, similarities
from evidencegate.evidence._topic import Tier, tier
from evidencegate.evidence._types import EvidenceItem, Excluded
from evidencegate.question import Question

Relevance = Callable[[str, Sequence[str]], Sequence[float]]
"""Judges texts against a query: a number in [0, 1] for each (an embedder, a cross-encoder)."""

OFF_TOPIC = 10.0
"""Below this a record is off-topic (rule 11)."""
_TEXT, _INTERVENTIONS = 26.0, 10.0
_TIER = {Tier.TOPIC: 24.0, Tier.TOPIC_AND_DECISION: 36.0, Tier.BOTH_PRIMARY: 46.0}
_LEVEL = {
    Level.GUIDELINE: 12.0,
    Level.SYSTEMATIC_REVIEW: 11.0,
    Level.RCT: 10.0,
    Level.COHORT: 6.0,
    Level.CASE_CONTROL: 4.0,
    Level.REVIEW: 4.0,
    Level.CASE_SERIES: 2.0,
    Level.OTHER: 1.0,
}
_RECENT, _RECENCY_YEARS = 6.0, 20
_ANCHOR, _ANCHOR_SCOPE = 10.0, 2.0
"""A summary that says only what a work is about can be pointed at, not answered from."""
_JUDGED = 40
"""Records that are read by the model, those that tags and words put first."""
_JUDGED_TEXT = 1200
"""Characters of each that it reads."""
_LEXICAL_FULL = 0.45
"""BM25 similarity that counts as a full match: a record that holds nearly every word asked for reaches it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A merged record with what tagging and the anchors know of it."""

    merged: Merged
    disease_tags: frozenset[str]
    decision_tags: frozenset[str]
    interventions: int = 0
    """How many of the question's intervention terms it is about."""
    anchor: Anchor | None = None

    @property
    def document(self) -> Document:
        """The record."""
        return self.merged.document


def rank(
    question: Question, works: Sequence[Work], *, now: date, relevance: Relevance | None = None
) -> tuple[tuple[EvidenceItem, ...], tuple[Excluded, ...]]:
    """The works that may be used, best first, and those that may not, with the reason.

    Without `relevance` the words decide; with it, the first 40 are judged by it too. Ties of the rounded score go
    to who shares more of the secondary decision and disease tags, then to the exact score, then by id.
    """
    query = _query(question)
    lexical = similarities(query, [work.document for work in works])
    shares = [_text_share(work, min(1.0, words / _LEXICAL_FULL)) for work, words in zip(works, lexical, strict=True)]
    drafts = [_item(question, work, share, now) for work, share in zip(works, shares, strict=True)]
    if relevance is not None:
        first = sorted(range(len(works)), key=lambda i: (-drafts[i].score, drafts[i].document.id))[:_JUDGED]
        texts = [f"{works[i].document.title}. {works[i].document.text[:_JUDGED_TEXT]}" for i in first]
        for i, value in zip(first, relevance(question.text, texts) if texts else (), strict=True):
            share = (shares[i] + min(1.0, max(0.0, float(value)))) / 2
            drafts[i] = _item(question, works[i], share, now)
    items: list[EvidenceItem] = []
    excluded: list[Excluded] = []
    for item in drafts:
        reason = _why_not(question, item)
        if reason:
            excluded.append(Excluded(document=item.document, reason=reason, score=item.score))
        else:
            items.append(replace(item, passages=best_passages(query, item.document)))
    return tuple(ordered(question, items)), tuple(sorted(excluded, key=lambda e: (-e.score, e.document.id)))


def reading(question: Question, document: Document) -> tuple[Passage, ...]:
    """The passages of a long text that answer a question best; empty for a short one, which is read as a whole."""
    return best_passages(_query(question), document)


def ordered(question: Question, items: Sequence[EvidenceItem]) -> list[EvidenceItem]:
    """Best first; secondary tags only break ties."""

    def key(item: EvidenceItem) -> tuple[float, int, float, str]:
        shared = sum(tag in item.decision_tags for tag in question.decision_tags.secondary)
        shared += sum(tag in item.disease_tags for tag in question.disease_tags.secondary)
        return -round(item.score), -shared, -item.score, item.document.id

    return sorted(items, key=key)


def text_points(question: Question) -> float:
    """What the words of a text can give: 26, or 16 where 10 are kept for the interventions asked about."""
    return _TEXT - _INTERVENTIONS if sought(question) else _TEXT


def _query(question: Question) -> str:
    pico = question.pico
    parts = (question.text, pico.condition, pico.intervention, pico.comparison or "", pico.outcome)
    return " ".join(part for part in parts if part)


def _text_share(work: Work, words: float) -> float:
    """How well the text matches, in [0, 1]: a mean of what is known, so that no source is favoured for silence."""
    parts = [(0.7, words)]
    if work.merged.found_score is not None:
        parts.append((0.3, min(1.0, max(0.0, work.merged.found_score))))
    return sum(weight * value for weight, value in parts) / sum(weight for weight, _ in parts)


def _item(question: Question, work: Work, text: float, now: date) -> EvidenceItem:
    document = work.document
    level = work.anchor.level if work.anchor else evidence_level(document)
    place = tier(question, work.disease_tags, work.decision_tags, interventions=work.interventions, text=text)
    if place is Tier.OFF_TOPIC:
        components = {"text": round(0.99 * OFF_TOPIC * text, 2)}
    else:
        age = max(0, now.year - document.year) if document.year else _RECENCY_YEARS
        components = {
            "tags": _TIER[place],
            "text": round(text_points(question) * text, 2),
            "level": _LEVEL[level],
            "recency": round(_RECENT * max(0.0, 1 - age / _RECENCY_YEARS), 2),
            "anchor": _anchor_points(work),
        }
        if sought(question):
            components["interventions"] = _intervention_points(question, work.interventions)
    return EvidenceItem(
        document=document,
        level=level,
        disease_tags=work.disease_tags,
        decision_tags=work.decision_tags,
        score=round(sum(components.values()), 2),
        components=MappingProxyType(components),
        provenance=work.merged.provenance,
        anchor=work.anchor.id if work.anchor and work.anchor.current else None,
    )


def _intervention_points(question: Question, held: int) -> float:
    """0 for none of the interventions asked about, 6 for one of many, 10 for all."""
    share = min(1.0, held / len(sought(question)))
    return round(_INTERVENTIONS * (0.6 + 0.4 * share), 2) if held else 0.0


def _anchor_points(work: Work) -> float:
    if work.anchor is None or not work.anchor.current:
        return 0.0
    return _ANCHOR_SCOPE if scope_only(work.document) else _ANCHOR


def _why_not(question: Question, item: EvidenceItem) -> str:
    """Why a record is left out, in words; empty where it stays."""
    document = item.document
    if document.retracted:
        return "retracted: it cannot support anything"
    if not document.title.strip():
        return "no title"
    if direct_url(document) is None:
        return "no address that opens the article itself"
    if not document.text.strip():
        return "no abstract or text that could be quoted"
    if item.score >= OFF_TOPIC:
        return ""
    if question.disease_tags:
        about = ", ".join(sorted(item.disease_tags)) or "none of the known conditions"
        return f"off-topic: about {about}, not {question.disease_tags.primary}"
    if question.intervention_terms:
        return f"off-topic: names none of {', '.join(question.intervention_terms)}"
    return "off-topic: holds too few words of the question"
