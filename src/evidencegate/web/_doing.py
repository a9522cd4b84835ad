"""What a job does: the run of a command, begun, taken up, or shown again, as `evidencegate.aio` does it."""

from typing import Any

from evidencegate.runs import Ledger, Mode, Run, RunInfo


async def do(run: Run, info: RunInfo) -> None:
    """Do what a run was begun for. New or taken up: the steps it has are read back."""
    from evidencegate import _asking, _checking, _countering, _reporting

    if info.command == _reporting.COMMAND:
        await _reporting.report_in(run, _reporting.Wanted.from_json(info.inputs))
    elif info.command == _countering.COMMAND:
        await _countering.examine_in(run, _countering.Examined.from_json(info.inputs))
    elif info.command == _checking.COMMAND:
        await _checking.check_in(run, _checking.Checking.from_json(info.inputs))
    else:
        await _asking.answer_in(run, _asking.resumable(info))


async def shown(ledger: Ledger, run: str) -> Any:
    """The `Answer`, `Report`, `CounterReport` or `Checked` of a run, made again from its ledger alone.

    Raises:
        InvalidInput: it has shown nothing yet.
        EvidenceGateError: what comes out is not what was shown.
    """
    from evidencegate import _asking, _checking, _countering, _reporting

    info = ledger.get(run)
    again = Run.again(ledger, run, mode=Mode.REPLAY)
    if info.command == _reporting.COMMAND:
        return await _reporting.replayed(again, info)
    if info.command == _countering.COMMAND:
        return await _countering.replayed(again, info)
    if info.command == _checking.COMMAND:
        return await _checking.replayed(again, info)
    return await _asking.replayed(again, info)
