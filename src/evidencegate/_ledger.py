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
def open_ledger(url: str | None = None, *, kept: bool = False) -> "Iterator[Ledger]":
    """The ledger at `url`, else the settings' one; for a new run in memory where that cannot be written.

    `kept` is for runs that are in it already: no other ledger will do.

    Raises:
        InvalidInput: what is named is no ledger.
        LedgerError: the one at `url`, or the one that a run is `kept` in, cannot be used.
    """
    from evidencegate.errors import LedgerError
    from evidencegate.runs import Ledger
    from evidencegate.settings import load

    try:
        ledger = Ledger(url or load().ledger_url())
        if not kept:
            try:
                ledger.check_writable()
            except LedgerError:
                ledger.close()
                raise
    except LedgerError as error:
        if url is not None or kept:
            raise
        _log.warning("this run is kept in memory only: %s", error)
        ledger = Ledger("sqlite://")
    with closing(ledger):
        yield ledger
