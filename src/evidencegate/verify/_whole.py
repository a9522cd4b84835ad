"""Whether a sentence holds for all that a claim names: for both, and without exception."""

from collections.abc import Iterator

from evidencegate.verify._effects import reading
from evidencegate.verify._lexicon import pattern
from evidencegate.verify._quantities import quantities
from evidencegate.verify._units import Kind
from evidencegate.verify._wording import meanings

_SIGNIFICANT = 0.05
"""What a p-value must be below to be called significant."""


def less_than_all(claim: str, said: str) -> Iterator[str]:
    """Why a sentence does not hold for all that a claim speaks of."""
    whole, exception = pattern("scope", "whole"), pattern("scope", "exception")
    if whole.search(claim) and exception.search(said) and not exception.search(claim):
        yield "the source makes an exception"
    for named in pattern("scope", "both").finditer(claim):
        for one in (named["one"], named["other"]):
            if meanings(one) and not {*meanings(one)} & {*meanings(said)}:
                yield f"the source does not say this of “{one.strip()}” here"
    if whole.search(claim) and reading(claim).significant and _one_by_chance(said):
        yield "the source calls one of these not significant"


def _one_by_chance(said: str) -> bool:
    """Whether a p-value of a sentence is no significant one."""
    found = (q for q in quantities(said) if q.kind is Kind.P_VALUE)
    return any(q.value > _SIGNIFICANT and not q.comparator.startswith("<") for q in found)
