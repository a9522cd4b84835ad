"""A search for evidence in a run of its own: what the sources have on a question, without an answer made of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from evidencegate._means import packs_of
from evidencegate._places import places
from evidencegate._taking_up import closing, finish

if TYPE_CHECKING:
    from evidencegate._asking import Asked
    from evidencegate.runs import Run

__all__ = ["COMMAND", "search_in"]

COMMAND = "search"


async def search_in(run: "Run", asked: "Asked", *, limit: int) -> Mapping[str, Any]:
    """Search in `run`, which is new; close it as it ended. The fields that are kept and shown, best `limit` records.

    Raises:
        InvalidInput: the text is not a question that can be worked on, or a library is not there.
        UnknownName: there is no such source.
    """
    from evidencegate.report import Engine, find, found_json

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
    fields = found_json(found, limit=limit)
    finish(run, fields)
    return fields
