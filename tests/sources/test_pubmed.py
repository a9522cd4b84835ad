"""What is peculiar to E-utilities: the history server, POST, the cap, and few requests."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evidencegate.documents import Document
from evidencegate.question import Question
from evidencegate.sources import SearchResult, Status, open_sources, search
from evidencegate.sources.pubmed import PubMed
from simulated import ARTICLES, Fault, LiteratureService
from simulated._articles import article


def many(count: int) -> list[Document]:
    return [
        article(91_000_000 + n, f"Apixaban in atrial fibrillation, invented study {n}", {"": f"Invented finding {n}."})
        for n in range(count)
    ]


def ask(service: LiteratureService, tmp_path: Path, question: Question, limit: int, **changes: Any) -> SearchResult:
    async def run() -> SearchResult:
        async with open_sources(["pubmed"], settings=service.settings(tmp_path, **changes)) as sources:
            return (await search(question, sources, limit=limit))[0]

    return asyncio.run(run())


def test_more_than_two_hundred_come_from_the_history_server(
    service: LiteratureService, tmp_path: Path, question: Question
) -> None:
    service.articles = tuple(many(450))
    result = ask(service, tmp_path, question, 430)
    assert result.record.status is Status.OK
    assert result.record.records == 430
    assert result.record.total == 450
    assert len({found.document.id for found in result.found}) == 430
    fetches = [seen for seen in service.seen if seen.path == "/efetch.fcgi"]
    assert [seen.params["retmax"] for seen in fetches] == ["200", "200", "30"]
    assert all("id" not in seen.params and seen.params["WebEnv"] for seen in fetches)


def test_a_batch_that_fails_leaves_the_others(
    service: LiteratureService, tmp_path: Path, question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.articles = tuple(many(450))
    original = service.answer

    def second_batch_fails(seen: Any, fault: Fault | None) -> Any:
        answer = original(seen, fault)
        if seen.params.get("retstart") == "200":
            answer.status = 500
        return answer

    monkeypatch.setattr(service, "answer", second_batch_fails)
    result = ask(service, tmp_path, question, 430)
    assert result.record.status is Status.PARTIAL
    assert result.record.records == 200
    assert "200 of 430 records came" in result.record.reason
    assert "500" in result.record.reason


def test_the_cap_of_a_search_is_told(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    service.articles = tuple(many(5))
    result = ask(service, tmp_path, question, 20_000)
    assert result.record.status is Status.PARTIAL
    assert "9,999" in result.record.reason
    assert all(int(seen.params.get("retmax", 0)) <= 9999 for seen in service.seen)


def test_long_queries_are_posted(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    names = tuple(f"inventumab{n} injection" for n in range(60))
    first = question.sub_queries[0]
    longer = replace(first, query=f"{first.query} {' '.join(names)}")
    terms = (*question.intervention_terms, *names)
    result = ask(service, tmp_path, replace(question, intervention_terms=terms, sub_queries=(longer,)), 25)
    assert result.record.status is Status.OK
    posted = [seen for seen in service.seen if seen.method == "POST"]
    assert posted
    assert all(seen.params["api_key"] and seen.params["email"] and "60" not in seen.path for seen in posted)
    assert all(len("&".join(seen.params.values())) < 1800 for seen in service.seen if seen.method == "GET")


def test_records_are_fetched_once_for_all_steps(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    result = ask(service, tmp_path, question, 25)
    assert len(result.record.narrower) == 1
    assert [seen.path for seen in service.seen] == ["/esearch.fcgi"] * 2 + ["/efetch.fcgi"]
    assert result.found[0].document.id == ARTICLES[0].id, "what the narrowest query found comes first"
    assert "found 1, so the search was broadened" in result.record.reason


def test_a_broader_query_that_fails_keeps_what_was_found(
    service: LiteratureService, tmp_path: Path, question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = service.answer

    def broader_search_fails(seen: Any, fault: Fault | None) -> Any:
        answer = original(seen, fault)
        # Only the narrowest of these asks for a kind of study.
        if seen.path == "/esearch.fcgi" and "[pt]" not in seen.params["term"]:
            answer.status = 503
        return answer

    monkeypatch.setattr(service, "answer", broader_search_fails)
    result = ask(service, tmp_path, question, 25)
    assert result.record.status is Status.PARTIAL
    assert result.found[0].document.id == ARTICLES[0].id
    assert "503" in result.record.reason


def test_a_page_of_bad_records_is_no_empty_page(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    service.articles = (replace(ARTICLES[0], title=""),)
    result = ask(service, tmp_path, question, 25)
    assert result.record.status is Status.PARTIAL
    assert result.record.records == 0
    assert "0 of 1 records came, 1 could not be read" in result.record.reason


def test_nothing_found_is_what_it_is(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    service.articles = ()
    record = ask(service, tmp_path, question, 25).record
    assert record.status is Status.EMPTY
    assert record.total == 0
    assert len(record.narrower) == 2
    assert PubMed.name == "pubmed"
