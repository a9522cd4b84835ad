"""Asking for work: each gives a job at once, or its result where it is done in the time that was preferred."""

import asyncio
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Body
from fastapi.responses import Response
from pydantic import BaseModel

from evidencegate.web._inputs import AskInput, CheckInput, CounterInput, ReportInput
from evidencegate.web._jobs import Job, Jobs, Kind
from evidencegate.web._rest._replies import Key, Owner, TheJobs, Wait, job_reply, problems, reply
from evidencegate.web._rest._schemas import JobReply, ResultReply

router = APIRouter(tags=["work"])

_STATED = problems(
    "forbidden",
    "too-large",
    "invalid-input",
    "unknown-name",
    "idempotency-key-reused",
    "too-many-requests",
    "busy",
)
_WORK: dict[str, Any] = {
    "status_code": 202,
    "response_model": JobReply,
    "response_description": "The job; `Location` says where it is.",
    "responses": {
        **_STATED,
        200: {"model": ResultReply, "description": "The result, where `Prefer: wait=N` was enough."},
    },
}


@router.post("/ask", summary="Answer a question", **_WORK)
async def ask(given: Annotated[AskInput, Body()], jobs: TheJobs, owner: Owner, wait: Wait, key: Key = None) -> Response:
    """Answer a clinical question; every sentence is proved by a literal quote of its source."""
    return await _submitted(jobs, Kind.ASK, given, owner, key, wait)


@router.post("/check", summary="Check a text", **_WORK)
async def check(
    given: Annotated[CheckInput, Body()], jobs: TheJobs, owner: Owner, wait: Wait, key: Key = None
) -> Response:
    """Check every claim of a text against sources, or against the text's own citations."""
    return await _submitted(jobs, Kind.CHECK, given, owner, key, wait)


@router.post("/counter", summary="Find counter-evidence", **_WORK)
async def counter(
    given: Annotated[CounterInput, Body()], jobs: TheJobs, owner: Owner, wait: Wait, key: Key = None
) -> Response:
    """Find literature that supports the opposite of a claim, and prove that it does."""
    return await _submitted(jobs, Kind.COUNTER, given, owner, key, wait)


@router.post("/report", summary="Write a report", **_WORK)
async def report(
    given: Annotated[ReportInput, Body()], jobs: TheJobs, owner: Owner, wait: Wait, key: Key = None
) -> Response:
    """Write a report in sections; every sentence is proved by a literal quote of the record that it cites."""
    return await _submitted(jobs, Kind.REPORT, given, owner, key, wait)


async def _submitted(jobs: Jobs, kind: Kind, given: BaseModel, owner: str, key: str | None, wait: float) -> Response:
    job = await jobs.submit(kind, given.model_dump(mode="json"), owner=owner, key=key)
    return await waited(jobs, job, wait)


async def waited(jobs: Jobs, job: Job, seconds: float) -> Response:
    """The result, if it is there within `seconds`; else the job as it stands then."""
    if not seconds:
        return job_reply(job, 202)
    try:
        async with asyncio.timeout(seconds), aclosing(jobs.events(job.id, owner=job.owner)) as events:
            async for _ in events:
                pass
    except TimeoutError:
        return job_reply(await asyncio.to_thread(jobs.get, job.id, owner=job.owner, result=False), 202)
    job = await asyncio.to_thread(jobs.get, job.id, owner=job.owner)
    applied = {"Preference-Applied": f"wait={seconds:.0f}", "Content-Location": f"/api/v1/runs/{job.id}/result"}
    if job.info.result is None:
        return job_reply(job, 202, applied)
    return reply(job.info.command, job.info.result, headers=applied)
