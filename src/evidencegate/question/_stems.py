"""Treatments that no list knows yet, told by their names.

Drugs have the stem of their international nonproprietary name (WHO, "The use of stems in the selection of
international nonproprietary names for pharmaceutical substances"), operations and tests end as they do in Greek.
"""

from collections import ChainMap
from collections.abc import Iterable, Sequence
from dataclasses import replace

from evidencegate.question._matcher import Match
from evidencegate.question._normal import Token
from evidencegate.question._types import Treatment
from evidencegate.question._vocabulary import TREATMENT, Vocabulary
from evidencegate.question._words import language

_SHORTEST = 7


def new_treatments(
    tokens: Sequence[Token], matches: Iterable[Match], vocabulary: Vocabulary
) -> tuple[list[Match], Vocabulary]:
    """Treatments among the words that nothing accounts for, and the vocabulary with them in it.

    Args:
        tokens: the question's.
        matches: what was found in them; a word within one is not looked at.
        vocabulary: as loaded.
    """
    taken = {place for match in matches if match.name for place in range(match.start, match.end)}
    found: list[Match] = []
    treatments: dict[str, Treatment] = {}
    for place, token in enumerate(tokens):
        word = token.folded
        if place in taken or len(word) < _SHORTEST or not word.isascii() or word in language()["not_treatments"]:
            continue
        stem = next((stem for stem in vocabulary.stems if stem.pattern.fullmatch(word)), None)
        if stem:
            treatments[word] = Treatment(term=word, classes=stem.classes, decision=stem.decision, drug=stem.drug)
            found.append(Match(TREATMENT, word, place, place + 1))
    if not found:
        return [], vocabulary
    return found, replace(vocabulary, treatments=ChainMap(treatments, dict(vocabulary.treatments)))
