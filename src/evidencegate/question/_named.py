"""What a sentence names: the words, conditions and treatments in it, whether it affirms or denies them."""

from functools import lru_cache
from typing import NamedTuple

from evidencegate.question._normal import BREAKS, words
from evidencegate.question._records import _with_parents
from evidencegate.question._vocabulary import DISEASE, TREATMENT, load_vocabulary
from evidencegate.question._words import DECOY


class Named(NamedTuple):
    """What a text names. Unlike its tags, what it denies counts: "no fractures occurred" speaks of fractures."""

    raw: tuple[str, ...]
    """Its words as written, in order; marks are left out."""
    words: tuple[str, ...]
    """The same, folded: lower case, one spelling, singular."""
    conditions: frozenset[str]
    """Tags, with the parents of each."""
    treatments: frozenset[str]
    """Terms of the vocabulary."""


@lru_cache(maxsize=16_384)
def named_in(text: str) -> Named:
    """What `text` names, by the vocabulary of questions and records."""
    vocabulary = load_vocabulary()
    raw, folded = words(text)
    conditions = {
        match.name for match in vocabulary.records.find(raw, folded) if match.kind == DISEASE and match.name != DECOY
    }
    treatments = {match.name for match in vocabulary.questions.find(raw, folded) if match.kind == TREATMENT}
    said = [(one, other) for one, other in zip(raw, folded, strict=True) if other not in BREAKS and other != ","]
    return Named(
        tuple(one for one, _ in said),
        tuple(other for _, other in said),
        _with_parents(conditions, vocabulary),
        frozenset(treatments),
    )
