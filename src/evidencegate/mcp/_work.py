"""One call in a thread and event loop of its own, so that the server goes on answering while models compute."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, Generic, TypeVar

import anyio

T = TypeVar("T")

Say = Callable[[str], None]
Work = Callable[[Say], Coroutine[Any, Any, T]]


class Workers:
    """At most `most` calls at once; the rest wait their turn."""

    def __init__(self, most: int = 2) -> None:
        self._pool = ThreadPoolExecutor(most, thread_name_prefix="evidencegate-mcp")

    def close(self) -> None:
        """Let the threads end; calls that wait for their turn never begin."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def run(self, work: "Work[T]", tell: Callable[[int, str], Awaitable[None]]) -> T:
        """The value of `work(say)`, awaited in its own thread; what it says is told here, numbered from 1, in order.

        Cancelling this cancels the work too, and waits until it has closed its run.
        """
        loop = asyncio.get_running_loop()
        heard: asyncio.Queue[str | None] = asyncio.Queue()
        task = _Task(work, lambda message: _soon(loop, heard, message))
        future = self._pool.submit(task.run)
        waiting = asyncio.wrap_future(future)
        telling = asyncio.create_task(_tell(heard, tell))
        try:
            value = await asyncio.shield(waiting)
        except asyncio.CancelledError:
            telling.cancel()  # a cancelled request is not told of any more
            if not future.cancel():
                task.cancel()
                with anyio.CancelScope(shield=True):
                    await asyncio.wait({waiting})
                if not waiting.cancelled():
                    waiting.exception()  # looked at, so that nobody warns of it
            raise
        finally:
            heard.put_nowait(None)
        await telling
        return value


class _Task(Generic[T]):
    """Work in a thread, which another thread may cancel."""

    def __init__(self, work: "Work[T]", say: Say) -> None:
        self._work = work
        self._say = say
        self._lock = Lock()
        self._cancelled = False
        self._running: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None

    def run(self) -> T:
        """The value of the work."""
        with asyncio.Runner() as runner:
            return runner.run(self._main())

    async def _main(self) -> T:
        task = asyncio.current_task()
        with self._lock:
            if self._cancelled or task is None:
                raise asyncio.CancelledError
            self._running = asyncio.get_running_loop(), task
        try:
            return await self._work(self._say)
        finally:
            with self._lock:
                self._running = None

    def cancel(self) -> None:
        """Cancel the work where it waits next, or before it begins."""
        with self._lock:
            self._cancelled = True
            if self._running is not None:
                loop, task = self._running
                loop.call_soon_threadsafe(task.cancel)


def _soon(loop: asyncio.AbstractEventLoop, heard: "asyncio.Queue[str | None]", message: str) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(heard.put_nowait, message)


async def _tell(heard: "asyncio.Queue[str | None]", tell: Callable[[int, str], Awaitable[None]]) -> None:
    n = 0
    while (message := await heard.get()) is not None:
        n += 1
        await tell(n, message)
