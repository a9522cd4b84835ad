"""The one way to a `Quote`: finding what was said to be a quote, literally, in a document (rule 1)."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evidencegate.documents._document import Document
from evidencegate.documents._passage import Passage, Quote
from evidencegate.documents._sentences import sentences
from evidencegate.documents._span import Span
from evidencegate.documents._tokens import Kind, Token, tokens

_ENCLOSED = re.compile(r"""\s*["'“‘«„](?P<inner>.+)["'”’»“]\s*""", re.DOTALL)
_NEGATIONS = frozenset({"no", "not", "non", "nor", "neither", "never", "without", "cannot"})
# A number loses its meaning without what stands before it ("<0.05", "-0.3") ...
_BEFORE_NUMBER = frozenset("<>≤≥=±~≈+-")
# ... or after it ("5%").
_AFTER_NUMBER = frozenset("%‰°")
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
    Numbers, units, comparators and negations must match token for token, and the place may not begin right
    after a negation, sign or comparator, nor end before a percent sign. The passage of the quote is made of the
    sentences it touches. Time is linear in the length of the document.
    """
    span = next(_find(text, document.text), None)
    if span is None:
        return None
    touched = tuple(s for s in sentences(document.text) if s.overlaps(span))
    return Quote(Passage(document, touched), span)


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
    position = index.text.find(needle)
    while position >= 0:
        first = bisect_left(index.offsets, position)
        found = index.tokens[first : first + len(wanted)]
        before = index.tokens[first - 1] if first else None
        after = index.tokens[first + len(wanted)] if first + len(wanted) < len(index.tokens) else None
        if _units_agree(wanted, found) and _starts_whole(before, found[0]) and _ends_whole(found[-1], after):
            yield Span(found[0].start, found[-1].end)
        position = index.text.find(needle, position + 1)


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


def _units_agree(wanted: Sequence[Token], found: Sequence[Token]) -> bool:
    return all(
        want.text == have.text
        for number, want, have in zip(wanted, wanted[1:], found[1:], strict=False)
        if number.kind is Kind.NUMBER and want.kind is Kind.WORD and len(want.text) <= _UNIT_LENGTH
    )


def _starts_whole(before: Token | None, first: Token) -> bool:
    if before is None:
        return True
    if before.folded in _NEGATIONS:
        return False
    # A hyphen that joins words is no sign; one that stands free before a number may be.
    return not (first.kind is Kind.NUMBER and before.folded in _BEFORE_NUMBER and before.end >= first.start - 1)


def _ends_whole(last: Token, after: Token | None) -> bool:
    return after is None or not (
        last.kind is Kind.NUMBER and after.folded in _AFTER_NUMBER and after.start <= last.end + 1
    )
