"""Europe PMC: core records, and the full text of open-access articles.

API: https://europepmc.org/RestfulWebService (`search` with resultType=core and cursorMark; `{PMCID}/fullTextXML`).
"""

from typing import Any

from pydantic import Field

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.question import Question, SubQuery
from evidencegate.sources._build import author, date, document, iso, parts, year_of
from evidencegate.sources._failure import Failure, shown
from evidencegate.sources._http import Client, Request
from evidencegate.sources._model import Camel, read
from evidencegate.sources._query import Step, plan
from evidencegate.sources._reply import Reply
from evidencegate.sources._steps import Haul, Sheet, in_steps, paged
from evidencegate.sources._types import SearchResult, Status

_PAGE = 100
# `type` of a comment or correction, as Europe PMC takes it over from PubMed.
_NOTICES = {
    "retraction in": RetractionStatus.RETRACTED,
    "retracted and republished in": RetractionStatus.RETRACTED,
    "withdrawal in": RetractionStatus.RETRACTED,
    "removal in": RetractionStatus.RETRACTED,
    "partial retraction in": RetractionStatus.CONCERN,
    "expression of concern in": RetractionStatus.CONCERN,
    "erratum in": RetractionStatus.CORRECTED,
    "correction in": RetractionStatus.CORRECTED,
    "corrected and republished in": RetractionStatus.CORRECTED,
}


class _Author(Camel):
    full_name: str = ""
    first_name: str = ""
    last_name: str = ""
    collective_name: str = ""

    def written(self) -> str:
        return self.collective_name or self.full_name or author(self.last_name, self.first_name)


class _Authors(Camel):
    author: tuple[_Author, ...] = ()


class _Journal(Camel):
    title: str = ""
    medline_abbreviation: str = ""
    isoabbreviation: str = ""


class _JournalInfo(Camel):
    issue: str = ""
    volume: str = ""
    year_of_publication: int | None = None
    month_of_publication: int | None = None
    journal: _Journal = _Journal()


class _Book(Camel):
    publisher: str = ""
    comprising_title: str = ""
    year_of_publication: int | None = None


class _Types(Camel):
    pub_type: tuple[str, ...] = ()


class _Heading(Camel):
    descriptor_name: str = ""


class _Headings(Camel):
    mesh_heading: tuple[_Heading, ...] = ()


class _Keywords(Camel):
    keyword: tuple[str, ...] = ()


class _Correction(Camel):
    id: str = ""
    reference: str = ""
    type: str = ""


class _Corrections(Camel):
    comment_correction: tuple[_Correction, ...] = ()


class _Record(Camel):
    pmid: str | None = None
    pmcid: str | None = None
    doi: str | None = None
    title: str = ""
    author_string: str = ""
    author_list: _Authors = _Authors()
    journal_info: _JournalInfo = _JournalInfo()
    book_or_report_details: _Book = _Book()
    pub_year: str = ""
    page_info: str = ""
    abstract_text: str = ""
    language: str = ""
    pub_type_list: _Types = _Types()
    mesh_heading_list: _Headings = _Headings()
    keyword_list: _Keywords = _Keywords()
    cited_by_count: int | None = None
    license: str = ""
    first_publication_date: str = ""
    comment_correction_list: _Corrections = _Corrections()


class _Results(Camel):
    result: tuple[Any, ...] = ()


class _Page(Camel):
    hit_count: int = Field(ge=0)
    next_cursor_mark: str = ""
    result_list: _Results


class EuropePMC:
    """Europe PMC as a source."""

    name = "europe_pmc"

    def __init__(self, client: Client) -> None:
        self._client = client
        self._service = client.services[self.name]

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        """Search title, abstract and MeSH; never raises for what the source did."""

        async def ask(step: Step) -> Haul:
            return await self._pages(step.params["query"], limit)

        return await in_steps(self.name, sub_query, plan(self.name, sub_query, question), ask, limit=limit)

    async def find(self, identifiers: Identifiers) -> Document | None:
        """The record of an identifier, or None.

        Raises:
            Failure: the source did not answer.
        """
        fields = (("EXT_ID", identifiers.pmid), ("PMCID", identifiers.pmcid), ("DOI", identifiers.doi))
        query = next((f'{name}:"{value}"' for name, value in fields if value), "")
        if not query:
            return None
        if identifiers.pmid:
            query += " AND SRC:MED"
        haul = await self._pages(query, 2)
        # A service that does not understand a field searches its words: only the same identifier counts.
        wanted = set(identifiers.keys())
        return next((d for d in haul.documents if wanted & set(d.identifiers.keys())), None)

    async def full_text(self, pmcid: str) -> bytes:
        """The JATS XML of an open-access article.

        Raises:
            Failure: `NoSuchRecord` where Europe PMC has no full text of it; else why there is no answer.
        """
        request = Request(
            path=f"/{pmcid}/fullTextXML",
            accept="application/xml",
            missing=f"Europe PMC has no open full text of {pmcid}",
        )

        def content(reply: Reply) -> bytes:
            reply.xml()
            return reply.content

        return await self._client.ask(self._service, request, content)

    async def _pages(self, query: str, limit: int) -> Haul:
        async def ask(cursor: str, size: int) -> Sheet:
            params = {
                "query": query,
                "format": "json",
                "resultType": "core",
                "pageSize": str(size),
                "cursorMark": cursor,
            }
            page = await self._client.ask(self._service, Request(path="/search", params=params), _page)
            records = page.result_list.result
            documents, note = read(records, _Record, _document)
            # At the end of a listing Europe PMC repeats the cursor it was given, or gives none.
            following = page.next_cursor_mark if records else ""
            return Sheet(
                documents=documents, records=len(records), total=page.hit_count, following=following, note=note
            )

        return await paged(ask, limit=limit, size=_PAGE, first="*")


def _page(reply: Reply) -> _Page:
    value = reply.json()
    if "errCode" in value or "errMsg" in value:
        words = shown(str(value.get("errMsg", "")))
        raise Failure(Status.BAD_QUERY, f"Europe PMC did not understand the query: {words}")
    return reply.parsed(_Page)


def _document(record: _Record) -> Document | None:
    info, journal, book = record.journal_info, record.journal_info.journal, record.book_or_report_details
    corrections = record.comment_correction_list.comment_correction
    authors = [a.written() for a in record.author_list.author] or record.author_string.rstrip(".").split(",")
    notices = tuple(
        Notice(status=status, source="Europe PMC", reference=correction.reference or correction.id)
        for correction in corrections
        if (status := _NOTICES.get(correction.type.strip().casefold()))
    )
    types = record.pub_type_list.pub_type
    if any(kind.casefold() == "retracted publication" for kind in types) and not any(
        notice.status is RetractionStatus.RETRACTED for notice in notices
    ):
        notices += (Notice(status=RetractionStatus.RETRACTED, source="Europe PMC"),)
    return document(
        "europe_pmc",
        Identifiers.parse(pmid=record.pmid, pmcid=record.pmcid, doi=record.doi),
        record.title,
        parts(record.abstract_text),
        authors=authors,
        journal=journal.medline_abbreviation
        or journal.isoabbreviation
        or journal.title
        or book.comprising_title
        # A preprint stands on its server, a report or a book with its publisher.
        or book.publisher,
        published=iso(record.first_publication_date)
        or date(info.year_of_publication, info.month_of_publication)
        or iso(record.pub_year)
        or date(book.year_of_publication),
        year=year_of(iso(record.pub_year) or date(info.year_of_publication)),
        volume=info.volume,
        issue=info.issue,
        pages=record.page_info,
        publication_types=types,
        mesh=[heading.descriptor_name for heading in record.mesh_heading_list.mesh_heading],
        keywords=record.keyword_list.keyword,
        language=record.language,
        licence=record.license,
        citations=record.cited_by_count,
        notices=notices,
    )
