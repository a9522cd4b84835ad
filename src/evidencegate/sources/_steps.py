"""Asking one source: step by step from narrow to broad, and writing down what came of it."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from evidencegate.documents import Document
from evidencegate.question import SubQuery
from evidencegate.sources._failure import Failure
from evidencegate.sources._query import Step
from evidencegate.sources._types import Found, SearchRecord, SearchResult, Status

ENOUGH = 5
"""Records of one search that make broadening it needless: about what an answer cites of one source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Haul:
    """What one query brought back."""

    documents: tuple[Document, ...]
    total: int | None = None
    """What the source says it has."""
    shortfall: str = ""
    """Why there is less than was promised, in words; empty where all came."""
    listed: int = 0
    """Records that were found and are yet to be fetched with a later query's."""


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
    """Send `steps` one by one until enough came back; never raises for what the source did.

    What the narrower queries found comes first. A step the source does not understand is skipped where a simpler
    one follows. A step that fails otherwise ends the search: without records it is a failure, for what could not
    be asked is not known to be empty; with records it is partial.
    """
    if not steps:
        return failed(source, sub_query, Failure(Status.NOT_ASKED, "the question leaves no words to search for"))
    log = _Log(source, sub_query, now(), limit)
    for step in steps:
        try:
            haul = await ask(step)
        except Failure as failure:
            log.failures.append((step, failure))
            if failure.status is Status.BAD_QUERY and step is not steps[-1]:
                continue
            break
        log.hauls.append((step, haul))
        if len(log.documents()) >= min(limit, ENOUGH):
            break
    return log.result()


@dataclass(frozen=True, slots=True)
class _Log:
    """What the steps of one search brought, and how that is told."""

    source: str
    sub_query: SubQuery
    asked_at: str
    limit: int
    hauls: list[tuple[Step, Haul]] = field(default_factory=list)
    failures: list[tuple[Step, Failure]] = field(default_factory=list)

    def documents(self) -> tuple[Document, ...]:
        """Each record once: steps overlap, and services repeat records when their index changes between pages."""
        by_id: dict[str, Document] = {}
        for _, haul in self.hauls:
            for document in haul.documents:
                by_id.setdefault(document.id, document)
        return tuple(by_id.values())[: self.limit]

    def result(self) -> SearchResult:
        """The search as a value."""
        documents = self.documents()
        fatal = next((failure for _, failure in self.failures if failure.status is not Status.BAD_QUERY), None)
        asked = [step.shown for step, _ in (*self.hauls, *self.failures)]
        shortfalls = [haul.shortfall for _, haul in self.hauls if haul.shortfall]
        if not self.hauls or (fatal and not documents):
            step, failure = self.failures[-1]
            earlier = tuple(query for query in asked if query != step.shown)
            return failed(
                self.source, self.sub_query, failure, query=step.shown, asked_at=self.asked_at, narrower=earlier
            )
        last, haul = self.hauls[-1]
        whole = Status.OK if documents else Status.EMPTY
        status = Status.PARTIAL if fatal or shortfalls else whole
        record = SearchRecord(
            source=self.source,
            query=last.shown,
            status=status,
            records=len(documents),
            total=haul.total,
            reason="; ".join([*shortfalls, *self._notes(documents)]),
            asked_at=self.asked_at,
            sub_query=self.sub_query.query,
            narrower=tuple(query for query in asked if query != last.shown),
        )
        found = tuple(Found(document=document, position=n) for n, document in enumerate(documents, 1))
        return SearchResult(record=record, found=found)

    def _notes(self, documents: Sequence[Document]) -> Iterator[str]:
        earlier = self.hauls[:-1]
        if earlier:
            count = len({document.id for _, haul in earlier for document in haul.documents})
            count += max(haul.listed for _, haul in earlier)
            queries = "query" if len(earlier) == 1 else f"{len(earlier)} queries"
            yield f"the narrower {queries} found {count or 'nothing'}, so the search was broadened"
        for _, failure in self.failures:
            after = " for a broader query" if documents and failure.status is not Status.BAD_QUERY else ""
            yield f"{failure.reason}{after}"


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
