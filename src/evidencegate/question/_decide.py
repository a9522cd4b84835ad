"""Which decision tags a question gets, and which of them is the primary one."""

from dataclasses import dataclass, replace

from evidencegate.models.questions import QuestionReader, averaged
from evidencegate.question._hints import asks_for_reader
from evidencegate.question._reading import Reading
from evidencegate.question._ruled import Ruled, ruled
from evidencegate.question._speak import clauses, scores, spoke_for, word_features
from evidencegate.question._types import Tags
from evidencegate.question._vocabulary import Vocabulary

# What each unit of log-odds adds to the rank of a decision, up to so many, and what each clause before it takes off.
# The first and the last were fitted with the weights of `decisions.yaml` by `training/question/rank.py`; bounds from
# 4.5 to 6 differed by five primary decisions of 1,740 that the tables had learnt from.
SURELY, SURE, LATER = 1.1, 5.5, 0.6
# How much the trained reader counts beside words and rules, how much of that is what it makes of what is asked within
# its question, and the log-odds beyond which none is surer. Shares from 0.55 to 0.75, and half or all within, differ by
# four of the 300 questions of `training/question/bounds.yaml`.
_SHARE, _WITHIN, _SUREST = 0.65, 0.5, 6.0
# Log-odds below which even the likeliest decision is not taken, where no rule hears one either.
_FAINT = -2.5


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision tags of a question, and for each the words that spoke for it most."""

    tags: Tags
    words: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How sure it is that a decision is asked for, and the clause whose words say it most."""

    value: float
    clause: int
    features: frozenset[str]


def _by_words(by_rule: Ruled, parts: list[list[str]]) -> dict[str, Score]:
    """For each decision the score of the clause that speaks for it most."""
    best: dict[str, Score] = {}
    for place, clause in enumerate(parts):
        features = by_rule.features | set(word_features(clause))
        for name, value in scores(features).items():
            if name not in best or value > best[name].value:
                best[name] = Score(value, place, features)
    return best


def _with_reader(best: dict[str, Score], reader: QuestionReader, reading: Reading, asked: str) -> dict[str, Score]:
    """The scores together with those of the trained reader, who reads what is asked alone and within its question."""
    alone, within = reader.decisions(asked), reader.decisions_in_context(reading.text, reading.asking)

    def together(name: str, score: Score) -> float:
        read = averaged(alone[name], within[name], share=_WITHIN, surest=_SUREST)
        return averaged(score.value, read, share=_SHARE, surest=_SUREST)

    return {name: replace(score, value=together(name, score)) for name, score in best.items()}


@dataclass(frozen=True, slots=True)
class Found:
    """The decisions that a question asks for, not yet in order."""

    scores: dict[str, Score]
    by_rule: Ruled
    clauses: list[list[str]]


def found_decisions(
    reading: Reading, vocabulary: Vocabulary, diseases: Tags, reader: QuestionReader | None, *, together: bool
) -> Found:
    """The decisions that a question asks for, each with how sure it is and the clause that asks it.

    Args:
        reading: the question taken apart.
        vocabulary: the decisions with their cues and weights.
        diseases: the disease tags found.
        reader: the trained reader, heard beside words and rules; None to go by those alone.
        together: the question is about drugs given together.
    """
    by_rule = ruled(reading, vocabulary, diseases, together=together)
    parts = clauses(reading, vocabulary)
    best = _by_words(by_rule, parts)
    if reader is not None:
        best = _with_reader(best, reader, reading, asks_for_reader(reading, by_rule.features))
    found = {name: score for name, score in best.items() if score.value > vocabulary.decisions[name].least}
    if not found and best:
        likeliest = max(best, key=lambda name: best[name].value)
        if by_rule.tags or best[likeliest].value > _FAINT:
            found = {likeliest: best[likeliest]}
    return Found(found, by_rule, parts)


def decisions(
    reading: Reading, vocabulary: Vocabulary, diseases: Tags, reader: QuestionReader | None, *, together: bool
) -> Decided:
    """The decision tags of a question, the primary first: the most specific, surest and first of what is asked.

    Args:
        reading: the question taken apart.
        vocabulary: the decisions with their cues and weights.
        diseases: the disease tags found.
        reader: the trained reader, heard beside words and rules; None to go by those alone.
        together: the question is about drugs given together.
    """
    found = found_decisions(reading, vocabulary, diseases, reader, together=together)
    if not found.scores:
        return Decided(Tags(), ())
    last = len(reading.tokens)

    def rank(name: str) -> tuple[float, int, str]:
        score = found.scores[name]
        specific = vocabulary.decisions[name].weight + SURELY * min(score.value, SURE) - LATER * score.clause
        return -specific, found.by_rule.tags.get(name, last), name

    ranked = sorted(found.scores, key=rank)
    words = (
        (name, spoke_for(name, score.features, found.clauses[score.clause]))
        for name, score in ((name, found.scores[name]) for name in ranked)
    )
    return Decided(Tags(tuple(ranked)), tuple(words))
