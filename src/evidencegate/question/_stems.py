"""Drugs that no list knows yet: told by the stem of their international nonproprietary name."""

import re
from collections import ChainMap
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from evidencegate.question._load import class_line, language
from evidencegate.question._matcher import Match
from evidencegate.question._normal import Token
from evidencegate.question._types import Treatment
from evidencegate.question._vocabulary import TREATMENT, Vocabulary

_SHORTEST = 7


@lru_cache(maxsize=4)
def _stems(classes: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """One pattern a class; the stems are those of WHO's list ("The use of stems in the selection of INNs")."""
    return tuple(
        (re.compile("|".join(rf"[a-z]+{s[1:]}" if s.startswith("-") else rf"{s[:-1]}[a-z]+" for s in stems)), name)
        for name, stems in classes
    )


def new_drugs(tokens: list[Token], matches: Iterable[Match], vocabulary: Vocabulary) -> tuple[list[Match], Vocabulary]:
    """Drugs among the words that nothing accounts for, and the vocabulary with them in it.

    Args:
        tokens: the question's.
        matches: what was found in them; a word within one is not looked at.
        vocabulary: as loaded.
    """
    taken = {place for match in matches if match.name for place in range(match.start, match.end)}
    classes = tuple((one.name, one.stems) for one in vocabulary.classes.values() if one.stems)
    found: list[Match] = []
    drugs: dict[str, Treatment] = {}
    for place, token in enumerate(tokens):
        word = token.text.lower()
        if place in taken or len(word) < _SHORTEST or not word.isascii() or word in language()["not_drugs"]:
            continue
        name = next((name for pattern, name in _stems(classes) if pattern.fullmatch(word)), None)
        if name is None:
            continue
        line = class_line(vocabulary.classes, name)
        decision = next((spoken for c in line if (spoken := vocabulary.classes[c].decision)), None)
        drugs[word] = Treatment(term=word, classes=line, decision=decision)
        found.append(Match(TREATMENT, word, place, place + 1))
    if not found:
        return [], vocabulary
    return found, replace(vocabulary, treatments=ChainMap(drugs, dict(vocabulary.treatments)))
