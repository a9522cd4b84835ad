"""Who asks, and whether the request may be believed: hosts, sites, cookies, tokens, and the headers of every reply."""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from math import ceil
from typing import Final
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evidencegate.web._limits import Rate, limited, too_large
from evidencegate.web._problems import Refused, reply
from evidencegate.web._settings import WebSettings, digest

LOCAL: Final = "local"
"""Owner of what programs of this machine ask for without a cookie."""
_COOKIE_SECONDS = 365 * 86_400
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS: Final = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
"""Of every reply."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks. `session` is what their cookie says, and what tokens of forms are bound to."""

    owner: str | None
    """None: nobody we know, on a server that wants a token."""
    session: str = ""
    fresh: bool = False
    """Whether the cookie has yet to be set."""


class Signer:
    """Signs what cookies and forms carry."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def sign(self, purpose: str, value: str) -> str:
        """The signature of a value, for one purpose alone."""
        mac = hmac.new(self._secret, f"{purpose}\0{value}".encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(mac).rstrip(b"=").decode()

    def seal(self, purpose: str, value: str) -> str:
        """The value with its signature."""
        return f"{value}.{self.sign(purpose, value)}"

    def open(self, purpose: str, sealed: str) -> str | None:
        """The value, if it is ours."""
        value, _, signature = sealed.rpartition(".")
        return value if value and self.verify(purpose, value, signature) else None

    def verify(self, purpose: str, value: str, signature: str) -> bool:
        """Whether the signature is ours, in constant time."""
        return hmac.compare_digest(self.sign(purpose, value).encode(), signature.encode("utf-8", "replace"))


class Gatekeeper:
    """Knows visitors by cookie or token."""

    def __init__(self, settings: WebSettings, secret: bytes) -> None:
        self._settings = settings
        self._signer = Signer(secret)
        # Cookies do not tell ports apart: two servers of one machine must not overwrite each other's.
        self._cookie = f"evidencegate-{settings.port}"

    def visitor(self, headers: Headers, cookies: dict[str, str], *, page: bool) -> Visitor:
        """Who sent these headers; whoever looks at pages gets a session of their own where none is needed to enter."""
        if self._settings.tokens:
            return self._known(headers, cookies)
        session = self._signer.open("session", cookies.get(self._cookie, ""))
        if session is not None and session.startswith("s-"):
            return Visitor(f"session:{session}", session)
        if not page:
            return Visitor(LOCAL, LOCAL)
        made = f"s-{secrets.token_urlsafe(18)}"
        return Visitor(f"session:{made}", made, fresh=True)

    def _known(self, headers: Headers, cookies: dict[str, str]) -> Visitor:
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            name = self._settings.tokens.get(digest(token))
            return Visitor(name, f"u-{name}") if name else Visitor(None)
        session = self._signer.open("session", cookies.get(self._cookie, ""))
        if session is not None and session.startswith("u-"):
            # The digest of the token stands in the cookie: a token taken away takes its sessions along.
            name = self._settings.tokens.get(session.rpartition("-")[2])
            if name is not None:
                return Visitor(name, session)
        return Visitor(None)

    def sign_in(self, token: str) -> Visitor | None:
        """The visitor whom a token makes; None where it is nobody's."""
        key = digest(token)
        name = self._settings.tokens.get(key)
        return None if name is None else Visitor(name, f"u-{name}-{key}", fresh=True)

    def cookie(self, visitor: Visitor) -> str:
        """The `Set-Cookie` of a visitor."""
        return self._set(self._signer.seal("session", visitor.session), _COOKIE_SECONDS)

    def farewell(self) -> str:
        """The `Set-Cookie` that ends a session."""
        return self._set("", 0)

    def _set(self, value: str, seconds: int) -> str:
        secure = "; Secure" if self._settings.https else ""
        return f"{self._cookie}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"

    def form_token(self, visitor: Visitor) -> str:
        """What a form of this visitor carries."""
        return self._signer.sign("form", visitor.session)

    def is_form_token(self, visitor: Visitor, token: str) -> bool:
        """Whether it is."""
        return self._signer.verify("form", visitor.session, token)


def visitor(request: Request) -> Visitor:
    """Who asks; set by `Guard` for every request."""
    found: Visitor = request.state.visitor
    return found


def owner(request: Request) -> str:
    """The owner of what this request asks for: a dependency of every route that has to do with runs.

    Raises:
        Refused: 401, where the server wants a token and none that it knows was given.
    """
    name = visitor(request).owner
    if name is None:
        raise Refused("not-signed-in", "Send a token as `Authorization: Bearer …`.", {"WWW-Authenticate": "Bearer"})
    return name


def csrf_token(request: Request) -> str:
    """What every form of a page carries as `csrf_token`."""
    gatekeeper: Gatekeeper = request.app.state.gatekeeper
    return gatekeeper.form_token(visitor(request))


async def csrf(request: Request) -> None:
    """Refuse a form that does not come from a page of ours: a dependency of every page route with POST.

    Raises:
        Refused: 403; the token is missing or another session's.
    """
    given = request.headers.get("x-csrf-token") or (await request.form()).get("csrf_token")
    gatekeeper: Gatekeeper = request.app.state.gatekeeper
    if not isinstance(given, str) or not gatekeeper.is_form_token(visitor(request), given):
        raise Refused("forbidden", "The form has expired. Load the page again and send it once more.")


def spend(request: Request) -> None:
    """Count a request that costs work, though it is no POST: a dependency.

    Raises:
        Refused: 429; `Retry-After` says when to come again.
    """
    _take(request.app.state.rate, visitor(request), request.client.host if request.client else "")


def _take(rate: Rate, who: Visitor, address: str) -> None:
    wait = rate.take(who.owner or f"address:{address}")
    if wait > 0:
        seconds = ceil(wait)
        raise Refused("too-many-requests", f"Come again in {seconds} s.", {"Retry-After": str(seconds)})


class Guard:
    """Around everything: what it turns away reaches no route; what comes back carries the headers."""

    def __init__(self, app: ASGIApp, settings: WebSettings, gatekeeper: Gatekeeper, rate: Rate) -> None:
        self._app = app
        self._settings = settings
        self._gatekeeper = gatekeeper
        self._rate = rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        path = request.url.path
        page = not path.startswith(("/api/", "/static/"))
        who = self._gatekeeper.visitor(request.headers, request.cookies, page=page)
        scope.setdefault("state", {})["visitor"] = who

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not path.startswith("/static/"):
                    headers.setdefault("cache-control", "no-store")
                if who.fresh and "set-cookie" not in headers:
                    headers.append("set-cookie", self._gatekeeper.cookie(who))
            await send(message)

        try:
            self._look_at(request, who)
        except Refused as refused:
            await reply(request, refused)(scope, receive, sent)
            return
        if scope["method"] == "HEAD" and not path.endswith("/events"):  # whose stream would be followed for nothing
            scope = {**scope, "method": "GET"}  # the server, which has its own scope, leaves the body out
        await self._app(scope, limited(receive, self._most(request)), sent)

    def _look_at(self, request: Request, who: Visitor) -> None:
        known = self._settings.known_hosts
        if known and (_host(request.headers.get("host", "")) not in known):
            raise Refused("wrong-host", f"This server is known as {', '.join(sorted(known))}; see --allow-host.")
        if request.method in _SAFE:
            return
        self._same_site(request)
        length = request.headers.get("content-length", "0")
        most = self._most(request)
        if length.isdigit() and int(length) > most:
            raise too_large(most)
        _take(self._rate, who, request.client.host if request.client else "")

    def _same_site(self, request: Request) -> None:
        """A browser says from where a request comes. Programs say nothing, and carry no cookie they were not given."""
        origin = request.headers.get("origin")
        foreign = request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
        if origin is not None and urlsplit(origin).netloc.lower() != request.headers.get("host", "").lower():
            foreign = True
        if foreign:
            raise Refused("forbidden", "The request comes from a page of another site.")

    def _most(self, request: Request) -> int:
        upload = request.headers.get("content-type", "").lower().startswith("multipart/form-data")
        return self._settings.max_upload_bytes if upload else self._settings.max_body_bytes


def _host(header: str) -> str:
    """The name in a `Host` header, without port and brackets."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""
