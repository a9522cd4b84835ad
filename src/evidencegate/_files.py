"""Files that a user names for a result."""

import os
from pathlib import Path

from evidencegate.errors import InvalidInput

__all__ = ["require_writable"]


def require_writable(path: Path) -> None:
    """Refuse, before any work is done for it, a file that cannot be written.

    Raises:
        InvalidInput: its directory is not there or takes no files, or it is a directory; says what to do.
    """
    if not path.parent.is_dir():
        raise InvalidInput(f"cannot write {path}: there is no directory {path.parent}")
    if path.is_dir():
        raise InvalidInput(f"cannot write {path}: it is a directory; name a file in it")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise InvalidInput(f"cannot write {path}: no file may be made in {path.parent}; choose another directory")
