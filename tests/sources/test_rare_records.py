"""What the other services may legally send and rarely do: it arrives, and nothing is misread. All invented."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.question import Question
from evidencegate.sources import (
    Client,
    OpenI,
    Perplexity,
    SearchResult,
    Status,
    Unavailable,
    current_notices,
    fetch,
    open_sources,
    search,
)
from evidencegate.sources._build import parts, surname_last
from evidencegate.sources._markup import plain
from evidencegate.sources.perplexity import identifiers_of
from simulated import ARTICLES, LiteratureService

T = TypeVar("T")
DOI = "10.5555/rare"


def with_client(service: LiteratureService, tmp_path: Path, do: Callable[[Client], Awaitable[T]]) -> T:
    async def run() -> T:
        async with Client(service.settings(tmp_path)) as client:
            return await do(client)

    return asyncio.run(run())


def searched(service: LiteratureService, tmp_path: Path, question: Question, name: str) -> SearchResult:
    async def run() -> SearchResult:
        async with open_sources([name], settings=service.settings(tmp_path)) as sources:
            return (await search(question, sources))[0]

    return asyncio.run(run())


def fetched(service: LiteratureService, tmp_path: Path, wanted: Identifiers) -> Document:
    document = with_client(service, tmp_path, lambda client: fetch(wanted, client))
    assert isinstance(document, Document), document
    return document


# --- Europe PMC ---------------------------------------------------------------------------------------------------


def europe_pmc(service: LiteratureService, tmp_path: Path, record: dict[str, Any]) -> Document:
    service.articles = ()
    page = {"version": "6.9", "hitCount": 1, "request": {}, "resultList": {"result": [record]}, "new": {"field": [1]}}
    service.verbatim["europe_pmc/search"] = json.dumps(page)
    return fetched(service, tmp_path, Identifiers(doi=DOI))


def test_a_preprint_of_europe_pmc(service: LiteratureService, tmp_path: Path) -> None:
    record = {
        "id": "PPR900001",
        "source": "PPR",
        "doi": DOI,
        "title": "Zelfaban &amp;lt; warfarin: <i>an</i> invented preprint.",
        "authorList": {
            "author": [
                {"collectiveName": "INVENT Group"},
                {"fullName": "Li Y", "firstName": "Yan", "lastName": "Li", "authorId": {"type": "ORCID"}},
                {"fullName": "Li Y", "firstName": "Yi", "lastName": "Li", "authorAffiliationDetailsList": None},
                {"firstName": "Ada", "lastName": "Byron"},
                None,
            ]
        },
        "bookOrReportDetails": {"publisher": "medRxiv", "yearOfPublication": 2024},
        "pubYear": "2024",
        "abstractText": "<h4>Aim</h4>We asked. <h4>Results</h4>10<sup>5</sup> CFU, p&lt;0.05.",
        "pubTypeList": {"pubType": ["preprint", None]},
        "commentCorrectionList": {"commentCorrection": [{"id": "PPR900002", "source": "PPR", "type": "Withdrawal in"}]},
        "firstPublicationDate": None,
        "citedByCount": 0,
        "journalInfo": None,
    }
    document = europe_pmc(service, tmp_path, record)
    assert document.title == "Zelfaban < warfarin: an invented preprint."
    assert document.authors == ("INVENT Group", "Li Y", "Li Y", "Byron A")
    assert (document.journal, document.year, document.citations) == ("medRxiv", 2024, 0)
    assert document.text == "We asked.\n\n105 CFU, p<0.05."
    assert document.publication_types == ("preprint",)
    assert document.retracted


def test_the_year_is_that_of_the_issue(service: LiteratureService, tmp_path: Path) -> None:
    record = {
        "doi": DOI,
        "title": "An invented article",
        "journalInfo": {"yearOfPublication": 2020, "journal": {"isoabbreviation": "J Inv"}},
        "pubYear": "2020",
        "firstPublicationDate": "2019-12-30",
    }
    document = europe_pmc(service, tmp_path, record)
    assert (document.year, document.published, document.journal) == (2020, "2019-12-30", "J Inv")


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("Retraction in", RetractionStatus.RETRACTED),
        ("Retracted and republished in", RetractionStatus.RETRACTED),
        ("Expression of concern in", RetractionStatus.CONCERN),
        ("Erratum in", RetractionStatus.CORRECTED),
        ("Corrected and republished in", RetractionStatus.CORRECTED),
        ("Retraction of", RetractionStatus.NONE),
        ("Erratum for", RetractionStatus.NONE),
        ("Preprint in", RetractionStatus.NONE),
        ("Comment in", RetractionStatus.NONE),
    ],
)
def test_kinds_of_comments_at_europe_pmc(
    service: LiteratureService, tmp_path: Path, kind: str, status: RetractionStatus
) -> None:
    listed = {"commentCorrection": [{"id": "1", "source": "MED", "reference": "J Inv. 2024", "type": kind}]}
    record = {"doi": DOI, "title": "An invented article", "pubYear": "2020", "commentCorrectionList": listed}
    assert europe_pmc(service, tmp_path, record).retraction is status


# --- Crossref -----------------------------------------------------------------------------------------------------


def crossref(service: LiteratureService, tmp_path: Path, **fields: Any) -> Document:
    service.articles = ()
    work = {"DOI": DOI.upper(), "title": ["An invented work"], "type": "journal-article", "new-field": [{"a": None}]}
    service.verbatim[f"crossref/works/{DOI.replace('/', '%2F')}"] = json.dumps({"message": work | fields})
    return fetched(service, tmp_path, Identifiers(doi=DOI))


def test_a_work_with_everything_that_publishers_do(service: LiteratureService, tmp_path: Path) -> None:
    document = crossref(
        service,
        tmp_path,
        title=["Zelfaban &amp;amp; warfarin in &lt;i&gt;E. coli&lt;/i&gt;\n      <scp>CKD</scp>"],
        author=[
            {"name": "INVENT Group", "sequence": "first", "affiliation": []},
            {"given": "Yan", "family": "Li"},
            {"given": "Yi", "family": "Li"},
            {"given": "John A.", "family": "Doe", "suffix": "Jr."},
            {"given": "Suharto"},
        ],
        issued={"date-parts": [[None]]},
        **{"published-print": {"date-parts": [[2022, 4]]}, "container-title": ["Diabetes &amp;amp; Invention"]},
        **{"article-number": "e123", "is-referenced-by-count": 3, "short-container-title": []},
        license=[
            {"URL": "https://x.example/tdm", "content-version": "tdm"},
            {"URL": "cc-by", "content-version": "vor"},
        ],
        abstract=(
            "<jats:title>Abstract</jats:title><jats:sec><jats:title>Results</jats:title><jats:p>At "
            "<jats:inline-formula><jats:alternatives><jats:tex-math>\\documentclass{minimal}$$x$$</jats:tex-math>"
            "<mml:math><mml:mi>x</mml:mi></mml:math></jats:alternatives></jats:inline-formula>"
            " &amp;lt; 5, p&lt;0.01.</jats:p></jats:sec>"
            "<jats:list><jats:list-item>One.</jats:list-item><jats:list-item>Two.</jats:list-item></jats:list>"
        ),
    )
    assert document.title == "Zelfaban & warfarin in E. coli CKD"
    assert document.authors == ("INVENT Group", "Li Y", "Li Y", "Doe JA Jr", "Suharto")
    assert (document.year, document.published, document.pages) == (2022, "2022-04", "e123")
    assert (document.journal, document.licence, document.citations) == ("Diabetes & Invention", "cc-by", 3)
    assert " ".join(document.text.split()) == "At x < 5, p<0.01. One. Two."


def test_a_preprint_is_of_its_server(service: LiteratureService, tmp_path: Path) -> None:
    posted = {"type": "posted-content", "posted": {"date-parts": [[2023, 1, 2]]}, "publisher": "A Laboratory"}
    assert crossref(service, tmp_path / "1", **posted, institution=[{"name": "medRxiv"}]).journal == "medRxiv"
    assert crossref(service, tmp_path / "2", **posted, institution={"name": "bioRxiv"}).journal == "bioRxiv"
    last = crossref(service, tmp_path / "3", **posted)
    assert (last.journal, last.published, last.publication_types) == ("A Laboratory", "2023-01-02", ("Preprint",))


@pytest.mark.parametrize(
    ("kind", "status", "notice"),
    [
        ("retraction", RetractionStatus.RETRACTED, "Retraction Notice"),
        ("Retraction", RetractionStatus.RETRACTED, "Retraction Notice"),
        ("withdrawal", RetractionStatus.RETRACTED, "Retraction Notice"),
        ("removal", RetractionStatus.RETRACTED, "Retraction Notice"),
        ("expression-of-concern", RetractionStatus.CONCERN, "Expression of Concern"),
        ("expression_of_concern", RetractionStatus.CONCERN, "Expression of Concern"),
        ("partial_retraction", RetractionStatus.CONCERN, "Expression of Concern"),
        ("correction", RetractionStatus.CORRECTED, "Published Erratum"),
        ("corrigendum", RetractionStatus.CORRECTED, "Published Erratum"),
        ("erratum", RetractionStatus.CORRECTED, "Published Erratum"),
        ("new_version", RetractionStatus.NONE, "Journal Article"),
        ("new_edition", RetractionStatus.NONE, "Journal Article"),
    ],
)
def test_updates_are_read_in_both_directions(
    service: LiteratureService, tmp_path: Path, kind: str, status: RetractionStatus, notice: str
) -> None:
    def update(doi: str) -> dict[str, Any]:
        updated = {"date-parts": [[2024, 5, 6]], "date-time": "2024-05-06T00:00:00Z", "timestamp": 1}
        return {
            "DOI": doi,
            "type": kind,
            "label": "x",
            "source": "retraction-watch",
            "record-id": 7,
            "updated": updated,
        }

    on_work = crossref(service, tmp_path / "by", **{"updated-by": [update("10.5555/notice")]})
    assert on_work.retraction is status
    if on_work.notices:
        assert (on_work.notices[0].source, on_work.notices[0].reference) == ("Retraction Watch", "doi:10.5555/notice")
        assert on_work.notices[0].date == "2024-05-06"
    on_itself = crossref(service, tmp_path / "itself", **{"update-to": [update(DOI.upper())]})
    assert (on_itself.retraction, on_itself.publication_types) == (status, ("Journal Article",))
    on_notice = crossref(service, tmp_path / "to", **{"update-to": [update("10.5555/of-another")]})
    assert (on_notice.retraction, on_notice.publication_types) == (RetractionStatus.NONE, (notice,))


def test_a_retraction_said_in_the_title_only(service: LiteratureService, tmp_path: Path) -> None:
    assert crossref(service, tmp_path, title=["RETRACTED: An invented work"]).retracted


def test_more_notices_than_a_page_holds_are_all_asked_for(service: LiteratureService, tmp_path: Path) -> None:
    """One work with a page full of corrections must not hide the retraction of another."""
    documents = [article for article in ARTICLES if article.identifiers.doi][:4]
    service.articles = tuple(documents)
    service.notices_on_notices = True
    original = service.answer

    def one_at_a_time(seen: Any, fault: Any) -> Any:
        answer = original(seen, fault)
        if seen.service == "crossref" and seen.params.get("filter", "").startswith("updates:"):
            body = json.loads(answer.body)
            body["message"]["items"] = body["message"]["items"][:1]
            answer.body = json.dumps(body).encode()
        return answer

    service.answer = one_at_a_time  # type: ignore[method-assign]
    marked = [replace(d, notices=(Notice(status=RetractionStatus.RETRACTED, source="x"),)) for d in documents]
    service.articles = tuple(marked)
    asked = [replace(d, notices=(), identifiers=Identifiers(doi=d.identifiers.doi)) for d in documents]
    check = with_client(service, tmp_path, lambda client: current_notices(asked, client))
    assert all(document.retracted for document in check.applied(asked))


# --- OpenAlex -----------------------------------------------------------------------------------------------------


def test_a_work_of_openalex_with_gaps(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    work = {
        "id": "https://openalex.org/W1",
        "doi": None,
        "ids": {"openalex": "https://openalex.org/W1", "pmid": "https://pubmed.ncbi.nlm.nih.gov/990000303", "mag": 7},
        "title": "Zelfaban &amp; warfarin in <i>invented</i> fibrillation",
        "display_name": None,
        "publication_date": None,
        "publication_year": 2021,
        "language": None,
        "type": "preprint",
        "primary_location": {"source": None, "license": None, "landing_page_url": "x"},
        "locations": [{"source": None}, {"source": {"display_name": "Invented Archive"}, "license": "cc-by"}, None],
        "authorships": [
            {"author": {"display_name": "Jan van der Berg"}},
            {"author": {"display_name": "John Q. Public Jr."}},
            {"author": {"display_name": "Doe, Jane A."}},
            {"author": {"display_name": "INVENT Collaborative Group"}},
            {"author": {"display_name": None}, "raw_author_name": "Ada Byron"},
            {"author": None, "raw_author_name": "Yi Li"},
        ],
        "cited_by_count": 12,
        "is_retracted": True,
        "has_fulltext": True,
        "has_content": {"pdf": False},
        "biblio": {"volume": None, "issue": None, "first_page": "e7", "last_page": None},
        "mesh": [{"descriptor_ui": "D1", "descriptor_name": "Fever", "qualifier_name": None, "is_major_topic": True}],
        "keywords": [{"id": "k", "display_name": "Invention", "score": 0.4}, {"keyword": "old form", "score": 1}],
        "abstract_inverted_index": {"Zelfaban": [0, 3], "helps.": [1], "Yet": [2], "kills.": [4]},
        "awards": [],
    }
    service.verbatim["openalex/works"] = json.dumps(
        {"meta": {"count": 1, "db_response_time_ms": 3, "page": None, "next_cursor": None, "cost_usd": 0.1}}
        | {"results": [work], "group_by": []}
    )
    (hit,) = searched(service, tmp_path, question, "openalex").found
    document = hit.document
    assert document.id == "pmid:990000303"
    assert document.title == "Zelfaban & warfarin in invented fibrillation"
    assert document.text == "Zelfaban helps. Yet Zelfaban kills."
    assert document.authors == (
        "van der Berg J",
        "Public JQ Jr",
        "Doe JA",
        "INVENT Collaborative Group",
        "Byron A",
        "Li Y",
    )
    assert (document.journal, document.licence, document.year, document.pages) == (
        "Invented Archive",
        "cc-by",
        2021,
        "e7",
    )
    assert (document.mesh, document.keywords, document.publication_types) == (("Fever",), ("Invention",), ("Preprint",))
    assert document.retracted


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Jane Doe", "Doe J"),
        ("J. Doe III", "Doe J III"),
        ("Charles de Gaulle", "de Gaulle C"),
        ("Madonna", "Madonna"),
        ("World Health Organization", "World Health Organization"),
        ("", ""),
    ],
)
def test_names_that_nobody_took_apart(name: str, written: str) -> None:
    assert surname_last(name) == written


# --- ClinicalTrials.gov -------------------------------------------------------------------------------------------


def trial(service: LiteratureService, tmp_path: Path, **sections: Any) -> Document:
    study = {"protocolSection": {"identificationModule": {"nctId": "NCT99000001", "briefTitle": "An invented trial"}}}
    study["protocolSection"] |= sections.pop("protocol", {})
    service.verbatim["clinical_trials/studies/NCT99000001"] = json.dumps(study | sections)
    return fetched(service, tmp_path, Identifiers(nct="NCT99000001"))


def part(document: Document, label: str) -> str:
    section = next(section for section in document.sections if section.label == label)
    return section.span.of(document.text)


def test_a_withdrawn_trial_says_so(service: LiteratureService, tmp_path: Path) -> None:
    document = trial(
        service,
        tmp_path,
        protocol={
            "statusModule": {
                "overallStatus": "WITHDRAWN",
                "whyStopped": "No funding",
                "startDateStruct": {"date": "2024"},
            },
            "designModule": {
                "studyType": "INTERVENTIONAL",
                "phases": ["EARLY_PHASE1"],
                "designInfo": {"allocation": "RANDOMIZED", "maskingInfo": {"masking": "QUADRUPLE"}},
                "enrollmentInfo": {"count": 0, "type": "ACTUAL"},
            },
            "eligibilityModule": {
                "eligibilityCriteria": "Inclusion Criteria:\n\n* Age \\>= 18 years\n* eGFR \\< 30\n\n1. One\n2. Two",
                "sex": "FEMALE",
                "minimumAge": "18 Years",
            },
            "contactsLocationsModule": {
                "overallOfficials": [{"name": "Jane A. Doe, MD, PhD"}, {"name": "Pfizer Call"}]
            },
        },
    )
    assert part(document, "Design") == (
        "Randomized clinical trial, early phase 1, quadruple masking, 0 participants, withdrawn before enrolment."
    )
    assert part(document, "Why stopped") == "No funding"
    assert part(document, "Eligibility").split("\n\n") == [
        "Age: 18 Years and older; sex: female",
        "Inclusion Criteria:",
        "Age >= 18 years",
        "eGFR < 30",
        "One",
        "Two",
    ]
    assert document.authors == ("Doe JA", "Pfizer Call")
    assert (document.published, document.year) == ("2024", 2024)
    assert document.publication_types == ("Clinical Trial Registration", "Randomized Controlled Trial")


def test_what_is_only_planned_is_no_result(service: LiteratureService, tmp_path: Path) -> None:
    design = {"studyType": "INTERVENTIONAL", "enrollmentInfo": {"count": 300, "type": "ESTIMATED"}}
    measure = {"type": "SECONDARY", "title": "Death", "timeFrame": "5 years", "reportingStatus": "NOT_POSTED"}
    document = trial(
        service,
        tmp_path,
        protocol={"designModule": design, "statusModule": {"overallStatus": "RECRUITING"}},
        resultsSection={"outcomeMeasuresModule": {"outcomeMeasures": [measure]}},
    )
    assert part(document, "Design") == "Clinical trial, 300 participants planned, recruiting."
    assert part(document, "Posted results") == "Secondary outcome: Death (time frame: 5 years): not posted."


def test_posted_results_with_everything_a_table_holds(service: LiteratureService, tmp_path: Path) -> None:
    measure = {
        "type": "PRIMARY",
        "title": "Change in pressure",
        "timeFrame": "12 weeks",
        "reportingStatus": "POSTED",
        "paramType": "MEAN",
        "dispersionType": "Standard Deviation",
        "unitOfMeasure": "mmHg",
        "groups": [{"id": "OG000", "title": "Zelfaban"}, {"id": "OG001", "title": "Placebo"}],
        "denoms": [{"units": "Participants", "counts": [{"groupId": "OG000", "value": "40"}]}],
        "classes": [
            {
                "title": "Week 12",
                "categories": [
                    {
                        "measurements": [
                            {"groupId": "OG000", "value": "-9.1", "spread": "3.2"},
                            {"groupId": "OG001", "value": "NA", "comment": "Not estimable."},
                        ]
                    }
                ],
            }
        ],
        "analyses": [
            {
                "groupIds": ["OG000", "OG001"],
                "paramType": "Hazard Ratio (HR)",
                "paramValue": "0.8",
                "ciNumSides": "ONE_SIDED",
                "ciPctValue": "97.5",
                "ciUpperLimit": "1.2",
                "pValue": "<0.001",
                "statisticalMethod": "Log Rank",
                "testedNonInferiority": True,
                "estimateComment": "Below 1 favors zelfaban",
            }
        ],
    }
    groups = [{"title": "Zelfaban", "otherNumAffected": 3, "otherNumAtRisk": 40, "deathsNumAffected": None}]
    document = trial(
        service,
        tmp_path,
        resultsSection={
            "outcomeMeasuresModule": {"outcomeMeasures": [measure]},
            "adverseEventsModule": {"eventGroups": groups},
        },
        hasResults=True,
    )
    assert part(document, "Posted results") == (
        "Primary outcome: Change in pressure (time frame: 12 weeks). "
        "Zelfaban (n=40): Week 12: mean -9.1 mmHg (standard deviation 3.2). "
        "Placebo: Week 12: mean NA mmHg (Not estimable). "
        "Zelfaban vs. Placebo: Hazard Ratio (HR) 0.8, 97.5% CI, upper limit 1.2, p<0.001 (Log Rank), "
        "tested for non-inferiority. Below 1 favors zelfaban."
    )
    assert part(document, "Posted harms") == "Zelfaban: other adverse events in 3 of 40."


# --- Perplexity and Open-i ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("https://pubmed.ncbi.nlm.nih.gov/990000303/#abstract", "pmid:990000303"),
        ("https://pubmed.ncbi.nlm.nih.gov/?term=x", ""),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC9900001/pdf/main.pdf", "pmcid:PMC9900001"),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC9900001/", "pmcid:PMC9900001"),
        ("https://europepmc.org/article/MED/990000303#impact", "pmid:990000303"),
        ("https://europepmc.org/articles/pmc9900001?pdf=render", "pmcid:PMC9900001"),
        ("https://clinicaltrials.gov/study/NCT99000001/results?term=a", "nct:NCT99000001"),
        ("https://clinicaltrials.gov/ct2/show/results/nct99000001", "nct:NCT99000001"),
        ("https://doi.org/10.5555/a.pdf", "doi:10.5555/a.pdf"),
        ("https://www.example.org/doi/full/10.5555/abc.12", "doi:10.5555/abc.12"),
        ("https://www.example.org/articles/10.5555/abc.12/full", "doi:10.5555/abc.12"),
        ("https://link.example.org/content/pdf/10.5555/s1-2.pdf", "doi:10.5555/s1-2"),
        ("https://news.example.org/a-story", ""),
        ("not an address", ""),
    ],
)
def test_addresses_of_articles(address: str, key: str) -> None:
    assert (identifiers_of(address).keys() or ("",))[0] == key


def test_perplexity_in_its_old_and_new_forms(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    """`citations` alone until 2025, then `search_results`; some replies hold both, or objects for addresses."""
    first, second = ARTICLES[0], ARTICLES[1]
    answer: dict[str, Any] = {"choices": [{"message": {"content": "x"}}], "usage": {"cost": {"total_cost": 0.1}}}
    both = answer | {
        "search_results": [
            {"title": f"{first.title} - PubMed", "url": first.identifiers.url, "date": None, "snippet": "s"},
            {"title": second.title, "url": second.identifiers.url, "last_updated": "2025-01-01", "source": "web"},
        ],
        "citations": [first.identifiers.url, {"url": second.identifiers.url, "title": second.title}, None, 7],
    }
    old = answer | {"citations": [first.identifiers.url], "search_results": None}

    def asked(reply: dict[str, Any], folder: str) -> SearchResult:
        service.verbatim["perplexity/chat/completions"] = json.dumps(reply)
        return with_client(
            service,
            tmp_path / folder,
            lambda client: Perplexity(client).search(question.sub_queries[0], question, limit=5),
        )

    result = asked(both, "both")
    assert [found.document.id for found in result.found] == [first.id, second.id]
    result = asked(old, "old")
    assert result.record.status is Status.PARTIAL
    assert "nothing but the identifier" in result.record.reason


def test_open_i_without_images(service: LiteratureService, tmp_path: Path) -> None:
    service.verbatim["open_i/api/search"] = json.dumps({"total": 0, "Query": "x"})
    result = with_client(service, tmp_path, lambda client: OpenI(client).pictures("x"))
    assert (result.record.status, result.pictures) == (Status.EMPTY, ())
    service.verbatim["open_i/api/search"] = json.dumps({"total": 3})
    result = with_client(service, tmp_path / "2", lambda client: OpenI(client).pictures("x"))
    assert result.record.status is Status.MALFORMED


def test_nobody_has_it(service: LiteratureService, tmp_path: Path) -> None:
    service.articles = ()
    got = with_client(service, tmp_path, lambda client: fetch(Identifiers(doi=DOI), client))
    assert isinstance(got, Unavailable)
    assert got.status is Status.EMPTY


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("p &amp;lt; 0.05", "p < 0.05"),
        ("AT&amp;amp;T", "AT&T"),
        ("5 &amp;#x2265; 3", "5 ≥ 3"),
        ("&lt;sup&gt;13&lt;/sup&gt;C", "13C"),
        ("a &lt;b and c&gt; d", "a <b and c> d"),
        ("R&amp;D; done", "R&D; done"),
    ],
)
def test_what_was_escaped_twice(markup: str, text: str) -> None:
    assert plain(markup) == text


@pytest.mark.parametrize(
    "beginning", ["<h4>", "<title>x", "<p ", "<br>", "<tex-math>", "< ", "</", "&amp;", "<!--", "\n "]
)
def test_beginnings_without_an_end_are_read_like_anything_else(beginning: str) -> None:
    """A hundred thousand of them, in time that grows with the text: with its square it would be many minutes."""
    markup = beginning * 100_000 + "Words."
    # What follows TeX that does not end is TeX as well.
    assert plain(markup).endswith("Words.") is (beginning != "<tex-math>")
    assert len(parts(markup)) <= 1


def test_headings_are_found_between_other_marks() -> None:
    found = parts("<jats:title >Aim</jats:title ><jats:p>One.</jats:p>< h4 class='a'> Results: </ h4 >Two.<br/><br/>3.")
    assert [(part.label, part.paragraphs) for part in found] == [("Aim", ("One.",)), ("Results", ("Two.", "3."))]
