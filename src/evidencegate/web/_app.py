"""The application: one `Jobs`, the guard around everything, REST under `/api/v1`, pages at `/`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from evidencegate._extras import import_before_threads
from evidencegate._version import __version__
from evidencegate.errors import EvidenceGateError
from evidencegate.web import _pages, _problems, _rest
from evidencegate.web._jobs import Jobs
from evidencegate.web._limits import Rate
from evidencegate.web._problems import reply
from evidencegate.web._security import HEADERS, Gatekeeper, Guard
from evidencegate.web._settings import WebSettings
from evidencegate.web._shelves import Shelves
from evidencegate.web._state import secret


def create_app(settings: WebSettings) -> FastAPI:
    """The server as an ASGI application. Its jobs begin with its lifespan, and are stopped at its end.

    `app.state` has `settings`, `jobs`, `shelves`, `gatekeeper` and `rate`, and in its lifespan `hang_up`: call it (also
    from a signal's handler) when the server is told to stop, so that those who follow a run do not hold it up.

    Raises:
        InvalidInput: the state directory's secret cannot be used. (From the lifespan: another server is at work in
            the directory.)
    """
    jobs = Jobs(settings)
    gatekeeper = Gatekeeper(settings, secret(settings.directory))
    rate = Rate(settings.posts_per_minute)
    shelves = Shelves(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        import_before_threads()
        with jobs:
            app.state.hang_up = lambda: loop.call_soon_threadsafe(jobs.hang_up)
            yield

    app = FastAPI(
        title="EvidenceGate",
        version=__version__,
        description="Answers to clinical questions in which every sentence is bound to a literal quote.",
        openapi_url="/api/v1/openapi.json",
        # The usual pages load scripts from elsewhere, which the policy forbids.
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.settings, app.state.jobs, app.state.shelves = settings, jobs, shelves
    app.state.gatekeeper, app.state.rate = gatekeeper, rate
    app.include_router(_rest.router, prefix="/api/v1")
    app.include_router(_problems.router)
    app.include_router(_pages.router)
    app.openapi = partial(_rest.described, app)  # type: ignore[method-assign]  # as FastAPI's documentation has it
    for kind in (RequestValidationError, HTTPException, EvidenceGateError, Exception):
        app.add_exception_handler(kind, _problem)
    app.add_middleware(Guard, settings=settings, gatekeeper=gatekeeper, rate=rate)
    return app


async def _problem(request: Request, error: Exception) -> Response:
    response = reply(request, error)
    # A defect is answered from outside the guard, which sets them else.
    response.headers.update(HEADERS)
    return response
