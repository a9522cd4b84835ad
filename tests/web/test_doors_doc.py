"""What docs/doors.md shows is what the server does."""

import json
import re
from pathlib import Path

import pytest
import typer
from fastapi.testclient import TestClient

from evidencegate.cli._serve import app
from evidencegate.web._problems import TYPES

PAGE = (Path(__file__).parents[2] / "docs" / "doors.md").read_text("utf-8")
CALLS = re.findall(r"/api/v1/(\w+) ((?:-[^\n]*\\\n\s*)+)-d '(\{.*?\})'", PAGE, re.DOTALL)


def test_there_are_calls_to_try() -> None:
    assert len(CALLS) >= 3


@pytest.mark.parametrize(("path", "options", "body"), CALLS)
def test_the_calls_work(client: TestClient, path: str, options: str, body: str) -> None:
    headers = dict(re.findall(r"-H '([^:]+): ([^']+)'", options))
    done = client.post(f"/api/v1/{path}", json=json.loads(body), headers=headers)
    assert done.status_code == (200 if "Prefer" in headers else 202), done.text


def test_every_option_of_the_command_is_described() -> None:
    command = typer.main.get_command(app)
    serve = command.commands["serve"]  # type: ignore[attr-defined]
    options = [name for option in serve.params for name in option.opts if name.startswith("--")]
    assert len(options) >= 12
    assert [name for name in options if f"`{name}" not in PAGE and f", `{name}" not in PAGE] == []


def test_every_problem_is_listed() -> None:
    assert [name for name in TYPES if f"`{name}`" not in PAGE] == []


def test_every_path_is_listed(client: TestClient) -> None:
    written = PAGE.replace("{a}", "{before}").replace("{b}", "{after}").replace("{id}", "{run}")
    for path in client.get("/api/v1/openapi.json").json()["paths"]:
        short = path.removeprefix("/api/v1")
        last = "/" + short.rpartition("/")[2]
        assert short in written or f"`{last}`" in written, short
