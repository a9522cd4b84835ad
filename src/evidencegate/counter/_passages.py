"""The passages of the documents found that may speak for a statement: two or three sentences that report something."""

from collections.abc import Sequence
from dataclasses import dataclass

from evidencegate.counter._data import terms
from evidencegate.counter._said import defined, written_out
from evidencegate.counter._telling import telling
from evidencegate.counter._types import Counterfactual, Scored
from evidencegate.documents import Document, Passage, passages
from evidencegate.evidence import Nearness, content

DOCUMENTS = 16
"""Documents of one claim whose passages are read."""
_OF_ONE = 3
"""Passages of one document that are validated, and shown with their reason where they are rejected."""
_ABLE = 6
"""Passages of one document that are validated where so many hold a sentence that can decide."""
_BY_WORDS = 9
"""Windows of one document whose nearness is judged: those first that can decide, then those that share most words."""
_AROUND = 1500
"""Characters of a text that say what its passages are about."""
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


def around(document: Document) -> str:
    """What stands around the passages of a document, as `telling` takes it: its title, the beginning of its text, and
    the abbreviations that are defined anywhere in it."""
    short = "; ".join(f"{long} ({abbreviation})" for abbreviation, long in defined(document.text).items())
    opening = " ".join(document.text[:_AROUND].split())
    return "\n\n".join((" ".join(document.title.split()), opening, short))


def candidates(counterfactual: Counterfactual, found: Sequence[Scored], nearness: Nearness) -> list[Read]:
    """The passages worth validating, nearest first within each document, documents in their order.

    Windows that lie in sections without findings, or state only aims and methods, are left out. Abbreviations are
    read written out, wherever in the document they are defined.
    """
    windows: list[tuple[Scored, Passage, bool, str]] = []
    for record in [record for record in found if not record.document.retracted][:DOCUMENTS]:
        context = around(record.document)
        held = [
            _window(counterfactual.claim, window, context) for window in passages(record.document) if _reports(window)
        ]
        held.sort(key=lambda one: (not one.able, -one.shared - _findings(one.passage), -one.passage.span.start))
        windows += [(record, one.passage, one.able, one.text) for one in held[:_BY_WORDS]]
    near = nearness(counterfactual.shown, [text for _, _, _, text in windows])
    by_record: dict[str, list[tuple[Read, bool]]] = {}
    for (record, passage, able, _), close in zip(windows, near, strict=True):
        read = Read(record, passage, min(1.0, max(0.0, close)))
        by_record.setdefault(record.document.id, []).append((read, able))
    return [read for reads in by_record.values() for read in _chosen(reads)]


@dataclass(frozen=True, slots=True)
class _Window:
    """A window of a document, as it is chosen."""

    passage: Passage
    text: str
    """Its text with its abbreviations written out."""
    shared: int
    """Words of the claim that it holds."""
    able: bool
    """Whether one of its sentences can decide."""


def _window(claim: str, passage: Passage, context: str) -> _Window:
    text = written_out(passage.text, context, claim)
    able = bool(telling(claim, passage.text, context).sentences)
    return _Window(passage, text, len(content(claim) & content(text)), able)


def _chosen(reads: Sequence[tuple[Read, bool]]) -> list[Read]:
    """Of one document: those that can decide first, then the nearest; none that is mostly another one."""
    kept: list[Read] = []
    order = sorted(reads, key=lambda r: (not r[1], -r[0].near - _FINDING * _findings(r[0].passage), r[0].passage.span))
    for read, able in order:
        if len(kept) < (_ABLE if able else _OF_ONE) and not any(_mostly_one(read.passage, k.passage) for k in kept):
            kept.append(read)
    return kept


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
