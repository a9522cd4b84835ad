"""Documents in the formats of the services."""

from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from evidencegate.documents import Document, RetractionStatus

_REF_TYPES = {
    RetractionStatus.RETRACTED: "RetractionIn",
    RetractionStatus.CONCERN: "ExpressionOfConcernIn",
    RetractionStatus.CORRECTED: "ErratumIn",
}
_SPELLED = {
    RetractionStatus.RETRACTED: ("Retraction in", "retraction"),
    RetractionStatus.CONCERN: ("Expression of concern in", "expression_of_concern"),
    RetractionStatus.CORRECTED: ("Erratum in", "correction"),
}


def labelled(document: Document) -> list[tuple[str, str]]:
    """Label and paragraph, the label empty where there is none."""
    found = []
    for span in document.paragraphs():
        section = document.section_at(span.start)
        found.append((section.label if section else "", document.text[span.start : span.end]))
    return found


def pubmed_article(document: Document) -> str:
    """A PubmedArticle element."""
    year, month, day = (*document.published.split("-"), "", "")[:3]
    pmid = document.identifiers.pmid
    abstract = "".join(
        f"<AbstractText{f' Label={quoteattr(label)}' if label else ''}>{escape(text)}</AbstractText>"
        for label, text in labelled(document)
    )
    authors = "".join(_author(name) for name in document.authors)
    types = "".join(f"<PublicationType>{escape(kind)}</PublicationType>" for kind in document.publication_types)
    mesh = "".join(
        f"<MeshHeading><DescriptorName>{escape(name)}</DescriptorName></MeshHeading>" for name in document.mesh
    )
    notices = "".join(
        f'<CommentsCorrections RefType="{_REF_TYPES[notice.status]}"><RefSource>{escape(notice.reference)}</RefSource>'
        "</CommentsCorrections>"
        for notice in document.notices
    )
    ids = "".join(
        f'<ArticleId IdType="{kind}">{escape(value)}</ArticleId>'
        for kind, value in (("doi", document.identifiers.doi), ("pmc", document.identifiers.pmcid))
        if value
    )
    return f"""<PubmedArticle><MedlineCitation><PMID Version="1">{pmid}</PMID><Article>
<Journal><JournalIssue><Volume>{escape(document.volume)}</Volume><Issue>{escape(document.issue)}</Issue>
<PubDate><Year>{year}</Year><Month>{month}</Month><Day>{day}</Day></PubDate></JournalIssue>
<ISOAbbreviation>{escape(document.journal)}</ISOAbbreviation></Journal>
<ArticleTitle>{escape(document.title)}</ArticleTitle>
<Pagination><MedlinePgn>{escape(document.pages)}</MedlinePgn></Pagination>
<Abstract>{abstract}</Abstract><AuthorList>{authors}</AuthorList><Language>eng</Language>
<PublicationTypeList>{types}</PublicationTypeList></Article>
<CommentsCorrectionsList>{notices}</CommentsCorrectionsList><MeshHeadingList>{mesh}</MeshHeadingList>
<KeywordList>{"".join(f"<Keyword>{escape(word)}</Keyword>" for word in document.keywords)}</KeywordList>
</MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pubmed">{pmid}</ArticleId>{ids}</ArticleIdList>
</PubmedData></PubmedArticle>"""


def _author(name: str) -> str:
    family, _, initials = name.rpartition(" ")
    return f"<Author><LastName>{escape(family)}</LastName><Initials>{escape(initials)}</Initials></Author>"


def europe_pmc_record(document: Document) -> dict[str, Any]:
    """A core record."""
    abstract = "".join(
        (f"<h4>{escape(label)}</h4>" if label else "") + f"<p>{escape(text)}</p>" for label, text in labelled(document)
    )
    identifiers = document.identifiers
    known = {"pmid": identifiers.pmid, "pmcid": identifiers.pmcid, "doi": identifiers.doi}
    return {
        "id": identifiers.pmid,
        "source": "MED",
        **{name: value for name, value in known.items() if value},
        "title": escape(document.title),
        "authorString": ", ".join(document.authors) + ".",
        "authorList": {"author": [{"fullName": name} for name in document.authors]},
        "journalInfo": {
            "issue": document.issue,
            "volume": document.volume,
            "yearOfPublication": document.year,
            "journal": {"title": document.journal, "medlineAbbreviation": document.journal},
        },
        "pubYear": str(document.year),
        "pageInfo": document.pages,
        "abstractText": abstract,
        "language": document.language,
        "pubTypeList": {"pubType": list(document.publication_types)},
        "meshHeadingList": {"meshHeading": [{"majorTopic_YN": "N", "descriptorName": name} for name in document.mesh]},
        "keywordList": {"keyword": list(document.keywords)},
        "isOpenAccess": "Y" if document.licence else "N",
        "citedByCount": document.citations or 0,
        **({"license": document.licence} if document.licence else {}),
        "firstPublicationDate": document.published,
        "commentCorrectionList": {
            "commentCorrection": [
                {"id": "1", "source": "MED", "reference": notice.reference, "type": _SPELLED[notice.status][0]}
                for notice in document.notices
            ]
        },
    }


def study(document: Document) -> dict[str, Any]:
    """A study of ClinicalTrials.gov v2, with posted results."""
    return {
        "protocolSection": {
            "identificationModule": {
                "nctId": document.identifiers.nct,
                "briefTitle": document.title,
                "officialTitle": document.title,
            },
            "statusModule": {"overallStatus": "COMPLETED", "studyFirstPostDateStruct": {"date": document.published}},
            "sponsorCollaboratorsModule": {"leadSponsor": {"name": "Invented Hospital", "class": "OTHER"}},
            "descriptionModule": {"briefSummary": document.text},
            "conditionsModule": {"conditions": list(document.keywords)},
            "designModule": {
                "studyType": "INTERVENTIONAL",
                "phases": ["PHASE3"],
                "designInfo": {"allocation": "RANDOMIZED"},
            },
            "contactsLocationsModule": {"overallOfficials": [{"name": name} for name in document.authors]},
        },
        "derivedSection": {"conditionBrowseModule": {"meshes": [{"id": "D1", "term": name} for name in document.mesh]}},
        "resultsSection": {
            "outcomeMeasuresModule": {
                "outcomeMeasures": [
                    {
                        "type": "PRIMARY",
                        "title": "Major bleeding",
                        "timeFrame": "12 months",
                        "unitOfMeasure": "Participants",
                        "groups": [{"id": "OG000", "title": "Apixaban"}, {"id": "OG001", "title": "Control"}],
                        "classes": [
                            {
                                "categories": [
                                    {
                                        "measurements": [
                                            {"groupId": "OG000", "value": "11"},
                                            {"groupId": "OG001", "value": "23"},
                                        ]
                                    }
                                ]
                            }
                        ],
                        "analyses": [
                            {
                                "groupIds": ["OG000", "OG001"],
                                "paramType": "Hazard Ratio (HR)",
                                "paramValue": "0.47",
                                "ciPctValue": "95",
                                "ciLowerLimit": "0.23",
                                "ciUpperLimit": "0.96",
                                "pValue": "0.04",
                            }
                        ],
                    }
                ]
            }
        },
        "hasResults": True,
    }


def openalex_work(document: Document) -> dict[str, Any]:
    """A work, its abstract as an inverted index."""
    index: dict[str, list[int]] = {}
    for place, word in enumerate(document.text.split()):
        index.setdefault(word, []).append(place)
    identifiers = document.identifiers
    first, _, last = document.pages.partition("-")
    return {
        "id": f"https://openalex.org/W{identifiers.pmid}",
        "doi": f"https://doi.org/{identifiers.doi}" if identifiers.doi else None,
        "ids": {"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{identifiers.pmid}"},
        "display_name": document.title,
        "publication_date": document.published,
        "publication_year": document.year,
        "language": document.language,
        "type": "article",
        "primary_location": {"source": {"display_name": document.journal}, "license": None},
        "authorships": [{"author": {"display_name": _given_first(name)}} for name in document.authors],
        "cited_by_count": document.citations or 0,
        "is_retracted": document.retracted,
        "biblio": {"volume": document.volume, "issue": document.issue, "first_page": first, "last_page": last},
        "mesh": [{"descriptor_name": name} for name in document.mesh],
        "keywords": [{"display_name": word} for word in document.keywords],
        "abstract_inverted_index": index or None,
    }


def _given_first(name: str) -> str:
    family, _, initials = name.rpartition(" ")
    return f"{'. '.join(initials)}. {family}"


def crossref_work(document: Document, *, notices: bool = True) -> dict[str, Any]:
    """A work; `notices` off leaves the news about it to the notices themselves."""
    year, month, day = map(int, document.published.split("-"))
    jats = "".join(
        "<jats:sec>"
        + (f"<jats:title>{escape(label)}</jats:title>" if label else "")
        + f"<jats:p>{escape(text)}</jats:p></jats:sec>"
        for label, text in labelled(document)
    )
    work: dict[str, Any] = {
        "DOI": (document.identifiers.doi or "").upper(),
        "title": [document.title],
        "author": [
            {"family": name.rpartition(" ")[0], "given": ". ".join(name.rpartition(" ")[2]) + "."}
            for name in document.authors
        ],
        "container-title": ["Journal of " + document.journal],
        "short-container-title": [document.journal],
        "issued": {"date-parts": [[year, month, day]]},
        "volume": document.volume,
        "issue": document.issue,
        "page": document.pages,
        "abstract": jats,
        "type": "journal-article",
        "language": document.language,
        "is-referenced-by-count": document.citations or 0,
    }
    if notices and document.notices:
        work["updated-by"] = [crossref_update(document, f"10.5555/notice.{n}") for n in range(len(document.notices))]
    return work


def crossref_update(document: Document, doi: str) -> dict[str, Any]:
    """An `updated-by` entry (with the notice's DOI) or, with the document's own, an `update-to` one."""
    return {
        "DOI": doi,
        "type": _SPELLED[document.notices[0].status][1],
        "label": "Update",
        "source": "publisher",
        "updated": {"date-parts": [[2024, 1, 15]]},
    }


def crossref_notice(document: Document) -> dict[str, Any]:
    """The notice about a document, naming it in `update-to`."""
    return {
        "DOI": "10.5555/notice.0",
        "title": [f"Notice: {document.title}"],
        "issued": {"date-parts": [[2024]]},
        "type": "journal-article",
        "update-to": [crossref_update(document, document.identifiers.doi or "")],
    }


def open_i_image(document: Document) -> dict[str, Any]:
    """One image of an article, as Open-i lists it."""
    pmid = document.identifiers.pmid
    return {
        "uid": f"PMC{pmid}_fig1",
        "pmid": pmid,
        "pmcid": pmid,
        "title": document.title,
        "authors": ", ".join(document.authors),
        "journal_title": document.journal,
        "journal_date": {"year": str(document.year)},
        "imgLarge": f"/imgs/512/{pmid}/fig1.png",
        "imgThumb": f"/imgs/150/{pmid}/fig1.png",
        "image": {"id": "fig1", "caption": f"Figure 1: decision algorithm. {document.title}"},
        "licenseType": "by",
        "licenseURL": "http://creativecommons.org/licenses/by/4.0/",
    }


def jats(document: Document, *, body: Mapping[str, str] | None = None) -> str:
    """The full text of an article; with `body`, sections by their titles, its text so far is the abstract."""
    own = "".join(
        f"<sec><title>{escape(label or 'Text')}</title><p>{escape(text)}</p></sec>"
        for label, text in (labelled(document) if body is None else body.items())
    )
    abstract = "" if body is None else f"<abstract><p>{escape(document.text)}</p></abstract>"
    identifiers = document.identifiers
    return f"""<?xml version="1.0"?><article xmlns:xlink="http://www.w3.org/1999/xlink"><front><journal-meta>
<journal-title-group><journal-title>{escape(document.journal)}</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="pmid">{identifiers.pmid}</article-id>
<article-id pub-id-type="pmc">{(identifiers.pmcid or "").removeprefix("PMC")}</article-id>
<article-id pub-id-type="doi">{identifiers.doi}</article-id>
<title-group><article-title>{escape(document.title)}</article-title></title-group>
<pub-date><year>{document.year}</year></pub-date>{abstract}</article-meta></front><body>{own}</body></article>"""
