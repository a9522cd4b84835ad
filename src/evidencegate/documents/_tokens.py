"""Text as tokens with their place, in one spelling of typography.

Two texts that differ only in typography (Unicode form, dashes, quotation marks, white space, soft hyphens,
case) have the same tokens. Superscripts, fractions and the like are *not* folded: `10⁶` is not `106`.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_FOLDED = {
    **dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-"),
    **dict.fromkeys("‘’‚‛′ʹʼ´`", "'"),
    **dict.fromkeys("“”„‟″«»‹›", '"'),
    "µ": "μ",
    "…": "...",
    "⩽": "≤",
    "⩾": "≥",
    "≦": "≤",
    "≧": "≥",
    "∼": "~",
    "˜": "~",
    "∗": "*",
    **dict.fromkeys("⁄∕", "/"),
    "ﬀ": "ff",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "ﬅ": "st",
    "ﬆ": "st",
}
# Full-width forms are typography; other compatibility forms (², ½, ①) carry meaning.
_NARROW = {
    char: narrow
    for char in map(chr, range(0xFF01, 0xFFEF))
    if unicodedata.east_asian_width(char) == "F" and len(narrow := unicodedata.normalize("NFKC", char)) == 1
}
# The Lancet prints decimals with a raised dot; between digits it is a decimal point.
_RAISED_DOT = re.compile(r"(?<=\d)[·∙⋅](?=\d)")
_TOKEN = re.compile(r"(?P<number>\d+(?:[.,]\d+)*)|(?P<word>[^\W\d_]+)|(?P<symbol>[^\w\s]|_)")


# Characters; a passage is far below, a full text far above.
_SHORT = 5_000


class Kind(Enum):
    """What a token is."""

    NUMBER = auto()
    WORD = auto()
    SYMBOL = auto()


_KINDS = {"number": Kind.NUMBER, "word": Kind.WORD, "symbol": Kind.SYMBOL}


@dataclass(frozen=True, slots=True)
class Token:
    """One number, word or symbol, with its half-open place in the text it was read from."""

    text: str
    """As normalised, case kept."""
    folded: str
    """As normalised, case folded: what is compared."""
    kind: Kind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Normalised:
    """A text in one spelling, with the way back: character `i` came from `[starts[i], ends[i])`."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def normalise(text: str) -> Normalised:
    """`text` with one form for each dash, quotation mark, ligature and accent, and the index map back."""
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position, size = 0, len(text)
    while position < size:
        start = position
        position += 1
        char = text[start]
        if char in INVISIBLE:
            continue
        if ord(char) > 0x7F or (position < size and ord(text[position]) > 0x7F):
            while position < size and unicodedata.combining(text[position]):
                position += 1
            char = unicodedata.normalize("NFC", text[start:position])
        for piece in _FOLDED.get(char, char):
            out.append(_NARROW.get(piece, piece))
            starts.append(start)
            ends.append(position)
    joined = "".join(out)
    return Normalised(_RAISED_DOT.sub(".", joined), tuple(starts), tuple(ends))


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of `text` in order, each with its span in `text` itself.

    Those of short texts are remembered: claims and passages are compared again and again.
    """
    return _remembered(text) if len(text) <= _SHORT else _tokens(text)


def _tokens(text: str) -> tuple[Token, ...]:
    if text.isascii() and "`" not in text:
        found = ((m, m.start(), m.end()) for m in _TOKEN.finditer(text))
    else:
        normal = normalise(text)
        found = ((m, normal.starts[m.start()], normal.ends[m.end() - 1]) for m in _TOKEN.finditer(normal.text))
    return tuple(Token(m[0], m[0].casefold(), _KINDS[m.lastgroup or "symbol"], start, end) for m, start, end in found)


_remembered = lru_cache(maxsize=1024)(_tokens)
