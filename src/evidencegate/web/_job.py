"""A job: a run that somebody asked this server for, and how it stands."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.runs import RunInfo, RunStatus


class Kind(StrEnum):
    """What can be asked for."""

    ASK = "ask"
    CHECK = "check"
    COUNTER = "counter"
    REPORT = "report"


class NotFound(UnknownName):
    """There is no such run, or it is somebody else's: nobody is told which."""


class KeyReused(InvalidInput):
    """An idempotency key was used before, for something else."""


class QueueFull(InvalidInput):
    """More jobs wait already than the server takes on."""


class NotFinished(InvalidInput):
    """A job that is still at work cannot do that yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A run of this server, whose it is, and how it stands."""

    id: str
    kind: Kind
    owner: str
    info: RunInfo
    """`info.result` is the `--json` object of its command, None until there is one."""
    live: bool = False
    """Whether it waits or works at this moment."""
    place: int | None = None
    """How many jobs come before it, this one counted, while it waits."""
    cancelling: bool = False
    """Whether it was told to stop and has not yet."""

    @property
    def state(self) -> str:
        """`queued`, or the run's status."""
        return "queued" if self.place is not None else str(self.info.status)

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen by itself."""
        return not self.live

    @property
    def resumable(self) -> bool:
        """Whether there is something left to do."""
        return self.ended and self.info.status is not RunStatus.DONE

    def to_json(self) -> dict[str, Any]:
        """The run as `runs list --json` shows it, and what a job has besides."""
        return {
            **self.info.to_json(),
            "status": self.state,
            "kind": str(self.kind),
            "ended": self.ended,
            "resumable": self.resumable,
            "place": self.place,
            "cancelling": self.cancelling,
        }
