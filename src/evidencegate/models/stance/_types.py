"""The values of the stance model."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from typing import Protocol, runtime_checkable


class Label(StrEnum):
    """What a passage says about a claim."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    NEUTRAL = "neutral"


class ReasonCode(StrEnum):
    """Why a stance is what it is; stable names for programs."""

    LITERAL = "literal"
    """The passage holds the claim word for word."""
    EMPTY_CLAIM = "empty_claim"
    EMPTY_PASSAGE = "empty_passage"
    NO_SHARED_TOPIC = "no_shared_topic"
    """The passage holds too few of the claim's terms."""
    TERM_MISSING = "term_missing"
    """What the claim is about (its intervention, say) is not named in the passage."""
    SAME_DIRECTION = "same_direction"
    OPPOSITE_DIRECTION = "opposite_direction"
    NO_DIFFERENCE_FOUND = "no_difference_found"
    """The claim states an effect; the passage reports none."""
    EFFECT_FOUND = "effect_found"
    """The claim states that there is no effect; the passage reports one."""
    BOTH_NO_DIFFERENCE = "both_no_difference"
    NEGATION_DIFFERS = "negation_differs"
    NOT_SIGNIFICANT = "not_significant"
    SIGNIFICANT = "significant"
    NONINFERIOR = "noninferior"
    ARMS_SWAPPED = "arms_swapped"
    NUMBERS_AGREE = "numbers_agree"
    NUMBERS_DIFFER = "numbers_differ"
    POPULATION_DIFFERS = "population_differs"
    HEDGED = "hedged"
    READ_BY_ENCODER = "read_by_encoder"
    READ_BY_LANGUAGE_MODEL = "read_by_language_model"
    PART_OF_CLAIM = "part_of_claim"
    """The claim holds several facts; they were also judged one by one."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One ground of a stance.

    `toward` is the label it speaks for (None: it only qualifies). Spans are half-open, in characters of the
    claim and of the passage as they were given.
    """

    code: ReasonCode
    detail: str
    toward: Label | None = None
    claim: tuple[int, int] | None = None
    passage: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Stance:
    """What a passage says about a claim, as three probabilities that sum to 1.

    `sentence` is the half-open span, in the passage, of the sentence that decides; None where none does.
    Raises `ValueError` when the probabilities are no distribution.
    """

    supports: float
    refutes: float
    neutral: float
    sentence: tuple[int, int] | None = None
    reasons: tuple[Reason, ...] = field(default=())
    reader: str = "rules"

    def __post_init__(self) -> None:
        values = (self.supports, self.refutes, self.neutral)
        if not all(isfinite(value) and 0.0 <= value <= 1.0 for value in values):
            raise ValueError(f"probabilities lie within 0 and 1: {values}")
        if abs(sum(values) - 1.0) > 1e-6:
            raise ValueError(f"probabilities sum to 1: {values}")
        if self.sentence is not None and not 0 <= self.sentence[0] <= self.sentence[1]:
            raise ValueError(f"not a half-open span: {self.sentence}")

    @property
    def label(self) -> Label:
        """The most probable label; on a tie the more careful one (neutral, then refutes)."""
        order = (Label.NEUTRAL, Label.REFUTES, Label.SUPPORTS)
        return max(order, key=self.probability)

    @property
    def confidence(self) -> float:
        """The probability of `label`, within 0 and 1."""
        return self.probability(self.label)

    def probability(self, label: Label) -> float:
        """The probability of `label`."""
        return {Label.SUPPORTS: self.supports, Label.REFUTES: self.refutes}.get(label, self.neutral)

    @classmethod
    def of(
        cls,
        weights: Sequence[float],
        *,
        sentence: tuple[int, int] | None = None,
        reasons: tuple[Reason, ...] = (),
        reader: str,
    ) -> "Stance":
        """A stance from three non-negative weights (supports, refutes, neutral), which are normalised.

        Weights that are all zero or not finite say nothing: neutral.
        """
        total = sum(weights)
        if len(weights) != 3 or not isfinite(total) or total <= 0 or min(weights) < 0:
            return cls(0.0, 0.0, 1.0, sentence, reasons, reader)
        supports, refutes = weights[0] / total, weights[1] / total
        return cls(supports, refutes, max(0.0, 1.0 - supports - refutes), sentence, reasons, reader)


@runtime_checkable
class StanceModel(Protocol):
    """Anything that judges pairs of claim and passage."""

    @property
    def name(self) -> str:
        """What is written into `Stance.reader`."""
        ...

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """One stance a pair (claim, passage), in order. Accepts any text."""
        ...
