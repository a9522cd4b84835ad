"""Passages of a document: windows of sentences that slide, within paragraphs."""

from collections.abc import Iterator

from evidencegate.documents._document import Document
from evidencegate.documents._passage import Passage
from evidencegate.documents._sentences import sentences

WINDOW = 3
"""Sentences in a passage (spec 5.1: 2-3)."""


def passages(document: Document, *, window: int = WINDOW) -> Iterator[Passage]:
    """Every window of up to `window` sentences that does not cross a paragraph, in order.

    Each sentence begins one window, save where the window would only be a tail of the one before it.
    """
    for paragraph in document.paragraphs():
        spans = [s.shift(paragraph.start) for s in sentences(paragraph.of(document.text))]
        for first in range(max(1, len(spans) - window + 1)):
            yield Passage(document, tuple(spans[first : first + window]))
