"""A process that is killed at a write to its ledger: what is left on the disk is what a kill leaves."""

import os
import signal
from collections.abc import Callable
from typing import Any

from evidencegate.runs import Ledger

KILLED = -signal.SIGKILL


class Mortal(Ledger):
    """A ledger whose process dies at its `n`-th write: just before it, or just after."""

    def __init__(self, url: str, n: int, *, after: bool) -> None:
        super().__init__(url)
        self.left = n
        self.after = after

    def _dying(self, write: Callable[[], None]) -> None:
        self.left -= 1
        if self.left == 0 and not self.after:
            os.kill(os.getpid(), signal.SIGKILL)
        write()
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def add_event(self, *args: Any) -> None:
        self._dying(lambda: super(Mortal, self).add_event(*args))

    def keep_step(self, *args: Any, **named: Any) -> None:
        self._dying(lambda: super(Mortal, self).keep_step(*args, **named))

    def finish(self, *args: Any) -> None:
        self._dying(lambda: super(Mortal, self).finish(*args))


def in_a_process_that_may_die(work: Callable[[], object]) -> int:
    """How a child that does `work` ended: 0, 1 where it failed, or `KILLED`."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
