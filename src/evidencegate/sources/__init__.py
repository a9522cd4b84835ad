"""Places that are searched, one file each.

    async with open_sources(["pubmed", "europe_pmc"]) as sources:
        results = await search(question, sources, limit=25)

Failures are values: a `SearchResult` says how its search ended, and no source can fail a run. A record is fetched by
its identifier with `fetch`, and compared with what was said about it with `compare`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from evidencegate.sources._types import Found, SearchRecord, SearchResult, Source, Status, Unavailable

if TYPE_CHECKING:
    from evidencegate.sources._cache import Mode
    from evidencegate.sources._fetch import fetch, fetch_all, resolver
    from evidencegate.sources._full_text import OpenCopy, full_text, open_text
    from evidencegate.sources._http import Client, Traffic
    from evidencegate.sources._identity import Claimed, Identity, IdentityCheck, compare
    from evidencegate.sources._notices import NoticeCheck, current_notices
    from evidencegate.sources._registry import DEFAULT, NAMES, by_name, open_sources, source_name
    from evidencegate.sources._search import search
    from evidencegate.sources.open_i import OpenI, Picture, PictureResult
    from evidencegate.sources.perplexity import Perplexity

__all__ = [
    # searching
    "by_name",
    "open_sources",
    "search",
    "source_name",
    "DEFAULT",
    "NAMES",
    "OpenI",
    "Perplexity",
    # records by identifier
    "compare",
    "current_notices",
    "fetch",
    "fetch_all",
    "full_text",
    "open_text",
    "resolver",
    # the way out
    "Client",
    "Mode",
    "Traffic",
    # values
    "Claimed",
    "Found",
    "Identity",
    "IdentityCheck",
    "NoticeCheck",
    "OpenCopy",
    "Picture",
    "PictureResult",
    "SearchRecord",
    "SearchResult",
    "Source",
    "Status",
    "Unavailable",
]

# Rooms below need the values of this one without the network; the HTTP client takes a fifth of a second to import.
_LAZY = {
    name: module
    for module, names in {
        "_cache": ("Mode",),
        "_fetch": ("fetch", "fetch_all", "resolver"),
        "_full_text": ("OpenCopy", "full_text", "open_text"),
        "_http": ("Client", "Traffic"),
        "_identity": ("Claimed", "Identity", "IdentityCheck", "compare"),
        "_notices": ("NoticeCheck", "current_notices"),
        "_registry": ("DEFAULT", "NAMES", "by_name", "open_sources", "source_name"),
        "_search": ("search",),
        "open_i": ("OpenI", "Picture", "PictureResult"),
        "perplexity": ("Perplexity",),
    }.items()
    for name in names
}


def __getattr__(name: str) -> object:
    if name in _LAZY:
        return getattr(import_module(f"evidencegate.sources.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
