"""The one way out: rates, retries, cache, etiquette, keys."""

import asyncio
import json
import logging
import selectors
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.question import Question
from evidencegate.settings import Settings, load
from evidencegate.sources import NAMES, Client, Mode, SearchRecord, Status, by_name, open_sources, search
from evidencegate.sources._cache import Kept, ReplyCache, cache_key
from evidencegate.sources._failure import Failure, shown
from evidencegate.sources._http import Request, within
from evidencegate.sources._limits import Limiter, limiter, retry_after
from evidencegate.sources._reply import Reply
from evidencegate.sources._secrets import Credential, Placement, Redactor, SigningTransport
from simulated import Fault, LiteratureService
from simulated._server import NCBI_KEY

T = TypeVar("T")


class _Instant(selectors.DefaultSelector):
    """A selector that waits for nothing, but lets the clock of its loop go on."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready:
            # A little more than asked for, as real clocks do; else rounding could make a wait endless.
            self.now += (timeout or 0) + 1e-9
        return ready


def in_no_time(do: Callable[[], Awaitable[T]]) -> T:
    """Run `do` in a loop whose sleeps pass at once, on its own clock."""
    selector = _Instant()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.now  # type: ignore[method-assign]
    try:
        return loop.run_until_complete(do())
    finally:
        loop.close()


# --- rates --------------------------------------------------------------------------------------------------------


@given(st.floats(0.5, 20), st.integers(2, 40))
def test_never_more_than_the_rate_in_any_second(rate: float, requests: int) -> None:
    async def run() -> list[float]:
        gate, loop = Limiter(rate), asyncio.get_running_loop()
        sent: list[float] = []

        async def one() -> None:
            await gate.wait()
            sent.append(loop.time())

        await asyncio.gather(*(one() for _ in range(requests)))
        return sent

    sent = sorted(in_no_time(run))
    assert len(sent) == requests
    for n, start in enumerate(sent):
        assert sum(1 for at in sent[n:] if at < start + 1 - 1e-6) <= max(1, rate + 1)


def test_a_pause_holds_everyone_back() -> None:
    async def run() -> float:
        gate = Limiter(1000)
        gate.pause(7)
        await gate.wait()
        return asyncio.get_running_loop().time()

    assert in_no_time(run) >= 7


def test_headers_lower_the_rate_and_never_raise_it() -> None:
    async def run() -> list[float]:
        gate, rates = Limiter(5), []
        for headers in (
            {"x-rate-limit-limit": "50", "x-rate-limit-interval": "1s"},
            {"x-rate-limit-limit": "2", "x-rate-limit-interval": "1s"},
            {"x-rate-limit-limit": "nonsense", "x-rate-limit-interval": ""},
            {"x-rate-limit-limit": "60", "x-rate-limit-interval": "60s"},
        ):
            gate.obey(headers)
            rates.append(gate.rate)
        return rates

    assert in_no_time(run) == [5, 2, 2, 1]


def test_an_empty_allowance_is_waited_for() -> None:
    async def run() -> float:
        gate = Limiter(1000)
        gate.obey({"ratelimit-remaining": "0", "ratelimit-reset": "3"})
        await gate.wait()
        return asyncio.get_running_loop().time()

    assert in_no_time(run) >= 3


def test_one_limiter_for_a_host_and_key() -> None:
    async def run() -> tuple[bool, bool]:
        same = limiter("https://a:443", "key", 3) is limiter("https://a:443", "key", 3)
        other = limiter("https://a:443", "another", 3) is limiter("https://a:443", "key", 3)
        return same, other

    assert in_no_time(run) == (True, False)


@given(st.integers(0, 10**6))
def test_retry_after_in_seconds_and_as_a_date(seconds: int) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    date = format_datetime(now + timedelta(seconds=seconds), usegmt=True)
    assert retry_after({"retry-after": str(seconds)}) == seconds
    assert retry_after({"retry-after": date}, now=now.timestamp()) == seconds


@given(st.text(max_size=20))
def test_any_other_retry_after_is_none_or_a_wait(text: str) -> None:
    wait = retry_after({"retry-after": text})
    assert wait is None or 0 <= wait < float("inf")


# --- keys ---------------------------------------------------------------------------------------------------------

_KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=40)


@given(_KEYS, st.text(), st.text())
def test_no_spelling_of_a_key_survives(key: str, before: str, after: str) -> None:
    from base64 import b64encode
    from html import escape
    from urllib.parse import quote, quote_plus

    redactor = Redactor([SecretStr(key)])
    for spelling in (key, key.lower(), quote(key, safe=""), quote_plus(key), escape(key), json.dumps(key)[1:-1]):
        assert spelling not in redactor.text(f"{before} {spelling} {after}").replace("[key]", "")
        assert spelling.encode() not in redactor.bytes(f"{before} {spelling} {after}".encode("utf-8", "replace"))
    assert b64encode(key.encode()).decode() not in redactor.text(b64encode(key.encode()).decode())


@given(st.text())
def test_without_keys_nothing_is_struck_out(text: str) -> None:
    assert Redactor([]).text(text) == text


def sent(credential: Credential, method: str, url: str, **how: Any) -> httpx2.Request:
    got: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        got.append(request)
        return httpx2.Response(200)

    async def run() -> None:
        transport = SigningTransport([credential], transport=httpx2.MockTransport(answer))
        async with httpx2.AsyncClient(transport=transport) as client:
            outer = await client.request(method, url, **how)
            assert credential.secret.get_secret_value() not in str(outer.request.url) + str(outer.request.headers)

    asyncio.run(run())
    return got[0]


def test_a_key_goes_where_it_belongs_and_nowhere_else() -> None:
    key = Credential("https://api.example.org/v1", Placement.PARAMETER, "api_key", SecretStr("secret&key=1"))
    assert sent(key, "GET", "https://api.example.org/v1/x?a=1").url.params["api_key"] == "secret&key=1"
    body = sent(key, "POST", "https://api.example.org/v1/x", content="a=1").content
    assert body == b"a=1&api_key=secret%26key%3D1"
    for url in (
        "https://api.example.org/v12/x",
        "http://api.example.org/v1/x",
        "https://example.org/v1/x",
        "https://api.example.org:8443/v1/x",
    ):
        assert "api_key" not in sent(key, "GET", url).url.params


def test_a_bearer_key_is_a_header() -> None:
    key = Credential("https://api.example.org", Placement.BEARER, "", SecretStr("secret-key"))
    assert sent(key, "POST", "https://api.example.org/x", json={}).headers["Authorization"] == "Bearer secret-key"


# --- etiquette ----------------------------------------------------------------------------------------------------


def ask(
    service: LiteratureService,
    tmp_path: Path,
    question: Question,
    *names: str,
    mode: Mode = Mode.NORMAL,
    **changes: Any,
) -> list[SearchRecord]:
    async def run() -> list[SearchRecord]:
        async with open_sources(names or NAMES, settings=service.settings(tmp_path, **changes), mode=mode) as sources:
            return [result.record for result in await search(question, sources)]

    return asyncio.run(run())


def test_who_we_are_is_said_to_those_who_ask(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    ask(service, tmp_path, question)
    for seen in service.seen:
        assert seen.headers["user-agent"].startswith("evidencegate/")
        said = " ".join((*seen.params.values(), *seen.headers.values()))
        assert ("tester@example.org" in said) is (seen.service in ("pubmed", "europe_pmc", "crossref")), seen
        if seen.service == "pubmed":
            assert seen.params["tool"] == "evidencegate"
            assert seen.params["api_key"] == NCBI_KEY


def test_the_query_that_is_shown_is_the_one_that_was_sent(
    service: LiteratureService, tmp_path: Path, question: Question
) -> None:
    for record in ask(service, tmp_path, question):
        sent_queries = [
            seen.params.get("term")
            or seen.params.get("query")
            or seen.params.get("search")
            or seen.params.get("query.bibliographic")
            for seen in service.seen
            if seen.service == record.source
        ]
        if record.source == "clinical_trials":
            assert "query.cond=" in record.query
        else:
            assert record.query in sent_queries
            assert set(record.narrower) <= set(sent_queries)
        assert datetime.fromisoformat(record.asked_at).tzinfo is not None
        assert record.sub_query == question.sub_queries[0].query


# --- cache --------------------------------------------------------------------------------------------------------


def test_nobody_is_asked_twice(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    first = ask(service, tmp_path, question)
    requests = len(service.seen)
    again = ask(service, tmp_path, question)
    assert len(service.seen) == requests
    assert [(r.source, r.status, r.records) for r in again] == [(r.source, r.status, r.records) for r in first]


def test_fresh_asks_again_and_keeps_what_comes(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    ask(service, tmp_path, question, "pubmed")
    requests = len(service.seen)
    service.articles = service.articles[:2]
    fresh = ask(service, tmp_path, question, "pubmed", mode=Mode.FRESH)
    assert len(service.seen) > requests
    requests = len(service.seen)
    kept = ask(service, tmp_path, question, "pubmed")
    assert len(service.seen) == requests
    assert kept[0].records == fresh[0].records


def test_offline_uses_what_is_kept_and_leaves_nothing(
    service: LiteratureService, tmp_path: Path, question: Question
) -> None:
    first = ask(service, tmp_path, question, "pubmed", "europe_pmc")
    requests = len(service.seen)
    kept = ask(service, tmp_path, question, "pubmed", "europe_pmc", "crossref", mode=Mode.OFFLINE)
    assert len(service.seen) == requests
    assert [record.records for record in kept[:2]] == [record.records for record in first]
    assert kept[2].status is Status.NOT_ASKED
    assert "offline" in kept[2].reason


def test_a_reply_that_was_not_understood_is_not_kept(
    service: LiteratureService, tmp_path: Path, question: Question
) -> None:
    for fault in (Fault.WEB_PAGE, Fault.ERROR_INSIDE_200, Fault.TRUNCATED):
        for name in NAMES:
            service.fail(name, fault)
        assert not any(record.status.answered for record in ask(service, tmp_path, question))
    service.recover()
    assert all(record.status is Status.OK for record in ask(service, tmp_path, question))


def test_a_time_out_after_a_cache_miss_is_a_time_out(
    service: LiteratureService, tmp_path: Path, question: Question
) -> None:
    ask(service, tmp_path, question, "europe_pmc")
    service.fail("pubmed", Fault.SILENCE)
    (record,) = ask(service, tmp_path, question, "pubmed", read_seconds=0.2, attempts=1)
    assert record.status is Status.UNREACHABLE
    assert "0.2 s" in record.reason


def test_nothing_is_kept_where_the_user_wants_nothing_kept(
    service: LiteratureService, tmp_path: Path, question: Question
) -> None:
    ask(service, tmp_path, question, "pubmed", cache_days=0)
    assert not any(tmp_path.iterdir())


def test_an_unusable_cache_costs_no_answer(
    service: LiteratureService, tmp_path: Path, question: Question, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    with caplog.at_level(logging.WARNING):
        (record,) = ask(service, blocked, question, "pubmed")
    assert record.status is Status.OK
    assert "replies are not cached" in caplog.text


def test_a_broken_cache_costs_no_answer(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    (tmp_path / "replies.db").write_bytes(b"this is no database, but long enough to be taken for one" * 100)
    (record,) = ask(service, tmp_path, question, "pubmed")
    assert record.status is Status.OK


def test_old_replies_are_for_offline_only(tmp_path: Path) -> None:
    async def run() -> list[Kept | None]:
        cache = ReplyCache(tmp_path, days=1)
        old = (datetime.now(UTC) - timedelta(days=2)).isoformat()
        await cache.put("k", Kept(b"old", "text/plain", old))
        got = [await cache.get("k"), await cache.get("k", any_age=True)]
        await cache.put("k", Kept(b"new", "text/plain", datetime.now(UTC).isoformat()))
        got.append(await cache.get("k"))
        await cache.aclose()
        return got

    young, any_age, newest = asyncio.run(run())
    assert young is None
    assert any_age is not None
    assert any_age.content == b"old"
    assert newest is not None
    assert newest.content == b"new"


@given(st.lists(st.text(), min_size=1, max_size=4), st.lists(st.text(), min_size=1, max_size=4))
def test_keys_of_the_cache_differ_where_requests_do(one: list[str], other: list[str]) -> None:
    clean = [[part.replace("\x00", "") for part in parts] for parts in (one, other)]
    assert (cache_key(*clean[0]) == cache_key(*clean[1])) is (clean[0] == clean[1])


# --- the rest -----------------------------------------------------------------------------------------------------


def test_retries_end(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    service.fail("pubmed", Fault.SERVER_ERROR)
    ask(service, tmp_path, question, "pubmed", attempts=4)
    assert len(service.seen) == 4


def test_a_wait_that_is_too_long_is_not_begun(service: LiteratureService, tmp_path: Path, question: Question) -> None:
    service.fail("pubmed", Fault.TOO_MANY_FOR_LONG)
    (record,) = ask(service, tmp_path, question, "pubmed")
    assert len(service.seen) == 1
    assert record.status is Status.RATE_LIMITED
    assert "3600 s" in record.reason


def test_a_deadline_within_a_deadline() -> None:
    async def run() -> list[float | None]:
        from evidencegate.sources._http import _deadline

        got = []
        with within(10):
            got.append(_deadline.get())
            with within(100):
                got.append(_deadline.get())
            with within(1):
                got.append(_deadline.get())
        got.append(_deadline.get())
        return got

    assert [at and round(at) for at in in_no_time(run)] == [10, 10, 1, None]


def test_what_a_client_did_is_counted(service: LiteratureService, tmp_path: Path) -> None:
    async def run() -> Sequence[int]:
        async with Client(service.settings(tmp_path)) as client:
            request = Request(path="/works/10.5555%2Finvented.90000001")
            for _ in range(2):
                await client.ask(client.services["crossref"], request, Reply.json)
            return client.traffic.requests, client.traffic.from_cache, client.traffic.bytes

    requests, from_cache, size = asyncio.run(run())
    assert (requests, from_cache) == (1, 1)
    assert size > 100


def test_the_network_can_be_replaced(tmp_path: Path, question: Question) -> None:
    transport = httpx2.MockTransport(
        lambda request: httpx2.Response(200, content=b"<eSearchResult><Count>0</Count></eSearchResult>")
    )

    async def run() -> Status:
        settings = Settings(cache_dir=tmp_path, pubmed_rate=1000)
        async with open_sources(["pubmed"], settings=settings, transport=transport) as sources:
            return (await search(question, sources))[0].record.status

    assert asyncio.run(run()) is Status.EMPTY


@given(st.text(max_size=500))
def test_reasons_are_one_short_line(text: str) -> None:
    line = shown(text)
    assert len(line) <= 200
    assert line.isprintable()


def test_names_of_sources(tmp_path: Path) -> None:
    client = Client(Settings(cache_dir=tmp_path))
    assert by_name("Europe PMC", client).name == "europe_pmc"
    assert by_name("ClinicalTrials.gov", client).name == "clinical_trials"
    with pytest.raises(UnknownName, match="pubmed, europe_pmc"):
        by_name("google", client)
    with pytest.raises(UnknownName, match="fallback"):
        by_name("perplexity", client)


def test_a_failure_has_a_status_and_words() -> None:
    failure = Failure(Status.REFUSED, "no")
    assert (failure.status, failure.reason, failure.again) == (Status.REFUSED, "no", None)


# --- settings -----------------------------------------------------------------------------------------------------


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCEGATE_NCBI_API_KEY", " abcdefgh12345 \n")
    monkeypatch.setenv("EVIDENCEGATE_PUBMED_URL", "http://localhost:1/x/")
    load.cache_clear()
    settings = load()
    load.cache_clear()
    assert settings.ncbi_api_key is not None
    assert settings.ncbi_api_key.get_secret_value() == "abcdefgh12345"
    assert settings.pubmed_url == "http://localhost:1/x"
    assert "abcdefgh12345" not in repr(settings) + str(settings) + settings.model_dump_json()


@pytest.mark.parametrize("value", ["has space in it", "short", "bell\x07bell\x07", "ключключключ"])
def test_a_wrong_key_is_refused_without_being_shown(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("EVIDENCEGATE_OPENALEX_API_KEY", value)
    load.cache_clear()
    with pytest.raises(InvalidInput, match="EVIDENCEGATE_OPENALEX_API_KEY") as caught:
        load()
    load.cache_clear()
    assert value not in str(caught.value)
    assert caught.value.__cause__ is None


def test_ncbi_allows_more_with_a_key(tmp_path: Path) -> None:
    without, given = Settings(cache_dir=tmp_path), Settings(cache_dir=tmp_path, ncbi_api_key=SecretStr("abcdefghij"))
    assert Client(without).services["pubmed"].rate == 3
    assert Client(given).services["pubmed"].rate == 10


# --- the ways out -------------------------------------------------------------------------------------------------


def test_the_proxy_of_the_environment_is_used(
    service: LiteratureService, tmp_path: Path, question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The simulated services stand in for the proxy: it alone knows the way to a host nobody can resolve."""
    monkeypatch.setenv("http_proxy", service.url)
    (record,) = ask(service, tmp_path, question, "pubmed", pubmed_url="http://eutils.invalid/pubmed")
    assert record.status is Status.OK
    assert {seen.headers["host"] for seen in service.seen} == {"eutils.invalid"}
    assert all(seen.params["api_key"] == NCBI_KEY for seen in service.seen)


def test_hosts_that_need_no_proxy_are_asked_directly(
    service: LiteratureService, tmp_path: Path, question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    (record,) = ask(service, tmp_path, question, "pubmed")
    assert record.status is Status.OK


def test_what_is_public_is_there() -> None:
    import evidencegate.sources as room

    assert len(set(room.__all__)) == len(room.__all__)
    for name in room.__all__:
        assert getattr(room, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = room.nothing


def test_a_service_that_wants_to_be_left_alone_for_long_is_asked_by_nobody_else() -> None:
    async def run() -> tuple[list[float], float]:
        gate = Limiter(1000)
        gate.pause(40)
        waited = await asyncio.gather(*(gate.wait(20) for _ in range(3)))
        return list(waited), asyncio.get_running_loop().time()

    waited, now = in_no_time(run)
    assert all(30 < left <= 40 for left in waited)
    assert now < 1


def test_a_pause_that_is_short_enough_is_waited_out() -> None:
    async def run() -> tuple[float, float]:
        gate = Limiter(1000)
        gate.pause(15)
        return await gate.wait(20), asyncio.get_running_loop().time()

    assert in_no_time(run)[0] == 0
    assert in_no_time(run)[1] >= 15
