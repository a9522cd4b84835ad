"""What the reader of questions learns from, as rows of word pieces: one kind for each way in which it reads."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from examples import Case, Example, Named
from tokenizers import Tokenizer

from evidencegate.evaluate.question import Expected
from evidencegate.models.questions._reader import DECISIONS, asked_pieces, pieces
from evidencegate.question._asked import interacting
from evidencegate.question._candidates import candidates
from evidencegate.question._chosen import conditions
from evidencegate.question._hints import asks_for_reader, hints
from evidencegate.question._read import read
from evidencegate.question._spelling import spelled
from evidencegate.question._vocabulary import load_vocabulary

LONGEST_JOINED = 90
"""Word pieces of a question that another is asked after."""

Pieces = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """What of a question asks, and what it asks for."""

    ids: list[int]
    must: list[float]
    counts: list[float]
    """0 for a decision that may be found but need not: it is left out of the loss."""
    weight: float


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """A question with the conditions that it names."""

    ids: list[int]
    asked: list[bool]
    named: list[tuple[Pieces, ...]]
    """For each condition the pieces of each place that names it."""
    must: list[float]
    counts: list[bool]
    """False for a condition that may be found but need not: it is left out of the loss."""
    primary: list[bool]
    asks_for: list[float]
    asks_counts: list[float]
    """Its decisions, as in `DecisionRow`; all 0 where they are not known."""


def joined(rows: Sequence[DecisionRow], count: int, rng: random.Random) -> Iterator[DecisionRow]:
    """`count` pairs of questions, one asked after the other."""
    short = [row for row in rows if len(row.ids) <= LONGEST_JOINED]
    for _ in range(count):
        one, other = rng.choice(short), rng.choice(short)
        must = [max(pair) for pair in zip(one.must, other.must, strict=True)]
        yield DecisionRow(
            [*one.ids[:-1], *other.ids[1:]],
            must,
            # What either may ask for, and neither must, is left out.
            [max(m, min(pair)) for m, *pair in zip(must, one.counts, other.counts, strict=True)],
            min(one.weight, other.weight),
        )


def decision_row(example: Example, weight: float, names: list[str], tokenizer: Tokenizer) -> DecisionRow:
    """What the head of decisions sees of an example; the conditions that bear on it are those of the table alone."""
    vocabulary = load_vocabulary()
    reading = read(example.text, vocabulary)
    vocabulary = reading.vocabulary
    found = conditions(reading, vocabulary, None, together=interacting(reading, vocabulary))
    return DecisionRow(
        asked_pieces(tokenizer, asks_for_reader(reading, hints(reading, vocabulary, found.tags))),
        [float(name in example.must) for name in names],
        [float(name in example.must or name not in example.may) for name in names],
        weight,
    )


def labelled(cases: list[Expected]) -> Iterator[Case]:
    """Labelled questions with the conditions that the vocabulary finds in them."""
    known = load_vocabulary()
    for case in cases:
        text, _ = spelled(case.text, known)
        reading = read(text, known)
        primary = {case.primary, *case.primary_also}
        yield Case(
            text,
            tuple(
                Named(
                    one.places(reading),
                    one.name in case.diseases,
                    one.name in case.diseases_also,
                    one.name in primary,
                )
                for one in candidates(reading, reading.vocabulary)
            ),
        )


def condition_row(case: Case, tokenizer: Tokenizer, asks: DecisionRow | None = None) -> ConditionRow | None:
    """What the heads of conditions and of decisions in context see of a case; None if neither is to learn from it.

    Args:
        case: a question with the conditions that it names.
        tokenizer: one that neither pads nor cuts.
        asks: the same question as the head of decisions sees it, where its decisions are known.
    """
    asked = read(case.text, load_vocabulary()).asking
    seen = pieces(tokenizer, case.text, asked, [one.places for one in case.named])
    named = [(one, places) for one, places in zip(case.named, seen.named, strict=True) if places]
    if not named and asks is None:
        return None
    unknown = [0.0] * len(DECISIONS)
    return ConditionRow(
        list(seen.ids),
        list(seen.asked),
        [places for _, places in named],
        [float(one.must) for one, _ in named],
        [one.must or not one.may for one, _ in named],
        [one.primary for one, _ in named],
        asks.must if asks else unknown,
        asks.counts if asks else unknown,
    )
