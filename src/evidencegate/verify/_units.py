"""Values of the numbers of clinical prose: what each says, in a unit in which it can be compared."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from evidencegate.documents import Span
from evidencegate.verify._lexicon import lexicon

_PAIRED = re.compile(r"\s*(?:vs\.?|versus|and|or|to|,|±|\+/-|[-–—])\s*", re.IGNORECASE)
# What stands in brackets behind a value, and the unit behind that.
ASIDE = re.compile(r"\s?[(\[][^()\[\]]*\d[^()\[\]]*[)\]]\s?(?P<unit>[^\W\d][\w/µμ°]*)")
_ALL = 100.0
_ONE = {"one": 1, "a": 1, "an": 1}
# Where the substance that was measured is named: before its value, else just after.
_NAMED_BEFORE = 160
_NAMED_AFTER = 40


class Kind(StrEnum):
    """What a number says."""

    RATIO = "ratio"
    """A relative effect: HR, RR, OR, ..."""
    DIFFERENCE = "difference"
    """An absolute effect: RD, MD, SMD, NNT, ..."""
    CHANGE = "change"
    """A relative change in words: `28 % lower` is 0.72, `doubled` is 2."""
    INTERVAL = "interval"
    P_VALUE = "p"
    COUNT = "count"
    FRACTION = "fraction"
    """`28/143` or `28 of 143`; the value is the percentage."""
    PERCENT = "percent"
    AMOUNT = "amount"
    """A dose, concentration, length ...; the value is in base units of its dimension."""
    DURATION = "duration"
    """In days."""
    YEAR = "year"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """One number of a text, in a form in which it can be compared."""

    kind: Kind
    value: float
    span: Span
    number: Span
    """Where the digits (or the number word) stand, inside `span`."""
    text: str
    name: str = ""
    """Which measure, or the dimension of the unit: `HR`, `mass/mass`, ..."""
    unit: str = ""
    step: float = 0.0
    """What one in the last printed digit is worth, in the units of `value`."""
    comparator: str = "="
    high: float | None = None
    """Upper end, of an interval."""
    approximate: bool = False
    loose: bool = False
    """Whether it only points back ("the two groups"): it counts what was named before, and reports nothing."""


@cache
def _unit_table() -> dict[str, tuple[str, float]]:
    data = lexicon("quantities")["units"]
    return {spelling: (dimension, factor) for dimension, group in data.items() for spelling, factor in group.items()}


def unit_of(text: str) -> tuple[str, float] | None:
    """Dimension and factor of a unit such as `mg/kg per day`; None when a part is unknown."""
    dimensions, factor = [], 1.0
    for position, part in enumerate(re.split(r"\s?/\s?|\s?per\s?", text)):
        table = _unit_table()
        known = table.get(part) or (table.get(part.casefold()) if len(part) > 2 else None)
        if known is None:
            return None
        dimensions.append(known[0])
        factor = factor * known[1] if position == 0 else factor / known[1]
    name = "/".join(dimensions)
    return ("substance/volume" if name == "molarity" else name), factor


def value_of(text: str) -> tuple[float, float]:
    """A number, and what one in its last digit is worth."""
    cleaned = text.replace(",", "").replace(" ", "")
    spelled = _ONE.get(cleaned.casefold()) or lexicon("quantities")["words"].get(cleaned.casefold())
    if spelled is not None:
        return float(spelled), 1.0
    decimals = len(cleaned.partition(".")[2])
    return float(cleaned), 10.0**-decimals


def in_unit_of(text: str, one: Quantity, after: Quantity) -> Quantity:
    """A bare number paired with one that has a unit has that unit too: "66 vs. 51%", "50.3 ± 10.6 years"."""
    if one.kind is not Kind.NUMBER or not one.text[-1:].isdigit() or one.step == 0:
        return one
    if after.kind is Kind.PERCENT:
        paired = one.value <= _ALL and _PAIRED.fullmatch(text, one.span.end, after.span.start)
        return replace(one, kind=Kind.PERCENT, unit="%") if paired else one
    if after.kind not in (Kind.AMOUNT, Kind.DURATION) or not after.unit or not after.text[:1].isdigit():
        return one
    if not _PAIRED.fullmatch(text, one.span.end, after.span.start):
        return one
    printed, _ = value_of(after.number.of(text))
    factor = after.value / printed if printed else 0.0
    return replace(
        one, kind=after.kind, value=one.value * factor, step=one.step * factor, name=after.name, unit=after.unit
    )


def in_unit_behind(text: str, one: Quantity) -> Quantity:
    """A bare number whose unit stands behind its interval has that unit: "8.0 (95% CI 6.9 to 9.1) ng/ml"."""
    if one.kind is not Kind.NUMBER or one.step == 0 or not one.text[-1:].isdigit():
        return one
    behind = ASIDE.match(text, one.span.end)
    known = unit_of(behind["unit"]) if behind else None
    if behind is None or known is None:
        return one
    kind = Kind.DURATION if known[0] == "time" else Kind.AMOUNT
    return replace(one, kind=kind, value=one.value * known[1], step=one.step * known[1], name=known[0],
                   unit=behind["unit"])  # fmt: skip


def in_mol(text: str, one: Quantity) -> Quantity:
    """A mass of a substance with a known molar mass, in a volume, as its concentration in mol: 126 mg/dL of glucose."""
    if one.kind is not Kind.AMOUNT or one.name != "mass/volume":
        return one
    before, after = text[max(0, one.span.start - _NAMED_BEFORE) : one.span.start], text[one.span.end :][:_NAMED_AFTER]
    named = list(_analytes().finditer(before))[-1:] or list(_analytes().finditer(after))[:1]
    if not named:
        return one
    mass = _molar_masses()[named[0][0].casefold()]
    return replace(one, value=one.value / mass, step=one.step / mass, name="substance/volume")


@cache
def _molar_masses() -> dict[str, float]:
    return {name.casefold(): row["mass"] for row in lexicon("quantities")["analytes"] for name in row["said"]}


@cache
def _analytes() -> re.Pattern[str]:
    names = sorted(_molar_masses(), key=len, reverse=True)
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, names)) + r")(?!\w)", re.IGNORECASE)
