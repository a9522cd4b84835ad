"""Whether a written sentence says no more than its source: by wording alone, whatever a model thinks of the two.

A stance model reads meaning, and takes one group for another every so often; what is shown as fact must not hang on
that. So a sentence that a model wrote may drop details, change the order and use the synonyms that are listed
(`data/faithful.yaml`). Every other word and every number must be its source's own, and it keeps what its source says of
direction, negation, doubt, comparison and condition. What is true and said in words that are not listed is refused as
well: the writer is told which word it was, and may take the source's.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from evidencegate.documents import Quote, Span
from evidencegate.models.stance import Direction
from evidencegate.report._statement import Figure, Sides, Statement, Word, listed, statement
from evidencegate.verify import parts, words

_DOUBT_AHEAD = re.compile(r"\b(?:that|whether)\s+\S", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Source:
    """One statement of a source's sentence; what stands before it there; and the title of the record."""

    said: Statement
    ahead: Statement
    title: tuple[Word, ...]


def borne_out(claim: str, sentence: str, quote: Quote) -> Quote | str:
    """The quote by which `claim`, a statement of the written `sentence`, says no more than its source.

    It is `quote`, else one sentence of its passage, for a reader may name all of it or the wrong one of two; where
    there is none, what the claim says beyond `quote`. A claim is held against one statement of a sentence at a time,
    and against the title of the record, which says what all of it is about.
    """
    text, title = quote.document.text, quote.document.title
    reasons: list[str] = []
    for span in sorted(quote.passage.sentences, key=lambda s: not s.overlaps(quote.span)):
        for source in _sources(" ".join(span.of(text).split()), title):
            reason = next(_beyond(statement(claim), statement(sentence), source), "")
            if not reason:
                return quote if quote.span in span else Quote(quote.passage, span)
            reasons.append(reason)
    return reasons[0]


def _sources(whole: str, title: str) -> Iterator[_Source]:
    """A sentence, and its statements, each with the subject it borrows."""
    about = statement(title).words
    yield _Source(statement(whole), statement(""), about)
    found = list(parts(whole, Span(0, len(whole))))
    if len(found) > 1:
        for span, subject in found:
            yield _Source(statement(f"{subject} {span.of(whole)}".strip()), statement(whole[: span.start]), about)


def _beyond(claim: Statement, full: Statement, source: _Source) -> Iterator[str]:
    """Everything by which a claim goes beyond a statement of its source."""
    yield from _foreign(claim, source)
    yield from _turned(claim, source.said)
    yield from _surer(claim, full, source)
    yield from _wider(full, source)
    yield from _exchanged(claim, full, source)


def _foreign(claim: Statement, source: _Source) -> Iterator[str]:
    """Words and numbers that the source has not."""
    theirs = (*source.said.words, *source.title)
    elsewhere = words("wording", "hedges", "negations")  # judged by what they do to the statement
    same = claim.unchanged() if Direction.NONE in source.said.directions else frozenset()
    for word in claim.words:
        if word.number and not any(word.key == other.key for other in theirs):
            yield f"its source does not give {word.token.text}"
        elif word.telling and word.folded not in elsewhere and word not in same and not word.held(theirs):
            yield f"its source does not say “{word.token.text}”"


def _turned(claim: Statement, source: Statement) -> Iterator[str]:
    """Another direction, or a negation more or less."""
    theirs = source.changed()
    wrong = any(key in theirs and not mine & theirs[key] for key, mine in claim.changed().items())
    if wrong or claim.directions - source.directions:
        yield "its source gives another direction"
    if claim.denied != source.denied and Direction.NONE not in claim.directions & source.directions:
        yield "it and its source do not deny the same"


def _surer(claim: Statement, full: Statement, source: _Source) -> Iterator[str]:
    """More certain, more general or more causal."""
    hedges, associations, softeners = words("wording", "hedges"), listed("associations"), listed("softeners")
    theirs, mine = source.said.folded, full.folded
    if _DOUBT_AHEAD.search(source.ahead.text):
        theirs |= source.ahead.folded
    if theirs & hedges and not mine & hedges:
        yield "its source is less sure"
    if theirs & associations and not mine & (associations | hedges):
        yield "its source says that it is an association"
    if theirs & softeners and not mine & softeners:
        yield f"it leaves out “{min(theirs & softeners)}”"
    for word in claim.words:
        if word.folded in listed("degrees") and not any(word.key == other.key for other in source.said.words):
            yield f"its source does not say “{word.token.text}”"


def _wider(full: Statement, source: _Source) -> Iterator[str]:
    """Conditions of the source that the sentence leaves out."""
    ahead = source.ahead.text.partition(",")[0] if "," in source.ahead.text else ""
    for phrase in (*statement(ahead).conditions(), *source.said.conditions()):
        kept = (*full.words, *source.title)
        lost = next((w for w in phrase if w.telling and w.folded not in listed("times") and not w.held(kept)), None)
        if lost is not None:
            yield f"it leaves out a condition of its source: “{lost.token.text}”"


def _exchanged(claim: Statement, full: Statement, source: _Source) -> Iterator[str]:
    """One group in the place of another."""
    said, kept = source.said, (*full.words, *source.title)
    mine, theirs = claim.compared(), said.compared()
    if mine and theirs and not any(word.held(theirs) for word in mine):
        yield "its source compares with something else"
    main = [word for word in said.telling if word not in theirs]
    moved = next((w for w in theirs if not w.held(main) and w.held(claim.words)), None)
    if moved is not None and not mine and any(not word.held(kept) for word in main):
        yield f"it says of “{moved.token.text}” what its source says of another group"
    for head, owner in said.heads():
        if owner.held(claim.words) and not head.held(kept):
            yield f"its source says this of “{head.token.text}”"
    if _given_to_others(claim.figures(), said.figures()):
        yield "its source gives these figures to the other group"
    here, there = claim.sides(), said.sides()
    if here and there and here.passive == there.passive and _crossed(here, there):
        yield "it exchanges cause and effect of its source"


def _given_to_others(mine: Sequence[Figure], theirs: Sequence[Figure]) -> bool:
    """Whether two numbers have exchanged the words that go with one of them only."""
    for one, other in combinations(mine, 2):
        pairs = [(a, b) for a, b in permutations(theirs, 2) if (a.key, b.key) == (one.key, other.key)]
        if (
            pairs
            and one.key != other.key
            and all(_moved(one, other, *p) and _moved(other, one, *p[::-1]) for p in pairs)
        ):
            return True
    return False


def _moved(one: Figure, other: Figure, first: Figure, second: Figure) -> bool:
    """Whether a word that goes with `first` alone goes with `other` and not with `one`."""
    own = [word for word in first.labels if not word.held(second.labels)]
    return any(word.held(other.labels) and not word.held(one.labels) for word in own)


def _crossed(here: Sides, there: Sides) -> bool:
    """Whether what stands before the effect in one statement stands after it in the other, both ways."""
    gone_right = any(word.held(there.after) and not word.held(there.before) for word in here.before)
    gone_left = any(word.held(there.before) and not word.held(there.after) for word in here.after)
    return gone_right and gone_left
