"""The number that evidence gives for what a claim is about, where that is another one than the claim's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evidencegate.documents import Span, sentences
from evidencegate.verify._agree import agree, kin
from evidencegate.verify._binding import near, range_end
from evidencegate.verify._foreign import another_label, by_others, of_other_work
from evidencegate.verify._quantities import quantities, without_numbers
from evidencegate.verify._units import Kind, Quantity
from evidencegate.verify._wording import meanings

# Kinds of which a statement gives one: another value for the same thing is a contradiction.
_TELLING = frozenset(
    {Kind.RATIO, Kind.CHANGE, Kind.INTERVAL, Kind.P_VALUE, Kind.PERCENT, Kind.COUNT, Kind.AMOUNT, Kind.DURATION,
     Kind.DIFFERENCE, Kind.FRACTION, Kind.YEAR}
)  # fmt: skip
# How much of the claim's wording a sentence must share before its number is taken to be about the same thing.
SAME_THING = 0.6
# Trials give many counts and time points for one thing; there, nearly all of the wording must be shared.
SAME_THING_STRICT = 0.75
_MANY = frozenset({Kind.DURATION, Kind.COUNT, Kind.YEAR, Kind.FRACTION})
# With this much of the wording no reader is needed to see that a sentence is about the same thing.
PLAIN = 0.9
# The same digits in another unit are hardly chance: less wording is enough, and least where the digits are many.
_UNITS_PLAIN = 0.65
_UNITS_TELLING = 0.4
_TELLING_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Shared:
    """How much of a claim's wording, numbers apart, a sentence of the evidence has."""

    span: Span
    share: float
    apart: bool
    """Whether the sentence tells of another work, or of another part of this one, than the claim."""


@dataclass(frozen=True, slots=True)
class Counterpart:
    """Another number for the same thing; `plain` where that is beyond doubt."""

    found: Quantity
    plain: bool


def shared(claim: str, evidence: str) -> tuple[Shared, ...]:
    """How much of `claim` each sentence of the evidence has, by meaning."""
    bare = without_numbers(claim)
    wanted = {word for word in meanings(bare) or meanings(claim) if not word[0].isdigit()}
    rows = []
    for span in sentences(evidence):
        said = span.of(evidence)
        share = len(wanted & {*meanings(said)}) / len(wanted) if wanted else 0.0
        rows.append(Shared(span, share, share > 0 and (of_other_work(claim, said) or another_label(claim, said))))
    return tuple(rows)


def counterpart(
    claim: str, claimed: Quantity, evidence: str, rest: Sequence[Quantity], shares: Sequence[Shared]
) -> Counterpart | None:
    """The number among the `rest` that the evidence gives for what the claim is about, if one stands out."""
    if claimed.kind not in _TELLING or range_end(claim, claimed):
        return None
    options = []
    for other in rest:
        row = next((row for row in shares if row.span.overlaps(other.span)), None)
        if row is None or row.apart or range_end(evidence, other) or other.kind not in _TELLING:
            continue
        units = other_unit(claimed, other)
        enough = SAME_THING_STRICT if claimed.kind in _MANY and not units else SAME_THING
        plain = PLAIN
        if units:
            plain = _units_plain(claimed, other)
            enough = min(enough, plain)
        if row.share >= enough and (units or _comparable(claimed, other)):
            rank = (units, near(claim, claimed, evidence, other), row.share, -other.span.start)
            options.append((rank, Counterpart(other, row.share >= plain)))
    if len(options) > 1:  # of several numbers only one with a word of the claim beside it can be meant
        options = [option for option in options if option[0][0] or option[0][1]]
    return max(options, key=lambda option: option[0])[1] if options else None


def _units_plain(claimed: Quantity, found: Quantity) -> float:
    """How much wording shows that a unit is wrong."""
    mass = claimed.kind is found.kind is Kind.AMOUNT and claimed.name == found.name
    digits = sum(sign.isdigit() for sign in printed(claimed))
    return _UNITS_TELLING if mass and digits >= _TELLING_DIGITS else _UNITS_PLAIN


def other_unit(claimed: Quantity, found: Quantity) -> bool:
    """Whether two measurements have the same digits and units that do not come to the same: 5 mg, 5 mcg."""
    measured = (Kind.AMOUNT, Kind.DURATION)
    return (
        claimed.kind in measured
        and found.kind in measured
        and bool(claimed.unit and found.unit)
        and claimed.number != claimed.span
        and printed(claimed) == printed(found)
        and not agree(claimed, found)
    )


def printed(quantity: Quantity) -> str:
    """The digits of a number, or its word, as they stand in the text."""
    start = quantity.number.start - quantity.span.start
    return quantity.text[start : start + len(quantity.number)].casefold()


def _comparable(claimed: Quantity, found: Quantity) -> bool:
    if claimed.kind is Kind.RATIO and found.kind is Kind.RATIO:
        return claimed.name == found.name
    if claimed.kind in (Kind.AMOUNT, Kind.DIFFERENCE) or found.kind in (Kind.AMOUNT, Kind.DIFFERENCE):
        return claimed.kind is found.kind and claimed.name == found.name
    if {claimed.kind, found.kind} == {Kind.PERCENT, Kind.CHANGE}:
        return False
    return kin(claimed, found)


def adds_up(claimed: Quantity, found: Sequence[Quantity], spans: Sequence[Span]) -> bool:
    """Whether a claimed count is the sum of counts of one sentence (250 and 250 assigned: 500 enrolled)."""
    if claimed.kind is not Kind.COUNT:
        return False
    for span in spans:
        counts = [q.value for q in found if q.kind in (Kind.COUNT, Kind.NUMBER) and span.overlaps(q.span)]
        if any(abs(a + b - claimed.value) < 0.5 for i, a in enumerate(counts) for b in counts[i + 1 :]):
            return True
        if len(counts) > 2 and abs(sum(counts) - claimed.value) < 0.5:
            return True
    return False


def given_elsewhere(claim: str, claimed: Quantity, text: str, least: float = 0.3) -> bool:
    """Whether another sentence of `text` that is at all about the claim gives the claimed number."""
    return any(
        row.share >= least and any(agree(claimed, other) for other in quantities(row.span.of(text)))
        for row in shared(claim, text)
    )


# What is told once, where the methods or the results begin, and taken for known later.
TOLD_ONCE = frozenset({Kind.COUNT, Kind.NUMBER, Kind.DURATION, Kind.YEAR})


def counted_elsewhere(claim: str, claimed: Quantity, text: str, least: float = 0.3) -> Quantity | None:
    """The claimed count, time or year where another sentence of `text` on the claim's matter has it.

    It must be of the same kind there and stand beside the same words. Its place is in `text`.
    """
    if claimed.kind not in TOLD_ONCE:
        return None
    for row in shared(claim, text):
        said = row.span.of(text)
        if row.share < least or row.apart or by_others(said):
            continue
        for other in quantities(said):
            alike = other.kind is claimed.kind or {other.kind, claimed.kind} == {Kind.COUNT, Kind.NUMBER}
            if alike and agree(claimed, other) and near(claim, claimed, said, other):
                start = row.span.start
                return replace(other, span=other.span.shift(start), number=other.number.shift(start))
    return None
