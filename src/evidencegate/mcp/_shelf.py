"""What a server may reach: the libraries it was given when it started, by name, and the network or not."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from evidencegate.errors import InvalidInput, UnknownName

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The libraries of a server, name to place; and whether live sources are asked over the network."""

    libraries: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    offline: bool = False

    @classmethod
    def of(cls, libraries: Iterable[str] = (), *, offline: bool = False) -> "Shelf":
        """From what a command line holds, each `DIR` (known by its last part) or `NAME=DIR`. Each must be there.

        Raises:
            InvalidInput: two of one name, or a name that cannot be used; the message says what to do.
            LibraryError: there is no library at one of the places.
        """
        named: dict[str, str] = {}
        for given in libraries:
            name, sign, place = given.partition("=")
            if not sign or "/" in name:
                name, place = given.rstrip("/").rpartition("/")[2], given
            place = place if "://" in place else os.path.abspath(place)  # noqa: PTH100  (as `Asked` writes it)
            if not _NAME.fullmatch(name):
                raise InvalidInput(
                    f"a library cannot be called {name!r} here (letters, digits, `.`, `_` and `-`, at most 64); "
                    "name it with --library NAME=DIR"
                )
            if name in named:
                raise InvalidInput(f"two libraries are called {name!r}; tell them apart with --library NAME=DIR")
            named[name] = place
        if named:
            from evidencegate.library import Library

            for place in named.values():
                Library(place, create=False)
        return cls(libraries=MappingProxyType(named), offline=offline)

    def places(self, names: Sequence[str]) -> tuple[str, ...]:
        """Where the libraries called `names` are.

        Raises:
            UnknownName: there is no such library here; the message lists those there are.
        """
        for name in names:
            if name not in self.libraries:
                there = ", ".join(self.libraries) or "none; the server is started with --library DIR"
                raise UnknownName(f"There is no library {name!r} here. Libraries: {there}.")
        return tuple(self.libraries[name] for name in dict.fromkeys(names))

    def named(self, place: str) -> str:
        """What the library at `place` is called here, else the last part of its place: where it lies is not told."""
        return next((name for name, known in self.libraries.items() if known == place), place.rpartition("/")[2])

    def told(self, message: str) -> str:
        """A message of ours with the places of libraries replaced by their names."""
        for name, place in self.libraries.items():
            message = message.replace(place, name)
        return message
