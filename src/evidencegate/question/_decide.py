"""Which decision tags a question gets, and which of them is the primary one."""

from dataclasses import dataclass, replace

from evidencegate.models.decisions import DecisionReader, decision_reader
from evidencegate.question._reading import Reading
from evidencegate.question._ruled import Ruled, asks_for_reader, given_for, ruled
from evidencegate.question._speak import clauses, scores, spoke_for, word_features
from evidencegate.question._types import Tags
from evidencegate.question._vocabulary import Vocabulary

# Weights beside those of `decisions.yaml`: a drug of a class that is given for something else here (aspirin against
# preeclampsia), and a drug weighed against a drug.
_BESIDE_THE_CLASS = 3.2
_DRUG_AGAINST_DRUG = 4.2
# What each unit of log-odds adds to the rank of a decision, up to so many, and what each clause before it takes off.
_SURELY, _SURE, _LATER = 0.6, 6.0, 0.5
# How much the trained reader counts beside words and rules, and the log-odds beyond which neither is surer. Any share
# from 0.5 to 0.7 gave nearly the same on five lots that neither had seen.
_READ_COUNTS, _SUREST = 0.6, 6.0
# Log-odds below which even the likeliest decision is not taken, where no rule hears one either.
_FAINT = -2.5


@dataclass(frozen=True, slots=True)
class Decided:
    """The decision tags of a question, and for each the words that spoke for it most."""

    tags: Tags
    words: tuple[tuple[str, tuple[str, ...]], ...]
    reader: str | None
    """Name of the trained reader that was heard beside words and rules; None where it is not installed."""


@dataclass(frozen=True, slots=True)
class _Score:
    """How sure it is that a decision is asked for, and the clause whose words say it most."""

    value: float
    clause: int
    features: frozenset[str]


def _by_words(by_rule: Ruled, parts: list[list[str]]) -> dict[str, _Score]:
    """For each decision the score of the clause that speaks for it most."""
    best: dict[str, _Score] = {}
    for place, clause in enumerate(parts):
        features = by_rule.features | set(word_features(clause))
        for name, value in scores(features).items():
            if name not in best or value > best[name].value:
                best[name] = _Score(value, place, features)
    return best


def _with_reader(best: dict[str, _Score], reader: DecisionReader, asked: str) -> dict[str, _Score]:
    """The scores together with those of the trained reader."""
    read = reader.read(asked)
    return {
        name: replace(score, value=(1 - _READ_COUNTS) * _bounded(score.value) + _READ_COUNTS * _bounded(read[name]))
        for name, score in best.items()
    }


def _bounded(value: float) -> float:
    return max(-_SUREST, min(_SUREST, value))


def decisions(reading: Reading, vocabulary: Vocabulary, diseases: Tags, *, together: bool) -> Decided:
    """The decision tags of a question, the primary first: the most specific, surest and first of what is asked.

    Args:
        reading: the question taken apart.
        vocabulary: the decisions with their cues and weights.
        diseases: the disease tags found.
        together: the question is about drugs given together.
    """
    by_rule = ruled(reading, vocabulary, diseases, together=together)
    parts = clauses(reading, vocabulary)
    best = _by_words(by_rule, parts)
    reader = decision_reader()
    if reader is not None:
        best = _with_reader(best, reader, asks_for_reader(reading, vocabulary, diseases))
    found = {name for name, score in best.items() if score.value > vocabulary.decisions[name].least}
    if not found and best:
        likeliest = max(best, key=lambda name: best[name].value)
        if by_rule.tags or best[likeliest].value > _FAINT:
            found = {likeliest}
    if not found:
        return Decided(Tags(), (), None)
    rank = {name: vocabulary.decisions[name].weight for name in found}
    if by_rule.compared and "drug_choice" in found:
        rank["drug_choice"] = _DRUG_AGAINST_DRUG
    if "antiplatelet" in found and diseases and not given_for(vocabulary, "antiplatelets", diseases):
        rank["antiplatelet"] = _BESIDE_THE_CLASS
    for name in found:
        rank[name] += _SURELY * min(best[name].value, _SURE) - _LATER * best[name].clause
    last = len(reading.tokens)
    ranked = sorted(found, key=lambda name: (-rank[name], by_rule.tags.get(name, last), name))
    words = ((name, spoke_for(name, best[name].features, parts[best[name].clause])) for name in ranked)
    return Decided(Tags(tuple(ranked)), tuple(words), reader.name if reader else None)
