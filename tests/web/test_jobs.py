"""Jobs: a queue, a cancellation, a key used twice, and a server that is killed in the middle of the work."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from server_support import kill_and_take_up
from web_support import CHECK, INPUTS, QUESTION, SLOW, end, paid, said, served, stuck

from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.models.language.scripted import Scripted
from evidencegate.runs import Ledger, RunInfo, RunStatus
from evidencegate.web import Job, Jobs, Kind, WebSettings
from evidencegate.web._jobs import KeyReused, NotFinished, NotFound, QueueFull
from simulated import Fault, LiteratureService


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    """Jobs that ask nothing over the network."""
    with Jobs(WebSettings(state_dir=tmp_path, offline=True)) as opened:
        yield opened


@pytest.fixture
def live(tmp_path: Path, service: LiteratureService) -> Iterator[Jobs]:
    """Jobs that ask the simulated services."""
    with Jobs(WebSettings(state_dir=tmp_path / "state", max_jobs=1, max_waiting=3)) as opened:
        yield opened


def test_a_job_is_done_replayed_and_stays_done(jobs: Jobs) -> None:
    async def all_of_them() -> None:
        asked = [await jobs.submit(Kind(kind), INPUTS[kind], owner="a") for kind in ("check", "counter")]
        for job in asked:
            done = await end(jobs, job)
            assert (done.state, done.ended, done.resumable) == ("done", True, False)
            assert await jobs.replay(job.id, owner="a") == done.info.result
            assert (await jobs.resume(job.id, owner="a")).state == "done"
        assert [job.id for job in jobs.list(owner="a")] == sorted((job.id for job in asked), reverse=True)

    asyncio.run(all_of_them())


def test_a_job_that_ends_while_it_is_looked_at_is_not_shown_as_ended_with_nothing(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its state and its result are read one after the other; here it ends right after the ledger was read."""
    read = type(jobs.ledger).get

    async def looked_at() -> Job:
        job = await jobs.submit(Kind.CHECK, CHECK, owner="a")

        def look() -> Job:
            mine = threading.get_ident()

            def slowly(ledger: Ledger, run: str, *, result: bool = True) -> RunInfo:
                info = read(ledger, run, result=result)
                if threading.get_ident() == mine:
                    while ledger.status(run) is RunStatus.RUNNING or jobs.load() != (0, 0):
                        time.sleep(0.01)
                return info

            monkeypatch.setattr(type(jobs.ledger), "get", slowly)
            return jobs.get(job.id, owner="a")

        return await asyncio.to_thread(look)

    job = asyncio.run(looked_at())
    assert job.live or job.info.result is not None


def test_those_who_wait_are_told_their_place(live: Jobs, service: LiteratureService) -> None:
    async def queue() -> None:
        stuck(service)
        first = await live.submit(Kind.ASK, SLOW, owner="a")
        await said(live, first, "started")
        waiting = [await live.submit(Kind.CHECK, CHECK, owner=name) for name in "bcd"]
        assert [live.get(job.id, owner=job.owner).place for job in waiting] == [1, 2, 3]
        with pytest.raises(QueueFull):
            await live.submit(Kind.CHECK, CHECK, owner="e")
        gone = await live.cancel(waiting[0].id, owner="b")
        assert (gone.state, gone.ended) == ("interrupted", True)
        with pytest.raises(NotFinished):
            await live.replay(first.id, owner="a")
        await live.cancel(first.id, owner="a")
        for job in waiting[1:]:
            assert (await end(live, job)).state == "done"
        places = [event.data["place"] for event in live.ledger.events(waiting[2].id) if event.kind == "queued"]
        assert places == sorted(places, reverse=True)
        assert places[0] == 3

    asyncio.run(queue())


def test_turns_go_round_among_owners(tmp_path: Path, service: LiteratureService) -> None:
    async def turns(jobs: Jobs) -> None:
        stuck(service)
        first = await jobs.submit(Kind.ASK, SLOW, owner="a")
        await said(jobs, first, "started")
        many = [await jobs.submit(Kind.CHECK, CHECK, owner="a") for _ in range(3)]
        one = await jobs.submit(Kind.CHECK, CHECK, owner="b")
        assert [jobs.get(job.id, owner=job.owner).place for job in (*many, one)] == [1, 3, 4, 2]
        await jobs.cancel(first.id, owner="a")
        for job in (*many, one):
            assert (await end(jobs, job)).state == "done"

    with Jobs(WebSettings(state_dir=tmp_path / "state", max_jobs=1)) as jobs:
        asyncio.run(turns(jobs))


def test_a_cancelled_job_keeps_what_it_has_and_goes_on_from_there(live: Jobs, service: LiteratureService) -> None:
    async def cancelled() -> None:
        stuck(service)
        job = await live.submit(Kind.ASK, SLOW, owner="a")
        await said(live, job, "searched")
        stopped = await live.cancel(job.id, owner="a")
        assert (stopped.state, stopped.ended, stopped.resumable) == ("interrupted", True, True)
        assert stopped.info.result is None
        assert [event.kind for event in live.ledger.events(job.id)][-1] == "interrupted"
        asked = paid(service, "pubmed")
        assert asked
        assert (await live.cancel(job.id, owner="a")).state == "interrupted"

        # With no time left, what it has is written up, and nobody is asked for more.
        await live.resume(job.id, owner="a", max_seconds=0.001)
        cut = await end(live, job)
        assert (cut.state, cut.resumable) == ("partial", True)
        assert cut.info.result is not None
        assert cut.info.result["references"]

        service.recover()
        await live.resume(job.id, owner="a")
        done = await end(live, job)
        assert done.state == "done"
        assert paid(service, "pubmed") == asked
        assert done.info.result is not None
        assert done.info.result["references"]

    asyncio.run(cancelled())


def test_a_job_that_fails_says_why(jobs: Jobs, tmp_path: Path) -> None:
    settings = WebSettings.of(libraries=[tmp_path / "gone"], state_dir=tmp_path / "other", offline=True)

    async def failed() -> None:
        with Jobs(settings) as others:
            job = await others.submit(Kind.ASK, {"question": QUESTION, "libraries": ["gone"]}, owner="a")
            assert (await end(others, job)).state == "failed"
            last = list(others.ledger.events(job.id))[-1]
            assert (last.kind, last.data["type"]) == ("failed", "InvalidInput")
            assert "gone" in last.message
            assert str(tmp_path) not in last.message
            with pytest.raises(InvalidInput):
                await others.replay(job.id, owner="a")

    asyncio.run(failed())


def test_nobody_reaches_into_the_runs_of_others(jobs: Jobs) -> None:
    async def reach() -> None:
        job = await jobs.submit(Kind.CHECK, CHECK, owner="a")
        await end(jobs, job)
        assert jobs.list(owner="b") == ()
        with pytest.raises(NotFound):
            jobs.get(job.id, owner="b")
        with pytest.raises(NotFound):
            jobs.events(job.id, owner="b")
        for call in (jobs.cancel, jobs.resume, jobs.replay):
            with pytest.raises(NotFound):
                await call(job.id, owner="b")  # type: ignore[operator]
        with pytest.raises(NotFound):
            await jobs.diff(job.id, job.id, owner="b")

    asyncio.run(reach())


def test_a_record_that_was_fetched_is_not_fetched_again_by_a_replay(live: Jobs, service: LiteratureService) -> None:
    async def check() -> None:
        inputs = {"text": "Apixaban caused less major bleeding than warfarin.", "against": ["PMID: 90000001"]}
        job = await end(live, await live.submit(Kind.CHECK, inputs, owner="a"))
        assert job.state == "done"
        assert job.info.result is not None
        assert [document["id"] for document in job.info.result["documents"]] == ["pmid:90000001"]
        asked = len(service.seen)
        assert await live.replay(job.id, owner="a") == job.info.result
        assert len(service.seen) == asked

    asyncio.run(check())


@pytest.mark.parametrize("model", ["scripted:obey", "scripted:break_json", "scripted:unreachable"])
def test_what_a_model_said_of_a_check_is_not_asked_again(
    tmp_path: Path, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check(jobs: Jobs) -> None:
        job = await end(jobs, await jobs.submit(Kind.CHECK, {**CHECK, "model": model}, owner="a"))
        assert job.state == "done", list(jobs.ledger.events(job.id))
        assert any(name.startswith("model ") for name, _ in jobs.ledger.steps(job.id))
        monkeypatch.setattr(Scripted, "complete", None)
        assert await jobs.replay(job.id, owner="a") == job.info.result

    with Jobs(WebSettings(state_dir=tmp_path, offline=True, models=(model,))) as jobs:
        asyncio.run(check(jobs))


def test_a_check_whose_time_is_up_is_partial_and_can_be_finished(live: Jobs, service: LiteratureService) -> None:
    async def cut() -> None:
        inputs = {"text": "Apixaban caused less major bleeding than warfarin.", "against": ["PMID: 90000001"]}
        service.fail("pubmed", Fault.SILENCE)
        job = await end(live, await live.submit(Kind.CHECK, {**inputs, "max_seconds": 0.5}, owner="a"))
        assert (job.state, job.resumable) == ("partial", True)
        assert job.info.result is not None
        assert job.info.result["warnings"][0].startswith("partial:")
        assert await live.replay(job.id, owner="a") == job.info.result
        service.recover()
        await live.resume(job.id, owner="a")
        done = await end(live, job)
        assert done.state == "done"
        assert done.info.result is not None
        assert [document["id"] for document in done.info.result["documents"]] == ["pmid:90000001"]

    asyncio.run(cut())


@pytest.mark.parametrize(
    ("kind", "inputs"),
    [
        ("ask", {}),
        ("ask", {"question": QUESTION, "max_seconds": 0}),
        ("check", {"text": "x", "texts": [{"text": " "}]}),
        ("counter", {"text": "x", "overrules": [{"claim": "c1", "document": "d", "accept": True, "note": " "}]}),
    ],
)
def test_inputs_are_refused_before_a_run_begins(jobs: Jobs, kind: str, inputs: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        asyncio.run(jobs.submit(Kind(kind), inputs, owner="a"))
    assert jobs.ledger.list() == ()


@pytest.mark.parametrize(("asked_for", "kept"), [(None, True), (True, True), (False, False)])
def test_open_articles_are_read_as_a_whole_as_asked_or_set(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch, asked_for: bool | None, kept: bool
) -> None:
    monkeypatch.setenv("EVIDENCEGATE_FULL_TEXT", "true")

    async def submitted() -> Any:
        job = await jobs.submit(Kind.ASK, {**INPUTS["ask"], "full_text": asked_for}, owner="a")
        return (await end(jobs, job)).info.inputs["full_text"]

    assert asyncio.run(submitted()) is kept


def test_names_are_refused_before_a_run_begins(jobs: Jobs) -> None:
    for inputs in ({"libraries": ["x"]}, {"sources": ["x"]}, {"model": "x:y"}):
        with pytest.raises(UnknownName):
            asyncio.run(jobs.submit(Kind.ASK, {"question": QUESTION, **inputs}, owner="a"))
    assert jobs.ledger.list() == ()


class _Idle(Jobs):
    """Jobs whose worker is never started: what is asked for only waits."""

    def _enqueue(self, run: str, owner: str) -> None:
        return None


@given(
    requests=st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from([None, "k1", "k2"]), st.sampled_from(["one", "two"])),
        max_size=8,
    )
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_key_stands_for_one_request_of_one_owner(
    tmp_path_factory: pytest.TempPathFactory, requests: list[tuple[str, str | None, str]]
) -> None:
    """Against the plainest model there is: a dictionary."""
    jobs = _Idle(WebSettings(state_dir=tmp_path_factory.mktemp("keys"), offline=True))
    known: dict[tuple[str, str], tuple[str, str]] = {}
    made: set[str] = set()

    async def ask_for_all() -> None:
        for owner, key, text in requests:
            stands_for = known.get((owner, key)) if key else None
            if stands_for is not None and stands_for[0] != text:
                with pytest.raises(KeyReused):
                    await jobs.submit(Kind.COUNTER, {"text": text}, owner=owner, key=key)
                continue
            job = await jobs.submit(Kind.COUNTER, {"text": text}, owner=owner, key=key)
            if stands_for is not None:
                assert job.id == stands_for[1]
                continue
            assert job.id not in made
            made.add(job.id)
            if key:
                known[owner, key] = text, job.id

    asyncio.run(ask_for_all())
    assert {info.id for info in jobs.ledger.list()} == made
    jobs.ledger.close()


def test_one_key_sent_by_many_at_once_makes_one_run(jobs: Jobs) -> None:
    async def at_once() -> None:
        same = (jobs.submit(Kind.CHECK, CHECK, owner="a", key="k") for _ in range(12))
        asked = await asyncio.gather(*same)
        assert len({job.id for job in asked}) == 1
        await end(jobs, asked[0])

    asyncio.run(at_once())
    assert len(jobs.ledger.list()) == 1


def test_one_server_works_on_a_ledger_that_is_elsewhere(tmp_path: Path) -> None:
    """By whichever name: what one server works on, another must not take for dead."""
    database = tmp_path / "shared.db"
    (tmp_path / "alias.db").symlink_to(database)
    first = WebSettings(state_dir=tmp_path / "a", offline=True, ledger=f"sqlite:///{database}")
    second = WebSettings(state_dir=tmp_path / "b", offline=True, ledger=f"sqlite:///{tmp_path / 'alias.db'}")
    with Jobs(first):
        other = Jobs(second)
        with pytest.raises(InvalidInput, match="another server works on the ledger"):
            other.take()
        with Jobs(WebSettings(state_dir=tmp_path / "b", offline=True)) as own:
            assert own.ledger.list() == ()
    with other:
        assert other.ledger.list() == ()


def test_one_server_works_in_a_state_directory(tmp_path: Path) -> None:
    settings = WebSettings(state_dir=tmp_path, offline=True)
    with Jobs(settings), pytest.raises(InvalidInput, match="another server"), Jobs(settings):
        pass
    with Jobs(settings):
        pass


def test_a_server_that_is_stopped_leaves_its_jobs_to_the_next(tmp_path: Path, service: LiteratureService) -> None:
    settings = WebSettings(state_dir=tmp_path / "state", max_jobs=1)

    async def begin(jobs: Jobs) -> tuple[Job, Job]:
        working = await jobs.submit(Kind.ASK, SLOW, owner="a")
        waiting = await jobs.submit(Kind.CHECK, CHECK, owner="a")
        await said(jobs, working, "searched")
        return working, waiting

    stuck(service)
    with Jobs(settings) as jobs:
        began = asyncio.run(begin(jobs))
    service.recover()
    with Jobs(settings) as jobs:
        for job in began:
            assert jobs.get(job.id, owner="a").info.status is RunStatus.INTERRUPTED
            assert "the server stopped" in list(jobs.ledger.events(job.id))[-1].message

        async def take_up() -> None:
            for job in began:
                await jobs.resume(job.id, owner="a")
                assert (await end(jobs, job)).state == "done"

        asyncio.run(take_up())


def test_who_follows_a_run_does_not_hold_up_a_server_that_stops(tmp_path: Path, service: LiteratureService) -> None:
    stuck(service)
    lines: list[str] = []
    with served(WebSettings(state_dir=tmp_path / "state")) as (address, app):
        run = httpx2.post(f"{address}/api/v1/ask", json=SLOW, timeout=60).json()["run"]["id"]
        with httpx2.stream("GET", f"{address}/api/v1/runs/{run}/events", timeout=60) as events:
            for line in events.iter_lines():
                lines.append(line)
                if '"searched"' in line:
                    app.state.hang_up()
        assert httpx2.get(f"{address}/api/v1/runs/{run}?brief=true").json()["run"]["status"] == "running"
    # No end was told of, so a browser comes again and finds what became of it.
    assert "event: progress" in lines
    assert "event: end" not in lines


def test_a_killed_server_pays_nothing_twice(tmp_path: Path) -> None:
    kill_and_take_up(tmp_path, {}, "--state", str(tmp_path / "state"))


def test_what_is_kept_of_a_run_is_json(jobs: Jobs) -> None:
    async def kept() -> None:
        job = await end(jobs, await jobs.submit(Kind.CHECK, CHECK, owner="a"))
        assert json.loads(json.dumps(job.to_json())) == job.to_json()

    asyncio.run(kept())
