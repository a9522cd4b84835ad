"""Asking a model from code that is not asynchronous."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from evidencegate._interrupts import run
from evidencegate.models.language._ask import ask_model
from evidencegate.models.language._types import LanguageModel, Prompt, Reply, S
from evidencegate.runs import Run

T = TypeVar("T")


def finish(work: Coroutine[Any, Any, T]) -> T:
    """What `work` returns, run to its end; also where the caller's thread already runs an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run, work).result()


@dataclass(frozen=True, slots=True)
class InLoop:
    """A model asked from another thread: each request is a step of `run`, done in `loop`, which the run belongs to.

    Failures are kept like replies, so that a replay goes the same way.
    """

    model: LanguageModel
    run: Run
    loop: asyncio.AbstractEventLoop

    @property
    def name(self) -> str:
        """The model's own."""
        return self.model.name

    async def complete(self, prompt: Prompt, schema: type[S]) -> Reply[S]:
        """See `LanguageModel.complete`.

        Raises:
            BudgetExceeded: nothing is left of the run's budget.
        """
        work = ask_model(self.model, prompt, schema, run=self.run)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.loop))
