"""Asking: the question is read first, shown, and searched for as its asker leaves it."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from starlette.datastructures import FormData

from evidencegate.errors import UserError
from evidencegate.evidence import load_packs
from evidencegate.question import PICO, Edits, Question, Tags, load_vocabulary, question_json, understand
from evidencegate.web._jobs import Kind
from evidencegate.web._pages._beginning import begun
from evidencegate.web._pages._forms import Places, Sent, Server, given, text, texts
from evidencegate.web._pages._render import page
from evidencegate.web._security import owner

router = APIRouter()

EXAMPLES = (
    "In patients with atrial fibrillation and chronic kidney disease, is apixaban safer than warfarin?",
    "In adults with community-acquired pneumonia, is 5 days of antibiotics enough?",
    "After PCI in a patient at high bleeding risk, how long should dual antiplatelet therapy last?",
    "When should anticoagulation be restarted after gastrointestinal bleeding?",
)
_PICO = ("patient", "intervention", "comparison", "outcome", "condition")
_CHANGED = "The question has changed, so it was read anew."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    question: str = ""
    add_disease: str = ""
    read_as: str = ""
    places: Places = field(default_factory=Places)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.places, name)


@router.get("/")
async def ask_page(request: Request) -> Response:
    """The question, and where to look for its answer."""
    settings = request.app.state.settings
    form = _Form(question=given(request.query_params, "question"), places=Places.first(settings))
    return await asyncio.to_thread(_show, request, form)


@router.post("/")
async def ask_or_read(request: Request, sent: Sent, who: str = Depends(owner)) -> Response:
    """Read the question and show how it is understood; or search, with what its asker made of that."""
    form = _Form(
        question=text(sent, "question").strip(),
        add_disease=text(sent, "add_disease"),
        read_as=text(sent, "read_as"),
        places=Places.of(sent),
    )
    question: Question | None = None
    try:
        read = await asyncio.to_thread(understand, form.question)
        if not form.read_as:
            return await asyncio.to_thread(_show, request, form, read)
        if form.read_as not in (read.text, form.question):
            return await asyncio.to_thread(_show, request, replace(form, add_disease=""), read, note=_CHANGED)
        question = read
        edits = _edits(sent, read)
        question = await asyncio.to_thread(understand, form.question, edits=edits)
        if text(sent, "step") != "search":
            return await asyncio.to_thread(_show, request, replace(form, add_disease=""), question)
        inputs = {
            "question": form.question,
            "edits": None if edits is None else edits.to_json(),
            **form.places.inputs(request.app.state.settings),
            **form.places.writing(request.app.state.settings),
        }
        return await begun(request, sent, Kind.ASK, inputs, who=who)
    except UserError as error:
        return await asyncio.to_thread(_show, request, form, question, error=str(error))


def _show(
    request: Request, form: _Form, question: Question | None = None, *, error: str = "", note: str = ""
) -> Response:
    understood = None if question is None else question_json(question)
    return page(
        request,
        "ask.html.j2",
        status=422 if error else 200,
        here="/",
        form=form,
        server=Server.of(request.app.state.settings),
        understood=understood,
        diseases=[] if question is None else _diseases(question),
        decisions=_decisions(),
        pack_title=_pack_title(request, question),
        examples=EXAMPLES,
        error=error,
        note=note,
    )


def _pack_title(request: Request, question: Question | None) -> str:
    if question is None or question.anchor_scenario is None:
        return ""
    pack = load_packs(request.app.state.settings.packs).for_scenario(question.anchor_scenario)
    return "none yet for this scenario" if pack is None else pack.title


def _diseases(question: Question) -> list[tuple[str, str]]:
    own = {tag.name: tag.label for tag in question.own_tags}
    known = load_vocabulary().tags
    return [(name, own.get(name) or known[name].label) for name in question.disease_tags.all]


def _decisions() -> list[tuple[str, str]]:
    return [(name, decision.label) for name, decision in load_vocabulary().decisions.items()]


def _edits(sent: FormData, read: Question) -> Edits | None:
    """What was changed of how the question was read; None where nothing was, so that the run is like any other."""
    said = {name: " ".join(text(sent, name).split()) for name in _PICO}
    comparison = said.pop("comparison") or None
    pico = PICO(**said, comparison=comparison)
    own = {tag.name: tag.label for tag in read.own_tags}
    diseases = _first(text(sent, "main_disease"), texts(sent, "disease"))
    diseases += tuple(one.strip() for one in text(sent, "add_disease").split(";") if one.strip())
    decisions = _first(text(sent, "main_decision"), texts(sent, "decision"))
    edits = Edits(
        pico=None if pico == read.pico else pico,
        disease_tags=None if _same(diseases, read.disease_tags) else tuple(own.get(name, name) for name in diseases),
        decision_tags=None if _same(decisions, read.decision_tags) else decisions,
    )
    return None if edits == Edits() else edits


def _same(chosen: tuple[str, ...], tags: Tags) -> bool:
    """Whether the same ones are chosen, with the same one first; a form knows no order among the others."""
    return chosen[:1] == tags.all[:1] and set(chosen) == set(tags.all)


def _first(main: str, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """The chosen ones with the main one first; one that is not chosen leads nothing."""
    return (main, *(name for name in chosen if name != main)) if main in chosen else chosen
