"""An answer as one self-contained HTML page: a citation opens its quote, marked in the text it stands in."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from evidencegate._templates import templates_of
from evidencegate.documents import Document, Span
from evidencegate.report._markdown import CURATED, NOTICE, absence
from evidencegate.report._references import closed, metadata_line
from evidencegate.report._types import Answer, Citation, Reference, Sentence

# Of a full text the page shows what surrounds the quotes; an abstract is shown whole.
_SHOWN = 6000
_AROUND = 1200


def html(answer: Answer) -> str:
    """The whole answer as one page without outside parts. Text from outside is always escaped (rule 13)."""
    return (
        templates_of("evidencegate.report")
        .get_template("answer.html.j2")
        .render(
            answer=answer,
            question=answer.package.question,
            sources=marked_sources(answer.references, answer.sentences()),
            notice=NOTICE,
            curated=CURATED,
            absence=absence(answer),
            metadata_line=metadata_line,
            closed=closed,
            mark_id=mark_id,
        )
    )


def mark_id(citation: Citation) -> str:
    """The id of the place in the page where a citation's quote is marked."""
    return f"q-{citation.n}-{citation.quote.span.start}-{citation.quote.span.end}"


def marked_sources(references: Sequence[Reference], sentences: Iterable[Sentence]) -> "dict[int, _Source]":
    """Each reference's text with what is quoted of it marked, by its number."""
    shown = list(sentences)
    return {reference.n: _Source.of(reference, shown) for reference in references}


@dataclass(frozen=True, slots=True)
class _Source:
    """A reference with its text, the quotes marked in it."""

    reference: Reference
    text: Markup

    @classmethod
    def of(cls, reference: Reference, sentences: Sequence[Sentence]) -> "_Source":
        cited = [c for s in sentences for c in s.citations if c.n == reference.n]
        return cls(reference, Markup("").join(_marked(cited[0].quote.document, cited)))


def _marked(document: Document, citations: list[Citation]) -> Iterator[Markup]:
    return marked(document.text, [(c.quote.span, mark_id(c)) for c in citations])


def marked(text: str, quotes: Iterable[tuple[Span, str]], *, shown: int = _SHOWN) -> Iterator[Markup]:
    """`text` with each quote in a `mark` that has its id; of overlapping quotes the first. All of it is escaped.

    Of a text longer than `shown` characters only what is near a mark is kept.
    """
    marks: list[tuple[Span, str]] = []
    for span, identity in sorted(quotes, key=lambda quote: quote[0]):
        if not marks or marks[-1][0].end <= span.start:
            marks.append((span, identity))
    position = 0
    whole = len(text) <= shown
    for span, identity in marks:
        yield _plain(text, position, span.start, keep_start=position > 0, keep_end=True, whole=whole)
        yield Markup('<mark id="{}" tabindex="-1">{}</mark>').format(identity, span.of(text))
        position = span.end
    yield _plain(text, position, len(text), keep_start=True, keep_end=False, whole=whole)


def _plain(text: str, start: int, end: int, *, keep_start: bool, keep_end: bool, whole: bool) -> Markup:
    """Unmarked text; of a long document only what is near a mark."""
    piece = text[start:end]
    if whole or len(piece) <= 2 * _AROUND:
        return Markup("{}").format(piece)
    head = piece[:_AROUND] if keep_start else ""
    tail = piece[-_AROUND:] if keep_end else ""
    return Markup("{} […] {}").format(head, tail)
