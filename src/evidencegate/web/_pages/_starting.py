"""Checking a text, searching for the opposite of a claim, planning a report: the forms that begin a run."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from starlette.datastructures import FormData, UploadFile

from evidencegate.errors import InvalidInput, ReaderError, UserError
from evidencegate.question import understand
from evidencegate.report import outline
from evidencegate.web._jobs import Kind
from evidencegate.web._pages._beginning import begun
from evidencegate.web._pages._forms import Places, Sent, Server, given, lines, text
from evidencegate.web._pages._render import page
from evidencegate.web._security import owner
from evidencegate.web._uploads import documents_of, text_of

router = APIRouter()

EXAMPLE_TEXT = (
    "Zelfaban reduced major bleeding compared with warfarin (HR 0.52, 95% CI 0.51 to 0.75). It did not change "
    "mortality. Patients preferred zelfaban."
)
EXAMPLE_SOURCE = (
    "In this invented trial, zelfaban reduced major bleeding compared with warfarin (HR 0.62, 95% CI 0.51 to 0.75). "
    "Mortality did not differ between the groups (HR 0.98, 95% CI 0.88 to 1.09)."
)
COUNTER_EXAMPLES = (
    "Macrolides interact with statins via CYP3A4, leading to increased statin exposure and myopathy risk.",
    "Beta-blockers reduce mortality after myocardial infarction with preserved ejection fraction.",
)
REPORT_EXAMPLES = (
    "SGLT2 inhibitors in heart failure with preserved ejection fraction and chronic kidney disease",
    "Anticoagulation for device-detected atrial fibrillation",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    fields: dict[str, Any]
    places: Places = field(default_factory=Places)

    def __getattr__(self, name: str) -> Any:
        return self.fields[name] if name in self.fields else getattr(self.places, name)


@router.get("/check")
async def check_page(request: Request) -> Response:
    """The text, and what it is held against."""
    example = "example" in request.query_params
    fields = {
        "text": EXAMPLE_TEXT if example else given(request.query_params, "text"),
        "source_text": EXAMPLE_SOURCE if example else "",
        "against": "",
    }
    return _check_form(request, _Form(fields=fields))


@router.post("/check")
async def check(request: Request, sent: Sent, who: str = Depends(owner)) -> Response:
    """Check a text that was pasted or uploaded."""
    names = ("text", "against", "source_text")
    form = _Form(fields={name: text(sent, name) for name in names}, places=Places.of(sent))
    try:
        read = await _read_text(sent, form.text)
        form.fields["text"] = read
        sources = _files(sent, "source_file")
        documents, faults = await documents_of(sources) if sources else ((), ())
        if faults:
            raise InvalidInput(f"Not every source could be read. {'; '.join(faults)}")
        inputs = {
            "text": read,
            "against": lines(form.against),
            "texts": [{"name": "Pasted source", "text": form.source_text}] if form.source_text.strip() else [],
            "libraries": list(form.places.libraries),
            "offline": form.places.offline,
            "model": form.places.model,
        }
        return await begun(request, sent, Kind.CHECK, inputs, who=who, documents=documents)
    except (UserError, ReaderError) as error:
        return _check_form(request, form, error=str(error))


async def _read_text(sent: FormData, pasted: str) -> str:
    files = _files(sent, "text_file")
    if files and pasted.strip():
        raise InvalidInput("There is a text in the field and a file as well: leave one of them empty.")
    if files:
        return await text_of(files[0])
    if not pasted.strip():
        raise InvalidInput("The text is empty: paste one, or choose a file.")
    return pasted


def _files(sent: FormData, name: str) -> list[UploadFile]:
    """The files that were chosen; a browser sends an empty one where none was."""
    return [file for file in sent.getlist(name) if isinstance(file, UploadFile) and file.filename]


def _check_form(request: Request, form: _Form, *, error: str = "") -> Response:
    return _form(request, "check.html.j2", "/check", form, error=error, example_text=EXAMPLE_TEXT)


@router.get("/counter")
async def counter_page(request: Request) -> Response:
    """The claim, and where to look for its opposite."""
    fields = {"text": given(request.query_params, "text"), "statement": ""}
    return _counter_form(request, _Form(fields=fields, places=Places.first(request.app.state.settings)))


@router.post("/counter")
async def counter(request: Request, sent: Sent, who: str = Depends(owner)) -> Response:
    """Search for what contradicts a claim or the main claims of a text."""
    form = _Form(fields={name: text(sent, name) for name in ("text", "statement")}, places=Places.of(sent))
    inputs = {
        "text": form.text,
        "statement": form.statement.strip() or None,
        **form.places.inputs(request.app.state.settings),
    }
    try:
        if not form.text.strip():
            raise InvalidInput("The claim is empty: write the sentence that is to be doubted.")
        return await begun(request, sent, Kind.COUNTER, inputs, who=who)
    except UserError as error:
        return _counter_form(request, form, error=str(error))


def _counter_form(request: Request, form: _Form, *, error: str = "") -> Response:
    return _form(request, "counter.html.j2", "/counter", form, error=error, examples=COUNTER_EXAMPLES)


@router.get("/report")
async def report_page(request: Request) -> Response:
    """The topic of a report, and where to look."""
    fields = {"topic": given(request.query_params, "topic"), "outline": "", "drop_unsupported": False}
    return _report_form(request, _Form(fields=fields, places=Places.first(request.app.state.settings)))


@router.post("/report")
async def plan_or_write(request: Request, sent: Sent, who: str = Depends(owner)) -> Response:
    """Plan the sections and show them; or write the report with the headings that its reader left."""
    fields = {
        "topic": text(sent, "topic").strip(),
        "outline": text(sent, "outline"),
        "drop_unsupported": text(sent, "drop_unsupported") == "yes",
    }
    form = _Form(fields=fields, places=Places.of(sent))
    planned_for = text(sent, "planned_for")
    planned = False
    try:
        headings = await asyncio.to_thread(_planned, form.topic)
        if text(sent, "step") != "write" or planned_for != form.topic:
            fields["outline"] = "\n".join(headings)
            changed = bool(planned_for) and planned_for != form.topic
            note = "The topic has changed, so the sections were planned anew." if changed else ""
            return _report_form(request, form, planned=True, note=note)
        planned = True
        headings = lines(form.outline)
        if not headings:
            raise InvalidInput("The outline is empty: write one heading on each line, or plan it anew.")
        inputs = {
            "topic": form.topic,
            "outline": headings,
            "drop_unsupported": form.drop_unsupported,
            **form.places.inputs(request.app.state.settings),
            **form.places.writing(request.app.state.settings),
        }
        return await begun(request, sent, Kind.REPORT, inputs, who=who)
    except UserError as error:
        return _report_form(request, form, error=str(error), planned=planned)


def _planned(topic: str) -> list[str]:
    """The headings that rules make of a topic."""
    return [plan.heading for plan in outline(understand(topic))]


def _report_form(request: Request, form: _Form, *, error: str = "", planned: bool = False, note: str = "") -> Response:
    shown = {"planned": planned, "note": note, "examples": REPORT_EXAMPLES}
    return _form(request, "report.html.j2", "/report", form, error=error, **shown)


def _form(request: Request, template: str, here: str, form: _Form, *, error: str, **context: Any) -> Response:
    return page(
        request,
        template,
        status=422 if error else 200,
        here=here,
        form=form,
        server=Server.of(request.app.state.settings),
        error=error,
        **context,
    )
