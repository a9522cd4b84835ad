"""What the formats of reference managers share: names taken apart, text that any of them can hold."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from evidencegate.documents import Document, RetractionStatus
from evidencegate.evidence import registration
from evidencegate.report._types import Reference

# `Granger CB`, `van der Berg J-P`, `Smith AB Jr`: how NLM prints a person.
_PERSON = re.compile(
    r"(?P<family>.+?) (?P<given>[^\W\d_](?:[^\W\d_]|-){0,4})(?: (?P<suffix>Jr|Sr|I{1,3}|IV|[23](?:nd|rd)))?"
)
_DATE = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")


@dataclass(frozen=True, slots=True)
class Name:
    """An author: a person in parts, or (`given` empty) a group under its whole name."""

    family: str
    given: str = ""
    """Initials without points, as NLM has them."""
    suffix: str = ""

    @property
    def points(self) -> str:
        """The initials with points: `C. B.`."""
        return " ".join(f"{letter}." for letter in self.given if letter != "-")


def clean(text: str) -> str:
    """`text` on one line, without the characters that XML, TeX and UTF-8 cannot hold."""
    kept = (" " if unicodedata.category(c) in ("Cc", "Cs", "Cn") else c for c in text)
    return " ".join("".join(kept).split())


def names(document: Document) -> tuple[tuple[Name, ...], bool]:
    """The authors, and whether there are others who are not named."""
    written = [clean(author).rstrip(".,;") for author in document.authors]
    others = any(author.casefold() == "et al" for author in written)
    return tuple(_name(author) for author in written if author and author.casefold() != "et al"), others


def _name(author: str) -> Name:
    found = _PERSON.fullmatch(author)
    if found and found["given"].isupper():
        return Name(found["family"], found["given"], found["suffix"] or "")
    return Name(author)


def journal(reference: Reference) -> str:
    """The journal; empty where the record has none, as registrations and some guidelines have."""
    return "" if registration(reference.document) else clean(reference.document.journal)


def date(document: Document) -> tuple[int, ...]:
    """Year, month and day of publication, as far as they are known."""
    found = _DATE.fullmatch(document.published)
    if found and document.year in (None, int(found[1])):
        return tuple(int(part) for part in found.groups() if part)
    return (document.year,) if document.year else ()


def pages(document: Document) -> tuple[str, str]:
    """First and last page; the last is empty where there is one or the record does not say."""
    first, _, last = clean(document.pages).replace("–", "-").partition("-")
    return first.strip(), last.strip()


def remarks(reference: Reference) -> Iterator[str]:
    """What nobody who cites the work should miss."""
    if reference.retraction is not RetractionStatus.NONE:
        yield reference.retraction.replace("_", " ").upper()
    if reference.curated:
        yield "Quoted from a curated summary, not from the work itself"
