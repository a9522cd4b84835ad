"""The synchronous calls are their awaitable twins, run: typed and documented as these are, and nothing to await."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import evidencegate
from evidencegate import _api, aio
from evidencegate.errors import InvalidInput


@pytest.mark.parametrize("name", aio.__all__)
def test_a_call_has_the_parameters_and_the_documentation_of_its_twin(name: str) -> None:
    call, twin = getattr(_api, name), getattr(aio, name)

    assert inspect.signature(call) == inspect.signature(twin)
    assert inspect.getdoc(call) == inspect.getdoc(twin)
    assert inspect.iscoroutinefunction(twin)
    assert not inspect.iscoroutinefunction(call)


def test_a_word_that_no_call_knows_is_refused_before_anything_is_done() -> None:
    with pytest.raises(TypeError, match="audiense"):
        evidencegate.ask("Does exercise help in depression?", audiense="public")  # type: ignore[call-arg]


@pytest.mark.parametrize("call", [evidencegate.ask, evidencegate.report, evidencegate.counter, evidencegate.check])
def test_an_address_of_models_without_a_model_is_refused(call: Callable[..., Any]) -> None:
    with pytest.raises(InvalidInput, match="needs the model"):
        call("Vitamin D prevents falls in older adults.", base_url="http://127.0.0.1:9/v1")


QUESTION = "Does apixaban reduce stroke in atrial fibrillation?"


def searched(**given: Any) -> set[tuple[str, str]]:
    answer = evidencegate.ask(QUESTION, **given)
    return {(record.source, record.status.value) for record in answer.package.searches}


@pytest.mark.parametrize("name", ["europe_pmc", "Europe PMC", "europe-pmc"])
def test_a_source_in_any_spelling_is_one_source(name: str) -> None:
    others = {("pubmed", "not_asked"), ("clinical_trials", "not_asked")}
    for sources in ([name], name, [name, "europe_pmc"]):
        answer = evidencegate.ask(QUESTION, sources=sources, offline=True)
        reasons = {record.reason for record in answer.package.searches if record.source == "europe_pmc"}
        assert all("offline" in reason for reason in reasons), reasons
        assert searched(sources=sources, offline=True) == {("europe_pmc", "not_asked"), *others}
        queries = [record.query for record in answer.package.searches if record.source == "europe_pmc"]
        assert len(queries) == len(set(queries))


@pytest.fixture
def library(tmp_path: Path) -> Path:
    pytest.importorskip("lancedb", reason="the extra `library` is not installed")
    record = tmp_path / "record.jsonl"
    record.write_text('{"id": "a", "title": "An invented trial of apixaban", "abstract": "It fell."}', "utf-8")
    evidencegate.Library(tmp_path / "trials").add(record)
    return tmp_path / "trials"


@pytest.mark.parametrize("given", [str, lambda path: path, evidencegate.Library, lambda path: iter([path])])
def test_one_library_is_a_list_of_one(library: Path, given: Callable[[Path], Any]) -> None:
    assert ("library:trials", "ok") in searched(libraries=given(library))


def test_no_libraries_are_none() -> None:
    assert searched(libraries=None, offline=True) == searched(offline=True)


def test_an_audience_that_there_is_not_is_refused() -> None:
    with pytest.raises(InvalidInput, match="professional"):
        evidencegate.ask(QUESTION, offline=True, audience="experts")


def test_a_pmid_may_be_a_number() -> None:
    for against in (12345678, [12345678]):
        checked = evidencegate.check("Apixaban reduces stroke.", against=against, offline=True)  # type: ignore[arg-type]
        assert not checked.documents
