"""What there is to look into: past runs, quoted texts, libraries, anchor packs, the calls of the API."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from markupsafe import Markup
from starlette.datastructures import UploadFile

from evidencegate.documents import Document, Span
from evidencegate.errors import EvidenceGateError
from evidencegate.evidence import check_packs, load_packs
from evidencegate.report import marked
from evidencegate.web._jobs import Job, Jobs, NotFound
from evidencegate.web._pages._forms import Sent, Server, given
from evidencegate.web._pages._render import page
from evidencegate.web._pages._texts import Quoted, document_of
from evidencegate.web._pages._words import identifiers, part_of
from evidencegate.web._security import owner, spend
from evidencegate.web._shelves import Shelves
from evidencegate.web._uploads import uploaded

router = APIRouter()

_MOST_RUNS = 100
_HITS = 10
_MOST_TEXT = 120_000
"""Characters of a full text that are shown whole; of a longer one what is near the quotes."""


@router.get("/runs")
async def runs_page(request: Request, who: str = Depends(owner)) -> Response:
    """Everything that was asked before, newest first."""
    jobs: Jobs = request.app.state.jobs
    found = await asyncio.to_thread(jobs.list, owner=who, limit=_MOST_RUNS)
    return _runs(request, found)


@router.get("/runs/compare")
async def compare(request: Request, who: str = Depends(owner)) -> Response:
    """What changed in the evidence between two runs."""
    jobs: Jobs = request.app.state.jobs
    before, after = request.query_params.get("a", ""), request.query_params.get("b", "")
    if not before or not after or before == after:
        found = await asyncio.to_thread(jobs.list, owner=who, limit=_MOST_RUNS)
        return _runs(request, found, error="Choose two runs: which is the earlier one, and which the later.")
    try:
        diff = await jobs.diff(before, after, owner=who)
    except NotFound:
        raise
    except EvidenceGateError as error:
        found = await asyncio.to_thread(jobs.list, owner=who, limit=_MOST_RUNS)
        return _runs(request, found, error=str(error))
    return page(request, "compare.html.j2", here="/runs", diff=diff)


def _runs(request: Request, jobs: tuple[Job, ...], *, error: str = "") -> Response:
    return page(
        request,
        "runs.html.j2",
        status=422 if error else 200,
        here="/runs",
        jobs=jobs,
        compare=request.query_params.get("compare", ""),
        error=error,
    )


@router.get("/sources/{run}/{document:path}")
async def source_page(request: Request, run: str, document: str, who: str = Depends(owner)) -> Response:
    """The text that a run quotes, every quote marked; the one that was asked for is where the page opens."""
    jobs: Jobs = request.app.state.jobs
    job = await asyncio.to_thread(jobs.get, run, owner=who)
    found, quotes = await asyncio.to_thread(document_of, jobs.ledger, job, document, jobs.settings.packs)
    wanted = (request.query_params.get("start", ""), request.query_params.get("end", ""))
    return page(
        request,
        "source.html.j2",
        here="/runs",
        document={
            "title": found.title or found.id,
            "curated": found.curated,
            "retraction": _retraction(job, found),
        },
        byline=_byline(found),
        url=found.url,
        run=run,
        part=part_of(request.query_params.get("part", "")),
        quoted=len(quotes),
        marked=_text(found, quotes, wanted),
    )


def _text(document: Document, quotes: list[Quoted], wanted: tuple[str, str]) -> Markup:
    # The one that was asked for goes first, so that no overlapping one takes its place.
    spans = [quote.span for quote in quotes]
    chosen = next((span for span in spans if (str(span.start), str(span.end)) == wanted), min(spans))
    others = [span for span in dict.fromkeys(spans) if not _overlap(span, chosen)]
    marks = [(chosen, "quote"), *((span, f"quote-{span.start}-{span.end}") for span in others)]
    return Markup("").join(marked(document.text, marks, shown=_MOST_TEXT))


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _byline(document: Document) -> str:
    authors = ", ".join(document.authors[:3]) + (" et al." if len(document.authors) > 3 else "")
    ids = document.identifiers
    known = identifiers([("PMID", ids.pmid), ("PMCID", ids.pmcid), ("DOI", ids.doi), ("NCT", ids.nct)])
    return " · ".join(part for part in (authors, document.journal, str(document.year or ""), known) if part)


def _retraction(job: Job, document: Document) -> str:
    """As the run tells it, which asked for notices when it was made; else as the record itself does."""
    rows = (job.info.result or {}).get("references") or ()
    told = [row["retraction"] for row in rows if isinstance(row, Mapping) and row["document"] == document.id]
    return str(told[0] if told else document.retraction)


@router.get("/libraries")
async def libraries_page(request: Request, _: str = Depends(owner)) -> Response:
    """The server's libraries, and in what state they are."""
    shelves: Shelves = request.app.state.shelves
    told = await asyncio.to_thread(shelves.list)
    rows = [(one["name"], one, one.get("error", "")) for one in told]
    return page(request, "libraries.html.j2", here="/libraries", libraries=rows)


@router.get("/libraries/{name}", dependencies=[Depends(spend)])
async def library_page(request: Request, name: str, _: str = Depends(owner)) -> Response:
    """One library: its state, a search, and what can be added."""
    return await _library(request, name)


@router.post("/libraries/{name}")
async def add_to_library(request: Request, sent: Sent, name: str, _: str = Depends(owner)) -> Response:
    """Add files; what cannot be read is named with the reason."""
    shelves: Shelves = request.app.state.shelves
    files = [file for file in sent.getlist("file") if isinstance(file, UploadFile) and file.filename]
    if not files:
        return await _library(request, name, error="Choose at least one file to add.")
    try:
        async with uploaded(files) as uploads:
            added = await asyncio.to_thread(shelves.add, name, uploads)
    except NotFound:
        raise
    except EvidenceGateError as error:
        return await _library(request, name, error=str(error))
    return await _library(request, name, added=added.to_json())


async def _library(request: Request, name: str, *, error: str = "", added: Mapping[str, Any] | None = None) -> Response:
    shelves: Shelves = request.app.state.shelves
    query = given(request.query_params, "q").strip()
    info: Mapping[str, Any] | None = None
    hits: tuple[Any, ...] = ()
    try:
        info = await asyncio.to_thread(shelves.info, name)
        if query:
            hits = await asyncio.to_thread(shelves.search, name, query, limit=_HITS)
    except NotFound:
        raise
    except EvidenceGateError as failed:
        error = error or str(failed)
    return page(
        request,
        "library.html.j2",
        status=422 if error else 200,
        here="/libraries",
        name=name,
        info=info,
        q=query,
        hits=[hit.to_json() for hit in hits],
        added=added,
        error=error,
        server=Server.of(request.app.state.settings),
    )


@router.get("/anchors")
async def anchors_page(request: Request, _: str = Depends(owner)) -> Response:
    """The packs, and what the check of them says."""
    packs = request.app.state.settings.packs
    loaded = await asyncio.to_thread(load_packs, packs)
    problems = await asyncio.to_thread(check_packs, packs)
    return page(request, "anchors.html.j2", here="/anchors", packs=loaded.packs, problems=problems)


@router.get("/anchors/{scenario}")
async def anchor_pack_page(request: Request, scenario: str, _: str = Depends(owner)) -> Response:
    """One pack: each anchor with its summary, and how it was confirmed."""
    loaded = await asyncio.to_thread(load_packs, request.app.state.settings.packs)
    pack = loaded.for_scenario(scenario)
    if pack is None:
        raise NotFound(f"There is no anchor pack {scenario!r}.")
    anchors = [anchor.to_json() for anchor in pack.anchors]
    return page(request, "anchor_pack.html.j2", here="/anchors", pack=pack, anchors=anchors)


@router.get("/api")
async def api_page(request: Request) -> Response:
    """The calls of the API, from its own description."""
    return page(request, "api.html.j2", here="/api", calls=list(_calls(request.app.openapi())))


def _calls(openapi: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in openapi["paths"].items():
        for method, call in methods.items():
            row = {
                "method": method.upper(),
                "path": path,
                "summary": call.get("description") or call.get("summary", ""),
                "example": _example(call, openapi),
            }
            groups.setdefault((call.get("tags") or ["Calls"])[0], []).append(row)
    for name, rows in groups.items():
        yield {"name": name[:1].upper() + name[1:], "calls": rows}


def _example(call: Mapping[str, Any], openapi: Mapping[str, Any]) -> str:
    """The first example of what a call is sent."""
    content = call.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema = content.get("schema", {})
    if "$ref" in schema:
        schema = openapi["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    examples = schema.get("examples") or [one["value"] for one in content.get("examples", {}).values()]
    return json.dumps(examples[0], indent=2, ensure_ascii=False) if examples else ""
