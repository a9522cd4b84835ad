"""A run's events as they happen: server-sent (WHATWG HTML 9.2), taken up where a reader lost the line."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.responses import Response, StreamingResponse

from evidencegate.runs import Event
from evidencegate.web._jobs import Jobs

_END = "end"
_BEAT_SECONDS = 15.0
"""A line that says nothing for longer is taken for dead by proxies."""


def event_json(event: Event) -> dict[str, Any]:
    """An event as `runs show --json` shows it."""
    return {"n": event.n, "at": event.at, "kind": event.kind, "message": event.message, "data": dict(event.data)}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a reader has: events up to number `n`, and whether it was told of the end after them."""

    n: int = 0
    end: bool = False

    @classmethod
    def of(cls, request: Request) -> "Seen":
        """As its browser says; nothing where it says nothing usable."""
        number, _, end = request.headers.get("last-event-id", "").partition("-")
        usable = number.isascii() and number.isdigit() and len(number) <= 9
        return cls(int(number), end == _END) if usable else cls()


async def event_stream(jobs: Jobs, run: str, *, owner: str, seen: Seen = Seen()) -> Response:
    """The events of a run that a reader has not seen, each as `progress`; at its end one `end` with the job.

    A reader that comes back after the end gets 204, which tells a browser not to come again.

    Raises:
        NotFound: there is no such run of this owner.
    """
    job = await asyncio.to_thread(jobs.get, run, owner=owner, result=False)
    if job.ended and seen.end and not any(True for _ in jobs.ledger.events(run, after=seen.n)):
        return Response(status_code=204)
    return StreamingResponse(
        _beating(_lines(jobs, run, owner, seen.n)),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _lines(jobs: Jobs, run: str, owner: str, after: int) -> AsyncGenerator[str, None]:
    async with aclosing(jobs.events(run, owner=owner, after=after)) as events:
        async for event in events:
            after = event.n
            yield _line("progress", event_json(event), str(event.n))
    job = await asyncio.to_thread(jobs.get, run, owner=owner, result=False)
    if job.ended:  # else the server stops, and the reader will come again
        yield _line(_END, job.to_json(), f"{after}-{_END}")


def _line(name: str, data: dict[str, Any], number: str) -> str:
    # JSON in ASCII: no line break can end the event early.
    return f"id: {number}\nevent: {name}\ndata: {json.dumps(data)}\n\n"


async def _beating(lines: AsyncGenerator[str, None]) -> AsyncIterator[str]:
    """The lines, and a comment wherever there was none for a while."""
    yield ": events follow\n\n"
    async with aclosing(lines):
        coming = asyncio.ensure_future(_next(lines))
        try:
            while True:
                done, _ = await asyncio.wait({coming}, timeout=_BEAT_SECONDS)
                if not done:
                    yield ": still at work\n\n"
                    continue
                line = coming.result()
                if line is None:
                    return
                yield line
                coming = asyncio.ensure_future(_next(lines))
        finally:
            coming.cancel()
            with suppress(asyncio.CancelledError):
                await coming


async def _next(lines: AsyncGenerator[str, None]) -> str | None:
    return await anext(lines, None)
