"""What an HTTP status, or the lack of one, means to a reader."""

import socket
import ssl
from collections.abc import Callable, Mapping

import httpx2

from evidencegate.settings import Settings
from evidencegate.sources._failure import Failure, NoSuchRecord, malformed, shown
from evidencegate.sources._limits import retry_after
from evidencegate.sources._secrets import caused_by
from evidencegate.sources._service import Service
from evidencegate.sources._types import Status


def http_failure(service: Service, code: int, headers: Mapping[str, str], words: str, *, missing: str = "") -> Failure:
    """The failure behind a status other than success.

    `words` is what the server said, already free of keys; `missing` is what 404 means where that is an answer.
    """
    title = service.title
    said = f": {words}" if words else ""
    wait = retry_after(headers)
    if code == 429:
        asked = f"; it asks to wait {wait:g} s" if wait else ""
        return Failure(Status.RATE_LIMITED, f"{title} says we ask too often (429){asked}", again=wait or 0.0)
    if code in (401, 402, 403, 407):
        hint = f"; check {service.key_setting}" if service.key_setting else ""
        return Failure(Status.REFUSED, f"{title} refused the request ({code}){hint}{said}")
    if code in (404, 410):
        if missing:
            return NoSuchRecord(missing)
        where = f"{title} has nothing at its address ({code}); check {service.url_setting}"
        return Failure(Status.UNREACHABLE, where)
    if code == 408 or code >= 500:
        again = None if code in (501, 505) else wait or 0.0
        return Failure(Status.UNREACHABLE, f"{title} answered with an error of its own ({code})", again=again)
    if 400 <= code < 500:
        return Failure(Status.BAD_QUERY, f"{title} did not understand the request ({code}){said}")
    return malformed(f"{title} answered with the unexpected status {code}")


def network_failure(
    service: Service, settings: Settings, error: httpx2.HTTPError, redact: Callable[[str], str]
) -> Failure:
    """The failure behind an error below HTTP. Where no connection opens, nobody is asked again: it is said at once."""
    title, host = service.title, _host(service, error)
    if isinstance(error, httpx2.TooManyRedirects):
        return Failure(Status.MALFORMED, f"{title} redirects in a circle")
    if isinstance(error, httpx2.UnsupportedProtocol):
        return malformed(f"{title} redirected to an address that is none")
    if isinstance(error, httpx2.DecodingError):
        return malformed(f"{title}'s reply cannot be unpacked")
    again: float | None = 0.0
    if isinstance(error, httpx2.ProxyError):
        said = shown(redact(str(error))) or "no reason given"
        reason, again = f"could not be reached through the proxy of the environment (HTTPS_PROXY): {said}", None
    elif caused_by(error, socket.gaierror):
        reason, again = f"could not be reached: the name {host} is not known (no network?)", None
    elif caused_by(error, ssl.SSLError):
        reason, again = f"could not be reached: no trusted, encrypted connection to {host}", None
    elif isinstance(error, httpx2.ConnectTimeout):
        reason, again = f"could not be reached: no connection within {settings.connect_seconds:g} s", None
    elif isinstance(error, httpx2.TimeoutException):
        reason = f"did not answer within {settings.read_seconds:g} s"
    elif isinstance(error, httpx2.ConnectError):
        # Nobody listens there, or no way leads there: that is so in the next second too.
        reason, again = f"could not be reached: {shown(redact(str(error))) or 'connection refused'}", None
    else:
        reason = "cut the connection before its reply was complete"
    return Failure(Status.UNREACHABLE, f"{title} {reason}", again=again)


def _host(service: Service, error: httpx2.HTTPError) -> str:
    """Who was asked at last: a redirect may have led elsewhere."""
    try:
        return error.request.url.host
    except RuntimeError:  # the error was made before there was a request
        return httpx2.URL(service.base).host
