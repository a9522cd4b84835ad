"""One writer at a time: an advisory lock that the system lets go of when its holder dies, however it dies."""

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evidencegate.errors import LibraryError, LibraryLocked

PAUSE = 0.1
"""Seconds between two tries for a lock that is held."""


def lock_path(uri: str) -> Path:
    """Where the lock of a library is: beside its tables, or for an object store in this user's cache.

    Writers of one object store on different machines are not kept apart by it; there the engine's own commit
    protocol decides, and the later writer tries again.
    """
    if "://" in uri:
        from evidencegate.settings import load

        name = hashlib.blake2b(uri.rstrip("/").encode(), digest_size=16).hexdigest()
        return load().cache_dir / "locks" / f"{name}.lock"
    return Path(uri) / ".writer.lock"


@contextmanager
def writing(uri: str, wait: float) -> Iterator[None]:
    """Hold the library's lock, waiting up to `wait` seconds for another writer to end.

    Raises:
        LibraryLocked: another process still writes after that; the message names it.
    """
    path = lock_path(uri)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise LibraryError(f"Cannot write to the library {uri} ({error.strerror or error}).") from error
    try:
        _take(descriptor, uri, wait)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)  # lets go of the lock; the file stays, as another process may have it open


def _take(descriptor: int, uri: str, wait: float) -> None:
    deadline = time.monotonic() + wait
    while not try_lock(descriptor):
        if time.monotonic() >= deadline:
            holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
            by = f" (process {holder})" if holder else ""
            raise LibraryLocked(
                f"Another writer{by} is adding to the library {uri}. Wait until it has finished and run the "
                "same command again; searching is possible meanwhile."
            )
        time.sleep(PAUSE)


def try_lock(descriptor: int) -> bool:
    """Take the lock of an open file, if nobody holds it."""
    try:
        import fcntl
    except ImportError:
        return _try_windows(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _try_windows(descriptor: int) -> bool:
    import msvcrt

    try:
        # One byte far behind what the file holds: locked bytes cannot be read by others on Windows.
        os.lseek(descriptor, 4096, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return False
    return True
