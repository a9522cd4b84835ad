"""Checking a text's own citations: is each record what the text says it is, and may it be relied on?"""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from evidencegate.documents import Document, Identifiers, RetractionStatus
from evidencegate.errors import EvidenceGateError
from evidencegate.sources import Claimed, Identity, IdentityCheck, compare
from evidencegate.verify._against import Resolver, Sources
from evidencegate.verify._references import CitedText, Entry, Mention, Style, read_citations

__all__ = [
    "CitationCheck",
    "CitedText",
    "check_citations",
    "corrected_references",
    "read_citations",
]


FETCHED_AT_ONCE = 6
"""Records asked for side by side; the sources keep their own limits below that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationCheck:
    """One cited thing: where it is cited, what was found for it, and whether it is that."""

    label: str
    """As the text cites it: `[3]`, `Smith 2019`, `PMID 123`."""
    mentions: tuple[Mention, ...]
    entry: Entry | None
    identifiers: Identifiers
    document: Document | None
    comparison: IdentityCheck

    def __post_init__(self) -> None:
        if self.document is None and self.identity is not Identity.COULD_NOT_CHECK:
            raise ValueError("without a record nothing was compared")

    @property
    def identity(self) -> Identity:
        """Whether the record behind the identifier is the work that the text means (rule 8)."""
        return self.comparison.identity

    @property
    def usable(self) -> bool:
        """Whether sentences may be checked against the record."""
        return self.document is not None and self.identity is not Identity.MISMATCH

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
        wrong = self.identity is Identity.MISMATCH or self.retraction is RetractionStatus.RETRACTED
        return wrong or dangling


_SEGMENT = re.compile(r"(?<=[.?!])\s+|\s*[;]\s*")
# `Miller AB,` or `van der Berg, C.` at the head of an entry.
_FIRST_AUTHOR = re.compile(
    r"\s*(?:[a-z]{1,4}\s+){0,2}(?P<family>[A-ZÀ-Þ][\w'’-]+),?\s+(?:[A-Z]\.?\s?-?){1,3}(?=[,.;\s]|$)"
)


def claimed_work(entry: Entry | None, mention: Mention, record: Document) -> Claimed:
    """What the text says about a cited work.

    Reference lists have no fixed form, so the title is looked for with the record at hand: the run of segments of
    the entry that is the record's title, else the longest segment, which is what a reader would take for the title.
    """
    if entry is None or len(entry.text.split()) < 4:
        return Claimed(authors=(mention.author,) if mention.author else (), year=mention.year)
    author = _FIRST_AUTHOR.match(entry.text)
    years = sorted(entry.years, key=lambda year: abs(year - (record.year or year)))
    return Claimed(
        title=_claimed_title(entry.text[author.end() if author else 0 :], record),
        authors=(author["family"],) if author else (),
        year=years[0] if years else None,
    )


def _claimed_title(text: str, record: Document) -> str:
    parts = [part.strip(" .,") for part in _SEGMENT.split(text)]
    for size in (1, 2, 3):
        for first in range(len(parts) - size + 1):
            run = ". ".join(parts[first : first + size])
            if compare(Claimed(title=run), record).identity is Identity.VERIFIED:
                return run
    return max(parts, key=lambda part: sum(word.isalpha() for word in part.split()), default="")


def check_citations(cited: CitedText, resolve: Resolver | None) -> tuple[tuple[CitationCheck, ...], Sources]:
    """Fetch and compare everything the text cites; what the list has and the text does not cite is a warning."""
    groups: dict[str, list[Mention]] = {}
    for mention in cited.mentions:
        entry = cited.entry_of(mention)
        key = f"entry {entry.n}" if entry else _label(mention, cited)
        groups.setdefault(key, []).append(mention)
    wanted = [_wanted(mentions, cited) for mentions in groups.values()]
    pool = ThreadPoolExecutor(max_workers=FETCHED_AT_ONCE)
    try:
        fetched = list(pool.map(lambda one: _fetch(one[0], one[1], resolve), wanted))
    finally:  # who interrupts this does not wait for what is still being asked
        pool.shutdown(wait=False, cancel_futures=True)
    warnings: list[str] = []
    checks = []
    for mentions, (identifiers, entry), (document, reason) in zip(groups.values(), wanted, fetched, strict=True):
        if document is None:
            identity = IdentityCheck(identity=Identity.COULD_NOT_CHECK, reason=reason)
        else:
            identity = compare(claimed_work(entry, mentions[0], document), document)
        check = CitationCheck(
            label=f"[{entry.n}]" if entry else _label(mentions[0], cited), mentions=tuple(mentions), entry=entry,
            identifiers=identifiers, document=document, comparison=identity,
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


def _wanted(mentions: Sequence[Mention], cited: CitedText) -> tuple[Identifiers, Entry | None]:
    """What to fetch: by the entry's identifiers, else by those written in the text."""
    entry = cited.entry_of(mentions[0])
    named = next((m.identifiers for m in mentions if m.identifiers), Identifiers())
    return (entry.identifiers if entry and entry.identifiers else named), entry


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
    if check.identity is Identity.MISMATCH:
        found.append(f"{check.label} is not what its identifier leads to: {'; '.join(check.comparison.differences)}.")
    elif check.document is None:
        found.append(f"{check.label} could not be checked: {check.comparison.reason}.")
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
            why = f" *(could not be checked: {check.comparison.reason})*" if check else " *(never cited)*"
            lines.append(f"{entry.n}. {as_given}{why}")
            continue
        status = (
            ""
            if check.retraction is RetractionStatus.NONE
            else f"**{check.retraction.value.replace('_', ' ').upper()}.** "
        )
        if check.identity is Identity.MISMATCH and any(d.startswith("title") for d in check.comparison.differences):
            lines.append(f"{entry.n}. {as_given} *(the identifier belongs to: {formatted(check.document)})*")
        else:
            lines.append(f"{entry.n}. {status}{formatted(check.document)}")
    return "\n".join(lines)


def formatted(document: Document) -> str:
    """A record as one line: authors, title, journal, year, address of the article."""
    authors = ", ".join(document.authors[:3]) + (", et al" if len(document.authors) > 3 else "")
    pieces = [authors, document.title, document.journal, str(document.year or ""), document.url or ""]
    return " ".join(p if p.endswith((".", "/")) or p.startswith("http") else p + "." for p in pieces if p)
