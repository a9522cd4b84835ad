"""The ledger that runs are kept in: the one that is named, else the settings' one."""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evidencegate.runs import Ledger

__all__ = ["open_ledger"]

_log = logging.getLogger(__name__)


@contextmanager
def open_ledger(url: str | None = None) -> "Iterator[Ledger]":
    """The ledger at `url`, else the settings' one; in memory where that cannot be written."""
    from evidencegate.errors import EvidenceGateError
    from evidencegate.runs import Ledger
    from evidencegate.settings import load

    try:
        ledger = Ledger(url or load().ledger_url())
    except EvidenceGateError:
        if url is not None:
            raise
        _log.warning("the run ledger cannot be written; this run is kept in memory only")
        ledger = Ledger("sqlite://")
    with closing(ledger):
        yield ledger
