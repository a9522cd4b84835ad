"""How LanceDB is called: from a thread of its own, its errors as ours, its conflicts tried again."""

import asyncio
import os
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

from evidencegate._extras import require
from evidencegate.errors import LibraryBroken, LibraryError

T = TypeVar("T")

# LanceDB raises the plain classes of Python and says in the text what happened.
ENGINE_ERRORS = (OSError, RuntimeError, ValueError)
_FULL = ("no space left", "storage full", "storagefull", "disk quota", "quota exceeded", "file too large")
_CONFLICT = ("conflict", "concurrent")
_MISSING = ("not found", "no such file", "does not exist")

ATTEMPTS = 5
FIRST_PAUSE = 0.2
"""Seconds before the first retry; doubled each time."""


@contextmanager
def engine_errors(uri: str, doing: str) -> Iterator[None]:
    """Turns what the engine raises into a `LibraryError` that says what to do."""
    try:
        yield
    except ENGINE_ERRORS as error:
        if says(error, _FULL):
            raise LibraryError(
                f"No space is left for the library {uri}. What was added before is in; make room and run the same "
                "command again: it goes on from there."
            ) from error
        if says(error, _MISSING):
            raise LibraryBroken(
                f"The library {uri} is damaged: a file of it is missing ({first_line(error)}). Restore it from a "
                "copy, or delete the directory and add the documents again."
            ) from error
        raise LibraryError(f"The library {uri} failed while {doing}: {first_line(error)}") from error


def engine(part: str = "") -> ModuleType:
    """LanceDB, or a module of it; imported at the first call.

    Raises:
        MissingExtra: the extra `library` is not installed.
    """
    # Its log speaks of its own index training on stderr, where our progress is; errors still do.
    os.environ.setdefault("LANCEDB_LOG", "error")
    return require("library", f"lancedb.{part}" if part else "lancedb")


def start(call: Callable[[], Awaitable[T]]) -> "Future[T]":
    """Begin a call of the engine; it goes on beside the caller, whatever event loop that is in."""

    async def inside() -> T:
        return await call()

    return asyncio.run_coroutine_threadsafe(inside(), _loop(os.getpid()))


def steady(read: Callable[[], Awaitable[T]]) -> T:
    """The result of `read()`, once more where a writer's cleaning took a version away under it."""
    try:
        return start(read).result()
    except ENGINE_ERRORS as error:
        if not says(error, _MISSING):
            raise
    return start(read).result()


def settled(write: Callable[[], Awaitable[T]]) -> T:
    """The result of `write()`, again with growing pauses where another process committed first."""
    pause = FIRST_PAUSE
    for _ in range(ATTEMPTS - 1):
        try:
            return start(write).result()
        except ENGINE_ERRORS as error:
            if not says(error, _CONFLICT):
                raise
        time.sleep(pause)
        pause *= 2
    return start(write).result()


@cache
def _loop(_process: int) -> asyncio.AbstractEventLoop:
    """The event loop of this process (a fork has not its parent's threads), in a thread that ends with it."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="evidencegate-library", daemon=True).start()
    return loop


def says(error: BaseException, words: Iterable[str]) -> bool:
    """Whether the error's text holds one of `words`."""
    text = str(error).lower()
    return any(word in text for word in words)


def first_line(error: BaseException) -> str:
    """The beginning of an engine's message: the rest is Rust's own backtrace."""
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__


def quoted(values: Iterable[Any]) -> str:
    """A list of SQL text literals; a quotation mark in a value stays text."""
    return "(" + ", ".join("'" + str(value).replace("'", "''") + "'" for value in values) + ")"
