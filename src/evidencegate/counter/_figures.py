"""Two groups' values that bear a claim out, whatever else a passage says."""

from collections.abc import Iterable

from evidencegate.counter._data import terms
from evidencegate.counter._matter import Matter
from evidencegate.counter._said import root, said
from evidencegate.models.stance import Arms, Direction, figures_say, read, stem
from evidencegate.question import phrase

_DIRECTIONS = frozenset({Direction.UP, Direction.DOWN})


def borne_out(claim: str, asked: Matter, passage: Iterable[str]) -> str | None:
    """The sentence whose values show what `claim` says, significantly: "2.4 % in the vitamin C group and 10.1 % in the
    placebo group (p = 0.002)" for "vitamin C prevents ...". None where no sentence does, or the claim has no direction.

    The sentence names the claim's outcome in the claim's own words: under another name ("survival" for "mortality")
    up may be down.
    """
    directions = {effect.said for effect in read(claim).effects} & _DIRECTIONS
    given = frozenset(stem(word) for name in asked.treatments for word in phrase(name)) | _stems(claim, asked.subject)
    if len(directions) != 1 or not given or asked.vague:
        return None
    groups = Arms(given, _stems(claim, asked.compared) | terms().controls)
    for sentence in passage:
        reading = read(sentence)
        if reading.significant and _same_words(asked, sentence):
            found = figures_say(sentence, reading, groups)
            if found is not None and found.direction in directions:
                return sentence
    return None


def _stems(claim: str, roots: Iterable[str]) -> frozenset[str]:
    """The words of a claim that have these roots, by their stems: groups are named by these."""
    wanted = frozenset(roots)
    return frozenset(stem(word) for word in phrase(claim) if root(word) in wanted)


def _same_words(asked: Matter, sentence: str) -> bool:
    words = said(sentence)
    return any(
        all(words.holds(term.name) if term.concept else root(term.name[0]) in words.stems for term in one)
        for one in asked.outcomes
    )
