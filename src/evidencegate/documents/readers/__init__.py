"""From files to documents.

`read` takes a file, a folder, a compressed file or an archive and yields, in order and in constant memory,
`Document`s, `Deleted` ids and, for whatever cannot be read, `Skipped` with the reason; one bad record never
costs the others. What a file is, its content says first, its suffix second:

PubMed XML (efetch, baseline, update files) · JATS · JSON lines and BEIR · plain text · Markdown · HTML · PDF ·
DOCX · CSV, RIS, BibTeX and MEDLINE lists of references; each also as `.gz` and inside `.tar`, `.tar.gz`, `.zip`.

Text that is not UTF-8 and has no byte order mark is taken for Windows-1252. Files are data: nothing in them is
run, resolved, fetched or unpacked to disk.
"""

from evidencegate.documents.readers._decode import decode
from evidencegate.documents.readers._read import expand, read, read_document, read_text
from evidencegate.documents.readers._types import Deleted, Item, Limits, Skipped

__all__ = ["Deleted", "Item", "Limits", "Skipped", "decode", "expand", "read", "read_document", "read_text"]
