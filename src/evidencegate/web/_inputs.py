"""What a user may ask for. Libraries go by the server's names, models by its list; no place and no address is taken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.web._settings import WebSettings

if TYPE_CHECKING:
    from evidencegate.documents import Document
    from evidencegate.question import Edits

LONGEST_TEXT = 1_000_000
_SHORT = 20_000
_QUESTION = "Which anticoagulant for atrial fibrillation in a patient with chronic kidney disease?"
_CLAIM = "Apixaban reduces major bleeding compared with warfarin in atrial fibrillation."

Name = Annotated[str, Field(min_length=1, max_length=200)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]


class _Input(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_max_length=LONGEST_TEXT)


class _Search(_Input):
    libraries: list[Name] = Field(default=[], max_length=20, description="Names of the server's libraries.")
    sources: list[Name] | None = Field(
        default=None, max_length=10, description="Live sources by name; the default ones where not given."
    )
    offline: bool = Field(default=False, description="Ask nothing over the network.")
    model: Name | None = Field(default=None, description="One of the server's models; none where not given.")


class PicoInput(_Input):
    """What a question asks about, in the asker's words."""

    patient: str = Field(default="", max_length=300)
    intervention: str = Field(default="", max_length=300)
    comparison: str | None = Field(default=None, max_length=300)
    outcome: str = Field(default="", max_length=300)
    condition: str = Field(default="", max_length=300)


class EditsInput(_Input):
    """What the asker changed of how the question was understood; what is not given stays as it was read."""

    pico: PicoInput | None = None
    disease_tags: list[Name] | None = Field(
        default=None, max_length=20, description="The main one first; tags, or conditions in plain words."
    )
    decision_tags: list[Name] | None = Field(default=None, max_length=20, description="The main one first.")


class AskInput(_Search):
    """A question, and where to look."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"question": _QUESTION, "offline": True}]})

    question: str = Field(min_length=1, max_length=_SHORT, description="A clinical question, in English.")
    edits: EditsInput | None = Field(default=None, description="Corrections of how it was understood.")
    fresh: bool = Field(default=False, description="Ask again for what is kept from before.")
    audience: Literal["professional", "public"] = "professional"
    max_seconds: Seconds | None = Field(default=None, description="Answer from what was found by then.")


class ReportInput(_Search):
    """A topic, its sections, and where to look."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"topic": _QUESTION, "outline": ["Efficacy", "Safety"], "offline": True}]}
    )

    topic: str = Field(min_length=1, max_length=_SHORT, description="A clinical topic or question, in English.")
    edits: EditsInput | None = Field(default=None, description="Corrections of how it was understood.")
    fresh: bool = False
    audience: Literal["professional", "public"] = "professional"
    outline: list[Name] | None = Field(default=None, min_length=1, max_length=20, description="Headings.")
    drop_unsupported: bool = Field(default=False, description="Leave out what nothing supports, not list it.")
    max_seconds: Seconds | None = None
    max_money: float | None = Field(default=None, ge=0, description="US dollars, estimated.")


class OverruleInput(_Input):
    """A decision of the user about a passage of an earlier run; it is recorded and counted for nothing."""

    claim: Name = Field(description="The claim's id.")
    document: Name = Field(description="The record's id.")
    accept: bool
    note: str = Field(min_length=1, max_length=2_000, pattern=r"\S", description="Why.")


class CounterInput(_Search):
    """A claim or a text whose claims are to be contradicted, and where to look."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": _CLAIM, "offline": True}]})

    text: str = Field(min_length=1, max_length=LONGEST_TEXT, description="A claim, or a text that makes some.")
    statement: str | None = Field(default=None, max_length=2_000, description="What would contradict the claim.")
    overrules: list[OverruleInput] = Field(default=[], max_length=200)
    claims: int = Field(default=10, ge=1, le=100, description="The most claims that are examined.")
    max_seconds: Seconds | None = Field(default=None, description="Show what was found by then.")


class SourceText(_Input):
    """A source given in full."""

    name: Name = "source"
    text: str = Field(min_length=1, max_length=LONGEST_TEXT, pattern=r"\S")


class CheckInput(_Input):
    """A text, and what to check it against; with nothing named, against what it cites itself."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": "Zelfaban reduced major bleeding by 38%.",
                    "texts": [{"name": "trial", "text": "Zelfaban reduced major bleeding (HR 0.62)."}],
                    "offline": True,
                }
            ]
        }
    )

    text: str = Field(min_length=1, max_length=LONGEST_TEXT, pattern=r"\S", description="The text to check.")
    against: list[Name] = Field(
        default=[], max_length=100, description="PMID, PMCID, DOI or NCT numbers; never an address or a path."
    )
    texts: list[SourceText] = Field(default=[], max_length=50, description="Sources given in full.")
    libraries: list[Name] = Field(default=[], max_length=20)
    offline: bool = Field(default=False, description="Fetch nothing over the network.")
    max_seconds: Seconds | None = Field(default=None, description="Decide from what was fetched by then.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A request that can be worked on: what the run's ledger keeps of it."""

    command: str
    inputs: Mapping[str, Any]
    documents: "tuple[Document, ...]" = ()
    """Given in full; kept as a step of the run, beside its inputs."""
    max_seconds: float | None = None
    max_money: float | None = None


def prepare_ask(given: AskInput, settings: WebSettings) -> Prepared:
    """As `evidencegate.aio.ask` keeps it."""
    from evidencegate._asking import COMMAND

    return Prepared(command=COMMAND, inputs=_asked(given.question, given, settings), max_seconds=given.max_seconds)


def prepare_report(given: ReportInput, settings: WebSettings) -> Prepared:
    """As `evidencegate.aio.report` keeps it."""
    from evidencegate._reporting import COMMAND

    outline = None if given.outline is None else list(given.outline)
    inputs = {
        **_asked(given.topic, given, settings),
        "outline": outline,
        "drop_unsupported": given.drop_unsupported,
    }
    return Prepared(command=COMMAND, inputs=inputs, max_seconds=given.max_seconds, max_money=given.max_money)


def prepare_counter(given: CounterInput, by: str, settings: WebSettings) -> Prepared:
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
    return Prepared(command=COMMAND, inputs=inputs, max_seconds=given.max_seconds)


def prepare_check(given: CheckInput, uploaded: "Sequence[Document]", settings: WebSettings) -> Prepared:
    """As `evidencegate._checking` keeps it. `uploaded`: documents that were read from files of the user."""
    from evidencegate._checking import COMMAND, Checking
    from evidencegate.documents.readers import read_text

    pasted = [
        replace(read_text(source.text), id=f"local:source-{number}", title=source.name)
        for number, source in enumerate(given.texts, start=1)
    ]
    documents = (*pasted, *uploaded)
    checking = Checking.of(
        given.text,
        against=given.against,
        documents=documents,
        libraries=[_place(name, settings) for name in given.libraries],
        offline=given.offline or settings.offline,
    )
    return Prepared(command=COMMAND, inputs=checking.to_json(), documents=documents, max_seconds=given.max_seconds)


def _asked(question: str, given: AskInput | ReportInput, settings: WebSettings) -> dict[str, Any]:
    """The inputs of an answer or a report; the question is read now, so that what cannot be is refused at once."""
    from evidencegate.question import Edits, understand

    edits = Edits.from_json(None if given.edits is None else given.edits.model_dump())
    understand(question, edits=edits)
    return _places(question, given, settings, fresh=given.fresh, audience=given.audience, edits=edits)


def _places(
    question: str,
    given: _Search,
    settings: WebSettings,
    *,
    fresh: bool = False,
    audience: str = "professional",
    edits: "Edits | None" = None,
) -> dict[str, Any]:
    from evidencegate._asking import Asked

    model = _model(given.model, settings)
    return Asked.of(
        question,
        [_place(name, settings) for name in given.libraries],
        None if given.sources is None else [_source(name) for name in given.sources],
        given.offline or settings.offline,
        fresh,
        audience,
        settings.packs,
        model,
        None if model is None else settings.base_url,
        edits,
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


def _model(name: str | None, settings: WebSettings) -> str | None:
    if name is None or name == "local":
        return None
    if name not in settings.models:
        there = ", ".join(settings.models) or "none; start it with --model NAME"
        raise UnknownName(f"There is no model {name!r} on this server. Models: {there}")
    return name
