"""The texts that a run quotes, found in its own ledger: nothing is asked for, and nothing is searched again."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evidencegate.documents import Document, Span, from_json, heard
from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.evidence import anchor_document, load_packs, merge
from evidencegate.runs import Ledger
from evidencegate.sources.recorded import searches
from evidencegate.web._jobs import Job, Kind

_ANCHOR = "anchor:"


class TextGone(InvalidInput):
    """A quoted text is not in the run's ledger any more, or was another one then."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A literal slice of a document, as a run shows it."""

    document: str
    span: Span
    text: str

    def stands_in(self, document: Document) -> bool:
        """Whether the document's text has these very words at this place."""
        return self.span.end <= len(document.text) and self.span.of(document.text) == self.text


def quotes(job: Job) -> Iterator[Quoted]:
    """Every quote that a run shows, in order."""
    result = job.info.result or {}
    if job.kind is Kind.CHECK:
        for claim in result.get("claims", ()):
            if claim["quote"]:
                yield _quoted(claim["document"], claim["quote"])
    elif job.kind is Kind.COUNTER:
        for claim in result.get("claims", ()):
            for passage in claim["accepted"]:
                yield _quoted(passage["document"], {**passage["span"], "text": passage["passage"]})
    else:
        for sentence in sentences(result):
            for citation in sentence["citations"]:
                yield _quoted(citation["document"], citation["quote"])


def sentences(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every sentence of an answer or a report that has citations."""
    if result:
        yield from result["answer"]["sentences"]
        yield from result["contradictory"]


def _quoted(document: str, quote: Mapping[str, Any]) -> Quoted:
    return Quoted(document, Span(quote["start"], quote["end"]), quote["text"])


def document_of(ledger: Ledger, job: Job, name: str, packs: Path | None) -> tuple[Document, list[Quoted]]:
    """The document called `name` whose text has what the run quotes of it, and those quotes.

    Raises:
        UnknownName: the run quotes no such document.
        TextGone: its text is not there any more.
    """
    wanted = list(dict.fromkeys(quote for quote in quotes(job) if quote.document == name))
    if not wanted:
        raise UnknownName(f"This run quotes no document {name!r}.")
    for document in _documents(ledger, job, name, packs):
        # As it was published where that holds, else as it was read: without what speaks to the program.
        for text in (document, heard(document)):
            if text.id == name and all(quote.stands_in(text) for quote in wanted):
                return text, wanted
    raise TextGone(
        "The text that was quoted is not in the ledger of this run any more, or was brought up to date since. The "
        "quote itself stands in the run; open the article to read it in its text."
    )


def _documents(ledger: Ledger, job: Job, name: str, packs: Path | None) -> Iterator[Document]:
    if name.startswith(_ANCHOR):
        yield anchor_document(load_packs(packs).anchor(name.removeprefix(_ANCHOR)))
    elif job.kind is Kind.CHECK:
        yield from _checked_against(ledger, job.id)
    else:
        found = list(searches(ledger, job.id))
        yield from (work.document for work in merge(found))
        yield from (one.document for result in found for one in result.found)


def _checked_against(ledger: Ledger, run: str) -> Iterator[Document]:
    """What a check was given, fetched, or found in a library."""
    for step, kept in ledger.steps(run):
        if step == "documents":
            yield from map(from_json, kept)
        elif step == "record" and kept["document"] is not None:
            yield from_json(kept["document"])
        elif step == "library":
            yield from (from_json(hit["document"]) for hit in kept)
