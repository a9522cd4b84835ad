"""The API against its own description: what schemathesis makes up, and what every operation must say."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import checks
from web_support import INPUTS, MakeClient, served

from evidencegate.web import Jobs, WebSettings, create_app
from evidencegate.web._problems import MEDIA_TYPE
from evidencegate.web._security import LOCAL

PROMISED = [
    *[("post", path) for path in ("ask", "check", "counter", "report", "question")],
    *[("post", f"runs/{{run}}/{act}") for act in ("cancel", "resume", "replay")],
    ("post", "libraries/{name}/documents"),
    *[("get", path) for path in ("runs", "runs/{run}", "runs/{run}/result", "runs/{run}/events")],
    ("get", "runs/{before}/diff/{after}"),
    *[("get", path) for path in ("libraries", "libraries/{name}", "libraries/{name}/search")],
    *[("get", path) for path in ("anchors", "anchors/{name}", "health")],
]
_METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture(scope="module")
def description(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The document."""
    return create_app(WebSettings(state_dir=tmp_path_factory.mktemp("described"), offline=True)).openapi()


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The described API behind a real server that asks nothing over the network."""
    folder = tmp_path_factory.mktemp("schemathesis")
    settings = WebSettings.of(
        libraries=[folder / "trials"], state_dir=folder, offline=True, posts_per_minute=100_000, max_waiting=10_000
    )
    with served(settings) as (address, app):
        yield schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json"), app


@pytest.mark.parametrize(("method", "path"), PROMISED)
def test_the_api_is_what_it_says(api: Any, method: str, path: str) -> None:
    """Whatever is sent: no 5xx, and nothing comes back that is not described."""

    begun: dict[str, str] = {}

    @settings(
        max_examples=12,
        derandomize=False,
        print_blob=True,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=api[0][f"/api/v1/{path}"][method].as_strategy())
    def holds(case: schemathesis.Case) -> None:
        headers = conforms(case).headers
        for place in (*headers.get("location", ()), *headers.get("content-location", ())):
            begun[place.split("/runs/")[1].partition("/")[0]] = case.as_curl_command()

    with Defects() as defects:
        holds()
        asyncio.run(none_failed(api[1].state.jobs, begun, defects))


class Defects(logging.Handler):
    """Hears why a job failed inside: the tracebacks that a server's log has, by run."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.by_run: dict[str, str] = {}
        self._log = logging.getLogger("evidencegate.web._jobs")

    def emit(self, record: logging.LogRecord) -> None:
        self.by_run[record.getMessage().split()[1]] = logging.Formatter().format(record)

    def __enter__(self) -> "Defects":
        self._log.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._log.removeHandler(self)


async def none_failed(jobs: Jobs, begun: dict[str, str], defects: Defects) -> None:
    """Wait for the jobs that were begun. One that ended in a defect is told of with its request and its traceback."""
    for run, request in begun.items():
        async for event in jobs.events(run, owner=LOCAL):
            if event.data.get("type") == "InternalError":
                said = defects.by_run.get(run, "nothing was logged")
                inputs = jobs.get(run, owner=LOCAL, result=False).info.inputs
                pytest.fail(f"a job ended in a defect.\n{request}\nkept as {inputs!r}\n{said}")


def conforms(case: schemathesis.Case) -> Any:
    """What comes back, which is as it is described."""
    response = case.call(timeout=60, headers={"Accept": "application/json"})
    case.validate_response(
        response,
        checks=[
            checks.not_a_server_error,
            checks.status_code_conformance,
            checks.content_type_conformance,
            checks.response_schema_conformance,
        ],
    )
    return response


def test_what_is_said_of_real_runs_is_what_is_described(api: Any) -> None:
    schema, _ = api
    runs = []
    for kind, inputs in INPUTS.items():
        case = schema[f"/api/v1/{kind}"]["post"].Case(
            body=inputs, media_type="application/json", headers={"Prefer": "wait=60"}
        )
        done = conforms(case)
        assert done.status_code == 200, done.content
        runs.append(done.headers["content-location"][0].split("/")[-2])
    for run in runs:
        for path, method, code in (
            ("runs/{run}", "get", 200),
            ("runs/{run}/result", "get", 200),
            ("runs/{run}/events", "get", 200),
            ("runs/{run}/cancel", "post", 200),
            ("runs/{run}/resume", "post", 202),
            ("runs/{run}/replay", "post", 200),
        ):
            case = schema[f"/api/v1/{path}"][method].Case(path_parameters={"run": run})
            assert conforms(case).status_code == code, path
    case = schema["/api/v1/runs/{before}/diff/{after}"]["get"].Case(
        path_parameters={"before": runs[0], "after": runs[0]}
    )
    assert conforms(case).status_code == 200


def test_a_defect_is_told_of_with_its_request_and_its_traceback(
    make_client: MakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make_client()
    jobs: Jobs = client.app.state.jobs  # type: ignore[attr-defined]
    monkeypatch.setattr("evidencegate.web._jobs.do", _defective)
    with Defects() as defects:
        run = client.post("/api/v1/check", json=INPUTS["check"]).json()["run"]["id"]
        with pytest.raises(pytest.fail.Exception, match=r"(?s)curl -X POST.*Zelfaban.*ZeroDivisionError: a defect"):
            asyncio.run(none_failed(jobs, {run: "curl -X POST …"}, defects))


async def _defective(*_: Any) -> None:
    raise ZeroDivisionError("a defect")


def test_every_operation_is_described_with_examples(description: dict[str, Any]) -> None:
    shapes = description["components"]["schemas"]
    assert shapes["Problem"]["required"]
    for path, operations in description["paths"].items():
        for method in operations.keys() & set(_METHODS):
            operation = operations[method]
            assert operation["summary"], path
            assert operation["description"], path
            for status, response in operation["responses"].items():
                assert response["description"], (path, status)
                if int(status) >= 400:
                    assert list(response["content"]) == [MEDIA_TYPE], (path, status)
                    assert response["content"][MEDIA_TYPE]["examples"], (path, status)
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if body is not None and "$ref" in body["schema"]:
                assert shapes[body["schema"]["$ref"].rpartition("/")[2]]["examples"], path


def test_every_reference_in_the_description_leads_somewhere(description: dict[str, Any]) -> None:
    waiting: list[Any] = [description]
    seen = 0
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            waiting.extend(part.values())
            if isinstance(part.get("$ref"), str):
                seen += 1
                assert part["$ref"].removeprefix("#/components/schemas/") in description["components"]["schemas"]
        elif isinstance(part, list):
            waiting.extend(part)
    assert seen > 50


def test_every_call_is_known_here(description: dict[str, Any]) -> None:
    described = {(method, path) for path, operations in description["paths"].items() for method in operations}
    assert described == {(method, f"/api/v1/{path}") for method, path in PROMISED}


def test_the_description_names_no_place(description: dict[str, Any], tmp_path: Path) -> None:
    assert str(tmp_path.anchor + "home") not in str(description)
