"""The files that paths stand for, and their names by content."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evidencegate._version import __version__
from evidencegate.documents.readers import expand
from evidencegate.errors import InvalidInput
from evidencegate.library._types import Rejected


@dataclass(frozen=True, slots=True)
class Given:
    """A file to be read, and whether it was named or only lay in a folder that was."""

    path: Path
    chosen: bool


def files(paths: Iterable[str | os.PathLike[str]], *, outside: Path | None) -> Iterator[Given | Rejected]:
    """Every file at or below the paths, in order of name; those of the library itself left out."""
    own = outside.resolve() if outside else None
    for given in paths:
        named = Path(given)
        try:
            for path in expand(named):
                if own is None or not path.resolve().is_relative_to(own):
                    yield Given(path, chosen=path == named)
        except (InvalidInput, OSError) as error:
            yield Rejected(path=str(given), reason=str(error))


def digest(path: Path) -> str:
    """Names what is in a file, and who read it: another version may read it otherwise."""
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16))
    return f"{found.hexdigest()}:{__version__}"
