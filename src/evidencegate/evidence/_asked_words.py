"""The words by which it is known what a question asks for, and whether a text speaks of it (`data/asked.yaml`)."""

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import yaml

from evidencegate.evidence._function_words import function_words
from evidencegate.question import fold, phrase

_ROOT, _ENDING = 4, 5
"""A word of at least so many letters has forms with an ending of at most so many: *feed*, *feeding*."""
_PAIR = 2
_LISTED = 3
"""Letters of the words of a name between which a list may stand."""
ROOM = r"(?: \S+){0,3} "
"""Up to three words between those of a name, in an expression over folded text."""


@cache
def lists() -> dict[str, Any]:
    """The file as it is."""
    text = files("evidencegate.evidence").joinpath("data", "asked.yaml").read_text("utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


@cache
def word_list(name: str) -> frozenset[str]:
    """One of its lists of words, folded."""
    return frozenset(phrase(str(lists()[name])))


@cache
def rows() -> dict[str, frozenset[str]]:
    """For each word of an outcome, the words that may stand for it."""
    return {word: frozenset(phrase(row)) for row in lists()["outcomes"] for word in phrase(row)}


@cache
def brought_about() -> re.Pattern[str]:
    """How a question asks whether something comes about; group `what` is that."""
    return re.compile(lists()["brought_about"], re.IGNORECASE)


@cache
def _function() -> frozenset[str]:
    return frozenset(map(fold, function_words()))


@lru_cache(maxsize=16_384)
def as_folded(text: str) -> str:
    """The words of a text as they are compared, between spaces."""
    return f" {' '.join(phrase(text))} "


def stands(name: str, folded: str, *, lacking: bool = True) -> bool:
    """Whether a name stands in folded text, as a phrase or in a list: *red meat* in "red and processed meat".

    Without `lacking` not where it says what is lacking: "vitamin A deficiency" is no vitamin A.
    """
    if name in folded:
        return lacking or re.search(rf"{re.escape(name)}(?!deficien)", folded) is not None
    apart = _apart(name)
    return apart is not None and apart.search(folded) is not None


@lru_cache(maxsize=4096)
def _apart(name: str) -> re.Pattern[str] | None:
    """A name of several words with room for what a list puts between them; none where a word is short: *vitamin a*."""
    words = name.split()
    if len(words) < _PAIR or min(map(len, words)) < _LISTED:
        return None
    return re.compile(f" {ROOM.join(map(re.escape, words))} ")


def is_there(word: str, there: frozenset[str]) -> bool:
    """Whether a folded word is among others: itself, a form of it, or what the same outcome may be called instead."""
    if word in there or rows().get(word, frozenset()) & there:
        return True
    return any(_forms(*sorted((word, other), key=len)) for other in there)


def _forms(short: str, long: str) -> bool:
    """Whether the longer word is the shorter with an ending: *feed*, *feeding*."""
    root = short.removesuffix("e")
    return len(root) >= _ROOT and long.startswith(root) and len(long) - len(root) <= _ENDING


def telling_words(text: str, light: frozenset[str]) -> list[str]:
    """The folded words of a text that say something: neither function words, nor figures, nor `light`."""
    return [word for word in dict.fromkeys(phrase(text)) if word not in light | _function() and not word.isdigit()]
