"""The calls a user needs, in their plain synchronous form. Each is its awaitable twin in `evidencegate.aio`, run."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from evidencegate import aio

if TYPE_CHECKING:
    from evidencegate.library import Library
    from evidencegate.report import Answer, Audience
    from evidencegate.verify import Against, Checked

__all__ = ["ask", "check"]

T = TypeVar("T")


def ask(
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
    """Answer a clinical question; see `evidencegate.aio.ask`."""
    return _run(
        aio.ask(
            question,
            libraries=libraries,
            sources=sources,
            offline=offline,
            audience=audience,
            packs=packs,
            ledger=ledger,
            progress=progress,
        )
    )


def check(
    text: str,
    against: "Iterable[Against] | Against | None" = None,
    *,
    libraries: "Sequence[str | Path | Library]" = (),
    offline: bool = False,
    require_evidence_for_correct: bool = True,
) -> "Checked":
    """Check every claim of `text` against files, identifiers, documents or libraries, or its own citations.

    With neither `against` nor `libraries` the text is checked against what it cites, fetched by identifier unless
    `offline`. See `evidencegate.verify.check` for what comes back.

    Raises:
        UserError: a source is neither a file nor an identifier nor a library.
    """
    from evidencegate import verify
    from evidencegate.sources import Mode, resolver

    chosen = None if against is None and not libraries else [*_each(against), *aio.opened(libraries)]
    with resolver(mode=Mode.OFFLINE if offline else Mode.NORMAL) as resolve:
        return verify.check(text, chosen, resolve=resolve, require_evidence_for_correct=require_evidence_for_correct)


def _each(against: "Iterable[Against] | Against | None") -> "list[Against]":
    """One source as a list of one. A string is one source, not its letters; a library is one, not its documents."""
    if against is None:
        return []
    if isinstance(against, list | tuple | set | frozenset | Iterator):
        return list(against)
    return [against]  # type: ignore[list-item]  # what is none of the above is checked by name in `verify`


def _run(coroutine: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(coroutine)
