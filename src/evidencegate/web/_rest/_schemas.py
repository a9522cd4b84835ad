"""The shapes of requests and replies, for OpenAPI. Results are the objects of `--json` (docs/contract.md)."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from evidencegate._contract import SCHEMA
from evidencegate.web._inputs import EditsInput

RUN = "20261121T090000-1a2b3c4d"
_USAGE = {"requests": 0, "input_tokens": 0, "output_tokens": 0, "money": 0.0, "seconds": 1.2}
_JOB: dict[str, Any] = {
    "id": RUN,
    "command": "ask",
    "inputs": {"question": "Which anticoagulant for atrial fibrillation?", "offline": True},
    "status": "running",
    "started_at": "2026-11-21T09:00:00+00:00",
    "ended_at": None,
    "usage": _USAGE,
    "kind": "ask",
    "ended": False,
    "resumable": False,
    "place": None,
    "cancelling": False,
}
_LINKS = {
    "self": f"/api/v1/runs/{RUN}",
    "result": f"/api/v1/runs/{RUN}/result",
    "events": f"/api/v1/runs/{RUN}/events",
    "cancel": f"/api/v1/runs/{RUN}/cancel",
    "resume": f"/api/v1/runs/{RUN}/resume",
    "replay": f"/api/v1/runs/{RUN}/replay",
}
_EVENT: dict[str, Any] = {
    "n": 1,
    "at": "2026-11-21T09:00:00+00:00",
    "kind": "started",
    "message": "at work",
    "data": {},
}


def _example(**fields: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [{"schema": SCHEMA, **fields}]})


class Usage(BaseModel):
    """What a run has cost."""

    requests: int
    input_tokens: int
    output_tokens: int
    money: float = Field(description="US dollars, an estimate.")
    seconds: float


class JobView(BaseModel):
    """A run as `runs list --json` shows it, and what a job has besides."""

    model_config = ConfigDict(json_schema_extra={"examples": [_JOB]})

    id: str
    command: str
    inputs: dict[str, Any]
    status: Literal["queued", "running", "done", "partial", "failed", "interrupted"]
    started_at: str
    ended_at: str | None
    usage: Usage
    kind: Literal["ask", "check", "counter", "report"]
    ended: bool = Field(description="Whether nothing more will happen by itself.")
    resumable: bool = Field(description="Whether there is something left to do.")
    place: int | None = Field(description="Its place in the queue, while it waits.")
    cancelling: bool = Field(description="Whether it was told to stop and has not yet.")


class EventView(BaseModel):
    """Something that happened in a run."""

    model_config = ConfigDict(json_schema_extra={"examples": [_EVENT]})

    n: int
    at: str
    kind: str
    message: str
    data: dict[str, Any]


class Envelope(BaseModel):
    """What every object begins with."""

    model_config = ConfigDict(populate_by_name=True)

    schema_: Literal["evidencegate/1"] = Field(alias="schema")
    command: str


class JobReply(Envelope):
    """A job, and where its parts are."""

    model_config = _example(command="job", run=_JOB, links=_LINKS)

    run: JobView
    links: dict[str, str]


class RunsReply(Envelope):
    """As `runs list --json`."""

    model_config = _example(command="runs list", runs=[_JOB])

    runs: list[JobView]


class LimitsView(BaseModel):
    """What a run may take in all; null is no limit."""

    max_seconds: float | None
    max_money: float | None = Field(description="US dollars, estimated.")


class RunReply(Envelope):
    """As `runs show --json`, and the run's limits."""

    model_config = _example(
        command="runs show",
        run=_JOB,
        links=_LINKS,
        limits={"max_seconds": 120, "max_money": None},
        events=[_EVENT],
        steps=[],
        result=None,
    )

    run: JobView
    links: dict[str, str]
    limits: LimitsView | None
    events: list[EventView]
    steps: list[str]
    result: dict[str, Any] | None


class EventsReply(Envelope):
    """The events of a run."""

    model_config = _example(command="runs events", run=_JOB, events=[_EVENT])

    run: JobView
    events: list[EventView]


class ResultReply(Envelope):
    """What the command of the run gives with `--json`: its fields stand beside `schema` and `command`."""

    model_config = ConfigDict(extra="allow", **_example(command="ask", question="…", answer={}, references=[]))


class DiffReply(Envelope):
    """As `runs diff --json`."""

    model_config = ConfigDict(extra="allow", **_example(command="runs diff", same=True))

    same: bool


class LibrariesReply(Envelope):
    """The server's libraries, each as `library info --json` shows it, or with what is wrong."""

    model_config = _example(command="library list", libraries=[{"name": "trials", "documents": 1200}])

    libraries: list[dict[str, Any]]


class LibraryReply(Envelope):
    """As `library info --json`; its path is its name."""

    model_config = ConfigDict(extra="allow", **_example(command="library info", name="trials", documents=1200))

    name: str


class HitsReply(Envelope):
    """As `library search --json`."""

    model_config = _example(command="library search", hits=[], milliseconds=3.1)

    hits: list[dict[str, Any]]
    milliseconds: float


class AddedReply(Envelope):
    """As `library add --json`."""

    model_config = ConfigDict(extra="allow", **_example(command="library add", added=1, updated=0, skipped=[]))

    added: int
    updated: int
    skipped: list[dict[str, Any]]


class QuestionInput(BaseModel):
    """A question to be understood."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"question": "Does apixaban reduce bleeding in atrial fibrillation?"}]},
    )

    question: str = Field(min_length=1, max_length=20_000)
    edits: EditsInput | None = Field(default=None, description="Corrections of how it is understood.")


class QuestionReply(Envelope):
    """As `question --json`."""

    model_config = ConfigDict(
        extra="allow", **_example(command="question", pico={"condition": "atrial fibrillation"}, disease_tags=["AF"])
    )

    pico: dict[str, Any]
    disease_tags: list[str]


class AnchorsReply(Envelope):
    """As `anchors list --json`."""

    model_config = _example(command="anchors list", packs=[{"scenario": "af_ckd", "title": "…", "anchors": ["…"]}])

    packs: list[dict[str, Any]]


class AnchorReply(Envelope):
    """As `anchors show --json`."""

    model_config = _example(command="anchors show", anchors=[{"id": "…", "title": "…"}])

    anchors: list[dict[str, Any]]


class HealthReply(Envelope):
    """Whether the server is well, and what it offers."""

    model_config = _example(
        command="health", ok=True, version="0.1.0", running=0, waiting=0, sources=["pubmed"], models=[], offline=False
    )

    ok: bool
    version: str
    running: int
    waiting: int
    sources: list[str]
    models: list[str]
    offline: bool


class ResumeInput(BaseModel):
    """What a run may take in all, with what it took before. What is not given stays as it was kept with the run."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"max_seconds": 120}]})

    max_seconds: float | None = Field(
        default=None, gt=0, le=86_400, description="Where not given, seconds that ended the run are over for good."
    )
    max_money: float | None = Field(
        default=None, ge=0, description="US dollars, estimated. A run that used its money up needs more."
    )
