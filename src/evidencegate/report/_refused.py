"""What was written and not shown as fact, and why."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedCitation:
    """A citation that was taken out of what a model wrote (rule 3)."""

    text: str
    section: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsupported:
    """A sentence that nothing it cites supports (rule 4)."""

    text: str
    section: str
    reason: str

    def __post_init__(self) -> None:
        if not self.text.strip() or not self.reason.strip():
            raise ValueError("what is not supported has its text and the reason")
