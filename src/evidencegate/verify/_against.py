"""What a text is checked against: documents, files, identifiers, libraries."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from evidencegate.documents import Document, Identifiers, Passage, doi, heard, nct, pmcid, pmid
from evidencegate.errors import EvidenceGateError, UnknownName

Resolver = Callable[[Identifiers], Document | None]
"""Fetches the record behind identifiers; None where no source has it. May raise `EvidenceGateError`.

Called from several threads at once where a text cites much; `evidencegate.sources.resolver` gives one.
"""


@runtime_checkable
class Searchable(Protocol):
    """A library, as far as a check needs it."""

    def search(self, query: str, *, limit: int = 10) -> "Sequence[object]":
        """Hits, best first; each has `passage` or `document`."""
        ...


Against = Document | Path | str | Identifiers | Searchable


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What was found of what a text should be checked against."""

    documents: tuple[Document, ...] = ()
    libraries: tuple[Searchable, ...] = ()
    warnings: tuple[str, ...] = ()


def gather(against: Against | Iterable[Against], resolve: Resolver | None) -> Sources:
    """Documents and libraries behind `against`; what could not be had is a warning.

    Raises `UserError` for a name that is neither a file nor an identifier nor a text.
    """
    items: Iterable[Against]
    items = [against] if isinstance(against, Document | Path | str | Identifiers | Searchable) else against
    documents: list[Document] = []
    libraries: list[Searchable] = []
    warnings: list[str] = []
    for item in items:
        library = _library(item)
        if library is not None:
            libraries.append(library)
        elif isinstance(item, Document):
            documents.append(item)
        elif isinstance(item, Identifiers):
            documents.extend(_fetched(item, resolve, warnings))
        elif isinstance(item, Path | str):
            documents.extend(_named(item, resolve, warnings))
        else:
            libraries.append(item)
    documents = [heard(document) for document in documents]
    for document in documents:
        if not document.text.strip():
            warnings.append(f"{document.id} has no text to check against: it is empty, scanned or encrypted.")
        elif document.retracted:
            warnings.append(f"{document.id} is retracted: it supports and refutes nothing.")
    return Sources(documents=tuple(documents), libraries=tuple(libraries), warnings=tuple(warnings))


def _named(item: Path | str, resolve: Resolver | None, warnings: list[str]) -> list[Document]:
    path = Path(item) if isinstance(item, Path) or _may_be_path(item) else None
    if path is not None and path.exists():
        return _files(path, warnings)
    if isinstance(item, Path):
        raise UnknownName(f"There is no file {item}.")
    named = identifiers(item)
    if named:
        return _fetched(named, resolve, warnings)
    if len(item.split()) >= 5:
        return [Document(id="local:source", title="", text=item, source="text")]
    raise UnknownName(f"{item!r} is neither a file nor a PMID, PMCID, DOI or NCT number.")


def _library(item: Against) -> Searchable | None:
    """The library that a folder is; None for everything else."""
    if not isinstance(item, Path | str) or not _may_be_path(str(item)):
        return None
    path = Path(item)
    if not path.is_dir() or not any(child.suffix == ".lance" for child in path.iterdir()):
        return None
    from evidencegate.library import Library  # loads LanceDB

    return Library(path, create=False)


def _may_be_path(item: str) -> bool:
    return len(item) < 1024 and "\n" not in item and "\0" not in item


def identifiers(text: str) -> Identifiers:
    """The identifier that a word is: `PMID: 123`, `10.1000/x`, `PMC12`, `NCT01234567`, or an address with one."""
    text = text.strip()
    if nct(text):
        return Identifiers(nct=nct(text))
    if doi(text):
        return Identifiers(doi=doi(text))
    if re.search(r"PMC\d", text, re.IGNORECASE) and pmcid(text):
        return Identifiers(pmcid=pmcid(text))
    return Identifiers(pmid=pmid(text))


def _fetched(named: Identifiers, resolve: Resolver | None, warnings: list[str]) -> list[Document]:
    label = named.keys()[0] if named else "no identifier"
    if resolve is None:
        warnings.append(f"{label} was not fetched: no source is at hand.")
        return []
    try:
        document = resolve(named)
    except EvidenceGateError as error:
        warnings.append(f"{label} could not be fetched: {error}")
        return []
    if document is None:
        warnings.append(f"{label} was not found.")
        return []
    return [document]


def _files(path: Path, warnings: list[str]) -> list[Document]:
    from evidencegate.documents.readers import Skipped, read  # readers load lxml

    documents: list[Document] = []
    for item in read(path):
        if isinstance(item, Document):
            documents.append(item)
        elif isinstance(item, Skipped):
            warnings.append(f"{item.path} was left out: {item.reason}")
    if not documents:
        warnings.append(f"{path.name} holds no document that could be read.")
    return documents


def found_by(library: Searchable, claim: str, limit: int) -> list[Passage]:
    """Passages a library has for a claim, best first."""
    passages = []
    for hit in library.search(claim, limit=limit):
        passage = getattr(hit, "passage", None)
        if isinstance(passage, Passage):
            passages.append(passage)
    return passages
