"""A run as a file, by the same writers as the command line's `--output`."""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from evidencegate._contract import document
from evidencegate.errors import InvalidInput
from evidencegate.web._jobs import Job, Jobs, Kind
from evidencegate.web._security import owner, spend

router = APIRouter()

_WRITTEN = (
    (".md", "Markdown", "text/markdown; charset=utf-8"),
    (".html", "HTML", "text/html; charset=utf-8"),
    (".pdf", "PDF", "application/pdf"),
    (".docx", "Word", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    (".json", "JSON", "application/json"),
    (".ris", "RIS", "application/x-research-info-systems"),
    (".bib", "BibTeX", "application/x-bibtex"),
    (".csl.json", "CSL-JSON", "application/vnd.citationstyles.csl+json"),
    (".searches.md", "Search log", "text/markdown; charset=utf-8"),
    (".svg", "Flow picture", "image/svg+xml"),
)
_PLAIN = tuple(row for row in _WRITTEN if row[0] in (".md", ".html", ".json"))


def suffixes(kind: Kind) -> list[tuple[str, str]]:
    """What a run of this kind can be taken away as: suffix and name."""
    return [(suffix, name) for suffix, name, _ in _formats(kind)]


def _formats(kind: Kind) -> tuple[tuple[str, str, str], ...]:
    return _WRITTEN if kind in (Kind.ASK, Kind.REPORT) else _PLAIN


@router.get("/runs/{run}/export{suffix}", dependencies=[Depends(spend)])
async def export(request: Request, run: str, suffix: str, who: str = Depends(owner)) -> Response:
    """The run in the format of the suffix, to be kept as a file."""
    jobs: Jobs = request.app.state.jobs
    job = await asyncio.to_thread(jobs.get, run, owner=who)
    media = next((media for known, _, media in _formats(job.kind) if known == suffix), None)
    if media is None:
        known = ", ".join(known for known, _, _ in _formats(job.kind))
        raise InvalidInput(f"A run of this kind cannot be written as {suffix!r}; there are {known}")
    if suffix == ".json" and job.info.result is not None:
        content = _json(job)
    else:
        content = await asyncio.to_thread(_rendered, job, await jobs.remade(run, owner=who), suffix)
    name = f"evidencegate-{job.kind}-{job.id}{suffix}"
    return Response(content, media_type=media, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _json(job: Job) -> bytes:
    fields = document(job.info.command, job.info.result or {})
    return json.dumps(fields, ensure_ascii=False, indent=2).encode("utf-8", "replace")


def _rendered(job: Job, made: Any, suffix: str) -> bytes:
    """What a run made, as its own room writes it."""
    from evidencegate import verify
    from evidencegate.counter import html, markdown

    if job.kind is Kind.COUNTER:
        said = html(made) if suffix == ".html" else markdown(made)
    elif job.kind is Kind.CHECK:
        said = verify.checked_html(made) if suffix == ".html" else verify.checked_markdown(made)
    else:
        return _written(made, suffix)
    return bytes(said, "utf-8", "replace")


def _written(made: Any, suffix: str) -> bytes:
    from evidencegate.report.export import write

    with tempfile.TemporaryDirectory(prefix="evidencegate-export-") as folder:
        path = Path(folder, f"export{suffix}")
        write(made, path)
        return path.read_bytes()
