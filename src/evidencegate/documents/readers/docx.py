"""DOCX: paragraphs under the path of their headings. Comes with the extra `pdf`."""

import io
import re
import zipfile
from pathlib import PurePath

from evidencegate._extras import require
from evidencegate.documents._document import Document
from evidencegate.documents._identifiers import Identifiers
from evidencegate.documents.readers._build import TextBuilder, collapse, document_id, notices_of_title
from evidencegate.documents.readers._types import megabytes
from evidencegate.errors import ReaderError

_UNPACKED = 300_000_000
# What python-docx raises where a part of the package is missing, or is not what it should be.
_BROKEN = (KeyError, ValueError, SyntaxError, AttributeError, TypeError, IndexError, RuntimeError, NotImplementedError)
_LEVEL = re.compile(r"heading (\d)", re.IGNORECASE)


def document(raw: bytes, name: str) -> Document:
    """One document; tables, headers, footers and comments are left out.

    Raises:
        ReaderError: not a DOCX file, or one that unpacks to more than it may.
        MissingExtra: the extra `pdf` is not installed.
    """
    docx = require("pdf", "docx")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            size = sum(info.file_size for info in archive.infolist())
            if "word/document.xml" not in archive.namelist():
                raise ReaderError("an Office or EPUB file that is not DOCX: save it as DOCX or PDF")
        if size > _UNPACKED:
            raise ReaderError(f"unpacks to {megabytes(size)}, which no text does")
        opened = docx.Document(io.BytesIO(raw))
        title, writer = collapse(opened.core_properties.title or ""), collapse(opened.core_properties.author or "")
        paragraphs = [
            (collapse(paragraph.text), (paragraph.style.name or "") if paragraph.style is not None else "")
            for paragraph in opened.paragraphs
        ]
    except (zipfile.BadZipFile, *_BROKEN) as error:
        raise ReaderError(f"corrupt DOCX ({collapse(str(error)) or type(error).__name__}): save it again") from error
    text = TextBuilder()
    path: list[tuple[int, str]] = []
    for words, style in paragraphs:
        level = _LEVEL.match(style)
        if style.lower() == "title":
            title = title or words
        elif level and words:
            number = int(level[1])
            path = [entry for entry in path if entry[0] < number]
            path.append((number, words))
        else:
            text.add(words, " > ".join(label for _, label in path))
    if not text.text:
        raise ReaderError("DOCX without text outside of tables and pictures")
    title = title or (path[0][1] if path else PurePath(name).stem)
    return Document(
        id=document_id(Identifiers(), name=name, content=raw),
        title=title,
        text=text.text,
        sections=text.sections,
        authors=tuple(part.strip() for part in writer.split(";") if part.strip()),
        source="file",
        full_text=True,
        notices=notices_of_title(title, "file"),
    )
