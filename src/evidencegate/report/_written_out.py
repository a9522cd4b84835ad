"""A sentence of a record with the abbreviations of its article written out: what is compared, never what is shown."""

from collections.abc import Callable
from functools import lru_cache

from evidencegate.documents import Document
from evidencegate.verify import glossary

_ARTICLES, _SENTENCES = 512, 1024
"""At most so many articles are kept in mind, and so many sentences of each; the one read longest ago goes first."""


def written_out(document: Document, text: str) -> str:
    """`text` as one reads it who has read the article from its beginning."""
    return _by_its_article(document.text)(text)


@lru_cache(maxsize=_ARTICLES)
def _by_its_article(article: str) -> Callable[[str], str]:
    return lru_cache(maxsize=_SENTENCES)(glossary([article]).text)
