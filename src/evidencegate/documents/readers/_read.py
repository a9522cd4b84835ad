"""The calls of this package."""

import os
from collections.abc import Iterator
from pathlib import Path

from evidencegate.documents._document import Document
from evidencegate.documents.readers._entries import entries, files
from evidencegate.documents.readers._formats import read_entry, read_string
from evidencegate.documents.readers._types import DEFAULT, Deleted, Item, Limits, Skipped
from evidencegate.errors import InvalidInput, ReaderError


def read(path: str | os.PathLike[str], *, chosen: bool = True, limits: Limits = DEFAULT) -> Iterator[Item]:
    """Every document, deletion and failure in a file, folder or archive, in order, in constant memory.

    Folders are read recursively in order of name; hidden files are left out, links to folders not followed.
    A file of no known kind is read as plain text where it was `chosen`, not where it only lay in a folder (as
    for those that `expand` gives for one).

    Raises:
        InvalidInput: there is no such path.
    """
    return _read(_existing(path), limits, chosen=chosen)


def expand(path: str | os.PathLike[str]) -> Iterator[Path]:
    """The files that `read` would open for `path`, in its order: for callers that note how far they came.

    Raises:
        InvalidInput: there is no such path.
    """
    return files(_existing(path))


def read_document(path: str | os.PathLike[str], *, limits: Limits = DEFAULT) -> Document:
    """The one document in a file.

    Raises:
        InvalidInput: there is no such file, or it holds several documents.
        ReaderError: it cannot be read; the message says why.
    """
    found: Document | None = None
    skipped: Skipped | None = None
    for item in read(path, limits=limits):
        if isinstance(item, Document):
            if found is not None:
                raise InvalidInput(f"{path} holds several documents; give one, or put them in a library")
            found = item
        elif isinstance(item, Skipped):
            skipped = skipped or item
    if found is not None:
        return found
    if skipped is not None:
        raise ReaderError(f"{skipped.path}: {skipped.reason}")
    raise ReaderError(f"{path}: no document in it")


def read_text(text: str, *, name: str = "text") -> Document:
    """A document made of `text` itself; a suffix of `name` (`.md`, `.html`) says how it is marked up.

    Raises:
        InvalidInput: the text holds nothing but space.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise InvalidInput(f"{name} holds no text")
    return read_string(text, name)


def _existing(path: str | os.PathLike[str]) -> Path:
    found = Path(path)
    if not found.exists():
        raise InvalidInput(f"no such file or folder: {found}")
    return found


def _read(path: Path, limits: Limits, *, chosen: bool) -> Iterator[Item]:
    nothing = True
    for entry in entries(path, limits, chosen=chosen):
        nothing = False
        if isinstance(entry, Skipped | Deleted):
            yield entry
        else:
            yield from read_entry(entry, limits)
    if nothing:
        yield Skipped(str(path), "no files in it")
