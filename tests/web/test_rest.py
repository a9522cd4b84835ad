"""REST: the same objects as `--json`, jobs, and problems as RFC 9457 has them."""

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner
from web_support import ARTICLES, CHECK, INPUTS, QUESTION, MakeClient

import evidencegate
from evidencegate.cli._runs import app
from evidencegate.documents import Document
from evidencegate.settings import load
from evidencegate.verify import checked_json
from evidencegate.web._problems import TYPES

API = "/api/v1"


def finished(client: TestClient, kind: str, inputs: dict[str, Any] | None = None) -> dict[str, Any]:
    """A job that has ended, as `runs show` gives it."""
    job = client.post(f"{API}/{kind}", json=inputs or INPUTS[kind])
    assert job.status_code == 202, job.text
    client.get(job.json()["links"]["events"])  # ends with the run
    shown: dict[str, Any] = client.get(job.headers["location"]).json()
    return shown


@pytest.mark.parametrize("kind", list(INPUTS))
def test_a_job_of_every_kind_gives_the_object_of_its_command(client: TestClient, kind: str) -> None:
    shown = finished(client, kind)

    assert shown["run"]["status"] == "done", shown["events"]
    assert shown["run"]["kind"] == shown["run"]["command"] == kind
    result = client.get(shown["links"]["result"]).json()
    assert result == {"schema": "evidencegate/1", "command": kind, **shown["result"]}
    assert client.post(shown["links"]["replay"]).json() == result
    assert shown["run"]["usage"]["seconds"] > 0
    assert [event["n"] for event in shown["events"]] == list(range(1, len(shown["events"]) + 1))


def test_the_command_line_knows_the_runs(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = finished(client, "check")
    run = shown["run"]["id"]
    monkeypatch.setenv("EVIDENCEGATE_LEDGER", client.app.state.settings.ledger_url())  # type: ignore[attr-defined]
    load.cache_clear()
    listed, replayed = (
        json.loads(CliRunner().invoke(app, ["runs", *words, "--json"]).stdout) for words in (["list"], ["replay", run])
    )
    load.cache_clear()
    assert [(info["id"], info["command"]) for info in listed["runs"]] == [(run, "check")]
    assert replayed == {"schema": "evidencegate/1", "command": "check", **shown["result"]}


def test_a_check_of_a_run_is_the_check_of_the_call(client: TestClient) -> None:
    source = CHECK["texts"][0]
    document = Document(id="local:source-1", title=source["name"], text=source["text"], source="text")
    called = checked_json(evidencegate.check(CHECK["text"], against=document))
    through = finished(client, "check")["result"]

    assert through["claims"] == called["claims"]
    assert through["score"] == called["score"]


def test_preferring_to_wait_gives_the_result_itself(client: TestClient) -> None:
    done = client.post(f"{API}/check", json=CHECK, headers={"Prefer": "wait=60"})

    assert done.status_code == 200
    assert done.headers["preference-applied"] == "wait=60"
    assert done.json()["command"] == "check"
    assert done.json()["claims"]


def test_events_are_json_where_json_is_accepted(client: TestClient) -> None:
    run = finished(client, "check")["run"]["id"]
    told = client.get(f"{API}/runs/{run}/events", headers={"Accept": "application/json"}).json()
    later = client.get(f"{API}/runs/{run}/events?after=1", headers={"Accept": "application/json"}).json()

    assert told["run"]["id"] == run
    assert later["events"] == told["events"][1:]


def test_server_sent_events_are_taken_up_where_they_were_lost(client: TestClient) -> None:
    run = finished(client, "check")["run"]["id"]
    place = f"{API}/runs/{run}/events"
    whole = client.get(place)
    assert whole.headers["content-type"].startswith("text/event-stream")
    ids = [line.removeprefix("id: ") for line in whole.text.splitlines() if line.startswith("id: ")]
    last = ids[-2]
    assert ids == [*map(str, range(1, int(last) + 1)), f"{last}-end"]

    rest = client.get(place, headers={"Last-Event-ID": "2"}).text
    assert [line for line in rest.splitlines() if line.startswith("id: ")] == [f"id: {one}" for one in ids[2:]]
    assert client.get(place, headers={"Last-Event-ID": ids[-1]}).status_code == 204
    assert client.get(place, headers={"Last-Event-ID": "nonsense"}).text == whole.text


def test_runs_are_listed_newest_first_without_their_results(client: TestClient) -> None:
    first, second = finished(client, "check"), finished(client, "ask")
    listed = client.get(f"{API}/runs").json()["runs"]

    assert {run["id"] for run in listed} == {first["run"]["id"], second["run"]["id"]}
    assert listed == sorted(listed, key=lambda run: run["id"], reverse=True)
    assert len(client.get(f"{API}/runs?limit=1").json()["runs"]) == 1


def test_two_runs_are_compared(client: TestClient) -> None:
    a, b = (finished(client, "ask")["run"]["id"] for _ in range(2))
    changed = client.get(f"{API}/runs/{a}/diff/{b}").json()

    assert changed["same"] is True
    assert changed["before"]["id"] == a
    other = finished(client, "check")["run"]["id"]
    assert client.get(f"{API}/runs/{a}/diff/{other}").status_code == 422


def test_a_library_is_filled_searched_and_asked(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client(libraries=[tmp_path / "trials"])
    empty = client.get(f"{API}/libraries").json()["libraries"]
    assert empty[0]["name"] == "trials"
    assert str(tmp_path) not in empty[0]["error"]

    files = [
        ("files", ("articles.jsonl", json.dumps(ARTICLES[0]).encode(), "application/json")),
        ("files", ("../../etc/broken.pdf", b"%PDF-1.7 no more", "application/pdf")),
    ]
    added = client.post(f"{API}/libraries/trials/documents", files=files).json()
    assert added["added"] == 1
    assert [skipped["path"] for skipped in added["skipped"]] == ["broken.pdf"]

    info = client.get(f"{API}/libraries/trials").json()
    assert (info["documents"], info["path"]) == (1, "trials")
    hits = client.get(f"{API}/libraries/trials/search", params={"q": "zelfaban bleeding"}).json()["hits"]
    assert [hit["pmid"] for hit in hits] == ["900000001"]

    question = "Does zelfaban reduce major bleeding compared with warfarin in atrial fibrillation?"
    shown = finished(client, "ask", {"question": question, "libraries": ["trials"]})
    assert shown["run"]["inputs"]["libraries"] == ["trials"]
    assert "900000001" in [reference["pmid"] for reference in shown["result"]["references"]]
    text = "Zelfaban reduced major bleeding compared with warfarin in patients with atrial fibrillation (HR 0.62)."
    checked = finished(client, "check", {"text": text, "libraries": ["trials"]})
    assert checked["result"]["claims"][0]["verdict"] == "correct"
    assert client.post(checked["links"]["replay"]).status_code == 200
    for told in (shown, checked):
        assert str(tmp_path) not in json.dumps(told)


def test_a_question_is_understood_and_anchors_are_shown(client: TestClient) -> None:
    understood = client.post(f"{API}/question", json={"question": QUESTION}).json()
    assert understood["disease_tags"][0] == "AF"
    edited = client.post(f"{API}/question", json={"question": QUESTION, "edits": {"disease_tags": ["CKD"]}}).json()
    assert edited["disease_tags"][0] == "CKD"

    packs = client.get(f"{API}/anchors").json()["packs"]
    assert len(packs) >= 3
    pack = client.get(f"{API}/anchors/{packs[0]['scenario']}").json()
    assert [anchor["id"] for anchor in pack["anchors"]] == packs[0]["anchors"]
    assert client.get(f"{API}/anchors/nonsense").status_code == 404
    assert client.get(f"{API}/health").json()["ok"] is True


@pytest.mark.parametrize(
    ("method", "path", "body", "name", "says"),
    [
        ("POST", "/ask", {"question": ""}, "invalid-input", "question"),
        ("POST", "/ask", {"question": "What is the best pizza in Naples?"}, "invalid-input", "medical"),
        ("POST", "/ask", {"question": QUESTION, "surprise": 1}, "invalid-input", "surprise"),
        ("POST", "/ask", {"question": QUESTION, "libraries": ["../etc"]}, "unknown-name", "--library"),
        ("POST", "/ask", {"question": QUESTION, "sources": ["https://example.org"]}, "unknown-name", "address"),
        ("POST", "/ask", {"question": QUESTION, "model": "openai:gpt-5"}, "unknown-name", "--model"),
        ("POST", "/check", {"text": "A claim.", "against": ["https://example.org/a"]}, "unknown-name", "not fetched"),
        ("POST", "/check", {"text": "A claim.", "against": ["/etc/passwd"]}, "unknown-name", "PMID"),
        ("POST", "/check", {"text": " \n "}, "invalid-input", "text"),
        ("POST", "/counter", {"text": "  "}, "invalid-input", "empty"),
        ("POST", "/report", {"topic": QUESTION, "outline": []}, "invalid-input", "outline"),
        ("POST", "/runs/20200101T000000-00000000/cancel", None, "not-found", "run"),
        ("POST", "/runs/20200101T000000-00000000/resume", None, "not-found", "run"),
        ("GET", "/runs/20200101T000000-00000000", None, "not-found", "run"),
        ("GET", "/runs/20200101T000000-00000000/events", None, "not-found", "run"),
        ("GET", "/runs/a%2Fb", None, "not-found", ""),
        ("GET", "/runs?limit=0", None, "invalid-input", "limit"),
        ("GET", "/libraries/nowhere", None, "not-found", "nowhere"),
        ("GET", "/libraries/nowhere/search?q=x", None, "not-found", "nowhere"),
        ("GET", "/nowhere", None, "not-found", ""),
        ("DELETE", "/ask", None, "method-not-allowed", ""),
    ],
)
def test_errors_are_problems(
    client: TestClient, method: str, path: str, body: dict[str, Any] | None, name: str, says: str
) -> None:
    refused = client.request(method, API + path, json=body)
    problem = refused.json()

    status, title = TYPES[name]
    assert refused.headers["content-type"] == "application/problem+json"
    assert (refused.status_code, problem["status"], problem["title"]) == (status, status, title)
    assert problem["type"] == f"/problems/{name}"
    assert problem["instance"].startswith(API)
    assert says in problem["detail"]
    assert title in client.get(problem["type"]).text


def test_what_is_no_json_is_told_so(client: TestClient) -> None:
    broken = client.post(f"{API}/ask", content=b'{"question": ', headers={"Content-Type": "application/json"})
    assert (broken.status_code, broken.json()["type"]) == (400, "/problems/invalid-request")


def test_a_defect_tells_nothing_of_itself(make_client: MakeClient, monkeypatch: pytest.MonkeyPatch) -> None:
    client = make_client()
    monkeypatch.setattr(client.app.state.shelves, "list", lambda: 1 / 0)  # type: ignore[attr-defined]
    client = TestClient(client.app, base_url="http://127.0.0.1", raise_server_exceptions=False)
    failed = client.get(f"{API}/libraries")

    assert (failed.status_code, failed.json()["type"]) == (500, "/problems/internal-error")
    assert "division" not in failed.text
    assert "default-src 'none'" in failed.headers["content-security-policy"]
