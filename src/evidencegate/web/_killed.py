"""What a run took that could not say so itself."""

from collections.abc import Iterable
from datetime import datetime

from evidencegate.runs import Event, Usage


def lost(events: Iterable[Event]) -> Usage:
    """What a run took that was killed and could not say so: the seconds from its beginning to its last event."""
    began = last = None
    for event in events:
        last = event.at
        began = event.at if event.kind == "started" else began
    if began is None or last is None:
        return Usage()
    return Usage(seconds=(datetime.fromisoformat(last) - datetime.fromisoformat(began)).total_seconds())
