"""`evidencegate runs` and `ask --output` as installed, against services on this machine that end with the first run."""

import importlib
import json
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdf
import pytest
from typer.testing import CliRunner

import installed
from evidencegate.cli._app import app
from evidencegate.runs import Ledger, RunStatus
from evidencegate.settings import load
from evidencegate.sources.recorded import searches
from simulated import LiteratureService, Seen
from simulated._server import Answer

QUESTION = "Does apixaban cause less major bleeding than warfarin in atrial fibrillation with chronic kidney disease?"
ASK = ("ask", QUESTION, "--source", "pubmed", "--source", "europe_pmc", "--json")

PACK = """
schema: evidencegate/pack/1
scenario: own_invented
title: An invented scenario
disease_tags: [OBESITY]
decision_tags: [therapy]
anchors:
  - id: invented_trial
    kind: rct
    name: INVENTED
    title: Zelfaban or placebo in invented patients with obesity
    authors: [Invented A]
    journal: Journal of Invented Trials
    year: 2024
    identifiers: {pmid: "900000077"}
    url: https://pubmed.ncbi.nlm.nih.gov/900000077/
    population: Invented patients
    intervention: Zelfaban
    comparator: Placebo
    n: 2
    summary:
      - In INVENTED, zelfaban reduced body weight compared with placebo in adults with obesity (95% CI 4 to 6 kg).
    disease_tags: [OBESITY]
    decision_tags: [therapy]
    confirmation: {pmid: confirmed1, figures: confirmed1}
    sources: {identifiers: [invented], figures: [invented]}
    checked: 2026-11-01
    next_review: 2027-11-01
"""


class Deadly(LiteratureService):
    """Answers, and kills who asks at the request that was ordered."""

    victim: subprocess.Popen[str] | None = None
    spared: int = 0
    path: str = ""
    signal = signal.SIGKILL
    counting = threading.Lock()

    def answer(self, seen: Seen, fault: Any) -> Answer:
        with self.counting:  # requests come side by side, each in a thread of its own
            self.spared -= 1
            due = self.spared == 0 or seen.path == self.path
        if due and self.victim is not None:
            self.victim.send_signal(self.signal)
            time.sleep(0.2)
        return super().answer(seen, fault)


class Commands:
    """Runs the installed command with a home of its own."""

    def __init__(self, home: Path, service: Deadly) -> None:
        self.found = installed.command()
        self.home = home
        self.service = service
        own = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "NO_COLOR": "1"}
        # Nothing is kept between requests but by the ledger.
        self.env = {
            **installed.clean_environment(),
            **service.environment(home / "cache"),
            **own,
            "EVIDENCEGATE_CACHE_DAYS": "0",
        }

    @property
    def ledger(self) -> Ledger:
        return Ledger(f"sqlite:///{self.home / 'data' / 'evidencegate' / 'runs.db'}")

    def __call__(self, *argv: str, code: int = 0, spare: int = 0, path: str = "") -> str:
        """The output; `spare` is the number of the request at which the command is killed, `path` that of one."""
        with subprocess.Popen(
            [self.found, *argv], cwd=self.home, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            self.service.victim, self.service.spared, self.service.path = process, spare, path
            out, err = process.communicate(timeout=300)
        assert process.returncode == code, f"{argv}: exit {process.returncode}\n{out[-2000:]}\n{err[-2000:]}"
        assert "Traceback" not in err or code == -signal.SIGKILL
        return out


@pytest.fixture
def service() -> Iterator[Deadly]:
    with Deadly() as service:
        yield service


@pytest.fixture
def command(tmp_path: Path, service: Deadly) -> Commands:
    return Commands(tmp_path, service)


def _said(answer: Any) -> Any:
    """An answer without what tells one run from another: its name, and when it asked."""
    if isinstance(answer, dict):
        return {name: _said(value) for name, value in answer.items() if name not in ("asked_at", "run")}
    return [_said(value) for value in answer] if isinstance(answer, list) else answer


def _query(seen: Seen) -> str:
    return seen.params.get("term") or seen.params.get("query") or ""


def test_killed_again_and_again_it_ends_as_if_nothing_had_happened(command: Commands, service: Deadly) -> None:
    whole = json.loads(command(*ASK))

    command(*ASK, code=-signal.SIGKILL, spare=2)
    run = command.ledger.list(limit=1)[0]
    assert run.status is RunStatus.RUNNING
    # When the searches are done and notices are asked for: how many requests that takes depends on which of them meet.
    command("runs", "resume", run.id, "--json", code=-signal.SIGKILL, path="/works")
    done = {result.record.query for result in searches(command.ledger, run.id)}
    assert done  # of the first two attempts, something was kept
    before = len(service.seen)
    finished = json.loads(command("runs", "resume", run.id, "--json"))

    assert not done & {_query(seen) for seen in service.seen[before:]}
    assert finished["run"] == run.id
    assert _said(finished) == _said(whole)
    assert command.ledger.get(run.id).status is RunStatus.DONE
    assert "nothing changed" in command("runs", "diff", whole["run"], run.id)


def test_a_replay_gives_the_same_bytes_when_everybody_is_gone(command: Commands, service: Deadly) -> None:
    (command.home / "packs").mkdir()
    (command.home / "packs" / "own.yaml").write_text(PACK)
    asked = ("Does treatment with zelfaban reduce body weight in adults with obesity?", "--source", "pubmed")
    first = command("ask", *asked, "--packs", "packs", "--json", "--output", "answer.pdf")
    run = json.loads(first)["run"]
    assert "In INVENTED, zelfaban reduced" in json.loads(first)["answer"]["markdown"]
    shutil.rmtree(command.home / "packs")
    service.seen.clear()
    command.env |= {name: "http://127.0.0.1:9" for name in command.env if name.endswith("_URL")}

    again = command("runs", "replay", run, "--json", "--output", "again.pdf")
    resumed = command("runs", "resume", run, "--json")

    assert not service.seen
    assert again == first
    assert resumed == first
    texts = [pypdf.PdfReader(command.home / f"{name}.pdf").pages[0].extract_text() for name in ("answer", "again")]
    assert texts[0] == texts[1]


def test_a_search_for_the_opposite_is_taken_up_and_replayed_too(command: Commands, service: Deadly) -> None:
    claim = "Macrolides interact with statins via CYP3A4, leading to increased statin exposure and myopathy risk"
    command("counter", claim, "--source", "pubmed", "--json", code=-signal.SIGKILL, spare=3)
    (run,) = command.ledger.list()
    short = command("runs", "resume", run.id, "--max-seconds", "0", "--json", code=3)
    assert json.loads(short)["warnings"][0].startswith("partial:")

    full = command("runs", "resume", run.id, "--json")
    assert json.loads(full)["command"] == "counter"
    assert json.loads(full)["claims"][0]["accepted"]
    service.seen.clear()

    assert command("runs", "replay", run.id, "--json", "--output", "opposite.html") == full
    assert not service.seen
    assert "<html" in (command.home / "opposite.html").read_text("utf-8")


@pytest.mark.usefixtures("heeding_interrupts")
def test_an_interrupted_run_says_so_and_can_be_taken_up(command: Commands, service: Deadly) -> None:
    service.signal = signal.SIGINT
    service.latency = 0.2
    command(*ASK, code=130, spare=2)
    (run,) = command.ledger.list()
    assert run.status is RunStatus.INTERRUPTED

    assert json.loads(command("runs", "resume", run.id, "--json"))["references"]


def test_no_seconds_leave_a_partial_answer_that_a_later_run_completes(command: Commands) -> None:
    short = json.loads(command(*ASK, "--max-seconds", "0", code=3))

    assert short["partial"]
    assert short["warnings"][0].startswith("Partial")
    assert {search["status"] for search in short["searches"]} == {"not_asked"}
    listed = json.loads(command("runs", "list", "--json"))["runs"]
    assert [(one["id"], one["status"]) for one in listed] == [(short["run"], "partial")]

    full = json.loads(command("runs", "resume", short["run"], "--json"))
    assert not full["partial"]
    shown = json.loads(command("runs", "show", short["run"], "--json"))
    assert shown["result"] == {name: full[name] for name in shown["result"]}
    assert shown["run"]["inputs"]["question"] == QUESTION
    assert shown["run"]["status"] == "done"
    assert [event["n"] for event in shown["events"]] == list(range(1, len(shown["events"]) + 1))


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["runs", "show", "nope"], "runs list"),
        (["runs", "resume", "nope"], "runs list"),
        (["runs", "replay", "nope"], "runs list"),
        (["runs", "diff", "nope", "nope"], "runs list"),
        (["ask", QUESTION, "--output", "answer.odt"], ".csl.json"),
        (["ask", QUESTION, "--output", "nowhere/answer.pdf"], "no directory"),
    ],
)
def test_what_cannot_be_done_is_said_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], says: str
) -> None:
    monkeypatch.setenv("EVIDENCEGATE_LEDGER", f"sqlite:///{tmp_path / 'runs.db'}")
    monkeypatch.chdir(tmp_path)
    load.cache_clear()
    importlib.import_module("evidencegate.cli._ask")
    importlib.import_module("evidencegate.cli._runs")

    done = CliRunner().invoke(app, [*argv, "--json"])
    load.cache_clear()

    assert done.exit_code == 2
    assert says in json.loads(done.stdout)["error"]["message"]
    assert Ledger(f"sqlite:///{tmp_path / 'runs.db'}").list() == ()
