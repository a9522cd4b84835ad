"""What a run searches and whom else it may ask: opened for it, and known by name to its replay."""

import os
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidencegate._in_replay import Absent, Nobody
from evidencegate._taking_up import kept_step

if TYPE_CHECKING:
    from evidencegate._asking import Asked
    from evidencegate.library import Library
    from evidencegate.report import Outside
    from evidencegate.runs import Run
    from evidencegate.sources import Source

__all__ = ["each", "opened", "places"]

_OFFLINE = "not asked: the search was to stay offline"
_LIBRARY_ONLY = "not asked: only the named library was searched; add it with --source"
_NOT_NAMED = "not asked: other sources were named"


@asynccontextmanager
async def places(
    run: "Run", asked: "Asked", libraries: "Sequence[str | Path | Library] | None" = None
) -> "AsyncIterator[tuple[tuple[Source, ...], Outside | None, Mapping[str, str]]]":
    """What `run` searches and what else it may ask, open; and why others are not asked.

    `libraries` are those of `asked`, already open. A replay opens nothing and asks nobody.
    """
    from evidencegate.runs import Mode

    names, not_asked = _plan(bool(asked.libraries), asked.sources, asked.offline)
    if run.mode is Mode.REPLAY:
        sources, nobody = await _remembered(run)
        yield sources, nobody, not_asked
        return
    given = libraries if libraries is not None else asked.libraries
    async with _open(run, given, names, offline=asked.offline, fresh=asked.fresh) as (searched, outside):
        await _keep_names(run, searched, outside)
        yield searched, outside, not_asked


def each(libraries: "Iterable[str | Path | Library] | str | Path | Library | None") -> "list[str | Path | Library]":
    """Libraries as a list: one is a list of one, a string is a place and not its letters, None is none."""
    if libraries is None:
        return []
    one = isinstance(libraries, str | os.PathLike) or hasattr(libraries, "path")
    return [libraries] if one else list(libraries)  # type: ignore[list-item, arg-type]  # told by what it has


def opened(libraries: "Sequence[str | Path | Library]") -> "list[Library]":
    """Libraries by their place, or as they are; each must be there."""
    if not libraries:
        return []
    from evidencegate.library import Library

    return [one if isinstance(one, Library) else Library(one, create=False) for one in libraries]


def _plan(
    has_libraries: bool, sources: Sequence[str] | None, offline: bool
) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """The live sources to ask, and why the others of the default ones are not."""
    from evidencegate.sources import DEFAULT

    if offline and sources is None and has_libraries:
        return (), dict.fromkeys(DEFAULT, _OFFLINE)
    if sources is not None:
        return tuple(sources), {name: _NOT_NAMED for name in DEFAULT if name not in sources}
    if has_libraries:
        return (), dict.fromkeys(DEFAULT, _LIBRARY_ONLY)
    return DEFAULT, {}


@asynccontextmanager
async def _open(
    run: "Run", libraries: "Sequence[str | Path | Library]", names: Sequence[str], *, offline: bool, fresh: bool
) -> "AsyncIterator[tuple[tuple[Source, ...], Outside | None]]":
    """The libraries and live sources, open; and, where live sources are asked, what else may be asked."""
    local: list[Source] = []
    if libraries:
        from evidencegate.sources.library import LibrarySource

        local = [*LibrarySource.each(opened(libraries))]
    if not names:
        yield tuple(local), None
        return
    from evidencegate.report import Live
    from evidencegate.sources import Client, Mode, by_name

    mode = Mode.FRESH if fresh else Mode.NORMAL
    async with Client(mode=Mode.OFFLINE if offline else mode) as client:
        run.sent = lambda: client.traffic.requests
        live = [by_name(name, client) for name in dict.fromkeys(names)]
        yield (*local, *live), Live(client)


async def _keep_names(run: "Run", sources: "Sequence[Source]", outside: "Outside | None") -> None:
    """Keep who is asked, so that a replay need not open anybody to know their names."""

    async def names() -> dict[str, Any]:
        return {
            "sources": [source.name for source in sources],
            "fallback": None if outside is None else outside.fallback.name,
        }

    await kept_step(run, "sources", [], names)


async def _remembered(run: "Run") -> "tuple[tuple[Source, ...], Outside | None]":
    """Those a run asked, by name alone."""

    async def unknown() -> dict[str, Any]:
        raise AssertionError("a replay computes no step")

    names = await kept_step(run, "sources", [], unknown)
    fallback = names["fallback"]
    return tuple(map(Absent, names["sources"])), None if fallback is None else Nobody(Absent(fallback))
