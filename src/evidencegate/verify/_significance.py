"""A claim that calls significant what its source calls not significant, or the other way round."""

import re

from evidencegate.documents import tokens
from evidencegate.verify._foreign import another_label, of_other_work
from evidencegate.verify._lexicon import pattern, words
from evidencegate.verify._quantities import without_numbers
from evidencegate.verify._wording import meanings, negates, opposed

# A sentence with this much of a claim's words, and so many of them, speaks of the very same comparison.
SAME_COMPARISON = 0.85
_FEWEST = 4
# A denial reaches so many words ahead: "did not result in a statistically significant improvement".
_REACH = 7
_CLAUSE = re.compile(r"[,;:]|\b(?:but|whereas|while|although)\b", re.IGNORECASE)


def significance_turned(claim: str, said: str) -> bool:
    """Whether a sentence plainly calls the very matter of a claim significant where the claim does not, or the reverse.

    Sentences that say both, of two outcomes or times, and doubts say nothing plainly.
    """
    mine, theirs = _significant(claim), _significant(said)
    if mine is None or theirs is None or mine is theirs:
        return False
    if another_label(claim, said) or of_other_work(claim, said):
        return False
    here, there = ([token.folded for token in tokens(text)] for text in (claim, said))
    if set(there) & words("wording", "hedges", "aims") or _opposes(here, there):
        return False
    wanted = {word for word in meanings(without_numbers(claim)) if not word[0].isdigit() and word not in _denying()}
    shared = len(wanted & {*meanings(said)})
    return shared >= _FEWEST and shared >= SAME_COMPARISON * len(wanted)


def _significant(text: str) -> bool | None:
    """Whether a text calls what it tells significant; None where it says nothing of that, or both."""
    said = {not _denied(text[: found.start()]) for found in pattern("wording", "significant").finditer(text)}
    return said.pop() if len(said) == 1 else None


def _denied(before: str) -> bool:
    """Whether the clause that ends with `before` denies what comes next."""
    return any(negates(token.folded) for token in tokens(_CLAUSE.split(before)[-1])[-_REACH:])


def _opposes(here: list[str], there: list[str]) -> bool:
    """Whether a word of one has its opposite in the other, and not itself: before for after, lower for higher."""
    return any(
        opposed(a, b) and a not in there and b not in here and not (negates(a) or negates(b))
        for a in set(here)
        for b in set(there)
    )


def _denying() -> frozenset[str]:
    return frozenset(key for word in words("wording", "negations") for key in meanings(word))
