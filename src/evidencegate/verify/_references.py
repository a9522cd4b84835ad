"""A text's own citations: where it cites, and the entries of its reference list."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from evidencegate.documents import Identifiers, Span, sentences
from evidencegate.verify._lexicon import words


class Style(StrEnum):
    """How a citation is written."""

    NUMBER = "number"
    AUTHOR_YEAR = "author_year"
    PMID = "pmid"
    PMCID = "pmcid"
    DOI = "doi"
    NCT = "nct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of a reference list, as the text gives it."""

    n: int
    text: str
    span: Span
    identifiers: Identifiers
    years: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One place that cites one thing."""

    span: Span
    sentence: int
    style: Style
    n: int | None = None
    identifiers: Identifiers = field(default_factory=Identifiers)
    author: str = ""
    year: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedText:
    """A text with its citations and its reference list."""

    text: str
    mentions: tuple[Mention, ...]
    entries: tuple[Entry, ...]
    reference_spans: tuple[Span, ...]
    """The stretches that are list, not text."""

    def entry(self, n: int) -> Entry | None:
        """The entry with number `n`."""
        return next((entry for entry in self.entries if entry.n == n), None)

    def entry_of(self, mention: Mention) -> Entry | None:
        """The entry that a mention points to, by number, identifier, or author and year."""
        if mention.n is not None:
            return self.entry(mention.n)
        if mention.identifiers:
            wanted = set(mention.identifiers.keys())
            return next((e for e in self.entries if wanted & set(e.identifiers.keys())), None)
        name = mention.author.casefold()
        return next(
            (e for e in self.entries if mention.year in e.years and name in e.text[:60].casefold() and name), None
        )


_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*)?(?:\*\*|__)?(?:\d+\.?[ \t]+)?"
    r"(?:references?|bibliography|literature(?: cited)?|works cited|sources)[ \t]*:?(?:\*\*|__)?[ \t]*:?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_NEXT_HEADING = re.compile(r"^#{1,6}[ \t]+\S", re.MULTILINE)
_NUMBERED = re.compile(r"^[ \t]*(?:[-*][ \t]+)?(?:\[\^?(\d{1,4})\]:?|(\d{1,4})[.)])[ \t]+(?=\S)", re.MULTILINE)
_FOOTNOTE = re.compile(r"^\[\^(\d{1,4})\]:[ \t]*(?=\S)", re.MULTILINE)
_BRACKETED = re.compile(r"\[\^?(\d{1,4}(?:\s*[,;–-]\s*\^?\d{1,4})*)\](?![(:])")
_SUPERSCRIPT = re.compile(r"(?<=[\w.,;)])([⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,⁻–-][⁰¹²³⁴⁵⁶⁷⁸⁹]+)*)")
_FROM_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_NAME = r"\b[A-ZÀ-Þ][\w'’-]{1,40}"
_AUTHOR_YEAR = re.compile(
    rf"(?P<author>{_NAME})(?:\s+(?:et\s+al\.?|and\s+{_NAME}|&\s+{_NAME}))?(?:'s)?,?\s*\(?(?P<year>(?:19|20)\d\d)[a-z]?\b\)?"
)
_INLINE = (
    (Style.PMCID, re.compile(r"\bPMC\s?ID\s*:?\s*(?P<id>PMC\d{1,9})\b|\b(?P<bare>PMC\d{4,9})\b", re.IGNORECASE)),
    (
        Style.PMID,
        re.compile(r"\bPMID\s*:?\s*(?P<id>\d{1,9})\b|pubmed[^\s)\]]{0,60}?/(?P<bare>\d{1,9})\b", re.IGNORECASE),
    ),
    (Style.NCT, re.compile(r"\b(?P<id>NCT\d{8})\b(?P<bare>)", re.IGNORECASE)),
    (
        Style.DOI,
        re.compile(
            r"(?:https?://(?:dx\.)?doi\.org/|\bdoi\s*:?\s*|\b)"
            r"(?P<id>10\.\d{4,9}/[^\s\])>\"'“”]+[^\s\])>\"'“”.,;])(?P<bare>)",
            re.IGNORECASE,
        ),
    ),
)
_RANGE_LIMIT = 50


def read_citations(text: str) -> CitedText:
    """The citations of `text` and its reference list. Time is linear in the length of the text."""
    entries, listed = _entries(text)
    starts = [span.start for span in sentences(text)]
    found = [
        replace(mention, sentence=max(0, bisect_right(starts, mention.span.start) - 1))
        for mention in _found(text, has_list=bool(entries))
        if not any(mention.span.overlaps(stretch) for stretch in listed)
    ]
    found.sort(key=lambda mention: (mention.span, mention.n or 0))
    return CitedText(text=text, mentions=tuple(found), entries=entries, reference_spans=listed)


def identifiers_in(text: str) -> Identifiers:
    """The identifiers written in a reference entry."""
    raw: dict[str, object] = {}
    for style, pattern in _INLINE:
        match = pattern.search(text)
        if match:
            raw[style.value] = match["id"] or match["bare"]
    return Identifiers.parse(**raw)


def _found(text: str, *, has_list: bool) -> Iterator[Mention]:
    """Every mention, its sentence still to be set."""
    for match in _BRACKETED.finditer(text):
        yield from _numbered(match, match[1].replace("^", ""))
    if has_list:
        for match in _SUPERSCRIPT.finditer(text):
            yield from _numbered(match, match[1].translate(_FROM_SUPERSCRIPT))
    taken: list[Span] = []
    for style, pattern in _INLINE:
        for match in pattern.finditer(text):
            span = Span(*match.span())
            named = Identifiers.parse(**{style.value: match["id"] or match["bare"]})
            if named and not any(span.overlaps(other) for other in taken):
                taken.append(span)
                yield Mention(span=span, sentence=0, style=style, identifiers=named)
    for match in _AUTHOR_YEAR.finditer(text):
        bracketed = text[max(0, match.start() - 1) : match.start()] in "([;" or ")" in match[0] or "et al" in match[0]
        if bracketed and match["author"].casefold() not in words("claims", "not_authors"):
            span = Span(*match.span())
            yield Mention(
                span=span, sentence=0, style=Style.AUTHOR_YEAR, author=match["author"], year=int(match["year"])
            )


def _numbered(match: re.Match[str], written: str) -> Iterator[Mention]:
    for n in _numbers(written):
        yield Mention(span=Span(*match.span()), sentence=0, style=Style.NUMBER, n=n)


def _numbers(written: str) -> tuple[int, ...]:
    """`1-3, 7` as 1, 2, 3, 7; a range longer than 50 counts as its ends."""
    numbers: list[int] = []
    for part in re.split(r"[,;]", written):
        ends = [int(n) for n in re.findall(r"\d+", part)]
        if len(ends) == 2 and ends[0] < ends[1] <= ends[0] + _RANGE_LIMIT:
            numbers.extend(range(ends[0], ends[1] + 1))
        else:
            numbers.extend(ends)
    return tuple(dict.fromkeys(numbers))


def _entries(text: str) -> tuple[tuple[Entry, ...], tuple[Span, ...]]:
    """Entries of the last reference list and of footnotes, and the stretches they fill."""
    headings = list(_HEADING.finditer(text))
    found: list[Entry] = []
    stretches: list[Span] = []
    if headings:
        heading = headings[-1]
        following = _NEXT_HEADING.search(text, heading.end())
        stretch = Span(heading.start(), following.start() if following else len(text))
        stretches.append(stretch)
        found.extend(_listed(text, Span(heading.end(), stretch.end)))
    for match in _FOOTNOTE.finditer(text):
        if any(match.start() in range(s.start, s.end) for s in stretches):
            continue
        end = text.find("\n", match.end())
        span = Span(match.start(), len(text) if end < 0 else end)
        stretches.append(span)
        found.append(_entry(int(match[1]), text, Span(match.end(), span.end)))
    return tuple(found), tuple(stretches)


def _listed(text: str, stretch: Span) -> Iterator[Entry]:
    marks = list(_NUMBERED.finditer(text, stretch.start, stretch.end))
    if marks:
        for mark, following in zip(marks, [*marks[1:], None], strict=True):
            end = following.start() if following else stretch.end
            yield _entry(int(mark[1] or mark[2]), text, Span(mark.end(), end))
        return
    # A line that is set in further and has no bullet goes on with the entry above it.
    lines = re.finditer(
        r"^[ \t]*(?:[-*+•][ \t]+)?(\S.*(?:\n[ \t]{2,}(?![-*+•][ \t])\S.*)*)$", stretch.of(text), re.MULTILINE
    )
    for number, line in enumerate(lines, start=1):
        yield _entry(number, text, Span(line.start(1), line.end(1)).shift(stretch.start))


def _entry(n: int, text: str, span: Span) -> Entry:
    body = span.of(text).strip()
    years = frozenset(int(year) for year in re.findall(r"(?<!\d)((?:19|20)\d\d)(?!\d)", body))
    left = span.start + span.of(text).index(body) if body else span.start
    return Entry(n=n, text=body, span=Span(left, left + len(body)), identifiers=identifiers_in(body), years=years)
