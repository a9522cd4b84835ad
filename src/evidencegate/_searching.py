"""A search for evidence in a run of its own: what the sources have on a question, without an answer made of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evidencegate._asking import Asked
from evidencegate._means import packs_of
from evidencegate._places import places
from evidencegate._taking_up import closing, finish

if TYPE_CHECKING:
    from evidencegate.report import Found
    from evidencegate.runs import Run

__all__ = ["COMMAND", "Searched", "Searching", "search_in"]

COMMAND = "search"
_LIMIT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Searching:
    """What a search depends on, as it is kept with its run."""

    asked: Asked
    limit: int = _LIMIT
    """The most records that are shown."""

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Searching":
        """The inputs that `to_json` wrote; those of earlier versions held no limit."""
        return cls(asked=Asked.from_json(kept), limit=kept.get("limit", _LIMIT))

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {**self.asked.to_json(), "limit": self.limit}


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What was found, ranked, and how much of it is shown."""

    found: "Found"
    limit: int

    def to_json(self) -> dict[str, Any]:
        """The fields that are kept and shown, with the best `limit` records."""
        from evidencegate.report import found_json

        return found_json(self.found, limit=self.limit)


async def search_in(run: "Run", searching: Searching) -> Searched:
    """Search in `run`, which is new, taken up again, or a replay; close it as it ended.

    A replay opens nothing and asks nobody.

    Raises:
        InvalidInput: the text is not a question that can be worked on, or a library is not there.
        UnknownName: there is no such source.
    """
    from evidencegate.report import Engine, find

    asked = searching.asked
    with closing(run):
        async with places(run, asked) as (sources, _, not_asked):
            found = await find(
                asked.question,
                sources=sources,
                not_asked=not_asked,
                packs=await packs_of(run, asked.packs),
                run=run,
                engine=Engine.local(),
            )
    searched = Searched(found=found, limit=searching.limit)
    finish(run, searched.to_json())
    return searched
