"""A run's page: what happens while it works, what it showed, and what can be done with it."""

import asyncio
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from evidencegate.errors import EvidenceGateError, InvalidInput
from evidencegate.question import Edits, question_json, understand
from evidencegate.runs import Limits
from evidencegate.verify import Agreement
from evidencegate.web._events import Seen, event_stream
from evidencegate.web._jobs import Job, Jobs, Kind
from evidencegate.web._pages import _progress
from evidencegate.web._pages._beginning import begun
from evidencegate.web._pages._exports import suffixes
from evidencegate.web._pages._forms import Sent, number, text
from evidencegate.web._pages._leaves import leaves
from evidencegate.web._pages._render import environment, page
from evidencegate.web._pages._texts import sentences
from evidencegate.web._pages._words import again_url, asked, flow_picture, kind_name, part_of
from evidencegate.web._security import owner

router = APIRouter(prefix="/runs/{run}")

_NOTES = {
    "same": "Made again from the ledger alone, without asking anybody: the same, byte for byte.",
    "overruled": "Your decision is recorded. The search was made again with it.",
}
_SIGNS = {"correct": "✓", "incorrect": "✗", "uncertain": "?"}
_CONTRADICTING = tuple(str(agreement) for agreement in Agreement if agreement.contradicts)


@router.get("")
async def run_page(request: Request, run: str, who: str = Depends(owner)) -> Response:
    """The run as it stands: its progress, its result, or how it ended."""
    jobs: Jobs = request.app.state.jobs
    job = await asyncio.to_thread(jobs.get, run, owner=who)
    return await asyncio.to_thread(_page, request, job, note=_NOTES.get(request.query_params.get("said", ""), ""))


@router.get("/events")
async def run_events(request: Request, run: str, after: int = 0, who: str = Depends(owner)) -> Response:
    """What happens in it, as it happens, from event `after` + 1 on."""
    seen = Seen.of(request)
    return await event_stream(request.app.state.jobs, run, owner=who, seen=seen if seen.n else Seen(after))


@router.get("/progress")
async def run_progress(request: Request, run: str, who: str = Depends(owner)) -> Response:
    """The part of the page that says how the run stands and what happened so far."""
    jobs: Jobs = request.app.state.jobs
    job = await asyncio.to_thread(jobs.get, run, owner=who)
    events = await asyncio.to_thread(lambda: tuple(jobs.ledger.events(run)))
    module = environment().get_template("_progress.html.j2").module
    return HTMLResponse(
        str(module.standing(_progress.steps(job, events), job, events, _progress.drafts(events)))  # type: ignore[attr-defined]
    )


@router.post("/cancel")
async def cancel(request: Request, _: Sent, run: str, who: str = Depends(owner)) -> Response:
    """Stop it; what is done is kept."""
    await request.app.state.jobs.cancel(run, owner=who)
    return _back(run)


@router.post("/resume")
async def resume(request: Request, sent: Sent, run: str, who: str = Depends(owner)) -> Response:
    """Take it up where it stopped, with more money where its reader gives some."""
    jobs: Jobs = request.app.state.jobs
    try:
        await jobs.resume(run, owner=who, max_money=number(text(sent, "max_money"), "Spend at most", "US dollars"))
    except InvalidInput as error:
        job = await asyncio.to_thread(jobs.get, run, owner=who)
        return await asyncio.to_thread(_page, request, job, error=str(error))
    return _back(run)


@router.post("/replay")
async def replay(request: Request, _: Sent, run: str, who: str = Depends(owner)) -> Response:
    """Make it again from its ledger alone, and say whether it is the same."""
    jobs: Jobs = request.app.state.jobs
    try:
        await jobs.replay(run, owner=who)
    except EvidenceGateError as error:
        job = await asyncio.to_thread(jobs.get, run, owner=who)
        return await asyncio.to_thread(_page, request, job, error=str(error))
    return _back(run, "same")


@router.post("/overrule")
async def overrule(request: Request, sent: Sent, run: str, who: str = Depends(owner)) -> Response:
    """Search again with a reader's decision about a passage; it is recorded, shown apart and counted for nothing."""
    jobs: Jobs = request.app.state.jobs
    job = await asyncio.to_thread(jobs.get, run, owner=who)
    decided = {
        "claim": text(sent, "claim"),
        "document": text(sent, "document"),
        "accept": text(sent, "accept") == "yes",
        "note": text(sent, "note").strip(),
    }
    try:
        if job.kind is not Kind.COUNTER:
            raise InvalidInput("Only passages of a search for the opposite can be restored or dismissed.")
        if not decided["note"]:
            raise InvalidInput("Say why: the reason is shown beside the passage.")
        inputs = _overruled(jobs, job, decided)
        return await begun(request, sent, Kind.COUNTER, inputs, who=who, said="overruled")
    except EvidenceGateError as error:
        return await asyncio.to_thread(_page, request, job, error=str(error))


@router.get("/flow.svg")
async def flow(request: Request, run: str, who: str = Depends(owner)) -> Response:
    """The flow of records as a picture."""
    job = await asyncio.to_thread(request.app.state.jobs.get, run, owner=who)
    if not (job.info.result or {}).get("flow"):
        raise InvalidInput("This run has no flow of records.")
    return Response(flow_picture(job.info.result["flow"]), media_type="image/svg+xml")


def _back(run: str, said: str = "") -> Response:
    return RedirectResponse(f"/runs/{run}" + (f"?said={said}" if said else ""), 303)


def _overruled(jobs: Jobs, job: Job, decided: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs of the same search with one decision more; a later decision about a passage replaces an earlier."""
    inputs = job.info.inputs
    about = (decided["claim"], decided["document"])
    earlier = [
        {name: one[name] for name in ("claim", "document", "accept", "note")}
        for one in inputs["overrules"]
        if (one["claim"], one["document"]) != about
    ]
    return {
        "text": inputs["question"],
        "statement": inputs["statement"],
        "libraries": [name for name in inputs["libraries"] if name in jobs.settings.libraries],
        "sources": inputs["sources"],
        "offline": inputs["offline"],
        "model": inputs["model"],
        "overrules": [*earlier, decided],
        "claims": inputs["limit"] or 10,
    }


def _page(request: Request, job: Job, *, error: str = "", note: str = "") -> Response:
    jobs: Jobs = request.app.state.jobs
    events = tuple(jobs.ledger.events(job.id))
    result = job.info.result
    if result is None or job.live:
        template, shown = "run.html.j2", dict[str, Any]()
    else:
        template, shown = f"run_{job.kind}.html.j2", _shown(job, result, request.query_params.get("part", ""))
    return page(
        request,
        template,
        status=422 if error else 200,
        here="/runs",
        job=job,
        kind_name=kind_name(job.kind),
        title=asked(job),
        heading=shown.pop("heading", asked(job)),
        result=result,
        steps=_progress.steps(job, events),
        log=events,
        last_event=events[-1].n if events else 0,
        drafts=_progress.drafts(events),
        failure=_progress.failure(events),
        limits=Limits.of(jobs.ledger, job.id),
        suffixes=suffixes(job.kind),
        again=again_url(job),
        error=error,
        note=note,
        **shown,
    )


def _shown(job: Job, result: Mapping[str, Any], part: str) -> dict[str, Any]:
    """What a kind of result is shown with, besides itself; `part` is what an address says of a long one."""
    if job.kind is Kind.CHECK:
        return _checked(job, result, part)
    if job.kind is Kind.COUNTER:
        return {}
    numbers = {reference["n"]: reference for reference in result["references"]}
    first: dict[int, Mapping[str, Any]] = {}
    for sentence in sentences(result):
        for citation in sentence["citations"]:
            first.setdefault(citation["n"], citation["quote"])
    shown: dict[str, Any] = {"by_number": numbers, "quotes": first}
    if job.kind is Kind.ASK:
        inside = sum(len(section["sentences"]) for section in result["sections"])
        every = result["answer"]["sentences"]
        # The direct answer comes first, then what the sections hold.
        shown["direct"] = every[: len(every) - inside]
        inputs = job.info.inputs
        shown["understood"] = question_json(understand(inputs["question"], edits=Edits.from_json(inputs.get("edits"))))
    return shown


def _checked(job: Job, result: Mapping[str, Any], part: str) -> dict[str, Any]:
    claims = result["claims"]
    counts = {verdict: sum(claim["verdict"] == verdict for claim in claims) for verdict in _SIGNS}
    said = ", ".join(f"{n} {verdict}" for verdict, n in counts.items())
    named = "1 claim" if len(claims) == 1 else f"{len(claims)} claims"
    summary = f"Score {result['score']:.2f} of 1; {result['coverage']:.0%} of the claims decided." if claims else ""
    every = leaves(job.info.inputs["text"], result)
    chosen = min(max(1, part_of(part)), len(every))
    return {
        "heading": f"{named}: {said}" if claims else "No claims to check",
        "leaves": every,
        "leaf": every[chosen - 1],
        "part": chosen,
        "summary": summary,
        "signs": _SIGNS,
        "documents": {document["id"]: document for document in result["documents"]},
        "contradicting": _CONTRADICTING,
    }
