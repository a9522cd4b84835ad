"""What the data files say of language: words and phrases by their use, and the many ways of saying a condition."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from evidencegate.question._data import shipped, shipped_lines
from evidencegate.question._matcher import Entry
from evidencegate.question._normal import fold

CUES = (
    "negation_before",
    "negation_after",
    "affirmed",
    "negation_end",
    "history",
    "treated",
    "people",
    "family",
    "compared",
    "occasion",
    "effect",
    "past",
    "sought",
)
DECOY = ""


@lru_cache(maxsize=1)
def language() -> Mapping[str, Any]:
    """Word lists of `language.yaml`: sets of words, and tuples of phrases where the list has semicolons."""
    raw: dict[str, str] = shipped("language")
    return {
        name: tuple(part.strip() for part in value.split(";")) if ";" in value else frozenset(value.split())
        for name, value in raw.items()
    }


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    """Words that end a phrase read leftwards, folded."""
    return frozenset(fold(word) for word in language()["stop"])


@lru_cache(maxsize=1)
def turned_heads() -> frozenset[str]:
    """Heads of conditions that stand before the organ as well as after it, folded."""
    return frozenset(fold(word) for word in language()["turned"])


def sides() -> frozenset[str]:
    """Words that may stand before the organ then: left, right, ..."""
    found: frozenset[str] = language()["sides"]
    return found


def negation_before() -> tuple[str, ...]:
    """Phrases that deny what follows them."""
    found: tuple[str, ...] = language()["negation_before"]
    return found


def said() -> Iterator[tuple[str, Entry]]:
    """The ways of saying a condition in `said.txt`."""
    for line in shipped_lines("said.txt"):
        name, _, phrases = line.partition(" | ")
        yield from ((text, Entry("disease", name)) for text in phrases.split("; "))


def alike() -> Mapping[str, str]:
    """Words of `said.txt` that are read as one, the first of each group."""
    groups = (group.split() for group in language()["alike"])
    return {fold(word): fold(group[0]) for group in groups for word in group[1:]}


def decoys() -> Iterator[tuple[str, Entry]]:
    """Phrases that hold the name of a condition or the cue of a decision, and are none."""
    for text in language()["decoys"]:
        yield text, Entry("disease", DECOY)
    for text in language()["undecided"]:
        yield text, Entry("decision", DECOY)


def cues() -> Iterator[tuple[str, Entry]]:
    """Phrases that say how other phrases are meant, and the outcomes."""
    words = language()
    for kind in CUES:
        for text in words[kind]:
            yield text, Entry(kind, text)
    yield from decoys()
    for kind, terms in shipped("outcomes").items():
        for text in terms.split(";"):
            yield text.strip(), Entry("outcome", kind)
