"""What servers, proxies and settings can do that no documentation foresees: each ends in words, none in a crash."""

import asyncio
import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from pydantic import ValidationError

from evidencegate.documents import Identifiers
from evidencegate.question import Question
from evidencegate.settings import Settings
from evidencegate.sources import (
    Client,
    NoticeCheck,
    SearchRecord,
    Status,
    current_notices,
    fetch,
    open_sources,
    resolver,
    search,
)
from evidencegate.sources._cache import Kept, ReplyCache
from evidencegate.sources._failure import Failure
from evidencegate.sources._http import Request
from evidencegate.sources._limits import retry_after
from evidencegate.sources._reply import Reply
from installed import clean_environment
from simulated import RETRACTED, Fault, LiteratureService
from simulated._server import NCBI_KEY

_BODY = b'{"hitCount":0,"resultList":{"result":[]}}'


def reply(head: str = "", *, status: str = "200 OK", body: bytes = _BODY) -> bytes:
    """One HTTP reply, byte by byte as it is sent."""
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{head}\r\n".encode("latin-1") + body


@contextmanager
def answering(content: bytes) -> Iterator[str]:
    """The address of a server that answers everything with `content`."""
    loop = asyncio.new_event_loop()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(content)
        await writer.drain()
        writer.close()

    server = loop.run_until_complete(asyncio.start_server(answer, "127.0.0.1", 0))
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        loop.close()


def outcome(tmp_path: Path, url: str, *, times: int = 1, **changes: Any) -> Failure | dict[str, Any]:
    """What the last of `times` requests to a server brings."""

    async def run() -> Failure | dict[str, Any]:
        settings = Settings(europe_pmc_url=url, cache_dir=tmp_path, attempts=1, **changes)
        got: Failure | dict[str, Any] = {}
        async with Client(settings) as client:
            for _ in range(times):
                try:
                    got = await client.ask(client.services["europe_pmc"], Request(path="/x"), Reply.json, anew=True)
                except Failure as failure:
                    got = failure
        return got

    return asyncio.run(run())


@pytest.mark.parametrize(
    "content",
    [
        reply("Location: http://127.0.0.1:99999/\r\n", status="302 Found"),
        reply("Location: http://[::1\r\n", status="302 Found"),
        reply("Location: mailto:nobody\r\n", status="302 Found"),
        reply("Retry-After: Wed, 99999999999999999999 Oct 2026 07:28:00 GMT\r\n", status="429 Slow down"),
        reply("Retry-After: Wed, 21 Oct 2026 07:28:00 +99999999999999999999\r\n", status="503 Busy"),
    ],
    ids=["port", "brackets", "scheme", "day", "zone"],
)
def test_whatever_a_server_sends_is_a_failure_in_words(tmp_path: Path, content: bytes) -> None:
    with answering(content) as url:
        failure = outcome(tmp_path, url)
    assert isinstance(failure, Failure)
    assert failure.reason.startswith("Europe PMC")


@pytest.mark.parametrize(
    "head",
    [
        "Set-Cookie: \xff=\xfe\r\n",
        "X-Rate-Limit-Limit: 1e-300\r\nX-Rate-Limit-Interval: 1e300s\r\n",
        "X-Rate-Limit-Limit: \xff\r\n",
    ],
    ids=["cookie", "rate", "bytes"],
)
def test_what_a_header_says_spoils_no_later_request(tmp_path: Path, head: str) -> None:
    with answering(reply(head)) as url:
        assert outcome(tmp_path, url, times=2) == json.loads(_BODY)


def test_who_a_redirect_leads_to_is_named(tmp_path: Path) -> None:
    with answering(reply("Location: http://nowhere.invalid/\r\n", status="302 Found")) as url:
        failure = outcome(tmp_path, url)
    assert isinstance(failure, Failure)
    assert "nowhere.invalid" in failure.reason


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York"])
@pytest.mark.parametrize(
    "date", ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
)
def test_all_three_forms_of_a_date_are_in_utc(monkeypatch: pytest.MonkeyPatch, zone: str, date: str) -> None:
    """RFC 9110 5.6.7; the examples are its own."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert retry_after({"retry-after": date}, now=784_111_777 - 5) == 5
    finally:
        monkeypatch.undo()
        time.tzset()


def test_numbers_that_are_none_are_absent(tmp_path: Path) -> None:
    with answering(reply(body=b'{"volume": NaN, "pages": -Infinity, "year": 2020}')) as url:
        assert outcome(tmp_path, url) == {"volume": None, "pages": None, "year": 2020}


# --- keys ---------------------------------------------------------------------------------------------------------


def test_a_key_that_is_repeated_inside_a_200_is_shown_and_kept_nowhere(
    service: LiteratureService, tmp_path: Path, question: Question
) -> None:
    echoed = NCBI_KEY.replace("&", "&amp;")
    service.verbatim["pubmed/esearch.fcgi"] = f"<eSearchResult><ERROR>API key {echoed} is wrong</ERROR></eSearchResult>"

    async def run() -> SearchRecord:
        async with open_sources(["pubmed"], settings=service.settings(tmp_path)) as sources:
            return (await search(question, sources))[0].record

    record = asyncio.run(run())
    assert record.status is Status.BAD_QUERY
    assert "[key]" in record.reason
    assert NCBI_KEY not in record.reason


# --- the way out --------------------------------------------------------------------------------------------------


def test_a_proxy_may_be_named_without_a_scheme(
    service: LiteratureService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", service.url.removeprefix("http://"))
    failure = outcome(tmp_path, "http://www.ebi.invalid/europe_pmc")
    assert isinstance(failure, Failure)
    assert [seen.headers["host"] for seen in service.seen] == ["www.ebi.invalid"]


def test_the_proxy_for_everything_is_used(
    service: LiteratureService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("all_proxy", service.url)
    outcome(tmp_path, "http://www.ebi.invalid/europe_pmc")
    assert [seen.headers["host"] for seen in service.seen] == ["www.ebi.invalid"]


@pytest.mark.parametrize(
    ("variable", "value", "advice"),
    [
        ("http_proxy", "ftp://user:a-password@proxy:1", "http://host:port"),
        ("http_proxy", "http://proxy.invalid:3128", "through the proxy"),
        ("http_proxy", "127.0.0.1:9", "through the proxy"),
        ("SSL_CERT_FILE", "no-such-file.pem", "SSL_CERT_FILE"),
    ],
)
def test_an_environment_that_leads_nowhere_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, advice: str
) -> None:
    from evidencegate.sources import _secrets

    _secrets._certificates.cache_clear()
    monkeypatch.setenv(variable, value)
    failure = outcome(tmp_path, "http://127.0.0.1:9")
    _secrets._certificates.cache_clear()
    assert isinstance(failure, Failure)
    assert failure.status is Status.UNREACHABLE
    assert advice in failure.reason
    assert "a-password" not in failure.reason


@pytest.mark.parametrize(
    "value",
    [
        "http://[::1",
        "https://",
        "http://host:99999",
        "http://host:0",
        "http://ho st/",
        "http://host/?x=1",
        "http://host/#part",
        "http://user:a-password@host/",
    ],
)
def test_an_address_that_is_none_is_refused_at_once(value: str) -> None:
    with pytest.raises(ValidationError, match="base URL") as caught:
        Settings(pubmed_url=value)
    assert "a-password" not in str(caught.value)


@pytest.mark.parametrize("changes", [{"tool": "Müller"}, {"tool": "a\nb"}, {"cache_days": float("inf")}])
def test_settings_that_nothing_could_use_are_refused_at_once(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Settings(**changes)


# --- records ------------------------------------------------------------------------------------------------------


def test_another_record_than_the_one_asked_for_is_not_taken(service: LiteratureService, tmp_path: Path) -> None:
    other = {"pmid": "90000001", "title": "Another article.", "authorString": "Nobody A."}
    service.verbatim["europe_pmc/search"] = json.dumps({"hitCount": 1, "resultList": {"result": [other]}})
    service.verbatim["pubmed/efetch.fcgi"] = "<PubmedArticleSet></PubmedArticleSet>"

    async def run() -> Any:
        async with Client(service.settings(tmp_path)) as client:
            return await fetch(Identifiers(pmid="90000002"), client)

    assert asyncio.run(run()).status is Status.EMPTY


def test_works_under_one_doi_are_all_told_of_its_notice(service: LiteratureService, tmp_path: Path) -> None:
    twin = replace(
        RETRACTED, id="pmid:90009999", identifiers=Identifiers(pmid="90009999", doi=RETRACTED.identifiers.doi)
    )
    fresh = [replace(document, notices=()) for document in (RETRACTED, twin)]

    async def run() -> NoticeCheck:
        async with Client(service.settings(tmp_path)) as client:
            return await current_notices(fresh, client)

    check = asyncio.run(run())
    assert all(document.retracted for document in check.applied(fresh))
    assert any("90009999" in reason for reason in check.unanswered)  # PubMed knows no such record


def test_a_kept_reply_that_cannot_be_read_is_asked_for_again(service: LiteratureService, tmp_path: Path) -> None:
    async def run() -> tuple[int, bytes]:
        async with Client(service.settings(tmp_path)) as client:
            crossref, request = client.services["crossref"], Request(path="/works/10.5555%2Finvented.90000001")
            await client.ask(crossref, request, lambda reply: reply)  # kept

            def read(reply: Reply) -> bytes:
                if reply.from_cache:
                    raise Failure(Status.MALFORMED, "another version could read this")
                return reply.content

            return client.traffic.requests, await client.ask(crossref, request, read)

    requests, content = asyncio.run(run())
    assert requests == 1
    assert content


@pytest.mark.parametrize(
    ("given", "doi"),
    [("10.1000/a%252fb", "10.1000/a/b"), ("10.1000/50%2525", "10.1000/50%"), ("10.1000/a\ud800", None)],
)
def test_a_doi_that_was_encoded_twice_is_decoded_twice(given: str, doi: str | None) -> None:
    assert Identifiers.parse(doi=given).doi == doi


def test_a_number_out_of_a_table_is_a_pmid_and_foreign_digits_are_none() -> None:
    assert Identifiers.parse(pmid=31234567.0).pmid == "31234567"
    assert Identifiers.parse(pmid="31２3").pmid is None


# --- interrupts ---------------------------------------------------------------------------------------------------

_INTERRUPTED = """
import concurrent.futures
from evidencegate.documents import Identifiers
from evidencegate.sources import resolver

first, waited = concurrent.futures.Future.result, []

def interrupted(self, timeout=None):
    if not waited:
        waited.append(self)
        raise KeyboardInterrupt
    return first(self, timeout)

concurrent.futures.Future.result = interrupted
try:
    with resolver() as resolve:
        resolve(Identifiers(pmid="1"))
except KeyboardInterrupt:
    print("over")
"""


def test_an_interrupt_ends_the_wait_for_a_record_whenever_it_comes(service: LiteratureService, tmp_path: Path) -> None:
    service.fail("pubmed", Fault.SILENCE)
    done = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED],
        env=clean_environment() | service.environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "over\n"), done.stderr
    assert not done.stderr


def test_another_process_at_the_cache_is_no_news(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async def run() -> None:
        cache = ReplyCache(tmp_path, days=7)
        await cache.put("key", Kept(b"one", "text/plain", "2026-01-01T00:00:00+00:00"))
        with closing(sqlite3.connect(tmp_path / "replies.db")) as other:
            other.execute("UPDATE entries SET data = x'00ff'")
            other.commit()
        assert await cache.get("key", any_age=True) is None
        await cache.aclose()

    asyncio.run(run())
    assert "Traceback" not in capfd.readouterr().err


def test_what_other_threads_ask_is_given_up_with_the_resolver(service: LiteratureService, tmp_path: Path) -> None:
    service.fail("pubmed", Fault.SILENCE)
    given_up: list[str] = []

    def ask(resolve: Callable[[Identifiers], object]) -> None:
        try:
            resolve(Identifiers(pmid="90000001"))
        except CancelledError:
            given_up.append("given up")

    with resolver(service.settings(tmp_path, read_seconds=3600, request_seconds=3600)) as resolve:
        asking = Thread(target=ask, args=(resolve,))
        asking.start()
        while not service.seen:
            time.sleep(0.01)
    asking.join(60)
    assert given_up == ["given up"]
