"""Whether a sentence holds for what a claim speaks of: the same time, people, comparison, analysis and outcome."""

import re
from collections.abc import Iterator
from functools import cache

from evidencegate.documents import tokens
from evidencegate.models.stance import Direction
from evidencegate.verify._effects import directed, reading
from evidencegate.verify._foreign import by_others
from evidencegate.verify._lexicon import lexicon, pattern, words
from evidencegate.verify._times import at_other_times
from evidencegate.verify._whole import less_than_all
from evidencegate.verify._wording import meanings

_PAST = re.compile(r"\b(?:was|were|had|did)\b|\w{3}ed\b", re.IGNORECASE)


def out_of_scope(claim: str, said: str, passage: str) -> Iterator[str]:
    """Why `said`, a sentence of `passage`, does not hold for all that `claim` speaks of."""
    if pattern("scope", "explaining").search(said):
        yield "the source explains words here"
    known = by_others(said) or pattern("scope", "known").search(said)
    if known and not by_others(claim) and _found(claim):
        yield "the source says this of what others found"
    yield from at_other_times(claim, said)
    if pattern("scope", "leaving_out").search(said) and not pattern("scope", "leaving_out").search(claim):
        yield "the source says who was left out"
    if _of_others(claim, said):
        yield "the source says this of other people"
    if _compared_with_another(claim, said):
        yield "the source compares with something else"
    if _counted_otherwise(claim, said):
        yield "the source counts this over another time"
    if reading(claim).significant and reading(said).significant is None:
        yield "the source does not call this significant"
    if _alike(claim, said):
        yield "the source finds no difference in this"
    if _goes_together(claim, said):
        yield "the source says that this goes together, not that it is the cause"
    yield from _of_another_analysis(claim, said)
    yield from less_than_all(claim, said)
    for outcome in _rows("hard"):
        if (found := outcome.search(claim)) and not outcome.search(passage):
            yield f"the source says nothing of “{found[0]}” here"


def _of_another_analysis(claim: str, said: str) -> Iterator[str]:
    """A claim of the main outcome, of an absolute change or of all, where the sentence tells of another or of less."""
    for needed in _rows("needed"):
        if (found := needed.search(claim)) and not needed.search(said):
            yield f"the source does not say “{found[0]}” of this"
    yield from narrower(claim, said)


def narrower(claim: str, said: str) -> Iterator[str]:
    """Why a sentence holds for less than a claim, whatever words it shares: of a subgroup, against what others saw."""
    for narrowed in _rows("narrowed"):
        if (found := narrowed.search(said)) and not narrowed.search(claim):
            yield f"the source says “{found[0]}” of this"
    if pattern("scope", "contrasting").search(said) and by_others(said) and not by_others(claim):
        yield "the source sets this against its own findings"


@cache
def _rows(key: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(row, re.IGNORECASE) for row in lexicon("scope")[key])


def _found(claim: str) -> bool:
    """Whether a claim tells, as of one study, which way something went."""
    return directed(claim) is not None and _PAST.search(claim) is not None


def _of_others(claim: str, said: str) -> bool:
    """Whether the sentence names kinds of people, and none of those that the claim names; or animals only."""
    mine, theirs = ({token.folded for token in tokens(text)} for text in (claim, said))
    rows = [frozenset(row) for row in lexicon("scope")["people"]]
    here, there = ({i for i, row in enumerate(rows) if named & row} for named in (mine, theirs))
    animals, people = words("scope", "animals"), words("quantities", "people")
    if theirs & animals and not theirs & people:
        return bool(mine & people) and not mine & animals
    return bool(here and there) and not here & there


def _compared_with_another(claim: str, said: str) -> bool:
    """Whether both compare, and what the claim compares with is, in the sentence, on the other side or nowhere."""
    mine, theirs = comparator(claim), comparator(said)
    if not mine or not theirs or mine & theirs:
        return False
    anyone = {key for word in words("scope", "compared") for key in meanings(word)}
    if mine & anyone:
        return False
    return bool(mine & {*meanings(said)}) or not theirs & anyone


def comparator(text: str) -> frozenset[str]:
    """The words that name what something is compared with; none where there is no comparison."""
    comparison = reading(text).comparison
    if comparison is None:
        return frozenset()
    named = pattern("scope", "before_compared").sub("", text[comparison[1] :])
    behind = pattern("scope", "after_comparison").split(named, maxsplit=1)[0]
    return frozenset(word for word in meanings(behind) if not word[0].isdigit())


def _counted_otherwise(claim: str, said: str) -> bool:
    mine, theirs = ({i for i, row in enumerate(_rows("periods")) if row.search(text)} for text in (claim, said))
    return bool(mine and theirs) and not mine & theirs


def _goes_together(claim: str, said: str) -> bool:
    """Whether a claim calls a cause what the sentence only finds together."""
    causing, together = pattern("scope", "causing"), pattern("scope", "going_together")
    claimed = causing.search(claim) and not together.search(claim)
    return bool(claimed and together.search(said) and not causing.search(said))


def _alike(claim: str, said: str) -> bool:
    """Whether the clause nearest to a claim of an effect only finds things alike, or different in nothing."""
    effect = directed(claim)
    if effect is None:
        return False
    evenly = pattern("scope", "evenly")
    if reading(claim).comparison is not None and evenly.search(said) and not evenly.search(claim):
        return True
    wanted = {*meanings(claim[: effect.start]), *meanings(claim[effect.end :])}
    clauses = pattern("scope", "between_clauses").split(said)
    nearest = max(clauses, key=lambda clause: len(wanted & {*meanings(clause)}))
    told = reading(nearest).effects
    return bool(told) and all(one.direction is Direction.NONE and not one.negated for one in told)


def set_apart(claim: str, said: str) -> bool:
    """Whether a sentence names a thing of the claim as one of which the opposite holds: "unlike zelfan, ..."."""
    found = pattern("scope", "unlike").search(said)
    return found is not None and bool({*meanings(found["what"])} & {*meanings(claim)})
