"""A search for the opposite through a run: done, taken up again after a kill, or done again from the ledger alone."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidencegate._asking import Asked
from evidencegate._means import model_of
from evidencegate._places import places
from evidencegate._taking_up import closing, finish

if TYPE_CHECKING:
    from evidencegate.counter import CounterReport, Overrule
    from evidencegate.library import Library
    from evidencegate.models.language import LanguageModel
    from evidencegate.runs import Run

__all__ = ["COMMAND", "Examined", "examine_in"]

COMMAND = "counter"
_PARTIAL = "partial: the budget of this run was used up before every source was searched to the end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What a report on the opposite depends on, as it is kept with its run. The text stands as the question."""

    asked: Asked
    statement: str | None = None
    overrules: "tuple[Overrule, ...]" = ()
    limit: int | None = None

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Examined":
        """The inputs that `to_json` wrote."""
        from evidencegate.counter import Overrule

        return cls(
            asked=Asked.from_json(kept),
            statement=kept["statement"],
            overrules=tuple(Overrule(**row) for row in kept["overrules"]),
            limit=kept["limit"],
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            **self.asked.to_json(),
            "statement": self.statement,
            "overrules": [asdict(overrule) for overrule in self.overrules],
            "limit": self.limit,
        }


async def examine_in(
    run: "Run",
    examined: Examined,
    libraries: "Sequence[str | Path | Library] | None" = None,
    model: "LanguageModel | None" = None,
) -> "CounterReport":
    """Examine in `run`, which is new, taken up again, or a replay; close it as it ended.

    `libraries` and `model` are those of `examined`, already open. A replay opens nothing and asks nobody.
    """
    from evidencegate.counter import MOST_CLAIMS, Readers, counter_json, examine
    from evidencegate.runs import Mode

    asked = examined.asked
    second = model
    if second is None and asked.model is not None:
        second = model_of(asked.model, asked.base_url, offline=asked.offline, replay=run.mode is Mode.REPLAY)
    with closing(run):
        async with places(run, asked, libraries) as (searched, _, not_asked):
            report = await examine(
                asked.question,
                sources=searched,
                run=run,
                readers=Readers.local(second),
                not_asked=not_asked,
                statement=examined.statement or "",
                overrules=examined.overrules,
                limit=examined.limit or MOST_CLAIMS,
            )
    if run.short:
        report = replace(report, warnings=(_PARTIAL, *report.warnings))
    finish(run, counter_json(report), partial=any(warning.startswith("partial:") for warning in report.warnings))
    return report
