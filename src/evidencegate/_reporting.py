"""A report through a run: written, taken up again after a kill, or done again from the ledger alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidencegate._asking import Asked, _packs, model_of, places
from evidencegate._taking_up import closing

if TYPE_CHECKING:
    from evidencegate.library import Library
    from evidencegate.models.language import LanguageModel
    from evidencegate.report import Report
    from evidencegate.runs import Run

__all__ = ["COMMAND", "Wanted", "report_in"]

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
    with closing(run):
        async with places(run, asked, libraries) as (searched, outside, not_asked):
            report = await write_report(
                asked.question,
                sources=searched,
                not_asked=not_asked,
                packs=await _packs(run, asked.packs),
                run=run,
                engine=Engine.local(),
                audience=Audience(asked.audience),
                outside=outside,
                model=model or model_of(asked.model, asked.base_url, replay=run.mode is Mode.REPLAY),
                headings=wanted.headings,
                drop_unsupported=wanted.drop_unsupported,
                edits=asked.edits,
                full_text=asked.full_text,
            )
    run.finish(report_json(report), RunStatus.PARTIAL if run.short else RunStatus.DONE)
    return report
