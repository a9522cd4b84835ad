"""A run's events as steps in words: what is done, what is being done, what is still to do."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidencegate.runs import Event, RunStatus
from evidencegate.web._jobs import Job, Kind
from evidencegate.web._pages._words import source

_BEGINNINGS = ("started", "resumed")
_WAITING = "queued"

# Of each kind of run: its steps in order, and the events that belong to each.
_STEPS: Mapping[Kind, tuple[tuple[str, tuple[str, ...]], ...]] = {
    Kind.ASK: (
        ("Read the question", ("question",)),
        ("Search", ("search", "searched")),
        ("Weigh the evidence", ("evidence", "fallback", "notices", "images")),
        ("Write the answer", ()),
    ),
    Kind.REPORT: (
        ("Plan the sections", ("outline",)),
        ("Search for each section", ("search", "searched")),
        ("Weigh the evidence", ("evidence", "fallback", "notices", "images")),
        ("Read for each section", ("read",)),
        ("Write and check each section", ("section",)),
    ),
    Kind.COUNTER: (
        ("State the opposite", ("counter",)),
        ("Search for it", ("search", "searched")),
        ("Prove each passage", ("validated",)),
    ),
    Kind.CHECK: (
        ("Read the claims", ("check",)),
        ("Fetch what it cites, if anything", ("fetch",)),
        ("Compare and decide", ("checked",)),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step, how it stands, and what is known of it."""

    name: str
    state: str
    """`done`, `working`, `waiting` or `failed`."""
    said: str
    parts: tuple[str, ...] = ()


def present(events: Sequence[Event]) -> tuple[Event, ...]:
    """The events since the run was last taken up: what was before it is told again by the steps that are read back."""
    last = max((n for n, event in enumerate(events) if event.kind in _BEGINNINGS), default=0)
    return tuple(events[last:])


def steps(job: Job, events: Sequence[Event]) -> tuple[Step, ...]:
    """The steps of a run as they stand."""
    now = present(events)
    plan = _STEPS[job.kind]
    told = [[event for event in now if event.kind in kinds] for _, kinds in plan]
    begun = any(event.kind in _BEGINNINGS for event in now)
    furthest = max((n for n, mine in enumerate(told) if mine), default=0 if begun else -1)
    if job.kind is Kind.ASK and told[-2]:
        furthest = len(plan) - 1  # writing the answer is what remains, and tells nothing before its end
    if not job.live and job.info.status in (RunStatus.DONE, RunStatus.PARTIAL):
        furthest = len(plan)
    made = []
    for n, ((name, _), mine) in enumerate(zip(plan, told, strict=True)):
        if n < furthest:
            state, said = "done", "done"
        elif n == furthest:
            state, said = ("working", "under way") if job.live else ("failed", "not finished")
        else:
            state, said = "waiting", "not yet" if job.live else "not begun"
        parts = _parts(mine)
        if mine and not parts:
            said = mine[-1].message
        made.append(Step(name=name, state=state, said=said, parts=parts))
    return tuple(made)


def _parts(events: Iterable[Event]) -> tuple[str, ...]:
    """For searches: every source on a line of its own, with what it said so far."""
    asked: dict[str, list[str]] = {}
    for event in events:
        name = event.data.get("source")
        if event.kind not in ("search", "searched") or name is None:
            continue
        said = asked.setdefault(name, [])
        if event.kind == "searched":
            said.append(f"{event.data['status']}, {event.data['records']} records".replace("_", " "))
    return tuple(f"{source(name)}: {'; '.join(_counted(said)) or 'searching'}" for name, said in asked.items())


def _counted(said: Sequence[str]) -> list[str]:
    """The same outcome of several searches once, with how often."""
    return [f"{one} ({said.count(one)} times)" if said.count(one) > 1 else one for one in dict.fromkeys(said)]


def drafts(events: Sequence[Event]) -> list[Mapping[str, Any]]:
    """The sections of a report that are finished, each as it stood last."""
    finished = {event.data["heading"]: event.data for event in present(events) if event.kind == "section"}
    return list(finished.values())


def failure(events: Sequence[Event]) -> str:
    """What a run that failed said of it."""
    return next((event.message for event in reversed(events) if event.kind in ("failed", "error")), "")
