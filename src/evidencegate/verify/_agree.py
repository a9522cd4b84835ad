"""When two numbers say the same: units converted, rounding allowed, words for changes understood."""

import re

from evidencegate.verify._units import Kind, Quantity

# Kinds that can be set against each other although they are written differently.
_KIN = (
    frozenset({Kind.RATIO, Kind.CHANGE}),
    frozenset({Kind.PERCENT, Kind.FRACTION}),
    frozenset({Kind.COUNT, Kind.NUMBER}),
    frozenset({Kind.COUNT, Kind.FRACTION}),
    frozenset({Kind.PERCENT, Kind.CHANGE}),
    frozenset({Kind.DIFFERENCE, Kind.AMOUNT}),
    frozenset({Kind.DIFFERENCE, Kind.NUMBER}),
    frozenset({Kind.DIFFERENCE, Kind.PERCENT}),
    frozenset({Kind.RATIO, Kind.NUMBER}),
    frozenset({Kind.P_VALUE, Kind.NUMBER}),
    frozenset({Kind.YEAR, Kind.NUMBER}),
    frozenset({Kind.NUMBER, Kind.DURATION}),
    frozenset({Kind.NUMBER, Kind.AMOUNT}),
    frozenset({Kind.NUMBER, Kind.PERCENT}),
)
_FAR = 2.0
"""Nobody says "more than half" of what is more than twice as much."""


def agree(claimed: Quantity, found: Quantity) -> bool:
    """Whether two numbers say the same, up to rounding to the digits of the claim."""
    if claimed.kind is Kind.P_VALUE and found.kind is Kind.P_VALUE:
        return _p_agrees(claimed, found)
    if claimed.kind is Kind.INTERVAL or found.kind is Kind.INTERVAL:
        return (
            claimed.kind is found.kind
            and claimed.name == found.name
            and claimed.high is not None
            and found.high is not None
            and _close(abs(claimed.value), abs(found.value), claimed, found)
            and _close(abs(claimed.high), abs(found.high), claimed, found)
        )
    if not kin(claimed, found):
        return False
    if {claimed.kind, found.kind} == {Kind.COUNT, Kind.FRACTION}:
        return _fraction_holds(claimed, found)
    if Kind.PERCENT in (claimed.kind, found.kind) and Kind.CHANGE in (claimed.kind, found.kind):
        change, percent = (claimed, found) if claimed.kind is Kind.CHANGE else (found, claimed)
        return change.unit == "%" and abs(abs(1 - change.value) * 100 - percent.value) < 1e-6
    if claimed.unit and found.unit and claimed.name != found.name:
        return False
    if turned(claimed, found):
        return True
    if _within_bound(claimed, found):
        return True
    left, right = claimed.value, found.value
    if Kind.NUMBER in (claimed.kind, found.kind) and claimed.kind is not found.kind:
        # A bare number is compared with the digits as printed, not with their base unit.
        left, right = _printed(claimed), _printed(found)
        return abs(abs(left) - abs(right)) < 1e-9
    return _close(abs(left), abs(right), claimed, found)


def _within_bound(claimed: Quantity, found: Quantity) -> bool:
    """Whether a number keeps to a claim's "more than half" or "under 10 %", and is not far beyond it."""
    measured = {claimed.kind, found.kind}
    if not (len(measured) == 1 or measured == {Kind.PERCENT, Kind.FRACTION}) or claimed.kind is Kind.P_VALUE:
        return False
    if claimed.comparator == ">":
        return claimed.value <= found.value <= _FAR * claimed.value
    return claimed.comparator == "<" and claimed.value / _FAR <= found.value <= claimed.value


def kin(claimed: Quantity, found: Quantity) -> bool:
    """Whether two numbers are of kinds that can be compared."""
    return claimed.kind is found.kind or frozenset({claimed.kind, found.kind}) in _KIN


def _close(left: float, right: float, claimed: Quantity, found: Quantity) -> bool:
    if claimed.approximate:
        return abs(left - right) <= 0.05 * max(left, right)
    gap = abs(left - right)
    if claimed.unit != found.unit and claimed.unit and found.unit:
        # Trials call 12 weeks three months; mg against g only has the rounding of the factor.
        loose = claimed.kind is Kind.DURATION and {claimed.unit[0], found.unit[0]} == {"w", "m"}
        return gap <= (0.085 if loose else 0.015) * max(left, right)
    coarser = claimed.step if claimed.step > found.step * 1.0001 else 0.0
    if {claimed.kind, found.kind} == {Kind.CHANGE, Kind.RATIO}:
        coarser = max(claimed.step, found.step)
    return gap <= coarser / 2 * 1.001 + 1e-9 * max(1.0, right)


def _p_agrees(claimed: Quantity, found: Quantity) -> bool:
    if claimed.comparator in "<≤" and found.comparator in "=<≤":
        return found.value <= claimed.value
    if claimed.comparator in ">≥" and found.comparator in "=>≥":
        return found.value >= claimed.value
    return claimed.comparator == found.comparator and _close(claimed.value, found.value, claimed, found)


def _fraction_holds(left: Quantity, right: Quantity) -> bool:
    count, fraction = (left, right) if left.kind is Kind.COUNT else (right, left)
    whole = float(fraction.name.replace(",", ""))
    return count.value == whole or abs(fraction.value * whole / 100 - count.value) < 0.01


def _printed(quantity: Quantity) -> float:
    digits = re.search(r"\d+(?:,\d{3})*(?:\.\d+)?", quantity.text)
    return float(digits[0].replace(",", "")) if digits else quantity.value


def turned(claimed: Quantity, found: Quantity) -> bool:
    """Whether two relative changes are of one size and opposite direction: 28 % lower, 28 % higher."""
    return (
        claimed.kind is found.kind is Kind.CHANGE
        and claimed.unit == found.unit == "%"
        and (claimed.value - 1) * (found.value - 1) < 0
        and abs((claimed.value - 1) + (found.value - 1)) < 1e-6
    )
