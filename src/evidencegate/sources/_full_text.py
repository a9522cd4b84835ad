"""From a record to the whole article, where it is open: Europe PMC, PubMed Central, then Unpaywall."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TypeVar
from urllib.parse import quote, urlsplit

from evidencegate.documents import Document, Identifiers, Section, Span
from evidencegate.documents.readers import Limits, jats
from evidencegate.sources._failure import Failure, NoSuchRecord, malformed
from evidencegate.sources._http import Client, Request, within
from evidencegate.sources._model import Lenient
from evidencegate.sources._reply import Reply
from evidencegate.sources._types import Status, Unavailable
from evidencegate.sources.europe_pmc import EuropePMC

_F = TypeVar("_F")
# Seconds. An answer waits for the text; after that the abstract stands for it.
_PATIENCE = 10.0
_BREAK = "\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCopy:
    """A lawful open copy that is not read here (a PDF in a repository, as a rule)."""

    url: str
    licence: str
    source: str = "Unpaywall"


class _Location(Lenient):
    url_for_pdf: str = ""
    url: str = ""
    license: str = ""


class _Unpaywalled(Lenient):
    doi: str
    is_oa: bool = False
    best_oa_location: _Location | None = None


async def full_text(document: Document, client: Client) -> Document | OpenCopy | Unavailable:
    """The article of a record with its whole text, or where an open copy of it lies, or why neither.

    The text comes from Europe PMC, else from PubMed Central, as JATS; Unpaywall only knows addresses.
    """
    identifiers = document.identifiers
    ways: list[Callable[[], Awaitable[Document | OpenCopy | None]]] = []
    if identifiers.pmcid:
        pmcid = identifiers.pmcid
        ways += [lambda: _europe_pmc(document, pmcid, client), lambda: _pmc(document, pmcid, client)]
    if identifiers.doi:
        doi = identifiers.doi
        ways.append(lambda: _unpaywall(doi, client))
    with within(client.settings.source_seconds):
        return await _first(document, ways)


async def _first(document: Document, ways: Sequence[Callable[[], Awaitable[_F | None]]]) -> _F | Unavailable:
    """What the first way gives that gives anything; else why none did."""
    failures: list[Failure] = []
    for way in ways:
        try:
            found = await way()
        except Failure as failure:
            failures.append(failure)
            continue
        if found is not None:
            return found
    unanswered = [failure for failure in failures if failure.status is not Status.EMPTY]
    if unanswered:
        reason = "; ".join(failure.reason for failure in unanswered)
        return Unavailable(identifier=document.id, status=unanswered[0].status, reason=reason)
    return Unavailable(identifier=document.id, status=Status.EMPTY, reason="no open full text is known")


async def open_text(document: Document, client: Client) -> Document | Unavailable:
    """The article of a record with its whole text from Europe PMC, else from PubMed Central, within ten seconds.

    As `full_text`, for what is to be read at once: where no text can be had, no address is looked for.
    """
    pmcid = document.identifiers.pmcid
    if pmcid is None:
        return Unavailable(identifier=document.id, status=Status.EMPTY, reason="PubMed Central does not hold it")
    ways = [lambda: _europe_pmc(document, pmcid, client), lambda: _pmc(document, pmcid, client)]
    with within(min(_PATIENCE, client.settings.source_seconds)):
        return await _first(document, ways)


async def _europe_pmc(document: Document, pmcid: str, client: Client) -> Document:
    return _read(await EuropePMC(client).full_text(pmcid), document, "Europe PMC")


async def _pmc(document: Document, pmcid: str, client: Client) -> Document:
    params = {"db": "pmc", "id": pmcid.removeprefix("PMC"), "retmode": "xml"}
    request = Request(path="/efetch.fcgi", params=params, accept="application/xml", missing=f"PMC has no {pmcid}")

    def parsed(reply: Reply) -> Document:
        reply.xml()
        return _read(reply.content, document, "PubMed Central")

    return await client.ask(client.services["pubmed"], request, parsed)


async def _unpaywall(doi: str, client: Client) -> OpenCopy | None:
    service = client.services["unpaywall"]
    if "email" not in service.etiquette:
        raise Failure(Status.NOT_ASKED, "Unpaywall was not asked: it wants an address; set EVIDENCEGATE_EMAIL")
    request = Request(path=f"/{quote(doi, safe='/')}", missing=f"Unpaywall does not know {doi}")
    known = await client.ask(service, request, lambda reply: reply.parsed(_Unpaywalled))
    if Identifiers.parse(doi=known.doi).doi != doi:
        raise malformed(f"Unpaywall answered about another work than {doi}")
    place = known.best_oa_location
    if not known.is_oa or place is None:
        return None
    url = place.url_for_pdf or place.url
    # An address from outside that we would show: nothing but the web.
    return OpenCopy(url=url, licence=place.license) if urlsplit(url).scheme in ("https", "http") else None


def _read(content: bytes, record: Document, title: str) -> Document:
    """The article in the JATS, completed by what the record knows. A publisher may withhold the body."""
    articles = [item for item in jats.read(BytesIO(content), title, Limits()) if isinstance(item, Document)]
    if not articles and b"<pmc-articleset" in content[:2000]:
        raise NoSuchRecord(f"{title} has no open full text of {record.id}")
    if not articles:
        raise malformed(f"{title} sent a full text that cannot be read")
    article = articles[0]
    if record.identifiers.conflicts(article.identifiers):
        raise malformed(f"{title} sent another article than {record.id}")
    if not article.full_text:
        raise NoSuchRecord(f"{title} has no open full text of {record.id}")
    text, sections = _with_abstract(article, record)
    return replace(
        record,
        text=text,
        sections=sections,
        full_text=True,
        identifiers=record.identifiers.merge(article.identifiers),
        licence=article.licence or record.licence,
        notices=(*record.notices, *(notice for notice in article.notices if notice not in record.notices)),
    )


def _with_abstract(article: Document, record: Document) -> tuple[str, tuple[Section, ...]]:
    """The article's text with an abstract before it: its own, else the record's, which may be all that is quoted."""
    if record.full_text or not record.text or any(s.label.casefold().startswith("abstract") for s in article.sections):
        return article.text, article.sections
    start = len(record.text) + len(_BREAK)
    sections = [Section(label=f"Abstract: {s.label}" if s.label else "Abstract", span=s.span) for s in record.sections]
    sections = sections or [Section(label="Abstract", span=Span(0, len(record.text)))]
    sections += [Section(label=s.label, span=s.span.shift(start)) for s in article.sections]
    return f"{record.text}{_BREAK}{article.text}", tuple(sections)
