"""When, and after how long, a claim and a sentence say that something was so."""

import re
from collections.abc import Iterator

from evidencegate.verify._agree import agree
from evidencegate.verify._lexicon import pattern
from evidencegate.verify._quantities import quantities
from evidencegate.verify._units import Kind, Quantity
from evidencegate.verify._wording import meanings

_ONE = re.compile(r"\b(?:one|an?)(?=[ -](?:hour|day|week|month|year)\b|,? (?:and |or )?\d)", re.IGNORECASE)
_NUMBERED = re.compile(r"\b(hour|day|week|month|year)s? (\d{1,3})\b(?!\s*(?:%|/|\w))", re.IGNORECASE)


def at_other_times(claim: str, said: str) -> Iterator[str]:
    """Why a sentence does not hold for when, or for how long, a claim says that something was so."""
    mine, theirs = _times(claim), _times(said)
    if not mine or not theirs:
        return
    if not any(_same(a, b) for a in mine for b in theirs):
        yield "the source says this of another time"
    elif len({one.value for one in mine}) > 1 and not _each(mine, claim, said):
        yield "the source does not say this of each time"


def _times(text: str) -> list[Quantity]:
    """How long after, or how long: "one month" and "week 4" too."""
    plain = _NUMBERED.sub(r"\2 \1", _ONE.sub("1", text))
    return [quantity for quantity in quantities(plain) if quantity.kind is Kind.DURATION]


def _same(one: Quantity, other: Quantity) -> bool:
    return agree(one, other) or agree(other, one)


def _each(mine: list[Quantity], claim: str, said: str) -> bool:
    """Whether the clause that is about what a claim is about, if it has one of the claim's times, has all of them."""
    held = _times(_about(claim, pattern("scope", "coordinated").split(said)))
    met = [any(_same(one, other) for other in held) for one in mine]
    return all(met) or not any(met)


def _about(claim: str, clauses: list[str]) -> str:
    """The clause that has the words that a claim begins with, as far as clauses differ in them."""
    left = clauses
    for word in meanings(claim):
        left = [clause for clause in left if word in meanings(clause)] or left
    return left[0]
