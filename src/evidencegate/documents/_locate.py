"""The one way to a `Quote`: finding what was said to be a quote, literally, in a document (rule 1)."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from evidencegate.documents._document import BLANK_LINE, Document
from evidencegate.documents._edges import ends_whole, starts_whole
from evidencegate.documents._passage import Passage, Quote
from evidencegate.documents._sentences import sentences
from evidencegate.documents._span import Span
from evidencegate.documents._tokens import Kind, Token, tokens

_ENCLOSED = re.compile(r"""\s*["'“‘«„](?P<inner>.+)["'”’»“]\s*""", re.DOTALL)
# Marks around a sentence that a quote of it may leave off: quotation marks, brackets, the bullet of a list.
_OPENS = re.compile(r"""[\s"'“‘«„(\[*_#>|•‣◦▪●○■□]*(?:[-–+]\s+)?""")
_CLOSES = re.compile(r"""[\s.!?…;:,"'”’»)\]*_|]*""")
# `mg` is not `Mg`, `mM` is not `MM`: a short word after a number is read as a unit, and its case counts.
_UNIT_LENGTH = 4


def locate(text: str, passage: Passage) -> Quote | None:
    """The quote that `text` claims to be, if `passage` holds it; else None."""
    for span in _find(text, passage.document.text):
        if span in passage.span:
            return Quote(passage, span)
    return None


def locate_quote(text: str, document: Document) -> Quote | None:
    """The quote that `text` claims to be, if `document` holds it; else None.

    Only typography may differ: Unicode form, dashes, quotation marks, white space, soft hyphens, case.
    Numbers, units, comparators and negations must match token for token, and neither end may cut off what
    gives the rest its meaning: a negation, sign, comparator, percent sign, half of a range, of a compound
    ("non-inferior") or of a unit ("mg/kg"). A quote lies within one paragraph, as what stood between two
    (a heading, a table, a formula) is not in the text. The passage of the quote is made of the sentences it
    touches. Time is linear in the length of the document.
    """
    span = next(_find(text, document.text), None)
    if span is None:
        return None
    return Quote(Passage(document, _touched(document.text, span)), span)


def _touched(source: str, span: Span) -> tuple[Span, ...]:
    """The sentences that share a character with `span`."""
    spans = sentences(source)
    first = bisect_right(spans, span.start, key=lambda sentence: sentence.end)
    return spans[first : bisect_left(spans, span.end, key=lambda sentence: sentence.start)]


def _find(text: str, source: str) -> Iterator[Span]:
    """Every place in `source` where `text` stands, in order."""
    yield from _places(tokens(text), source)
    enclosed = _ENCLOSED.fullmatch(text)
    if enclosed:
        yield from _places(tokens(enclosed["inner"]), source)


def _places(wanted: Sequence[Token], source: str) -> Iterator[Span]:
    if not any(token.kind is not Kind.SYMBOL for token in wanted):
        return
    index = _index(source)
    needle = _joined(wanted)
    units = _units(wanted)
    position = index.text.find(needle)
    while position >= 0:
        first = bisect_left(index.offsets, position)
        end = first + len(wanted)
        span = Span(index.tokens[first].start, index.tokens[end - 1].end)
        if (
            all(index.tokens[first + offset].text == unit for offset, unit in units)
            and not BLANK_LINE.search(source, span.start, span.end)
            and _whole(index, first, end, span, source)
        ):
            yield span
        position = index.text.find(needle, position + 1)


def _whole(index: "_Index", first: int, end: int, span: Span, source: str) -> bool:
    """Whether neither end cuts into what the next tokens say; a sentence's own ends never do."""
    starts, ends = starts_whole(index.tokens, first), ends_whole(index.tokens, end)
    if starts and ends:
        return True
    touched = _touched(source, span)
    opens = starts or _OPENS.fullmatch(source, touched[0].start, span.start)
    closes = ends or _CLOSES.fullmatch(source, span.end, touched[-1].end)
    return bool(opens and closes)


@dataclass(frozen=True, slots=True)
class _Index:
    """The folded tokens of a text as one string that can be searched, and where each begins in it."""

    tokens: tuple[Token, ...]
    text: str
    offsets: tuple[int, ...]


_SEPARATOR = "\x00"


def _joined(parts: Sequence[Token]) -> str:
    """Tokens between separators, so that a match begins and ends at a token."""
    return _SEPARATOR + _SEPARATOR.join(token.folded for token in parts) + _SEPARATOR


@lru_cache(maxsize=64)
def _index(source: str) -> _Index:
    found = tokens(source)
    offsets: list[int] = []
    position = 0
    for token in found:
        offsets.append(position)
        position += len(token.folded) + 1
    return _Index(found, _joined(found), tuple(offsets))


def _units(wanted: Sequence[Token]) -> list[tuple[int, str]]:
    """The short words right after numbers, with their place: what must agree in case too."""
    return [
        (place, word.text)
        for place, (number, word) in enumerate(pairwise(wanted), 1)
        if number.kind is Kind.NUMBER and word.kind is Kind.WORD and len(word.text) <= _UNIT_LENGTH
    ]
