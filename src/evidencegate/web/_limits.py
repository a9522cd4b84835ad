"""Limits: how much a body may hold, and how much work one owner may ask for."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.types import Message, Receive

from evidencegate.web._problems import Refused

_REMEMBERED = 10_000
"""So many owners are kept in mind; the one heard of longest ago is forgotten first, which costs nobody anything."""


class Rate:
    """A bucket for each owner: `burst` requests at once, then as many as flow back in a minute."""

    def __init__(self, per_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst = float(per_minute)
        self._flow = per_minute / 60
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, owner: str) -> float:
        """Take one; 0 where it was there, else the seconds until it is."""
        now = self._clock()
        with self._lock:
            level, at = self._buckets.pop(owner, (self._burst, now))
            level = min(self._burst, level + (now - at) * self._flow)
            wait = 0.0 if level >= 1 else (1 - level) / self._flow
            self._buckets[owner] = (level - 1 if wait == 0 else level, now)
            if len(self._buckets) > _REMEMBERED:
                self._buckets.popitem(last=False)
        return wait


def limited(receive: Receive, most: int) -> Receive:
    """`receive` that refuses a body beyond `most` bytes, whatever its length was said to be."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > most:
                raise too_large(most)
        return message

    return counted


def too_large(most: int) -> Refused:
    """What is said to a body that is."""
    return Refused("too-large", f"At most {most:,} bytes are taken here. Send less at once, or split it.")
