"""One execution: steps done once, events, hard budgets."""

import hashlib
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, TypeVar

from evidencegate.errors import EvidenceGateError
from evidencegate.runs._ledger import Ledger
from evidencegate.runs._types import Budget, RunStatus, Usage

T = TypeVar("T")


class Mode(Enum):
    """What a run may do about a step that was not done yet."""

    NORMAL = auto()
    REPLAY = auto()
    """Nothing: a replay asks nobody, so a step that is not in the ledger is an error."""


class ReplayIncomplete(EvidenceGateError):
    """A replay needs a step that the run never finished."""


@dataclass(slots=True)
class Run:
    """A run in progress, bound to its ledger.

    A step is keyed by its name and inputs. Done once, its value is kept; a resumed run reads it from the ledger, so
    that nothing is paid for twice.
    """

    ledger: Ledger
    id: str
    started_at: str
    mode: Mode = Mode.NORMAL
    budget: Budget = field(default_factory=Budget)
    watch: Callable[[str], None] | None = None
    _began: float = field(default_factory=time.monotonic)

    @classmethod
    def start(
        cls,
        ledger: Ledger,
        command: str,
        inputs: Mapping[str, Any],
        *,
        budget: Budget | None = None,
        watch: Callable[[str], None] | None = None,
    ) -> "Run":
        """Begin a new run."""
        run = ledger.start(command, inputs)
        return cls(ledger, run, ledger.get(run).started_at, budget=budget or Budget(), watch=watch)

    @classmethod
    def again(
        cls, ledger: Ledger, run: str, *, mode: Mode = Mode.NORMAL, watch: Callable[[str], None] | None = None
    ) -> "Run":
        """Take up a run: to resume it, or (mode `REPLAY`) to do it again from the ledger alone."""
        return cls(ledger, run, ledger.get(run).started_at, mode=mode, watch=watch)

    async def step(
        self,
        name: str,
        inputs: Any,
        compute: Callable[[], Awaitable[T]],
        *,
        dump: Callable[[T], Any],
        load: Callable[[Any], T],
        cost: Callable[[T], Usage] | None = None,
    ) -> T:
        """The value of `compute()`, done at most once in this run.

        `inputs` is what the value depends on, as JSON; `dump` and `load` take the value to JSON and back. Raises
        `BudgetExceeded` before a step that there is no budget for.
        """
        key = hashlib.sha256(json.dumps([name, inputs], sort_keys=True, ensure_ascii=False).encode()).hexdigest()
        kept = self.ledger.step(self.id, key)
        if kept is not None:
            return load(kept)
        if self.mode is Mode.REPLAY:
            raise ReplayIncomplete(f"run {self.id} never finished the step {name!r}; resume it instead")
        self.budget.check(self.ledger.usage(self.id) + Usage(seconds=time.monotonic() - self._began))
        value = await compute()
        self.ledger.keep_step(self.id, key, name, dump(value), cost(value) if cost else Usage())
        return value

    def event(self, kind: str, message: str, **data: Any) -> None:
        """Say what happens: to the ledger, and to whoever watches. A replay only tells."""
        if self.mode is not Mode.REPLAY:
            self.ledger.add_event(self.id, kind, message, data)
        if self.watch is not None:
            self.watch(message)

    def finish(self, result: Mapping[str, Any] | None, status: RunStatus = RunStatus.DONE) -> None:
        """Close the run. A replay leaves the ledger as it is."""
        if self.mode is not Mode.REPLAY:
            self.ledger.finish(self.id, status, result)
