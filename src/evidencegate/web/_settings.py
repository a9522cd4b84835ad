"""What a server is told when it starts. Nothing here can be changed by who uses it."""

import hashlib
import ipaddress
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from evidencegate.errors import InvalidInput

MEGABYTE = 2**20
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_SHORTEST_TOKEN = 16


def _no_one() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings:
    """A server's settings.

    Raises:
        InvalidInput: reachable from elsewhere without tokens, or a value out of range; the message says what to do.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    state_dir: Path | None = None
    """Where the secret of the cookies and, unless `ledger` says otherwise, the runs are; the user's own where None."""
    ledger: str | None = field(default=None, repr=False)
    """Database URL of the run ledger (it may hold a password)."""
    libraries: Mapping[str, str] = field(default_factory=_no_one)
    """Name to place. Users know the name alone."""
    tokens: Mapping[str, str] = field(default_factory=_no_one, repr=False)
    """Digest of a token (`digest`) to the name of its owner. With tokens, everybody needs one."""
    models: tuple[str, ...] = ()
    """The `provider:model` names that users may choose; without one the records' own sentences are used."""
    base_url: str | None = None
    """Where those models are served, if not by their providers."""
    packs: Path | None = None
    uploads: bool = True
    """Whether users may add documents to the libraries."""
    offline: bool = False
    """Ask nothing over the network, whatever a user chooses."""
    hosts: tuple[str, ...] = ()
    """Names under which the server is known, besides the one it is bound to."""
    https: bool = False
    """Whether a proxy before the server speaks HTTPS: cookies are then sent over HTTPS alone."""
    max_jobs: int = 2
    """At once; the rest wait."""
    max_waiting: int = 200
    max_seconds: float | None = None
    """The longest a job may ask on; what it has by then is shown, marked as partial."""
    max_body_bytes: int = 2 * MEGABYTE
    max_upload_bytes: int = 32 * MEGABYTE
    posts_per_minute: int = 120
    """Of one owner: what costs work."""

    def __post_init__(self) -> None:
        if not self.loopback and not self.tokens:
            raise InvalidInput(
                f"{self.host} can be reached from other machines, and nobody would need a token. Give one with "
                "--token-file FILE (a line `name: token` for each user), or stay on this machine with --host 127.0.0.1"
            )
        for name in self.libraries:
            if not _NAME.fullmatch(name):
                raise InvalidInput(
                    f"a library cannot be called {name!r} here: letters, digits, `.`, `_` and `-`, at most 64; "
                    "name it with --library NAME=DIR"
                )
        for limit in ("max_jobs", "max_waiting", "max_body_bytes", "max_upload_bytes", "posts_per_minute"):
            if getattr(self, limit) < 1:
                raise InvalidInput(f"{limit} is at least 1, not {getattr(self, limit)}")

    @classmethod
    def of(cls, *, libraries: Iterable[str | Path] = (), tokens: Sequence[str] = (), **others: Any) -> "WebSettings":
        """From what a command line holds: libraries as `DIR` or `NAME=DIR`, tokens as `name: token`.

        Raises:
            InvalidInput: two libraries of one name, or a line that is no token; and as the class.
        """
        return cls(libraries=_named(libraries), tokens=_owners(tokens), **others)

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def known_hosts(self) -> frozenset[str]:
        """Names a request may be addressed to; empty: any, as tokens guard the server."""
        if self.loopback:
            return frozenset({"localhost", "127.0.0.1", "::1", self.host, *self.hosts})
        return frozenset({self.host, *self.hosts}) if self.hosts else frozenset()

    @property
    def directory(self) -> Path:
        """Where the server keeps what is its own; made when missing."""
        from evidencegate.settings import load

        directory = self.state_dir or load().data_dir
        directory.mkdir(parents=True, exist_ok=True)
        return directory

    def conceal(self, text: str) -> str:
        """A message without the places of libraries, which their users know by name."""
        for name, place in self.libraries.items():
            text = text.replace(place, name)
        return text

    def ledger_url(self) -> str:
        """The ledger's database URL."""
        from evidencegate.settings import load

        if self.ledger is not None:
            return self.ledger
        return f"sqlite:///{self.directory / 'runs.db'}" if self.state_dir is not None else load().ledger_url()


def digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.strip().encode()).hexdigest()


def _named(libraries: Iterable[str | Path]) -> Mapping[str, str]:
    named: dict[str, str] = {}
    for given in libraries:
        name, sign, place = str(given).partition("=")
        if not sign or "/" in name:
            place = str(given)
            name = place.rstrip("/").rpartition("/")[2]
        if name in named:
            raise InvalidInput(f"two libraries are called {name!r}; tell them apart with --library NAME=DIR")
        named[name] = place if "://" in place else str(Path(place).absolute())
    return MappingProxyType(named)


def _owners(lines: Sequence[str]) -> Mapping[str, str]:
    owners: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, sign, token = line.partition(":")
        if not sign or not _NAME.fullmatch(name.strip()):
            raise InvalidInput(f"line {number} of the tokens is not `name: token`")
        if len(token.strip()) < _SHORTEST_TOKEN:
            raise InvalidInput(
                f"the token of {name.strip()} has fewer than {_SHORTEST_TOKEN} characters; make one with: "
                'python -c "import secrets; print(secrets.token_urlsafe(32))"'
            )
        if digest(token) in owners:
            raise InvalidInput(f"{name.strip()} has the token of somebody else")
        owners[digest(token)] = name.strip()
    return MappingProxyType(owners)
