"""`Document`: one citable record."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from evidencegate.documents._identifiers import Identifiers
from evidencegate.documents._span import Span

# Lines end in one of three ways, and a file's own text keeps its own.
BLANK_LINE = re.compile(r"(?>\r\n|\r|\n)[^\S\r\n]*(?>\r\n|\r|\n)")


class RetractionStatus(StrEnum):
    """What became of a record after it was published; the gravest notice wins."""

    NONE = "none"
    CORRECTED = "corrected"
    CONCERN = "expression_of_concern"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One notice of retraction, concern or correction, and who said so."""

    status: RetractionStatus
    source: str
    reference: str = ""
    """The notice itself: a citation, PMID or DOI, as the source gave it."""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A labelled stretch of a document's text. The label is not part of the text."""

    label: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One citable record: what it is called, who made it, and the one text all spans refer to.

    `text` is the abstract or the full text, paragraphs parted by a blank line. It never holds section labels
    or the title, so that any slice within a paragraph is found literally in the source as published.
    """

    id: str
    """`pmid:…`, `pmcid:…`, `doi:…`, `nct:…`, `anchor:…`, or `local:…` for what has no identifier."""
    title: str
    text: str
    identifiers: Identifiers = field(default_factory=Identifiers)
    sections: tuple[Section, ...] = ()
    authors: tuple[str, ...] = ()
    """`Family Initials` each, as NLM prints them; a group by its name."""
    journal: str = ""
    year: int | None = None
    published: str = ""
    """ISO date as far as it is known: `2021`, `2021-03` or `2021-03-09`."""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    publication_types: tuple[str, ...] = ()
    mesh: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    language: str = ""
    source: str = ""
    """Where the record came from: `pubmed`, `europe_pmc`, `library`, `anchors`, `file`, …"""
    stored_url: str | None = None
    """A guideline's own address, where the record has no identifier; checked when a reference is made."""
    licence: str = ""
    citations: int | None = None
    full_text: bool = False
    curated: bool = False
    """The text is our own summary of the work, not the work: quotes from it are marked so."""
    notices: tuple[Notice, ...] = ()

    def __post_init__(self) -> None:
        if not self.id:
            raise ValueError("a document needs an id")
        whole = Span(0, len(self.text))
        end = 0
        for section in self.sections:
            if section.span not in whole or section.span.start < end:
                raise ValueError(f"section {section.label!r} overlaps or leaves the text of {self.id}")
            end = section.span.end

    @property
    def retraction(self) -> RetractionStatus:
        """The gravest of the notices."""
        order = list(RetractionStatus)
        return max((notice.status for notice in self.notices), key=order.index, default=RetractionStatus.NONE)

    @property
    def retracted(self) -> bool:
        """Whether the record was withdrawn: it supports nothing (rule 9)."""
        return self.retraction is RetractionStatus.RETRACTED

    @property
    def url(self) -> str | None:
        """The address of the article itself (rule 7): an anchor's stored one, else built from its identifiers."""
        return self.stored_url or self.identifiers.url

    def section_at(self, offset: int) -> Section | None:
        """The section that holds the character at `offset`."""
        return next((s for s in self.sections if s.span.start <= offset < s.span.end), None)

    def paragraphs(self) -> Iterator[Span]:
        """The stretches between blank lines, in order, without surrounding space."""
        start = 0
        for end, following in [*(m.span() for m in BLANK_LINE.finditer(self.text)), (len(self.text),) * 2]:
            part = self.text[start:end]
            stripped = part.strip()
            if stripped:
                left = start + len(part) - len(part.lstrip())
                yield Span(left, left + len(stripped))
            start = following
