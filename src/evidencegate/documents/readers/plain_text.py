"""Plain text: the document's text is the file's own content, so offsets are those of the decoded file."""

from pathlib import PurePath

from evidencegate.documents._document import Document
from evidencegate.documents._identifiers import Identifiers
from evidencegate.documents.readers._build import collapse, document_id

SUFFIXES = (".txt", ".text", ".asc", "")
_TITLE_LENGTH = 200


def document(text: str, name: str) -> Document:
    """`text` as one document called by its first line, where that is short enough to be a title."""
    first = collapse(text.lstrip()[: _TITLE_LENGTH + 1].split("\n", 1)[0])
    title = first if first and len(first) < _TITLE_LENGTH else PurePath(name).stem
    return Document(id=document_id_of(text, name), title=title, text=text, source="file", full_text=True)


def document_id_of(text: str, name: str) -> str:
    """The id of a document that has nothing but its name and content."""
    return document_id(Identifiers(), name=name, content=text)
