"""Conditions that the vocabulary does not know: found by the head or the ending of their names."""

import re
from functools import lru_cache

from evidencegate.question._normal import BREAKS, fold, phrase
from evidencegate.question._reading import Reading
from evidencegate.question._types import Tag
from evidencegate.question._vocabulary import tag_name
from evidencegate.question._words import language, stop_words

_MOST_WORDS = 5
_SHORTEST = 6


@lru_cache(maxsize=1)
def _ending() -> re.Pattern[str]:
    return re.compile(rf".{{2,}}(?:{'|'.join(sorted(language()['endings']))})")


@lru_cache(maxsize=1)
def _adjective() -> re.Pattern[str]:
    return re.compile(rf".{{2,}}(?:{'|'.join(sorted(language()['adjective']))})")


@lru_cache(maxsize=1)
def _heads() -> frozenset[str]:
    return frozenset(fold(word) for word in language()["heads"])


@lru_cache(maxsize=1)
def _not_conditions() -> frozenset[str]:
    return frozenset(fold(word) for word in language()["not_conditions"])


def _tag(reading: Reading, start: int, end: int) -> Tag:
    label = reading.slice(start, end)
    synonyms = [label]
    words = phrase(label)
    first = reading.tokens[start]
    # An eponym is used without its head as well: "Fabry" for "Fabry disease".
    if end - start == 2 and words[-1] in ("disease", "syndrome") and first.text[:1].isupper() and len(words[0]) > 3:
        synonyms.append(first.text.removesuffix("'s").removesuffix("’s"))
    return Tag(name=tag_name(label), label=label, synonyms=tuple(synonyms))


def unknown_conditions(reading: Reading, taken: set[int]) -> list[tuple[Tag, int, int]]:
    """Conditions named in the question that are in no list, as tags of their own, with their tokens.

    Args:
        reading: the question.
        taken: tokens that known conditions, treatments or decisions already account for.
    """
    stops, tokens = stop_words(), reading.tokens
    found: list[tuple[Tag, int, int]] = []
    used = -1
    for position, token in enumerate(tokens):
        word = token.folded
        if position in taken or word in stops or not word.isalpha() or word in _not_conditions():
            continue
        head = word in _heads()
        named = len(word) >= _SHORTEST and _ending().fullmatch(word) is not None
        if not head and (not named or _a_place(reading, position)):
            continue
        start = position
        while start > used + 1 and position - start < _MOST_WORDS - 1:
            left = tokens[start - 1]
            between = reading.text[left.end : tokens[start].start]
            if left.text in BREAKS or left.text == "," or start - 1 in taken or _verb(left.text):
                break
            # A stop word within a hyphenated name ("hand-and-foot disease") stops nothing.
            # Two of them are a dash, and what follows begins anew.
            joined = reading.text[left.start - 2 : left.start] != "--"
            if left.folded in stops and not (joined and "-" in (between, reading.text[left.start - 1 : left.start])):
                break
            if "\n" in between or "(" in between or ")" in between:
                break
            if (
                not head
                and between != "-"
                and not _adjective().fullmatch(left.folded)
                and not _eponym(reading, start - 1)
            ):
                break
            start -= 1
        while start < position and not tokens[start].text[0].isalpha():
            start += 1
        if (start == position and not named) or _after_a_name(reading, start):
            continue
        found.append((_tag(reading, start, position + 1), start, position + 1))
        used = position
    return found


def _a_place(reading: Reading, position: int) -> bool:
    """Whether a word is written as the name of a place or a person: the Ethiopia of "districts of Ethiopia"."""
    before = reading.tokens[position - 1].text if position else ""
    return reading.tokens[position].text[:1].isupper() and before.islower()


def _after_a_name(reading: Reading, start: int) -> bool:
    """Whether a known condition stands just before: the colitis of "C. difficile colitis" is not another one."""
    return any(
        m.end == start and reading.text[reading.tokens[start - 1].end : reading.tokens[start].start] == " "
        for m in reading.diseases
    )


def _verb(word: str) -> bool:
    """Whether a word before a condition says what is done: "combating infections", "interrupted while"."""
    return word.islower() and word.endswith(("ing", "upted", "arted", "opped", "inued")) and len(word) > 5


def _eponym(reading: Reading, position: int) -> bool:
    """A capitalised word that does not merely begin the sentence."""
    token = reading.tokens[position]
    if not token.text[:1].isupper() or len(token.text) < 3:
        return False
    return position > 0 and reading.tokens[position - 1].text not in BREAKS
