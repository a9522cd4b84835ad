"""The calls a user needs, in their plain synchronous form. Each is its awaitable twin in `evidencegate.aio`, run."""

from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from evidencegate import aio
from evidencegate._interrupts import run

if TYPE_CHECKING:
    from evidencegate.library import Library
    from evidencegate.models.language import LanguageModel
    from evidencegate.verify import Against, Checked

__all__ = ["ask", "check", "counter", "replay", "report", "resume"]

P = ParamSpec("P")
T = TypeVar("T")


def _plain(awaitable: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """The same call, waited for: its parameters, types and documentation are written once, at its twin."""

    @wraps(awaitable)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return run(awaitable(*args, **kwargs))

    call.__module__ = __name__
    return call


ask = _plain(aio.ask)
report = _plain(aio.report)
counter = _plain(aio.counter)
resume = _plain(aio.resume)
replay = _plain(aio.replay)


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
    from evidencegate._means import model_of
    from evidencegate._places import each, opened
    from evidencegate.sources import Mode, resolver

    proposer = model_of(model, base_url, offline=offline)
    shelves = each(libraries)
    chosen = None if against is None and not shelves else [*_each(against), *opened(shelves)]
    with resolver(mode=Mode.OFFLINE if offline else Mode.NORMAL) as resolve:
        return verify.check(
            text, chosen, resolve=resolve, model=proposer, require_evidence_for_correct=require_evidence_for_correct
        )


def _each(against: "Iterable[Against] | Against | None") -> "list[Against]":
    """One source as a list of one. A string is one source, not its letters; a library is one, not its documents."""
    if against is None:
        return []
    if isinstance(against, list | tuple | set | frozenset | Iterator):
        return [str(one) if isinstance(one, int) else one for one in against]
    if isinstance(against, int):  # a PMID, as tables give it
        return [str(against)]
    return [against]  # type: ignore[list-item]  # what is none of the above is checked by name in `verify`
