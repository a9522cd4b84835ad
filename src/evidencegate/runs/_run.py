"""One execution: steps done once, events, hard budgets."""

import asyncio
import hashlib
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, TypeVar

from evidencegate.errors import BudgetExceeded, EvidenceGateError
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
    short: bool = False
    """Whether something was left out because the budget ran out: the result is partial."""
    sent: Callable[[], int] | None = None
    """How many requests were sent for it to sources so far, where somebody counts them."""
    _counted: int = 0
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
        cls,
        ledger: Ledger,
        run: str,
        *,
        mode: Mode = Mode.NORMAL,
        budget: Budget | None = None,
        watch: Callable[[str], None] | None = None,
    ) -> "Run":
        """Take up a run: to resume it, or (mode `REPLAY`) to do it again from the ledger alone.

        What the run has cost before counts against `budget`.
        """
        return cls(ledger, run, ledger.get(run).started_at, mode=mode, budget=budget or Budget(), watch=watch)

    async def step(
        self,
        name: str,
        inputs: Any,
        compute: Callable[[], Awaitable[T]],
        *,
        dump: Callable[[T], Any],
        load: Callable[[Any], T],
        cost: Callable[[T], Usage] | None = None,
        unpaid: Callable[[BudgetExceeded], T] | None = None,
        free: bool = False,
    ) -> T:
        """The value of `compute()`, done at most once in this run.

        `inputs` is what the value depends on, as JSON; `dump` and `load` take the value to JSON and back. Where there
        is no budget for the step, or the seconds run out during it, the run is `short` and `unpaid` says what stands
        for the value: a replay shows the same, a resumed run computes it. A `free` step asks nobody and needs no
        budget.

        Raises:
            BudgetExceeded: there is no budget for the step, and nothing to stand for it.
            ReplayIncomplete: a replay needs a step that was never done.
        """
        key = _key(name, inputs)
        kept = self.ledger.step(self.id, key)
        if kept is not None:
            return load(kept)
        instead = _key(name, inputs, "unpaid")
        if self.mode is Mode.REPLAY:
            stood = self.ledger.step(self.id, instead)
            if stood is None:
                raise ReplayIncomplete(f"run {self.id} never finished the step {name!r}; resume it instead")
            self.short = True
            return load(stood)
        try:
            value = await (compute() if free else self._within_budget(compute))
        except BudgetExceeded as error:
            if unpaid is None:
                raise
            self.short = True
            value = unpaid(error)
            self.ledger.keep_step(self.id, instead, f"not done: {name}", dump(value), self._sent(), replace=True)
            return value
        self.ledger.keep_step(self.id, key, name, dump(value), (cost(value) if cost else Usage()) + self._sent())
        return value

    def _sent(self) -> Usage:
        """The requests sent since they were last counted: of steps side by side, the first to end takes them all."""
        if self.sent is None:
            return Usage()
        before, self._counted = self._counted, self.sent()
        return Usage(requests=self._counted - before)

    async def _within_budget(self, compute: Callable[[], Awaitable[T]]) -> T:
        """The value of `compute()`, begun only while there is budget, and cut where its seconds end."""
        used = self.ledger.usage(self.id) + Usage(seconds=time.monotonic() - self._began)
        self.budget.check(used)
        limit = self.budget.seconds
        try:
            async with asyncio.timeout(None if limit is None else limit - used.seconds) as clock:
                return await compute()
        except TimeoutError as error:
            if not clock.expired():
                raise
            raise BudgetExceeded(f"the budget of {limit:g} seconds is used up") from error

    def event(self, kind: str, message: str, **data: Any) -> None:
        """Say what happens: to the ledger, and to whoever watches. A replay only tells."""
        if self.mode is not Mode.REPLAY:
            self.ledger.add_event(self.id, kind, message, data)
        if self.watch is not None:
            self.watch(message)

    def finish(self, result: Mapping[str, Any] | None, status: RunStatus = RunStatus.DONE) -> None:
        """Close the run and count its seconds. A replay leaves the ledger as it is."""
        if self.mode is not Mode.REPLAY:
            took = Usage(seconds=round(time.monotonic() - self._began, 3))
            self.ledger.finish(self.id, status, result, took + self._sent())
            self._began = time.monotonic()


def _key(*parts: Any) -> str:
    return hashlib.sha256(
        json.dumps(parts, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    ).hexdigest()
