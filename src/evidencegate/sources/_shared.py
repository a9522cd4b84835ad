"""Work done once for all who want its result at the same time."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Shared(Generic[T]):
    """A coroutine under way, for any number of waiters; it is given up when the last of them goes away.

    It begins at once, in the context of whoever makes this; `done` is called once, when it has ended or is given up:
    from then on nobody may be given this to wait for.
    """

    def __init__(self, work: Coroutine[Any, Any, T], *, done: Callable[[], object] | None = None) -> None:
        self._task = asyncio.create_task(work)
        self._waiting = 0
        self._done = done
        self._task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[T]") -> None:
        if not task.cancelled():
            task.exception()  # whoever waits is told; where nobody does any more, nobody need be
        self._tell()

    def _tell(self) -> None:
        done, self._done = self._done, None
        if done is not None:
            done()

    async def result(self) -> T:
        """What the work gives, or the error it ended with."""
        self._waiting += 1
        try:
            return await asyncio.shield(self._task)
        finally:
            self._waiting -= 1
            if not self._waiting and not self._task.done():
                self._tell()  # who asks while it is being given up must not be given up with it
                self._task.cancel()
