"""The door of a shared server, the files of the pages, and what a page says when something is wrong."""

import mimetypes
from functools import cache
from importlib.resources import files
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from evidencegate.web._pages._forms import Sent, given, text
from evidencegate.web._pages._render import page
from evidencegate.web._problems import Problem, Refused
from evidencegate.web._security import Gatekeeper

router = APIRouter()

_STATIC: Final = ("page.css", "page.js", "mark.svg")


@router.get("/static/{name}", include_in_schema=False)
async def static(name: str) -> Response:
    """A file of the pages."""
    if name not in _STATIC:
        raise Refused("not-found", "There is no such file.")
    media = mimetypes.guess_type(name)[0]
    return Response(_file(name), media_type=media, headers={"Cache-Control": "public, max-age=86400"})


@cache
def _file(name: str) -> bytes:
    return files("evidencegate.web").joinpath("static", name).read_bytes()


@router.get("/sign-in", include_in_schema=False)
async def sign_in_page(request: Request) -> Response:
    """Where a user of a shared server gives a token."""
    return page(request, "sign_in.html.j2", error="", next=_inside(given(request.query_params, "next")))


@router.post("/sign-in", include_in_schema=False)
async def sign_in(request: Request, sent: Sent) -> Response:
    """Take a token for a session."""
    gatekeeper: Gatekeeper = request.app.state.gatekeeper
    onward = _inside(text(sent, "next"))
    visitor = gatekeeper.sign_in(text(sent, "token").strip())
    if visitor is None:
        error = "This is no token of this server. Copy the whole of it, or ask whoever runs the server for a new one."
        return page(request, "sign_in.html.j2", status=422, error=error, next=onward)
    reply = RedirectResponse(onward, 303)
    reply.headers.append("set-cookie", gatekeeper.cookie(visitor))
    return reply


@router.post("/sign-out", include_in_schema=False)
async def sign_out(request: Request, _: Sent) -> Response:
    """End the session."""
    gatekeeper: Gatekeeper = request.app.state.gatekeeper
    reply = RedirectResponse("/sign-in", 303)
    reply.headers.append("set-cookie", gatekeeper.farewell())
    return reply


def _inside(path: str) -> str:
    """A path of this server, and nothing that a browser would read as another's address."""
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if plain else "/"


def problem_page(request: Request, problem: Problem) -> Response:
    """What went wrong, as a page; who is not signed in is led to where that can be done."""
    if problem.name == "not-signed-in" and request.method == "GET":
        return RedirectResponse(f"/sign-in?next={request.url.path}", 303)
    return page(request, "problem.html.j2", status=problem.status, problem=problem)
