"""JATS full text (PMC's `.nxml`, publishers' `.xml`): abstract and body in sections, nothing that is not prose.

Inline marks (references, sub- and superscripts, emphasis) keep their text. Whatever stands apart (tables,
figures, displayed formulas, footnotes, lists) breaks the paragraph, so every stretch of the document's text
without a blank line is literally contiguous in the article.
"""

import re
from collections.abc import Iterator
from io import BufferedIOBase
from typing import TYPE_CHECKING

from evidencegate.documents._document import Document, Notice, RetractionStatus
from evidencegate.documents._identifiers import Identifiers
from evidencegate.documents.readers._build import (
    TextBuilder,
    author,
    collapse,
    document_id,
    iso_date,
    notices_of_title,
    unique,
    year_in,
)
from evidencegate.documents.readers._languages import language
from evidencegate.documents.readers._types import Item, Limits, Skipped
from evidencegate.documents.readers._xml import all_text, records, text_of

if TYPE_CHECKING:
    from lxml.etree import _Element

ROOTS = ("article", "pmc-articleset", "pmc-article-set", "OAI-PMH", "articles")
# Inside a paragraph, these carry on its sentence.
_INLINE = frozenset(
    "abbrev abbreviation bold email ext-link inline-formula inline-supplementary-material institution italic "
    "monospace named-content overline roman sans-serif sc styled-content sub sup strike underline uri xref "
    "related-article related-object citation mixed-citation element-citation nlm-citation funding-source award-id "
    "fixed-case ruby rb date-in-citation milestone-start milestone-end target private-char chem-struct "
    "inline-list collab string-name name given-names surname math mrow person-group year".split()
)
# These hold paragraphs of their own that belong to the text.
_CONTAINERS = frozenset(
    "sec list list-item disp-quote boxed-text statement def-list def-item def speech verse-group attrib-group".split()
)
_MATHML = "{http://www.w3.org/1998/Math/MathML}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_MAIN_ABSTRACTS = (None, "", "normal", "structured", "section", "summary", "executive-summary", "abstract")
_TYPES = {
    "review-article": "Review",
    "systematic-review": "Systematic Review",
    "meta-analysis": "Meta-Analysis",
    "case-report": "Case Reports",
    "clinical-trial": "Clinical Trial",
    "letter": "Letter",
    "editorial": "Editorial",
    "article-commentary": "Comment",
    "correction": "Published Erratum",
    "retraction": "Retraction of Publication",
    "expression-of-concern": "Expression of Concern",
    "guideline": "Practice Guideline",
    "news": "News",
    "protocol": "Clinical Trial Protocol",
}
# Only the direction that leads from an article to its notice.
_FORWARD = {
    "retract": RetractionStatus.RETRACTED,
    "concern": RetractionStatus.CONCERN,
    "correct": RetractionStatus.CORRECTED,
    "errat": RetractionStatus.CORRECTED,
}
_CC = re.compile(r"creativecommons\.org/(?:licenses/([a-z-]+)/(\d\.\d)|publicdomain/(zero|mark))", re.IGNORECASE)
_DATES = ("ppub", "epub-ppub", "collection", "pub", "epub", "")


def read(stream: BufferedIOBase, where: str, limits: Limits) -> Iterator[Item]:
    """Every article in the file (one, or a set), in order."""
    for record in records(stream, ("article",), where, limits):
        if isinstance(record, Skipped):
            yield record
        else:
            yield _article(record.element, where if record.number == 1 else f"{where}:{record.number}")


def _article(article: "_Element", where: str) -> Item:
    meta = article.find("front/article-meta")
    if meta is None:
        return Skipped(where, "an article without article-meta: not a JATS article")
    text = TextBuilder()
    abstract = _abstract(meta)
    if abstract is not None:
        _walk(abstract, "Abstract", text)
    body = article.find("body")
    if body is not None:
        _walk(body, "", text)
    identifiers = _identifiers(meta)
    title = _title(meta)
    if not text.text and not title:
        return Skipped(where, "an article without title, abstract and body")
    year, published = _published(meta)
    source = "pmc" if identifiers.pmcid else "file"
    kind = article.get("article-type", "")
    return Document(
        id=document_id(identifiers, name=where, content=text.text),
        title=title,
        text=text.text,
        identifiers=identifiers,
        sections=text.sections,
        authors=_authors(meta),
        journal=_journal(article),
        year=year,
        published=published,
        volume=collapse(meta.findtext("volume") or ""),
        issue=collapse(meta.findtext("issue") or ""),
        pages=_pages(meta),
        publication_types=(_TYPES.get(kind, "Journal Article"),),
        keywords=_keywords(meta),
        language=language(article.get(_LANG)),
        source=source,
        licence=_licence(meta),
        full_text=body is not None and bool(text.text),
        notices=_notices(article, meta, title, source),
    )


def _abstract(meta: "_Element") -> "_Element | None":
    """The authors' abstract: not the graphical one, the editors' summary or a translation."""
    known = {entry.get("abstract-type"): entry for entry in reversed(meta.findall("abstract"))}
    return next((known[kind] for kind in _MAIN_ABSTRACTS if kind in known), None)


def _walk(element: "_Element", label: str, text: TextBuilder) -> None:
    """Adds the prose below `element`, in order, each paragraph under the path of titles it stands in."""
    for child in element:
        tag = child.tag
        if tag == "p":
            _paragraph(child, label, text)
        elif tag in _CONTAINERS:
            _walk(child, _label(child, label), text)


def _label(element: "_Element", label: str) -> str:
    if element.tag not in ("sec", "boxed-text"):
        return label
    title = element.find("title")
    if title is None:
        title = element.find("caption/title")
    own = text_of(title).rstrip(":").strip()
    return f"{label} > {own}" if label and own else own or label


def _paragraph(paragraph: "_Element", label: str, text: TextBuilder) -> None:
    """Adds one `p`, broken wherever something stands in it that is not part of its prose."""
    pieces: list[str] = []

    def flush() -> None:
        text.add(collapse("".join(pieces)), label)
        pieces.clear()

    def visit(element: "_Element") -> None:
        pieces.append(element.text or "")
        for child in element:
            if _runs_on(child):
                visit(child)
            else:
                flush()
                if child.tag == "p":
                    _paragraph(child, label, text)
                elif child.tag in _CONTAINERS:
                    _walk(child, _label(child, label), text)
            pieces.append(child.tail or "")

    visit(paragraph)
    flush()


def _runs_on(element: "_Element") -> bool:
    tag = element.tag
    if tag.startswith(_MATHML):
        return True
    # TeX inside a formula is a program for a typesetter, no text of the article.
    return tag in _INLINE and not (tag == "inline-formula" and element.find(".//tex-math") is not None)


def _identifiers(meta: "_Element") -> Identifiers:
    kinds = {"pmid": "pmid", "pmc": "pmcid", "pmcid": "pmcid", "doi": "doi"}
    found: dict[str, str] = {}
    for entry in meta.iterfind("article-id"):
        kind = kinds.get(entry.get("pub-id-type", ""))
        if kind and entry.text:
            found.setdefault(kind, entry.text)
    return Identifiers.parse(**found)


def _title(meta: "_Element") -> str:
    """The title, without the marks of footnotes that hang on it."""
    title = meta.find("title-group/article-title")
    if title is None:
        return ""
    pieces: list[str] = []

    def visit(element: "_Element") -> None:
        pieces.append(element.text or "")
        for child in element:
            if child.tag != "fn" and child.get("ref-type") not in ("fn", "author-notes", "table-fn"):
                visit(child)
            pieces.append(" " if child.tag == "break" else "")
            pieces.append(child.tail or "")

    visit(title)
    return collapse("".join(pieces))


def _authors(meta: "_Element") -> tuple[str, ...]:
    names = []
    for entry in meta.iterfind("contrib-group/contrib"):
        if entry.get("contrib-type", "author") not in ("author", "collab"):
            continue
        name = entry.find("name")
        if name is None:
            name = entry.find("name-alternatives/name")
        group = entry.find("collab")
        if name is not None:
            given = name.find("given-names")
            short = given.get("initials", "") if given is not None else ""
            names.append(author(text_of(name.find("surname")), short or text_of(given), text_of(name.find("suffix"))))
        elif group is not None:
            names.append(collapse((group.text or "") + "".join(_flat(child) for child in group)))
        elif entry.find("string-name") is not None:
            names.append(text_of(entry.find("string-name")))
    return tuple(filter(None, names))  # two of one name are two persons


def _flat(child: "_Element") -> str:
    """The text of a group's name without the list of its members."""
    own = "" if child.tag in ("contrib-group", "xref") else "".join(all_text(child))
    return own + (child.tail or "")


def _journal(article: "_Element") -> str:
    meta = article.find("front/journal-meta")
    if meta is None:
        return ""
    for entry in meta.iterfind("journal-id"):
        if entry.get("journal-id-type") in ("nlm-ta", "iso-abbrev") and entry.text:
            return collapse(entry.text)
    for path in ("journal-title-group/abbrev-journal-title", "journal-title-group/journal-title", "journal-title"):
        title = text_of(meta.find(path))
        if title:
            return title
    return ""


def _published(meta: "_Element") -> tuple[int | None, str]:
    """The date of the issue, as PubMed cites it, else that of publication on line."""
    dates = {entry.get("pub-type") or entry.get("date-type") or "": entry for entry in meta.iterfind("pub-date")}
    for kind in (*_DATES, *dates):
        entry = dates.get(kind)
        year = year_in(entry.findtext("year")) if entry is not None else None
        if entry is not None and year is not None:
            return year, iso_date(year, entry.findtext("month") or "", entry.findtext("day") or "")
    return None, ""


def _pages(meta: "_Element") -> str:
    first, last = (collapse(meta.findtext(tag) or "") for tag in ("fpage", "lpage"))
    if first:
        return f"{first}-{last}" if last and last != first else first
    return collapse(meta.findtext("elocation-id") or "")


def _keywords(meta: "_Element") -> tuple[str, ...]:
    groups = (group for group in meta.iterfind("kwd-group") if group.get("kwd-group-type") != "abbreviations")
    return unique(text_of(word) for group in groups for word in group.iter("kwd"))


def _licence(meta: "_Element") -> str:
    """`CC BY 4.0` and the like where a Creative Commons address is given, else the publisher's word for it."""
    entry = meta.find("permissions/license")
    if entry is None:
        return ""
    addresses = [element.get(_HREF, "") for element in entry.iter("license", "ext-link", "uri")]
    named = _CC.search(" ".join([*addresses, text_of(entry)]))
    if named is None:
        return entry.get("license-type", "")
    if named[3]:
        return "CC0" if named[3].lower() == "zero" else "Public Domain"
    return f"CC {named[1].upper()} {named[2]}"


def _notices(article: "_Element", meta: "_Element", title: str, source: str) -> tuple[Notice, ...]:
    notices = []
    for entry in meta.iterfind("related-article"):
        kind = entry.get("related-article-type", "").lower()
        status = next((s for word, s in _FORWARD.items() if word in kind), None) if "forward" in kind else None
        if status is not None:
            reference = entry.get(_HREF) or text_of(entry)
            notices.append(Notice(status=status, source=source, reference=collapse(reference)))
    if article.get("article-type") == "retracted-article":
        notices.append(Notice(status=RetractionStatus.RETRACTED, source=source, reference="article-type"))
    if not any(notice.status is RetractionStatus.RETRACTED for notice in notices):
        notices.extend(notices_of_title(title, source))
    return tuple(notices)
