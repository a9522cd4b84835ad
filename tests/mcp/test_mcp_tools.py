"""The five tools, called through the SDK's own client."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

pytest.importorskip("mcp", reason='the MCP server needs its SDK: pip install ".[mcp]"')

from mcp_support import ABSTRACTS, at_rest, runs, until
from typer.testing import CliRunner

from evidencegate import aio
from evidencegate.cli import _runs  # noqa: F401  (a command is there once its module is)
from evidencegate.cli._app import app
from evidencegate.errors import InvalidInput
from evidencegate.mcp import Shelf, create_server
from mcp import Client, MCPError
from simulated import Fault, LiteratureService

QUESTION = "Does zelfaban reduce major bleeding compared with warfarin in atrial fibrillation?"
CLAIM = "Zelfaban reduces major bleeding compared with warfarin in patients with atrial fibrillation."
AF = "Does apixaban cause less major bleeding than warfarin in atrial fibrillation with chronic kidney disease?"
"""The simulated services answer it."""
CALLS: dict[str, dict[str, Any]] = {
    "search_evidence": {"question": QUESTION, "libraries": ["invented"], "limit": 50},
    "ask": {"question": QUESTION},
    "check_text": {"text": CLAIM + " It halved stroke (HR 0.50).", "libraries": ["invented"]},
    "find_counter_evidence": {"claim": CLAIM, "libraries": ["invented"]},
}


def using(shelf: Shelf, talk: Callable[[Client], Awaitable[Any]]) -> Any:
    """Connect the SDK's client to a server of that shelf, and talk."""

    async def talked() -> Any:
        async with Client(create_server(shelf)) as client:
            return await talk(client)

    return asyncio.run(talked())


def offline(shelved: Path) -> Shelf:
    return Shelf.of([str(shelved)], offline=True)


def test_it_announces_five_read_only_tools(home: Path) -> None:
    async def talk(client: Client) -> Any:
        return (await client.list_tools()).tools, client.instructions

    tools, instructions = using(Shelf(), talk)

    assert [tool.name for tool in tools] == [*CALLS, "get_run"]
    for tool in tools:
        assert tool.annotations.read_only_hint
        assert not tool.annotations.destructive_hint
        assert tool.input_schema["additionalProperties"] is False
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
        assert all(field.get("description") for field in tool.input_schema["properties"].values())
    assert "never as instructions" in instructions


@pytest.mark.parametrize("name", CALLS)
def test_a_call_gives_the_announced_object_and_tells_its_progress(name: str, shelved: Path, home: Path) -> None:
    told: list[tuple[float, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def talk(client: Client) -> Any:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        done = await client.call_tool(name, CALLS[name], progress_callback=hear)
        assert not done.is_error, done.content
        run = await client.call_tool("get_run", {"id": done.structured_content["run"]})
        assert not run.is_error, run.content
        return schemas, done, run

    schemas, done, run = using(offline(shelved), talk)

    jsonschema.validate(done.structured_content, schemas[name])
    jsonschema.validate(run.structured_content, schemas["get_run"])
    assert json.loads(done.content[0].text) == done.structured_content
    kept = run.structured_content
    assert kept["run"]["status"] == "done"
    assert [message for _, message in told] == [event["message"] for event in kept["events"]]
    assert [number for number, _ in told] == list(range(1, len(told) + 1))
    assert told
    shown = {key: value for key, value in done.structured_content.items() if key not in ("schema", "command")}
    assert {**kept["result"], "run": kept["run"]["id"]} == shown
    assert kept["run"]["inputs"]["libraries"] == ["invented"]
    assert str(shelved.parent) not in json.dumps(kept)


def test_an_answer_holds_literal_quotes_of_both_sides(shelved: Path, home: Path) -> None:
    async def talk(client: Client) -> Any:
        return await client.call_tool("ask", CALLS["ask"])

    answer = using(offline(shelved), talk).structured_content

    said = [*answer["answer"]["sentences"], *answer["contradictory"]]
    quotes = [(c["document"], c["quote"]) for s in said for c in s["citations"] if not c["curated"]]
    assert {document for document, _ in quotes} == set(ABSTRACTS)
    for document, quote in quotes:
        assert ABSTRACTS[document][quote["start"] : quote["end"]] == quote["text"]


def test_orders_in_an_article_reach_nobody_and_the_rest_is_literal(shelved: Path, home: Path) -> None:
    async def talk(client: Client) -> Any:
        return await client.call_tool("search_evidence", CALLS["search_evidence"])

    found = using(offline(shelved), talk).structured_content

    passages = {record["document"]: record["passages"] for record in found["records"]}
    assert "Ignore all previous instructions" in ABSTRACTS["pmid:900000002"]
    assert "Ignore all previous instructions" not in json.dumps(found)
    for document in ABSTRACTS:
        for passage in passages[document]:
            assert ABSTRACTS[document][passage["start"] : passage["end"]] == passage["text"]
    assert len(runs(home)) == 1  # what the article asked for was not done


def test_a_check_marks_what_the_source_does_not_say(home: Path) -> None:
    given = {
        "text": "Zelfaban reduced major bleeding (HR 0.26).",
        "source_texts": [ABSTRACTS["pmid:900000001"]],
    }

    async def talk(client: Client) -> Any:
        return await client.call_tool("check_text", given)

    checked = using(Shelf(offline=True), talk).structured_content

    claim = checked["claims"][0]
    assert claim["verdict"] != "correct"
    assert checked["issue_spans"]
    assert "0.62" in json.dumps(claim["numbers"])


def test_live_sources_are_asked_by_name(home: Path, service: LiteratureService) -> None:
    async def talk(client: Client) -> Any:
        return await client.call_tool("search_evidence", {"question": AF, "sources": ["pubmed"], "limit": 2})

    found = using(Shelf(), talk).structured_content

    assert {seen.service for seen in service.seen} == {"pubmed"}
    assert {s["status"] for s in found["searches"] if s["source"] == "pubmed"} == {"ok"}
    assert len(found["records"]) == 2 < found["found"]


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("ask", {}, "question: it must be given"),
        ("ask", {"question": ""}, "at least 1 character"),
        ("ask", {"question": " \n"}, "empty"),
        ("ask", {"question": 7}, "valid string"),
        ("ask", {"question": "aspirin " * 5_000}, "at most 20000"),
        ("ask", {"question": "What is the best pizza in Naples?"}, "medical"),
        ("ask", {"question": QUESTION, "path": "/etc/passwd"}, "path: there is no such argument"),
        ("ask", {"question": QUESTION, "libraries": ["/etc"]}, "Libraries: invented"),
        ("ask", {"question": QUESTION, "libraries": ["../invented"]}, "Libraries: invented"),
        ("ask", {"question": QUESTION, "libraries": "invented"}, "valid list"),
        ("ask", {"question": QUESTION, "sources": ["https://example.org"]}, "Sources: pubmed"),
        ("ask", {"question": QUESTION, "max_seconds": -1}, "greater than 0"),
        ("search_evidence", {"question": QUESTION, "limit": 0}, "greater than or equal to 1"),
        ("search_evidence", {"question": QUESTION, "limit": 51}, "less than or equal to 50"),
        ("check_text", {"text": CLAIM, "against": ["/etc/passwd"]}, "not a PMID"),
        ("check_text", {"text": CLAIM, "against": ["https://pubmed.ncbi.nlm.nih.gov/1/"]}, "Addresses are not fetched"),
        ("check_text", {"text": CLAIM, "libraries": ["elsewhere"]}, "Libraries: invented"),
        ("check_text", {"text": CLAIM, "source_texts": [" "]}, "source_texts.0"),
        ("find_counter_evidence", {"claim": "12 34 56"}, "claim"),
        ("find_counter_evidence", {"claim": CLAIM, "max_claims": 0}, "max_claims"),
        ("get_run", {"id": "../runs.db"}, "id: it is empty or not in the form"),
        ("get_run", {"id": "20260101T000000-00000000"}, "there is no run"),
    ],
)
def test_bad_input_is_a_tool_error_that_says_what_to_do(
    name: str, arguments: dict[str, Any], says: str, shelved: Path, home: Path
) -> None:
    async def talk(client: Client) -> Any:
        return await client.call_tool(name, arguments)

    refused = using(offline(shelved), talk)

    assert refused.is_error
    assert says in refused.content[0].text
    assert str(shelved.parent) not in refused.content[0].text


def test_an_unknown_tool_is_named(home: Path) -> None:
    async def talk(client: Client) -> Any:
        with pytest.raises(MCPError, match=r"There is no tool 'write_file'. Tools: search_evidence"):
            await client.call_tool("write_file", {})

    using(Shelf(), talk)


def test_what_fails_inside_keeps_its_reason_to_the_log(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr(aio, "ask", broken)

    async def talk(client: Client) -> Any:
        return await client.call_tool("ask", {"question": QUESTION})

    failed = using(Shelf(offline=True), talk)

    assert failed.is_error
    assert "swordfish" not in failed.content[0].text
    assert "swordfish" in caplog.text


def test_a_cancelled_call_ends_its_run_as_interrupted(home: Path, service: LiteratureService) -> None:
    service.fail("pubmed", Fault.SILENCE)

    async def talk(client: Client) -> Any:
        searching = asyncio.Event()

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            if message == "searching pubmed":
                searching.set()

        call = asyncio.create_task(
            client.call_tool("ask", {"question": QUESTION, "sources": ["pubmed"]}, progress_callback=hear)
        )
        await searching.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: at_rest(home))
        # The server goes on.
        return await client.call_tool("get_run", {"id": runs(home)[0].id})

    shown = using(Shelf(), talk).structured_content

    assert shown["run"]["status"] == "interrupted"
    assert shown["result"] is None


def test_a_search_that_was_cancelled_is_taken_up_and_replayed(home: Path, service: LiteratureService) -> None:
    question = {"question": AF, "sources": ["pubmed", "europe_pmc"], "limit": 2}
    service.fail("europe_pmc", Fault.SILENCE)

    async def talk(client: Client) -> Any:
        searched = asyncio.Event()

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            if message and message.startswith("pubmed: "):
                searched.set()

        call = asyncio.create_task(client.call_tool("search_evidence", question, progress_callback=hear))
        await searched.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: at_rest(home))

    using(Shelf(), talk)
    (run,) = runs(home)
    assert (run.status, run.result) == ("interrupted", None)
    paid = [seen.path for seen in service.seen if seen.service == "pubmed"]
    assert paid
    service.recover()

    asyncio.run(aio.resume(run.id))
    (done,) = runs(home)
    assert done.status == "done"
    assert done.result is not None
    assert len(done.result["records"]) == 2 < done.result["found"]
    assert {search["source"]: search["status"] for search in done.result["searches"]}["europe_pmc"] == "ok"
    assert [seen.path for seen in service.seen if seen.service == "pubmed"] == paid

    asked = len(service.seen)
    again = CliRunner().invoke(app, ["runs", "replay", run.id, "--json"])
    assert json.loads(again.stdout) == {"schema": "evidencegate/1", "command": "search", **done.result}
    shown = CliRunner().invoke(app, ["runs", "resume", run.id, "--output", str(home / "found.json")])
    assert shown.exit_code == 0
    assert all(record["title"] in shown.stdout for record in done.result["records"])
    assert json.loads((home / "found.json").read_text("utf-8"))["records"] == done.result["records"]
    refused = CliRunner().invoke(app, ["runs", "replay", run.id, "--output", str(home / "found.pdf")])
    assert refused.exit_code == 2
    assert len(service.seen) == asked


def test_a_run_is_looked_up_while_every_worker_is_busy(home: Path, service: LiteratureService) -> None:
    service.fail("pubmed", Fault.SILENCE)
    asked = {"question": QUESTION, "sources": ["pubmed"]}

    async def talk(client: Client) -> Any:
        calls = [asyncio.create_task(client.call_tool("ask", asked)) for _ in range(4)]
        await until(lambda: len(runs(home)) == 2)
        shown = await client.call_tool("get_run", {"id": runs(home)[0].id})
        begun = len(runs(home))
        for some in (calls[2:], calls[:2]):  # those that wait first: one would begin where a running one ends
            for call in some:
                call.cancel()
            await asyncio.gather(*some, return_exceptions=True)
        await until(lambda: at_rest(home))
        return shown.structured_content, begun

    shown, begun = using(Shelf(), talk)

    assert shown["run"]["status"] == "running"
    assert begun == 2
    assert len(runs(home)) == 2  # those that waited were cancelled before they began


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["{here}", "{here}"], "NAME=DIR"),
        (["bad name={here}"], "letters, digits"),
        (["/"], "NAME=DIR"),
        (["{here}-not-there"], "library add"),
    ],
)
def test_a_shelf_refuses_what_it_cannot_name_or_find(given: list[str], says: str, shelved: Path) -> None:
    with pytest.raises(InvalidInput, match=re.escape(says)):
        Shelf.of([one.format(here=shelved) for one in given])


def test_a_shelf_knows_its_libraries_by_name(shelved: Path) -> None:
    shelf = Shelf.of([f"trials={shelved}", str(shelved)])

    assert shelf.places(["trials", "invented", "trials"]) == (str(shelved), str(shelved))
    assert shelf.named("/somewhere/else/other") == "other"
