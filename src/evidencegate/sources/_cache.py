"""Replies kept on disk, so that nobody is asked twice for the same thing.

The cache stands above the client, not in its transport: only a reply that was understood is kept (an error page
inside a 200 is not), POST requests are kept too, and the time-outs of a miss are those of any other request.
Storage, eviction and locking between processes are hishel's.
"""

import asyncio
import hashlib
import logging
import sqlite3
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from hishel import AsyncSqliteStorage

_log = logging.getLogger(__name__)
_DATE, _TYPE = "x-evidencegate-asked-at", "content-type"
_KEPT = timedelta(days=365)
_MAX_BYTES = 2**30

T = TypeVar("T")


class Mode(StrEnum):
    """How the network and the cache are used."""

    NORMAL = "normal"
    FRESH = "fresh"
    """Everyone is asked again; replies are kept."""
    OFFLINE = "offline"
    """Nobody is asked; only what was kept, however old, is used."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A reply as it is kept."""

    content: bytes
    content_type: str
    asked_at: str
    """ISO 8601, UTC."""


def cache_key(*parts: str) -> str:
    """One key for a request, from parts that hold no credential."""
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()


class ReplyCache:
    """Replies by key in `<directory>/replies.db`. A broken disk costs the cache, never the answer."""

    def __init__(self, directory: Path, *, days: float) -> None:
        self._path = directory / "replies.db"
        self._age = timedelta(days=days)
        self._storage: AsyncSqliteStorage | None = None
        self._enabled = days > 0
        self._at_work: set[asyncio.Task[Any]] = set()

    def _open(self) -> "AsyncSqliteStorage":
        if self._storage is None:
            from hishel import AsyncSqliteStorage  # opened on first use only

            # It logs with a traceback what costs us one kept reply, such as a database that another process writes.
            logging.getLogger("hishel").setLevel(logging.CRITICAL)
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._storage = AsyncSqliteStorage(
                database_path=self._path, default_ttl=_KEPT.total_seconds(), max_size=_MAX_BYTES
            )
        return self._storage

    async def get(self, key: str, *, any_age: bool = False) -> Kept | None:
        """The reply kept under `key`, if it is young enough (or of any age)."""
        if not self._enabled or not self._path.exists():
            return None
        return await self._to_its_end(self._get(key, any_age=any_age))

    async def put(self, key: str, kept: Kept) -> None:
        """Keep a reply, in place of what was there."""
        if self._enabled:
            await self._to_its_end(self._put(key, kept))

    async def aclose(self) -> None:
        """Close the database, once nobody is inside it."""
        while self._at_work:
            await asyncio.wait(self._at_work)
        if self._storage is not None:
            storage, self._storage = self._storage, None
            await self._to_its_end(storage.close())

    async def _to_its_end(self, work: Coroutine[Any, Any, T]) -> T:
        """`work`, which goes on where the one who waits for it is cancelled.

        A cancelled task leaves its thread inside SQLite, and a connection that is closed under a thread takes the
        whole process down.
        """
        task = asyncio.create_task(work)
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        return await asyncio.shield(task)

    async def _get(self, key: str, *, any_age: bool) -> Kept | None:
        try:
            newest: Kept | None = None
            for entry in await self._open().get_entries(key):
                headers, stream = entry.response.headers, entry.response.stream
                if not isinstance(stream, AsyncIterator):
                    continue
                content = b"".join([chunk async for chunk in stream])
                kept = Kept(content, headers.get(_TYPE) or "", headers.get(_DATE) or "")
                newest = kept if newest is None or kept.asked_at > newest.asked_at else newest
        except (OSError, sqlite3.Error, RuntimeError) as error:
            self._give_up(error)
            return None
        if newest is None or not (any_age or self._young(newest)):
            return None
        return newest

    async def _put(self, key: str, kept: Kept) -> None:
        from hishel import Headers, Request, Response

        async def content() -> AsyncIterator[bytes]:
            yield kept.content

        try:
            storage = self._open()
            old = [entry.id for entry in await storage.get_entries(key)]
            headers = Headers({_TYPE: kept.content_type, _DATE: kept.asked_at})
            entry = await storage.create_entry(
                Request(method="GET", url=key), Response(status_code=200, headers=headers, stream=content()), key
            )
            # The entry is complete once its own stream has been read to the end.
            if isinstance(entry.response.stream, AsyncIterator):
                async for _ in entry.response.stream:
                    pass
            for identifier in old:
                await storage.remove_entry(identifier)
        except (OSError, sqlite3.Error, RuntimeError) as error:
            self._give_up(error)

    def _young(self, kept: Kept) -> bool:
        try:
            asked_at = datetime.fromisoformat(kept.asked_at)
        except ValueError:
            return False
        return timedelta() <= datetime.now(UTC) - asked_at <= self._age

    def _give_up(self, error: Exception) -> None:
        _log.warning("replies are not cached: %s cannot be used (%s)", self._path, error)
        self._enabled = False
