"""Sentences that speak to the program that reads a text. No room reads them (rule 13): one rule, over one data file.

What is blanked keeps its place, so that every offset means what it meant, and a quote from the rest of the text is a
literal slice of the source as published.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

from evidencegate.documents._document import Document
from evidencegate.documents._sentences import sentences
from evidencegate.documents._span import Span
from evidencegate.documents._tokens import INVISIBLE

_REMEMBERED = 20_000
"""Texts up to so many characters are remembered: the records of a search are read again and again."""
_STOP = re.compile(r"[.!?]\s+|\s{12,}")
_SPACED = re.compile(r"(?<!\w)(?:\w ){4,}\w(?!\w)")
_ESCAPED = re.compile(r"\\x([0-7][0-9a-fA-F])|\\u00([0-7][0-9a-fA-F])")
_WITH_DIGITS = re.compile(r"\b(?=[0134]*[a-z])[a-z0134]*[0134][a-z0134]*\b", re.IGNORECASE)
_AS_LETTERS = str.maketrans("0134", "oiea")
_INVISIBLE = dict.fromkeys(map(ord, INVISIBLE))


@dataclass(frozen=True, slots=True)
class _Rules:
    triggers: re.Pattern[str]
    blocks: tuple[re.Pattern[str], ...]
    sentences: re.Pattern[str]
    follow: re.Pattern[str]
    lookalikes: dict[int, str]


@cache
def _rules() -> _Rules:
    raw = tomllib.loads(files("evidencegate.documents").joinpath("data/orders.toml").read_text("utf-8"))
    written = "|".join(f"(?:{pattern})" for pattern in raw["sentences"])
    written = written.replace("@ADDRESSEE", raw["addressee"]).replace("@IMPERATIVE", raw["imperative"])
    alike = raw["lookalikes"]
    return _Rules(
        triggers=re.compile(raw["triggers"], re.IGNORECASE),
        blocks=tuple(re.compile(block, re.IGNORECASE | re.DOTALL | re.MULTILINE) for block in raw["blocks"]),
        sentences=re.compile(written, re.IGNORECASE),
        follow=re.compile(raw["follow"], re.IGNORECASE),
        lookalikes={ord(other): latin for other, latin in zip(alike[::2], alike[1::2], strict=True)},
    )


def is_order(text: str) -> bool:
    """Whether a text, or any sentence of it, tells whoever processes it what to do."""
    return without_orders(text) != text


def without_orders(text: str) -> str:
    """The text with every sentence blanked that gives orders to its reader; offsets are kept."""
    return _remembered(text) if len(text) <= _REMEMBERED else _blanked(text)


def heard(document: Document) -> Document:
    """The document as it is read: its text without orders, every offset kept; its title and keywords without them too.

    The same object where nothing in it gives orders.
    """
    text, title = without_orders(document.text), document.title
    keywords = tuple(word for word in document.keywords if not is_order(word))
    if is_order(title):
        title = " ".join(without_orders(title).split())
    if (text, title, keywords) == (document.text, document.title, document.keywords):
        return document
    return replace(document, text=text, title=title, keywords=keywords)


def _blanked(text: str) -> str:
    rules = _rules()
    if not any(rules.triggers.search(seen) for seen in _seen(text)):
        return text
    kept = list(text)
    for block in rules.blocks:
        for found in block.finditer(text):
            _blank(kept, Span(*found.span()))
    left = "".join(kept)
    ordered = False
    for span in _pieces(left):
        said = span.of(left)
        ordered = _ordering(said) or (ordered and rules.follow.search(said) is not None)
        if ordered:
            _blank(kept, span)
    # A sentence with a gap in it would be quoted otherwise than it was published. Without it, its neighbours may be
    # read as one, with the gap between them.
    while True:
        left = "".join(kept)
        gaping = [span for span in sentences(left) if span.of(left) != span.of(text)]
        if not gaping:
            return left
        for span in gaping:
            _blank(kept, span)


def _pieces(text: str) -> Iterator[Span]:
    """The sentences of a text; of one that gives an order the pieces between its stops, where one gives it alone."""
    for span in sentences(text):
        said = span.of(text)
        cuts = [0, *(stop.end() for stop in _STOP.finditer(said)), len(said)]
        parts = [Span(span.start + a, span.start + b) for a, b in pairwise(cuts) if said[a:b].strip()]
        alone = len(parts) > 1 and _ordering(said) and any(_ordering(part.of(text)) for part in parts)
        yield from parts if alone else (span,)


_remembered = lru_cache(maxsize=2048)(_blanked)


def _blank(kept: list[str], span: Span) -> None:
    """Line ends stay, so that paragraphs are what they were."""
    kept[span.start : span.end] = [c if c in "\r\n" else " " for c in kept[span.start : span.end]]


def _ordering(sentence: str) -> bool:
    rules = _rules()
    return any(rules.triggers.search(seen) and rules.sentences.search(seen) for seen in _seen(sentence))


def _seen(text: str) -> Iterator[str]:
    """A text as a reader sees it, in whatever characters; and, where that differs, as it may be meant."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text.translate(_INVISIBLE))
    yield plain
    meant = plain if plain.isascii() else plain.translate(_rules().lookalikes)
    meant = _ESCAPED.sub(lambda found: chr(int(found[1] or found[2], 16)), meant)
    meant = _SPACED.sub(lambda found: found[0].replace(" ", ""), meant)
    meant = _WITH_DIGITS.sub(lambda found: found[0].translate(_AS_LETTERS), meant)
    if meant != plain:
        yield meant
