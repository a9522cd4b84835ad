"""A document as the stretches that are indexed.

An abstract is one chunk. A longer text is cut on sentence boundaries into chunks of about `TARGET_WORDS`, at
section boundaries where the chunk would not become tiny. Every chunk is indexed together with the document's
title, so that a stretch of methods still knows what it is about; its sentences stay spans of the document.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from evidencegate.documents import Document, Span, sentences

WHOLE_WORDS = 450
"""Up to this many words a text is one chunk: longer than nearly every abstract."""
TARGET_WORDS = 160
"""A chunk ends before the sentence that would take it past this: with a title, what the embedder reads at once (256
word pieces) in all but a few percent."""
LEAST_WORDS = 60
"""A chunk shorter than this goes on into the next section."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One stretch of a document: what is indexed, and the sentences it stands for."""

    ordinal: int
    section: str
    text: str
    """Title and stretch, as indexed; never shown."""
    sentences: tuple[Span, ...]


def chunks(document: Document) -> tuple[Chunk, ...]:
    """The chunks of `document` in order; one without sentences where it has only a title."""
    found = tuple(
        Chunk(ordinal, section, _indexed(document, spans), spans)
        for ordinal, (section, spans) in enumerate(_stretches(document))
    )
    return found or (Chunk(0, "", document.title, ()),)


def _stretches(document: Document) -> Iterator[tuple[str, tuple[Span, ...]]]:
    text = document.text
    whole = len(text.split()) <= WHOLE_WORDS
    current: list[Span] = []
    words, label = 0, ""
    for section, sentence in _labelled(document):
        size = text.count(" ", sentence.start, sentence.end) + 1
        full = words + size > TARGET_WORDS
        moved_on = section != label and words >= LEAST_WORDS
        if current and not whole and (full or moved_on):
            yield label, tuple(current)
            current, words = [], 0
        if not current:
            label = section
        current.append(sentence)
        words += size
    if current:
        yield ("" if whole else label), tuple(current)


def _labelled(document: Document) -> Iterator[tuple[str, Span]]:
    """Every sentence with the label of its section."""
    sections = list(document.sections)
    for paragraph in document.paragraphs():
        while sections and sections[0].span.end <= paragraph.start:
            sections.pop(0)
        inside = sections and sections[0].span.start <= paragraph.start
        label = sections[0].label if inside else ""
        for sentence in sentences(paragraph.of(document.text)):
            yield label, sentence.shift(paragraph.start)


def _indexed(document: Document, spans: tuple[Span, ...]) -> str:
    stretch = document.text[spans[0].start : spans[-1].end]
    title = document.title.strip()
    if not title:
        return stretch
    return f"{title} {stretch}" if title[-1] in ".?!" else f"{title}. {stretch}"
