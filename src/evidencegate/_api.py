"""The calls a user needs, in their plain synchronous form. Each is its awaitable twin in `evidencegate.aio`, run."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from evidencegate import aio

if TYPE_CHECKING:
    from evidencegate.counter import CounterReport, Overrule
    from evidencegate.library import Library
    from evidencegate.models.language import LanguageModel
    from evidencegate.question import Edits
    from evidencegate.report import Answer, Audience, Report
    from evidencegate.verify import Against, Checked

__all__ = ["ask", "check", "counter", "replay", "report", "resume"]

T = TypeVar("T")


def ask(
    question: str,
    *,
    libraries: "Sequence[str | Path | Library]" = (),
    sources: Sequence[str] | None = None,
    offline: bool = False,
    fresh: bool = False,
    audience: "str | Audience" = "professional",
    packs: Path | None = None,
    model: "str | LanguageModel | None" = None,
    base_url: str | None = None,
    edits: "Edits | None" = None,
    full_text: bool | None = None,
    max_seconds: float | None = None,
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
            fresh=fresh,
            audience=audience,
            packs=packs,
            model=model,
            base_url=base_url,
            edits=edits,
            full_text=full_text,
            max_seconds=max_seconds,
            ledger=ledger,
            progress=progress,
        )
    )


def report(
    topic: str,
    *,
    libraries: "Sequence[str | Path | Library]" = (),
    sources: Sequence[str] | None = None,
    offline: bool = False,
    fresh: bool = False,
    audience: "str | Audience" = "professional",
    packs: Path | None = None,
    outline: Sequence[str] | None = None,
    model: "str | LanguageModel | None" = None,
    base_url: str | None = None,
    edits: "Edits | None" = None,
    full_text: bool | None = None,
    drop_unsupported: bool = False,
    max_seconds: float | None = None,
    max_money: float | None = None,
    ledger: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> "Report":
    """Write a report on a topic; see `evidencegate.aio.report`."""
    return _run(
        aio.report(
            topic,
            libraries=libraries,
            sources=sources,
            offline=offline,
            fresh=fresh,
            audience=audience,
            packs=packs,
            outline=outline,
            model=model,
            base_url=base_url,
            edits=edits,
            full_text=full_text,
            drop_unsupported=drop_unsupported,
            max_seconds=max_seconds,
            max_money=max_money,
            ledger=ledger,
            progress=progress,
        )
    )


def resume(
    run: str,
    *,
    max_seconds: float | None = None,
    ledger: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> "Answer | Report | CounterReport | Checked":
    """Finish a run of `ask` without asking again for what it has; see `evidencegate.aio.resume`."""
    return _run(aio.resume(run, max_seconds=max_seconds, ledger=ledger, progress=progress))


def replay(
    run: str, *, ledger: str | None = None, progress: Callable[[str], None] | None = None
) -> "Answer | Report | CounterReport | Checked":
    """Make the answer or report of a run again from its ledger alone; see `evidencegate.aio.replay`."""
    return _run(aio.replay(run, ledger=ledger, progress=progress))


def check(
    text: str,
    against: "Iterable[Against] | Against | None" = None,
    *,
    libraries: "Sequence[str | Path | Library]" = (),
    offline: bool = False,
    model: "str | LanguageModel | None" = None,
    base_url: str | None = None,
    require_evidence_for_correct: bool = True,
) -> "Checked":
    """Check every claim of `text` against files, identifiers, documents or libraries, or its own citations.

    With neither `against` nor `libraries` the text is checked against what it cites, fetched by identifier unless
    `offline`. `model` (`provider:model`, at `base_url` where that is given) proposes claims and verdicts, which the
    gate decides on. See `evidencegate.verify.check` for what comes back.

    Raises:
        UserError: a source is neither a file nor an identifier nor a library, or there is no such model.
    """
    from evidencegate import verify
    from evidencegate._asking import model_of
    from evidencegate.sources import Mode, resolver

    proposer = model_of(model, base_url, replay=False) if model is None or isinstance(model, str) else model
    chosen = None if against is None and not libraries else [*_each(against), *aio.opened(libraries)]
    with resolver(mode=Mode.OFFLINE if offline else Mode.NORMAL) as resolve:
        return verify.check(
            text, chosen, resolve=resolve, model=proposer, require_evidence_for_correct=require_evidence_for_correct
        )


def counter(
    text: str,
    *,
    statement: str | None = None,
    libraries: "Sequence[str | Path | Library]" = (),
    sources: Sequence[str] | None = None,
    offline: bool = False,
    model: "str | LanguageModel | None" = None,
    base_url: str | None = None,
    overrules: "Sequence[Overrule]" = (),
    limit: int | None = None,
    ledger: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> "CounterReport":
    """Find what contradicts the claims of `text`, and prove that it does; see `evidencegate.aio.counter`."""
    return _run(
        aio.counter(
            text,
            statement=statement,
            libraries=libraries,
            sources=sources,
            offline=offline,
            model=model,
            base_url=base_url,
            overrules=overrules,
            limit=limit,
            ledger=ledger,
            progress=progress,
        )
    )


def _each(against: "Iterable[Against] | Against | None") -> "list[Against]":
    """One source as a list of one. A string is one source, not its letters; a library is one, not its documents."""
    if against is None:
        return []
    if isinstance(against, list | tuple | set | frozenset | Iterator):
        return list(against)
    return [against]  # type: ignore[list-item]  # what is none of the above is checked by name in `verify`


def _run(coroutine: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(coroutine)
