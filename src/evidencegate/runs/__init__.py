"""Runs: what happened, in a ledger that survives a kill; steps done once; budgets that hold."""

from evidencegate.runs._json import run_json
from evidencegate.runs._ledger import Ledger, now
from evidencegate.runs._limits import Limits
from evidencegate.runs._run import Mode, ReplayIncomplete, Run
from evidencegate.runs._types import Budget, Event, RunInfo, RunStatus, Usage

__all__ = [
    "Budget",
    "Event",
    "Ledger",
    "Limits",
    "Mode",
    "ReplayIncomplete",
    "Run",
    "RunInfo",
    "RunStatus",
    "Usage",
    "now",
    "run_json",
]
