"""Which group of a comparison a number belongs to."""

import re
from collections.abc import Sequence
from itertools import pairwise

from evidencegate.documents import sentences
from evidencegate.verify._lexicon import words
from evidencegate.verify._units import Kind, Quantity
from evidencegate.verify._wording import content, stem

_SEPARATOR = re.compile(
    r"\b(?:vs\.?|versus|compared (?:with|to)|than|and|whereas|while|but|or|against)\b|[,;]", re.IGNORECASE
)
_CLAUSE = re.compile(r"[,;:]")


def swaps(
    claim: str, claimed: Sequence[Quantity], evidence: str, found: Sequence[Quantity], same: dict[int, int]
) -> set[int]:
    """Indices of claimed numbers that the evidence gives to the other group."""
    swapped: set[int] = set()
    order = sorted(same)
    for first, second in pairwise(order):
        a, b, x, y = claimed[first], claimed[second], found[same[first]], found[same[second]]
        if (
            a.kind is Kind.NUMBER
            or a.kind is not b.kind
            or x.kind is not y.kind
            or (a.name, x.name) != (b.name, y.name)
            or x.span == y.span
            or a.value == b.value
        ):
            continue
        if (turned := _paired(claim, a, b, evidence, x, y)) is not None:
            if turned:
                swapped |= {first, second}
            continue
        near_a, near_b = _labels(claim, a, b)
        near_x, near_y = _labels(evidence, x, y) if x.span < y.span else tuple(reversed(_labels(evidence, y, x)))
        straight = len(near_a & near_x) + len(near_b & near_y)
        if not straight and near_a & near_y and near_b & near_x:
            swapped |= {first, second}
    return swapped


def _paired(claim: str, a: Quantity, b: Quantity, evidence: str, x: Quantity, y: Quantity) -> bool | None:
    """Whether two numbers that stand side by side in the evidence ("66 vs. 51%") are given to the wrong groups.

    `a` and `b` are the claim's, each with its group after it; `x` and `y` those they agree with. The first of a pair
    belongs to the group that is named first in its clause, else in its sentence. None where that cannot be told.
    """
    one, other = (x, y) if x.span < y.span else (y, x)
    sentence = next((s for s in sentences(evidence) if s.overlaps(one.span)), None)
    between = evidence[one.span.end : other.span.start]
    if sentence is None or content(between) or not _SEPARATOR.search(between):
        return None
    common = {stem(word) for word in words("quantities", "groups")}
    names_a, names_b = (
        {word for word in side if word not in common and not word[0].isdigit()} for side in _following(claim, a, b)
    )
    before = evidence[sentence.start : one.span.start]
    for stretch in (_CLAUSE.split(before.rstrip(" (["))[-1], evidence[sentence.start : sentence.end]):
        named = [word in names_a for word in content(stretch) if (word in names_a) != (word in names_b)]
        if named:
            return named[0] != (one is x)
    return None


def _labels(text: str, first: Quantity, second: Quantity) -> tuple[set[str], set[str]]:
    """The words that go with each of two numbers and not with the other."""
    start = next((s.start for s in sentences(text) if s.overlaps(first.span)), 0)
    end = next((s.end for s in sentences(text) if s.overlaps(second.span)), len(text))
    between = text[first.span.end : second.span.start]
    cuts = list(_SEPARATOR.finditer(between))
    cut = next((c for c in cuts if c[0].casefold() not in {",", ";", "and", "or"}), cuts[-1] if cuts else None)
    after, ahead = (between[: cut.start()], between[cut.end() :]) if cut else (between, "")
    left = {*content(text[start : first.span.start]), *content(after)}
    right = {*content(ahead), *content(text[second.span.end : end])}
    turns = words("quantities", "up", "down")
    left, right = ({w for w in side if not w[0].isdigit() and w not in turns} for side in (left, right))
    return left - right, right - left


def _following(text: str, first: Quantity, second: Quantity) -> tuple[set[str], set[str]]:
    """The words after each of two numbers that name its group; none where the two are not set side by side."""
    sentence = next((s for s in sentences(text) if s.overlaps(first.span)), None)
    between = text[first.span.end : second.span.start]
    cut = next(iter(_SEPARATOR.finditer(between)), None)
    if sentence is None or not sentence.overlaps(second.span) or cut is None or content(between[cut.end() :]):
        return set(), set()
    after = text[second.span.end : sentence.end]
    stop = _SEPARATOR.search(after)
    return set(content(between[: cut.start()])), set(content(after[: stop.start()] if stop else after))
