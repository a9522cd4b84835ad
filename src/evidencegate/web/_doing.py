"""What a job does: the run of a command, begun, taken up, or shown again, as `evidencegate.aio` does it."""

from typing import Any

from evidencegate._taking_up import do, replayed
from evidencegate.runs import Ledger, Mode, Run

__all__ = ["do", "shown"]


async def shown(ledger: Ledger, run: str) -> Any:
    """The `Answer`, `Report`, `CounterReport` or `Checked` of a run, made again from its ledger alone.

    Raises:
        InvalidInput: it has shown nothing yet.
        EvidenceGateError: what comes out is not what was shown.
    """
    return await replayed(Run.again(ledger, run, mode=Mode.REPLAY), ledger.get(run))
