"""HTML: the text of the page's main part, without scripts, styles, navigation, headers and footers."""

from pathlib import PurePath
from typing import TYPE_CHECKING

from evidencegate.documents._document import Document
from evidencegate.documents._identifiers import Identifiers
from evidencegate.documents.readers._build import TextBuilder, author, collapse, document_id, unique, year_in
from evidencegate.documents.readers._languages import language
from evidencegate.documents.readers._xml import text_of
from evidencegate.errors import ReaderError

if TYPE_CHECKING:
    from lxml.etree import _Element

SUFFIXES = (".html", ".htm", ".xhtml")
_DROPPED = frozenset(
    "script style nav noscript template svg iframe form button select option textarea figure table head header "
    "footer aside object embed canvas video audio dialog math".split()
)
_BLOCKS = frozenset(
    "address article blockquote body br center dd details div dl dt fieldset hr html li main ol p pre section summary "
    "ul".split()
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def document(text: str, name: str) -> Document:
    """One document, titled by `citation_title`, the page's title or its first heading.

    Raises:
        ReaderError: the page holds no text.
    """
    from lxml import etree, html

    # What cannot be in XML (control characters) would stop the parser; no text needs it.
    clean = "".join(c for c in text if c >= " " or c in "\t\n\r")
    parser = html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, huge_tree=False, encoding="utf-8")
    try:
        root = html.document_fromstring(clean.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise ReaderError(f"no text in this HTML ({error})") from error
    meta = _meta(root)
    body = next((found for tag in ("main", "article", "body") for found in root.iter(tag)), root)
    gathered = _Walker()
    gathered.walk(body)
    if not gathered.text.text:
        raise ReaderError("a page without text: it may be drawn by a script; save its text instead")
    heading = next((text_of(entry) for entry in root.iter("h1")), "")
    title = meta.get("citation_title", [""])[0] or collapse(root.findtext(".//title") or "") or heading
    identifiers = Identifiers.parse(
        doi=next(iter(meta.get("citation_doi", meta.get("dc.identifier", []))), None),
        pmid=next(iter(meta.get("citation_pmid", [])), None),
    )
    date = next(iter(meta.get("citation_publication_date", meta.get("citation_date", []))), "")
    return Document(
        id=document_id(identifiers, name=name, content=text),
        title=title or PurePath(name).stem,
        text=gathered.text.text,
        identifiers=identifiers,
        sections=gathered.text.sections,
        authors=unique(_author(entry) for entry in meta.get("citation_author", [])),
        journal=next(iter(meta.get("citation_journal_abbrev", meta.get("citation_journal_title", []))), ""),
        year=year_in(date),
        language=language(root.get("lang")),
        source="file",
        full_text=True,
    )


class _Walker:
    """Gathers the paragraphs of a page under the path of their headings."""

    def __init__(self) -> None:
        self.text = TextBuilder()
        self._pieces: list[str] = []
        self._path: list[tuple[int, str]] = []

    def walk(self, element: "_Element") -> None:
        """Adds everything inside `element`."""
        self._inside(element)
        self._flush()

    def _inside(self, element: "_Element") -> None:
        self._pieces.append(element.text or "")
        for child in element:
            tag = child.tag if isinstance(child.tag, str) else ""
            if tag in _HEADINGS:
                self._flush()
                level = int(tag[1])
                self._path = [entry for entry in self._path if entry[0] < level]
                # The page's title is no section of it.
                if level > 1:
                    self._path.append((level, text_of(child)))
            elif tag in _DROPPED or not tag:
                # Something stood here: a sentence may not run on over it.
                self._flush()
            elif tag in _BLOCKS:
                self._flush()
                self._inside(child)
                self._flush()
            else:
                self._inside(child)
            self._pieces.append(child.tail or "")

    def _flush(self) -> None:
        self.text.add(collapse("".join(self._pieces)), " > ".join(label for _, label in self._path))
        self._pieces.clear()


def _meta(root: "_Element") -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in root.iter("meta"):
        name, content = (entry.get("name") or "").lower(), collapse(entry.get("content") or "")
        if name and content:
            found.setdefault(name, []).append(content)
    return found


def _author(name: str) -> str:
    if "," in name:
        family, _, given = name.partition(",")
        return author(family, given)
    *given_names, family = name.split()
    return author(family, " ".join(given_names))
