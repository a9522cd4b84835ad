"""Searching everywhere at once. One source that fails never fails the run."""

import asyncio
import logging
from collections.abc import Sequence

from evidencegate.question import Question, SubQuery
from evidencegate.runs import Run
from evidencegate.settings import load
from evidencegate.sources._failure import Failure
from evidencegate.sources._http import within
from evidencegate.sources._steps import failed
from evidencegate.sources._types import SearchResult, Source, Status
from evidencegate.sources.recorded import once

_log = logging.getLogger(__name__)

# A source of another package need not know our deadline; it is given this much longer to notice.
_GRACE = 2.0


async def search(
    question: Question,
    sources: Sequence[Source],
    *,
    limit: int = 25,
    deadline: float | None = None,
    run: Run | None = None,
) -> tuple[SearchResult, ...]:
    """Ask every source every sub-query of a question, side by side.

    `limit` is the most records of one source for one sub-query, `deadline` the seconds each source has for all of
    them (the settings' `source_seconds` where None). The results come in the order of sources, then sub-queries,
    one for each pair, failed or not. Cancelling cancels every request under way. With `run`, each search is a step
    of it, done once, told of when done, and not begun where its budget is used up.
    """
    if limit < 1:
        raise ValueError(f"limit is at least 1: {limit}")
    seconds = load().source_seconds if deadline is None else deadline
    groups = await asyncio.gather(*(_ask(source, question, limit, seconds, run) for source in sources))
    return tuple(result for group in groups for result in group)


async def _ask(
    source: Source, question: Question, limit: int, deadline: float, run: Run | None
) -> tuple[SearchResult, ...]:
    with within(deadline):
        return tuple(
            await asyncio.gather(
                *(_one(source, sub_query, question, limit, deadline, run) for sub_query in question.sub_queries)
            )
        )


async def _one(
    source: Source, sub_query: SubQuery, question: Question, limit: int, deadline: float, run: Run | None
) -> SearchResult:
    async def ask() -> SearchResult:
        return await _asked(source, sub_query, question, limit, deadline)

    if run is None:
        return await ask()
    result = await once(run, source.name, sub_query, question, limit, ask)
    record = result.record
    run.event(
        "searched",
        f"{record.source}: {record.status}, {record.records} records",
        source=source.name,
        status=record.status,
        records=record.records,
    )
    return result


async def _asked(source: Source, sub_query: SubQuery, question: Question, limit: int, deadline: float) -> SearchResult:
    try:
        async with asyncio.timeout(deadline + _GRACE):
            return await source.search(sub_query, question, limit=limit)
    except TimeoutError:
        failure = Failure(Status.UNREACHABLE, f"{source.name} had not answered when the time allowed for it was over")
    except Exception as error:  # noqa: BLE001  # whatever a source does, the others' results are kept
        _log.exception("source %s failed", source.name)
        failure = Failure(Status.MALFORMED, f"{source.name} failed with {type(error).__name__}; this is a defect")
    return failed(source.name, sub_query, failure)
