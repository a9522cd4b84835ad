"""Work of an event loop, run to its end by the main thread, which Ctrl-C reaches between two of the loop's callbacks.

`asyncio.run` cancels from within the signal handler, so in the midst of whatever callback it comes to: one that has
just seen that its future was not cancelled, as that of `asyncio.shield` does, then fails at setting its result.
"""

import asyncio
import signal
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

__all__ = ["run"]

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """What `work` returns, in an event loop of its own.

    The first interrupt cancels `work`; a second one, while it winds up, ends it at once. Where somebody else handles
    interrupts already, or in another thread than the main one, they are left alone.

    Raises:
        KeyboardInterrupt: it was interrupted, be it in its last moment.
        RuntimeError: this thread runs an event loop already.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return asyncio.run(work)
    interrupts = _Interrupts()
    signal.signal(signal.SIGINT, interrupts)
    try:
        value = asyncio.run(interrupts.heeding(work))
    except asyncio.CancelledError:
        if interrupts.came:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if interrupts.came:
        raise KeyboardInterrupt
    return value


class _Interrupts:
    """The handler of the signal."""

    def __init__(self) -> None:
        self.came = False
        self._running: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None

    async def heeding(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` returns; it is cancelled when the signal comes."""
        task = asyncio.current_task()
        assert task is not None
        self._running = asyncio.get_running_loop(), task
        try:
            return await work
        finally:
            self._running = None

    def __call__(self, number: int, frame: object) -> None:
        if self.came or self._running is None:
            raise KeyboardInterrupt
        self.came = True
        loop, task = self._running
        loop.call_soon_threadsafe(task.cancel)
