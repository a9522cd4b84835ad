"""`Passage` and `Quote`: places in a document. Their text is derived, so it cannot be wrong."""

from dataclasses import dataclass

from evidencegate.documents._document import Document
from evidencegate.documents._span import Span


@dataclass(frozen=True, slots=True)
class Passage:
    """A window of sentences of one document.

    `sentences` are spans in the document's text, ordered and disjoint; the passage reaches from the first to
    the last of them.
    """

    document: Document
    sentences: tuple[Span, ...]

    def __post_init__(self) -> None:
        if not self.sentences:
            raise ValueError("a passage has at least one sentence")
        end = 0
        for sentence in self.sentences:
            if sentence.start < end or not len(sentence):
                raise ValueError("sentences of a passage are ordered, disjoint and not empty")
            end = sentence.end
        if end > len(self.document.text):
            raise ValueError("passage leaves its document")

    @property
    def span(self) -> Span:
        """From the first sentence to the last, in the document's text."""
        return Span(self.sentences[0].start, self.sentences[-1].end)

    @property
    def text(self) -> str:
        """The literal slice of the document."""
        return self.span.of(self.document.text)


@dataclass(frozen=True, slots=True)
class Quote:
    """A literal slice of a passage (rule 1).

    A quote holds no text of its own: `text` is read from the document. What a model or a user *says* is a
    quote becomes one only through `evidencegate.documents.locate`.
    """

    passage: Passage
    span: Span

    def __post_init__(self) -> None:
        if self.span not in self.passage.span:
            raise ValueError("a quote lies inside its passage")
        if not self.text.strip():
            raise ValueError("a quote is not empty")

    @property
    def document(self) -> Document:
        """The record it is quoted from."""
        return self.passage.document

    @property
    def text(self) -> str:
        """`document.text[start:end]`, literally."""
        return self.span.of(self.document.text)
