"""What the services send becomes documents with nothing lost."""

import asyncio
import json
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document, RetractionStatus
from evidencegate.evidence import Level, evidence_level
from evidencegate.question import Question
from evidencegate.sources import Found, open_sources, search
from evidencegate.sources._build import date, initials, iso, joined, parts
from evidencegate.sources._full_text import _Unpaywalled
from evidencegate.sources._markup import clean, page_words, plain
from evidencegate.sources._reply import Reply
from evidencegate.sources.crossref import _document as crossref_document
from evidencegate.sources.crossref import _listing, _Work
from evidencegate.sources.openalex import _document as openalex_document
from evidencegate.sources.openalex import _Work as _OpenAlexWork
from evidencegate.sources.openalex import abstract
from evidencegate.sources.pubmed import _listed, _read
from simulated import ARTICLES, LiteratureService

# What a service's own format has no place for.
LOST = {
    "pubmed": {"licence", "citations"},
    "europe_pmc": set(),
    "openalex": {"sections", "publication_types", "licence"},
    "crossref": {"mesh", "keywords", "publication_types", "licence"},
}
# Not of the work, but of the record or of how it is told.
ABOUT_THE_RECORD = {"id", "source", "text", "notices", "identifiers"}


def found(service: LiteratureService, tmp_path: Path, question: Question, name: str) -> dict[str, Document]:
    async def run() -> tuple[Found, ...]:
        async with open_sources([name], settings=service.settings(tmp_path)) as sources:
            return (await search(question, sources))[0].found

    return {hit.document.title: hit.document for hit in asyncio.run(run())}


@pytest.mark.parametrize("name", LOST)
def test_a_record_arrives_whole(service: LiteratureService, tmp_path: Path, question: Question, name: str) -> None:
    got = found(service, tmp_path, question, name)
    assert len(got) >= 4
    for title, document in got.items():
        sent = next(article for article in ARTICLES if article.title == title)
        for field in fields(Document):
            if field.name not in LOST[name] | ABOUT_THE_RECORD:
                wanted = getattr(sent, field.name)
                if field.name == "citations":
                    wanted = wanted or 0
                assert getattr(document, field.name) == wanted, field.name
        assert " ".join(document.text.split()) == " ".join(sent.text.split())
        assert set(document.identifiers.keys()) <= set(sent.identifiers.keys())
        assert document.retraction is sent.retraction
        if name in ("pubmed", "europe_pmc", "crossref"):
            assert document.text == sent.text


def test_trials_come_with_their_posted_results(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    for document in found(service, tmp_path, question, "clinical_trials").values():
        labels = [section.label for section in document.sections]
        assert labels == ["Design", "Summary", "Posted results"]
        assert document.text.startswith("Randomized clinical trial, phase 3, results posted.\n\nThis invented trial")
        assert evidence_level(document) is Level.RCT
        assert document.publication_types == (
            "Clinical Trial Registration",
            "Randomized Controlled Trial",
            "Clinical Trial, Phase III",
            "Posted Results",
        )
        assert document.url == f"https://clinicaltrials.gov/study/{document.identifiers.nct}"


# --- parts --------------------------------------------------------------------------------------------------------


@given(
    st.lists(
        st.tuples(st.sampled_from(["", "Background", "RESULTS"]), st.text("abc p<0.05&;.", min_size=1)), max_size=5
    )
)
def test_sections_lie_where_their_text_is(body: list[tuple[str, str]]) -> None:
    from xml.sax.saxutils import escape

    markup = "".join((f"<h4>{label}</h4>" if label else "") + f"<p>{escape(text)}</p>" for label, text in body)
    text, sections = joined(parts(markup))
    for section in sections:
        assert text[section.span.start : section.span.end].strip()
    for _, paragraph in body:
        assert " ".join(paragraph.split()) in text


@given(st.text())
def test_plain_text_can_be_written_down(markup: str) -> None:
    text = plain(markup)
    assert text.encode("utf-8").decode("utf-8") == text
    assert text == " ".join(text.split())
    assert clean(text) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("p<0.05 and a < b > c", "p<0.05 and a < b > c"),
        ("CO<sub>2</sub> &lt; 5 &amp; <i>E. coli</i>", "CO2 < 5 & E. coli"),
        ("n<sub>1</sub>&nbsp;=&#160;3", "n1 = 3"),
        ("<p>one</p><p>two</p>", "one two"),
        ("a\x00b\ud800c", "abc"),
    ],
)
def test_tags_go_and_signs_stay(markup: str, text: str) -> None:
    assert plain(markup) == text


def test_error_pages_are_told_in_their_own_words() -> None:
    page = "<html><head><title>t</title><script>var a = '<b>';</script></head><body><h1>Bad gateway</h1>Later</body>"
    assert page_words(page) == "Bad gateway Later"
    assert page_words('{"error": "no such field", "code": 7}') == "no such field"
    assert page_words("{not json") == "{not json"


@given(st.lists(st.text("abcdefgh", min_size=1), min_size=1, max_size=30))
def test_an_inverted_index_is_turned_back(words: list[str]) -> None:
    index: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        index.setdefault(word, []).append(place)
    assert abstract(index) == " ".join(words)


def test_an_index_that_claims_too_much_is_not_unpacked() -> None:
    assert abstract({"a": [0, 10**12, -5], "b": [1]}) == "a b"


@given(
    st.one_of(st.none(), st.integers(), st.text(max_size=5)), st.one_of(st.none(), st.integers(), st.text(max_size=5))
)
def test_dates_are_dates_or_nothing(year: int | str | None, month: int | str | None) -> None:
    text = date(year, month, 31)
    assert text == "" or iso(text) == text


def test_names_as_nlm_prints_them() -> None:
    assert initials("Jane A.") == "JA"
    assert initials("Jean-Luc") == "JL"
    assert iso("2021-3-9T00:00Z") == "2021-03-09"
    assert iso("Spring 2021") == ""
    assert date(2021, "Mar", 9) == "2021-03-09"


# --- recorded replies ---------------------------------------------------------------------------------------------


def reply(content: bytes) -> Reply:
    return Reply("PubMed", content, "text/xml", "2026-01-01T00:00:00+00:00")


@pytest.mark.parametrize(("name", "count", "ids"), [("esearch1.xml", 63, 20), ("esearch2.xml", 42249, 100)])
def test_recorded_searches(shared_data: Path, name: str, count: int, ids: int) -> None:
    listing = _listed(reply((shared_data / "http/ncbi" / name).read_bytes()))
    assert (listing.count, len(listing.ids)) == (count, ids)
    assert bool(listing.history) is (name == "esearch2.xml")


@pytest.mark.parametrize("name", ["pubmed4.xml", "pubmed7.xml"])
def test_recorded_records(shared_data: Path, name: str) -> None:
    from lxml import etree

    content = (shared_data / "http/ncbi" / name).read_bytes()
    batch = _read(reply(content))
    root = etree.fromstring(content)
    assert batch.unusable == 0
    articles = root.findall("PubmedArticle")
    assert len(batch.documents) == len(articles) + len(root.findall("PubmedBookArticle"))
    for document, article in zip(batch.documents, articles, strict=False):
        assert document.identifiers.pmid == article.findtext("MedlineCitation/PMID")
        words = " ".join(" ".join(node.itertext()) for node in article.iterfind(".//Abstract/AbstractText")).split()
        assert "".join(document.text.split()) == "".join(words)
        assert len(document.authors) == len(article.findall(".//AuthorList/Author"))
        assert len(document.mesh) == len(article.findall(".//MeshHeading/DescriptorName"))
        assert document.journal
        assert document.year
        assert document.publication_types


def _recorded(shared_data: Path, host: str) -> list[dict[str, Any]]:
    """The JSON bodies of one host's recorded replies."""
    import gzip

    import yaml

    bodies = []
    for path in sorted((shared_data / "http/cassettes").glob("*.yaml")):
        for interaction in yaml.safe_load(path.read_text("utf-8"))["interactions"]:
            if host not in interaction["request"]["uri"] or interaction["response"]["status"]["code"] != 200:
                continue
            body = interaction["response"]["body"]["string"]
            raw = body if isinstance(body, bytes) else body.encode()
            raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
            if raw.lstrip().startswith(b"{"):  # some replies are BibTeX
                bodies.append(json.loads(raw))
    return bodies


def test_recorded_crossref_replies(shared_data: Path) -> None:
    listings = [body for body in _recorded(shared_data, "api.crossref.org") if body["message-type"] == "work-list"]
    assert listings
    for body in listings:
        works = _listing(Reply("Crossref", json.dumps(body).encode(), "application/json", "")).message
        assert works.total_results == body["message"]["total-results"]
        for item in works.items:
            document = crossref_document(_Work.model_validate(item))
            assert document is not None
            assert document.identifiers.doi == item["DOI"].lower()
            assert document.title == plain(item["title"][0])
            assert len(document.authors) == len(item.get("author", []))


def test_recorded_crossref_works(shared_data: Path) -> None:
    works = [body["message"] for body in _recorded(shared_data, "api.crossref.org") if body["message-type"] == "work"]
    assert len(works) == 3
    for work in works:
        document = crossref_document(_Work.model_validate(work))
        assert document is not None
        issued = work["issued"]["date-parts"][0]
        assert document.published == "-".join(f"{part:02d}" for part in issued)
        assert document.volume == work.get("volume", "")
        assert document.issue == work.get("issue", "")
        assert document.pages == work.get("page", "")
        assert document.citations == work["is-referenced-by-count"]
        assert document.journal in (*work.get("short-container-title", []), *work["container-title"])
        assert document.language == work.get("language", "")
        text = re.sub(r"<[^>]+>", "", work.get("abstract", ""))
        words = set(plain(text).split()) - {"Abstract", "Summary"}
        assert words - set(document.text.split()) - set(" ".join(s.label for s in document.sections).split()) == set()


def test_recorded_openalex_works(shared_data: Path) -> None:
    works = [body for body in _recorded(shared_data, "api.openalex.org") if "display_name" in body]
    assert works
    for work in works:
        document = openalex_document(_OpenAlexWork.model_validate(work))
        assert document is not None
        assert document.identifiers.doi == work["doi"].removeprefix("https://doi.org/").lower()
        assert document.published == work["publication_date"]
        assert document.citations == work["cited_by_count"]
        assert len(document.authors) == len({entry["author"]["display_name"] for entry in work["authorships"]})
        assert len(document.text.split()) == sum(map(len, (work["abstract_inverted_index"] or {}).values()))


def test_recorded_unpaywall_replies(shared_data: Path) -> None:
    known = [_Unpaywalled.model_validate(body) for body in _recorded(shared_data, "api.unpaywall.org")]
    assert known
    for entry in known:
        assert entry.doi
        assert (entry.best_oa_location is not None) is entry.is_oa


def test_a_notice_is_not_what_it_is_about() -> None:
    about = replace(ARTICLES[0], notices=ARTICLES[4].notices)
    from simulated._formats import crossref_notice

    notice = crossref_document(_Work.model_validate(crossref_notice(about)))
    assert notice is not None
    assert notice.retraction is RetractionStatus.NONE
    assert notice.publication_types == ("Retraction Notice",)
