"""What a server keeps besides its runs: the secret that its cookies are signed with, and locks on what is its own."""

import os
import secrets
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.engine import Connection, Engine

from evidencegate.errors import InvalidInput
from evidencegate.library._lock import try_lock

_COOKIES = "web.secret"
_LOCK = "web.lock"
_BYTES = 32
_SERVING = 0x0E71D5E12
"""Our key among the advisory locks of a PostgreSQL database."""


def secret(directory: Path) -> bytes:
    """The server's secret, made once and readable by its user alone.

    Raises:
        InvalidInput: others can read it, or it is no secret of ours; the message says what to do.
    """
    path = directory / _COOKIES
    made = secrets.token_bytes(_BYTES)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read(path)
    with os.fdopen(descriptor, "wb") as file:
        file.write(made)
    return made


def _read(path: Path) -> bytes:
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise InvalidInput(f"{path} can be read by others, who could sign in as anybody; delete it and start again")
    kept = path.read_bytes()
    if len(kept) != _BYTES:
        raise InvalidInput(f"{path} is damaged; delete it and start again (everybody has to sign in anew)")
    return kept


class _FileLock:
    """A file that one process holds; the system lets go of it when that ends, however it ends."""

    def __init__(self, path: Path, refusal: str) -> None:
        self._path = path
        self._refusal = refusal
        self._descriptor: int | None = None

    def take(self) -> None:
        if self._descriptor is not None:
            return
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        if not try_lock(descriptor):
            os.close(descriptor)
            raise InvalidInput(self._refusal)
        self._descriptor = descriptor

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class StateLock:
    """One server in one state directory: the runs that another one works on must not be taken for dead."""

    def __init__(self, directory: Path) -> None:
        refusal = f"another server works in {directory}; use it, or start this one with --state DIR"
        self._file = _FileLock(directory / _LOCK, refusal)

    def take(self) -> None:
        """Hold the directory until this process ends.

        Raises:
            InvalidInput: another server holds it.
        """
        self._file.take()

    def release(self) -> None:
        """Let go."""
        self._file.release()


class LedgerLock:
    """One server on one ledger, for the same reason, where the ledger is not in the state directory.

    A file beside the database of SQLite, by whichever name that is reached; a lock of the database in PostgreSQL.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._held: Connection | None = None
        shown = engine.url.render_as_string()
        self._refusal = f"another server works on the ledger {shown}; give this one a database of its own"
        self._file: _FileLock | None = None
        if engine.dialect.name == "sqlite" and engine.url.database not in (None, "", ":memory:"):
            database = Path(str(engine.url.database)).resolve()
            self._file = _FileLock(database.with_name(f"{database.name}.{_LOCK}"), self._refusal)

    def take(self) -> None:
        """Hold the ledger until this process ends.

        Raises:
            InvalidInput: another server holds it.
        """
        if self._file is not None:
            self._file.take()
        if self._held is not None or self._engine.dialect.name != "postgresql":
            return
        connection = self._engine.connect()
        if not connection.execute(select(func.pg_try_advisory_lock(_SERVING))).scalar():
            connection.close()
            raise InvalidInput(self._refusal)
        connection.commit()  # the lock is the session's: it needs no transaction
        self._held = connection

    def release(self) -> None:
        """Let go."""
        if self._file is not None:
            self._file.release()
        if self._held is not None:
            self._held.detach()  # closed, not given back to the pool: the lock ends with its session
            self._held.close()
            self._held = None
