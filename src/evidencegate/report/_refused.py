"""What was written and not shown as fact, and why."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedCitation:
    """A citation that was taken out of what a model wrote (rule 3)."""

    text: str
    section: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        """As the contract has it."""
        return {"text": self.text, "section": self.section, "reason": self.reason}


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsupported:
    """A sentence that nothing it cites supports (rule 4)."""

    text: str
    section: str
    reason: str

    def __post_init__(self) -> None:
        if not self.text.strip() or not self.reason.strip():
            raise ValueError("what is not supported has its text and the reason")

    def to_json(self) -> dict[str, Any]:
        """As the contract has it."""
        return {"text": self.text, "section": self.section, "reason": self.reason}
