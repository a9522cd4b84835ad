"""A checked text cut at its claims and issues, from the `check --json` object: what the page marks in place."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a claim; `issue` where this very stretch is what a reader should look at."""

    text: str
    issue: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stretch of the text: plain, or one claim with its pieces."""

    text: str
    claim: Fields | None = None
    pieces: tuple[Piece, ...] = ()


def parts(text: str, claims: Sequence[Fields], issues: Sequence[Fields]) -> Iterator[Part]:
    """The whole text in order, without gap or overlap. Of overlapping claims the first is marked."""
    by_claim = {issue["claim"]: issue for issue in issues}
    position = 0
    for claim in sorted(claims, key=lambda c: (c["start"], c["end"])):
        start, end = claim["start"], claim["end"]
        if start < position:
            continue
        if start > position:
            yield Part(text=text[position:start])
        yield Part(
            text=text[start:end], claim=claim, pieces=tuple(_pieces(text, start, end, by_claim.get(claim["id"])))
        )
        position = end
    if position < len(text):
        yield Part(text=text[position:])


def _pieces(text: str, start: int, end: int, issue: Fields | None) -> Iterator[Piece]:
    """A claim parted at its issue, where that is narrower than the claim: a wrong number, say."""
    inside = issue is not None and start <= issue["start"] < issue["end"] <= end
    if issue is None or not inside or (issue["start"], issue["end"]) == (start, end):
        yield Piece(text[start:end])
        return
    cuts = (start, issue["start"], issue["end"], end)
    for n in range(3):
        if cuts[n] < cuts[n + 1]:
            yield Piece(text[cuts[n] : cuts[n + 1]], issue=n == 1)
