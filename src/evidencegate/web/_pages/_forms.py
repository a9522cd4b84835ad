"""What a form says, kept as it was typed, so that a page can show it again beside what is wrong with it."""

import math
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self

from fastapi import Depends, Request
from starlette.datastructures import FormData

from evidencegate.errors import InvalidInput
from evidencegate.settings import load
from evidencegate.sources import DEFAULT, NAMES
from evidencegate.web._security import csrf
from evidencegate.web._settings import WebSettings


async def _sent(request: Request) -> AsyncIterator[FormData]:
    async with request.form() as form:  # closes the files in it
        await csrf(request)
        yield form


Sent = Annotated[FormData, Depends(_sent)]
"""The form that a page of ours sent: what every route with POST takes. Refused without its token."""


@dataclass(frozen=True, slots=True)
class Server:
    """What there is to choose from."""

    libraries: tuple[str, ...]
    sources: tuple[str, ...]
    models: tuple[str, ...]
    offline: bool
    uploads: bool
    upload: int
    """The most bytes that are taken at once."""

    @classmethod
    def of(cls, settings: WebSettings) -> Self:
        """As the server was started."""
        return cls(
            tuple(settings.libraries),
            NAMES,
            settings.models,
            settings.offline,
            settings.uploads,
            settings.max_upload_bytes,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where to look, and for whom it is written."""

    libraries: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    offline: bool = False
    model: str = "local"
    audience: str = "professional"
    max_seconds: str = ""
    full_text: bool = False
    """Whether open articles are read as a whole."""

    @classmethod
    def first(cls, settings: WebSettings) -> Self:
        """What is chosen before anybody has: everything the server has, and the sources that need no key."""
        return cls(
            libraries=tuple(settings.libraries),
            sources=() if settings.offline else DEFAULT,
            full_text=load().full_text,
        )

    @classmethod
    def of(cls, form: FormData) -> Self:
        """As it was sent."""
        return cls(
            libraries=texts(form, "library"),
            sources=texts(form, "source"),
            offline=text(form, "offline") == "yes",
            model=text(form, "model") or "local",
            audience=text(form, "audience") or "professional",
            max_seconds=text(form, "max_seconds").strip(),
            full_text=text(form, "full_text") == "yes",
        )

    def inputs(self, settings: WebSettings) -> dict[str, Any]:
        """The part of a job's inputs that says where to look."""
        # With nobody named, "everything but the network" is said so in the log, source by source.
        unnamed = settings.offline or (self.offline and not self.sources)
        return {
            "libraries": list(self.libraries),
            "sources": None if unnamed else list(self.sources),
            "offline": self.offline,
            "model": None if self.model == "local" else self.model,
        }

    def writing(self, settings: WebSettings) -> dict[str, Any]:
        """For whom, how long, and from how much: the part of a job's inputs for what is written.

        Raises:
            InvalidInput: the seconds are no number.
        """
        return {
            "audience": self.audience,
            "max_seconds": number(self.max_seconds, "Stop asking after", "seconds"),
            # A server that asks nothing over the network does not offer the choice.
            "full_text": None if settings.offline else self.full_text,
        }


def text(form: FormData, name: str) -> str:
    """One field as text, its line breaks as in a file; empty where it is not there or is a file."""
    value = form.get(name)
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def texts(form: FormData, name: str) -> tuple[str, ...]:
    """Every value of a field that can be chosen several times."""
    return tuple(value for value in form.getlist(name) if isinstance(value, str))


def number(value: str, label: str, unit: str) -> float | None:
    """What stands in a field for a number of some unit, which may be left empty.

    Raises:
        InvalidInput: it is no number from 0 on.
    """
    try:
        found = float(value) if value.strip() else None
    except ValueError:
        found = math.nan
    if found is not None and not 0 <= found < math.inf:
        raise InvalidInput(f"“{label}” is a number of {unit}, not {value!r}; or leave it empty.")
    return found


def lines(value: str) -> list[str]:
    """What stands on the lines of a field, without the empty ones."""
    return [line.strip() for line in value.splitlines() if line.strip()]


def given(query: Mapping[str, str], name: str) -> str:
    """A field that a link fills in."""
    return query.get(name, "")[:20_000]
