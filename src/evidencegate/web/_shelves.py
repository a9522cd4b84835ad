"""The server's libraries, by name. A name is looked up in the settings and nowhere else: no path can be made of it."""

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidencegate.errors import EvidenceGateError, InvalidInput
from evidencegate.web._jobs import NotFound
from evidencegate.web._settings import WebSettings
from evidencegate.web._uploads import Upload

if TYPE_CHECKING:
    from evidencegate.library import Added, Filters, Hit, Library


class Shelves:
    """Every call reads or writes a library and takes its time: call it in a thread."""

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._open: dict[str, Library] = {}

    def list(self) -> list[dict[str, Any]]:
        """Every library's `info`, or its name with what is wrong (`error`)."""
        return [self._told(name) for name in self._settings.libraries]

    def info(self, name: str) -> dict[str, Any]:
        """What is in a library, and in what state, as `library info --json` shows it; its place is its name.

        Raises:
            NotFound: there is no such library on this server.
            EvidenceGateError: it cannot be opened.
        """
        return {"name": name, **self._library(name).info().to_json(), "path": name}

    def search(
        self, name: str, query: str, *, limit: int = 10, mode: str = "hybrid", filters: "Filters | None" = None
    ) -> "tuple[Hit, ...]":
        """As `Library.search`.

        Raises:
            NotFound, EvidenceGateError: as `info`.
            InvalidInput: an empty query, or a limit out of range.
        """
        return self._library(name).search(query, limit=limit, mode=mode, filters=filters)

    def add(self, name: str, uploads: Sequence[Upload]) -> "Added":
        """Add what was uploaded; what cannot be read is in `skipped`, by the name that its user gave.

        Raises:
            NotFound: there is no such library on this server.
            InvalidInput: nobody may add to libraries here.
            LibraryLocked: somebody else is adding.
        """
        from dataclasses import replace

        if not self._settings.uploads:
            raise InvalidInput("Nobody may add documents through this server; ask who keeps it.")
        library = self._library(name, create=True)
        added = library.add([upload.path for upload in uploads])
        return replace(added, skipped=tuple(replace(s, path=_given(s.path, uploads)) for s in added.skipped))

    def _told(self, name: str) -> dict[str, Any]:
        try:
            return self.info(name)
        except EvidenceGateError as error:
            return {"name": name, "error": self._settings.conceal(str(error))}

    def _library(self, name: str, *, create: bool = False) -> "Library":
        from evidencegate.library import Library

        places: Mapping[str, str] = self._settings.libraries
        if name not in places:
            raise NotFound(f"there is no library {name!r} on this server")
        with self._lock:
            if name not in self._open:
                try:
                    self._open[name] = Library(places[name], create=create)
                except EvidenceGateError as error:
                    raise type(error)(self._settings.conceal(str(error))) from error
            return self._open[name]


def _given(path: str, uploads: Sequence[Upload]) -> str:
    """The name a user gave, for the one that we did; with the member and record behind it."""
    for upload in uploads:
        if path.startswith(str(upload.path)):
            return upload.name + path.removeprefix(str(upload.path))
    return Path(path).name
