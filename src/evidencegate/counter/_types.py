"""The values of this room."""

from dataclasses import dataclass
from enum import StrEnum


class Opposite(StrEnum):
    """How a statement opposes its claim."""

    NEGATION = "negation"
    AFFIRMATION = "affirmation"
    """The claim denies something; this asserts it."""
    REVERSAL = "reversal"
    NO_DIFFERENCE = "no_difference"
    COMPARATOR = "comparator"
    GIVEN = "given"
    """Stated by the user or by a language model."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A declarative sentence that contradicts the claim it was made of."""

    text: str
    opposite: Opposite

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("a statement says something")
