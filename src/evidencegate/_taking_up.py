"""How a run of any command is done, closed as it ended, taken up again, and made again from its ledger alone."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from evidencegate.errors import BudgetExceeded, EvidenceGateError, InvalidInput

if TYPE_CHECKING:
    from evidencegate.runs import Ledger, Run, RunInfo

__all__ = ["closing", "do", "finish", "kept_step", "replayed", "resumed"]

T = TypeVar("T")


async def kept_step(
    run: "Run",
    name: str,
    inputs: Any,
    compute: Callable[[], Awaitable[T]],
    *,
    unpaid: Callable[[BudgetExceeded], T] | None = None,
) -> T:
    """A step of `run` whose value is kept as it is, JSON; one without `unpaid` asks nobody and needs no budget."""
    return await run.step(name, inputs, compute, dump=_same, load=_same, unpaid=unpaid, free=unpaid is None)


def _same(value: T) -> T:
    return value


@contextmanager
def closing(run: "Run") -> "Iterator[None]":
    """Close `run` as interrupted or failed where what is done inside does not come to its end."""
    from evidencegate.runs import RunStatus

    try:
        yield
    except (asyncio.CancelledError, KeyboardInterrupt):
        run.finish(None, RunStatus.INTERRUPTED)
        raise
    except BaseException:
        run.finish(None, RunStatus.FAILED)
        raise


def finish(run: "Run", shown: Mapping[str, Any], *, partial: bool | None = None) -> None:
    """Close `run` with what it showed; `partial` where that says so, else where its budget did not reach."""
    from evidencegate.runs import RunStatus

    short = run.short if partial is None else partial
    run.finish(shown, RunStatus.PARTIAL if short else RunStatus.DONE)


async def do(run: "Run", info: "RunInfo") -> Any:
    """Do what a run was begun for: an `Answer`, `Report`, `CounterReport`, `Checked` or `Searched`.

    Steps it has are read back.

    Raises:
        InvalidInput: it is a run of another command.
    """
    from evidencegate import _asking, _checking, _countering, _reporting, _searching

    if info.command == _reporting.COMMAND:
        return await _reporting.report_in(run, _reporting.Wanted.from_json(info.inputs))
    if info.command == _countering.COMMAND:
        return await _countering.examine_in(run, _countering.Examined.from_json(info.inputs))
    if info.command == _checking.COMMAND:
        return await _checking.check_in(run, _checking.Checking.from_json(info.inputs))
    if info.command == _asking.COMMAND:
        return await _asking.answer_in(run, _asking.Asked.from_json(info.inputs))
    if info.command == _searching.COMMAND:
        return await _searching.search_in(run, _searching.Searching.from_json(info.inputs))
    raise InvalidInput(
        f"run {info.id} was `{info.command}`; only runs of `ask`, `report`, `counter`, `check` and `search` can be "
        "taken up"
    )


async def resumed(kept: "Ledger", info: "RunInfo", run: "Run") -> Any:
    """Finish a run; one that is done is shown again."""
    from evidencegate.runs import Mode, Run, RunStatus

    if info.status is RunStatus.DONE:
        return await replayed(Run.again(kept, info.id, mode=Mode.REPLAY, watch=run.watch), info)
    kept.reopen(info.id)
    return await do(run, info)


async def replayed(run: "Run", info: "RunInfo") -> Any:
    """What a finished run showed, made again from its ledger alone.

    Raises:
        InvalidInput: the run showed nothing yet, or is of another command.
        EvidenceGateError: what comes out is not what was shown then.
    """
    if info.result is None:
        raise InvalidInput(f"run {info.id} is {info.status}: `evidencegate runs resume {info.id}` finishes it first")
    shown = await do(run, info)
    again = json.loads(json.dumps(_fields(shown)))
    if again != info.result:
        changed = sorted(name for name in {*again, *info.result} if again.get(name) != info.result.get(name))
        raise EvidenceGateError(
            f"the replay of run {info.id} differs from what was shown in: {', '.join(changed)}. EvidenceGate or its "
            f"models changed since; `evidencegate runs show {info.id} --json` has what was shown"
        )
    return shown


def _fields(shown: Any) -> Mapping[str, Any]:
    """As it stands in the ledger."""
    from evidencegate._searching import Searched
    from evidencegate.counter import CounterReport, counter_json
    from evidencegate.report import Answer, Report, answer_json, report_json
    from evidencegate.verify import checked_json

    if isinstance(shown, Searched):
        return shown.to_json()
    if isinstance(shown, Report):
        return report_json(shown)
    if isinstance(shown, Answer):
        return answer_json(shown)
    return counter_json(shown) if isinstance(shown, CounterReport) else checked_json(shown)
