"""A report through a run: written, taken up again after a kill, or done again from the ledger alone."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidencegate import aio
from evidencegate._asking import Asked, _open, _packs, _remembered, must_have_shown, must_show_the_same
from evidencegate.errors import ModelError

if TYPE_CHECKING:
    from evidencegate.library import Library
    from evidencegate.models.language import LanguageModel, Prompt, Reply
    from evidencegate.models.language._types import S
    from evidencegate.report import Report
    from evidencegate.runs import Ledger, Run, RunInfo

__all__ = ["COMMAND", "Wanted", "model_of", "replayed", "report_in", "resumed"]

COMMAND = "report"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a report depends on, as it is kept with its run."""

    asked: Asked
    headings: tuple[str, ...] | None = None
    drop_unsupported: bool = False
    model: str | None = None
    base_url: str | None = None

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Wanted":
        """The inputs that `to_json` wrote."""
        headings = kept["outline"]
        return cls(
            asked=Asked.from_json(kept),
            headings=None if headings is None else tuple(headings),
            drop_unsupported=kept["drop_unsupported"],
            model=kept["model"],
            base_url=kept["base_url"],
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            **self.asked.to_json(),
            "outline": None if self.headings is None else list(self.headings),
            "drop_unsupported": self.drop_unsupported,
            "model": self.model,
            "base_url": self.base_url,
        }


async def report_in(
    run: "Run",
    wanted: Wanted,
    libraries: "Sequence[str | Path | Library] | None" = None,
    model: "LanguageModel | None" = None,
) -> "Report":
    """Write the report in `run`, which is new, taken up again, or a replay; close it as it ended.

    `libraries` and `model` are those of `wanted`, already open. A replay opens nothing and asks nobody.
    """
    from evidencegate.report import Audience, Engine, report_json, write_report
    from evidencegate.runs import Mode, RunStatus

    asked = wanted.asked
    replay = run.mode is Mode.REPLAY
    names, not_asked = aio._plan(bool(asked.libraries), asked.sources, asked.offline)
    given = libraries if libraries is not None else asked.libraries
    places = _remembered(run) if replay else _open(given, names, run, asked)
    try:
        async with places as (searched, outside):
            report = await write_report(
                asked.question,
                sources=searched,
                not_asked=not_asked,
                packs=await _packs(run, asked.packs),
                run=run,
                engine=Engine.local(),
                audience=Audience(asked.audience),
                outside=outside,
                model=model or model_of(wanted.model, wanted.base_url, replay=replay),
                headings=wanted.headings,
                drop_unsupported=wanted.drop_unsupported,
            )
    except (asyncio.CancelledError, KeyboardInterrupt):
        run.finish(None, RunStatus.INTERRUPTED)
        raise
    except BaseException:
        run.finish(None, RunStatus.FAILED)
        raise
    run.finish(report_json(report), RunStatus.PARTIAL if run.short else RunStatus.DONE)
    return report


async def resumed(kept: "Ledger", info: "RunInfo", run: "Run") -> "Report":
    """Finish a run of `report`; one that is done is shown again."""
    from evidencegate.runs import Mode, Run, RunStatus

    if info.status is RunStatus.DONE:
        return await replayed(Run.again(kept, info.id, mode=Mode.REPLAY, watch=run.watch), info)
    kept.reopen(info.id)
    return await report_in(run, Wanted.from_json(info.inputs))


async def replayed(run: "Run", info: "RunInfo") -> "Report":
    """The report of a finished run, made again from its ledger alone.

    Raises:
        InvalidInput: the run showed nothing yet.
        EvidenceGateError: what comes out is not what was shown then.
    """
    from evidencegate.report import report_json

    must_have_shown(info)
    report = await report_in(run, Wanted.from_json(info.inputs))
    must_show_the_same(info, report_json(report))
    return report


def model_of(name: str | None, base_url: str | None, *, replay: bool) -> "LanguageModel | None":
    """The model of a run; in a replay only its name, under which the ledger has its replies.

    Raises:
        UserError: there is no such model; the message says what to do.
    """
    from evidencegate.models.language import named

    if name is None or not replay:
        return named(name, base_url=base_url)
    return _Remembered(name)


@dataclass(frozen=True, slots=True)
class _Remembered:
    """A model that a replay knows the name of. Its replies are in the ledger, or nowhere."""

    name: str

    async def complete(self, prompt: "Prompt", schema: "type[S]") -> "Reply[S]":
        raise ModelError(f"a replay asked {self.name}")
