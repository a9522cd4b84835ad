"""Asking one source: step by step from narrow to broad, and writing down what came of it."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from evidencegate.documents import Document
from evidencegate.question import SubQuery
from evidencegate.sources._failure import Failure
from evidencegate.sources._query import Step
from evidencegate.sources._types import Found, SearchRecord, SearchResult, Status

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Haul:
    """What one query brought back."""

    documents: tuple[Document, ...]
    total: int | None = None
    """What the source says it has."""
    shortfall: str = ""
    """Why there is less than was promised, in words; empty where all came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One page of a listing."""

    documents: tuple[Document, ...]
    records: int
    """Records on the page, usable or not."""
    total: int | None
    following: str
    """Where the next page begins, in the source's own words; empty where there is none."""
    note: str = ""


async def paged(ask: Callable[[str, int], Awaitable[Sheet]], *, limit: int, size: int, first: str = "") -> Haul:
    """Read pages of at most `size` records until `limit` are there or the listing ends.

    A page that fails after others came makes the haul partial; the first one's failure is the whole query's.

    Raises:
        Failure: the first page did not come.
    """
    documents: list[Document] = []
    notes: list[str] = []
    seen, total, place, visited = 0, None, first, set[str]()
    while seen < limit:
        visited.add(place)
        try:
            sheet = await ask(place, min(size, limit - seen))
        except Failure as failure:
            if len(visited) == 1:
                raise
            notes.append(f"{seen} records came, then: {failure.reason}")
            break
        documents += sheet.documents
        notes += [sheet.note] if sheet.note else []
        seen += sheet.records
        total = sheet.total if sheet.total is not None else total
        place = sheet.following
        ended = not place or (total is not None and seen >= total)
        # A place that comes back would go round for ever.
        if ended or place in visited:
            if total is not None and seen < min(limit, total):
                notes.append(f"{seen} of {min(limit, total)} records came")
            break
    return Haul(documents=tuple(documents), total=total, shortfall="; ".join(notes))


def now() -> str:
    """This moment, ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


async def in_steps(
    source: str, sub_query: SubQuery, steps: Sequence[Step], ask: Callable[[Step], Awaitable[Haul]], *, limit: int
) -> SearchResult:
    """Send `steps` one by one until something comes back; never raises for what the source did.

    A step the source does not understand is skipped where a simpler one follows. A step that fails otherwise ends
    the search: what could not be asked is not known to be empty.
    """
    if not steps:
        reason = "the question leaves no words to search for"
        return failed(source, sub_query, Failure(Status.NOT_ASKED, reason))
    asked_at = now()
    tried: list[str] = []
    refused: Failure | None = None
    understood = False
    for step in steps:
        try:
            haul = await ask(step)
        except Failure as failure:
            if failure.status is Status.BAD_QUERY and step is not steps[-1]:
                refused = failure
                tried.append(step.shown)
                continue
            if failure.status is Status.BAD_QUERY and understood:
                refused = failure
                break
            return failed(source, sub_query, failure, query=step.shown, asked_at=asked_at, narrower=tuple(tried))
        understood = True
        if haul.documents or haul.shortfall or step is steps[-1]:
            return _written(source, sub_query, step, haul, asked_at, tuple(tried), refused, limit)
        tried.append(step.shown)
    last = Step({}, tried.pop())
    return _written(source, sub_query, last, Haul(documents=(), total=0), asked_at, tuple(tried), refused, limit)


def _written(
    source: str,
    sub_query: SubQuery,
    step: Step,
    haul: Haul,
    asked_at: str,
    tried: tuple[str, ...],
    refused: Failure | None,
    limit: int,
) -> SearchResult:
    documents = _distinct(haul.documents)[:limit]
    answered = Status.OK if documents else Status.EMPTY
    status = Status.PARTIAL if haul.shortfall else answered
    notes = [haul.shortfall] if haul.shortfall else []
    if tried:
        count = f"{len(tried)} narrower {'query' if len(tried) == 1 else 'queries'}"
        notes.append(f"{count} found nothing, so the search was broadened" if documents else f"nor did {count}")
    if refused:
        notes.append(f"one query was not understood ({refused.reason})")
    record = SearchRecord(
        source=source,
        query=step.shown,
        status=status,
        records=len(documents),
        total=haul.total,
        reason="; ".join(notes),
        asked_at=asked_at,
        sub_query=sub_query.query,
        narrower=tried,
    )
    found = tuple(Found(document=document, position=n) for n, document in enumerate(documents, 1))
    return SearchResult(record=record, found=found)


def _distinct(documents: Sequence[Document]) -> tuple[Document, ...]:
    """Each record once: services repeat records across pages when their index changes meanwhile."""
    by_id: dict[str, Document] = {}
    for document in documents:
        by_id.setdefault(document.id, document)
    return tuple(by_id.values())


def failed(
    source: str,
    sub_query: SubQuery,
    failure: Failure,
    *,
    query: str = "",
    asked_at: str = "",
    narrower: tuple[str, ...] = (),
) -> SearchResult:
    """A search that brought no answer, as a value."""
    record = SearchRecord(
        source=source,
        query=query or sub_query.query,
        status=failure.status,
        reason=failure.reason,
        asked_at=asked_at or now(),
        sub_query=sub_query.query,
        narrower=narrower,
    )
    return SearchResult(record=record)
