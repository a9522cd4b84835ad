"""From a record to the whole article, where it is open: Europe PMC, PubMed Central, then Unpaywall."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from io import BytesIO
from urllib.parse import quote, urlsplit

from evidencegate.documents import Document
from evidencegate.documents.readers import Limits, jats
from evidencegate.sources._failure import Failure, NoSuchRecord, malformed
from evidencegate.sources._http import Client, Request, within
from evidencegate.sources._model import Lenient
from evidencegate.sources._reply import Reply
from evidencegate.sources._types import Status, Unavailable
from evidencegate.sources.europe_pmc import EuropePMC


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
    failures: list[Failure] = []
    ways: list[Callable[[], Awaitable[Document | OpenCopy | None]]] = []
    if identifiers.pmcid:
        pmcid = identifiers.pmcid
        ways += [lambda: _europe_pmc(document, pmcid, client), lambda: _pmc(document, pmcid, client)]
    if identifiers.doi:
        doi = identifiers.doi
        ways.append(lambda: _unpaywall(doi, client))
    with within(client.settings.source_seconds):
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
    place = known.best_oa_location
    if not known.is_oa or place is None:
        return None
    url = place.url_for_pdf or place.url
    # An address from outside that we would show: nothing but the web.
    return OpenCopy(url=url, licence=place.license) if urlsplit(url).scheme in ("https", "http") else None


def _read(content: bytes, record: Document, title: str) -> Document:
    """The article in the JATS, completed by what the record knows. A publisher may withhold the body."""
    articles = [item for item in jats.read(BytesIO(content), title, Limits()) if isinstance(item, Document)]
    if not articles:
        raise malformed(f"{title} sent a full text that cannot be read")
    article = articles[0]
    if record.identifiers.conflicts(article.identifiers):
        raise malformed(f"{title} sent another article than {record.id}")
    if not article.full_text:
        raise NoSuchRecord(f"{title} has no open full text of {record.id}")
    return replace(
        record,
        text=article.text,
        sections=article.sections,
        full_text=True,
        identifiers=record.identifiers.merge(article.identifiers),
        licence=article.licence or record.licence,
        notices=(*record.notices, *(notice for notice in article.notices if notice not in record.notices)),
    )
