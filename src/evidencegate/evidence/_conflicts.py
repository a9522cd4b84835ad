"""Conflicts: findings that oppose each other, side by side, weighed by the design of the studies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from evidencegate.documents import Quote
from evidencegate.evidence._design import Level
from evidencegate.evidence._text import terms
from evidencegate.evidence._types import EvidenceItem

WEIGHTS = {
    Level.GUIDELINE: 5,
    Level.SYSTEMATIC_REVIEW: 5,
    Level.RCT: 4,
    Level.COHORT: 2,
    Level.CASE_CONTROL: 2,
    Level.REVIEW: 1,
    Level.CASE_SERIES: 1,
    Level.OTHER: 0,
}
"""What a design weighs when findings oppose each other (order after OCEBM 2011; the distances are ours)."""
_SHARED = 0.2
"""Findings that share less of their words (of the shorter one's) are about different things."""
_OPPOSED = 0.5
_PAIRS = 60
"""Pairs that are judged, those that share most first."""


class Judgement(Protocol):
    """What conflicts need of a stance."""

    @property
    def refutes(self) -> float:
        """Probability that the passage refutes the claim."""
        ...

    @property
    def supports(self) -> float:
        """Probability that the passage supports the claim."""
        ...


Judge = Callable[[Sequence[tuple[str, str]]], Sequence[Judgement]]
"""Judges pairs of claim and passage."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence of a record that states a result or a recommendation."""

    item: EvidenceItem
    quote: Quote

    def __post_init__(self) -> None:
        if self.quote.document.id != self.item.document.id:
            raise ValueError("a finding is quoted from its own record")

    @property
    def weight(self) -> int:
        """What its design weighs."""
        return WEIGHTS[self.item.level]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two findings that oppose each other. Neither side is shown before the other for its result."""

    first: Finding
    second: Finding
    probability: float
    """That they oppose each other, 0-1."""

    def __post_init__(self) -> None:
        if self.first.item.document.id == self.second.item.document.id:
            raise ValueError("a record does not conflict with itself")
        if not 0.0 <= self.probability <= 1.0:
            raise ValueError(f"a probability is in [0, 1]: {self.probability}")

    @property
    def heavier(self) -> Finding | None:
        """The finding of the stronger design; None where both weigh the same."""
        if self.first.weight == self.second.weight:
            return None
        return self.first if self.first.weight > self.second.weight else self.second

    @property
    def explanation(self) -> str:
        """How the two weigh against each other, in words."""
        one, other = self.first.item.level, self.second.item.level
        if self.heavier is None:
            return f"both are of equal weight by design ({_words(one)} and {_words(other)})"
        lighter = self.second if self.heavier is self.first else self.first
        return f"by design the {_words(self.heavier.item.level)} weighs more than the {_words(lighter.item.level)}"


def conflicts(findings: Sequence[Finding], judge: Judge) -> tuple[Conflict, ...]:
    """The pairs of findings of different records that oppose each other, the surest first.

    Only pairs that share words are judged, at most 60; each is read both ways, since a passage may refute a claim
    that does not refute it. Retracted records take no part.
    """
    usable = [finding for finding in findings if not finding.item.document.retracted]
    words = [frozenset(terms(finding.quote.text)) for finding in usable]
    pairs = []
    for a, b in combinations(range(len(usable)), 2):
        if usable[a].item.document.id == usable[b].item.document.id:
            continue
        least = min(len(words[a]), len(words[b]))
        share = len(words[a] & words[b]) / least if least else 0.0
        if share >= _SHARED:
            pairs.append((share, a, b))
    pairs = sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2]))[:_PAIRS]
    if not pairs:
        return ()
    texts = [(usable[x].quote.text, usable[y].quote.text) for _, a, b in pairs for x, y in ((a, b), (b, a))]
    stances = judge(texts)
    found = []
    for index, (_, a, b) in enumerate(pairs):
        there, back = stances[2 * index], stances[2 * index + 1]
        surest = max((there, back), key=lambda stance: stance.refutes)
        agree = max(there.supports, back.supports)
        if surest.refutes >= _OPPOSED and surest.refutes > agree:
            probability = min(1.0, max(0.0, surest.refutes))
            found.append(Conflict(first=usable[a], second=usable[b], probability=probability))
    return tuple(sorted(found, key=lambda c: (-c.probability, c.first.item.document.id, c.second.item.document.id)))


def _words(level: Level) -> str:
    names = {Level.RCT: "randomised trial", Level.OTHER: "record of unknown design"}
    return names.get(level, level.value.replace("_", " "))
