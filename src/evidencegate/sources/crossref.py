"""Crossref: what publishers register of a work, and what they register about it afterwards.

API: https://api.crossref.org (`/works`; `updated-by` on a work names the notices about it, `update-to` on a notice
names the works it is about).
"""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from pydantic import ConfigDict, Field, ValidationError

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

    def written(self) -> str:
        return author(self.family, self.given) if self.family else self.name


class _Update(_Hyphen):
    DOI: str = ""
    type: str = ""
    source: str = ""
    updated: _Date = _Date()


class _Licence(_Hyphen):
    URL: str = ""


class _Work(_Hyphen):
    DOI: str = ""
    title: tuple[str, ...] = ()
    author: tuple[_Person, ...] = ()
    container_title: tuple[str, ...] = ()
    short_container_title: tuple[str, ...] = ()
    issued: _Date = _Date()
    published: _Date = _Date()
    volume: str = ""
    issue: str = ""
    page: str = ""
    abstract: str = ""
    type: str = ""
    language: str = ""
    license: tuple[_Licence, ...] = ()
    is_referenced_by_count: int | None = None
    updated_by: tuple[_Update, ...] = ()
    update_to: tuple[_Update, ...] = ()


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
        if (status := _UPDATES.get(update.type.strip().lower().replace("-", "_").replace(" ", "_")))
        and (not only or _doi(update.DOI) == _doi(only))
    ]


def _own_notices(work: _Work) -> tuple[Notice, ...]:
    """`updated-by`, and `update-to` where publishers put it on the work itself instead of on a notice."""
    return _unique((*_notices(work.updated_by, ""), *_notices(work.update_to, work.DOI, only=work.DOI)))


def _unique(notices: tuple[Notice, ...]) -> tuple[Notice, ...]:
    return tuple({(notice.status, notice.reference): notice for notice in notices}.values())


def _document(work: _Work) -> Document | None:
    types = [_TYPES.get(work.type, work.type.replace("-", " ").title())]
    # A notice is a record of its own: it is about a retracted work, and not retracted itself.
    if any(_doi(u.DOI) != _doi(work.DOI) and u.type in _UPDATES for u in work.update_to):
        types = ["Retraction Notice" if any(u.type == "retraction" for u in work.update_to) else "Published Erratum"]
    return document(
        "crossref",
        Identifiers.parse(doi=work.DOI),
        work.title[0] if work.title else "",
        parts(work.abstract),
        authors=[person.written() for person in work.author],
        journal=next(iter([*work.short_container_title, *work.container_title]), ""),
        published=work.issued.iso() or work.published.iso(),
        volume=work.volume,
        issue=work.issue,
        pages=work.page,
        publication_types=types,
        language=work.language,
        licence=work.license[0].URL if work.license else "",
        citations=work.is_referenced_by_count,
        notices=_own_notices(work),
    )
