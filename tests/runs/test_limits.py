"""The limits that a run was begun under hold when it is taken up, by whichever process and call."""

from pathlib import Path

import pytest

import evidencegate
from evidencegate._asking import COMMAND, Asked
from evidencegate._reporting import COMMAND as REPORT
from evidencegate._reporting import Wanted
from evidencegate.errors import InvalidInput
from evidencegate.report import Answer, Report
from evidencegate.runs import Ledger, Limits, RunStatus

QUESTION = "Does zelfaban reduce major bleeding in atrial fibrillation?"


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("EVIDENCEGATE_CACHE_DIR", str(tmp_path / "cache"))
    return f"sqlite:///{tmp_path / 'runs.db'}"


def test_a_killed_run_is_taken_up_within_its_seconds(url: str) -> None:
    ledger = Ledger(url)
    run = Limits(max_seconds=0).start(ledger, COMMAND, Asked.of(QUESTION, offline=True).to_json()).id

    short = evidencegate.resume(run, ledger=url)

    assert isinstance(short, Answer)
    assert short.partial
    assert ledger.get(run).status is RunStatus.PARTIAL

    whole = evidencegate.resume(run, ledger=url)

    assert isinstance(whole, Answer)
    assert not whole.partial, "seconds that ended a run are over when somebody wants the rest"


def test_money_is_never_spent_beyond_what_was_said(url: str) -> None:
    ledger = Ledger(url)
    wanted = Wanted(asked=Asked.of(QUESTION, offline=True), headings=("Bleeding",), drop_unsupported=False)
    run = Limits(max_money=0).start(ledger, REPORT, wanted.to_json()).id

    short = evidencegate.resume(run, ledger=url)

    assert isinstance(short, Report)
    assert short.partial
    with pytest.raises(InvalidInput, match="may spend 0 US dollars"):
        evidencegate.resume(run, ledger=url)
    assert Limits.of(ledger, run) == Limits(max_money=0)

    whole = evidencegate.resume(run, max_money=1, ledger=url)

    assert isinstance(whole, Report)
    assert not whole.partial
    assert Limits.of(ledger, run) == Limits(max_money=1)


def test_the_limits_of_a_call_are_kept_with_its_run(url: str) -> None:
    answer = evidencegate.ask(QUESTION, offline=True, max_seconds=3600, ledger=url)
    free = evidencegate.ask(QUESTION, offline=True, ledger=url)

    ledger = Ledger(url)
    assert Limits.of(ledger, answer.run) == Limits(max_seconds=3600)
    assert ledger.step_names(free.run) == tuple(n for n in ledger.step_names(answer.run) if n != "limits")
