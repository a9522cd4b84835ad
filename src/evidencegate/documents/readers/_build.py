"""What readers share in making a `Document`: one text with its sections, an id, names, dates, notices."""

import hashlib
import html
import re
from collections.abc import Iterable
from pathlib import PurePath

from evidencegate.documents._document import Notice, RetractionStatus, Section
from evidencegate.documents._identifiers import Identifiers
from evidencegate.documents._span import Span

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_RETRACTED_TITLE = re.compile(
    r"\s*[\[(]?\s*(?:RETRACTED(?:\s+ARTICLE)?|Retracted(?:\s+[Aa]rticle)?\s*[:\])—–-]|"
    r"(?:WITHDRAWN|Withdrawn)(?:\s+(?:ARTICLE|[Aa]rticle))?\s*[:\]])"
)
_PARTICLE = re.compile(r"[^\W\d_]+", re.UNICODE)
# Signs that publishers deliver escaped twice, so that `&lt;` is left where `<` was meant. A short list: whatever
# else looks like an entity may be text.
_LEFT_OVER = re.compile(
    r"&(?:#\d{2,6}|#[xX][0-9a-fA-F]{2,5}|(?:amp|lt|gt|quot|apos|nbsp|thinsp|ensp|emsp|le|ge|ne|plusmn|times|middot|deg|"
    r"micro|minus|ndash|mdash|hellip|lsquo|rsquo|ldquo|rdquo|trade|reg|alpha|beta|gamma|delta|epsilon|kappa|lambda|mu|"
    r"omega|sigma|tau|chi|Delta|Omega));"
)
_LEFT_TAG = re.compile(r"</?(?:i|b|u|em|strong|sub|sup|sc|scp|italic|bold|underline)\s*/?>", re.IGNORECASE)


class TextBuilder:
    """Gathers paragraphs into one text; paragraphs in a row under one label become one section."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self._sections: list[tuple[str, int, int]] = []

    def add(self, paragraph: str, label: str = "") -> None:
        """Appends a paragraph, unless it is only space."""
        if not paragraph or paragraph.isspace():
            return
        if self._parts:
            self._parts.append("\n\n")
            self._size += 2
        start = self._size
        self._parts.append(paragraph)
        self._size += len(paragraph)
        if label:
            if self._sections and self._sections[-1][0] == label and self._sections[-1][2] == start - 2:
                start = self._sections.pop()[1]
            self._sections.append((label, start, self._size))

    @property
    def text(self) -> str:
        """The paragraphs, parted by one blank line each."""
        return "".join(self._parts)

    @property
    def sections(self) -> tuple[Section, ...]:
        """The labelled stretches, in order."""
        return tuple(Section(label=label, span=Span(start, end)) for label, start, end in self._sections)


def collapse(text: str) -> str:
    """`text` with every run of white space as one space, none at the ends."""
    return " ".join(text.split())


def resolved(text: str) -> str:
    """`text` with the signs and inline tags that had been escaped twice as what they stand for: `p &lt; 0.05`."""
    for _ in range(2):
        if "&" not in text:
            break
        text = _LEFT_OVER.sub(lambda entity: html.unescape(entity[0]), text)
    return _LEFT_TAG.sub("", text) if "<" in text else text


def document_id(identifiers: Identifiers, given: object = None, *, name: str = "", content: str | bytes = "") -> str:
    """The first of the identifiers; else `local:` with the given id, or with 12 digits of a content hash."""
    keys = identifiers.keys()
    if keys:
        return keys[0]
    # As in texts: half of a surrogate pair is no character and cannot be stored.
    label = collapse(str(given)).encode("utf-8", "replace").decode() if given is not None else ""
    if label:
        return label if label.startswith("local:") else f"local:{label}"
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    digest = hashlib.sha1(PurePath(name).name.encode("utf-8", "surrogatepass") + b"\0" + raw, usedforsecurity=False)
    return f"local:{digest.hexdigest()[:12]}"


def year_in(text: object) -> int | None:
    """The first year between 1500 and 2099 in `text`."""
    found = _YEAR.search(str(text)) if text is not None else None
    return int(found[0]) if found else None


def iso_date(year: int | None, month: str = "", day: str = "") -> str:
    """`2021`, `2021-03` or `2021-03-09`; months may be numbers or English names."""
    if year is None:
        return ""
    month = month.strip().lower()
    if month[:3] in _MONTHS:
        number = _MONTHS.index(month[:3]) + 1
    elif month.isascii() and month.isdigit() and 1 <= int(month) <= 12:
        number = int(month)
    else:
        return f"{year}"
    day = day.strip()
    if day.isascii() and day.isdigit() and 1 <= int(day) <= 31:
        return f"{year}-{number:02d}-{int(day):02d}"
    return f"{year}-{number:02d}"


def initials(given: str) -> str:
    """`JP` from `Jean-Paul` or `J.-P.`, `SM` from `Susanne M.`; what is already initials stays."""
    given = given.strip()
    if given.isupper() and len(given) <= 4 and given.isalpha():
        return given
    return "".join(part[0].upper() for part in _PARTICLE.findall(given))


def author(family: str, given: str = "", suffix: str = "") -> str:
    """`Family Initials Suffix`, as NLM prints a name."""
    return collapse(f"{family} {initials(given)} {suffix}")


def notices_of_title(title: str, source: str) -> tuple[Notice, ...]:
    """Publishers put `RETRACTED:` or `WITHDRAWN:` before the title of what they have withdrawn."""
    if _RETRACTED_TITLE.match(title):
        return (Notice(status=RetractionStatus.RETRACTED, source=source, reference="title"),)
    return ()


def unique(values: Iterable[str]) -> tuple[str, ...]:
    """The values that are not empty, once each, in order."""
    return tuple(dict.fromkeys(value for value in values if value))
