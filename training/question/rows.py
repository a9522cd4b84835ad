"""What the reader of questions learns from, as rows of word pieces: one kind for each of its heads."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from examples import Case, Example, Named
from tokenizers import Tokenizer

from evidencegate.evaluate.question import Expected
from evidencegate.models.questions._reader import asked_pieces, pieces
from evidencegate.question._asked import interacting
from evidencegate.question._candidates import candidates
from evidencegate.question._chosen import conditions
from evidencegate.question._hints import asks_for_reader, hints
from evidencegate.question._reading import Reading, read
from evidencegate.question._spelling import spelled
from evidencegate.question._vocabulary import Vocabulary, load_vocabulary
from evidencegate.question._words import said

LONGEST_JOINED = 90
"""Word pieces of a question that another is asked after."""
AROUND = 20
"""Word pieces on either side of a way of saying a condition."""
_MOST_OF = 0.7
"""How much of a usual name a tag's name must be."""

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
    denied: tuple[Pieces, ...]
    """The pieces of each place that names another, which is denied."""
    tags: list[int | None]
    """For each condition the number of its tag, where it has one."""
    must: list[float]
    counts: list[bool]
    """False for a condition that may be found but need not: it is left out of the loss."""
    primary: list[bool]


@dataclass(frozen=True, slots=True)
class PhraseRow:
    """A way of saying a condition, among other words or alone."""

    ids: list[int]
    start: int
    end: int
    tag: int


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


def ways_of_saying(numbers: Mapping[str, int]) -> list[tuple[str, int]]:
    """Everything by which the vocabulary knows a condition, with the number of its tag."""
    vocabulary = load_vocabulary()
    known = [(text, entry.name) for text, entry in said()]
    known += [(name, tag.name) for tag in vocabulary.tags.values() for name in (tag.label, *tag.synonyms)]
    return sorted({(text, numbers[tag]) for text, tag in known if tag in numbers})


def phrase_rows(
    ways: Sequence[tuple[str, int]],
    count: int,
    cases: Sequence[ConditionRow],
    tokenizer: Tokenizer,
    rng: random.Random,
) -> Iterator[PhraseRow]:
    """`count` ways of saying conditions, half of them alone, half in the place of another in a case."""
    for text, tag in rng.sample(ways, count):
        begin, *inner, end = tokenizer.encode(text).ids
        before: list[int] = []
        after: list[int] = []
        if rng.random() < 0.5:
            case = rng.choice(cases)
            place = rng.choice(rng.choice(case.named))
            before = case.ids[max(1, place[0] - rng.randint(0, AROUND)) : place[0]]
            after = case.ids[place[-1] + 1 : min(len(case.ids) - 1, place[-1] + 1 + rng.randint(0, AROUND))]
        start = 1 + len(before)
        yield PhraseRow([begin, *before, *inner, *after, end], start, start + len(inner), tag)


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
                    one.name,
                )
                for one in candidates(reading, reading.vocabulary)
            ),
            denied_places(reading),
        )


def denied_places(reading: Reading) -> tuple[tuple[int, int], ...]:
    """Where a question names a condition that it denies."""
    tokens = reading.tokens
    return tuple((tokens[m.start].start, tokens[m.end - 1].end) for m in reading.diseases if m.negated)


def tag_of(name: str, vocabulary: Vocabulary) -> str | None:
    """The tag of a condition: itself, or the one that most of its usual name is read as."""
    if name in vocabulary.tags:
        return name
    reading = read(name, vocabulary)
    found = [
        (end - start, one.name)
        for one in candidates(reading, reading.vocabulary)
        if one.name in vocabulary.tags
        for start, end in one.places(reading)
    ]
    longest, tag = max(found, default=(0, ""))
    return tag if longest > _MOST_OF * len(name) else None


def condition_row(case: Case, numbers: Mapping[str, int], tokenizer: Tokenizer) -> ConditionRow | None:
    """What the head of conditions sees of a case; None if it names none that is read."""
    vocabulary = load_vocabulary()
    asked = read(case.text, vocabulary).asking
    seen = pieces(tokenizer, case.text, asked, [*(one.places for one in case.named), case.denied])
    named = [(one, places) for one, places in zip(case.named, seen.named, strict=False) if places]
    if not named:
        return None
    return ConditionRow(
        list(seen.ids),
        list(seen.asked),
        [places for _, places in named],
        seen.named[-1],
        [numbers.get(tag_of(one.usual, vocabulary) or "") for one, _ in named],
        [float(one.must) for one, _ in named],
        [one.must or not one.may for one, _ in named],
        [one.primary for one, _ in named],
    )
