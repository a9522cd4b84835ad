"""Bells: how a run at work in one loop wakes those who follow it from another."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Bell:
    """One listener's, in its own loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """From any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._rung.set)

    async def heard(self, deadline: float | None = None) -> bool:
        """Wait for the next ring since the last one heard; False where the loop's clock passes `deadline` first."""
        try:
            async with asyncio.timeout_at(deadline):
                await self._rung.wait()
        except TimeoutError:
            return False
        self._rung.clear()
        return True


class Bells:
    """The listeners of every run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listening: dict[str, set[Bell]] = {}

    @asynccontextmanager
    async def listen(self, run: str) -> AsyncIterator[Bell]:
        """Be woken by `run` while inside."""
        bell = Bell()
        with self._lock:
            self._listening.setdefault(run, set()).add(bell)
        try:
            yield bell
        finally:
            with self._lock:
                self._listening[run].discard(bell)
                if not self._listening[run]:
                    del self._listening[run]

    def ring(self, run: str) -> None:
        """Wake who follows `run`; from any thread."""
        with self._lock:
            bells = tuple(self._listening.get(run, ()))
        for bell in bells:
            bell.ring()

    def ring_all(self) -> None:
        """Wake everybody."""
        with self._lock:
            runs = tuple(self._listening)
        for run in runs:
            self.ring(run)
