"""Documents out of the fields of a reply."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus, Section, Span
from evidencegate.documents.readers._build import notices_of_title
from evidencegate.sources._markup import clean, plain

# Europe PMC and Crossref mark the parts of a structured abstract as headings.
# One that does not end within 500 characters is none, so that a reply full of beginnings costs no more to read.
_HEADING = re.compile(
    r"<\s{0,9}(?:\w{1,9}:)?(h[1-6]|title)\b[^<>]*>(.{0,500}?)<\s{0,9}/\s{0,9}(?:\w{1,9}:)?\1\s{0,9}>",
    re.IGNORECASE | re.DOTALL,
)
_PARAGRAPH = re.compile(
    r"<\s{0,9}/\s{0,9}(?:\w{1,9}:)?p\s{0,9}>|(?:<\s{0,9}br\s{0,9}/?\s{0,9}>\s{0,99}){2}|\n[^\S\n]{0,99}\n",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEARS = range(1500, 2200)
_GROUP = re.compile(
    r"\b(?:groups?|collaborat\w+|consorti\w+|committees?|investigators?|networks?|associations?|societ\w+|organi[sz]ations?|"
    r"foundation|institutes?|universit\w+|hospitals?|cent(?:er|re)s?|alliance|council|agency|team|initiative|ministry|"
    r"department|trials?|study|program(?:me)?|registry|working|task force|pharmaceuticals?|inc|ltd|gmbh|clinical)\b",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(?:Jr|Sr|II|III|IV|2nd|3rd)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """A labelled part of a text: paragraphs, each one line. The label may be empty."""

    label: str
    paragraphs: tuple[str, ...]


def parts(markup: str) -> tuple[Part, ...]:
    """The parts of an abstract given with a little markup: headings become labels, not text."""
    pieces = _HEADING.split(clean(markup))
    found = [("", pieces[0])]
    found += [(plain(label), body) for label, body in zip(pieces[2::3], pieces[3::3], strict=True)]
    return tuple(
        Part("" if label.casefold() in ("abstract", "summary") else label.rstrip(":"), paragraphs)
        for label, body in found
        if (paragraphs := tuple(filter(None, map(plain, _PARAGRAPH.split(body)))))
    )


def joined(body: Iterable[Part]) -> tuple[str, tuple[Section, ...]]:
    """One text of all parts, paragraphs parted by a blank line, and where each labelled part lies in it."""
    text = ""
    sections: list[Section] = []
    for part in body:
        stretch = "\n\n".join(part.paragraphs)
        if not stretch:
            continue
        text += "\n\n" if text else ""
        if part.label:
            sections.append(Section(label=part.label, span=Span(len(text), len(text) + len(stretch))))
        text += stretch
    return text, tuple(sections)


def document(
    source: str,
    identifiers: Identifiers,
    title: str,
    body: Sequence[Part],
    *,
    authors: Iterable[str] = (),
    journal: str = "",
    published: str = "",
    year: int | None = None,
    volume: str = "",
    issue: str = "",
    pages: str = "",
    publication_types: Iterable[str] = (),
    mesh: Iterable[str] = (),
    keywords: Iterable[str] = (),
    language: str = "",
    licence: str = "",
    citations: int | None = None,
    notices: tuple[Notice, ...] = (),
) -> Document | None:
    """A document of one record; None where it has no title or nothing that would open it (rule 7).

    `year` is that of the issue, where the source tells it apart from the first publication.
    """
    title = plain(title)
    if not identifiers or not title:
        return None
    text, sections = joined(body)
    if not any(notice.status is RetractionStatus.RETRACTED for notice in notices):
        notices += notices_of_title(title, source)
    return Document(
        id=identifiers.keys()[0],
        title=title,
        text=text,
        sections=sections,
        identifiers=identifiers,
        # Two of one name are two persons.
        authors=tuple(filter(None, map(plain, authors))),
        journal=plain(journal),
        year=year or year_of(published),
        published=published,
        volume=plain(volume),
        issue=plain(issue),
        pages=plain(pages),
        publication_types=_lines(publication_types),
        mesh=_lines(mesh),
        keywords=_lines(keywords),
        language=plain(language),
        source=source,
        licence=plain(licence),
        citations=citations,
        notices=notices,
    )


def _lines(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(plain, values))))


def date(*numbers: int | str | None) -> str:
    """ISO date as far as it is known from year, month and day: `2021`, `2021-03` or `2021-03-09`; else empty."""
    known: list[int] = []
    for number, allowed in zip(numbers, (_YEARS, range(1, 13), range(1, 32)), strict=False):
        value = _number(number)
        if value is None or value not in allowed:
            break
        known.append(value)
    return "-".join([f"{known[0]:04d}", *(f"{n:02d}" for n in known[1:])]) if known else ""


def iso(text: str | None) -> str:
    """The ISO date at the start of `text` (`2021`, `2021-03`, `2021-03-09T…`), as far as it is one."""
    found = re.match(r"\s*(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", text or "")
    return date(*found.groups()) if found else ""


def year_of(published: str) -> int | None:
    """The year of an ISO date."""
    return int(published[:4]) if published else None


def _number(value: int | str | None) -> int | None:
    text = str(value if value is not None else "").strip()
    if text.isascii() and text.isdigit():
        return int(text[:9])
    name = text[:3].lower()
    return _MONTHS.index(name) + 1 if name in _MONTHS else None


def initials(given: str) -> str:
    """`JA` from `Jane A.` or `Jane-Alice`, as NLM prints authors."""
    return "".join(word[0].upper() for word in re.findall(r"[^\W\d_]+", given))


def author(family: str, given: str = "", suffix: str = "") -> str:
    """`Family Initials Suffix`; a name that has one part only is that part."""
    if not plain(family):
        return plain(given)
    return " ".join(filter(None, (plain(family), initials(plain(given)), plain(suffix).rstrip("."))))


def surname_last(name: str) -> str:
    """`Family Initials` from a name written with the family name last, as most indexes that do not part them do.

    Groups keep their name; particles in small letters belong to the family name, `Jr` and the like stand last.
    """
    name = plain(name)
    if _GROUP.search(name):
        return name
    family, comma, given = name.partition(",")
    if comma and not _SUFFIX.fullmatch(given.strip(" .")):
        return author(family, given)
    words = name.replace(",", " ").split()
    suffix = words.pop().rstrip(".") if len(words) > 2 and _SUFFIX.fullmatch(words[-1].rstrip(".")) else ""
    start = max(len(words) - 1, 0)
    while start > 1 and words[start - 1].islower():
        start -= 1
    return author(" ".join(words[start:]), " ".join(words[:start]), suffix)
