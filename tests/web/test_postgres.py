"""The server with PostgreSQL as its ledger. Skips where the machine has no PostgreSQL to start."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pages_support import Page, result_of
from postgres_support import Postgres, running
from server_support import kill_and_take_up
from web_support import CHECK, INPUTS, MakeClient, end

from evidencegate.errors import InvalidInput
from evidencegate.runs import Ledger, Usage
from evidencegate.web import Jobs, Kind, WebSettings
from evidencegate.web._owners import Owners


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with running() as started:
        yield started


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.database()


def test_a_killed_server_pays_nothing_twice(tmp_path: Path, url: str) -> None:
    kill_and_take_up(tmp_path, {"EVIDENCEGATE_LEDGER": url, "EVIDENCEGATE_DATA_DIR": str(tmp_path / "data")})
    assert not (tmp_path / "data" / "runs.db").exists()


def test_a_job_is_done_shown_and_replayed(make_client: MakeClient, url: str) -> None:
    client = make_client(ledger=url)
    runs = {}
    for kind in ("ask", "check"):
        done = client.post(f"/api/v1/{kind}", json=INPUTS[kind], headers={"Prefer": "wait=60"})
        assert done.status_code == 200, done.text
        runs[kind] = run = done.headers["content-location"].split("/")[-2]
        assert client.post(f"/api/v1/runs/{run}/replay").json() == done.json()
        assert client.get(f"/api/v1/runs/{run}/result").json() == done.json()
        events = client.get(f"/api/v1/runs/{run}/events", headers={"Accept": "application/json"}).json()["events"]
        assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    listed = client.get("/api/v1/runs").json()["runs"]
    assert [job["id"] for job in listed] == sorted(runs.values(), reverse=True)
    assert client.get(f"/api/v1/runs/{runs['ask']}/diff/{runs['ask']}").json()["same"] is True


def test_pages_are_shown_from_it(make_client: MakeClient, url: str) -> None:
    client = make_client(ledger=url)
    client.get("/", headers={"accept": "text/html"})
    run = client.post("/api/v1/check", json=CHECK, headers={"Prefer": "wait=60"}).headers["content-location"]
    path = run.removeprefix("/api/v1").removesuffix("/result")
    page = Page(client.get(path, headers={"accept": "text/html"}).text)
    assert page.unclosed == []
    assert len(page.all("li", id="claim-c1")) == 1
    assert result_of(client, path)["claims"]


def test_one_key_sent_by_many_at_once_makes_one_run(tmp_path: Path, url: str) -> None:
    async def at_once(jobs: Jobs) -> None:
        same = (jobs.submit(Kind.CHECK, CHECK, owner="a", key="k") for _ in range(12))
        asked = await asyncio.gather(*same)
        assert len({job.id for job in asked}) == 1
        assert (await end(jobs, asked[0])).state == "done"

    with Jobs(WebSettings(state_dir=tmp_path, offline=True, ledger=url)) as jobs:
        asyncio.run(at_once(jobs))
        assert len(jobs.ledger.list()) == 1


def test_one_server_works_on_a_ledger(tmp_path: Path, url: str) -> None:
    first, second = (
        WebSettings(state_dir=tmp_path / name, offline=True, ledger=url.replace("tests@", "tests:hush@"))
        for name in ("a", "b")
    )
    with Jobs(first):
        jobs = Jobs(second)
        with pytest.raises(InvalidInput, match="another server works on the ledger") as refused:
            jobs.take()
        jobs.ledger.close()
        assert "hush" not in str(refused.value)
    with Jobs(second):
        pass


def test_many_open_a_new_ledger_at_once(url: str) -> None:
    def opened(_: int) -> str:
        ledger = Ledger(url)
        Owners(ledger)
        run = ledger.start("ask", {})
        ledger.close()
        return run

    with ThreadPoolExecutor(8) as pool:
        runs = set(pool.map(opened, range(8)))
    ledger = Ledger(url)
    assert {info.id for info in ledger.list()} == runs
    ledger.close()


def test_a_database_that_was_started_anew_is_asked_again(url: str) -> None:
    ledger, other = Ledger(url), Ledger(url)
    run = ledger.start("ask", {})
    with other.engine.connect() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND datname = current_database()"
        )
    assert ledger.get(run).command == "ask"
    ledger.close()
    other.close()


@pytest.mark.parametrize("kind", ["postgresql", "sqlite"])
def test_whatever_a_service_says_is_kept(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    ledger = Ledger(request.getfixturevalue("url") if kind == "postgresql" else f"sqlite:///{tmp_path / 'runs.db'}")
    run = ledger.start("ask", {"question": "a\0b\ud800"})
    ledger.add_event(run, "search", "half \ud800 and \0 nothing", {"said": "\ud800\0"})
    ledger.keep_step(run, "k", f"search library:{'long' * 40}\0", {"reply": "\ud800\0"}, Usage(requests=2, money=0.25))

    assert ledger.get(run).inputs == {"question": "a\0b\ud800"}
    (event,) = ledger.events(run)
    assert (event.message, event.data) == ("half ? and � nothing", {"said": "\ud800\0"})
    assert list(ledger.steps(run, "search library:")) == [(f"search library:{'long' * 40}�", {"reply": "\ud800\0"})]
    assert ledger.usage(run) == Usage(requests=2, money=0.25)
    ledger.close()
