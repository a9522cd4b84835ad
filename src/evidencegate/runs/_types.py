"""What is kept of an execution."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from evidencegate.errors import BudgetExceeded


class RunStatus(StrEnum):
    """How a run stands."""

    RUNNING = "running"
    DONE = "done"
    PARTIAL = "partial"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a run, for whoever watches."""

    n: int
    at: str
    """ISO 8601, UTC."""
    kind: str
    message: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a run, or a step of it, has cost."""

    requests: int = 0
    """Sent to sources and to language models."""
    input_tokens: int = 0
    output_tokens: int = 0
    money: float = 0.0
    """US dollars, an estimate."""
    seconds: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Hard limits of a run; None is no limit."""

    requests: int | None = None
    tokens: int | None = None
    money: float | None = None
    seconds: float | None = None

    def check(self, used: Usage) -> None:
        """Raise `BudgetExceeded` once a limit is reached: nothing more may be started."""
        spent = {
            "requests": used.requests,
            "tokens": used.input_tokens + used.output_tokens,
            "money": used.money,
            "seconds": used.seconds,
        }
        for name, value in spent.items():
            limit = getattr(self, name)
            if limit is not None and value >= limit:
                raise BudgetExceeded(f"the budget of {limit:g} {name} is used up ({value:g})")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInfo:
    """A run as the ledger knows it."""

    id: str
    command: str
    inputs: Mapping[str, Any]
    status: RunStatus
    started_at: str
    ended_at: str | None
    usage: Usage
    result: Mapping[str, Any] | None
    """What was shown, as the fields of `--json`; None until there is something."""

    def to_json(self) -> dict[str, Any]:
        """The run as JSON, without its result."""
        usage = {f.name: getattr(self.usage, f.name) for f in fields(self.usage)}
        return {
            "id": self.id,
            "command": self.command,
            "inputs": dict(self.inputs),
            "status": str(self.status),
            "started_at": self.started_at,
            "ended_at": self.ended_at,
            "usage": usage,
        }
