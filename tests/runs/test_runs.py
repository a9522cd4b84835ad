"""The ledger and the run: steps once, budgets, resume, replay, kill."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.errors import BudgetExceeded, EvidenceGateError, UnknownName
from evidencegate.runs import Budget, Ledger, Mode, ReplayIncomplete, Run, RunStatus, Usage


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(f"sqlite:///{tmp_path / 'runs.db'}")


def _step(run: Run, name: str, inputs: object, calls: list[str], cost: Usage | None = None) -> str:
    async def compute() -> str:
        calls.append(name)
        return f"value of {name}"

    return asyncio.run(
        run.step(name, inputs, compute, dump=str, load=str, cost=(lambda _: cost) if cost is not None else None)
    )


def test_a_step_is_done_once_and_again_when_its_inputs_change(ledger: Ledger) -> None:
    run = Run.start(ledger, "ask", {"question": "q"})
    calls: list[str] = []

    values = [_step(run, "search", {"query": q}, calls) for q in ("a", "a", "b")]

    assert values == ["value of search"] * 3
    assert calls == ["search", "search"]


def test_a_resumed_run_pays_for_nothing_twice(ledger: Ledger) -> None:
    run = Run.start(ledger, "ask", {})
    calls: list[str] = []
    _step(run, "model", 1, calls, Usage(requests=1, money=0.5))

    resumed = Run.again(ledger, run.id)
    _step(resumed, "model", 1, calls, Usage(requests=1, money=0.5))

    assert calls == ["model"]
    assert ledger.usage(run.id) == Usage(requests=1, money=0.5)


def test_a_replay_asks_nobody_and_changes_nothing(ledger: Ledger) -> None:
    run = Run.start(ledger, "ask", {})
    _step(run, "search", 1, [])
    run.event("search", "searching")
    run.finish({"x": 1})
    before = (ledger.get(run.id), list(ledger.events(run.id)))

    replay = Run.again(ledger, run.id, mode=Mode.REPLAY)
    calls: list[str] = []
    assert _step(replay, "search", 1, calls) == "value of search"
    replay.event("search", "searching")
    replay.finish({"x": 2})

    assert not calls
    assert (ledger.get(run.id), list(ledger.events(run.id))) == before
    with pytest.raises(ReplayIncomplete, match="never finished"):
        _step(replay, "search", 2, calls)


@pytest.mark.parametrize("budget", [Budget(requests=2), Budget(tokens=20), Budget(money=0.2), Budget(seconds=0)])
def test_a_budget_stops_before_the_step_it_cannot_pay(ledger: Ledger, budget: Budget) -> None:
    run = Run.start(ledger, "report", {}, budget=budget)
    calls: list[str] = []

    def spend() -> None:
        for n in range(5):
            _step(run, "model", n, calls, Usage(requests=1, input_tokens=5, output_tokens=5, money=0.1))

    with pytest.raises(BudgetExceeded, match="used up"):
        spend()

    assert len(calls) <= 2
    # What was done stays, and reading it costs nothing.
    assert all(_step(run, "model", n, calls) for n in range(len(calls)))


def test_events_are_numbered_without_gaps_by_many_writers(ledger: Ledger) -> None:
    run = Run.start(ledger, "ask", {})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: run.event("step", f"event {n}", n=n), range(40)))

    events = list(ledger.events(run.id))
    assert [event.n for event in events] == list(range(1, 41))
    assert {event.data["n"] for event in events} == set(range(40))
    assert [event.n for event in ledger.events(run.id, after=38)] == [39, 40]


def test_runs_are_listed_newest_first_with_their_result(ledger: Ledger) -> None:
    ids = [Run.start(ledger, "ask", {"n": n}).id for n in range(3)]
    Run.again(ledger, ids[1]).finish({"answer": "é"}, RunStatus.PARTIAL)

    assert {run.id for run in ledger.list()} == set(ids)
    assert len(ledger.list(limit=2)) == 2
    assert ledger.get(ids[1]).result == {"answer": "é"}
    assert ledger.get(ids[1]).to_json()["status"] == "partial"


def test_an_unknown_run_and_an_impossible_ledger_say_what_to_do(ledger: Ledger, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="runs list"):
        ledger.get("nope")
    (tmp_path / "file").write_text("not a directory")
    with pytest.raises(EvidenceGateError, match="cannot be opened"):
        Ledger(f"sqlite:///{tmp_path / 'file' / 'runs.db'}")


def test_a_password_is_not_shown() -> None:
    with pytest.raises(EvidenceGateError) as caught:
        Ledger("nodatabase://user:hunter2@localhost/x")

    assert "hunter2" not in str(caught.value)


_KILLED = textwrap.dedent(
    """
    import asyncio, os, signal, sys
    from evidencegate.runs import Ledger, Run, Usage
    ledger = Ledger(sys.argv[1])
    run = Run.again(ledger, sys.argv[2])
    async def main():
        for n in range(10):
            async def pay(n=n):
                with open(sys.argv[3], "a") as paid:
                    paid.write(f"{n}\\n")
                return n
            await run.step("model", n, pay, dump=int, load=int, cost=lambda _: Usage(requests=1))
            if n == int(sys.argv[4]):
                os.kill(os.getpid(), signal.SIGKILL)
    asyncio.run(main())
    run.finish({})
    """
)


def test_a_killed_run_goes_on_and_pays_each_step_once(ledger: Ledger, tmp_path: Path) -> None:
    url, paid = f"sqlite:///{tmp_path / 'runs.db'}", tmp_path / "paid"
    run = Run.start(ledger, "report", {})

    for kill_after in (2, 5, 99):
        argv = [sys.executable, "-c", _KILLED, url, run.id, str(paid), str(kill_after)]
        code = subprocess.run(argv, check=False, env={**os.environ}).returncode
        assert code == (0 if kill_after == 99 else -signal.SIGKILL)

    assert paid.read_text().split() == [str(n) for n in range(10)]
    assert ledger.usage(run.id).requests == 10
    assert ledger.get(run.id).status is RunStatus.DONE


_usage = st.builds(
    Usage,
    requests=st.integers(0, 9),
    input_tokens=st.integers(0, 99),
    output_tokens=st.integers(0, 99),
    money=st.floats(0, 9),
    seconds=st.floats(0, 9),
)


@given(_usage, st.one_of(st.none(), st.integers(0, 10)), st.one_of(st.none(), st.integers(0, 150)))
def test_a_budget_holds_for_any_usage(used: Usage, requests: int | None, tokens: int | None) -> None:
    budget = Budget(requests=requests, tokens=tokens)
    over = (requests is not None and used.requests >= requests) or (
        tokens is not None and used.input_tokens + used.output_tokens >= tokens
    )

    if over:
        with pytest.raises(BudgetExceeded):
            budget.check(used)
    else:
        budget.check(used)


def test_a_new_ledger_may_be_opened_by_many_at_once(tmp_path: Path) -> None:
    gate = threading.Barrier(8)

    def begin(_: int) -> str:
        gate.wait()
        ledger = Ledger(f"sqlite:///{tmp_path / 'new.db'}")
        try:
            return ledger.start("ask", {})
        finally:
            ledger.close()

    with ThreadPoolExecutor(8) as pool:
        begun = set(pool.map(begin, range(8)))

    assert {info.id for info in Ledger(f"sqlite:///{tmp_path / 'new.db'}").list()} == begun
