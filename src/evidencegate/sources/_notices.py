"""What became of records since they were published: asked of PubMed and of Crossref, and dated."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evidencegate.documents import Document, Notice
from evidencegate.sources._failure import Failure
from evidencegate.sources._http import Client, within
from evidencegate.sources._steps import now
from evidencegate.sources.crossref import Crossref
from evidencegate.sources.pubmed import PubMed

# Seconds. The answer is ready by then; a register that takes longer is named as one that did not answer.
_PATIENCE = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeCheck:
    """The notices about some records at one moment."""

    checked_at: str
    """ISO 8601, UTC."""
    notices: Mapping[str, tuple[Notice, ...]]
    """By the document's id; every document asked about is here, most with nothing."""
    unanswered: tuple[str, ...] = ()
    """Who could not be asked, in words: "no notice" then means less."""

    def applied(self, documents: Sequence[Document]) -> tuple[Document, ...]:
        """The documents with the notices known before and those found now. None is ever taken away."""
        return tuple(
            replace(document, notices=_joined(document.notices, self.notices.get(document.id, ())))
            for document in documents
        )


async def current_notices(documents: Sequence[Document], client: Client) -> NoticeCheck:
    """Ask PubMed and Crossref anew about retractions, concerns and corrections of `documents`.

    Replies kept from earlier are not used, except offline. Three requests for any list up to a hundred records.
    """
    checked_at = now()
    # Works that are kept apart may share an identifier: letters and their replies are registered under one DOI.
    by_pmid = _ids(documents, "pmid")
    by_doi = _ids(documents, "doi")
    found: dict[str, tuple[Notice, ...]] = {document.id: () for document in documents}
    unanswered: list[str] = []

    async def pubmed() -> None:
        known, unread = await PubMed(client).notices(list(by_pmid))
        for pmid, notices in known.items():
            for document in by_pmid[pmid]:
                found[document] = _joined(found[document], notices)
        if unread:
            unanswered.append(f"PubMed sent {unread} of {len(by_pmid)} records in a form that cannot be read")
        absent = [pmid for pmid in by_pmid if pmid not in known]
        if len(absent) > unread:
            unanswered.append(f"PubMed sent no record of {', '.join(absent)}")

    async def crossref() -> None:
        for doi, notices in (await Crossref(client).notices(list(by_doi))).items():
            for document in by_doi[doi]:
                found[document] = _joined(found[document], notices)

    with within(min(_PATIENCE, client.settings.source_seconds)):
        asked = [ask() for ask, known in ((pubmed, by_pmid), (crossref, by_doi)) if known]
        for outcome in await asyncio.gather(*asked, return_exceptions=True):
            if isinstance(outcome, Failure):
                unanswered.append(outcome.reason)
            elif isinstance(outcome, BaseException):
                raise outcome
    return NoticeCheck(checked_at=checked_at, notices=found, unanswered=tuple(unanswered))


def _ids(documents: Sequence[Document], registry: str) -> Mapping[str, list[str]]:
    """The ids of the documents that each identifier of a registry names."""
    named: dict[str, list[str]] = {}
    for document in documents:
        if identifier := getattr(document.identifiers, registry):
            named.setdefault(identifier, []).append(document.id)
    return named


def _joined(first: Sequence[Notice], second: Sequence[Notice]) -> tuple[Notice, ...]:
    """Each notice once; one that names its notice takes the place of one that only says there is one."""
    joined: dict[tuple[object, str, str], Notice] = {}
    for notice in (*first, *second):
        joined.setdefault((notice.status, notice.source, notice.reference), notice)
    named = {(notice.status, notice.source) for notice in joined.values() if notice.reference}
    return tuple(n for n in joined.values() if n.reference or (n.status, n.source) not in named)
