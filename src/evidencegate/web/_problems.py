"""Errors as RFC 9457 has them: one list of types, and where each error of ours belongs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

from evidencegate.errors import (
    BudgetExceeded,
    EvidenceGateError,
    LibraryError,
    LibraryLocked,
    MissingExtra,
    ReaderError,
    UnknownName,
    UserError,
)
from evidencegate.web._jobs import KeyReused, NotFinished, NotFound, QueueFull

MEDIA_TYPE = "application/problem+json"
router = APIRouter()

# Name: status, title.
TYPES: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        "invalid-request": (400, "The request cannot be read"),
        "not-signed-in": (401, "A token is needed"),
        "forbidden": (403, "The request comes from another site, or its form has expired"),
        "not-found": (404, "There is nothing here of yours"),
        "method-not-allowed": (405, "Not with this method"),
        "conflict": (409, "Not in the present state"),
        "too-large": (413, "Too large"),
        "wrong-host": (421, "Addressed to another host"),
        "invalid-input": (422, "The input cannot be worked on"),
        "unknown-name": (422, "No such name"),
        "idempotency-key-reused": (422, "The key stands for another request"),
        "too-many-requests": (429, "Too many requests"),
        "internal-error": (500, "Something went wrong inside"),
        "failed": (500, "The work failed"),
        "not-installed": (501, "A part of the server is not installed"),
        "busy": (503, "Too much to do at the moment"),
    }
)

# Most special first: a NotFound is an UnknownName, and both are UserErrors.
_OF_ERRORS: tuple[tuple[type[EvidenceGateError], str], ...] = (
    (NotFound, "not-found"),
    (KeyReused, "idempotency-key-reused"),
    (QueueFull, "busy"),
    (NotFinished, "conflict"),
    (LibraryLocked, "busy"),
    (MissingExtra, "not-installed"),
    (UnknownName, "unknown-name"),
    (UserError, "invalid-input"),
    (ReaderError, "invalid-input"),
    (LibraryError, "failed"),
    (BudgetExceeded, "failed"),
)
_OF_STATUS = {status: name for name, (status, _) in reversed(list(TYPES.items()))}
_RETRY_SECONDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """An error as whoever asked is told it."""

    name: str
    """One of `TYPES`."""
    detail: str
    instance: str = ""
    """The path that was asked."""
    errors: tuple[Mapping[str, Any], ...] = ()
    """Of a request with several faults: where (`pointer`) and what (`detail`)."""
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        if self.name not in TYPES:
            raise ValueError(f"no type of problem: {self.name}")

    @property
    def status(self) -> int:
        """The HTTP status."""
        return TYPES[self.name][0]

    @property
    def title(self) -> str:
        """The same for every problem of the type."""
        return TYPES[self.name][1]

    def to_json(self) -> dict[str, Any]:
        """As RFC 9457 has it."""
        fields: dict[str, Any] = {
            "type": f"/problems/{self.name}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "instance": self.instance,
        }
        return {**fields, "errors": [dict(error) for error in self.errors]} if self.errors else fields

    def response(self) -> Response:
        """As a response."""
        return JSONResponse(self.to_json(), self.status, headers=dict(self.headers), media_type=MEDIA_TYPE)


class Refused(HTTPException):
    """Raised where a request is turned away before anything of ours has looked at it."""

    def __init__(self, name: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(TYPES[name][0], detail, headers)
        self.name = name


def problem_of(error: Exception, path: str) -> Problem:
    """What is told of an error; of one that is not ours, nothing but that it happened."""
    if isinstance(error, RequestValidationError):
        return _of_validation(error, path)
    if isinstance(error, HTTPException):
        name = error.name if isinstance(error, Refused) else _OF_STATUS.get(error.status_code, "invalid-request")
        return Problem(name=name, detail=error.detail, instance=path, headers=error.headers or {})
    if isinstance(error, EvidenceGateError):
        name = next((name for kind, name in _OF_ERRORS if isinstance(error, kind)), "failed")
        headers = {"Retry-After": str(_RETRY_SECONDS)} if name == "busy" else {}
        return Problem(name=name, detail=str(error), instance=path, headers=headers)
    return Problem(name="internal-error", detail="The log of the server says what.", instance=path)


def _of_validation(error: RequestValidationError, path: str) -> Problem:
    faults = [
        {"pointer": "/" + "/".join(map(str, fault["loc"])), "detail": str(fault["msg"])} for fault in error.errors()
    ]
    said = "; ".join(f"{fault['pointer']}: {fault['detail']}" for fault in faults[:5])
    unread = any(fault["type"] == "json_invalid" for fault in error.errors())
    return Problem(
        name="invalid-request" if unread else "invalid-input",
        detail=said or "The request does not have the form that is documented.",
        instance=path,
        errors=tuple(faults),
    )


def reply(request: Request, error: Exception) -> Response:
    """The response to an error: a page for whoever looks at pages, the problem as JSON for everybody else."""
    problem = problem_of(error, request.url.path)
    if not wants_page(request):
        return problem.response()
    from evidencegate.web._pages import problem_page  # the pages say problems, and problems know no page

    response = problem_page(request, problem)
    response.headers.update(problem.headers)
    return response


def wants_page(request: Request) -> bool:
    """Whether the one who asked is looking at pages, and not calling the API."""
    return not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", "")


@router.get("/problems/{name}", include_in_schema=False)
async def about(name: str) -> Response:
    """Where the `type` of a problem leads: what it is called, and its status."""
    if name not in TYPES:
        raise Refused("not-found", f"There is no problem of that name; there are {', '.join(TYPES)}.")
    status, title = TYPES[name]
    return PlainTextResponse(f"{title} (HTTP {status}).\nThe problem itself says in `detail` what to do.\n")
