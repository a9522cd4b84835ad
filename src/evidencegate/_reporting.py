"""A report through a run: written, taken up again after a kill, or done again from the ledger alone."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidencegate import aio
from evidencegate._asking import (
    Asked,
    _open,
    _packs,
    _remembered,
    model_of,
    must_have_shown,
    must_show_the_same,
)

if TYPE_CHECKING:
    from evidencegate.library import Library
    from evidencegate.models.language import LanguageModel
    from evidencegate.report import Report
    from evidencegate.runs import Ledger, Run, RunInfo

__all__ = ["COMMAND", "Wanted", "replayed", "report_in", "resumed"]

COMMAND = "report"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a report depends on, as it is kept with its run."""

    asked: Asked
    headings: tuple[str, ...] | None = None
    drop_unsupported: bool = False

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Wanted":
        """The inputs that `to_json` wrote."""
        headings = kept["outline"]
        return cls(
            asked=Asked.from_json(kept),
            headings=None if headings is None else tuple(headings),
            drop_unsupported=kept["drop_unsupported"],
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            **self.asked.to_json(),
            "outline": None if self.headings is None else list(self.headings),
            "drop_unsupported": self.drop_unsupported,
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
                model=model or model_of(asked.model, asked.base_url, replay=replay),
                headings=wanted.headings,
                drop_unsupported=wanted.drop_unsupported,
                edits=asked.edits,
                full_text=asked.full_text,
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
