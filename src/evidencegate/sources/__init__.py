"""Places that are searched, one file each.

    async with open_sources(["pubmed", "europe_pmc"]) as sources:
        results = await search(question, sources, limit=25)

Failures are values: a `SearchResult` says how its search ended, and no source can fail a run.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from evidencegate.sources._types import Found, SearchRecord, SearchResult, Source, Status

if TYPE_CHECKING:
    from evidencegate.sources._cache import Mode
    from evidencegate.sources._http import Client, Traffic
    from evidencegate.sources._registry import DEFAULT, NAMES, by_name, open_sources
    from evidencegate.sources._search import search

__all__ = [
    # searching
    "by_name",
    "open_sources",
    "search",
    "DEFAULT",
    "NAMES",
    # the way out
    "Client",
    "Mode",
    "Traffic",
    # values
    "Found",
    "SearchRecord",
    "SearchResult",
    "Source",
    "Status",
]

# Rooms below need the values of this one without the network; the HTTP client takes a fifth of a second to import.
_LAZY = {
    "by_name": "_registry",
    "open_sources": "_registry",
    "DEFAULT": "_registry",
    "NAMES": "_registry",
    "search": "_search",
    "Client": "_http",
    "Traffic": "_http",
    "Mode": "_cache",
}


def __getattr__(name: str) -> object:
    if name in _LAZY:
        return getattr(import_module(f"evidencegate.sources.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
