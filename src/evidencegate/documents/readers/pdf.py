"""PDF: the text as its lines give it, put back into paragraphs. Comes with the extra `pdf`."""

import io
import re
import struct
import zlib
from collections import Counter
from pathlib import PurePath

from evidencegate._extras import require
from evidencegate.documents._abbreviations import words
from evidencegate.documents._document import Document
from evidencegate.documents._identifiers import Identifiers, doi
from evidencegate.documents.readers._build import TextBuilder, collapse, document_id, notices_of_title
from evidencegate.errors import ReaderError

# A page of prose has some 3,000 characters; a scanned one has none, or a stamp.
_TEXT_PER_PAGE = 25
_EDGE_LINES = 3
_MIN_PAGES = 3
_HEADING_LENGTH = 60
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"(?:page\s*)?\d{1,5}(?:\s*(?:of|/)\s*\d{1,5})?", re.IGNORECASE)
_HYPHENED = re.compile(r"([^\W\d_]{1,40})[-‐\u00ad]\n([^\W\d_]{1,40})")
_HYPHEN_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_DOI = re.compile(r"(?:doi\s*[:.]?\s*|doi\.org/)(10\.\d{4,9}/[^\s\"<>]+)", re.IGNORECASE)
_NUMBERED = re.compile(r"\s*(?:\d+(?:\.\d+)*\.?\s+)?(.*?):?\s*")
# First parts of words that are hyphened as a rule: kept so where the text shows neither spelling.
_HYPHENS = frozenset(
    "long short double single open cross follow well self half full high low dose time placebo evidence age sex risk "
    "health quality cost year month week day two three four five six first second third non meta all mid late early "
    "end drug time-to patient intention large small wide world in on off per up".split()
)
# What pypdf raises on files that break the format, besides its own errors.
_BROKEN = (
    ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OverflowError, AssertionError,
    NotImplementedError, ZeroDivisionError, OSError, EOFError, zlib.error, struct.error,
)  # fmt: skip


def document(raw: bytes, name: str) -> Document:
    """One document; headings known from articles make its sections.

    Lines that return at the edges of most pages (running heads, page numbers) are left out, words hyphenated at
    line ends are joined as the rest of the text spells them.

    Raises:
        ReaderError: encrypted, corrupt, or without text.
        MissingExtra: the extra `pdf` is not installed.
    """
    pypdf = require("pdf", "pypdf")
    errors = require("pdf", "pypdf.errors")
    try:
        reader = pypdf.PdfReader(io.BytesIO(raw))
        if reader.is_encrypted and not reader.decrypt(""):
            raise ReaderError("encrypted PDF: save it without its password first")
        pages = [page.extract_text() or "" for page in reader.pages]
        info = reader.metadata
        title = collapse(str(info.title)) if info and info.title else ""
        writer = collapse(str(info.author)) if info and info.author else ""
    except errors.DependencyError as error:
        raise ReaderError("encrypted PDF: save it without its password first") from error
    except (errors.PyPdfError, *_BROKEN) as error:
        raise ReaderError(f"corrupt PDF ({collapse(str(error)) or type(error).__name__}): get it again") from error
    pages = [_valid(page) for page in pages]
    if sum(len(page.strip()) for page in pages) < _TEXT_PER_PAGE * max(1, len(pages)):
        raise ReaderError("PDF without text, likely scanned: run it through OCR (ocrmypdf, say) first")
    text = _paragraphs(_without_furniture([page.splitlines() for page in pages]))
    identifiers = Identifiers.parse(doi=_own_doi(pages[0]))
    first = text.text.split("\n\n", 1)[0]
    if not re.search(r"[a-z]{3}.*\s", title) or title.lower().endswith((".pdf", ".doc", ".docx", ".indd")):
        title = first if len(first) < 250 else PurePath(name).stem
    return Document(
        id=document_id(identifiers, name=name, content=raw),
        title=title,
        text=text.text,
        identifiers=identifiers,
        sections=text.sections,
        authors=tuple(part.strip() for part in re.split(r"[;,]| and ", writer) if part.strip()),
        source="file",
        full_text=True,
        notices=notices_of_title(title, "file"),
    )


def _valid(text: str) -> str:
    """Fonts may map to halves of surrogate pairs and to control characters, which are no text."""
    text = text.encode("utf-8", "ignore").decode("utf-8")
    return "".join(c for c in text if c >= " " or c in "\n\t")


def _without_furniture(pages: list[list[str]]) -> list[str]:
    """All lines, less page numbers and what stands at the edge of half of the pages or more."""
    pages = [[line for line in page if line.strip()] for page in pages]

    def form(line: str) -> str:
        return collapse(_DIGITS.sub("0", line))

    edges = Counter(f for page in pages for f in {form(x) for x in page[:_EDGE_LINES] + page[-_EDGE_LINES:]})
    common = {line for line, count in edges.items() if len(pages) >= _MIN_PAGES and count * 2 >= len(pages)}
    kept: list[str] = []
    for page in pages:
        for number, line in enumerate(page):
            edge = number < _EDGE_LINES or number >= len(page) - _EDGE_LINES
            outermost = number in (0, len(page) - 1)
            if edge and form(line) in common:
                continue
            if outermost and len(pages) > 1 and _PAGE_NUMBER.fullmatch(line.strip()):
                continue
            kept.append(line)
    return kept


def _paragraphs(lines: list[str]) -> TextBuilder:
    """Lines as paragraphs: one ends at a heading, or where a line is short and closes a sentence."""
    text = TextBuilder()
    width = sorted(len(line.strip()) for line in lines)[len(lines) * 3 // 4] if lines else 0
    seen = Counter(word.lower() for line in lines for word in _HYPHEN_WORD.findall(line))
    label, part = "", list[str]()

    def flush() -> None:
        text.add(collapse(_HYPHENED.sub(lambda m: _joined(m, seen), "\n".join(part))), label)
        part.clear()

    for line in map(str.strip, lines):
        numbered = _NUMBERED.fullmatch(line) if len(line) <= _HEADING_LENGTH else None
        heading = numbered[1].lower() if numbered else ""
        if heading in words().headings:
            flush()
            label = collapse(line).rstrip(":")
            continue
        part.append(line)
        if line.endswith((".", "!", "?", ":")) and len(line) < width * 0.8:
            flush()
    flush()
    return text


def _joined(parted: re.Match[str], seen: Counter[str]) -> str:
    """A word parted at a line's end: with its hyphen only where the text spells it so elsewhere."""
    whole, hyphened = parted[1] + parted[2], f"{parted[1]}-{parted[2]}"
    joined, apart = seen[whole.lower()], seen[hyphened.lower()]
    usual = not joined and not apart and parted[1].lower() in _HYPHENS
    return hyphened if parted[2][0].isupper() or apart > joined or usual else whole


def _own_doi(page: str) -> str | None:
    """The DOI on the first page, if there is just one."""
    found = {doi(match) for match in _DOI.findall(page)} - {None}
    return found.pop() if len(found) == 1 else None
