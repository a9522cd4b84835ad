"""EvidenceGate: answers about medicine in which every sentence is bound to a literal quote.

    >>> import evidencegate
    >>> answer = evidencegate.ask("Does apixaban reduce bleeding compared with warfarin in AF?")

Plain synchronous calls here; their awaitable twins in `evidencegate.aio`. Nothing is imported before it is used.
"""

from typing import TYPE_CHECKING, Any

from evidencegate._version import __version__

if TYPE_CHECKING:
    from evidencegate._api import ask, check, counter, replay, report, resume
    from evidencegate.documents import locate_quote
    from evidencegate.library import Library
    from evidencegate.models.stance import stance, supports_counterfactual
    from evidencegate.question import understand
    from evidencegate.report.citations import enforce_citations
    from evidencegate.verify import gate

# Each public name, and the module it lives in.
_HOMES = {
    "Library": "evidencegate.library",
    "ask": "evidencegate._api",
    "check": "evidencegate._api",
    # Packages of their own names, made callable: `_callable` says why.
    "counter": "evidencegate.counter",
    "enforce_citations": "evidencegate.report.citations",
    "gate": "evidencegate.verify",
    "locate_quote": "evidencegate.documents",
    "replay": "evidencegate._api",
    "report": "evidencegate.report",
    "resume": "evidencegate._api",
    "stance": "evidencegate.models.stance",
    "supports_counterfactual": "evidencegate.models.stance",
    "understand": "evidencegate.question",
}

__all__ = [
    "Library",
    "__version__",
    "ask",
    "check",
    "counter",
    "enforce_citations",
    "gate",
    "locate_quote",
    "replay",
    "report",
    "resume",
    "stance",
    "supports_counterfactual",
    "understand",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'evidencegate' has no attribute {name!r}")
    import importlib

    home = importlib.import_module(_HOMES[name])
    return home if _HOMES[name] == f"{__name__}.{name}" else getattr(home, name)


def __dir__() -> list[str]:
    return sorted(__all__)
