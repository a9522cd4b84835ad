"""OpenAlex: works with their abstracts rebuilt from the word index it publishes. Needs a key.

API: https://docs.openalex.org (`/works` with search, filter and cursor).
"""

from typing import Any

from pydantic import Field

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.question import Question, SubQuery
from evidencegate.sources._build import Part, date, document, iso, surname_last
from evidencegate.sources._failure import Failure
from evidencegate.sources._http import Client, Request
from evidencegate.sources._model import Lenient, read
from evidencegate.sources._query import Step, plan
from evidencegate.sources._reply import Reply
from evidencegate.sources._steps import Haul, Sheet, in_steps, paged
from evidencegate.sources._types import SearchResult, Status

_PAGE = 100
_LONGEST_ABSTRACT = 20_000  # words; an index that claims more is not an abstract
_TYPES = {
    "article": "Journal Article",
    "review": "Review",
    "preprint": "Preprint",
    "editorial": "Editorial",
    "letter": "Letter",
    "erratum": "Published Erratum",
    "retraction": "Retraction Notice",
}


class _Ids(Lenient):
    pmid: str | None = None
    pmcid: str | None = None


class _Name(Lenient):
    display_name: str = ""


class _Authorship(Lenient):
    author: _Name = _Name()
    raw_author_name: str = ""

    def written(self) -> str:
        return surname_last(self.author.display_name or self.raw_author_name)


class _Location(Lenient):
    source: _Name = _Name()
    raw_source_name: str = ""
    license: str = ""

    def named(self) -> str:
        return self.source.display_name or self.raw_source_name


class _Biblio(Lenient):
    volume: str = ""
    issue: str = ""
    first_page: str = ""
    last_page: str = ""


class _Mesh(Lenient):
    descriptor_name: str = ""


class _Work(Lenient):
    doi: str | None = None
    ids: _Ids = _Ids()
    display_name: str = ""
    title: str = ""
    publication_date: str = ""
    publication_year: int | None = None
    language: str = ""
    type: str = ""
    primary_location: _Location = _Location()
    locations: tuple[_Location, ...] = ()
    authorships: tuple[_Authorship, ...] = ()
    cited_by_count: int | None = None
    is_retracted: bool = False
    biblio: _Biblio = _Biblio()
    mesh: tuple[_Mesh, ...] = ()
    keywords: tuple[_Name, ...] = ()
    abstract_inverted_index: dict[str, list[int]] = Field(default_factory=dict)


class _Meta(Lenient):
    count: int = Field(ge=0)
    next_cursor: str = ""


class _Page(Lenient):
    meta: _Meta
    results: list[Any]


class OpenAlex:
    """OpenAlex as a source."""

    name = "openalex"

    def __init__(self, client: Client) -> None:
        self._client = client
        self._service = client.services[self.name]

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        """Search titles, abstracts and full texts; never raises for what the source did."""

        async def ask(step: Step) -> Haul:
            if self._service.credential is None:
                reason = f"OpenAlex was not asked: it needs a key; set {self._service.key_setting}"
                raise Failure(Status.NOT_ASKED, reason)
            return await self._pages({**step.params, "filter": "type:article|review"}, limit)

        return await in_steps(self.name, sub_query, plan(self.name, sub_query, question), ask, limit=limit)

    async def _pages(self, query: dict[str, str], limit: int) -> Haul:
        async def ask(cursor: str, size: int) -> Sheet:
            params = {**query, "per_page": str(size), "cursor": cursor}
            page = await self._client.ask(self._service, Request(path="/works", params=params), _page)
            documents, note = read(page.results, _Work, _document)
            following = page.meta.next_cursor if page.results else ""
            return Sheet(
                documents=documents,
                records=len(page.results),
                total=page.meta.count,
                following=following,
                note=note,
            )

        return await paged(ask, limit=limit, size=_PAGE, first="*")


def _page(reply: Reply) -> _Page:
    return reply.parsed(_Page)


def abstract(index: dict[str, list[int]]) -> str:
    """The text of an inverted index: each word at each of its places, single spaces between."""
    placed = {place: word for word, places in index.items() for place in places if 0 <= place < _LONGEST_ABSTRACT}
    return " ".join(placed[place] for place in sorted(placed))


def _document(work: _Work) -> Document | None:
    notices: tuple[Notice, ...] = ()
    if work.is_retracted:
        notices = (Notice(status=RetractionStatus.RETRACTED, source="OpenAlex"),)
    places = (work.primary_location, *work.locations)
    kind = _TYPES.get(work.type, work.type.replace("-", " ").title())
    pages = "-".join(dict.fromkeys(filter(None, (work.biblio.first_page, work.biblio.last_page))))
    return document(
        "openalex",
        Identifiers.parse(doi=work.doi, pmid=work.ids.pmid, pmcid=work.ids.pmcid),
        work.display_name or work.title,
        [Part("", (abstract(work.abstract_inverted_index),))],
        authors=[entry.written() for entry in work.authorships],
        journal=next(filter(None, (place.named() for place in places)), ""),
        published=iso(work.publication_date) or date(work.publication_year),
        volume=work.biblio.volume,
        issue=work.biblio.issue,
        pages=pages,
        publication_types=[kind],
        mesh=[entry.descriptor_name for entry in work.mesh],
        keywords=[entry.display_name for entry in work.keywords],
        language=work.language,
        licence=next((place.license for place in places if place.license), ""),
        citations=work.cited_by_count,
        notices=notices,
    )
