"""Claims that a language model proposes: located in the text, or rejected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from evidencegate.documents import Document, Kind, Span, locate_quote, sentences, tokens
from evidencegate.verify._claims import factual, make_claim
from evidencegate.verify._types import Claim
from evidencegate.verify._wording import content, negates

# A rephrased claim must have this much of its content in the sentence it is said to be from.
LOCATED_SHARE = 0.7


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


def located_claims(text: str, proposer: Proposer, *, skip: Sequence[Span] = ()) -> Extracted:
    """The claims that `proposer` finds, each with its place in its own sentence.

    A proposal stands for a place only if its numbers and negations are those of the sentence and most of its
    words are; else it is rejected. What is proposed for a sentence beyond those asked about is dropped.
    """
    every = sentences(text)
    asked = [i for i, span in enumerate(every) if factual(span.of(text)) and not any(span.overlaps(s) for s in skip)]
    proposed = proposer([every[i].of(text) for i in asked]) if asked else ()
    found: list[Claim] = []
    rejected: list[str] = []
    for index, statements in zip(asked, proposed, strict=False):
        seen: set[str] = set()
        for statement in statements:
            if not isinstance(statement, str) or not statement.strip() or statement.casefold() in seen:
                continue
            seen.add(statement.casefold())
            place = _place(statement, text, every[index])
            if place is None:
                rejected.append(statement)
            else:
                worded = statement.strip()
                slice_ = place.of(text)
                claim = make_claim(len(found), slice_, worded, place, index, rephrased=worded != slice_)
                found.append(claim)
    return Extracted(claims=tuple(found), rejected=tuple(rejected))


def _place(statement: str, text: str, sentence: Span) -> Span | None:
    literal = sentence.of(text)
    quote = locate_quote(statement, Document(id="local:sentence", title="", text=literal))
    if quote is not None:
        return quote.span.shift(sentence.start)
    if _figures(statement) - _figures(literal) or _denials(statement) > _denials(literal):
        return None
    wanted = set(content(statement))
    if not wanted or len(wanted & set(content(literal))) / len(wanted) < LOCATED_SHARE:
        return None
    # The stretch from the first to the last word that the statement shares with the sentence.
    shared = [t for t in tokens(literal) if t.kind is not Kind.SYMBOL and set(content(t.text)) & wanted]
    return Span(shared[0].start, shared[-1].end).shift(sentence.start) if shared else None


def _figures(text: str) -> set[str]:
    return {token.folded for token in tokens(text) if token.kind is Kind.NUMBER}


def _denials(text: str) -> int:
    return sum(negates(token.folded) for token in tokens(text))
