"""What an answer may ask for besides its searches: the fallback, current notices, images. All of it may fail."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from evidencegate.documents import Document, Identifiers, Notice, Passage, RetractionStatus
from evidencegate.errors import UnknownName
from evidencegate.evidence import Fallback, Image, find_images, why_not_direct
from evidencegate.question import Question, tag
from evidencegate.runs import Run
from evidencegate.sources import (
    Client,
    Found,
    NoticeCheck,
    OpenI,
    Perplexity,
    Picture,
    SearchResult,
    Source,
    Status,
    Unavailable,
    current_notices,
    open_text,
)
from evidencegate.sources.recorded import Recorded

_FALLBACK_RECORDS = 10
_ROUNDS = 3
"""How often those who take the place of retracted records are asked about in turn."""


class Outside(Protocol):
    """Whom an answer may ask besides its sources."""

    @property
    def fallback(self) -> Source:
        """The last resort (rule 10)."""
        ...

    async def notices(self, documents: Sequence[Document]) -> NoticeCheck:
        """What became of `documents` until now."""
        ...

    async def pictures(self, query: str) -> tuple[Picture, ...]:
        """Images for a query; none where the source does not answer."""
        ...

    async def full_text(self, document: Document) -> Document | Unavailable:
        """The article of a record with its whole text, or why not."""
        ...


@dataclass(frozen=True, slots=True)
class Live:
    """The real ones, over one client."""

    client: Client

    @property
    def fallback(self) -> Source:
        """Perplexity."""
        return Perplexity(self.client)

    async def notices(self, documents: Sequence[Document]) -> NoticeCheck:
        """From PubMed and Crossref."""
        return await current_notices(documents, self.client)

    async def pictures(self, query: str) -> tuple[Picture, ...]:
        """From Open-i."""
        return (await OpenI(self.client).pictures(query)).pictures

    async def full_text(self, document: Document) -> Document | Unavailable:
        """From Europe PMC, else from PubMed Central."""
        return await open_text(document, self.client)


async def last_resort(
    decision: Fallback, question: Question, outside: Outside | None, run: Run
) -> tuple[Fallback, tuple[SearchResult, ...]]:
    """Call the fallback if that was decided; the decision afterwards says what came of it."""
    if not decision.called:
        return decision, ()
    needed = decision.reason.removeprefix("called: ")
    if outside is None:
        return Fallback(called=False, reason=f"needed, as {needed}; not called: the network was not to be asked"), ()
    source = Recorded(outside.fallback, run)
    result = await source.search(question.sub_queries[0], question, limit=_FALLBACK_RECORDS)
    record = result.record
    if record.status is Status.NOT_ASKED:
        return Fallback(called=False, reason=f"needed, as {needed}; not called: {record.reason}"), (result,)
    outcome = f"{record.records} records passed the identity check"
    if not record.status.answered:
        outcome = f"it failed: {record.reason}"
    return Fallback(called=True, reason=f"{decision.reason}; {outcome}"), (result,)


@dataclass(frozen=True, slots=True)
class Standing:
    """What the registers of retractions said of the records to be cited."""

    results: tuple[SearchResult, ...]
    """With what became of their records."""
    notices: Mapping[str, tuple[Notice, ...]]
    """News, by identifier; empty where there are none."""
    warnings: tuple[str, ...]


async def standing(
    documents: Sequence[Document],
    results: Sequence[SearchResult],
    outside: Outside | None,
    run: Run,
    again: Callable[[Sequence[SearchResult], Mapping[str, tuple[Notice, ...]]], Sequence[Document]],
) -> Standing:
    """What became of the `documents` to be cited, as of now (rule 9).

    Where there are news, `again` makes the evidence anew of the results and the notices, and says what is to be cited
    then: what takes the place of a retracted record is asked about too.
    """
    now = Standing(tuple(results), {}, ())
    asked: set[str] = set()
    for _ in range(_ROUNDS):
        unknown = [d for d in documents if d.identifiers and d.id not in asked]
        if outside is None or not unknown:
            break
        asked |= {document.id for document in unknown}
        check = await _checked(unknown, outside, run)
        news = _news(unknown, check)
        warnings = tuple(dict.fromkeys((*now.warnings, *_told_of(now, unknown, news, check))))
        updated = tuple(_updated(result, news, check) for result in now.results) if news else now.results
        now = Standing(updated, {**now.notices, **news}, warnings)
        if not news:
            break
        documents = again(now.results, now.notices)
    return now


async def _checked(documents: Sequence[Document], outside: Outside, run: Run) -> NoticeCheck:
    return await run.step(
        "notices",
        [sorted(document.id for document in documents), run.started_at],
        lambda: outside.notices(documents),
        dump=_dump_notices,
        load=_load_notices,
        unpaid=lambda error: NoticeCheck(
            checked_at=run.started_at, notices={document.id: () for document in documents}, unanswered=(str(error),)
        ),
    )


def _news(documents: Sequence[Document], check: NoticeCheck) -> dict[str, tuple[Notice, ...]]:
    return {
        key: check.notices[document.id]
        for document, applied in zip(documents, check.applied(documents), strict=True)
        if applied.notices != document.notices
        for key in _keys(document)
    }


def _told_of(
    now: Standing, documents: Sequence[Document], news: Mapping[str, tuple[Notice, ...]], check: NoticeCheck
) -> list[str]:
    """Who did not answer, and what became of curated works that no search found: the packs are to be corrected."""
    day = check.checked_at[:10]
    warnings = [f"Retractions could not be checked on {day} everywhere: {reason}" for reason in check.unanswered]
    found = {key for result in now.results for hit in result.found for key in _keys(hit.document)}
    warnings += [
        f"{document.title} ({document.id}): {notice.status.replace('_', ' ')} since our summary ({day})"
        for document in documents
        if not found & set(_keys(document)) and news.keys() & set(_keys(document))
        for notice in check.notices.get(document.id, ())
        if notice.status is not RetractionStatus.CORRECTED
    ]
    return warnings


def _keys(document: Document) -> tuple[str, ...]:
    return document.identifiers.keys()


def _updated(result: SearchResult, news: Mapping[str, tuple[Notice, ...]], check: NoticeCheck) -> SearchResult:
    return replace(result, found=tuple(_told(found, news, check) for found in result.found))


def _told(found: Found, news: Mapping[str, tuple[Notice, ...]], check: NoticeCheck) -> Found:
    document = found.document
    notices = next((news[key] for key in _keys(document) if key in news), None)
    if notices is None:
        return found
    (current,) = replace(check, notices={document.id: notices}).applied([document])
    passages = tuple(Passage(current, passage.sentences) for passage in found.passages)
    return replace(found, document=current, passages=passages)


async def pictured(question: Question, outside: Outside | None, run: Run) -> tuple[Image, ...]:
    """Images that may be shown beside the answer; none on any failure."""
    if outside is None:
        return ()

    async def fetch(query: str) -> Sequence[Image]:
        pictures = await run.step(
            "images",
            [query],
            _once(outside, query),
            dump=_dump_pictures,
            load=_load_pictures,
            unpaid=lambda _: (),
        )
        return [image for picture in pictures if (image := _image(picture)) is not None]

    return await find_images(question, fetch, lambda name: _names(name, question))


def _once(outside: Outside, query: str) -> Callable[[], Awaitable[tuple[Picture, ...]]]:
    return lambda: outside.pictures(query)


def _image(picture: Picture) -> Image | None:
    """Only what may be shown: with a licence, and an article that can be opened."""
    if not (picture.title and picture.licence) or why_not_direct(picture.url):
        return None
    return Image(
        title=picture.title,
        url=picture.url,
        source=picture.source,
        licence=picture.licence,
        image_url=picture.image_url,
        caption=picture.caption,
    )


def _names(name: str, question: Question) -> Sequence[str]:
    known = next((own for own in question.own_tags if own.name == name), None)
    if known is None:
        try:
            known = tag(name)
        except UnknownName:
            return ()
    return (known.label, *known.synonyms, *known.short)


def _dump_notices(check: NoticeCheck) -> dict[str, Any]:
    return {
        "checked_at": check.checked_at,
        "unanswered": list(check.unanswered),
        "notices": {key: [asdict(notice) for notice in notices] for key, notices in check.notices.items()},
    }


def _load_notices(kept: dict[str, Any]) -> NoticeCheck:
    return NoticeCheck(
        checked_at=kept["checked_at"],
        unanswered=tuple(kept["unanswered"]),
        notices={
            key: tuple(Notice(**{**row, "status": RetractionStatus(row["status"])}) for row in rows)
            for key, rows in kept["notices"].items()
        },
    )


def _dump_pictures(pictures: Sequence[Picture]) -> list[dict[str, Any]]:
    return [asdict(picture) for picture in pictures]


def _load_pictures(kept: list[dict[str, Any]]) -> tuple[Picture, ...]:
    return tuple(Picture(**{**row, "identifiers": Identifiers(**row["identifiers"])}) for row in kept)
