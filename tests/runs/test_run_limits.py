"""The limits that a run was begun under hold when it is taken up, by whichever process and call."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import evidencegate
from evidencegate._asking import COMMAND, Asked
from evidencegate._reporting import COMMAND as REPORT
from evidencegate._reporting import Wanted
from evidencegate.errors import InvalidInput
from evidencegate.report import Answer, Report
from evidencegate.runs import Ledger, Limits, RunStatus
from simulated import LiteratureService, turned_to

QUESTION = "Does zelfaban reduce major bleeding in atrial fibrillation?"


@pytest.fixture
def url(service: LiteratureService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with turned_to(service, tmp_path, monkeypatch):
        yield f"sqlite:///{tmp_path / 'runs.db'}"


@pytest.fixture
def service() -> Iterator[LiteratureService]:
    with LiteratureService() as running:
        yield running


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


def test_every_request_is_counted_once_and_a_replay_sends_none(service: LiteratureService, url: str) -> None:
    question = "Is apixaban safer than warfarin in atrial fibrillation?"
    answer = evidencegate.ask(question, ledger=url)
    sent = len(service.seen)
    assert sent > 3
    ledger = Ledger(url)
    assert ledger.usage(answer.run).requests == sent

    evidencegate.replay(answer.run, ledger=url)
    assert ledger.usage(answer.run).requests == sent == len(service.seen)

    again = evidencegate.ask(question, ledger=url)
    assert ledger.usage(again.run).requests == len(service.seen) - sent, "what is kept is not asked for again"
