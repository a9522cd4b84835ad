"""The worker: one loop in a thread of its own, in which at most so many runs are at work; the others wait their turn.

Turns go round among the owners: who asks for twenty runs at once keeps nobody else waiting for more than one of them.

One loop for all of them, as the rate limits of services belong to a loop: two runs are one customer to PubMed. It is
not the loop that answers requests, so that reading and searching keep nobody waiting for a page.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from functools import partial
from itertools import zip_longest
from typing import Any

from evidencegate._giving_up import giving_up

_TOLD = 3
"""So many at the head of the queue are told when their place changes."""


class Worker:
    """Runs by their ids. Every call is safe from any thread."""

    def __init__(
        self,
        work: Callable[[str], Coroutine[Any, Any, None]],
        *,
        settle: Callable[[str], None],
        ended: Callable[[str], None],
        most: int,
    ) -> None:
        """`settle` is told of a run that comes to an end, while it still counts as at work; `ended`, once it has."""
        self._work = work
        self._settle = settle
        self._ended = ended
        self._most = most
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[str]] = {}
        """Of each owner, in the order in which owners have their turns."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._given_up: dict[str, threading.Event] = {}
        """Of those at work: told to what computes, which sees no cancellation."""
        self._cancelling: set[str] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._leave: asyncio.Event | None = None

    def start(self) -> None:
        """Begin to work."""
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), name="evidencegate-jobs", daemon=True)
        self._thread.start()
        ready.wait()

    def stop(self, patience: float | None = None) -> tuple[str, ...]:
        """Cancel what works and wait for it, `patience` seconds at most; the runs that had not begun or not ended.

        A run ends where it waits next, or between two items of what its models read: a long one may take longer, and
        the thread then lives on.
        """
        if self._loop is None or self._thread is None or self._leave is None:
            return ()
        with self._lock:
            left = self._order()
            self._waiting.clear()
            for given_up in self._given_up.values():
                given_up.set()
        self._loop.call_soon_threadsafe(self._leave.set)
        self._thread.join(patience)
        self._loop = self._thread = None
        with self._lock:
            return (*left, *self._tasks)

    def enqueue(self, run: str, owner: str) -> int:
        """Take a run on; its place in the queue, 0 where it begins at once."""
        if self._loop is None:
            raise RuntimeError("the jobs were not opened: run the application with its lifespan")
        with self._lock:
            self._waiting.setdefault(owner, deque()).append(run)
            place = self._place(self._order().index(run))
        self._loop.call_soon_threadsafe(self._fill)
        return place

    def withdraw(self, run: str) -> bool:
        """Take a run out of the queue; False where it does not wait there."""
        with self._lock:
            for owner, runs in self._waiting.items():
                if run in runs:
                    runs.remove(run)
                    if not runs:
                        del self._waiting[owner]
                    return True
        return False

    def cancel(self, run: str) -> bool:
        """Tell a run to stop; False where it is not at work."""
        with self._lock:
            task = self._tasks.get(run)
            if task is None or self._loop is None:
                return False
            self._cancelling.add(run)
            self._given_up[run].set()
        self._loop.call_soon_threadsafe(task.cancel)
        return True

    def knows(self, run: str) -> bool:
        """Whether a run waits or works."""
        return self.state(run)[0]

    def state(self, run: str) -> tuple[bool, int | None, bool]:
        """Whether it waits or works, its place while others keep it waiting, and whether it was told to stop."""
        with self._lock:
            if run in self._tasks:
                return True, None, run in self._cancelling
            order = self._order()
            if run in order:
                return True, self._place(order.index(run)) or None, False
        return False, None, False

    def waiting(self) -> int:
        """How many wait."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def running(self) -> int:
        """How many are at work."""
        with self._lock:
            return len(self._tasks)

    def next_in_line(self) -> tuple[tuple[str, int], ...]:
        """The first that wait, with their places."""
        with self._lock:
            return tuple((run, place) for place, run in enumerate(self._order()[:_TOLD], start=1))

    def _place(self, behind: int) -> int:
        """In the queue, of a run that `behind` others begin before; 0 where it begins at once."""
        return max(0, behind + 1 - (self._most - len(self._tasks)))

    def _order(self) -> tuple[str, ...]:
        """Those that wait, in the order in which they would begin."""
        return tuple(run for turn in zip_longest(*self._waiting.values()) for run in turn if run is not None)

    def _run(self, ready: threading.Event) -> None:
        asyncio.run(self._serve(ready))

    async def _serve(self, ready: threading.Event) -> None:
        self._leave = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        ready.set()
        await self._leave.wait()
        with self._lock:
            left = tuple(self._tasks.values())
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _fill(self) -> None:
        """Begin with those that wait, while there is room. In the worker's loop only."""
        assert self._loop is not None
        with self._lock:
            while self._waiting and len(self._tasks) < self._most:
                owner, runs = next(iter(self._waiting.items()))
                run = runs.popleft()
                del self._waiting[owner]
                if runs:
                    self._waiting[owner] = runs  # behind the others now
                self._given_up[run] = given_up = threading.Event()
                task = self._loop.create_task(self._worked(run, given_up))
                task.add_done_callback(partial(self._done, run))
                self._tasks[run] = task

    async def _worked(self, run: str, given_up: threading.Event) -> None:
        with giving_up(given_up):
            await self._work(run)

    def _done(self, run: str, task: "asyncio.Task[None]") -> None:
        """A callback and no `finally`: a task that is cancelled before its first step runs none of its code."""
        try:
            self._settle(run)
        finally:
            with self._lock:
                self._tasks.pop(run, None)
                self._given_up.pop(run, None)
                self._cancelling.discard(run)
            if self._leave is not None and not self._leave.is_set():
                self._fill()
            self._ended(run)
