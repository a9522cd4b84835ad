"""The numeric check: do the numbers of a claim agree with those of its evidence, and which do not?"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evidencegate.documents import Span, sentences
from evidencegate.verify._agree import agree, kin, turned
from evidencegate.verify._arms import other_arm, swaps
from evidencegate.verify._quantities import Kind, Quantity, quantities
from evidencegate.verify._wording import align, content


class Agreement(StrEnum):
    """What became of one number of a claim."""

    SAME = "same"
    DIFFERS = "differs"
    """The evidence gives another number for the same thing."""
    SWAPPED = "swapped"
    """The evidence has the number, for the other group."""
    DIRECTION = "direction"
    """The number agrees, the direction in which it goes does not."""
    NOT_FOUND = "not_found"
    """The evidence has nothing to compare it with."""

    @property
    def contradicts(self) -> bool:
        """Whether the claim cannot be right by this evidence."""
        return self in (Agreement.DIFFERS, Agreement.SWAPPED, Agreement.DIRECTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One number of a claim, set against the evidence. Spans are in the two texts that were compared."""

    agreement: Agreement
    claimed: Quantity
    found: Quantity | None = None

    def __post_init__(self) -> None:
        if (self.found is None) != (self.agreement is Agreement.NOT_FOUND):
            raise ValueError("a number was compared with another, or not found")

    @property
    def message(self) -> str:
        """What a reader should know, in one sentence."""
        if self.found is None:
            return f"{self.claimed.text} is not in the evidence."
        match self.agreement:
            case Agreement.SAME:
                return f"{self.claimed.text} agrees with {self.found.text}."
            case Agreement.SWAPPED:
                return f"{self.claimed.text} belongs to the other group in the source."
            case Agreement.DIRECTION:
                return f"{self.claimed.text} goes the other way in the source ({self.found.text})."
        return f"{self.claimed.text} in the text, {self.found.text} in the source."


# Kinds of which a statement gives one: another value for the same thing is a contradiction.
_TELLING = frozenset(
    {Kind.RATIO, Kind.CHANGE, Kind.INTERVAL, Kind.P_VALUE, Kind.PERCENT, Kind.COUNT, Kind.AMOUNT, Kind.DURATION,
     Kind.DIFFERENCE, Kind.FRACTION, Kind.YEAR}
)  # fmt: skip
DECISIVE = _TELLING - {Kind.YEAR, Kind.DURATION, Kind.COUNT}
"""Kinds that evidence must have before it proves a claim with one right."""
# How much of the claim's wording a sentence must share before its number is taken to be about the same thing.
SAME_THING = 0.6
# Trials give many counts and time points for one thing; there, nearly all of the wording must be shared.
SAME_THING_STRICT = 0.75
_MANY = frozenset({Kind.DURATION, Kind.COUNT, Kind.YEAR, Kind.FRACTION})
_DASHES = frozenset("-–—−")


def compare(claim: str, evidence: str) -> tuple[Finding, ...]:
    """Every number of `claim` against those of `evidence`, in the claim's order.

    Equal means: equal after conversion of units, up to rounding to the digits the claim prints; a relative
    change in words equals the ratio it describes. A number *differs* only where a sentence of the evidence
    is about the same thing (shares at least `SAME_THING` of the claim's content) and gives another value of
    the same kind; else it is *not found*.
    """
    claimed = quantities(claim)
    if not claimed:
        return ()
    found = quantities(evidence)
    settled = _in_same_wording(claim, claimed, evidence, found)
    same: dict[int, int] = {}
    for i, quantity in enumerate(claimed):
        options = [j for j, other in enumerate(found) if agree(quantity, other)]
        free = [j for j in options if j not in same.values()] or options
        if free:
            same[i] = max(free, key=lambda j: (_near(claim, quantity, evidence, found[j]), -j))
    swapped = swaps(claim, claimed, evidence, found, same) | {
        i
        for i, j in same.items()
        if other_arm(claim, claimed[i], evidence, found, j)
        and sum(agree(claimed[i], other) for other in found) == 1
        and sum(kin(claimed[i], other) for other in claimed) == 1
    }
    shares = _sentence_shares(claim, evidence)
    return tuple(
        settled.get(i) or _one(claim, quantity, evidence, found, same, shares, i, swapped=i in swapped)
        for i, quantity in enumerate(claimed)
    )


def _one(
    claim: str,
    quantity: Quantity,
    evidence: str,
    found: Sequence[Quantity],
    same: dict[int, int],
    shares: Sequence[tuple[Span, float]],
    index: int,
    *,
    swapped: bool,
) -> Finding:
    """One number against all of the evidence."""
    if index in same:
        other = found[same[index]]
        if swapped:
            return Finding(agreement=Agreement.SWAPPED, claimed=quantity, found=other)
        return _agreed(quantity, other)
    rest = [other for j, other in enumerate(found) if j not in same.values()]
    value = None if _adds_up(quantity, found, shares) else _counterpart(claim, quantity, evidence, rest, shares)
    return Finding(agreement=Agreement.DIFFERS if value else Agreement.NOT_FOUND, claimed=quantity, found=value)


def _agreed(quantity: Quantity, other: Quantity) -> Finding:
    agreement = Agreement.DIRECTION if turned(quantity, other) else Agreement.SAME
    return Finding(agreement=agreement, claimed=quantity, found=other)


def _in_same_wording(
    claim: str, claimed: Sequence[Quantity], evidence: str, found: Sequence[Quantity]
) -> dict[int, Finding]:
    """Findings from a sentence that says the claim in its own words: there, numbers correspond by their order."""
    bare = without_numbers(claim)
    for span in sentences(evidence):
        here = [q for q in found if span.overlaps(q.span)]
        if not here or not align(bare, without_numbers(span.of(evidence))).faithful:
            continue
        pairs = _in_order(claimed, here)
        wrong = {i: here[j] for i, j in pairs if not agree(claimed[i], here[j])}
        settled = {i: _agreed(claimed[i], here[j]) for i, j in pairs if i not in wrong}
        for i, other in wrong.items():
            if _adds_up(claimed[i], here, [(span, 1.0)]):
                continue
            crossed = any(agree(claimed[i], there) for there in wrong.values())
            agreement = Agreement.SWAPPED if crossed else Agreement.DIFFERS
            settled[i] = Finding(agreement=agreement, claimed=claimed[i], found=other)
        return settled
    return {}


def _in_order(claimed: Sequence[Quantity], found: Sequence[Quantity]) -> list[tuple[int, int]]:
    """The pairing that keeps both orders, with the most equal numbers and then the most of one kind.

    As many numbers of the same kinds on both sides are paired one by one: so arms that were swapped are seen.
    """
    rows, columns = len(claimed), len(found)
    if rows == columns and all(kin(a, b) for a, b in zip(claimed, found, strict=True)):
        return [(i, i) for i in range(rows)]
    worth = [[3 if agree(a, b) else kin(a, b) and _unit_alike(a, b) for b in found] for a in claimed]
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            taken = best[i + 1][j + 1] + worth[i][j] if worth[i][j] else 0
            best[i][j] = max(taken, best[i + 1][j], best[i][j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        if worth[i][j] and best[i][j] == best[i + 1][j + 1] + worth[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _unit_alike(left: Quantity, right: Quantity) -> bool:
    return not (left.unit and right.unit) or left.name == right.name


def _clause(text: str, quantity: Quantity) -> str:
    """Six words or so on either side of a number."""
    return (
        text[max(0, quantity.span.start - 45) : quantity.span.start]
        + " "
        + text[quantity.span.end : quantity.span.end + 45]
    )


def _near(claim: str, claimed: Quantity, evidence: str, found: Quantity) -> int:
    return len({*content(_clause(claim, claimed))} & {*content(_clause(evidence, found))})


def _sentence_shares(claim: str, evidence: str) -> list[tuple[Span, float]]:
    """How much of the claim's wording, numbers apart, each sentence of the evidence has."""
    said = content(without_numbers(claim)) or content(claim)
    wanted = {word for word in said if not word[0].isdigit()}
    return [
        (span, len(wanted & {*content(span.of(evidence))}) / len(wanted) if wanted else 0.0)
        for span in sentences(evidence)
    ]


def _counterpart(
    claim: str, claimed: Quantity, evidence: str, rest: Sequence[Quantity], shares: Sequence[tuple[Span, float]]
) -> Quantity | None:
    """The number that the evidence gives for what the claim is about, if one stands out."""
    if claimed.kind not in _TELLING or _range_end(claim, claimed):
        return None
    options = []
    enough = SAME_THING_STRICT if claimed.kind in _MANY else SAME_THING
    for other in rest:
        share = next((share for span, share in shares if span.overlaps(other.span)), 0.0)
        if (
            share >= enough
            and not _range_end(evidence, other)
            and other.kind in _TELLING
            and _comparable(claimed, other)
        ):
            options.append((_near(claim, claimed, evidence, other), share, -other.span.start, other))
    if len(options) > 1:  # of several numbers only one with a word of the claim beside it can be meant
        options = [option for option in options if option[0]]
    return max(options, key=lambda option: option[:3])[3] if options else None


# The other end of a range, before or after a number; "from 15% to 12%" is a change and no range.
_RANGE_AFTER = re.compile(r"\s*%?\s*(?:[-–—−]|to)\s*\d", re.IGNORECASE)
_RANGE_BEFORE = re.compile(r"(?P<from>\bfrom\s+)?\d[\d.,]*\s*%?\s*(?:(?P<dash>[-–—−])|to)\s*$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)


def _range_end(text: str, quantity: Quantity) -> bool:
    """Whether a number is one end of a range: `72-80 years`, `(3% to 28%)`."""
    if quantity.kind is Kind.INTERVAL:
        return False
    before, after = text[: quantity.number.start], text[quantity.number.end :]
    ahead = _RANGE_BEFORE.search(before[-40:])
    if ahead:
        return bool(ahead["dash"]) or not ahead["from"]
    if _RANGE_AFTER.match(after):
        return not _FROM.search(before)
    return before.rstrip()[-1:] in _DASHES and before.strip() != ""


def _comparable(claimed: Quantity, found: Quantity) -> bool:
    if claimed.kind is Kind.RATIO and found.kind is Kind.RATIO:
        return claimed.name == found.name
    if claimed.kind in (Kind.AMOUNT, Kind.DIFFERENCE) or found.kind in (Kind.AMOUNT, Kind.DIFFERENCE):
        return claimed.kind is found.kind and claimed.name == found.name
    if {claimed.kind, found.kind} == {Kind.PERCENT, Kind.CHANGE}:
        return False
    return kin(claimed, found)


def _adds_up(claimed: Quantity, found: Sequence[Quantity], shares: Sequence[tuple[Span, float]]) -> bool:
    """Whether a claimed count is the sum of counts of one sentence (250 and 250 assigned: 500 enrolled)."""
    if claimed.kind is not Kind.COUNT:
        return False
    for span, _ in shares:
        counts = [q.value for q in found if q.kind in (Kind.COUNT, Kind.NUMBER) and span.overlaps(q.span)]
        if any(abs(a + b - claimed.value) < 0.5 for i, a in enumerate(counts) for b in counts[i + 1 :]):
            return True
        if len(counts) > 2 and abs(sum(counts) - claimed.value) < 0.5:
            return True
    return False


def given_elsewhere(claim: str, claimed: Quantity, text: str, least: float = 0.3) -> bool:
    """Whether another sentence of `text` that is at all about the claim gives the claimed number."""
    return any(
        any(agree(claimed, other) for other in quantities(span.of(text)))
        for span, share in _sentence_shares(claim, text)
        if share >= least
    )


# Of these the whole expression is number (`95% CI 0.61-0.85`, `100 mg`); of the others only the digits are.
_ALL_NUMBER = frozenset(
    {Kind.RATIO, Kind.DIFFERENCE, Kind.INTERVAL, Kind.P_VALUE, Kind.AMOUNT, Kind.DURATION, Kind.FRACTION}
)


def without_numbers(text: str) -> str:
    """The text with its quantities blanked, offsets kept: for comparing the wording alone."""
    blanked = list(text)
    for quantity in quantities(text):
        span = quantity.span if quantity.kind in _ALL_NUMBER else quantity.number
        end = span.end + (text[span.end : span.end + 2].lstrip()[:1] == "%") * 2
        blanked[span.start : end] = " " * (min(end, len(text)) - span.start)
    return "".join(blanked)
