"""Every fault at every source: no run fails, no failure is hidden, no key gets out."""

import asyncio
import logging
from pathlib import Path

import pytest

from evidencegate.question import Question
from evidencegate.sources import NAMES, SearchResult, Status, open_sources, search
from simulated import Fault, LiteratureService
from simulated._server import NCBI_KEY, OPENALEX_KEY, PERPLEXITY_KEY

FAILED = {
    Fault.TOO_MANY_REQUESTS: Status.RATE_LIMITED,
    Fault.TOO_MANY_FOR_LONG: Status.RATE_LIMITED,
    Fault.TOO_MANY_WITH_DATE: Status.RATE_LIMITED,
    Fault.SERVER_ERROR: Status.UNREACHABLE,
    Fault.UNAVAILABLE: Status.UNREACHABLE,
    Fault.BAD_GATEWAY_PAGE: Status.UNREACHABLE,
    Fault.SILENCE: Status.UNREACHABLE,
    Fault.SLOW_DRIP: Status.UNREACHABLE,
    Fault.CUT: Status.UNREACHABLE,
    Fault.RESET: Status.UNREACHABLE,
    Fault.WEB_PAGE: Status.MALFORMED,
    Fault.NO_COUNT: Status.MALFORMED,
    Fault.EMPTY_BODY: Status.MALFORMED,
    Fault.TRUNCATED: Status.MALFORMED,
    Fault.GZIP_GARBAGE: Status.MALFORMED,
    Fault.GZIP_BOMB: Status.MALFORMED,
    Fault.HUGE: Status.MALFORMED,
    Fault.REDIRECT_LOOP: Status.MALFORMED,
    Fault.REDIRECT_NOWHERE: Status.MALFORMED,
    Fault.REDIRECT_WITH_KEY: Status.MALFORMED,
    Fault.KEY_ECHO: Status.BAD_QUERY,
    Fault.FORBIDDEN: Status.REFUSED,
    Fault.BAD_QUERY: Status.BAD_QUERY,
    Fault.NOT_FOUND: Status.UNREACHABLE,
    Fault.WRONG_SHAPE: Status.MALFORMED,
    Fault.DEEP: Status.MALFORMED,
    Fault.NOT_UTF8: Status.MALFORMED,
}
"""Faults after which nothing can be known, and what the log must say."""

SURVIVED = {Fault.WRONG_TYPE: Status.OK, Fault.DUPLICATES: Status.OK, Fault.WRONG_COUNT: Status.PARTIAL}
"""Faults that cost nothing, or part of the records."""

PASSING = (
    Fault.TOO_MANY_REQUESTS,
    Fault.TOO_MANY_WITH_DATE,
    Fault.SERVER_ERROR,
    Fault.UNAVAILABLE,
    Fault.SILENCE,
    Fault.CUT,
    Fault.RESET,
    Fault.WEB_PAGE,
    Fault.EMPTY_BODY,
    Fault.TRUNCATED,
)
"""Faults that a second request may find gone."""


HANGING = (Fault.SILENCE, Fault.SLOW_DRIP)
"""Faults that end by our own patience only."""


def patience(fault: Fault) -> dict[str, float]:
    """Short limits where the limit is what is tested; long ones elsewhere, for busy machines."""
    return {"read_seconds": 0.3, "request_seconds": 0.6} if fault in HANGING else {}


def ask(service: LiteratureService, tmp_path: Path, question: Question, *names: str, **changes: object) -> SearchResult:
    """What one source answers to the question's only sub-query."""

    async def run() -> tuple[SearchResult, ...]:
        async with open_sources(names, settings=service.settings(tmp_path, cache_days=0, **changes)) as sources:
            return await search(question, sources, limit=25)

    return asyncio.run(run())[0]


@pytest.mark.parametrize("fault", FAILED, ids=lambda fault: fault.name)
@pytest.mark.parametrize("name", NAMES)
def test_a_failure_is_told_as_what_it_is(
    service: LiteratureService, tmp_path: Path, question: Question, name: str, fault: Fault
) -> None:
    service.fail(name, fault)
    record = ask(service, tmp_path, question, name, **patience(fault)).record
    expected = FAILED[fault]
    if name == "clinical_trials" and fault is Fault.NO_COUNT:
        # There the count is optional; the listing's own end decides.
        expected = Status.OK
    assert record.status is expected, record
    if not record.status.answered:
        assert record.reason
        assert record.records == 0


@pytest.mark.parametrize("fault", SURVIVED, ids=lambda fault: fault.name)
@pytest.mark.parametrize("name", NAMES)
def test_what_came_is_kept(
    service: LiteratureService, tmp_path: Path, question: Question, name: str, fault: Fault
) -> None:
    whole = ask(service, tmp_path / "1", question, name)
    service.fail(name, fault)
    result = ask(service, tmp_path / "2", question, name)
    assert result.record.status is SURVIVED[fault], result.record
    if fault is not Fault.WRONG_COUNT:
        assert [found.document for found in result.found] == [found.document for found in whole.found]
    else:
        # A count that promises more than comes is told, and stops no reader from what did come.
        assert result.found
        assert "came" in result.record.reason


@pytest.mark.parametrize("name", NAMES)
def test_an_error_inside_a_success_is_an_error(
    service: LiteratureService, tmp_path: Path, question: Question, name: str
) -> None:
    service.fail(name, Fault.ERROR_INSIDE_200)
    record = ask(service, tmp_path, question, name).record
    assert not record.status.answered
    assert record.reason


@pytest.mark.parametrize("name", NAMES)
def test_one_broken_record_costs_itself(
    service: LiteratureService, tmp_path: Path, question: Question, name: str
) -> None:
    whole = ask(service, tmp_path / "1", question, name)
    service.fail(name, Fault.BROKEN_RECORD)
    result = ask(service, tmp_path / "2", question, name)
    assert result.record.status is Status.PARTIAL
    assert 0 < len(result.found) < len(whole.found)
    assert "could not be read" in result.record.reason


@pytest.mark.parametrize("fault", PASSING, ids=lambda fault: fault.name)
@pytest.mark.parametrize("name", NAMES)
def test_what_passes_is_waited_out(
    service: LiteratureService, tmp_path: Path, question: Question, name: str, fault: Fault
) -> None:
    service.fail(name, fault, times=1)
    # More attempts than needed: on a busy machine an answer may come later than so little patience allows.
    record = ask(service, tmp_path, question, name, attempts=8, **patience(fault)).record
    assert record.status is Status.OK, record
    assert record.records


@pytest.mark.parametrize("fault", Fault, ids=lambda fault: fault.name)
def test_no_key_gets_out(
    service: LiteratureService,
    tmp_path: Path,
    question: Question,
    fault: Fault,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in NAMES:
        service.fail(name, fault)

    async def run() -> tuple[SearchResult, ...]:
        settings = service.settings(tmp_path, **patience(fault))
        async with open_sources(NAMES, settings=settings) as sources:
            return await search(question, sources)

    results = asyncio.run(run())
    output = capfd.readouterr()
    shown = repr(results) + caplog.text + output.out + output.err
    for key in (NCBI_KEY, OPENALEX_KEY, PERPLEXITY_KEY):
        assert key not in shown
        assert key[:12] not in shown
        for path in tmp_path.rglob("*"):
            if path.is_file():
                assert key.encode() not in path.read_bytes()
    assert any("api_key" in seen.params for seen in service.seen), "keys are sent, all the same"


def test_one_failed_source_fails_no_run(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    service.fail("pubmed", Fault.SERVER_ERROR)
    service.fail("crossref", Fault.RESET)

    async def run() -> tuple[SearchResult, ...]:
        async with open_sources(NAMES, settings=service.settings(tmp_path)) as sources:
            return await search(question, sources)

    results = {result.record.source: result.record.status for result in asyncio.run(run())}
    assert results == {
        "pubmed": Status.UNREACHABLE,
        "europe_pmc": Status.OK,
        "clinical_trials": Status.OK,
        "openalex": Status.OK,
        "crossref": Status.UNREACHABLE,
    }


def test_a_closed_port_is_unreachable(tmp_path: Path, question: Question) -> None:
    service = LiteratureService()
    settings = service.settings(tmp_path)
    service.start().stop()

    async def run() -> tuple[SearchResult, ...]:
        async with open_sources(["pubmed"], settings=settings) as sources:
            return await search(question, sources)

    record = asyncio.run(run())[0].record
    assert record.status is Status.UNREACHABLE
    assert "PubMed could not be reached" in record.reason


def test_a_server_without_encryption_is_not_trusted(
    service: LiteratureService, tmp_path: Path, question: Question
) -> None:
    url = f"{service.url}/pubmed".replace("http://", "https://")
    record = ask(service, tmp_path, question, "pubmed", pubmed_url=url).record
    assert record.status is Status.UNREACHABLE
    assert "encrypted" in record.reason
    assert not service.seen


def test_an_unknown_name_is_told_without_trying_again(tmp_path: Path, question: Question) -> None:
    with LiteratureService() as service:
        record = ask(service, tmp_path, question, "pubmed", pubmed_url="http://nowhere.invalid/eutils").record
    assert record.status is Status.UNREACHABLE
    assert "nowhere.invalid" in record.reason


def test_a_source_of_another_package_may_do_anything(question: Question) -> None:
    class Broken:
        name = "broken"

        async def search(self, sub_query: object, question: object, *, limit: int) -> SearchResult:
            raise RuntimeError("a defect with a secret in it")

    class Endless:
        name = "endless"

        async def search(self, sub_query: object, question: object, *, limit: int) -> SearchResult:
            await asyncio.Event().wait()
            raise AssertionError

    async def run() -> tuple[SearchResult, ...]:
        from evidencegate.sources import _search

        _search._GRACE, kept = 0.0, _search._GRACE
        try:
            return await search(question, [Broken(), Endless()], deadline=0.05)
        finally:
            _search._GRACE = kept

    broken, endless = asyncio.run(run())
    assert broken.record.status is Status.MALFORMED
    assert "secret" not in broken.record.reason
    assert endless.record.status is Status.UNREACHABLE


def test_the_time_of_a_search_is_limited(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    service.fail("pubmed", Fault.SLOW_DRIP)

    async def run() -> tuple[SearchResult, ...]:
        settings = service.settings(tmp_path, request_seconds=60, read_seconds=60)
        async with open_sources(["pubmed", "europe_pmc"], settings=settings) as sources:
            return await search(question, sources, deadline=2)

    slow, quick = asyncio.run(run())
    assert slow.record.status is Status.UNREACHABLE
    assert "time allowed" in slow.record.reason
    assert quick.record.status is Status.OK


def test_a_search_can_be_cancelled(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    service.fail("pubmed", Fault.SILENCE)

    async def run() -> None:
        settings = service.settings(tmp_path, request_seconds=60, read_seconds=60)
        async with open_sources(["pubmed"], settings=settings) as sources:
            task = asyncio.create_task(search(question, sources))
            while not service.seen:  # noqa: ASYNC110  # the server's thread knows no events of this loop
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(run())
