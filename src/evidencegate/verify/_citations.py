"""Checking a text's own citations: is each record what the text says it is, and may it be relied on?"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evidencegate.documents import Document, Identifiers, RetractionStatus
from evidencegate.errors import EvidenceGateError
from evidencegate.verify._against import Resolver, Sources
from evidencegate.verify._references import CitedText, Entry, Mention, Style, read_citations
from evidencegate.verify._wording import content

__all__ = [
    "CitationCheck",
    "CitedText",
    "Identity",
    "IdentityStatus",
    "check_citations",
    "corrected_references",
    "read_citations",
]


class IdentityStatus(StrEnum):
    """Whether the record behind an identifier is the work that the text means (rule 8)."""

    VERIFIED = "verified"
    MISMATCH = "mismatch"
    COULD_NOT_CHECK = "could_not_check"


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A comparison of record and citation, with what differs or why it could not be made."""

    status: IdentityStatus
    differs: tuple[str, ...] = ()
    reason: str = ""

    def __post_init__(self) -> None:
        if (self.status is IdentityStatus.MISMATCH) != bool(self.differs):
            raise ValueError("a mismatch says what differs")
        if self.status is IdentityStatus.COULD_NOT_CHECK and not self.reason:
            raise ValueError("what could not be checked says why")

    @property
    def usable(self) -> bool:
        """Whether sentences may be checked against the record."""
        return self.status is not IdentityStatus.MISMATCH


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationCheck:
    """One cited thing: where it is cited, what was found for it, and whether it is that."""

    label: str
    """As the text cites it: `[3]`, `Smith 2019`, `PMID 123`."""
    mentions: tuple[Mention, ...]
    entry: Entry | None
    identifiers: Identifiers
    document: Document | None
    identity: Identity

    def __post_init__(self) -> None:
        if self.document is None and self.identity.status is not IdentityStatus.COULD_NOT_CHECK:
            raise ValueError("without a record nothing was compared")

    @property
    def sentences(self) -> frozenset[int]:
        """Indices of the sentences that cite it."""
        return frozenset(mention.sentence for mention in self.mentions)

    @property
    def retraction(self) -> RetractionStatus:
        """What became of the record."""
        return self.document.retraction if self.document else RetractionStatus.NONE

    @property
    def faulty(self) -> bool:
        """Whether the citation is wrong: another work, a retracted one, or a number that the list does not have."""
        dangling = self.entry is None and self.mentions[0].style is Style.NUMBER
        return (
            self.identity.status is IdentityStatus.MISMATCH or self.retraction is RetractionStatus.RETRACTED or dangling
        )


# A record's title must have this much of its words in the citation. Journals and databases spell titles
# differently (subtitles, Greek letters); another work shares far less.
TITLE_SHARE = 0.6


def compare_identity(document: Document, entry: Entry | None, mention: Mention) -> Identity:
    """Compare a fetched record with how the text describes it: title, first author, year, journal.

    A year may be off by one (online first). Only what the text gives is compared.
    """
    described = entry.text if entry else ""
    said = set(content(described))
    title = set(content(document.title))
    if len(said) < 4:
        return _compare_inline(document, mention)
    differs = []
    if title and len(title & said) / len(title) < TITLE_SHARE:
        differs.append(f"title: the record is “{document.title}”")
    family = _family(document)
    if family and family.casefold() not in described.casefold():
        differs.append(f"first author: the record has {document.authors[0]}")
    years = entry.years if entry else frozenset()
    if document.year and years and all(abs(document.year - year) > 1 for year in years):
        differs.append(f"year: the record has {document.year}")
    if any(d.startswith("title") for d in differs) or len(differs) > 1:
        return Identity(status=IdentityStatus.MISMATCH, differs=tuple(differs))
    if differs and not title:
        return Identity(status=IdentityStatus.MISMATCH, differs=tuple(differs))
    if differs:
        # The title is right: an error in the citation, not another work. It still differs.
        return Identity(status=IdentityStatus.MISMATCH, differs=tuple(differs))
    return Identity(status=IdentityStatus.VERIFIED)


def _compare_inline(document: Document, mention: Mention) -> Identity:
    if not mention.author:
        return Identity(
            status=IdentityStatus.COULD_NOT_CHECK, reason="the text gives an identifier and nothing to compare"
        )
    differs = []
    if mention.author.casefold() not in " ".join(document.authors).casefold():
        differs.append(f"author: the record has {document.authors[0] if document.authors else 'none'}")
    if document.year and mention.year and abs(document.year - mention.year) > 1:
        differs.append(f"year: the record has {document.year}")
    if differs:
        return Identity(status=IdentityStatus.MISMATCH, differs=tuple(differs))
    return Identity(status=IdentityStatus.VERIFIED)


def _family(document: Document) -> str:
    first = document.authors[0] if document.authors else ""
    return first.rsplit(" ", 1)[0] if " " in first else first


def check_citations(cited: CitedText, resolve: Resolver | None) -> tuple[tuple[CitationCheck, ...], Sources]:
    """Fetch and compare everything the text cites; what the list has and the text does not cite is a warning."""
    groups: dict[str, list[Mention]] = {}
    for mention in cited.mentions:
        entry = cited.entry_of(mention)
        key = f"entry {entry.n}" if entry else _label(mention, cited)
        groups.setdefault(key, []).append(mention)
    warnings: list[str] = []
    checks = []
    for mentions in groups.values():
        entry = cited.entry_of(mentions[0])
        named = next((m.identifiers for m in mentions if m.identifiers), None)
        identifiers = entry.identifiers if entry and entry.identifiers else named or Identifiers()
        document, reason = _fetch(identifiers, entry, resolve)
        if document is None:
            identity = Identity(status=IdentityStatus.COULD_NOT_CHECK, reason=reason)
        else:
            identity = compare_identity(document, entry, mentions[0])
        check = CitationCheck(
            label=f"[{entry.n}]" if entry else _label(mentions[0], cited), mentions=tuple(mentions), entry=entry,
            identifiers=identifiers, document=document, identity=identity,
        )  # fmt: skip
        warnings.extend(_warnings(check))
        checks.append(check)
    uncited = [entry.n for entry in cited.entries if f"entry {entry.n}" not in groups]
    if uncited:
        warnings.append("In the reference list but never cited: " + ", ".join(f"[{n}]" for n in uncited) + ".")
    if not cited.mentions:
        warnings.append("The text cites nothing, and no source was given to check it against.")
    documents = {check.document.id: check.document for check in checks if check.document}
    return tuple(checks), Sources(documents=tuple(documents.values()), warnings=tuple(warnings))


def _label(mention: Mention, cited: CitedText) -> str:
    if mention.n is not None:
        return f"[{mention.n}]"
    return mention.identifiers.keys()[0] if mention.identifiers else f"{mention.author} {mention.year}"


def _fetch(identifiers: Identifiers, entry: Entry | None, resolve: Resolver | None) -> tuple[Document | None, str]:
    if not identifiers:
        return None, "the reference has no identifier" if entry else "the reference list has no such entry"
    if resolve is None:
        return None, "no source is at hand to fetch it from"
    try:
        document = resolve(identifiers)
    except EvidenceGateError as error:
        return None, f"it could not be fetched: {error}"
    return document, "" if document else f"no source has a record for {identifiers.keys()[0]}"


def _warnings(check: CitationCheck) -> list[str]:
    found = []
    if check.identity.status is IdentityStatus.MISMATCH:
        found.append(f"{check.label} is another work than its identifier: {'; '.join(check.identity.differs)}.")
    elif check.document is None:
        found.append(f"{check.label} could not be checked: {check.identity.reason}.")
    if check.retraction is not RetractionStatus.NONE:
        found.append(f"{check.label}: {check.retraction.value.replace('_', ' ')}.")
    return found


def corrected_references(cited: CitedText, checks: Sequence[CitationCheck]) -> str:
    """The reference list in Markdown: records as fetched, what is wrong marked, what is unknown left as it was."""
    if not cited.entries:
        return ""
    by_number = {check.entry.n: check for check in checks if check.entry}
    lines = []
    for entry in cited.entries:
        check = by_number.get(entry.n)
        as_given = " ".join(entry.text.split())
        if check is None or check.document is None:
            why = f" *(could not be checked: {check.identity.reason})*" if check else " *(never cited)*"
            lines.append(f"{entry.n}. {as_given}{why}")
            continue
        status = (
            ""
            if check.retraction is RetractionStatus.NONE
            else f"**{check.retraction.value.replace('_', ' ').upper()}.** "
        )
        if check.identity.status is IdentityStatus.MISMATCH and any("title" in d for d in check.identity.differs):
            lines.append(f"{entry.n}. {as_given} *(the identifier belongs to: {formatted(check.document)})*")
        else:
            lines.append(f"{entry.n}. {status}{formatted(check.document)}")
    return "\n".join(lines)


def formatted(document: Document) -> str:
    """A record as one line: authors, title, journal, year, address of the article."""
    authors = ", ".join(document.authors[:3]) + (", et al" if len(document.authors) > 3 else "")
    pieces = [authors, document.title, document.journal, str(document.year or ""), document.url or ""]
    return " ".join(p if p.endswith((".", "/")) or p.startswith("http") else p + "." for p in pieces if p)
