"""Sources by name, and opening them."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from importlib import import_module

import httpx2

from evidencegate.errors import UnknownName
from evidencegate.settings import Settings
from evidencegate.sources._cache import Mode
from evidencegate.sources._http import Client
from evidencegate.sources._types import Source

# Modules are loaded when a source is asked for.
_CLASSES: Mapping[str, tuple[str, str]] = {
    "pubmed": ("pubmed", "PubMed"),
    "europe_pmc": ("europe_pmc", "EuropePMC"),
    "clinical_trials": ("clinical_trials", "ClinicalTrials"),
    "openalex": ("openalex", "OpenAlex"),
    "crossref": ("crossref", "Crossref"),
}
NAMES = tuple(_CLASSES)
"""Every source that can be searched by name."""
DEFAULT = ("pubmed", "europe_pmc", "clinical_trials")
"""Searched where the user names none: open to everyone, without a key."""


def source_name(name: str) -> str:
    """The one spelling of a source's name: `europe_pmc` for `europe-pmc` and `Europe PMC`.

    Raises:
        UnknownName: there is no such source; the message lists those there are.
    """
    wanted = name.strip().lower().replace("-", "_").replace(" ", "_").removesuffix(".gov")
    wanted = {"clinicaltrials": "clinical_trials", "europepmc": "europe_pmc", "ctgov": "clinical_trials"}.get(
        wanted, wanted
    )
    if wanted == "perplexity":
        raise UnknownName(
            "Perplexity is no source to choose: it is the fallback, asked only where the others' evidence does not "
            f"suffice. Sources: {', '.join(NAMES)}."
        )
    if wanted not in _CLASSES:
        known = ", ".join(NAMES)
        raise UnknownName(f"There is no source {name!r}. Sources: {known}; libraries are named apart (--library).")
    return wanted


def by_name(name: str, client: Client) -> Source:
    """The source called `name`, in any of its spellings, asking through `client`.

    Raises:
        UnknownName: there is no such source; the message lists those there are.
    """
    module, kind = _CLASSES[source_name(name)]
    build: Callable[[Client], Source] = getattr(import_module(f"evidencegate.sources.{module}"), kind)
    return build(client)


@asynccontextmanager
async def open_sources(
    names: Iterable[str] = DEFAULT,
    *,
    settings: Settings | None = None,
    mode: Mode = Mode.NORMAL,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> AsyncIterator[tuple[Source, ...]]:
    """Sources by name that share one client, closed at the end."""
    async with Client(settings, mode=mode, transport=transport) as client:
        yield tuple(by_name(name, client) for name in dict.fromkeys(map(source_name, names)))
