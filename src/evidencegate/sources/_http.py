"""The one way out: every request of every source goes through `Client.ask`."""

import asyncio
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import urlencode

import httpx2

from evidencegate._version import __version__
from evidencegate.settings import Settings, load
from evidencegate.sources._cache import Kept, Mode, ReplyCache, cache_key
from evidencegate.sources._classify import http_failure, network_failure
from evidencegate.sources._failure import Failure, malformed, shown
from evidencegate.sources._limits import Limiter, limiter
from evidencegate.sources._markup import page_words
from evidencegate.sources._reply import Reply
from evidencegate.sources._secrets import LogFilter, NoWayOut, Redactor, SigningTransport
from evidencegate.sources._service import Service, services
from evidencegate.sources._shared import Shared
from evidencegate.sources._types import Status

T = TypeVar("T")

_MAX_REDIRECTS = 5
_RETRY_MAX_SECONDS = 10.0
_ERROR_BODY_BYTES = 64 * 1024
# When the running search must be over, on the loop's clock.
_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Give everything asked inside, in this task and the tasks it starts, `seconds` altogether."""
    until = None if seconds is None else asyncio.get_running_loop().time() + seconds
    outer = _deadline.get()
    token = _deadline.set(outer if until is None or (outer is not None and outer < until) else until)
    try:
        yield
    finally:
        _deadline.reset(token)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request to a service, without key and etiquette. `form` and `json` make it a POST."""

    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] | None = None
    json: str | None = None
    accept: str = "application/json"
    missing: str = ""
    """Where 404 is an answer ("no such record"), the answer in words."""
    paid: bool = False
    """It costs money: asked again only where the service says that it did nothing."""


@dataclass(slots=True)
class Traffic:
    """What a client has done so far."""

    requests: int = 0
    bytes: int = 0
    from_cache: int = 0


class Client:
    """An HTTP client for all services, under one set of settings. Use it as an asynchronous context.

    It belongs to the event loop it is first used in. `transport` replaces the network (tests, other proxies).
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        mode: Mode = Mode.NORMAL,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self.settings = settings or load()
        self.mode = mode
        self.services = services(self.settings)
        self.traffic = Traffic()
        self._redactor = Redactor(s.credential.secret for s in self.services.values() if s.credential)
        self._log_filter = LogFilter(self._redactor)
        self._cache = ReplyCache(self.settings.cache_dir, days=self.settings.cache_days)
        self._transport = transport
        self._http: httpx2.AsyncClient | None = None
        self._flights: dict[tuple[str, bool], Shared[Reply]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close connections and cache. The client may be used again."""
        if self._http is not None:
            await self._http.aclose()
            self._http = None
            self._log_filter.detach()
        await self._cache.aclose()

    def redact(self, text: str) -> str:
        """`text` without any key."""
        return self._redactor.text(text)

    async def ask(self, service: Service, request: Request, parse: Callable[[Reply], T], *, anew: bool = False) -> T:
        """Send `request`, or find its reply among those kept, and make something of it.

        `parse` raises `Failure` for what it cannot use; such a reply is not kept, and asked for again where that
        may help. `anew` passes over what is kept, as `Mode.FRESH` does for everything.

        Raises:
            Failure: why there is no answer.
        """
        key = cache_key(
            service.base,
            request.path,
            urlencode(request.params),
            urlencode(request.form or {}),
            request.json or "",
        )
        if self.mode is Mode.OFFLINE or not (anew or self.mode is Mode.FRESH):
            kept = await self._cache.get(key, any_age=self.mode is Mode.OFFLINE)
            if kept is not None:
                reply = Reply(service.title, kept.content, kept.content_type, kept.asked_at, from_cache=True)
                try:
                    made_of_it = parse(reply)
                except Failure:
                    # What was understood once, by another version or before the disk lost a part of it.
                    if self.mode is Mode.OFFLINE:
                        raise
                else:
                    self.traffic.from_cache += 1
                    return made_of_it
        if self.mode is Mode.OFFLINE:
            raise Failure(Status.NOT_ASKED, f"{service.title} was not asked: offline, and no earlier reply is kept")
        made: list[T] = []  # empty where another's request brought the reply
        try:
            async with asyncio.timeout_at(_deadline.get()):
                reply = await self._shared((key, anew), service, request, lambda reply: made.append(parse(reply)))
        except TimeoutError:
            raise Failure(
                Status.UNREACHABLE, f"{service.title} had not answered when the time allowed for it was over"
            ) from None
        return made[0] if made else parse(reply)

    async def _shared(
        self, key: tuple[str, bool], service: Service, request: Request, parse: Callable[[Reply], object]
    ) -> Reply:
        """The reply to a request, which is sent once for all who want it at the same time.

        Searches side by side broaden to the same query; a service that allows three requests a second should not
        get it three times. It is given up when nobody waits for it any more.
        """
        flight = self._flights.get(key)
        if flight is None:
            answered = self._kept(key[0], service, request, parse)
            flight = self._flights[key] = Shared(answered, done=lambda: self._flights.pop(key, None))
        return await flight.result()

    async def _kept(self, key: str, service: Service, request: Request, parse: Callable[[Reply], object]) -> Reply:
        reply = await self._until_answered(service, request, parse)
        await self._cache.put(key, Kept(reply.content, reply.content_type, reply.asked_at))
        return reply

    async def _until_answered(self, service: Service, request: Request, parse: Callable[[Reply], object]) -> Reply:
        settings = self.settings
        credential = service.credential.secret.get_secret_value() if service.credential else ""
        gate = limiter(service.base, credential, service.rate)
        attempt = 1
        while True:
            try:
                reply = await self._send(service, request, gate)
                parse(reply)
                return reply
            except Failure as failure:
                again = failure.again
                if request.paid and failure.status is not Status.RATE_LIMITED:
                    raise  # it may have been carried out, and would be charged twice
                if again is None or attempt >= settings.attempts or again > settings.retry_after_seconds:
                    raise
                backoff = min(settings.retry_seconds * 2 ** (attempt - 1), _RETRY_MAX_SECONDS)
            # Full jitter on our own pauses, so that many clients do not come back together; what a server asked
            # for is waited out and a little more.
            await asyncio.sleep(again + random.uniform(0, backoff))  # noqa: S311
            attempt += 1

    async def _send(self, service: Service, request: Request, gate: Limiter) -> Reply:
        left = await gate.wait(self.settings.retry_after_seconds)
        if left:
            # It told another of our requests so; this one would only be told the same.
            raise Failure(Status.RATE_LIMITED, f"{service.title} is not to be asked for another {left:.0f} s")
        self.traffic.requests += 1
        asked_at = datetime.now(UTC).isoformat(timespec="seconds")
        limit = self.settings.request_seconds
        try:
            async with asyncio.timeout(limit):
                http = self._opened()
                response = await http.send(self._built(http, service, request), stream=True)
                async with aclosing(response):
                    gate.obey(response.headers)
                    # Before anything else sees it: services repeat the key in replies of every kind.
                    content = self._redactor.bytes(await self._read(service, response))
        except Failure:
            raise
        except NoWayOut as error:
            raise Failure(Status.UNREACHABLE, f"{service.title} could not be reached: {error}") from None
        except TimeoutError:
            raise Failure(Status.UNREACHABLE, f"{service.title} did not finish its reply within {limit:g} s") from None
        except httpx2.InvalidURL:
            raise malformed(f"{service.title} redirected to an address that is none") from None
        except httpx2.HTTPError as error:
            raise network_failure(service, self.settings, error, self.redact) from None
        except Exception as error:  # noqa: BLE001  # what a server makes the HTTP library stumble over is its failure
            raise malformed(f"{service.title} sent what cannot be read as HTTP ({type(error).__name__})") from None
        reply = Reply(service.title, content, response.headers.get("content-type", ""), asked_at)
        if not response.is_success:
            words = shown(page_words(reply.text))
            failure = http_failure(service, response.status_code, response.headers, words, missing=request.missing)
            if failure.again:
                gate.pause(failure.again)
            raise failure
        return reply

    def _opened(self) -> httpx2.AsyncClient:
        if self._http is None:
            self._log_filter.attach()
            settings = self.settings
            credentials = [s.credential for s in self.services.values() if s.credential]
            self._http = httpx2.AsyncClient(
                transport=SigningTransport(credentials, transport=self._transport),
                headers={
                    "User-Agent": f"{settings.tool}/{__version__} (+https://github.com/evidencegate/evidencegate)"
                },
                timeout=httpx2.Timeout(settings.read_seconds, connect=settings.connect_seconds),
                # Nobody needs one here, and one that cannot be written down again would spoil every later request.
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
                follow_redirects=True,
                max_redirects=_MAX_REDIRECTS,
            )
        return self._http

    async def _read(self, service: Service, response: httpx2.Response) -> bytes:
        cap = self.settings.max_reply_bytes if response.is_success else _ERROR_BODY_BYTES
        content = bytearray()
        async for chunk in response.aiter_bytes():
            content += chunk
            if len(content) > cap:
                if not response.is_success:
                    break
                raise Failure(
                    Status.MALFORMED,
                    f"{service.title}'s reply is larger than {cap / 2**20:g} MiB and was not read",
                )
        self.traffic.bytes += len(content)
        return bytes(content)

    def _built(self, http: httpx2.AsyncClient, service: Service, request: Request) -> httpx2.Request:
        url, accept = service.base + request.path, {"Accept": request.accept}
        if request.form is not None:
            accept["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode({**request.form, **service.etiquette})
            return http.build_request("POST", url, content=body, headers=accept)
        if request.json is not None:
            accept["Content-Type"] = "application/json"
            return http.build_request("POST", url, content=request.json, headers=accept)
        return http.build_request("GET", url, params={**request.params, **service.etiquette}, headers=accept)
