"""Runs: what was asked before, and what became of it."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import Response

from evidencegate.web._events import Seen, event_json, event_stream
from evidencegate.web._jobs import Jobs
from evidencegate.web._problems import Refused
from evidencegate.web._rest._replies import Owner, RunId, TheJobs, Wait, job_reply, links, problems, reply
from evidencegate.web._rest._schemas import (
    DiffReply,
    EventsReply,
    JobReply,
    ResultReply,
    ResumeInput,
    RunReply,
    RunsReply,
)
from evidencegate.web._rest._work import waited

router = APIRouter(prefix="/runs", tags=["runs"])

_FOUND = problems("not-found", "invalid-input")
_CHANGED = problems("forbidden", "not-found", "invalid-input", "too-many-requests")


@router.get("", summary="List runs", response_model=RunsReply, responses=problems("invalid-input"))
def list_runs(
    jobs: TheJobs, owner: Owner, limit: Annotated[int, Query(ge=1, le=1000, description="How many.")] = 50
) -> Response:
    """Your latest runs, newest first."""
    return reply("runs list", {"runs": [job.to_json() for job in jobs.list(owner=owner, limit=limit)]})


@router.get("/{run}", summary="Show a run", response_model=RunReply, responses=_FOUND)
def show_run(
    run: RunId,
    jobs: TheJobs,
    owner: Owner,
    brief: Annotated[bool, Query(description="Leave limits, events, steps and result out.")] = False,
) -> Response:
    """What was asked, what happened, what it cost, and what was shown."""
    job = jobs.get(run, owner=owner, result=not brief)
    fields: dict[str, Any] = {"run": job.to_json(), "links": links(job), "limits": None}
    fields |= {"events": [], "steps": [], "result": None}
    if not brief:
        fields["limits"] = jobs.limits(run, owner=owner).to_json()
        fields["events"] = [event_json(event) for event in jobs.ledger.events(run)]
        fields["steps"] = jobs.ledger.step_names(run)
        fields["result"] = job.info.result
    return reply("runs show", fields)


@router.get(
    "/{run}/result",
    summary="The result of a run",
    response_model=ResultReply,
    responses={
        **problems("not-found", "invalid-input", "conflict"),
        202: {"model": JobReply, "description": "Not yet: the job as it stands."},
    },
)
def result(run: RunId, jobs: TheJobs, owner: Owner) -> Response:
    """What the command gives with `--json`; 202 with the job while it is at work, 409 where it ended without one."""
    job = jobs.get(run, owner=owner)
    if job.info.result is not None and job.ended:
        return reply(job.info.command, job.info.result)
    if job.live:
        return job_reply(job, 202, {"Retry-After": "1"})
    said = [event.message for event in jobs.ledger.events(run) if event.kind in ("failed", "interrupted")]
    raise Refused("conflict", f"The run is {job.state} and has shown nothing: {' '.join(said[-1:])}")


@router.get(
    "/{run}/events",
    summary="The events of a run",
    responses={
        **_FOUND,
        200: {
            "description": "As they happen (`text/event-stream`), or those so far (`application/json`, by `Accept`).",
            "model": EventsReply,
            "content": {
                "text/event-stream": {
                    "schema": {"type": "string"},
                    "example": 'id: 1\nevent: progress\ndata: {"n": 1, "kind": "started", "message": "at work"}\n\n',
                }
            },
        },
        204: {"description": "Ended, and `Last-Event-ID` has seen the end."},
    },
)
async def events(
    request: Request,
    run: RunId,
    jobs: TheJobs,
    owner: Owner,
    after: Annotated[int, Query(ge=0, le=2**31, description="Only events with a greater number.")] = 0,
) -> Response:
    """Server-sent events: `progress` for each event, `end` with the job; `Last-Event-ID` takes up a lost line."""
    if "application/json" in request.headers.get("accept", ""):
        return await _events_so_far(jobs, run, owner, after)
    seen = Seen.of(request)
    return await event_stream(jobs, run, owner=owner, seen=seen if seen.n > after else Seen(after))


async def _events_so_far(jobs: Jobs, run: str, owner: str, after: int) -> Response:
    def read() -> dict[str, Any]:
        job = jobs.get(run, owner=owner, result=False)
        return {"run": job.to_json(), "events": [event_json(e) for e in jobs.ledger.events(run, after=after)]}

    return reply("runs events", await asyncio.to_thread(read))


@router.post("/{run}/cancel", summary="Cancel a run", response_model=JobReply, responses=_CHANGED)
async def cancel(run: RunId, jobs: TheJobs, owner: Owner) -> Response:
    """End a run as interrupted; what it has done is kept. One that has ended stays as it is."""
    return job_reply(await jobs.cancel(run, owner=owner))


@router.post(
    "/{run}/resume",
    summary="Resume a run",
    status_code=202,
    response_model=JobReply,
    responses={
        **problems("forbidden", "not-found", "invalid-input", "too-many-requests", "busy"),
        200: {"model": ResultReply, "description": "The result, where `Prefer: wait=N` was enough."},
    },
)
async def resume(
    run: RunId, jobs: TheJobs, owner: Owner, wait: Wait, given: Annotated[ResumeInput | None, Body()] = None
) -> Response:
    """Take up a run that ended early; nothing it has done is done again. One at work, or done, stays as it is."""
    limits = ResumeInput() if given is None else given
    job = await jobs.resume(run, owner=owner, max_seconds=limits.max_seconds, max_money=limits.max_money)
    return await waited(jobs, job, wait)


@router.post(
    "/{run}/replay",
    summary="Replay a run",
    response_model=ResultReply,
    responses={**_CHANGED, **problems("not-found", "conflict", "invalid-input", "failed", "forbidden")},
)
async def replay(run: RunId, jobs: TheJobs, owner: Owner) -> Response:
    """Make what a run showed again from its ledger alone; the same bytes, or an error that says what differs."""
    made = await jobs.replay(run, owner=owner)
    return reply(str(jobs.get(run, owner=owner, result=False).kind), made)


@router.get(
    "/{before}/diff/{after}",
    summary="Compare two runs",
    response_model=DiffReply,
    responses=problems("not-found", "invalid-input"),
)
async def diff(before: RunId, after: RunId, jobs: TheJobs, owner: Owner) -> Response:
    """What changed in the evidence from one run to another: records, notices, references, sentences, sufficiency."""
    return reply("runs diff", await jobs.diff(before, after, owner=owner))
