"""JSON lines: fields, sections, identifiers, and what is skipped."""

import gzip
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document, Identifiers, RetractionStatus
from evidencegate.documents.readers import Deleted, Limits, Skipped, read
from evidencegate.documents.readers.jsonl import NotARecord, from_mapping


def lines(tmp_path: Path, *records: object, name: str = "records.jsonl") -> list[Document | Skipped | Deleted]:
    path = tmp_path / name
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records), "utf-8")
    return list(read(path))


@given(st.text().filter(str.strip))
def test_an_abstract_alone_is_the_text_to_the_character(abstract: str) -> None:
    assert from_mapping({"id": 1, "abstract": abstract}).text == abstract
    assert from_mapping({"id": 1, "text": abstract}).text == abstract


def test_every_field(tmp_path: Path) -> None:
    record = {
        "id": "x1",
        "pmid": "PMID: 123",
        "pmcid": 456,
        "doi": "https://doi.org/10.9999/ABC.1",
        "nct": "nct01234567",
        "title": "  An invented\ntitle ",
        "sections": [{"label": "Methods", "text": "We did."}, {"heading": "Results", "text": ["It fell.", "It rose."]}],
        "abstract": "In short.",
        "authors": ["Example A", {"family": "Sample", "given": "Jean-Paul"}, {"name": "The Group"}],
        "journal": "J Invent",
        "year": "2021",
        "published": "2021-03",
        "volume": 3,
        "issue": "2",
        "pages": "1-2",
        "publication_types": ["Review"],
        "mesh": "Adult; Fever",
        "keywords": ["fever"],
        "language": "eng",
        "source": "europe_pmc",
        "licence": "CC BY 4.0",
        "citations": 7,
        "full_text": True,
        "notices": [{"status": "corrected", "source": "crossref", "reference": "10.9999/c"}],
        "unknown": {"is": "passed over"},
    }
    [found] = lines(tmp_path, record)

    assert isinstance(found, Document)
    assert found.identifiers == Identifiers(pmid="123", pmcid="PMC456", doi="10.9999/abc.1", nct="NCT01234567")
    assert (found.id, found.title) == ("pmid:123", "An invented title")
    assert found.text == "In short.\n\nWe did.\n\nIt fell.\n\nIt rose."
    assert [(s.label, s.span.of(found.text)) for s in found.sections] == [
        ("Abstract", "In short."),
        ("Methods", "We did."),
        ("Results", "It fell.\n\nIt rose."),
    ]
    assert found.authors == ("Example A", "Sample JP", "The Group")
    assert (found.journal, found.year, found.published) == ("J Invent", 2021, "2021-03")
    assert (found.volume, found.issue, found.pages) == ("3", "2", "1-2")
    assert (found.publication_types, found.mesh, found.keywords) == (("Review",), ("Adult", "Fever"), ("fever",))
    assert (found.language, found.source, found.licence) == ("en", "europe_pmc", "CC BY 4.0")
    assert (found.citations, found.full_text, found.retraction) == (7, True, RetractionStatus.CORRECTED)


@pytest.mark.parametrize(
    ("record", "key"),
    [
        ({"_id": "MED-1", "title": "T", "text": "x", "url": "http://www.ncbi.nlm.nih.gov/pubmed/123"}, "pmid:123"),
        ({"_id": "1", "text": "x", "metadata": {"url": "https://pubmed.ncbi.nlm.nih.gov/123/"}}, "pmid:123"),
        ({"_id": "1", "text": "x", "metadata": {}}, "local:1"),
        ({"_id": "1", "text": "x", "url": "http://www.ncbi.nlm.nih.gov/pubmed?term=123[uid]"}, "pmid:123"),
        ({"_id": "1", "text": "x", "url": "http://www.ncbi.nlm.nih.gov/pubmed?term=5+a+day"}, "local:1"),
        ({"_id": "1", "text": "x", "url": "http://www.ncbi.nlm.nih.gov/pmc/articles/pmid/123/?x"}, "pmid:123"),
        ({"_id": "1", "text": "x", "url": "http://www.ncbi.nlm.nih.gov/pubmed/ 123"}, "pmid:123"),
        ({"id": "pmid:77", "text": "x"}, "pmid:77"),
        ({"id": 77, "text": "x"}, "local:77"),
        ({"id": "local:a", "text": "x"}, "local:a"),
        ({"doi": "10.9999/A", "pmid": None, "nct": "n/a", "text": "x"}, "doi:10.9999/a"),
        ({"url": "https://doi.org/10.9999/a", "text": "x"}, "doi:10.9999/a"),
        ({"url": "https://pmc.ncbi.nlm.nih.gov/articles/PMC12/", "text": "x"}, "pmcid:PMC12"),
        ({"url": "https://clinicaltrials.gov/study/NCT01234567", "text": "x"}, "nct:NCT01234567"),
    ],
)
def test_ids(record: dict[str, Any], key: str) -> None:
    assert from_mapping(record).id == key


def test_an_address_of_its_own_is_kept_only_without_identifiers() -> None:
    guideline = from_mapping({"title": "An invented guideline", "url": "https://example.org/g"})
    article = from_mapping({"pmid": 1, "title": "T", "url": "https://example.org/g"})

    assert guideline.url == "https://example.org/g"
    assert article.url == "https://pubmed.ncbi.nlm.nih.gov/1/"
    for address in (
        "javascript:alert(1)",
        "https://www.google.com/search?q=fever",
        "https://scholar.google.co.uk/scholar/x",
        "http://www.ncbi.nlm.nih.gov/pubmed?term=fever+diet",
        "http://www.ncbi.nlm.nih.gov/pubmed?cmd=search",
        "https:// ",
    ):
        assert from_mapping({"title": "T", "url": address}).url is None


def test_ids_without_one_given_depend_on_the_content() -> None:
    first, second, third = (from_mapping({"text": text}) for text in ("a", "b", "a"))

    assert first.id == third.id != second.id
    assert first.id.startswith("local:")


def test_abstract_and_text_are_both_kept_but_not_twice() -> None:
    assert from_mapping({"abstract": "In short.", "text": "Body."}).text == "In short.\n\nBody."
    assert from_mapping({"abstract": "In short.", "text": "In short. Body."}).text == "In short. Body."
    assert from_mapping({"abstract": ["One. ", "Two."]}).text == "One. Two."
    assert from_mapping({"sections": {"Methods": "We did."}}).sections[0].label == "Methods"


def test_retraction_fields() -> None:
    assert from_mapping({"title": "T", "retracted": True}).retracted
    assert from_mapping({"title": "T", "retraction": "retracted"}).retracted
    assert from_mapping({"title": "Retracted: T"}).retracted
    assert from_mapping({"title": "T", "retraction": "none", "retracted": False}).notices == ()
    assert from_mapping({"title": "Retracted papers in medicine: a study"}).notices == ()


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ('{"id": 1, "text": "cut', "not JSON"),
        ("[1, 2]", "a JSON list"),
        ("3", "a JSON int"),
        ("[" * 100_000, "JSON"),
        ({"id": 1}, "nothing to read"),
        ({"id": 1, "abstract": "  "}, "nothing to read"),
        ({"pmid": "abc", "text": "x"}, "`pmid` is 'abc'"),
        ({"doi": "11.1/x", "text": "x"}, "not a DOI"),
        ({"text": "x", "notices": ["bad"]}, "a notice is"),
        ('{"text": "\\u0000\\ud800"', "not JSON"),
    ],
)
def test_a_bad_line_costs_only_itself(tmp_path: Path, record: object, reason: str) -> None:
    first, second, third = lines(tmp_path, {"id": "a", "text": "x"}, record, {"id": "b", "text": "y"})

    assert isinstance(first, Document)
    assert isinstance(second, Skipped)
    assert second.path.endswith("records.jsonl:2")
    assert reason in second.reason
    assert isinstance(third, Document)


def test_half_a_surrogate_pair_is_replaced(tmp_path: Path) -> None:
    [found] = lines(tmp_path, '{"text": "a \\ud800 b"}')

    assert isinstance(found, Document)
    assert found.text == "a ? b"


def test_a_line_over_the_limit_is_skipped_and_the_next_is_read(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text(f'{{"text": "{"x" * 10_000}"}}\n{{"text": "y"}}\n')
    first, second = read(path, limits=Limits(record_bytes=1000))

    assert isinstance(first, Skipped)
    assert isinstance(second, Document)
    assert second.text == "y"


def test_one_json_value(tmp_path: Path) -> None:
    records = [{"id": "a", "text": "x"}, {"id": "b", "text": "y"}, 5]
    pretty = tmp_path / "list.json"
    pretty.write_text(json.dumps(records, indent=1))
    wrapped = tmp_path / "wrapped.json"
    wrapped.write_text(json.dumps({"count": 2, "results": records}))
    single = tmp_path / "single.json"
    single.write_text(json.dumps(records[0], indent=1))
    one_a_line = tmp_path / "lines.json"
    one_a_line.write_text('{"id": "a", "text": "x"}\n{"id": "b", "text": "y"}\n')

    ids = [
        [i.id if isinstance(i, Document) else "skipped" for i in read(p)] for p in (pretty, wrapped, single, one_a_line)
    ]
    assert ids == [
        ["local:a", "local:b", "skipped"],
        ["local:a", "local:b", "skipped"],
        ["local:a"],
        ["local:a", "local:b"],
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = [
    *(
        "id",
        "_id",
        "pmid",
        "pmcid",
        "doi",
        "nct",
        "title",
        "abstract",
        "text",
        "sections",
        "authors",
        "journal",
        "year",
    ),
    *("published", "mesh", "keywords", "publication_types", "notices", "retraction", "retracted", "url", "metadata"),
    *("citations", "full_text", "language", "source"),
]


@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_any_object_is_a_document_or_refused(record: dict[str, Any]) -> None:
    with suppress(NotARecord):
        found = from_mapping(record)
        assert found.id
        found.text.encode("utf-8")


def test_shared_corpora_keep_their_text(shared_data: Path) -> None:
    path = shared_data / "retrieval" / "nfcorpus" / "corpus.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        records = [json.loads(line) for line in stream]
    documents = list(read(path))

    assert len(documents) == len(records) == 3633
    for found, record in zip(documents, records, strict=True):
        assert isinstance(found, Document)
        assert found.text == record["text"]
        named = found.identifiers.pmid or found.identifiers.pmcid
        assert named is None or named in record["url"]
        assert found.stored_url is None
    assert sum(bool(d.identifiers) for d in documents if isinstance(d, Document)) > 3600


def test_two_authors_of_one_name_are_two(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps({"title": "Invented", "text": "Words.", "authors": ["Zhang Y", "Li W", "Zhang Y", ""]}))
    (found,) = read(path)
    assert isinstance(found, Document)
    assert found.authors == ("Zhang Y", "Li W", "Zhang Y")
