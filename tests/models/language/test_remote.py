"""Remote models over real HTTP, against servers on loopback that speak as OpenAI and Anthropic do."""

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr
from served import Order, serving

from evidencegate.errors import EvidenceGateError, InvalidInput, ModelError, UnknownName
from evidencegate.models.language import BadReply, ModelRefused, ModelUnreachable, Prompt, Reply, ask_model, named
from evidencegate.runs import Ledger, Mode, Run

pytest.importorskip("pydantic_ai", reason="the extra `llm` is not installed")

from evidencegate.models.language.remote import OUTPUT, OWN_KEY, Remote

SECRET = "sk-invented-key-0123456789"
PROMPT = Prompt(name="test/verdict", instructions="Judge the claim.", data=(("claim", "Aspirin helps."),))


class Verdict(BaseModel):
    label: str
    index: int


RIGHT = Verdict(label="correct", index=1)


def model(order: Order, provider: str = "openai", **other: Any) -> Remote:
    path = "/v1" if provider == "openai" else ""
    return Remote(provider, "invented-model", f"{order.url}{path}", SecretStr(SECRET), **other)


def asked(remote: Remote) -> Reply[Verdict]:
    return asyncio.run(remote.complete(PROMPT, Verdict))


@pytest.fixture(params=["openai", "anthropic"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_streamed_tool_call_becomes_a_value_with_its_usage(provider: str) -> None:
    with serving(Order()) as order:
        reply = asked(model(order, provider))

    assert reply.value == RIGHT
    assert (reply.usage.requests, reply.usage.input_tokens, reply.usage.output_tokens) == (1, 11, 7)
    assert reply.usage.money == 0.0  # nobody has a price for an invented model
    (body,) = order.asked
    assert body["stream"] is True
    assert body["tools"]
    assert "<claim>\nAspirin helps.\n</claim>" in str(body["messages"][-1]["content"]).replace("\\n", "\n")


def test_the_key_goes_where_it_belongs(provider: str) -> None:
    with serving(Order()) as order:
        asked(model(order, provider))

    (headers,) = order.headers
    assert SECRET in headers.get("x-api-key", "") + headers.get("authorization", "")
    assert SECRET not in str(order.asked)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_an_overloaded_server_is_unreachable_and_is_asked_once(provider: str, status: int) -> None:
    with serving(Order(status=status)) as order, pytest.raises(ModelUnreachable) as caught:
        asked(model(order, provider))

    assert str(status) in str(caught.value)
    assert len(order.asked) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_refused_credentials_and_requests_are_refusals_that_do_not_show_the_key(provider: str, status: int) -> None:
    with serving(Order(status=status)) as order, pytest.raises(ModelRefused) as caught:
        asked(model(order, provider))

    assert SECRET not in str(caught.value)
    assert SECRET not in repr(caught.value.__cause__)


def test_a_cut_stream_is_no_answer(provider: str) -> None:
    with serving(Order(cut=True)) as order, pytest.raises((ModelUnreachable, BadReply)):
        asked(model(order, provider))


def test_a_server_that_falls_silent_is_given_up(provider: str) -> None:
    with serving(Order(hang=1.0)) as order, pytest.raises(ModelUnreachable):
        asked(model(order, provider, silence_seconds=0.2))


def test_slow_tokens_are_waited_for_while_they_come_and_no_longer_than_all_may_take(provider: str) -> None:
    with serving(Order(pause=0.02)) as order:
        assert asked(model(order, provider, silence_seconds=5.0)).value == RIGHT
    with serving(Order(pause=0.5)) as order, pytest.raises(ModelUnreachable, match="in time"):
        asyncio.run(ask_model(model(order, provider), PROMPT, Verdict, seconds=0.3))


@pytest.mark.parametrize("reply", ['{"label": "correct"', '{"label": 3}', "{}", '{"label": "correct", "index": "no"}'])
def test_a_reply_outside_the_schema_is_a_bad_one_and_is_asked_for_once_more(provider: str, reply: str) -> None:
    with serving(Order(reply=reply)) as order, pytest.raises(BadReply) as caught:
        asyncio.run(ask_model(model(order, provider), PROMPT, Verdict))

    assert len(order.asked) == 2
    assert caught.value.usage.requests >= 1


def test_a_filtered_reply_is_a_refusal() -> None:
    with serving(Order(refusal=True)) as order, pytest.raises(ModelError):
        asked(model(order))


def test_a_server_without_tools_is_asked_for_json() -> None:
    for output in ("native", "prompted"):
        with serving(Order()) as order:
            assert asked(model(order, output=output)).value == RIGHT
        assert not order.asked[0].get("tools")


def test_a_reply_without_usage_counts_as_one_request() -> None:
    with serving(Order(without_usage=True)) as order:
        assert asked(model(order)).usage.requests == 1


def test_nobody_there_is_unreachable(provider: str) -> None:
    with pytest.raises(ModelUnreachable):
        asked(Remote(provider, "m", "http://127.0.0.1:9/v1", SecretStr(SECRET)))


def test_what_was_paid_is_not_paid_again_and_replays_without_a_server() -> None:
    run = Run.start(Ledger("sqlite://"), "report", {})
    with serving(Order()) as order:
        remote = model(order)
        first = asyncio.run(ask_model(remote, PROMPT, Verdict, run=run))
        asyncio.run(ask_model(remote, PROMPT, Verdict, run=run))
    replay = Run.again(run.ledger, run.id, mode=Mode.REPLAY)

    assert asyncio.run(ask_model(remote, PROMPT, Verdict, run=replay)).value == first.value
    assert len(order.asked) == 1
    assert run.ledger.usage(run.id).requests == 1


def test_a_failure_replays_as_the_same_failure() -> None:
    run = Run.start(Ledger("sqlite://"), "report", {})
    with serving(Order(status=503)) as order:
        remote = model(order)
        with pytest.raises(ModelUnreachable) as first:
            asyncio.run(ask_model(remote, PROMPT, Verdict, run=run))
    replay = Run.again(run.ledger, run.id, mode=Mode.REPLAY)

    with pytest.raises(ModelUnreachable) as second:
        asyncio.run(ask_model(remote, PROMPT, Verdict, run=replay))
    assert str(first.value) == str(second.value)


def test_a_providers_key_is_never_sent_to_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.delenv(OWN_KEY, raising=False)
    with serving(Order()) as order:
        remote = named("openai:invented-model", base_url=f"{order.url}/v1")
        assert isinstance(remote, Remote)
        assert asked(remote).value == RIGHT

    assert SECRET not in str(order.headers)


def test_keys_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    remote = named("anthropic:claude-invented")
    assert isinstance(remote, Remote)
    assert SECRET not in repr(remote)
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY"):
        named("openai:gpt-invented")


@pytest.mark.parametrize(
    ("name", "base_url", "error"),
    [
        ("nobody:model", None, UnknownName),
        ("openai", None, InvalidInput),
        (":x", None, InvalidInput),
        ("openai:", None, InvalidInput),
        ("local", "http://127.0.0.1:9", InvalidInput),
        ("openai:m", "ftp://127.0.0.1", InvalidInput),
        ("scripted:dance", None, UnknownName),
    ],
)
def test_names_that_are_none_say_what_to_do(name: str, base_url: str | None, error: type[EvidenceGateError]) -> None:
    with pytest.raises(error):
        named(name, base_url=base_url)


def test_how_a_reply_is_asked_for_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OUTPUT, "interpretive dance")
    with pytest.raises(InvalidInput, match="prompted"):
        named("openai:m", base_url="http://127.0.0.1:9")


@pytest.mark.parametrize(
    "base_url", ["http://[::1", "https://", "http://127.0.0.1:99999/v1", "http://user:a-password@127.0.0.1:9/v1"]
)
def test_an_address_that_is_none_is_refused_before_anything_is_asked(base_url: str) -> None:
    with pytest.raises(InvalidInput, match="base URL") as caught:
        named("openai:invented-model", base_url=base_url)
    assert "a-password" not in str(caught.value)


def test_a_key_that_no_header_can_hold_is_refused_without_being_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN_KEY, "schlüssel-schlüssel")
    with pytest.raises(InvalidInput, match=OWN_KEY) as caught:
        named("openai:invented-model", base_url="http://127.0.0.1:9/v1")
    assert "schlüssel" not in str(caught.value)


@pytest.mark.parametrize(
    ("variable", "value"),
    [("HTTPS_PROXY", "ftp://proxy:1"), ("SSL_CERT_FILE", "no-such-file.pem")],
)
def test_an_environment_that_leads_nowhere_is_told(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ModelUnreachable, match=variable):
        asked(Remote("openai", "m", "https://127.0.0.1:9/v1", SecretStr(SECRET)))


@pytest.mark.parametrize(
    ("said", "by"),
    [
        ("data: null\n\n", "openai"),
        ('data: {"id":"c","choices":[null]}\n\n', "openai"),
        ('data: {"id":"c","choices":"x"}\n\n', "openai"),
        ('data: {"id":"c","choices":[{"index":0,"delta":{"tool_calls":[null]}}]}\n\n', "openai"),
        ("event: message_start\ndata: null\n\n", "anthropic"),
        ('event: message_start\ndata: {"type":"message_start","message":{"id":"m","content":[]}}\n\n', "anthropic"),
    ],
)
def test_events_that_no_server_should_send_are_a_bad_reply(said: str, by: str) -> None:
    with serving(Order(verbatim=said)) as order, pytest.raises(ModelError):
        asyncio.run(ask_model(model(order, by), PROMPT, Verdict))


@pytest.mark.parametrize("base_url", [None, "https://models.example.org/v1"])
def test_offline_no_model_is_asked_over_the_network(monkeypatch: pytest.MonkeyPatch, base_url: str | None) -> None:
    import evidencegate

    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    question = "Does apixaban reduce stroke in atrial fibrillation?"
    for call in (evidencegate.ask, evidencegate.report, evidencegate.counter, evidencegate.check):
        with pytest.raises(InvalidInput, match="offline"):
            call(question, offline=True, model="openai:invented-model", base_url=base_url)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_offline_a_model_on_this_machine_may_be_asked(host: str) -> None:
    assert named("openai:invented-model", base_url=f"http://{host}:9/v1", offline=True) is not None
    assert named("scripted:obey", offline=True) is not None
