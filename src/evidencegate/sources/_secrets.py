"""Keys: added to a request at the last moment, and taken out of everything that comes back.

The key is put in by the innermost transport, below the client, its log, its exceptions and the cache; none of
them ever holds a request with a key. Replies may still echo one (NCBI does, in error bodies and redirects), so
whatever is quoted or kept passes through `Redactor` first.
"""

import json
import logging
import re
import ssl
import urllib.request
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

import httpx2

if TYPE_CHECKING:
    from pydantic import SecretStr

REDACTED = "[key]"


class Placement(StrEnum):
    """Where a service expects its key."""

    PARAMETER = "parameter"
    BEARER = "bearer"


@dataclass(frozen=True, slots=True)
class Credential:
    """A key, and the one service it may be sent to."""

    base: str
    """Address of the service; the key goes to addresses below it and nowhere else."""
    placement: Placement
    parameter: str
    secret: "SecretStr"

    def belongs_to(self, url: httpx2.URL) -> bool:
        """Whether `url` is an address of the service."""
        base = httpx2.URL(self.base)
        path = base.path.rstrip("/")
        return origin(url) == origin(base) and (url.path == path or url.path.startswith(f"{path}/"))

    def sign(self, request: httpx2.Request) -> httpx2.Request:
        """A copy of `request` with the key in it."""
        secret = self.secret.get_secret_value()
        headers = request.headers.copy()
        url, content = request.url, request.content
        if self.placement is Placement.BEARER:
            headers["Authorization"] = f"Bearer {secret}"
        elif request.method == "POST":
            # E-utilities read a POST's parameters from its body only.
            content = content + f"&{self.parameter}={quote_plus(secret)}".encode()
            headers["Content-Length"] = str(len(content))
        else:
            url = url.copy_set_param(self.parameter, secret)
        return httpx2.Request(request.method, url, headers=headers, content=content, extensions=request.extensions)


class Redactor:
    """Replaces every known key, in every spelling a server may echo it in."""

    def __init__(self, secrets: Iterable["SecretStr"]) -> None:
        spellings: set[str] = set()
        for secret in secrets:
            raw = secret.get_secret_value()
            encoded = b64encode(raw.encode()).decode()
            spellings |= {raw, quote(raw, safe=""), quote(raw), quote_plus(raw), escape(raw), encoded}
            spellings.add(json.dumps(raw)[1:-1])
        # The longest first, so that no spelling is left half replaced by one that it contains.
        ordered = sorted(filter(None, spellings), key=len, reverse=True)
        pattern = "|".join(map(re.escape, ordered)) or r"(?!)"
        self._text = re.compile(pattern, re.IGNORECASE)
        self._bytes = re.compile(pattern.encode(), re.IGNORECASE)

    def text(self, text: str) -> str:
        """`text` with `[key]` in place of every key."""
        return self._text.sub(REDACTED, text)

    def bytes(self, content: bytes) -> bytes:
        """`content` with `[key]` in place of every key."""
        return self._bytes.sub(REDACTED.encode(), content)


class LogFilter(logging.Filter):
    """Takes keys out of what the HTTP library logs; at its finest level it logs every header, redirects included."""

    LOGGERS = ("httpx2", "httpcore2.connection", "httpcore2.http11", "httpcore2.http2", "httpcore2.proxy")

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through, free of keys."""
        record.msg, record.args = self._redactor.text(record.getMessage()), ()
        return True

    def attach(self) -> None:
        """Begin."""
        for name in self.LOGGERS:
            logging.getLogger(name).addFilter(self)

    def detach(self) -> None:
        """End."""
        for name in self.LOGGERS:
            logging.getLogger(name).removeFilter(self)


def origin(url: httpx2.URL | str) -> str:
    """`scheme://host:port` of an address, with the port always written out."""
    parsed = httpx2.URL(url)
    return f"{parsed.scheme}://{parsed.host}:{parsed.port or (443 if parsed.scheme == 'https' else 80)}"


class NoWayOut(Exception):
    """The environment names a proxy or certificates that cannot be used; the message says what to do, no values."""


def caused_by(error: BaseException, kind: type[BaseException]) -> bool:
    """Whether `kind` stands behind an error of the HTTP library."""
    seen: BaseException | None = error
    for _ in range(8):
        if seen is None:
            return False
        if isinstance(seen, kind):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


@cache
def _certificates() -> ssl.SSLContext:
    """The trusted certificates, read once a process: it takes longer than many a request."""
    try:
        return httpx2.create_ssl_context()
    except OSError:  # a missing file, or one that holds no certificates
        raise NoWayOut(
            "the certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read; correct or unset it"
        ) from None


def _proxied(scheme: str, proxy: str, limits: httpx2.Limits) -> httpx2.AsyncHTTPTransport:
    """A way through a proxy as the environment names it: `host:port` will do, as for other programs."""
    variable = f"{scheme}_proxy".upper()
    try:
        return httpx2.AsyncHTTPTransport(
            verify=_certificates(), proxy=proxy if "://" in proxy else f"http://{proxy}", limits=limits
        )
    except ImportError:
        raise NoWayOut(
            f"{variable} names a SOCKS proxy, which needs one more package: python3 -m pip install socksio"
        ) from None
    except (ValueError, httpx2.InvalidURL):
        raise NoWayOut(f"{variable} names no proxy that can be used; write it as http://host:port") from None


class SigningTransport(httpx2.AsyncBaseTransport):
    """The innermost transport: picks the proxy of the environment, and signs what goes to a key's own service.

    Raises:
        NoWayOut: (when it is made) the environment's proxy or certificates cannot be used.
    """

    def __init__(
        self,
        credentials: Iterable[Credential],
        *,
        transport: httpx2.AsyncBaseTransport | None = None,
        limits: httpx2.Limits | None = None,
    ) -> None:
        self._credentials = tuple(credentials)
        limits = limits or httpx2.Limits()
        self._direct = transport or httpx2.AsyncHTTPTransport(verify=_certificates(), limits=limits)
        self._proxied: dict[str, httpx2.AsyncBaseTransport] = {}
        if transport is None:
            proxies = urllib.request.getproxies()
            # What `all_proxy` names is for whatever has no proxy of its own.
            self._proxied = {
                scheme: _proxied(name, proxies[name], limits)
                for scheme in ("http", "https")
                if (name := next((name for name in (scheme, "all") if name in proxies), ""))
            }

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request`, signed if its service has a key; what comes back names no key in its headers."""
        credential = next((known for known in self._credentials if known.belongs_to(request.url)), None)
        if credential is None:
            return await self._sent(request)
        return _without_echo(await self._sent(credential.sign(request)), credential)

    async def _sent(self, request: httpx2.Request) -> httpx2.Response:
        proxied = self._proxied.get(request.url.scheme)
        if proxied is None or urllib.request.proxy_bypass(request.url.host):
            return await self._direct.handle_async_request(request)
        try:
            return await proxied.handle_async_request(request)
        except httpx2.ConnectError as error:
            if caused_by(error, ssl.SSLError):  # the proxy led there
                raise
            raise httpx2.ProxyError("it does not answer") from None

    async def aclose(self) -> None:
        """Close every connection."""
        for transport in (self._direct, *self._proxied.values()):
            await transport.aclose()


def _without_echo(response: httpx2.Response, credential: Credential) -> httpx2.Response:
    """A redirect that repeats the key would put it into the next request's address, and so into the log."""
    redactor = Redactor([credential.secret])
    location = response.headers.get("location")
    if location and redactor.text(location) != location:
        target = httpx2.URL(location)
        target = target.copy_remove_param(credential.parameter) if credential.parameter else target
        response.headers["location"] = redactor.text(str(target))
    return response
