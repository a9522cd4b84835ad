"""What the tests of the web door share: inputs that need no network, and a real server on loopback."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from evidencegate.web import Job, Jobs, WebSettings, create_app
from simulated import Fault, LiteratureService

MakeClient = Callable[..., TestClient]

QUESTION = "Which anticoagulant for atrial fibrillation in a patient with chronic kidney disease?"
"""The anchor packs answer it offline."""
AF = "Is apixaban safer than warfarin in atrial fibrillation with severe chronic kidney disease?"
"""The simulated services answer it."""
CHECK: dict[str, Any] = {
    "text": "Zelfaban reduced major bleeding by 38%. Zelfaban did not change stroke.",
    "texts": [{"name": "An invented trial", "text": "Zelfaban reduced major bleeding (HR 0.62, 95% CI 0.48-0.80)."}],
}
INPUTS: dict[str, dict[str, Any]] = {
    "ask": {"question": QUESTION, "offline": True},
    "check": CHECK,
    "counter": {
        "text": "Apixaban reduces major bleeding compared with warfarin in atrial fibrillation.",
        "offline": True,
    },
    "report": {
        "topic": "Anticoagulation in atrial fibrillation with chronic kidney disease",
        "outline": ["Efficacy", "Safety"],
        "offline": True,
    },
}
SLOW: dict[str, Any] = {"question": AF, "sources": ["pubmed", "europe_pmc"]}
"""Lasts until it is cancelled, where the service is `stuck`."""
ARTICLES = [
    {
        "id": "a",
        "pmid": "900000001",
        "title": "Zelfaban and bleeding in atrial fibrillation: an invented randomised trial",
        "abstract": (
            "Patients with atrial fibrillation were randomised to zelfaban or warfarin. Zelfaban reduced major "
            "bleeding compared with warfarin in patients with atrial fibrillation (HR 0.62, 95% CI 0.48-0.80; p<0.001)."
        ),
        "authors": ["Invented A", "Invented B"],
        "journal": "Journal of Invented Trials",
        "year": 2024,
        "publication_types": ["Randomized Controlled Trial"],
    }
]


async def end(jobs: Jobs, job: Job) -> Job:
    """The job when it has ended."""
    async for _ in jobs.events(job.id, owner=job.owner):
        pass
    return jobs.get(job.id, owner=job.owner)


async def said(jobs: Jobs, job: Job, kind: str) -> None:
    """Return when the job has said something of that kind."""
    async for event in jobs.events(job.id, owner=job.owner):
        if event.kind == kind:
            return
    raise AssertionError(f"it ended without {kind!r}")


def paid(service: LiteratureService, name: str) -> list[tuple[str, str]]:
    """The searches that a service was sent."""
    seen = [s for s in service.seen if s.service == name and "search" in s.path]
    return [(s.path, s.params.get("term", "")) for s in seen]


def stuck(service: LiteratureService) -> None:
    """A search that lasts until it is cancelled, once the others are done."""
    service.fail("europe_pmc", Fault.SILENCE)


@contextmanager
def served(settings: WebSettings) -> Iterator[tuple[str, FastAPI]]:
    """The application behind a real server on loopback: its address, and itself."""
    app = create_app(settings)
    # The protocol is named so that asyncio sends small pieces at once.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", app
        finally:
            server.should_exit = True
            thread.join()
