"""Everything EvidenceGate raises on purpose.

    EvidenceGateError
    ├── UserError              the caller can mend it; the message says how
    │   ├── InvalidInput       a question, text or file that cannot be worked on (also a ValueError)
    │   ├── MissingExtra       an optional part is not installed (also an ImportError)
    │   └── UnknownName        a tag, pack, source, run or model nobody has heard of (also a LookupError)
    ├── LibraryError           a library cannot be opened, read or written
    │   ├── LibraryLocked      another process is writing
    │   ├── LibraryVersion     made by another format version or another embedder
    │   └── LibraryBroken      half-written or not a library
    ├── LedgerError            the run ledger cannot be opened, read or written
    ├── ReaderError            one file or record cannot be read; the batch goes on
    ├── SourceError            a record asked for by identifier cannot be had, where a value will not do
    ├── ModelError             a model failed or answered outside its schema
    └── BudgetExceeded         a hard budget ran out; the partial result is kept

Failed searches are not exceptions but values: see `evidencegate.sources.SearchRecord`.
"""

__all__ = [
    "BudgetExceeded",
    "EvidenceGateError",
    "InvalidInput",
    "LedgerError",
    "LibraryBroken",
    "LibraryError",
    "LibraryLocked",
    "LibraryVersion",
    "MissingExtra",
    "ModelError",
    "ReaderError",
    "SourceError",
    "UnknownName",
    "UserError",
]


class EvidenceGateError(Exception):
    """Base of every error raised on purpose."""


class UserError(EvidenceGateError):
    """The caller can mend it; the message says how. Shown without a traceback."""


class InvalidInput(UserError, ValueError):
    """A question, text, file or value that cannot be worked on."""


class MissingExtra(UserError, ImportError):
    """An optional part of the package is not installed."""

    def __init__(self, extra: str, module: str) -> None:
        super().__init__(
            f"This needs the optional part `{extra}` (module `{module}` is not installed). "
            f'Install it with: pip install "evidencegate[{extra}]"'
        )
        self.extra = extra
        self.module = module


class UnknownName(UserError, LookupError):
    """A tag, pack, source, run or model that does not exist."""


class LibraryError(EvidenceGateError):
    """A library cannot be opened, read or written."""


class LibraryLocked(LibraryError):
    """Another process is writing to the library."""


class LibraryVersion(LibraryError):
    """The library was made by another format version or with another embedder."""


class LibraryBroken(LibraryError):
    """The directory is half-written or not a library."""


class LedgerError(EvidenceGateError):
    """The run ledger cannot be opened, read or written; the message says where it is."""


class ReaderError(EvidenceGateError):
    """One file or record cannot be read; the rest of the batch goes in."""


class SourceError(EvidenceGateError):
    """A record asked for by identifier cannot be had; the message says who was asked and what came of it."""


class ModelError(EvidenceGateError):
    """A model failed, or kept answering outside the schema it was given."""


class BudgetExceeded(EvidenceGateError):
    """A hard budget (requests, tokens, money, seconds) ran out."""
