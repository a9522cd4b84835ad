"""Whatever a service sends: a failure that says so, or documents that open. Never an exception of another kind."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from evidencegate.documents import Document
from evidencegate.evidence import why_not_direct
from evidencegate.sources import clinical_trials, crossref, europe_pmc, open_i, openalex, perplexity, pubmed
from evidencegate.sources._failure import Failure
from evidencegate.sources._model import read
from evidencegate.sources._reply import Reply
from evidencegate.sources._trial import Study, trial
from simulated import ARTICLES, TRIALS
from simulated import _formats as formats

READERS: dict[str, tuple[dict[str, Any], Callable[[list[Any]], tuple[tuple[Document, ...], str]]]] = {
    "europe_pmc": (
        formats.europe_pmc_record(ARTICLES[4]),
        lambda records: read(records, europe_pmc._Record, europe_pmc._document),
    ),
    "clinical_trials": (formats.study(TRIALS[0]), lambda records: read(records, Study, trial)),
    "openalex": (formats.openalex_work(ARTICLES[0]), lambda records: read(records, openalex._Work, openalex._document)),
    "crossref": (formats.crossref_work(ARTICLES[4]), lambda records: read(records, crossref._Work, crossref._document)),
}
PARSERS: dict[str, Callable[[Reply], Any]] = {
    "pubmed search": pubmed._listed,
    "pubmed records": pubmed._read,
    "europe_pmc": europe_pmc._page,
    "clinical_trials": clinical_trials._page,
    "openalex": openalex._page,
    "crossref": crossref._listing,
    "open_i": open_i._page,
    "perplexity": perplexity._answer,
}
WHOLE: dict[str, bytes] = {
    "pubmed search": b"<eSearchResult><Count>2</Count><IdList><Id>1</Id><Id>2</Id></IdList></eSearchResult>",
    "pubmed records": f"<PubmedArticleSet>{formats.pubmed_article(ARTICLES[0])}</PubmedArticleSet>".encode(),
    "europe_pmc": json.dumps(
        {"hitCount": 1, "resultList": {"result": [formats.europe_pmc_record(ARTICLES[0])]}}
    ).encode(),
    "clinical_trials": json.dumps({"studies": [formats.study(TRIALS[0])], "totalCount": 1}).encode(),
    "openalex": json.dumps({"meta": {"count": 1}, "results": [formats.openalex_work(ARTICLES[0])]}).encode(),
    "crossref": json.dumps({"message": {"total-results": 1, "items": [formats.crossref_work(ARTICLES[0])]}}).encode(),
    "open_i": json.dumps({"total": 1, "list": [formats.open_i_image(ARTICLES[0])]}).encode(),
    "perplexity": json.dumps({"choices": [], "search_results": [{"title": "t", "url": "u"}]}).encode(),
}
_JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=30),
        st.sampled_from(["https://www.google.com/search?q=x", "10.1/<script>", "\ud800", "<p>", "0", "-1", "9" * 40]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where in a nested value something can be put in place of something else."""
    found = [path] if path else []
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        found += places(child, (*path, key))
    return found


@st.composite
def spoiled(draw: st.DrawFn, record: dict[str, Any]) -> Any:
    """The record with one to three of its values replaced by anything, or taken out."""
    value = deepcopy(record)
    for _ in range(draw(st.integers(1, 3))):
        known = places(value)
        if not known:
            break
        *path, last = draw(st.sampled_from(known))
        parent = value
        for key in path:
            parent = parent[key]
        if draw(st.booleans()):
            parent[last] = draw(_JSON)
        elif isinstance(parent, dict):
            del parent[last]
    return value


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_every_document_opens_its_article(name: str, data: st.DataObject) -> None:
    whole, reader = READERS[name]
    record = data.draw(st.one_of(spoiled(whole), _JSON))
    documents, note = reader([record, whole])
    assert 1 <= len(documents) <= 2
    assert (len(documents) == 2) or note
    for document in documents:
        assert document.title
        assert document.url is not None
        assert why_not_direct(document.url) is None
        assert document.url.startswith(
            ("https://pubmed.", "https://pmc.", "https://doi.org/", "https://clinicaltrials.")
        )
        document.text.encode("utf-8")
        for section in document.sections:
            assert document.text[section.span.start : section.span.end].strip()


@pytest.mark.parametrize("name", PARSERS)
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@example(data=None)
def test_any_bytes_are_an_answer_or_a_failure(name: str, data: st.DataObject | None) -> None:
    whole = WHOLE[name]
    if data is None:
        assert PARSERS[name](Reply("Service", whole, "", "")) is not None
        return
    content = data.draw(
        st.one_of(
            st.binary(max_size=60),
            _JSON.map(lambda value: json.dumps(value).encode("utf-8", "surrogatepass")),
            st.integers(0, len(whole)).map(lambda end: whole[:end]),
            st.tuples(st.integers(0, len(whole)), st.binary(min_size=1, max_size=4)).map(
                lambda cut: whole[: cut[0]] + cut[1] + whole[cut[0] :]
            ),
        )
    )
    try:
        told = PARSERS[name](Reply("Service", content, "", "")) and "Service"
    except Failure as failure:
        told = failure.reason
    assert "Service" in told or "Europe PMC" in told


_ADDRESS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "https://www.google.com/search?q=PMID+123",
            "https://pubmed.ncbi.nlm.nih.gov/?term=aspirin",
            "https://pubmed.ncbi.nlm.nih.gov/12345678/",
            "https://evil.example/pubmed.ncbi.nlm.nih.gov/12345678",
            "https://pubmed.ncbi.nlm.nih.gov.evil.example/12345678",
            "https://doi.org/10.5555/a?x=10.5555/b",
            "https://[::1",
            "javascript:alert(1)//10.5555/x",
        ]
    ),
)


@given(_ADDRESS)
def test_identifiers_are_read_from_addresses_of_articles_only(address: str) -> None:
    identifiers = perplexity.identifiers_of(address)
    if identifiers.pmid:
        assert address.startswith(("https://pubmed.ncbi.nlm.nih.gov/1", "https://www.ncbi.nlm.nih.gov/pubmed/"))
    if identifiers:
        assert identifiers.url is not None
        assert "google" not in identifiers.url
