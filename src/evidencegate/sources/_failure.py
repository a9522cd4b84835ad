"""How a request fails, inside this room. Outside it, failures are values: `SearchRecord`, `Unavailable`."""

from evidencegate.sources._types import Status

_BODY_SHOWN = 200


class Failure(Exception):
    """One request that brought nothing usable.

    `status` is how it is logged; `reason` is in words for a reader, already free of keys. `again` says whether
    asking once more may help: None for no, 0 for the usual pause, else the seconds the server asked for.
    """

    def __init__(self, status: Status, reason: str, *, again: float | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.again = again


class NoSuchRecord(Failure):
    """The source was reached and has no record under the identifier."""

    def __init__(self, reason: str) -> None:
        super().__init__(Status.EMPTY, reason)


def malformed(reason: str) -> Failure:
    """A reply that is not what the service promises. Asked once more: proxies and overload often cause it."""
    return Failure(Status.MALFORMED, reason, again=0.0)


def shown(text: str) -> str:
    """A stretch of a server's own words for a reason: one line, printable, short."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _BODY_SHOWN else line[: _BODY_SHOWN - 1] + "…"
