"""Perplexity, the last resort (rule 10): a language model with a web search behind it.

Nothing it writes is evidence. What counts is which articles it points to: their identifiers are read from the
addresses of its search results, the records are fetched from the sources themselves, and compared with the titles it
gave (rule 8). Its prose is not even read.

API: https://docs.perplexity.ai (`/chat/completions`; `search_results` with title and url, formerly `citations`).
"""

import asyncio
import json
import re
from typing import Any
from urllib.parse import unquote, urlsplit

from pydantic import ValidationError

from evidencegate.documents import Document, Identifiers
from evidencegate.question import Question, SubQuery
from evidencegate.sources._failure import Failure
from evidencegate.sources._fetch import fetch
from evidencegate.sources._http import Client, Request
from evidencegate.sources._identity import Claimed, Identity, compare
from evidencegate.sources._model import Lenient
from evidencegate.sources._query import Step
from evidencegate.sources._reply import Reply
from evidencegate.sources._steps import Haul, in_steps
from evidencegate.sources._types import SearchResult, Status

_DOMAINS = ("pubmed.ncbi.nlm.nih.gov", "pmc.ncbi.nlm.nih.gov", "europepmc.org", "doi.org", "clinicaltrials.gov")
_ASKED = (
    "List the peer-reviewed articles, guidelines and registered trials that answer the question. "
    "Give for each its title and its PubMed, PMC, DOI or ClinicalTrials.gov address."
)
_DOI = re.compile(r"10\.\d{4,9}/[^\s?#]+")
# What publishers' addresses have behind a DOI that is none of it.
_VIEW = re.compile(
    r"(?:/(?:full|fulltext|abstract|summary|meta|pdf|epdf|html|pdfft|epub|references|figures|tables|full\.html|full-text)"
    r"(?:/.*)?|\.(?:pdf|full|abstract|full\.pdf|html))$",
    re.IGNORECASE,
)
_PMCID = re.compile(r"(?<![^/])PMC\d+(?=[./?#]|$)", re.IGNORECASE)
_NCT = re.compile(r"(?<![^/])NCT\d{8}(?=/|$)", re.IGNORECASE)
_PMID = re.compile(r"(?<![^/])\d{1,9}(?=/|$)")
# What web pages put behind the title of an article.
_SUFFIX = re.compile(
    r"\s+[-–—|]\s+(?:PubMed|PMC|NCBI|NIH|Europe PMC|ClinicalTrials\.gov|ScienceDirect|Wiley Online Library|"
    r"SpringerLink|Nature|The Lancet|NEJM|JAMA(?: Network)?|BMJ|Oxford Academic|Cochrane Library)\s*$",
    re.IGNORECASE,
)


class _Hit(Lenient):
    title: str = ""
    url: str = ""


class _Answer(Lenient):
    choices: list[Any]
    search_results: tuple[Any, ...] = ()
    citations: tuple[Any, ...] = ()


class Perplexity:
    """Perplexity as a source of identifiers."""

    name = "perplexity"

    def __init__(self, client: Client) -> None:
        self._client = client
        self._service = client.services[self.name]

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        """Articles that Perplexity points to, each fetched from its own source and its identity verified."""

        async def ask(step: Step) -> Haul:
            if self._service.credential is None:
                reason = f"Perplexity was not asked: it needs a key; set {self._service.key_setting}"
                raise Failure(Status.NOT_ASKED, reason)
            return await self._verified(step.params["question"], limit)

        steps = [Step({"question": sub_query.query}, sub_query.query)]
        return await in_steps(self.name, sub_query, steps, ask, limit=limit)

    async def _verified(self, text: str, limit: int) -> Haul:
        body = {
            "model": self._client.settings.perplexity_model,
            "messages": [{"role": "system", "content": _ASKED}, {"role": "user", "content": text}],
            "search_domain_filter": list(_DOMAINS),
        }
        request = Request(path="/chat/completions", json=json.dumps(body), paid=True)
        answer = await self._client.ask(self._service, request, _answer)
        pointers, pointless = _pointers(answer)
        records = await asyncio.gather(*(fetch(identifiers, self._client) for identifiers, _ in pointers[:limit]))
        documents: list[Document] = []
        dropped: list[str] = []
        for (identifiers, claimed), record in zip(pointers, records, strict=False):
            check = compare(claimed, record)
            if check.identity is Identity.VERIFIED and isinstance(record, Document):
                documents.append(record)
            else:
                why = "; ".join(check.differences) or check.reason
                dropped.append(f"{identifiers.keys()[0]} was dropped ({why})")
        if pointless:
            dropped.append(f"{pointless} addresses without an identifier were left out")
        return Haul(documents=tuple(documents), total=len(pointers), shortfall="; ".join(dropped))


def _answer(reply: Reply) -> _Answer:
    return reply.parsed(_Answer)


def _pointers(answer: _Answer) -> tuple[list[tuple[Identifiers, Claimed]], int]:
    """Identifiers with the titles given for them, each once, and how many addresses had none."""
    hits: list[_Hit] = []
    pointless = 0
    # Addresses alone until 2025, then results with titles; where both are sent, the first with a title counts.
    for raw in (*answer.search_results, *answer.citations):
        try:
            hit = _Hit(url=raw) if isinstance(raw, str) else _Hit.model_validate(raw)
        except ValidationError:
            pointless += 1
            continue
        if hit.url not in {known.url for known in hits}:
            hits.append(hit)
    found: dict[str, tuple[Identifiers, Claimed]] = {}
    for hit in hits:
        identifiers = identifiers_of(hit.url)
        if not identifiers:
            pointless += 1
            continue
        title = _SUFFIX.sub("", hit.title)
        found.setdefault(identifiers.keys()[0], (identifiers, Claimed(title=title)))
    return list(found.values()), pointless


def identifiers_of(address: str) -> Identifiers:
    """The identifiers in the address of an article; none where it has none that can be trusted to be its own."""
    try:
        parts = urlsplit(address.strip())
        host = (parts.hostname or "").lower().removeprefix("www.")
    except ValueError:
        return Identifiers()
    path = unquote(parts.path)

    def named(pattern: re.Pattern[str]) -> str | None:
        found = pattern.search(path)
        return found[0] if found else None

    if host == "pubmed.ncbi.nlm.nih.gov" or (host == "ncbi.nlm.nih.gov" and path.startswith("/pubmed/")):
        return Identifiers.parse(pmid=named(_PMID))
    if host == "pmc.ncbi.nlm.nih.gov" or (host == "ncbi.nlm.nih.gov" and path.startswith("/pmc/")):
        return Identifiers.parse(pmcid=named(_PMCID))
    if host == "europepmc.org":
        return (
            Identifiers.parse(pmid=named(_PMID)) if "/MED/" in path.upper() else Identifiers.parse(pmcid=named(_PMCID))
        )
    if host in ("clinicaltrials.gov", "classic.clinicaltrials.gov"):
        return Identifiers.parse(nct=named(_NCT))
    doi = _DOI.search(path)
    if doi is None:
        return Identifiers()
    # The DOI resolver's path is the DOI, whatever it ends in.
    return Identifiers.parse(doi=doi[0] if host in ("doi.org", "dx.doi.org") else _VIEW.sub("", doi[0].rstrip("/")))
