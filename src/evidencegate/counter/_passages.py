"""The passages of the documents found that may speak for a statement: two or three sentences that report something."""

from collections.abc import Sequence
from dataclasses import dataclass

from evidencegate.counter._data import terms
from evidencegate.counter._types import Counterfactual, Scored
from evidencegate.documents import Passage, passages
from evidencegate.evidence import Nearness, content

DOCUMENTS = 12
"""Documents of one claim whose passages are read."""
_OF_ONE = 3
"""Passages of one document that are validated."""
_BY_WORDS = 6
"""Windows of one document whose nearness is judged, those first that share most words."""
_FINDING = 0.15
"""What reported findings add to the nearness by which windows are chosen."""
NEAR = 0.08
"""Below this nearness a passage is not validated: it is about something else."""


@dataclass(frozen=True, slots=True)
class Read:
    """A passage of a scored document, with its nearness to the statement."""

    record: Scored
    passage: Passage
    near: float


def candidates(counterfactual: Counterfactual, found: Sequence[Scored], nearness: Nearness) -> list[Read]:
    """The passages worth validating, nearest first within each document, documents in their order.

    Windows that lie in sections without findings, or state only aims and methods, are left out.
    """
    wanted = content(counterfactual.claim)
    windows: list[tuple[Scored, Passage]] = []
    for record in [record for record in found if not record.document.retracted][:DOCUMENTS]:
        held = [window for window in passages(record.document) if _reports(window)]
        shared = [len(wanted & content(window.text)) for window in held]
        order = sorted(range(len(held)), key=lambda i: (-shared[i] - _findings(held[i]), -held[i].span.start))[
            :_BY_WORDS
        ]
        windows += [(record, held[i]) for i in order]
    near = nearness(counterfactual.shown, [passage.text for _, passage in windows])
    by_record: dict[str, list[Read]] = {}
    for (record, passage), close in zip(windows, near, strict=True):
        by_record.setdefault(record.document.id, []).append(Read(record, passage, min(1.0, max(0.0, close))))
    chosen: list[Read] = []
    for reads in by_record.values():
        kept: list[Read] = []
        for read in sorted(reads, key=lambda r: (-r.near - _FINDING * _findings(r.passage), r.passage.span)):
            if len(kept) < _OF_ONE and not any(_mostly_one(read.passage, other.passage) for other in kept):
                kept.append(read)
        chosen += kept
    return chosen


def _reports(passage: Passage) -> bool:
    section = passage.document.section_at(passage.span.start)
    if section is not None and terms().section.search(section.label) and "result" not in section.label.casefold():
        return False
    text = passage.document.text
    return any(not terms().sentence.search(sentence.of(text)) for sentence in passage.sentences)


def _findings(passage: Passage) -> float:
    """0, 0.5 or 1: none, one, or more of its sentences report something."""
    said = sum(bool(terms().finding.search(sentence.of(passage.document.text))) for sentence in passage.sentences)
    return min(2, said) / 2


def _mostly_one(one: Passage, other: Passage) -> bool:
    """Whether two windows share more than one sentence, or all of the shorter one's."""
    shared = len(set(one.sentences) & set(other.sentences))
    return shared > 1 or shared == min(len(one.sentences), len(other.sentences))
