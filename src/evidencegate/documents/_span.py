"""Half-open character spans."""

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """`[start, end)` in characters of one text. Never negative, never backwards."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a half-open span: [{self.start}, {self.end})")

    def __len__(self) -> int:
        return self.end - self.start

    def __contains__(self, other: Self) -> bool:
        """Whether `other` lies wholly inside this span."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Self) -> bool:
        """Whether the two share at least one character."""
        return self.start < other.end and other.start < self.end

    def shift(self, offset: int) -> "Span":
        """The same span in a text in which this one's text begins at `offset`."""
        return Span(self.start + offset, self.end + offset)

    def of(self, text: str) -> str:
        """The slice of `text`; raises `ValueError` where the span leaves the text."""
        if self.end > len(text):
            raise ValueError(f"span [{self.start}, {self.end}) leaves a text of {len(text)} characters")
        return text[self.start : self.end]
