"""How a reply is made: the envelope of `--json`, the place of a job, and the problems that OpenAPI lists."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Request
from fastapi.responses import JSONResponse

from evidencegate._contract import document
from evidencegate.web._jobs import Job, Jobs
from evidencegate.web._problems import MEDIA_TYPE, TYPES
from evidencegate.web._security import owner
from evidencegate.web._shelves import Shelves

PREFIX = "/api/v1"
_LONGEST_WAIT = 60


def jobs_of(request: Request) -> Jobs:
    """The application's jobs."""
    jobs: Jobs = request.app.state.jobs
    return jobs


def shelves_of(request: Request) -> Shelves:
    """The application's libraries."""
    shelves: Shelves = request.app.state.shelves
    return shelves


def wait_of(
    prefer: Annotated[str | None, Header(description="`wait=N`: wait up to N seconds for the result.")] = None,
) -> float:
    """The seconds that a `Prefer: wait=N` (RFC 7240) is waited for; 0 where there is none."""
    found = re.search(r"(?:^|[,;\s])wait=(\d{1,6})", prefer or "")
    return float(min(int(found[1]), _LONGEST_WAIT)) if found else 0.0


TheJobs = Annotated[Jobs, Depends(jobs_of)]
TheShelves = Annotated[Shelves, Depends(shelves_of)]
Owner = Annotated[str, Depends(owner)]
Wait = Annotated[float, Depends(wait_of)]
RunId = Annotated[str, Path(min_length=1, max_length=40, pattern=r"^[0-9A-Za-z-]+$", description="A run's id.")]
LibraryName = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        description="The same key with the same request gives the same job; with another request it is refused.",
    ),
]


def reply(
    command: str, fields: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """One object of the contract."""
    return JSONResponse(document(command, fields), status, headers=dict(headers or {}))


def job_reply(job: Job, status: int = 200, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """A job, and where its parts are."""
    place = f"{PREFIX}/runs/{job.id}"
    told = {"Location": place} if status == 202 else {}
    return reply("job", {"run": job.to_json(), "links": links(job)}, status, {**told, **(headers or {})})


def links(job: Job) -> dict[str, str]:
    """Where the parts of a job are."""
    place = f"{PREFIX}/runs/{job.id}"
    return {"self": place, **{name: f"{place}/{name}" for name in ("result", "events", "cancel", "resume", "replay")}}


def problems(*names: str) -> dict[int | str, dict[str, Any]]:
    """The problems a route may answer with, for OpenAPI; those that any route may are added."""
    told: dict[int | str, dict[str, Any]] = {}
    for name in dict.fromkeys(("invalid-request", "not-signed-in", "wrong-host", *names)):
        status, title = TYPES[name]
        known = told.setdefault(
            status,
            {
                "description": title,
                "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": {}}},
            },
        )
        known["content"][MEDIA_TYPE]["examples"][name] = {
            "summary": title,
            "value": {"type": f"/problems/{name}", "title": title, "status": status, "detail": "…", "instance": "…"},
        }
    return told
