"""From what a user asks for to what a run's ledger keeps, refused at once where it cannot be worked on."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.runs import Limits
from evidencegate.web._inputs import AskInput, CheckInput, CounterInput, ReportInput, SearchInput
from evidencegate.web._job import Kind
from evidencegate.web._settings import WebSettings

if TYPE_CHECKING:
    from evidencegate.documents import Document
    from evidencegate.question import Edits

_INPUTS: Mapping[Kind, type[BaseModel]] = {
    Kind.ASK: AskInput,
    Kind.CHECK: CheckInput,
    Kind.COUNTER: CounterInput,
    Kind.REPORT: ReportInput,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A request that can be worked on: what the run's ledger keeps of it."""

    command: str
    inputs: Mapping[str, Any]
    limits: Limits
    documents: "tuple[Document, ...]" = ()
    """Given in full; kept as a step of the run, beside its inputs."""


def validated(kind: Kind, inputs: Mapping[str, Any]) -> BaseModel:
    """The inputs as their model.

    Raises:
        InvalidInput: they are not; the message names each field.
    """
    try:
        return _INPUTS[kind].model_validate(inputs)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, e['loc'])) or 'the request'}: {e['msg']}"
            for e in error.errors(include_input=False, include_url=False, include_context=False)
        )
        raise InvalidInput(wrong) from None


def digest(kind: Kind, given: BaseModel, documents: "tuple[Document, ...]") -> str:
    said = [str(kind), given.model_dump(mode="json"), [(d.id, d.text) for d in documents]]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def prepared(given: BaseModel, owner: str, documents: "tuple[Document, ...]", settings: WebSettings) -> Prepared:
    """What a request comes to on this server. `documents`: sources of a check that were read from files of the user.

    Raises:
        InvalidInput: a question that cannot be read, an empty text.
        UnknownName: there is no such library, source, model or identifier.
    """
    match given:
        case AskInput():
            return _ask(given, settings)
        case ReportInput():
            return _report(given, settings)
        case CounterInput():
            return _counter(given, owner if owner in settings.tokens.values() else "", settings)
        case CheckInput():
            return _check(given, documents, settings)
        case _:
            raise AssertionError(f"no job is made of {type(given).__name__}")


def _ask(given: AskInput, settings: WebSettings) -> Prepared:
    """As `evidencegate.aio.ask` keeps it."""
    from evidencegate._asking import COMMAND

    limits = Limits(max_seconds=given.max_seconds)
    return Prepared(command=COMMAND, inputs=_asked(given.question, given, settings), limits=limits)


def _report(given: ReportInput, settings: WebSettings) -> Prepared:
    """As `evidencegate.aio.report` keeps it."""
    from evidencegate._reporting import COMMAND

    outline = None if given.outline is None else list(given.outline)
    inputs = {
        **_asked(given.topic, given, settings),
        "outline": outline,
        "drop_unsupported": given.drop_unsupported,
    }
    limits = Limits(max_seconds=given.max_seconds, max_money=given.max_money)
    return Prepared(command=COMMAND, inputs=inputs, limits=limits)


def _counter(given: CounterInput, by: str, settings: WebSettings) -> Prepared:
    """As `evidencegate.aio.counter` keeps it. `by`: the name of who overrules, where it is known."""
    from evidencegate._countering import COMMAND

    if not given.text.strip():
        raise InvalidInput("The text is empty: give a claim, or a text that makes some.")
    inputs = {
        **_places(given.text, given, settings),
        "statement": given.statement,
        "overrules": [{**overrule.model_dump(), "by": by} for overrule in given.overrules],
        "limit": given.claims,
    }
    return Prepared(command=COMMAND, inputs=inputs, limits=Limits(max_seconds=given.max_seconds))


def _check(given: CheckInput, uploaded: "Sequence[Document]", settings: WebSettings) -> Prepared:
    """As `evidencegate._checking` keeps it. `uploaded`: documents that were read from files of the user."""
    from evidencegate._checking import COMMAND, Checking
    from evidencegate.documents.readers import read_text

    pasted = [
        replace(read_text(source.text), id=f"local:source-{number}", title=source.name)
        for number, source in enumerate(given.texts, start=1)
    ]
    documents = (*pasted, *uploaded)
    model = _model(given.model, settings, offline=given.offline or settings.offline)
    checking = Checking.of(
        given.text,
        against=given.against,
        documents=documents,
        libraries=[_place(name, settings) for name in given.libraries],
        offline=given.offline or settings.offline,
        model=model,
        base_url=None if model is None else settings.base_url,
    )
    limits = Limits(max_seconds=given.max_seconds)
    return Prepared(command=COMMAND, inputs=checking.to_json(), documents=documents, limits=limits)


def _asked(question: str, given: AskInput | ReportInput, settings: WebSettings) -> dict[str, Any]:
    """The inputs of an answer or a report; the question is read now, so that what cannot be is refused at once."""
    from evidencegate.question import Edits, understand

    edits = Edits.from_json(None if given.edits is None else given.edits.model_dump())
    understand(question, edits=edits)
    return _places(
        question,
        given,
        settings,
        fresh=given.fresh,
        audience=given.audience,
        edits=edits,
        full_text=given.full_text,
    )


def _places(
    question: str,
    given: SearchInput,
    settings: WebSettings,
    *,
    fresh: bool = False,
    audience: str = "professional",
    edits: "Edits | None" = None,
    full_text: bool | None = None,
) -> dict[str, Any]:
    from evidencegate._asking import Asked

    model = _model(given.model, settings, offline=given.offline or settings.offline)
    return Asked.of(
        question,
        libraries=[_place(name, settings) for name in given.libraries],
        sources=None if given.sources is None else [_source(name) for name in given.sources],
        offline=given.offline or settings.offline,
        fresh=fresh,
        audience=audience,
        packs=settings.packs,
        model=model,
        base_url=None if model is None else settings.base_url,
        edits=edits,
        full_text=full_text,
    ).to_json()


def _place(name: str, settings: WebSettings) -> str:
    if name not in settings.libraries:
        there = ", ".join(settings.libraries) or "none; start it with --library DIR"
        raise UnknownName(f"There is no library {name!r} on this server. Libraries: {there}")
    return settings.libraries[name]


def _source(name: str) -> str:
    from evidencegate.sources import NAMES

    wanted = name.strip().lower().replace("-", "_").replace(" ", "_")
    if wanted not in NAMES:
        raise UnknownName(
            f"There is no source {name!r}. Sources: {', '.join(NAMES)}; an address is never asked for a user."
        )
    return wanted


def _model(name: str | None, settings: WebSettings, *, offline: bool) -> str | None:
    if name is None or name == "local":
        return None
    if name not in settings.models:
        there = ", ".join(settings.models) or "none; start it with --model NAME"
        raise UnknownName(f"There is no model {name!r} on this server. Models: {there}")
    if offline:
        from evidencegate.models.language import named

        named(name, base_url=settings.base_url, offline=True)  # says which cannot be asked then
    return name
