"""What is given on stdin, read as a file would be."""

import sys

from evidencegate.errors import InvalidInput

__all__ = ["standard_input"]


def standard_input() -> str:
    """All of stdin as text: in UTF-8 or what its byte order mark says, else Windows-1252, as files are read.

    Raises:
        InvalidInput: there is no stdin, it is not text, or it is larger than any text that is read.
    """
    from evidencegate.documents.readers import Limits, decode

    if sys.stdin is None:
        raise InvalidInput("there is no stdin: name a file, or pipe the text in")
    most = Limits().text_bytes
    raw = sys.stdin.buffer.read(most + 1)
    if len(raw) > most:
        raise InvalidInput("what is on stdin is too large to be one text: split it")
    text = decode(raw)
    if text is None:
        raise InvalidInput("what is on stdin is not text; name a PDF or DOCX as a file")
    return text
