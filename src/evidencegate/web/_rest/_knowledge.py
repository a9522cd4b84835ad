"""What the server knows without a search: how it reads a question, its anchor packs, its health."""

from typing import Annotated

from fastapi import APIRouter, Body, Path, Request
from fastapi.responses import Response

from evidencegate._version import __version__
from evidencegate.errors import UnknownName
from evidencegate.web._jobs import NotFound
from evidencegate.web._rest._replies import Owner, TheJobs, problems, reply
from evidencegate.web._rest._schemas import AnchorReply, AnchorsReply, HealthReply, QuestionInput, QuestionReply

router = APIRouter(tags=["knowledge"])


@router.post(
    "/question",
    summary="Understand a question",
    response_model=QuestionReply,
    responses=problems("forbidden", "too-large", "invalid-input", "too-many-requests"),
)
def question(given: Annotated[QuestionInput, Body()], _: Owner) -> Response:
    """PICO, tags, field and sub-queries of a question; nothing is searched."""
    from evidencegate.question import Edits, question_json, understand

    edits = None if given.edits is None else Edits.from_json(given.edits.model_dump())
    return reply("question", question_json(understand(given.question, edits=edits)))


@router.get("/anchors", summary="List anchor packs", response_model=AnchorsReply, responses=problems())
def anchors(request: Request, _: Owner) -> Response:
    """Curated guidelines and landmark trials, by clinical scenario."""
    from evidencegate.evidence import load_packs

    packs = load_packs(request.app.state.settings.packs).packs
    rows = [{"scenario": p.scenario, "title": p.title, "anchors": [a.id for a in p.anchors]} for p in packs]
    return reply("anchors list", {"packs": rows})


@router.get(
    "/anchors/{name}",
    summary="Show an anchor pack",
    response_model=AnchorReply,
    responses=problems("not-found", "invalid-input"),
)
def anchor(request: Request, name: Annotated[str, Path(min_length=1, max_length=200)], _: Owner) -> Response:
    """The anchors of one scenario, or one anchor by its id, with how each was confirmed."""
    from evidencegate.evidence import load_packs

    try:
        found = load_packs(request.app.state.settings.packs).find(name)
    except UnknownName as error:
        raise NotFound(str(error)) from error
    return reply("anchors show", {"anchors": [one.to_json() for one in found]})


@router.get("/health", summary="Health", response_model=HealthReply, responses=problems())
def health(request: Request, jobs: TheJobs) -> Response:
    """Whether the server is well, and what it offers. Open to everybody."""
    from evidencegate.sources import NAMES

    settings = request.app.state.settings
    running, waiting = jobs.load()
    fields = {
        "ok": True,
        "version": __version__,
        "running": running,
        "waiting": waiting,
        "sources": list(NAMES),
        "models": list(settings.models),
        "offline": settings.offline,
    }
    return reply("health", fields)
