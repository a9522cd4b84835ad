"""Whoever is cancelled while the cache is at work leaves it whole: it is closed when nobody is inside it."""

import asyncio
from pathlib import Path

import pytest

from evidencegate.sources._cache import Kept, ReplyCache

REPLY = Kept(b"an invented reply " * 20_000, "text/plain", "2026-11-01T00:00:00+00:00")


@pytest.mark.parametrize("turns", [1, 2, 5, 20])
def test_what_was_begun_is_finished_before_the_cache_closes(turns: int, tmp_path: Path) -> None:
    async def cancelled() -> None:
        cache = ReplyCache(tmp_path, days=7)
        putting = [asyncio.create_task(cache.put(f"key {n}", REPLY)) for n in range(3)]
        for _ in range(turns):
            await asyncio.sleep(0)
        for task in putting:
            task.cancel()
        await asyncio.gather(*putting, return_exceptions=True)
        await cache.aclose()

    async def kept() -> list[Kept | None]:
        cache = ReplyCache(tmp_path, days=7)
        try:
            return [await cache.get(f"key {n}", any_age=True) for n in range(3)]
        finally:
            await cache.aclose()

    asyncio.run(cancelled())
    assert asyncio.run(kept()) == [REPLY] * 3


def test_a_reader_that_is_cancelled_leaves_the_cache_to_others(tmp_path: Path) -> None:
    async def read() -> Kept | None:
        cache = ReplyCache(tmp_path, days=7)
        await cache.put("key", REPLY)
        for turns in range(12):
            reading = asyncio.create_task(cache.get("key", any_age=True))
            for _ in range(turns):
                await asyncio.sleep(0)
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
        try:
            return await cache.get("key", any_age=True)
        finally:
            await cache.aclose()

    assert asyncio.run(read()) == REPLY
