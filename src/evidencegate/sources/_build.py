"""Documents out of the fields of a reply."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evidencegate.documents import Document, Identifiers, Notice, Section, Span
from evidencegate.sources._markup import clean, plain

# Europe PMC and Crossref mark the parts of a structured abstract as headings.
_HEADING = re.compile(r"<\s*(?:\w+:)?(h[1-6]|title)\b[^>]*>(.*?)<\s*/\s*(?:\w+:)?\1\s*>", re.IGNORECASE | re.DOTALL)
_PARAGRAPH = re.compile(r"<\s*/\s*(?:\w+:)?p\s*>|<\s*br\s*/?\s*>\s*<\s*br\s*/?\s*>|\n\s*\n", re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_YEARS = range(1500, 2200)


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
    """A document of one record; None where it has no title or nothing that would open it (rule 7)."""
    title = plain(title)
    if not identifiers or not title:
        return None
    text, sections = joined(body)
    return Document(
        id=identifiers.keys()[0],
        title=title,
        text=text,
        sections=sections,
        identifiers=identifiers,
        authors=_lines(authors),
        journal=plain(journal),
        year=year(published),
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


def year(published: str) -> int | None:
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


def author(family: str, given: str = "") -> str:
    """`Family Initials`."""
    return f"{plain(family)} {initials(plain(given))}".strip()


def surname_last(name: str) -> str:
    """`Family Initials` from a name written with the family name last, as most indexes that do not part them do."""
    *given, family = plain(name).split(" ")
    return author(family, " ".join(given))
