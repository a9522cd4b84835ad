"""Whether a full stop, question or exclamation mark ends a sentence."""

import re
from dataclasses import dataclass

from evidencegate.documents._abbreviations import words

STOP = re.compile(r"[.!?…。！？؟।]+")
LOOK_BACK = 48
"""Characters before a stop that are looked at; a bound keeps the work linear."""

_FULL_WIDTH = frozenset("。！？")
_CLOSERS = frozenset("\"'”’»›)]}*_")
_OPENERS = frozenset("\"'“‘«‹([{*_„¿¡")
_CITATION = re.compile(r"\[\s?\d[\d\s,;–—‐‑-]{0,60}\]|[⁰¹²³⁴⁵-⁹][⁰¹²³⁴⁵-⁹˒,⁻–-]{0,30}")
_BARE_CITATION = re.compile(r"\d{1,3}(?:[,–—‐-]\s?\d{1,3}){0,20}(?=\s|$)")
_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"[^\W_](?:[\w'’-]{0,40})")
_NUMBER = re.compile(r"\d{1,5}")
_INTERVAL = re.compile(r"\s(?:\+\s?/|\(\s?9\d\s?%|\(\s?CI|to\s\d|[±-]\s?\d)")
# A unit after the second number: the two are one decimal, parted in typesetting ("12. 5 mg").
_UNIT = re.compile(r"\s?(?:[kmµμn]?g|mcg|[mµμd]?[lL]|[mµμn]?mol|[mµμn]?M|[cm]?m|m?Hg|mmHg|I?U|mEq|Hz|kPa|%)(?!\w)")
_VOLUME = re.compile(r"\d{1,4}(?:\(\w{1,6}\))?:\s?\d")
_ENUMERATOR = re.compile(r"\([a-z\d]{1,3}\)\s|[†‡§¶*•]")
_ITEM = re.compile(r"(?:\d{1,4}|[ivx]{1,4}|[a-zA-Z])")
_LETTERS_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}")
# mRNA, eGFR, p53, miR-21, c-Myc, α-synuclein: sentences may begin with them though they begin in lower case.
_LOWER_START = re.compile(r"[a-z]{1,4}-?[A-Z]|[a-z]{1,3}-?\d{1,3}(?!\d)|[α-ω]-")


@dataclass(frozen=True, slots=True)
class _Place:
    """A stop, and what stands around it."""

    text: str
    start: int
    """Where the sentence began."""
    stop: int
    """Where the stop begins."""
    mark: str
    before: str
    """The word before the stop, freed of opening brackets and quotes; empty after a space."""
    following: int
    """Where the next word, number or symbol may begin, past space."""
    limit: int

    @property
    def opened(self) -> int:
        """`following`, past opening brackets and quotes."""
        at = self.following
        while at < self.limit and self.text[at] in _OPENERS:
            at += 1
        return at


def sentence_end(text: str, start: int, stop: re.Match[str], limit: int) -> int | None:
    """The end of the sentence of `text[:limit]` that begins at `start`, if `stop` ends it; else None.

    Closing quotes, brackets and citations after the stop lie before the end.
    """
    before = _before(text, start, stop.start())
    end = _closed(text, stop.end(), limit)
    if text[end : end + 1] == ";" and text[end + 1 : end + 2].isspace():
        end += 1  # abstracts joined from parts: "It fell.; The rest did not."
    if end < limit and not text[end].isspace():
        if text[stop.end() - 1] in _FULL_WIDTH:
            return end
        glued = _BARE_CITATION.match(text, end, limit)
        if glued is None or not _ordinary(before):
            return end if _runs_on(text, before, end, limit) else None
        end = glued.end()
    following = _past_space(text, end, limit)
    citation = _CITATION.match(text, following, limit)
    if citation and text[following] == "[" and text[citation.end() : citation.end() + 1].isspace():
        end = _closed(text, citation.end(), limit)
        following = _past_space(text, end, limit)
    if following >= limit:
        return None
    place = _Place(text, start, stop.start(), stop[0], before, following, limit)
    if place.mark == "." and _abbreviates(place):
        return None
    return end if _may_begin(place) else None


def _past_space(text: str, at: int, limit: int) -> int:
    space = _SPACE.match(text, at, limit)
    return space.end() if space else at


def _before(text: str, start: int, end: int) -> str:
    """The run of characters without space that ends at `end`, freed of opening brackets and quotes."""
    chunk = text[max(start, end - LOOK_BACK) : end]
    if not chunk or chunk[-1].isspace():
        return ""
    word = chunk.split()[-1].lstrip("\"'“‘«‹([{*_„-–—/")
    return word.rsplit("(", 1)[-1] if "(" in word and ")" not in word else word


def _closed(text: str, at: int, limit: int) -> int:
    """Past the closing marks and citations that stand right after a stop."""
    while at < limit:
        if text[at] in _CLOSERS:
            at += 1
            continue
        citation = _CITATION.match(text, at, limit)
        if citation is None:
            return at
        at = citation.end()
    return at


def _ordinary(word: str) -> bool:
    """Whether `word` is neither an abbreviation nor an initial nor a number."""
    last = word.rsplit("-", 1)[-1].rstrip(")]}\"'”’%")
    if not last:
        return bool(word)
    if len(last) < 2 or not last[-1].isalpha() or "." in last:
        return False
    return word not in words().known and last not in words().known


def _runs_on(text: str, before: str, after: int, limit: int) -> bool:
    """Whether a sentence begins at `after` though no space parts it from the stop ("groups.The")."""
    following = _WORD.match(text, after, limit)
    if following is None or not following[0][0].isupper() or not before:
        return False
    word = following[0]
    if not (word[1:2].islower() or (word in ("A", "I") and text[after + 1 : after + 2] == " ")):
        return False
    rest = text[after : min(limit, after + LOOK_BACK)].split(maxsplit=1)[0]
    if "@" in rest or "/" in rest or "." in rest.rstrip(".,;:)"):
        return False
    return before[-1].isdigit() or before[-1] in ")]%" or _ordinary(before)


def _may_begin(place: _Place) -> bool:
    """Whether what follows may be the first word of a sentence."""
    text, at = place.text, place.opened
    if _ENUMERATOR.match(text, place.following, place.limit):
        return True
    if at >= place.limit:
        return False
    char = text[at]
    if char.isdigit():
        # "J Physiol. 555:71" cites; "7. 5 mg" is one number.
        return not (place.mark == "." and (_parted_number(place) or _VOLUME.match(text, at, place.limit)))
    if char in "<>≤≥≈~±":
        return _ordinary(place.before) and text[at + 1 : at + 3].lstrip()[:1].isdigit()
    word = _WORD.match(text, at, place.limit)
    if word is None:
        # A dash, an arrow or a symbol: a sentence goes on, unless a list mark stands before a capital.
        return char in "-–#" and text[at + 1 : at + 3].lstrip()[:1].isupper()
    if not char.islower():
        return True
    if at != place.following or not _ordinary(place.before):
        return False
    if _LOWER_START.match(word[0]):
        return text[word.end() : word.end() + 1] not in ("=", "<", ">")
    lower = len(place.before) > 2 and place.before.islower()
    return place.mark == "." and lower and word[0] in words().lower_starters


def _parted_number(place: _Place) -> bool:
    """Whether a stop and a space stand inside one number, as in `p<0. 05` or `1. 25 (95% CI 1. 1-1. 4)`."""
    before = place.before
    digits = len(before) - len(before.rstrip("0123456789"))
    if not 1 <= digits <= 3:
        return False
    whole, lead = before[-digits:], before[:-digits]
    if lead[-1:] in (".", ",") or lead[-1:].isalpha():
        return False
    if whole == "0":
        return True
    fraction = _NUMBER.match(place.text, place.opened, place.limit)
    if fraction is None:
        return False
    goes_on = place.text[fraction.end() : fraction.end() + 1] in set(",;)]%–—-/+±")
    after = fraction.end(), place.limit
    if digits <= 2 and (goes_on or _INTERVAL.match(place.text, *after)):
        return True
    if len(fraction[0]) <= 2 and _UNIT.match(place.text, *after):
        return True
    return lead[-1:] in set("<>=≤≥±~≈") and digits == 1


def _abbreviates(place: _Place) -> bool:
    """Whether the single full stop belongs to the word before it and ends no sentence."""
    lists, at = words(), place.opened
    word = place.before.rsplit("/", 1)[-1].rsplit("%", 1)[-1]
    if word.count("-") == 1 and word not in lists.may_end:
        word = word.rsplit("-", 1)[-1] or word
    if not word:
        # A stop that stands free: ". . ." or a stop set off by spaces.
        return place.text[place.following] in ".…"
    following = _WORD.match(place.text, at, place.limit)
    number = at < place.limit and place.text[at].isdigit()
    capital = following is not None and following[0][0].isupper()
    starts = capital and following is not None and following[0].lower() in lists.starters
    if (
        word in lists.never_end
        or (word in lists.before_number and following is not None and any(c.isdigit() for c in following[0]))
        or (capital and not starts and word in lists.before_code)
    ):
        return True
    if word in lists.may_end or _LETTERS_DOTTED.fullmatch(word):
        return not starts
    # The number of a list item or table row, at the head of its sentence.
    headed = place.stop - place.start <= LOOK_BACK
    if headed and place.text[place.start : place.stop].strip("| \t\r\n") == place.before and _ITEM.fullmatch(word):
        return True
    return len(word) == 1 and word.isalpha() and not (starts or number or _names(place, word))


def _names(place: _Place, letter: str) -> bool:
    """Whether a single letter before a full stop is a name ("vitamin D.") and not an initial ("J. R. Smith")."""
    if letter.islower() or len(place.before) > 1:
        return True
    at = place.stop - len(letter)
    lead = place.text[max(place.start, at - LOOK_BACK) : at].split()
    previous = lead[-1].strip("()[],;:'\"").lower() if lead else ""
    return previous in words().names_letter or (letter == "I" and previous.isalpha() and bool(previous))
