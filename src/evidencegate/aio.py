"""The same calls as the top-level package, awaitable."""

import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evidencegate.library import Library
    from evidencegate.report import Answer, Audience
    from evidencegate.runs import Ledger
    from evidencegate.sources import Source

__all__ = ["ask"]

_log = logging.getLogger(__name__)

_OFFLINE = "not asked: the search was to stay offline"
_LIBRARY_ONLY = "not asked: only the named library was searched; add it with --source"
_NOT_NAMED = "not asked: other sources were named"


async def ask(
    question: str,
    *,
    libraries: "Sequence[str | Path | Library]" = (),
    sources: Sequence[str] | None = None,
    offline: bool = False,
    audience: "str | Audience" = "professional",
    packs: Path | None = None,
    ledger: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> "Answer":
    """Answer a clinical question.

    With `libraries` those are searched, and the live `sources` that are named; without, the default live sources are.
    `offline` asks nothing over the network. `packs` is a directory with anchor packs besides our own. `ledger` is the
    database URL of the run ledger (the settings' where None). `progress` is told what happens.

    Raises:
        InvalidInput: the question cannot be worked on, or a library is not there; the message says what to do.
        UnknownName: there is no such source.
    """
    from evidencegate.evidence import load_packs
    from evidencegate.report import Audience, Engine, answer_json
    from evidencegate.report import ask as compose
    from evidencegate.runs import Run, RunStatus

    inputs = {
        "question": question,
        "libraries": [str(getattr(library, "path", library)) for library in libraries],
        "sources": None if sources is None else list(sources),
        "offline": offline,
        "audience": str(audience),
        "packs": None if packs is None else str(packs),
    }
    loaded = load_packs(packs)
    names, not_asked = _plan(bool(libraries), sources, offline)
    with _ledger(ledger) as kept:
        run = Run.start(kept, "ask", inputs, watch=progress)
        try:
            async with _sources(libraries, names) as searched:
                answer = await compose(
                    question,
                    sources=searched,
                    not_asked=not_asked,
                    packs=loaded,
                    run=run,
                    engine=Engine.local(),
                    audience=Audience(audience),
                )
        except BaseException:
            run.finish(None, RunStatus.FAILED)
            raise
        run.finish(answer_json(answer))
        return answer


def _plan(
    has_libraries: bool, sources: Sequence[str] | None, offline: bool
) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """The live sources to ask, and why the others of the default ones are not."""
    from evidencegate.sources import DEFAULT

    if offline:
        return (), dict.fromkeys(sources or DEFAULT, _OFFLINE)
    if sources is not None:
        return tuple(sources), {name: _NOT_NAMED for name in DEFAULT if name not in sources}
    if has_libraries:
        return (), dict.fromkeys(DEFAULT, _LIBRARY_ONLY)
    return DEFAULT, {}


def opened(libraries: "Sequence[str | Path | Library]") -> "list[Library]":
    """Libraries by their place, or as they are; each must be there."""
    if not libraries:
        return []
    from evidencegate.library import Library

    return [one if isinstance(one, Library) else Library(one, create=False) for one in libraries]


@asynccontextmanager
async def _sources(
    libraries: "Sequence[str | Path | Library]", names: Sequence[str]
) -> "AsyncIterator[tuple[Source, ...]]":
    """The libraries and live sources, open."""
    from contextlib import AsyncExitStack

    local: list[Source] = []
    if libraries:
        from evidencegate.sources.library import LibrarySource

        local = [LibrarySource(library) for library in opened(libraries)]
    async with AsyncExitStack() as stack:
        live: tuple[Source, ...] = ()
        if names:
            from evidencegate.sources import open_sources

            live = await stack.enter_async_context(open_sources(names))
        yield (*local, *live)


@contextmanager
def _ledger(url: str | None) -> "Iterator[Ledger]":
    """The ledger at `url`, else the settings' one; in memory where that cannot be written."""
    from evidencegate.errors import EvidenceGateError
    from evidencegate.runs import Ledger
    from evidencegate.settings import load

    chosen = url or load().ledger_url()
    try:
        ledger = Ledger(chosen)
    except EvidenceGateError:
        if url is not None:
            raise
        _log.warning("the run ledger cannot be written; this run is kept in memory only")
        ledger = Ledger("sqlite://")
    try:
        yield ledger
    finally:
        ledger.close()
