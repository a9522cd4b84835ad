"""The calls a user needs, in their plain synchronous form. Each is its awaitable twin in `evidencegate.aio`, run."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidencegate import aio

if TYPE_CHECKING:
    from evidencegate.library import Library
    from evidencegate.report import Answer, Audience

__all__ = ["ask"]


def ask(
    question: str,
    *,
    libraries: "Sequence[str | Path | Library]" = (),
    sources: Sequence[str] | None = None,
    offline: bool = False,
    audience: "str | Audience" = "professional",
    packs: Path | None = None,
    ledger: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> "Answer":
    """Answer a clinical question; see `evidencegate.aio.ask`."""
    return _run(
        aio.ask(
            question,
            libraries=libraries,
            sources=sources,
            offline=offline,
            audience=audience,
            packs=packs,
            ledger=ledger,
            progress=progress,
        )
    )


def _run(coroutine: Any) -> Any:
    return asyncio.run(coroutine)
