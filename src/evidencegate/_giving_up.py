"""Leaving a long computation that nobody waits for any more.

A task of asyncio is cancelled where it waits next, and what computes does not wait. So whoever may cancel says in the
context of the work how that is told, and what computes for long looks between its items.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

__all__ = ["giving_up", "may_go_on"]

_GIVEN_UP: ContextVar[Event | None] = ContextVar("given_up", default=None)


@contextmanager
def giving_up(given_up: Event) -> Iterator[None]:
    """What is done inside is left soon after `given_up` is set, by whichever thread."""
    token = _GIVEN_UP.set(given_up)
    try:
        yield
    finally:
        _GIVEN_UP.reset(token)


def may_go_on() -> Callable[[], None]:
    """What to call between two items; it raises `CancelledError` once the work of this context was given up.

    Taken before work is handed to other threads, which have contexts of their own.
    """
    given_up = _GIVEN_UP.get()

    def look() -> None:
        if given_up is not None and given_up.is_set():
            raise asyncio.CancelledError

    return look
