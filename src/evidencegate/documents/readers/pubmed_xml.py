"""PubMed XML: what efetch returns, and the baseline and update files, with their deletions."""

import re
from collections.abc import Iterator, Sequence
from io import BufferedIOBase
from typing import TYPE_CHECKING

from evidencegate.documents._document import Document, Notice, RetractionStatus
from evidencegate.documents._identifiers import Identifiers
from evidencegate.documents.readers._build import (
    TextBuilder,
    collapse,
    initials,
    iso_date,
    notices_of_title,
    resolved,
    unique,
    year_in,
)
from evidencegate.documents.readers._languages import language
from evidencegate.documents.readers._types import Deleted, Item, Limits, Skipped
from evidencegate.documents.readers._xml import records, text_of

if TYPE_CHECKING:
    from lxml.etree import _Element

ROOTS = ("PubmedArticleSet", "PubmedBookArticleSet", "PubmedArticle", "PubmedBookArticle", "DeleteCitation")
_RECORDS = ("PubmedArticle", "PubmedBookArticle", "DeleteCitation", "DeleteDocument")
# What happened to *this* record. The other directions (RetractionOf, ErratumFor, ...) stand on the notice.
_NOTICES = {
    "RetractionIn": RetractionStatus.RETRACTED,
    "RetractedandRepublishedIn": RetractionStatus.RETRACTED,
    "PartialRetractionIn": RetractionStatus.CONCERN,
    "ExpressionOfConcernIn": RetractionStatus.CONCERN,
    "ErratumIn": RetractionStatus.CORRECTED,
    "CorrectedandRepublishedIn": RetractionStatus.CORRECTED,
}
_RETRACTED = "Retracted Publication"
_MONTH = re.compile(r"[A-Z][a-z]{2}")
# What stands in the place of a title that nobody translated.
_NO_TITLE = ("[not available]", "[in process citation]")
# What NLM writes where a part of an abstract has no label of its own.
_NO_LABEL = ("UNLABELLED", "UNLABELED", "UNASSIGNED")


def read(stream: BufferedIOBase, where: str, limits: Limits) -> Iterator[Item]:
    """Every article, book chapter and deletion in the file, in order, in constant memory."""
    for record in records(stream, _RECORDS, where, limits):
        if isinstance(record, Skipped):
            yield record
            continue
        element, at = record.element, f"{where}:{record.number}"
        if element.tag == "PubmedArticle":
            yield _article(element, at)
        elif element.tag == "PubmedBookArticle":
            yield _book(element, at)
        else:
            yield from _deletions(element, at)


def _deletions(element: "_Element", where: str) -> Iterator[Item]:
    for child in element.iterfind("PMID"):
        key = Identifiers.parse(pmid=child.text).keys()
        yield Deleted(key[0]) if key else Skipped(where, f"a deletion without a PMID: {child.text!r}")


def _article(element: "_Element", where: str) -> Item:
    citation = element.find("MedlineCitation")
    article = citation.find("Article") if citation is not None else None
    if citation is None or article is None:
        return Skipped(where, "a PubmedArticle without its Article")
    ids = _ids(element.find("PubmedData/ArticleIdList"))
    for location in article.iterfind("ELocationID"):
        if location.get("EIdType") == "doi" and location.get("ValidYN", "Y") == "Y":
            ids.setdefault("doi", location.text or "")
    identifiers = Identifiers.parse(**{**ids, "pmid": citation.findtext("PMID")})
    if identifiers.pmid is None:
        return Skipped(where, f"not a PMID: {citation.findtext('PMID')!r}")
    journal = article.find("Journal")
    issue = journal.find("JournalIssue") if journal is not None else None
    year, published = _date(issue.find("PubDate") if issue is not None else None)
    if year is None:
        year, published = _date(article.find("ArticleDate"))
    text = _abstracts(article.find("Abstract"), citation.findall("OtherAbstract"))
    title = _title(article)
    types = unique(text_of(kind) for kind in article.iterfind("PublicationTypeList/PublicationType"))
    return Document(
        id=identifiers.keys()[0],
        title=title,
        text=text.text,
        identifiers=identifiers,
        sections=text.sections,
        authors=_authors(article.find("AuthorList")),
        journal=_journal(citation, journal),
        year=year,
        published=published,
        volume=collapse(issue.findtext("Volume") or "") if issue is not None else "",
        issue=collapse(issue.findtext("Issue") or "") if issue is not None else "",
        pages=_pages(article.find("Pagination")),
        publication_types=types,
        mesh=unique(text_of(name) for name in citation.iterfind("MeshHeadingList/MeshHeading/DescriptorName")),
        keywords=unique(text_of(word) for word in citation.iterfind("KeywordList/Keyword")),
        language=language(article.findtext("Language")),
        source="pubmed",
        notices=_notices(citation, types, title),
    )


def _book(element: "_Element", where: str) -> Item:
    chapter = element.find("BookDocument")
    book = chapter.find("Book") if chapter is not None else None
    if chapter is None or book is None:
        return Skipped(where, "a PubmedBookArticle without its Book")
    ids = _ids(element.find("PubmedBookData/ArticleIdList")) | _ids(chapter.find("ArticleIdList"))
    identifiers = Identifiers.parse(**{**ids, "pmid": chapter.findtext("PMID")})
    if identifiers.pmid is None:
        return Skipped(where, f"not a PMID: {chapter.findtext('PMID')!r}")
    # A chapter is of the day it was written; its book may have begun decades before and never end.
    year, published = _date(chapter.find("ContributionDate"))
    if year is None:
        year, published = _date(book.find("PubDate"))
    text = _abstracts(chapter.find("Abstract"), ())
    book_title = text_of(book.find("BookTitle"))
    lists = [*chapter.iterfind("AuthorList"), *book.iterfind("AuthorList")]
    by_authors = [entry for entry in lists if entry.get("Type") != "editors"] or lists
    return Document(
        id=identifiers.keys()[0],
        title=_title(chapter) or book_title,
        text=text.text,
        identifiers=identifiers,
        sections=text.sections,
        authors=_authors(by_authors[0] if by_authors else None),
        journal=book_title,
        year=year,
        published=published,
        volume=collapse(book.findtext("Volume") or ""),
        pages=_pages(chapter.find("Pagination")),
        publication_types=unique(text_of(kind) for kind in chapter.iterfind("PublicationType")),
        keywords=unique(text_of(word) for word in chapter.iterfind("KeywordList/Keyword")),
        language=language(chapter.findtext("Language")),
        source="pubmed",
    )


def _ids(listed: "_Element | None") -> dict[str, str]:
    """`doi` and `pmcid` of the record itself; those of its references stand in another list."""
    kinds = {"doi": "doi", "pmc": "pmcid"}
    found: dict[str, str] = {}
    for entry in () if listed is None else listed:
        kind = kinds.get(entry.get("IdType", ""))
        if kind and entry.text:
            found.setdefault(kind, entry.text)
    return found


def _title(article: "_Element") -> str:
    """The title, in its own language where there is no other."""
    title = resolved(text_of(article.find("ArticleTitle")))
    if not title or title.casefold().rstrip(".") in _NO_TITLE:
        title = resolved(text_of(article.find("VernacularTitle"))) or title
    return title


def _abstracts(abstract: "_Element | None", others: Sequence["_Element"]) -> TextBuilder:
    """The abstract, and what stands beside it in English (summaries in plain words); translations say it twice.

    Without an abstract the others stand for it: those in English, else the first one.
    """
    text = TextBuilder()
    _add(text, abstract, "")
    english = [other for other in others if language(other.get("Language", "eng")) == "en"]
    for other in english if text.text or english else others[:1]:
        kind = collapse(other.get("Type", "").replace("-", " ")).capitalize()
        _add(text, other, kind if text.text and kind != "Publisher" else "")
    return text


def _add(text: TextBuilder, abstract: "_Element | None", above: str) -> None:
    for part in abstract.iterfind("AbstractText") if abstract is not None else ():
        label = collapse(part.get("Label") or part.get("NlmCategory") or "")
        own = "" if label in _NO_LABEL else label
        text.add(resolved(text_of(part)), f"{above} > {own}" if above and own else own or above)


def _authors(listed: "_Element | None") -> tuple[str, ...]:
    """Everybody listed, in order: two of one name are two persons."""
    names = []
    for entry in listed if listed is not None else ():
        if entry.get("ValidYN") == "N":
            continue
        # One pass over the children: names are most of a record's elements.
        parts = {child.tag: child for child in entry}
        if "CollectiveName" in parts:
            names.append(text_of(parts["CollectiveName"]).rstrip("."))
        else:
            family, short, given, suffix = (
                text_of(parts.get(tag)) for tag in ("LastName", "Initials", "ForeName", "Suffix")
            )
            names.append(collapse(f"{family} {short or initials(given)} {suffix}"))
    return tuple(filter(None, names))


def _journal(citation: "_Element", journal: "_Element | None") -> str:
    """The abbreviation that NLM's reference style prints, else the full title."""
    if journal is None:
        return ""
    return collapse(
        journal.findtext("ISOAbbreviation")
        or citation.findtext("MedlineJournalInfo/MedlineTA")
        or journal.findtext("Title")
        or ""
    )


def _date(date: "_Element | None") -> tuple[int | None, str]:
    if date is None:
        return None, ""
    loose = date.findtext("MedlineDate")
    if loose:
        year = year_in(loose)
        month = _MONTH.search(loose)
        return year, iso_date(year, month[0] if month else "")
    year = year_in(date.findtext("Year"))
    return year, iso_date(year, date.findtext("Month") or "", date.findtext("Day") or "")


def _pages(pages: "_Element | None") -> str:
    if pages is None:
        return ""
    medline = pages.findtext("MedlinePgn")
    if medline:
        return collapse(medline)
    return "-".join(filter(None, (pages.findtext("StartPage"), pages.findtext("EndPage"))))


def _notices(citation: "_Element", types: tuple[str, ...], title: str) -> tuple[Notice, ...]:
    notices = []
    for entry in citation.iterfind("CommentsCorrectionsList/CommentsCorrections"):
        status = _NOTICES.get(entry.get("RefType", ""))
        if status is not None:
            reference, pmid = text_of(entry.find("RefSource")), entry.findtext("PMID")
            if pmid:
                reference = f"{reference} PMID: {pmid}".strip()
            notices.append(Notice(status=status, source="pubmed", reference=reference))
    if not any(notice.status is RetractionStatus.RETRACTED for notice in notices):
        by_type = Notice(status=RetractionStatus.RETRACTED, source="pubmed", reference=_RETRACTED)
        notices.extend([by_type] if _RETRACTED in types else notices_of_title(title, "pubmed"))
    return tuple(notices)
