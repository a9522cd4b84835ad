"""The server's libraries, by name."""

import asyncio
import time
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, File, Query, UploadFile
from fastapi.responses import Response

from evidencegate.web._rest._replies import LibraryName, Owner, TheShelves, problems, reply
from evidencegate.web._rest._schemas import AddedReply, HitsReply, LibrariesReply, LibraryReply
from evidencegate.web._security import spend
from evidencegate.web._uploads import uploaded

router = APIRouter(prefix="/libraries", tags=["libraries"])

_READ = problems("not-found", "invalid-input", "failed", "not-installed")
Year = Annotated[int | None, Query(ge=1500, le=2100)]


@router.get("", summary="List libraries", response_model=LibrariesReply, responses=problems("not-installed"))
def list_libraries(shelves: TheShelves, _: Owner) -> Response:
    """What is in each library, and in what state."""
    return reply("library list", {"libraries": shelves.list()})


@router.get("/{name}", summary="Show a library", response_model=LibraryReply, responses=_READ)
def show_library(name: LibraryName, shelves: TheShelves, _: Owner) -> Response:
    """What is in a library, and in what state."""
    return reply("library info", shelves.info(name))


@router.get(
    "/{name}/search",
    summary="Search a library",
    response_model=HitsReply,
    responses={**_READ, **problems("not-found", "invalid-input", "too-many-requests", "failed")},
    dependencies=[Depends(spend)],
)
def search(
    name: LibraryName,
    shelves: TheShelves,
    _: Owner,
    q: Annotated[str, Query(min_length=1, max_length=2_000, description="Plain words; no query syntax.")],
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    mode: Literal["hybrid", "bm25", "vector"] = "hybrid",
    year_from: Year = None,
    year_to: Year = None,
) -> Response:
    """The documents that answer best, each with the passage that does."""
    from evidencegate.library import Filters

    started = time.perf_counter()
    filters = Filters(year_from=year_from, year_to=year_to)
    hits = shelves.search(name, q, limit=limit, mode=mode, filters=filters)
    milliseconds = round((time.perf_counter() - started) * 1000, 2)
    return reply("library search", {"hits": [hit.to_json() for hit in hits], "milliseconds": milliseconds})


@router.post(
    "/{name}/documents",
    summary="Add documents",
    response_model=AddedReply,
    responses=problems(
        "forbidden", "not-found", "too-large", "invalid-input", "too-many-requests", "failed", "not-installed", "busy"
    ),
)
async def add(
    name: LibraryName,
    shelves: TheShelves,
    _: Owner,
    files: Annotated[list[UploadFile], File(description="PubMed XML, JATS, PDF, JSON lines, RIS, text, …")],
) -> Response:
    """Add or update documents; what a file is, its content says. What cannot be read is listed in `skipped`."""
    async with uploaded(files) as uploads:
        added = await asyncio.to_thread(shelves.add, name, uploads)
    return reply("library add", added.to_json())
