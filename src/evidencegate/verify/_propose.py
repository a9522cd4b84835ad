"""Claims that a language model proposes: located in the text, or rejected."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from evidencegate.documents import Document, Kind, Span, locate_quote, sentences, tokens
from evidencegate.verify._claims import blanked, factual, make_claim
from evidencegate.verify._types import Claim
from evidencegate.verify._wording import align, content, negates

# A rephrased claim must have this much of its content in the sentence it is said to be from or, for the names of its
# pronouns, in those just before it; and this much in the sentence itself.
LOCATED_SHARE = 0.7
OWN_SHARE = 0.5
BEFORE = 2


class Proposer(Protocol):
    """Says which atomic claims each sentence makes; for example a language model behind a prompt."""

    def __call__(self, sentences: Sequence[str]) -> Sequence[Sequence[str]]:
        """For each sentence the claims it makes, as self-contained statements."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """Claims that were located, and what was proposed and is not in the text."""

    claims: tuple[Claim, ...]
    rejected: tuple[str, ...]


def located_claims(
    text: str, proposer: Proposer, *, skip: Sequence[Span] = (), marks: Sequence[Span] = ()
) -> Extracted:
    """The claims that `proposer` finds, each with its place in its own sentence.

    A proposal stands for a place only if its numbers, negations and hedges are those of the sentence and most of its
    words are; else it is rejected. What is proposed for a sentence beyond those asked about is dropped. `skip` and
    `marks` are as in `claims`.
    """
    every = sentences(text)
    bare = blanked(text, marks)
    asked = [i for i, span in enumerate(every) if factual(span.of(bare)) and not any(span.overlaps(s) for s in skip)]
    proposed = proposer([every[i].of(bare) for i in asked]) if asked else ()
    found: list[Claim] = []
    rejected: list[str] = []
    for index, statements in zip(asked, proposed, strict=False):
        seen: set[str] = set()
        for statement in statements:
            if not isinstance(statement, str) or not statement.strip() or statement.casefold() in seen:
                continue
            seen.add(statement.casefold())
            before = Span(every[max(0, index - BEFORE)].start, every[index].start).of(bare)
            place = _place(statement, bare, every[index], before)
            if place is None:
                rejected.append(statement)
            else:
                worded = statement.strip()
                rephrased = worded != place.of(bare)
                claim = make_claim(len(found), place.of(text), worded, place, index, rephrased=rephrased)
                found.append(claim)
    return Extracted(claims=tuple(found), rejected=tuple(rejected))


def _place(statement: str, text: str, sentence: Span, before: str) -> Span | None:
    literal = sentence.of(text)
    wanted = set(content(statement))
    shared = [t for t in tokens(literal) if t.kind is not Kind.SYMBOL and set(content(t.text)) & wanted]
    if not shared or not _same_strength(statement, literal[: shared[-1].end]):
        return None
    quote = locate_quote(statement, Document(id="local:sentence", title="", text=literal))
    if quote is not None:
        return quote.span.shift(sentence.start)
    if _figures(statement) - _figures(literal) or _denials(statement) > _denials(literal):
        return None
    own = wanted & set(content(literal))
    named = own | (wanted & set(content(before)))
    if len(own) < OWN_SHARE * len(wanted) or len(named) < LOCATED_SHARE * len(wanted):
        return None
    # The stretch from the first to the last word that the statement shares with the sentence.
    return Span(shared[0].start, shared[-1].end).shift(sentence.start)


def _same_strength(statement: str, said: str) -> bool:
    """Whether no negation or hedge of what was said is lost or put in, and no word turned into its opposite."""
    laid = align(statement, said)
    return not (laid.turned or laid.softened)


def supplemented(extracted: Extracted, ruled: Sequence[Claim]) -> tuple[Claim, ...]:
    """The located claims of each sentence where they say all of it, else the claims `ruled` that rules find there.

    Whoever proposes may leave out the very figure or negation that is wrong: the claims of a sentence must hold every
    figure, as many negations and most of the words that the claims by rules hold.
    """
    located: dict[int, list[Claim]] = {}
    for claim in extracted.claims:
        located.setdefault(claim.sentence, []).append(claim)
    found: list[Claim] = []
    for index in sorted({claim.sentence for claim in ruled}):
        mine = [claim for claim in ruled if claim.sentence == index]
        chosen = located.get(index, [])
        found += chosen if _says_all(chosen, mine) else mine
    return tuple(replace(claim, id=f"c{number + 1}") for number, claim in enumerate(found))


def _says_all(chosen: Sequence[Claim], ruled: Sequence[Claim]) -> bool:
    said, wanted = (" . ".join(claim.statement for claim in claims) for claims in (chosen, ruled))
    words_said, words_wanted = set(content(said)), set(content(wanted))
    return (
        _figures(wanted) <= _figures(said)
        and _denials(said) >= _denials(wanted)
        and len(words_said & words_wanted) >= LOCATED_SHARE * len(words_wanted)
    )


def _figures(text: str) -> set[str]:
    return {token.folded for token in tokens(text) if token.kind is Kind.NUMBER}


def _denials(text: str) -> int:
    return sum(negates(token.folded) for token in tokens(text))
