"""Files that users send: written under names of ours, in a folder that goes with the request; read by content."""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from evidencegate.errors import InvalidInput

if TYPE_CHECKING:
    from starlette.datastructures import UploadFile  # FastAPI's is one of these

    from evidencegate.documents import Document

MOST_FILES = 50
_MOST_DOCUMENTS = 500
_MOST_CHARACTERS = 20_000_000
"""Of all sources of a check together: they are kept with its run."""
_PIECE = 2**20
# What a file is, its content says; a suffix only helps where that does not tell. Of a user's name no more is kept.
_SUFFIX = re.compile(
    r"\.(?:(?:xml|nxml|jsonl|ndjson|json|txt|csv|tsv|ris|nbib|bib|tar)\.gz|xml|nxml|jsonl|ndjson|json|txt|md|markdown"
    r"|html?|xhtml|csv|tsv|ris|nbib|bib|bibtex|pdf|docx|tgz|tar|zip|gz)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it lies here, and what its user calls it."""

    path: Path
    name: str


@asynccontextmanager
async def uploaded(files: "Sequence[UploadFile]") -> AsyncIterator[tuple[Upload, ...]]:
    """The files in a folder of their own, while inside.

    Raises:
        InvalidInput: no file, or too many.
    """
    if not 1 <= len(files) <= MOST_FILES:
        raise InvalidInput(f"send 1 to {MOST_FILES} files at once")
    with tempfile.TemporaryDirectory(prefix="evidencegate-upload-") as folder:
        kept = []
        for number, file in enumerate(files, start=1):
            name = shown_name(file.filename)
            suffix = _SUFFIX.search(name)
            path = Path(folder, f"upload-{number}{suffix[0].lower() if suffix else '.txt'}")
            await _write(file, path)
            kept.append(Upload(path, name))
        yield tuple(kept)


async def documents_of(files: "Sequence[UploadFile]") -> "tuple[tuple[Document, ...], tuple[str, ...]]":
    """The documents in the files, and what is wrong with those that could not be read: sources for a check.

    Raises:
        InvalidInput: no file, or too many, or more in them than one check can hold.
    """
    async with uploaded(files) as uploads:
        return await asyncio.to_thread(_read, uploads)


async def text_of(file: "UploadFile") -> str:
    """The text of the one document in a file: what is to be checked or countered.

    Raises:
        InvalidInput: it holds no document, or several.
        ReaderError: it cannot be read; the message says why.
    """
    from evidencegate.documents.readers import read_document
    from evidencegate.errors import ReaderError

    async with uploaded([file]) as (upload,):
        try:
            return (await asyncio.to_thread(read_document, upload.path)).text
        except (InvalidInput, ReaderError) as error:
            raise type(error)(str(error).replace(str(upload.path), upload.name)) from error


def shown_name(given: str | None) -> str:
    """What a user calls a file, for showing: its last part, without what cannot be printed."""
    last = re.split(r"[\\/]", given or "")[-1]
    return "".join(c for c in last if c.isprintable())[:120] or "file"


async def _write(file: "UploadFile", path: Path) -> None:
    with path.open("wb") as out:
        while piece := await file.read(_PIECE):
            await asyncio.to_thread(out.write, piece)


def _read(uploads: Sequence[Upload]) -> "tuple[tuple[Document, ...], tuple[str, ...]]":
    from evidencegate.documents import Document
    from evidencegate.documents.readers import Skipped, read

    documents: list[Document] = []
    faults: list[str] = []
    characters = 0
    for upload in uploads:
        for item in read(upload.path):
            if isinstance(item, Document):
                characters += len(item.text)
                if len(documents) == _MOST_DOCUMENTS or characters > _MOST_CHARACTERS:
                    raise InvalidInput(
                        f"{upload.name} brings the sources beyond {_MOST_DOCUMENTS} documents or "
                        f"{_MOST_CHARACTERS:,} characters; put so many into a library and check against that"
                    )
                documents.append(item if item.title else replace(item, title=upload.name))
            elif isinstance(item, Skipped):
                faults.append(f"{item.path.replace(str(upload.path), upload.name)}: {item.reason}")
    return tuple(documents), tuple(faults)
