"""Abbreviations: the pairs that a text defines itself, and the common ones of clinical writing."""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from evidencegate.question._data import shipped

_PARENTHESES = re.compile(r"\(([^()]{2,80})\)")
_SHORT = re.compile(r"[A-Za-z][\w/&+-]{1,9}")
_SHORT_WORD = 3
"""Letters of an abbreviation that is written like a word ("Hct"); a longer one is a word."""


def _long_form(short: str, before: str) -> str | None:
    """The shortest end of `before` that holds the letters of `short` in order, the first at a word's start.

    Schwartz AS, Hearst MA. A simple algorithm for identifying abbreviation definitions in biomedical text.
    Pac Symp Biocomput 2003:451-62.
    """
    at = len(before) - 1
    for position in range(len(short) - 1, -1, -1):
        wanted = short[position].lower()
        if not wanted.isalnum():
            continue
        while at >= 0 and (before[at].lower() != wanted or (position == 0 and at > 0 and before[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return None
        at -= 1
    start = at + 1
    # The first letter may stand within a hyphenated word; the whole word is the long form's first.
    start = max(before.rfind(" ", 0, start), before.rfind("(", 0, start)) + 1
    return before[start:].strip() or None


def _is_short(text: str) -> bool:
    """Whether a text has the form of an abbreviation: "HF", "mRNA", "Hb", and not "Valerian"."""
    a_word = len(text) > _SHORT_WORD and text[1:].islower()
    letters = sum(c.isalpha() for c in text)
    return bool(_SHORT.fullmatch(text)) and any(c.isupper() for c in text) and letters > 1 and not a_word


def _by_initials(short: str, words: list[str]) -> str | None:
    """The last words of a text where their first letters are the letters of `short`: total thyroidectomy (TT)."""
    last = words[-len(short) :]
    return " ".join(last) if "".join(word[0] for word in last).casefold() == short.casefold() else None


def abbreviations(text: str) -> dict[str, str]:
    """The abbreviations that `text` defines, as `heart failure (HF)` or `HF (heart failure)`, with their long forms.

    Where one is defined twice, the first definition counts.
    """
    found: dict[str, str] = {}
    for match in _PARENTHESES.finditer(text):
        inside = re.split(r"[;,]", match.group(1))[0].strip()
        before = re.split(r"[.;:?!()]\s|[()]", text[: match.start()])[-1].rstrip()
        if _is_short(inside):
            # At most min(|A| + 5, 2|A|) words can be the long form.
            words = before.split()[-min(len(inside) + 5, 2 * len(inside)) :]
            long = _by_initials(inside, words) or _long_form(inside, " ".join(words))
            if long and len(long) > len(inside) and inside not in long.split():
                found.setdefault(inside, long)
        elif before:
            last = before.split()[-1]
            if _is_short(last):
                long = _long_form(last, inside)
                if long is not None and long == inside:
                    found.setdefault(last, long)
    return found


@lru_cache(maxsize=1)
def common_abbreviations() -> Mapping[str, str]:
    """Clinical abbreviations with one meaning each, in exactly their case; the data file says which."""
    return MappingProxyType({str(short): str(long) for short, long in shipped("abbreviations").items()})


def expand(text: str) -> str:
    """`text` with each abbreviation that it defines, or that has one clinical meaning, written out.

    What the text itself defines goes before the common meaning. Defining places are left as they are.
    """
    known = {**common_abbreviations(), **abbreviations(text)}
    defining = {match.span(1) for match in _PARENTHESES.finditer(text)}

    def long(match: re.Match[str]) -> str:
        if match.span() in defining:
            return match.group()
        return known.get(match.group(), match.group())

    return re.sub(r"(?<![\w-])[A-Za-z][\w/&+-]*\w(?![\w-])", long, text)
