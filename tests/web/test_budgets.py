"""What a job may take holds again when it is taken up: after a stop, by another server, after it ran out."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from pages_support import get, send
from web_support import QUESTION, SLOW, MakeClient, end, said, stuck

from evidencegate.errors import InvalidInput
from evidencegate.runs import Event, Limits, RunInfo, RunStatus, Usage
from evidencegate.web import Job, Jobs, Kind, WebSettings
from evidencegate.web._killed import lost
from simulated import LiteratureService

REPORT: dict[str, Any] = {"topic": QUESTION, "outline": ["Efficacy"], "offline": True}
MODEL = "scripted:obey"
some = st.none() | st.floats(min_value=0, max_value=1e6)


def info(status: RunStatus, **usage: float) -> RunInfo:
    return RunInfo(
        id="r",
        command="ask",
        inputs={},
        status=status,
        started_at="2026-11-21T04:00:00+00:00",
        ended_at=None,
        usage=Usage(**usage),  # type: ignore[arg-type]
        result=None,
    )


@given(seconds=some, money=some, used=st.floats(min_value=0, max_value=1e6), turn=some)
def test_a_budget_is_never_more_than_what_the_run_or_the_server_allows(
    seconds: float | None, money: float | None, used: float, turn: float | None
) -> None:
    budget = Limits(max_seconds=seconds, max_money=money).budget(Usage(seconds=used), turn=turn)

    ends = [end for end in (seconds, None if turn is None else used + turn) if end is not None]
    assert budget.seconds == (min(ends) if ends else None)
    assert budget.money == money


@given(kept=st.tuples(some, some), given_=st.tuples(some, some), used=st.tuples(st.floats(0, 1e6), st.floats(0, 1e6)))
def test_a_run_that_did_not_end_by_itself_keeps_its_limits(
    kept: tuple[float | None, float | None], given_: tuple[float | None, float | None], used: tuple[float, float]
) -> None:
    was, now = (Limits(max_seconds=pair[0], max_money=pair[1]) for pair in (kept, given_))
    for status in (RunStatus.INTERRUPTED, RunStatus.FAILED):
        limits = was.taken_up(info(status, seconds=used[0], money=used[1]), now)
        assert limits.max_seconds == (kept[0] if given_[0] is None else given_[0])
        assert limits.max_money == (kept[1] if given_[1] is None else given_[1])


def test_seconds_that_ended_a_run_are_over_and_money_is_not() -> None:
    was = Limits(max_seconds=10, max_money=1)
    ended = info(RunStatus.PARTIAL, seconds=10.2, money=0.4)

    assert was.taken_up(ended, Limits()) == Limits(max_money=1)
    assert was.taken_up(ended, Limits(max_seconds=20)) == Limits(max_seconds=20, max_money=1)
    assert was.taken_up(info(RunStatus.PARTIAL, seconds=4), Limits()) == was
    spent = info(RunStatus.PARTIAL, money=1.0)
    with pytest.raises(InvalidInput, match="may spend 1 US dollars"):
        was.taken_up(spent, Limits())
    assert was.taken_up(spent, Limits(max_money=2)).max_money == 2


def test_a_killed_run_took_the_time_to_its_last_event() -> None:
    def events(*told: tuple[str, int]) -> list[Event]:
        return [
            Event(n=n, at=f"2026-11-21T04:00:{second:02}+00:00", kind=kind, message="", data={})
            for n, (kind, second) in enumerate(told, start=1)
        ]

    assert lost(events()) == Usage()
    assert lost(events(("queued", 3))) == Usage()
    assert lost(events(("started", 3), ("search", 9))).seconds == 6
    assert (
        lost(events(("started", 3), ("interrupted", 9), ("resumed", 20), ("started", 21), ("search", 23))).seconds == 2
    )


async def taken_up(jobs: Jobs, job: Job, **given_: float) -> Job:
    await jobs.resume(job.id, owner=job.owner, **given_)
    return await end(jobs, job)


def test_the_seconds_of_a_job_hold_under_the_next_server(tmp_path: Path, service: LiteratureService) -> None:
    settings = WebSettings(state_dir=tmp_path / "state", max_jobs=1)

    async def begin(jobs: Jobs) -> Job:
        job = await jobs.submit(Kind.ASK, {**SLOW, "max_seconds": 3}, owner="a")
        await said(jobs, job, "searched")
        return job

    stuck(service)
    with Jobs(settings) as jobs:
        began = asyncio.run(begin(jobs))
    with Jobs(settings) as jobs:
        assert jobs.limits(began.id, owner="a") == Limits(max_seconds=3)
        # The source is still silent: nothing but the kept limit ends this.
        cut = asyncio.run(taken_up(jobs, began))
        assert cut.state == "partial"
        service.recover()
        assert asyncio.run(taken_up(jobs, began)).state == "done"
        assert jobs.limits(began.id, owner="a") == Limits()


def test_money_is_not_spent_beyond_what_was_said(make_client: MakeClient) -> None:
    client = make_client(models=(MODEL,))
    asked = client.post(
        "/api/v1/report", json={**REPORT, "model": MODEL, "max_money": 0}, headers={"Prefer": "wait=60"}
    )
    run = asked.headers["content-location"].split("/")[-2]
    assert asked.json()["partial"] is True
    assert client.get(f"/api/v1/runs/{run}").json()["limits"] == {"max_seconds": None, "max_money": 0}
    assert client.get(f"/api/v1/runs/{run}?brief=true").json()["limits"] is None

    refused = client.post(f"/api/v1/runs/{run}/resume")
    assert refused.status_code == 422
    assert "max_money" in refused.json()["detail"]
    assert client.get(f"/api/v1/runs/{run}").json()["run"]["status"] == "partial"

    done = client.post(f"/api/v1/runs/{run}/resume", json={"max_money": 1}, headers={"Prefer": "wait=60"})
    assert done.json()["partial"] is False


def test_a_page_says_what_a_run_may_take_and_takes_more_money(make_client: MakeClient) -> None:
    client = make_client(models=(MODEL,))
    get(client, "/")  # a visitor with a cookie
    asked = client.post(
        "/api/v1/report",
        json={**REPORT, "model": MODEL, "max_money": 0, "max_seconds": 600},
        headers={"Prefer": "wait=60"},
    )
    path = "/runs/" + asked.headers["content-location"].split("/")[-2]
    page = get(client, path)
    assert "0.00 US dollars" in page.one("main")[1]
    assert "10 min" in page.one("main")[1]
    assert page.one("input", name="max_money")[0]["value"] == "0.0"

    for value, wrong in (("0", "may spend 0 US dollars"), ("much", "a number of US dollars")):
        response = send(client, f"{path}/resume", {"max_money": value})
        assert response.status_code == 422
        assert wrong in response.text
    assert send(client, f"{path}/resume", {"max_money": "2.5"}).status_code == 303
    _settled(client, path)
    assert "2.50 US dollars" in get(client, path).one("main")[1]
    assert "Partial" not in get(client, path).one("main")[1]


def _settled(client: TestClient, path: str) -> None:
    assert "event: end" in client.get(f"{path}/events").text


def test_what_is_used_up_is_said_to_nobody_else(tmp_path: Path) -> None:
    with Jobs(WebSettings(state_dir=tmp_path, offline=True)) as jobs:
        job = asyncio.run(jobs.submit(Kind.ASK, {"question": QUESTION, "max_seconds": 5}, owner="a"))
        with pytest.raises(LookupError):
            jobs.limits(job.id, owner="b")
