"""A form that begins a run: sent twice, by a double click or a reload, it begins one."""

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Request
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import FormData

from evidencegate.documents import Document
from evidencegate.web._jobs import Jobs, KeyReused, Kind
from evidencegate.web._pages._forms import text


async def begun(
    request: Request,
    sent: FormData,
    kind: Kind,
    inputs: Mapping[str, Any],
    *,
    who: str,
    documents: Sequence[Document] = (),
    said: str = "",
) -> Response:
    """To the page of the run that the form asks for. `said` names a note that the page shows.

    Each form carries a word of its own (`once`). The same form with the same inputs is the same request; one that was
    changed since, with the button "back", is another.

    Raises:
        UserError: the inputs cannot be worked on, as `Jobs.submit` says.
    """
    jobs: Jobs = request.app.state.jobs
    once = text(sent, "once")
    try:
        job = await jobs.submit(kind, inputs, owner=who, key=f"form:{once}" if once else None, documents=documents)
    except KeyReused:
        job = await jobs.submit(kind, inputs, owner=who, documents=documents)
    return RedirectResponse(f"/runs/{job.id}" + (f"?said={said}" if said else ""), 303)
