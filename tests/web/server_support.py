"""`evidencegate serve` as a process of its own, killed in the middle of the work as the system kills."""

import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
from web_support import SLOW, paid, stuck

import installed
from evidencegate.question import understand
from simulated import LiteratureService


def kill_and_take_up(folder: Path, settings: Mapping[str, str], *options: str) -> None:
    """Kill a server in the middle of a search; the next one has the run, and pays for nothing twice."""
    with LiteratureService() as service:
        environment = {
            **installed.clean_environment(),
            **service.environment(folder / "cache"),
            "EVIDENCEGATE_CACHE_DAYS": "0",
            **settings,
        }
        stuck(service)
        with serving(folder, environment, *options) as (process, api):
            asked = httpx2.post(f"{api}/ask", json=SLOW, headers={"Idempotency-Key": "once"}, timeout=60)
            run = asked.json()["run"]["id"]
            parts = len(understand(SLOW["question"]).sub_queries)
            until(lambda: sum(e["data"].get("source") == "pubmed" for e in searched(api, run)) == parts)
            process.send_signal(signal.SIGKILL)
            process.wait()
        before = paid(service, "pubmed")
        assert before
        service.recover()
        with serving(folder, environment, *options) as (_, api):
            listed = httpx2.get(f"{api}/runs").json()["runs"]
            assert [(job["id"], job["status"], job["resumable"]) for job in listed] == [(run, "interrupted", True)]
            again = httpx2.post(f"{api}/ask", json=SLOW, headers={"Idempotency-Key": "once"}, timeout=60)
            assert again.json()["run"]["id"] == run
            done = httpx2.post(f"{api}/runs/{run}/resume", headers={"Prefer": "wait=60"}, timeout=90)
            assert done.status_code == 200
            assert done.json()["references"]
            again = httpx2.post(f"{api}/runs/{run}/replay", timeout=90)
            assert again.json() == done.json()
        assert paid(service, "pubmed") == before
        assert paid(service, "europe_pmc")


def events_of(api: str, run: str) -> list[dict[str, Any]]:
    told = httpx2.get(f"{api}/runs/{run}/events", headers={"Accept": "application/json"})
    events: list[dict[str, Any]] = told.json()["events"]
    return events


def searched(api: str, run: str) -> list[dict[str, Any]]:
    return [event for event in events_of(api, run) if event["kind"] == "searched"]


def until(holds: Any) -> None:
    deadline = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.05)


class serving:
    """`evidencegate serve` as a process of its own, on a free port."""

    def __init__(self, folder: Path, environment: dict[str, str], *options: str) -> None:
        self._port = installed.free_port()
        self._log = (folder / f"serve-{self._port}.log").open("wb")
        self._process = subprocess.Popen(
            [installed.command(), "serve", "--port", str(self._port), *options],
            env=environment,
            stdout=self._log,
            stderr=self._log,
        )

    def __enter__(self) -> tuple["subprocess.Popen[bytes]", str]:
        api = f"http://127.0.0.1:{self._port}/api/v1"

        def answers() -> bool:
            assert self._process.poll() is None, Path(self._log.name).read_text()
            try:
                return bool(httpx2.get(f"{api}/health").json()["ok"])
            except httpx2.TransportError:
                return False

        until(answers)
        return self._process, api

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(30)
        self._log.close()
        assert b"Traceback" not in Path(self._log.name).read_bytes()
