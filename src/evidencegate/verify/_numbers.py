"""The numeric check: do the numbers of a claim agree with those of its evidence, and which do not?"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evidencegate.documents import sentences
from evidencegate.verify._agree import agree, kin, turned
from evidencegate.verify._arms import swaps
from evidencegate.verify._binding import Binding, binding, near
from evidencegate.verify._counterpart import Shared, adds_up, counterpart, shared
from evidencegate.verify._foreign import another_label, by_others
from evidencegate.verify._quantities import quantities, without_numbers
from evidencegate.verify._units import Quantity
from evidencegate.verify._wording import align


class Agreement(StrEnum):
    """What became of one number of a claim."""

    SAME = "same"
    DIFFERS = "differs"
    """The evidence gives another number for the same thing."""
    SWAPPED = "swapped"
    """The evidence has the number, for the other group."""
    DIRECTION = "direction"
    """The number agrees, the direction in which it goes does not."""
    UNBOUND = "unbound"
    """The evidence has the number, and counts something else with it."""
    NOT_FOUND = "not_found"
    """The evidence has nothing to compare it with."""

    @property
    def contradicts(self) -> bool:
        """Whether the claim cannot be right by this evidence."""
        return self in (Agreement.DIFFERS, Agreement.SWAPPED, Agreement.DIRECTION)

    @property
    def proves(self) -> bool:
        """Whether the evidence bears the number out."""
        return self is Agreement.SAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One number of a claim, set against the evidence. Spans are in the two texts that were compared."""

    agreement: Agreement
    claimed: Quantity
    found: Quantity | None = None
    plain: bool = False
    """Whether the evidence says the other thing beyond doubt, so that no reader needs to be asked."""

    def __post_init__(self) -> None:
        if (self.found is None) != (self.agreement is Agreement.NOT_FOUND):
            raise ValueError("a number was compared with another, or not found")
        if self.plain and not self.agreement.contradicts:
            raise ValueError("what is plain is that the evidence says something else")

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
            case Agreement.UNBOUND:
                return f"{self.claimed.text} is said of something else in the source."
        return f"{self.claimed.text} in the text, {self.found.text} in the source."


_TABLE = 10_000
"""With more pairs of numbers than this, claim and evidence are tables."""
SWAPPED_PLAIN = 0.5
"""Of the claim's wording, what a sentence that gives its number to another group has before no reader is asked."""


def compare(claim: str, evidence: str) -> tuple[Finding, ...]:
    """Every number of `claim` against those of `evidence`, in the claim's order.

    Equal means: equal after conversion of units, up to rounding to the digits the claim prints; a relative
    change in words equals the ratio it describes. An equal number is the *same* only where it counts what the claim
    counts with it. A number *differs* only where a sentence of the evidence is about the same thing (shares at least
    `SAME_THING` of the claim's content) and gives another value of the same kind; else it is *not found*.
    """
    claimed = quantities(claim)
    if not claimed:
        return ()
    found = quantities(evidence)
    settled = _in_same_wording(claim, claimed, evidence, found)
    if len(settled) == len(claimed):
        return tuple(settled[i] for i in range(len(claimed)))
    if len(claimed) * len(found) > _TABLE:
        return tuple(settled.get(i) or _by_value(quantity, found) for i, quantity in enumerate(claimed))
    same = _equals(claim, claimed, evidence, found)
    swapped = swaps(claim, claimed, evidence, found, {i: j for i, (j, _) in same.items()})
    shares = shared(claim, evidence)
    taken = {j for j, _ in same.values()}
    rest = [other for j, other in enumerate(found) if j not in taken]
    findings = []
    for i, quantity in enumerate(claimed):
        if i in settled:
            findings.append(settled[i])
        elif i in same:
            j, whose = same[i]
            if i in swapped:
                whose = Binding.OTHERS
            elif _of_others(claim, evidence, found, quantity, shares):
                whose = Binding.NOTHING
            findings.append(_whose(quantity, found[j], whose, shares))
        else:
            findings.append(_unequal(claim, quantity, evidence, found, rest, shares))
    return tuple(findings)


def _by_value(quantity: Quantity, found: Sequence[Quantity]) -> Finding:
    """A number of a table that lost its lines: no words tell what it counts, so none contradicts it."""
    equal = next((other for other in found if agree(quantity, other)), None)
    return Finding(agreement=Agreement.SAME if equal else Agreement.NOT_FOUND, claimed=quantity, found=equal)


def _equals(
    claim: str, claimed: Sequence[Quantity], evidence: str, found: Sequence[Quantity]
) -> dict[int, tuple[int, Binding]]:
    """For each claimed number that the evidence has: its place, best where it counts the same, and whose it is."""
    same: dict[int, tuple[int, Binding]] = {}
    for i, quantity in enumerate(claimed):
        options = [j for j, other in enumerate(found) if agree(quantity, other)]
        if not options:
            continue
        taken = {j for j, _ in same.values()}
        ranked = []
        for j in options:
            whose = binding(claim, quantity, claimed, evidence, found, j)
            beside = near(claim, quantity, evidence, found[j])
            ranked.append((whose is Binding.SAME, j not in taken, beside, -j, whose))
        _, _, _, place, whose = max(ranked, key=lambda option: option[:4])
        same[i] = -place, whose
    return same


def _of_others(
    claim: str, evidence: str, found: Sequence[Quantity], quantity: Quantity, shares: Sequence[Shared]
) -> bool:
    """Whether only sentences on what others found give a number that a claim does not give to others."""
    held = [row.span.of(evidence) for other in found if agree(quantity, other)
            for row in shares if row.span.overlaps(other.span)]  # fmt: skip
    return not by_others(claim) and all(by_others(said) for said in held)


def _whose(quantity: Quantity, other: Quantity, whose: Binding, shares: Sequence[Shared]) -> Finding:
    """A number that the evidence has, by what it counts there."""
    if whose is Binding.SAME:
        return _agreed(quantity, other)
    row = next((row for row in shares if row.span.overlaps(other.span)), None)
    if whose is Binding.NOTHING or row is None or row.apart:
        return Finding(agreement=Agreement.UNBOUND, claimed=quantity, found=other)
    return Finding(agreement=Agreement.SWAPPED, claimed=quantity, found=other, plain=row.share >= SWAPPED_PLAIN)


def _unequal(
    claim: str,
    quantity: Quantity,
    evidence: str,
    found: Sequence[Quantity],
    rest: Sequence[Quantity],
    shares: Sequence[Shared],
) -> Finding:
    """A number that the evidence has not."""
    if adds_up(quantity, found, [row.span for row in shares]):
        return Finding(agreement=Agreement.NOT_FOUND, claimed=quantity)
    other = counterpart(claim, quantity, evidence, rest, shares)
    if other is None:
        return Finding(agreement=Agreement.NOT_FOUND, claimed=quantity)
    return Finding(agreement=Agreement.DIFFERS, claimed=quantity, found=other.found, plain=other.plain)


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
        said = span.of(evidence)
        if not here or not align(bare, without_numbers(said)).faithful or another_label(claim, said):
            continue
        pairs = _in_order(claimed, here)
        wrong = {i: here[j] for i, j in pairs if not agree(claimed[i], here[j])}
        settled = {i: _agreed(claimed[i], here[j]) for i, j in pairs if i not in wrong}
        if len(here) > len(claimed):  # of more numbers the equal one may be of another group
            for i, finding in settled.items():
                at = found.index(here[dict(pairs)[i]])
                if binding(claim, claimed[i], claimed, evidence, found, at) is Binding.OTHERS:
                    settled[i] = Finding(
                        agreement=Agreement.SWAPPED, claimed=claimed[i], found=finding.found, plain=True
                    )
        for i, other in wrong.items():
            if adds_up(claimed[i], here, [span]):
                continue
            crossed = any(agree(claimed[i], there) for there in wrong.values())
            agreement = Agreement.SWAPPED if crossed else Agreement.DIFFERS
            settled[i] = Finding(agreement=agreement, claimed=claimed[i], found=other, plain=True)
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
