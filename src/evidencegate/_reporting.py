"""A report through a run: written, taken up again after a kill, or done again from the ledger alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidencegate._asking import Asked
from evidencegate._means import means
from evidencegate._taking_up import finish

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
    from evidencegate.report import report_json, write_report

    async with means(run, wanted.asked, libraries, model) as given:
        report = await write_report(
            wanted.asked.question, headings=wanted.headings, drop_unsupported=wanted.drop_unsupported, **given
        )
    finish(run, report_json(report))
    return report
