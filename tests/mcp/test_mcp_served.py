"""The installed command, over stdin and stdout and over HTTP, with the SDK's own client."""

import asyncio
import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import pytest

import installed

pytest.importorskip("mcp", reason='the MCP server needs its SDK: pip install ".[mcp]"')

from mcp_support import at_rest, runs, until

from mcp import Client, StdioServerParameters
from simulated import Fault, LiteratureService

QUESTION = "Does zelfaban reduce major bleeding compared with warfarin in atrial fibrillation?"


@pytest.fixture
def command() -> str:
    return installed.command()


def test_over_stdio_a_question_is_answered_with_progress(
    command: str, environment: dict[str, str], shelved: Path, tmp_path: Path
) -> None:
    started = StdioServerParameters(
        command=command, args=["mcp", "--library", str(shelved), "--offline"], env=environment, cwd=tmp_path
    )
    told: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def talk() -> tuple[Any, Any]:
        async with Client(started) as client:
            schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
            return schemas, await client.call_tool("ask", {"question": QUESTION}, progress_callback=hear)

    schemas, done = asyncio.run(talk())

    assert not done.is_error, done.content
    jsonschema.validate(done.structured_content, schemas["ask"])
    assert {s["source"] for s in done.structured_content["searches"] if s["status"] == "ok"} == {"library:invented"}
    assert "searching library:invented" in told
    assert runs(tmp_path)[0].id == done.structured_content["run"]


def test_over_stdio_a_cancelled_call_ends_its_run_as_interrupted(
    command: str, environment: dict[str, str], service: LiteratureService, tmp_path: Path
) -> None:
    service.fail("pubmed", Fault.SILENCE)
    started = StdioServerParameters(command=command, args=["mcp"], env=environment, cwd=tmp_path)

    async def talk() -> None:
        async with Client(started) as client:
            call = asyncio.create_task(client.call_tool("ask", {"question": QUESTION, "sources": ["pubmed"]}))
            await until(lambda: bool(service.seen))
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            await until(lambda: at_rest(tmp_path))

    asyncio.run(talk())

    assert [run.status for run in runs(tmp_path)] == ["interrupted"]


def test_nothing_but_the_protocol_goes_to_stdout(command: str, environment: dict[str, str], tmp_path: Path) -> None:
    def line(method: str, params: dict[str, Any], number: int | None = None) -> str:
        return json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **({"id": number} if number else {})})

    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "by hand", "version": "1"}}
    check = {"text": "Aspirin was given to 12 patients.", "source_texts": ["Aspirin was given to 21 patients."]}
    with subprocess.Popen(
        [command, "mcp", "--offline"],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        said = []
        for sent in (
            line("initialize", hello, 1),
            line("notifications/initialized", {}),
            "this is no message",
            line("tools/call", {"name": "check_text", "arguments": check, "_meta": {"progressToken": "p"}}, 2),
        ):
            process.stdin.write(sent + "\n")
            process.stdin.flush()
        while not any(json.loads(one).get("id") == 2 for one in said):
            said.append(process.stdout.readline())
        process.stdin.close()
        said += process.stdout.readlines()
        errors = process.stderr.read() if process.stderr else ""
        assert process.wait(timeout=60) == 0

    messages = [json.loads(one) for one in said]
    assert all(message["jsonrpc"] == "2.0" for message in messages)
    answer = next(message["result"] for message in messages if message.get("id") == 2)
    assert answer["structuredContent"]["claims"]
    assert any(message.get("method") == "notifications/progress" for message in messages)
    assert "Traceback" not in errors


@contextmanager
def over_http(command: str, environment: dict[str, str], *options: str) -> Iterator[str]:
    """The address of a server that answers."""
    port = installed.free_port()
    with subprocess.Popen(
        [command, "mcp", "--transport", "http", "--port", str(port), *options],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            while process.poll() is None and not installed.answers(port):
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()
            out, errors = process.communicate(timeout=60)
    assert out == ""
    assert "Traceback" not in errors


def test_over_http_several_clients_are_served(command: str, environment: dict[str, str], shelved: Path) -> None:
    told: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def ask(url: str) -> Any:
        async with Client(url) as client:
            listed = await client.list_tools()
            done = await client.call_tool("search_evidence", {"question": QUESTION}, progress_callback=hear)
            assert not done.is_error, done.content
            jsonschema.validate(done.structured_content, listed.tools[0].output_schema)
            return done.structured_content["run"]

    async def several(url: str) -> list[Any]:
        first = await ask(url)
        return [first, *await asyncio.gather(ask(url), ask(url))]

    with over_http(command, environment, "--library", f"trials={shelved}", "--offline") as url:
        began = asyncio.run(several(url))
        foreign = httpx2.post(url, json={}, headers={"Host": "evil.example"})
        other_page = httpx2.post(url, json={}, headers={"Origin": "https://evil.example"})

    assert len(set(began)) == 3
    assert told.count("searching library:invented") == 3
    assert (foreign.status_code, other_page.status_code) == (421, 403)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--transport", "http", "--host", "0.0.0.0"], "evidencegate serve"),
        (["--transport", "http", "--host", "example.org"], "evidencegate serve"),
        (["--library", "nowhere"], "library add"),
        (["--transport", "carrier-pigeon"], "stdio"),
    ],
)
def test_a_server_that_must_not_start_says_why(
    command: str, environment: dict[str, str], tmp_path: Path, options: list[str], says: str
) -> None:
    done = subprocess.run(
        [command, "mcp", *options],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )

    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
