"""A search for evidence in a run of its own: what the sources have on a question, without an answer made of it."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from evidencegate import aio
from evidencegate._asking import Asked, _open, _packs

if TYPE_CHECKING:
    from evidencegate.runs import Run

__all__ = ["COMMAND", "search_in"]

COMMAND = "search"


async def search_in(run: "Run", asked: Asked, *, limit: int) -> Mapping[str, Any]:
    """Search in `run`, which is new; close it as it ended. The fields that are kept and shown, best `limit` records.

    Raises:
        InvalidInput: the text is not a question that can be worked on, or a library is not there.
        UnknownName: there is no such source.
    """
    from evidencegate.report import Engine, find, found_json
    from evidencegate.runs import RunStatus

    names, not_asked = aio._plan(bool(asked.libraries), asked.sources, asked.offline)
    try:
        async with _open(asked.libraries, names, run, asked) as (sources, _):
            found = await find(
                asked.question,
                sources=sources,
                not_asked=not_asked,
                packs=await _packs(run, asked.packs),
                run=run,
                engine=Engine.local(),
            )
    except (asyncio.CancelledError, KeyboardInterrupt):
        run.finish(None, RunStatus.INTERRUPTED)
        raise
    except BaseException:
        run.finish(None, RunStatus.FAILED)
        raise
    fields = found_json(found, limit=limit)
    run.finish(fields, RunStatus.PARTIAL if run.short else RunStatus.DONE)
    return fields
