"""PubMed XML: what efetch returns, and the baseline and update files, with their deletions."""

import re
from collections.abc import Iterator
from io import BufferedIOBase
from typing import TYPE_CHECKING

from evidencegate.documents._document import Document, Notice, RetractionStatus
from evidencegate.documents._identifiers import Identifiers
from evidencegate.documents.readers._build import TextBuilder, collapse, iso_date, unique, year_in
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
    text = _abstract(article.find("Abstract"))
    types = unique(text_of(kind) for kind in article.iterfind("PublicationTypeList/PublicationType"))
    return Document(
        id=identifiers.keys()[0],
        title=text_of(article.find("ArticleTitle")) or text_of(article.find("VernacularTitle")),
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
        notices=_notices(citation, types),
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
    year, published = _date(book.find("PubDate"))
    text = _abstract(chapter.find("Abstract"))
    book_title = text_of(book.find("BookTitle"))
    lists = [*chapter.iterfind("AuthorList"), *book.iterfind("AuthorList")]
    by_authors = [entry for entry in lists if entry.get("Type") != "editors"] or lists
    return Document(
        id=identifiers.keys()[0],
        title=text_of(chapter.find("ArticleTitle")) or book_title,
        text=text.text,
        identifiers=identifiers,
        sections=text.sections,
        authors=_authors(by_authors[0] if by_authors else None),
        journal=book_title,
        year=year,
        published=published,
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


def _abstract(abstract: "_Element | None") -> TextBuilder:
    text = TextBuilder()
    for part in abstract.iterfind("AbstractText") if abstract is not None else ():
        category = part.get("NlmCategory", "")
        label = part.get("Label") or ("" if category == "UNASSIGNED" else category)
        text.add(text_of(part), collapse(label))
    return text


def _authors(listed: "_Element | None") -> tuple[str, ...]:
    names = []
    for entry in listed if listed is not None else ():
        if entry.get("ValidYN") == "N":
            continue
        # One pass over the children: names are most of a record's elements.
        parts = {child.tag: child for child in entry}
        if "CollectiveName" in parts:
            names.append(text_of(parts["CollectiveName"]).rstrip("."))
        else:
            known = (parts[tag].text for tag in ("LastName", "Initials", "Suffix") if tag in parts)
            names.append(collapse(" ".join(part for part in known if part)))
    return unique(names)


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


def _notices(citation: "_Element", types: tuple[str, ...]) -> tuple[Notice, ...]:
    notices = []
    for entry in citation.iterfind("CommentsCorrectionsList/CommentsCorrections"):
        status = _NOTICES.get(entry.get("RefType", ""))
        if status is not None:
            reference, pmid = text_of(entry.find("RefSource")), entry.findtext("PMID")
            if pmid:
                reference = f"{reference} PMID: {pmid}".strip()
            notices.append(Notice(status=status, source="pubmed", reference=reference))
    if _RETRACTED in types and not any(n.status is RetractionStatus.RETRACTED for n in notices):
        notices.append(Notice(status=RetractionStatus.RETRACTED, source="pubmed", reference=_RETRACTED))
    return tuple(notices)
