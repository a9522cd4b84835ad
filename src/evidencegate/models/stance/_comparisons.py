"""Two groups and their two values: which group a claim sets above the other, and what a sentence's figures say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from evidencegate.models.stance._findings import Direction, Effect, Reading
from evidencegate.models.stance._text import content

# A value of a group: a percentage, mean or rate. What belongs to a test or an interval is cut out before.
_VALUE = re.compile(r"(?<![\w.,<>=≤≥-])[-−]?\d+(?:[.·]\d+)?(?![\d.,]*\w)")
_ASIDE = re.compile(
    r"(?:±|\+/-)\s*\d+(?:[.·]\d+)?"  # a spread
    r"|\bp\s*(?:[- ]?values?)?\s*(?:=|<|>|≤|≥)\s*0?[.·]?\d+(?:[.·]\d+)?"
    r"|\b(?:n|N)\s*=\s*\d+|\d+\s*/\s*\d+|\bn\.?s\.?\b"
    r"|[(\[]\s*[\w-]+ (?:out )?of [\w,-]+\s*[)\]]"  # a count: (eight of 328)
    r"|(?:\d+\s*%\s*)?(?:CI|confidence interval)s?[\s:,=(\[]*[-−]?\d[^;)\]]{0,40}"
    r"|[(\[][-−]?\d+(?:[.·]\d+)?\s*(?:-|–|to|,|;)\s*[-−]?\d+(?:[.·]\d+)?[)\]]"  # a range
    r"|\b\d+(?:[.·]\d+)?\s*(?:mg|µg|mcg|g|ml|weeks?|months?|days?|years?|hours?|h|min|minutes?|Gy)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\(([A-Za-z][\w+/-]{0,9})\)")
_BETWEEN = re.compile(r"(?<!\w)(?:versus|vs\.?|compared (?:with|to)|against|and|than|,|;)(?!\w)", re.IGNORECASE)
_WITH = re.compile(r"(?:\s+\w+){0,2}?\s+(?:with|in|for|after|among|under|on)\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][\w+/-]*")
# So far from a value a group's name may stand to label it.
_NEAR = 28


@dataclass(frozen=True, slots=True)
class Arms:
    """The two groups of a comparison, by the stems and abbreviations that only one of them has."""

    first: frozenset[str]
    """The group that the statement is about."""
    second: frozenset[str]


def _names(text: str) -> set[str]:
    """Stems, and abbreviations given in parentheses (`frovatriptan (F)`)."""
    return set(content(text)) | {f"({m[1].lower()})" for m in _LABEL.finditer(text)}


def arms(text: str, head: Effect, reading: Reading) -> Arms | None:
    """The two groups of a statement with a comparison; None where it names no two groups."""
    if reading.comparison is None:
        return None
    start, end = reading.comparison
    before, after = text[:start], text[end:]
    if not content(before):  # "Compared with placebo, the drug raised ..."
        second, _, first = after.partition(",")
        if head.start > end + len(second):
            first = text[end + len(second) : head.start]
    elif head.start > end:  # "The drug rather than placebo raised ..."
        first, second = before, text[end : head.start]
    else:
        named = _WITH.match(text, head.end, start)  # "... was lower with the drug than ..."
        first, second = (text[named.end() : start] if named else before[: head.start]), after
    one, other = _names(first), _names(second)
    if one - other and other - one:
        return Arms(frozenset(one - other), frozenset(other - one))
    return None


@dataclass(frozen=True, slots=True)
class Finding:
    """What the figures of a sentence say of the claim's first group beside its second."""

    direction: Direction
    """UP, DOWN, or NONE where the sentence's test finds no difference."""
    span: tuple[int, int]


def _values(sentence: str) -> Iterator[tuple[float, tuple[int, int]]]:
    rest = _ASIDE.sub(lambda m: " " * len(m[0]), sentence)
    for found in _VALUE.finditer(rest):
        yield float(found[0].replace("−", "-").replace("·", ".")), found.span()


def _mentions(sentence: str, claim: Arms) -> list[tuple[int, bool]]:
    """(place, whether it is the first group) of every word that only one group has."""
    places = []
    for word in _WORD.finditer(sentence):
        stems = set(content(word[0])) | {f"({word[0].lower()})"}
        if stems & claim.first or stems & claim.second:
            places.append((word.start(), bool(stems & claim.first)))
    return places


def _owner(span: tuple[int, int], mentions: list[tuple[int, bool]]) -> bool | None:
    """Whose value it is: that of the group named nearest to it; None where none is near."""
    distances = [(min(abs(place - span[1]), abs(span[0] - place)), first) for place, first in mentions]
    near = min(distances, default=(_NEAR + 1, False))
    return near[1] if near[0] <= _NEAR else None


def figures_say(sentence: str, reading: Reading, claim: Arms | None) -> Finding | None:
    """The direction that two values and their test give; None where the sentence does not hold both groups' values.

    A test that finds no difference needs no values. Values are matched to groups by the names beside them, else by
    the order in which the groups are named ("in A and B, respectively").
    """
    if reading.significant is False and reading.significance_span is not None:
        return Finding(Direction.NONE, reading.significance_span)
    if claim is None:
        return None
    values = list(_values(sentence))
    pairs = [
        (one, other)
        for one, other in pairwise(values)
        if _BETWEEN.search(sentence, one[1][1], other[1][0]) and other[1][0] - one[1][1] < 90
    ]
    mentions = _mentions(sentence, claim)
    if not pairs or {first for _, first in mentions} != {True, False}:
        return None
    (one, at), (other, to) = pairs[0]
    if one == other:
        return None
    left, right = _owner(at, mentions), _owner(to, mentions)
    if left is None or right is None or left == right:
        left = mentions[0][1]
        right = not left
    return Finding(Direction.UP if (one > other) == left else Direction.DOWN, (at[0], to[1]))


def turned_round(claim: Arms | None, sentence: str, reading: Reading) -> bool | None:
    """Whether the sentence's comparison has the claim's groups the other way round; None where it cannot be told."""
    if claim is None or not reading.effects:
        return None
    found = arms(sentence, reading.effects[0], reading)
    if found is None:
        return None
    straight = len(claim.first & found.first) + len(claim.second & found.second)
    across = len(claim.first & found.second) + len(claim.second & found.first)
    return across > straight if across != straight else None
