"""Rates: one limiter per host and credential, lowered or paused by what the server's headers say."""

import asyncio
import email.utils
import hashlib
import math
import time
from collections.abc import Mapping
from datetime import UTC
from weakref import WeakKeyDictionary

from aiolimiter import AsyncLimiter

# The longest a server can stop us by a header alone; more is for `Retry-After` handling to decide.
_LONGEST_PAUSE = 60.0
# The lowest rate a header can set, for the same reason.
_SLOWEST = 1 / _LONGEST_PAUSE


def retry_after(headers: Mapping[str, str], *, now: float | None = None) -> float | None:
    """Seconds the server asks to wait (RFC 9110 10.2.3: a number or a date); None where it says nothing usable."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = email.utils.parsedate_to_datetime(value)
            # The oldest of the three forms names no zone, and all three are in UTC.
            stamp = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            return None
        seconds = stamp - (time.time() if now is None else now)
    # `nan` and `inf` are floats to Python, and no instruction to anyone.
    return max(0.0, seconds) if seconds < float("inf") else None


class Limiter:
    """Spaces requests evenly at `rate` a second.

    Evenly, not in bursts: a bucket that lets 3 through at once and then refills at 3 a second sends 6 within the
    first second, and NCBI counts.
    """

    def __init__(self, rate: float) -> None:
        self._ceiling = rate
        self._set(rate)
        self._resume_at = 0.0

    def _set(self, rate: float) -> None:
        self.rate = rate
        self._limiter = AsyncLimiter(1, 1 / rate)

    async def wait(self, longest: float = math.inf) -> float:
        """Return 0 when the next request may be sent; at once, the seconds left, in a pause of more than `longest`."""
        loop = asyncio.get_running_loop()
        await self._limiter.acquire()
        # A pause may be prolonged while it is waited for, hence again and again; there is no event to wait on.
        while (pause := self._resume_at - loop.time()) > 0:
            if pause > longest:
                return pause
            await asyncio.sleep(pause)
        return 0.0

    def pause(self, seconds: float) -> None:
        """Hold everything for this host back for `seconds`."""
        resume_at = asyncio.get_running_loop().time() + min(seconds, _LONGEST_PAUSE)
        self._resume_at = max(self._resume_at, resume_at)

    def obey(self, headers: Mapping[str, str]) -> None:
        """Take over a lower rate (`X-Rate-Limit-Limit` per `-Interval`) or an empty allowance (`RateLimit-*`)."""
        limit = _number(headers.get("x-rate-limit-limit"))
        interval = _number(headers.get("x-rate-limit-interval", "").removesuffix("s"))
        if limit and interval:
            rate = max(_SLOWEST, min(self._ceiling, limit / interval))
            if rate != self.rate:
                self._set(rate)
        if _number(headers.get("ratelimit-remaining")) == 0 and (reset := _number(headers.get("ratelimit-reset"))):
            self.pause(reset)


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


# Limiters belong to a loop (their waiters are its futures) and are shared by every client in it: two clients with
# the same key are one customer to the server.
_LIMITERS: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, str], Limiter]] = WeakKeyDictionary()


def limiter(service: str, credential: str, rate: float) -> Limiter:
    """The limiter of a service (by its address) and credential in the running loop; the key is kept as a digest."""
    key = (service, hashlib.sha256(credential.encode()).hexdigest())
    return _LIMITERS.setdefault(asyncio.get_running_loop(), {}).setdefault(key, Limiter(rate))
