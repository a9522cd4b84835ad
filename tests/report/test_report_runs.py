"""Reports as a user calls them: by name, with a ledger, taken up again, replayed, and from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import evidencegate
from evidencegate import _api
from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.report import report_json
from evidencegate.runs import Ledger, RunStatus
from evidencegate.settings import load

TOPIC = "Anticoagulation in atrial fibrillation with chronic kidney disease"


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'runs.db'}"


def written(ledger: str, **other: Any) -> Any:
    """From the anchor packs alone: no source is asked."""
    return evidencegate.report(TOPIC, sources=[], outline=["Bleeding", "Stroke"], ledger=ledger, **other)


@pytest.mark.parametrize("model", [None, "scripted:obey", "scripted:invent_citations,obey", "scripted:unreachable"])
def test_a_report_is_kept_and_replays_to_the_same_bytes(model: str | None, ledger: str) -> None:
    report = written(ledger, model=model)

    assert report.references
    assert [section.heading for section in report.sections] == ["Bleeding", "Stroke"]
    again = _api.replay(report.run, ledger=ledger)
    assert json.dumps(report_json(again)) == json.dumps(report_json(report))
    assert json.dumps(report_json(_api.resume(report.run, ledger=ledger))) == json.dumps(report_json(report))
    info = Ledger(ledger).get(report.run)
    assert (info.command, info.status, info.inputs["model"]) == ("report", RunStatus.DONE, model)


def test_what_cannot_be_worked_on_says_so_before_a_run_begins(ledger: str) -> None:
    with pytest.raises(UnknownName):
        written(ledger, model="scripted:dance")
    with pytest.raises(InvalidInput):
        written(ledger, model="local", base_url="http://127.0.0.1:9")
    assert not Ledger(ledger).list()


def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from evidencegate.cli import _report
    from evidencegate.cli._app import app

    headings = tmp_path / "outline.md"
    headings.write_text("# Bleeding\n\n- Stroke\n", encoding="utf-8")
    output = tmp_path / "report.md"
    monkeypatch.setenv("EVIDENCEGATE_LEDGER", f"sqlite:///{tmp_path / 'r.db'}")
    monkeypatch.setenv("EVIDENCEGATE_CACHE_DIR", str(tmp_path))
    load.cache_clear()
    done = CliRunner().invoke(
        app, ["report", TOPIC, "--offline", "--outline", str(headings), "--json", "-o", str(output)]
    )

    load.cache_clear()

    assert done.exit_code == 0, done.output
    fields = json.loads(done.stdout)
    assert (fields["schema"], fields["command"]) == ("evidencegate/1", "report")
    assert "## 1. Bleeding" in output.read_text("utf-8")
    assert _report._headings(str(headings)) == ["# Bleeding", "- Stroke"]
    assert _report._headings("A; B;") == ["A", " B"]
