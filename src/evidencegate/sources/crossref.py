"""Crossref: what publishers register of a work, and what they register about it afterwards.

API: https://api.crossref.org (`/works`; `updated-by` on a work names the notices about it, `update-to` on a notice
names the works it is about).
"""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from pydantic import ConfigDict, Field, ValidationError, field_validator

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.question import Question, SubQuery
from evidencegate.sources._build import author, date, document, parts
from evidencegate.sources._failure import NoSuchRecord, malformed
from evidencegate.sources._http import Client, Request
from evidencegate.sources._model import Lenient, read
from evidencegate.sources._query import Step, plan
from evidencegate.sources._reply import Reply
from evidencegate.sources._steps import Haul, Sheet, in_steps, paged
from evidencegate.sources._types import SearchResult

_PAGE = 100
_FILTERED = 50  # DOIs in one request; beyond that the address grows too long
# https://www.crossref.org/documentation/register-maintain-records/maintaining-your-metadata/registering-updates/
_UPDATES = {
    "retraction": RetractionStatus.RETRACTED,
    "withdrawal": RetractionStatus.RETRACTED,
    "removal": RetractionStatus.RETRACTED,
    "partial_retraction": RetractionStatus.CONCERN,
    "expression_of_concern": RetractionStatus.CONCERN,
    "correction": RetractionStatus.CORRECTED,
    "corrigendum": RetractionStatus.CORRECTED,
    "erratum": RetractionStatus.CORRECTED,
    "addendum": RetractionStatus.CORRECTED,
    "clarification": RetractionStatus.CORRECTED,
}
_TYPES = {"journal-article": "Journal Article", "posted-content": "Preprint", "book-chapter": "Book Chapter"}
# What a record that updates another one is itself, in PubMed's words.
_NOTICE_TYPES = {
    RetractionStatus.RETRACTED: "Retraction Notice",
    RetractionStatus.CONCERN: "Expression of Concern",
    RetractionStatus.CORRECTED: "Published Erratum",
}


def _hyphened(name: str) -> str:
    return name.replace("_", "-")


class _Hyphen(Lenient):
    model_config = ConfigDict(alias_generator=_hyphened, populate_by_name=True)


class _Date(_Hyphen):
    date_parts: tuple[tuple[int | None, ...], ...] = ()

    def iso(self) -> str:
        return date(*self.date_parts[0][:3]) if self.date_parts else ""


class _Person(_Hyphen):
    family: str = ""
    given: str = ""
    name: str = ""
    suffix: str = ""

    def written(self) -> str:
        return author(self.family, self.given, self.suffix) or self.name


class _Update(_Hyphen):
    DOI: str = ""
    type: str = ""
    source: str = ""
    updated: _Date = _Date()

    @property
    def status(self) -> RetractionStatus | None:
        """What it says of the work that is updated; None for a new version or edition."""
        return _UPDATES.get(self.type.strip().lower().replace("-", "_").replace(" ", "_"))


class _Licence(_Hyphen):
    URL: str = ""
    content_version: str = ""


class _Institution(_Hyphen):
    name: str = ""


class _Work(_Hyphen):
    DOI: str = ""
    title: tuple[str, ...] = ()
    author: tuple[_Person, ...] = ()
    container_title: tuple[str, ...] = ()
    short_container_title: tuple[str, ...] = ()
    issued: _Date = _Date()
    published: _Date = _Date()
    published_print: _Date = _Date()
    published_online: _Date = _Date()
    posted: _Date = _Date()
    volume: str = ""
    issue: str = ""
    page: str = ""
    article_number: str = ""
    publisher: str = ""
    institution: tuple[_Institution, ...] = ()
    abstract: str = ""
    type: str = ""
    language: str = ""
    license: tuple[_Licence, ...] = ()
    is_referenced_by_count: int | None = None
    updated_by: tuple[_Update, ...] = ()
    update_to: tuple[_Update, ...] = ()

    @field_validator("institution", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return [value] if isinstance(value, dict) else value  # one object until 2021, a list since

    def dated(self) -> str:
        """When it was first published, as far as the publisher says."""
        dates = (self.issued, self.published, self.published_print, self.published_online, self.posted)
        return next(filter(None, (date.iso() for date in dates)), "")

    def journal(self) -> str:
        """Where it appeared; a preprint on the server it was posted to."""
        places = [*self.short_container_title, *self.container_title, *(place.name for place in self.institution)]
        return next(filter(None, places), "") or (self.publisher if self.type == "posted-content" else "")

    def licence(self) -> str:
        """The licence of the published version; those for text mining are no licence to readers."""
        by_version = {licence.content_version: licence.URL for licence in reversed(self.license)}
        return next((by_version[version] for version in ("vor", "am", "unspecified", "") if version in by_version), "")


class _Works(_Hyphen):
    total_results: int = Field(ge=0)
    items: list[Any]


class _Listing(_Hyphen):
    message: _Works


class _Single(_Hyphen):
    message: _Work


class Crossref:
    """Crossref as a source, and as the register of retractions."""

    name = "crossref"

    def __init__(self, client: Client) -> None:
        self._client = client
        self._service = client.services[self.name]

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        """Search bibliographic data; many works there have no abstract. Never raises for what the source did."""

        async def ask(step: Step) -> Haul:
            return await self._pages({**step.params, "filter": "type:journal-article"}, limit)

        return await in_steps(self.name, sub_query, plan(self.name, sub_query, question), ask, limit=limit)

    async def find(self, identifiers: Identifiers) -> Document | None:
        """The work of a DOI, or None.

        Raises:
            Failure: the source did not answer; `NoSuchRecord` where it has no such work.
        """
        return _document(await self._work(identifiers.doi)) if identifiers.doi else None

    async def notices(self, dois: Sequence[str]) -> Mapping[str, tuple[Notice, ...]]:
        """What is registered now about these works, by DOI, read in both directions.

        `updated-by` stands on the work and `update-to` on the notice; publishers often fill in only one of them.

        Raises:
            Failure: the source did not answer.
        """
        found: dict[str, tuple[Notice, ...]] = {}
        # A comma parts filters, so the few DOIs that have one are asked for one by one.
        for doi in (doi for doi in dois if "," in doi):
            try:
                found[doi] = _own_notices(await self._work(doi, anew=True))
            except NoSuchRecord:
                found[doi] = ()
        plain = [doi for doi in dois if "," not in doi]
        for start in range(0, len(plain), _FILTERED):
            batch = plain[start : start + _FILTERED]
            works = await self._filtered("doi", batch)
            notices = await self._filtered("updates", batch)
            for doi in batch:
                own = [notice for work in works if _doi(work.DOI) == doi for notice in _own_notices(work)]
                about = [n for notice in notices for n in _notices(notice.update_to, notice.DOI, only=doi)]
                found[doi] = _unique((*own, *about))
        return found

    async def _filtered(self, name: str, dois: Sequence[str]) -> tuple[_Work, ...]:
        # Filters of one name are alternatives to each other.
        params = {"filter": ",".join(f"{name}:{doi}" for doi in dois), "rows": str(_PAGE)}
        listing = await self._client.ask(self._service, Request(path="/works", params=params), _listing, anew=True)
        if len(listing.message.items) < listing.message.total_results and len(dois) > 1:
            # One work may have many notices, and only a page of them comes.
            half = len(dois) // 2
            return (*await self._filtered(name, dois[:half]), *await self._filtered(name, dois[half:]))
        works = []
        for item in listing.message.items:
            try:
                works.append(_Work.model_validate(item))
            except ValidationError:
                # A notice that cannot be read might be a retraction: say so instead of passing it over.
                raise malformed("Crossref sent a record about a retraction that cannot be read") from None
        return tuple(works)

    async def _work(self, doi: str, *, anew: bool = False) -> _Work:
        request = Request(path=f"/works/{quote(doi, safe='')}", missing=f"Crossref has no work with the DOI {doi}")
        single = await self._client.ask(self._service, request, lambda reply: reply.parsed(_Single), anew=anew)
        return single.message

    async def _pages(self, query: dict[str, str], limit: int) -> Haul:
        # By offset, not by cursor: Crossref's cursor stays the same from page to page, so that kept replies would
        # stand for each other.
        async def ask(offset: str, size: int) -> Sheet:
            params = {**query, "rows": str(size), "offset": offset}
            listing = await self._client.ask(self._service, Request(path="/works", params=params), _listing)
            works = listing.message
            documents, note = read(works.items, _Work, _document)
            following = str(int(offset) + len(works.items)) if works.items else ""
            return Sheet(
                documents=documents,
                records=len(works.items),
                total=works.total_results,
                following=following,
                note=note,
            )

        return await paged(ask, limit=limit, size=_PAGE, first="0")


def _doi(text: str) -> str | None:
    return Identifiers.parse(doi=text).doi


def _listing(reply: Reply) -> _Listing:
    return reply.parsed(_Listing)


def _notices(updates: Sequence[_Update], reference: str, *, only: str = "") -> list[Notice]:
    return [
        Notice(
            status=status,
            source="Retraction Watch" if update.source == "retraction-watch" else "Crossref",
            reference=f"doi:{reference or update.DOI}",
            date=update.updated.iso(),
        )
        for update in updates
        if (status := update.status) and (not only or _doi(update.DOI) == _doi(only))
    ]


def _own_notices(work: _Work) -> tuple[Notice, ...]:
    """`updated-by`, and `update-to` where publishers put it on the work itself instead of on a notice."""
    return _unique((*_notices(work.updated_by, ""), *_notices(work.update_to, work.DOI, only=work.DOI)))


def _unique(notices: tuple[Notice, ...]) -> tuple[Notice, ...]:
    return tuple({(notice.status, notice.reference): notice for notice in notices}.values())


def _document(work: _Work) -> Document | None:
    types = [_TYPES.get(work.type, work.type.replace("-", " ").title())]
    # A notice is a record of its own: it is about a retracted work, and not retracted itself.
    about = [update.status for update in work.update_to if update.status and _doi(update.DOI) != _doi(work.DOI)]
    if about:
        types = [_NOTICE_TYPES[max(about, key=list(RetractionStatus).index)]]
    return document(
        "crossref",
        Identifiers.parse(doi=work.DOI),
        work.title[0] if work.title else "",
        parts(work.abstract),
        authors=[person.written() for person in work.author],
        journal=work.journal(),
        published=work.dated(),
        volume=work.volume,
        issue=work.issue,
        pages=work.page or work.article_number,
        publication_types=types,
        language=work.language,
        licence=work.licence(),
        citations=work.is_referenced_by_count,
        notices=_own_notices(work),
    )
