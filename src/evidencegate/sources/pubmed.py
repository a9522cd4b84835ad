"""PubMed through NCBI's E-utilities: esearch for the identifiers, efetch for the records.

API: https://www.ncbi.nlm.nih.gov/books/NBK25499/. What its documentation does not say aloud: errors come inside
HTTP 200, no search gives more than the first 9,999 records, and long queries must be POSTed.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

from evidencegate.documents import Document, Identifiers, Notice
from evidencegate.documents.readers import Limits, pubmed_xml
from evidencegate.question import Question, SubQuery
from evidencegate.sources._failure import Failure, malformed, shown
from evidencegate.sources._http import Client, Request
from evidencegate.sources._query import Step, plan
from evidencegate.sources._reply import Reply
from evidencegate.sources._shared import Shared
from evidencegate.sources._steps import ENOUGH, Haul, in_steps
from evidencegate.sources._types import SearchResult, Status

# NCBI asks for POST and the history server beyond this many identifiers.
_BATCH = 200
_CAP = 9999
# NCBI refuses longer addresses (414) somewhere above 2,000 characters.
_LONGEST_QUERY = 1500
_XML = "application/xml"
# Seconds that records found by one search wait for the searches beside it.
_PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class _Listing:
    """What esearch found: how many in all, the first identifiers, and where the rest waits."""

    count: int
    ids: tuple[str, ...]
    history: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Batch:
    """What efetch gave: records, and how many could not be used."""

    documents: tuple[Document, ...]
    unusable: int


class _Together:
    """Records that the searches of one question want, fetched with one request once none of them looks any more."""

    def __init__(self, fetch: Callable[[Sequence[str]], Coroutine[Any, Any, _Batch]]) -> None:
        self._fetch = fetch
        self._looking = 0
        self._nobody_looks = asyncio.Event()
        self._wanted: list[str] = []
        self._batch: Shared[_Batch] | None = None

    @contextmanager
    def looking(self) -> Iterator[Callable[[], None]]:
        """As long as a search may yet want records; what is given ends that earlier."""
        self._looking += 1
        self._nobody_looks.clear()
        looking = True

        def found() -> None:
            nonlocal looking
            if looking:
                looking = False
                self._looking -= 1
                if not self._looking:
                    self._nobody_looks.set()

        try:
            yield found
        finally:
            found()

    async def records(self, ids: Sequence[str]) -> _Batch:
        """The records of `ids`, among those of others."""
        if self._batch is None:
            batch = self._batch = Shared(self._when_nobody_looks(), done=lambda: self._forget(batch))
        self._wanted += [identifier for identifier in ids if identifier not in self._wanted]
        return await self._batch.result()

    def _forget(self, batch: "Shared[_Batch]") -> None:
        if self._batch is batch:  # given up before it was asked
            self._wanted, self._batch = [], None

    async def _when_nobody_looks(self) -> _Batch:
        # A search that waits for a service in trouble does not hold up the others' records.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._nobody_looks.wait(), _PATIENCE)
        # In one order, so that the same question finds the same reply among those kept.
        wanted, self._wanted, self._batch = sorted(self._wanted), [], None
        return await self._fetch(wanted)


def _missing(came: int, promised: int, unusable: int) -> str:
    if came >= promised:
        return ""
    unread = f", {unusable} could not be read" if unusable else ""
    return f"{came} of {promised} records came{unread}"


class PubMed:
    """PubMed as a source."""

    name = "pubmed"

    def __init__(self, client: Client) -> None:
        self._client = client
        self._service = client.services[self.name]
        self._together: dict[str, _Together] = {}

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        """Search by field tags, MeSH and study type, best match first; never raises for what the source did."""
        steps = plan(self.name, sub_query, question)
        waiting: list[str] = []
        together = self._together.setdefault(question.text, _Together(self._union))

        async def fetched(promised: int) -> Haul:
            ids = waiting[:limit]
            batch = await together.records(ids)
            documents = _in_order([d for d in batch.documents if d.identifiers.pmid in ids], ids)
            return Haul(documents=tuple(documents), shortfall=_missing(len(documents), promised, batch.unusable))

        with together.looking() as found:

            async def ask(step: Step) -> Haul:
                if limit > _BATCH:
                    return await self._found(step.params["term"], limit)
                # Three requests a second are few: while the queries still find too little, only identifiers are
                # listed; the records of all of them, and of the searches beside this one, are fetched together.
                try:
                    listing = await self._listing(step.params["term"], limit)
                except Failure as failure:
                    if not waiting or (failure.status is Status.BAD_QUERY and step is not steps[-1]):
                        raise
                    found()
                    haul = await fetched(len(waiting))
                    return replace(haul, shortfall="; ".join(filter(None, (haul.shortfall, failure.reason))))
                waiting.extend(identifier for identifier in listing.ids if identifier not in waiting)
                short = max(0, min(limit, listing.count) - len(set(listing.ids)))
                if len(waiting) < min(limit, ENOUGH) and not short and step is not steps[-1]:
                    return Haul(documents=(), total=listing.count, listed=len(waiting))
                found()
                nothing = Haul(documents=(), shortfall=_missing(0, short, 0))
                haul = await fetched(min(limit, len(waiting) + short)) if waiting else nothing
                return replace(haul, total=listing.count)

            return await in_steps(self.name, sub_query, steps, ask, limit=limit)

    async def find(self, identifiers: Identifiers) -> Document | None:
        """The record of a PMID, or of a PMCID or DOI that PubMed knows; None where it has none.

        Raises:
            Failure: the source did not answer.
        """
        if identifiers.pmid:
            batch = await self._records({"id": identifiers.pmid})
            return next((d for d in batch.documents if d.identifiers.pmid == identifiers.pmid), None)
        # A PMCID is recognised as it stands; a DOI wants its field.
        term = identifiers.pmcid or (f'"{identifiers.doi}"[doi]' if identifiers.doi else None)
        if term is None:
            return None
        haul = await self._found(term, 2)
        # What PubMed does not recognise it searches as text: only the same identifier counts.
        wanted = set(identifiers.keys())
        return next((d for d in haul.documents if wanted & set(d.identifiers.keys())), None)

    async def notices(self, pmids: Sequence[str]) -> tuple[Mapping[str, tuple[Notice, ...]], int]:
        """What PubMed says now about retraction, concern and correction of these records, by PMID.

        The second value is how many records came that cannot be read: any of them might be retracted.

        Raises:
            Failure: the source did not answer.
        """
        found: dict[str, tuple[Notice, ...]] = {}
        unread = 0
        for start in range(0, len(pmids), _BATCH):
            batch = await self._records({"id": ",".join(pmids[start : start + _BATCH])}, anew=True)
            found |= {d.identifiers.pmid: d.notices for d in batch.documents if d.identifiers.pmid in set(pmids)}
            unread += batch.unusable
        return found, unread

    async def _found(self, term: str, limit: int) -> Haul:
        notes: list[str] = []
        if limit > _CAP:
            limit = _CAP
            notes.append(f"PubMed gives no more than the first {_CAP:,} records of a search")
        listing = await self._listing(term, limit)
        wanted = min(limit, listing.count)
        if listing.history and wanted > len(listing.ids):
            batches: list[Mapping[str, str]] = [
                {**listing.history, "retstart": str(start), "retmax": str(min(_BATCH, wanted - start))}
                for start in range(0, wanted, _BATCH)
            ]
            haul = await self._batches(batches, listing.ids, wanted)
        else:
            haul = await self._fetched(listing.ids[:wanted], wanted)
        return replace(haul, total=listing.count, shortfall="; ".join(filter(None, (*notes, haul.shortfall))))

    async def _fetched(self, ids: Sequence[str], promised: int) -> Haul:
        batches = [{"id": ",".join(ids[start : start + _BATCH])} for start in range(0, len(ids), _BATCH)]
        return await self._batches(batches, ids, promised)

    async def _union(self, ids: Sequence[str]) -> _Batch:
        documents: list[Document] = []
        unusable = 0
        for start in range(0, len(ids), _BATCH):
            batch = await self._records({"id": ",".join(ids[start : start + _BATCH])})
            documents += batch.documents
            unusable += batch.unusable
        return _Batch(tuple(documents), unusable)

    async def _batches(self, batches: Sequence[Mapping[str, str]], ids: Sequence[str], promised: int) -> Haul:
        documents: list[Document] = []
        notes: list[str] = []
        unusable = 0
        for batch in batches:
            try:
                got = await self._records(batch)
            except Failure as failure:
                if not documents:
                    raise
                notes.append(failure.reason)
                break
            documents += got.documents
            unusable += got.unusable
        documents = _in_order(documents, ids)
        if len(documents) < promised:
            notes.insert(0, _missing(len(documents), promised, unusable))
        return Haul(documents=tuple(documents), shortfall="; ".join(notes))

    async def _listing(self, term: str, limit: int) -> _Listing:
        params = {
            "db": "pubmed",
            "term": term,
            "retmode": "xml",
            "retmax": str(min(limit, _BATCH)),
            "sort": "relevance",
        }
        if limit > _BATCH:
            params["usehistory"] = "y"
        return await self._client.ask(self._service, _request("/esearch.fcgi", params), _listed)

    async def _records(self, wanted: Mapping[str, str], *, anew: bool = False) -> _Batch:
        params = {"db": "pubmed", "retmode": "xml", **wanted}
        return await self._client.ask(self._service, _request("/efetch.fcgi", params), _read, anew=anew)


def _request(path: str, params: Mapping[str, str]) -> Request:
    long = sum(map(len, params.values())) > _LONGEST_QUERY
    return Request(path=path, form=params, accept=_XML) if long else Request(path=path, params=params, accept=_XML)


def _error(reply: Reply, words: str) -> Failure:
    """NCBI's `ERROR` inside a 200: its own trouble, which passes, or ours, which does not."""
    text = shown(words)
    trouble = ("backend", "unavailable", "timed out", "timeout", "try again", "internal", "cannot process", "failed")
    if any(word in text.lower() for word in trouble):
        return Failure(Status.UNREACHABLE, f"{reply.title} could not search just now: {text}", again=0.0)
    return Failure(Status.BAD_QUERY, f"{reply.title} did not understand the request: {text}")


def _listed(reply: Reply) -> _Listing:
    root = reply.xml()
    if root.tag != "eSearchResult":
        raise malformed(f"{reply.title} answered a search with <{shown(str(root.tag))}>")
    error = root.findtext("ERROR")
    if error:
        raise _error(reply, error)
    count = (root.findtext("Count") or "").strip()
    if not (count.isascii() and count.isdigit()):
        raise malformed(f"{reply.title} does not say how many records it has")
    listed = ((node.text or "").strip() for node in root.iterfind("IdList/Id"))
    ids = tuple(dict.fromkeys(identifier for identifier in listed if identifier.isdigit()))
    history = {"WebEnv": root.findtext("WebEnv") or "", "query_key": root.findtext("QueryKey") or ""}
    return _Listing(max(int(count), len(ids)), ids, history if all(history.values()) else {})


def _read(reply: Reply) -> _Batch:
    root = reply.xml()
    if root.tag != "PubmedArticleSet":
        error = root.findtext("ERROR")
        if error or root.tag == "ERROR":
            raise _error(reply, error or root.text or "")
        raise malformed(f"{reply.title} answered with <{shown(str(root.tag))}> instead of records")
    if not len(root):
        return _Batch((), 0)
    items = list(pubmed_xml.read(BytesIO(reply.content), reply.title, Limits()))
    documents = tuple(item for item in items if isinstance(item, Document) and item.title)
    return _Batch(documents, len(items) - len(documents))


def _in_order(documents: Sequence[Document], ids: Sequence[str]) -> list[Document]:
    """Once each, in the order of the search; efetch may sort otherwise. Unlisted ones keep their place at the end."""
    rank = {identifier: n for n, identifier in enumerate(ids)}
    once: dict[str, Document] = {}
    for document in documents:
        once.setdefault(document.id, document)
    return sorted(once.values(), key=lambda document: rank.get(document.identifiers.pmid or "", len(rank)))
