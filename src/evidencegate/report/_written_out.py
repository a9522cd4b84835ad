"""A sentence of a record with the abbreviations of its article written out: what is compared, never what is shown."""

from functools import lru_cache

from evidencegate.documents import Document
from evidencegate.verify import glossary


def written_out(document: Document, text: str) -> str:
    """`text` as one reads it who has read the article from its beginning."""
    return _written_out(document.text, text)


@lru_cache(maxsize=16_384)
def _written_out(article: str, text: str) -> str:
    return glossary([article]).text(text)
