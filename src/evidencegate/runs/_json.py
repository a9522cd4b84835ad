"""A run as the fields of `runs show --json` (spec 5.14)."""

from typing import Any

from evidencegate.runs._ledger import Ledger


def run_json(ledger: Ledger, run: str) -> dict[str, Any]:
    """What was asked, what happened, which steps were done, and what was shown.

    Raises:
        UnknownName: there is no such run.
    """
    info = ledger.get(run)
    return {
        "run": info.to_json(),
        "events": [
            {"n": e.n, "at": e.at, "kind": e.kind, "message": e.message, "data": dict(e.data)}
            for e in ledger.events(run)
        ],
        "steps": [name for name, _ in ledger.steps(run)],
        "result": None if info.result is None else dict(info.result),
    }
