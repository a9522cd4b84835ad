"""A check parted into pages of bounded weight: a long text goes over several, its sources onto pages of their own."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import escape

from evidencegate.web._pages._marks import Fields, Part, parts

MOST = 120_000
"""Bytes of what a page shows of a check, as far as that can be foretold; its frame, sheet and script come besides."""
_CARD = 1_400
"""Bytes of a claim's marks and card without a word in them."""
_ROW = 300
_PIECE = 6_000
"""Characters of plain text that stay together."""
_BREAKS = tuple(re.compile(pattern) for pattern in (r"\n\s*\n", r"\n", r"[.!?]\s", r"\s"))
_SOURCES = ("citations", "references", "documents", "warnings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """What one page shows: a stretch of the text with the claims that begin in it, or some of the sources, or both."""

    parts: tuple[Part, ...] = ()
    claims: tuple[Fields, ...] = ()
    citations: tuple[Fields, ...] = ()
    references: tuple[str, ...] = ()
    """Lines of the corrected reference list."""
    documents: tuple[Fields, ...] = ()
    warnings: tuple[str, ...] = ()
    before: int = 0
    """How many claims the pages before it have."""

    def count(self, verdict: str) -> int:
        """How many of its claims came out so."""
        return sum(claim["verdict"] == verdict for claim in self.claims)


@dataclass(frozen=True, slots=True)
class _Item:
    """What is not parted: a stretch of the text, perhaps with its claims, or a row of the sources."""

    kind: str
    value: Any
    weight: int
    claims: tuple[Fields, ...] = ()


def leaves(text: str, result: Mapping[str, Any], *, most: int = MOST) -> tuple[Leaf, ...]:
    """The pages of a checked text in order, at least one. Nothing is left out, and nothing is shown twice.

    A page weighs at most `most`, unless a single claim does not; what fits onto one page is not parted.
    """
    told = list(_text(text, result))
    rows = list(_rows(result))
    if sum(item.weight for item in (*told, *rows)) <= most:
        filled = [[*told, *rows]]
    else:
        filled = [*_filled(told, most), *_filled(rows, most)]
    made: list[Leaf] = []
    for items in filled:
        made.append(_leaf(items, before=sum(len(leaf.claims) for leaf in made)))
    return tuple(made)


def _leaf(items: Sequence[_Item], *, before: int) -> Leaf:
    held: dict[str, tuple[Any, ...]] = {
        kind: tuple(item.value for item in items if item.kind == kind) for kind in ("parts", *_SOURCES)
    }
    return Leaf(**held, claims=tuple(claim for item in items for claim in item.claims), before=before)


def _filled(items: Iterable[_Item], most: int) -> Iterator[list[_Item]]:
    page: list[_Item] = []
    weight = 0
    for item in items:
        if page and weight + item.weight > most:
            yield page
            page, weight = [], 0
        page.append(item)
        weight += item.weight
    if page:
        yield page


def _text(text: str, result: Mapping[str, Any]) -> Iterator[_Item]:
    documents = {document["id"]: document for document in result["documents"]}
    waiting = sorted(result["claims"], key=lambda claim: (claim["start"], claim["end"]))
    end = 0
    for part in parts(text, result["claims"], result["issue_spans"]):
        end += len(part.text)
        if part.claim is None:
            yield from (_Item("parts", Part(text=piece), _weight(piece)) for piece in _pieces(part.text))
            continue
        own = [claim for claim in waiting if claim["start"] < end]  # with those that overlap it, which have no mark
        waiting = waiting[len(own) :]
        yield _Item("parts", part, sum(_card(claim, documents) for claim in own), tuple(own))


def _pieces(text: str) -> Iterator[str]:
    """A plain stretch in pieces that end, where they can, with a paragraph, a line, a sentence or a word."""
    start = 0
    while len(text) - start > _PIECE:
        window = text[start : start + _PIECE]
        found = (list(pattern.finditer(window, _PIECE // 2)) for pattern in _BREAKS)
        end = next((matches[-1].end() for matches in found if matches), _PIECE)
        yield text[start : start + end]
        start += end
    if start < len(text):
        yield text[start:]


def _card(claim: Fields, documents: Mapping[str, Fields]) -> int:
    """Bytes of a claim: its words and its quote stand in the text and on its card, the title of its source in links."""
    twice = [claim["text"], (claim["quote"] or {}).get("text"), [number["message"] for number in claim["numbers"]]]
    return _CARD + 2 * _weight(twice) + 5 * _weight(documents.get(claim["document"])) + _weight(claim["trace"])


def _rows(result: Mapping[str, Any]) -> Iterator[_Item]:
    rows = {**result, "references": [line for line in (result["references"] or "").split("\n") if line.strip()]}
    for kind in _SOURCES:
        yield from (_Item(kind, row, _ROW + _weight(row)) for row in rows[kind])


def _weight(shown: Any) -> int:
    """Bytes of the words in it as HTML."""
    if isinstance(shown, str):
        return len(escape(shown).encode("utf-8", "replace"))
    if isinstance(shown, Mapping):
        return sum(map(_weight, shown.values()))
    return sum(map(_weight, shown)) if isinstance(shown, list | tuple) else 0
