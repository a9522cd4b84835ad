"""What the words of a question speak for: a linear model that stands beside the cues.

Cues say what one phrase means by itself; "does it keep them well longer than ..." asks for a choice by how its words
stand together. The weights in `data/decision_weights.json.gz` are fitted by `training/question/fit.py`; a question's
score for a decision is their sum over its features, so that every decision can be told with the words that spoke for
it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from evidencegate.question._data import packed
from evidencegate.question._normal import BREAKS
from evidencegate.question._reading import Reading
from evidencegate.question._vocabulary import Vocabulary

# Words that join what is compared, given together or set against each other; with what they join they are a frame.
_JOINTS = frozenset(
    "or versus vs than and with plus against instead rather compared over add added replace alone to from for in on "
    "after before both".split()
)
# Words told of a decision: those that add at least this much, and no more than these.
_TOLD, _MOST_TOLD = 0.2, 4
# What a question begins with, and what may stand before it where it goes on asking.
_ASKING = frozenset(
    "what which how when should is are doe do can could may might would will who whom where must whether until".split()
)
_TO_ASK_WITH = frozenset("for at in until after from by with to on if".split())
_AND = frozenset({"and", "or", "but", "so"})
_CONDITION, _FIGURE, _START, _UNKNOWN = "<condition>", "<figure>", "<start>", "<word>"


# Forms of verbs and adjectives that have no ending in common.
_FORMS = dict(
    pair.split("=")
    for pair in "given=give gave=give taken=take took=take begun=begin began=begin kept=keep came=come got=get "
    "safer=safe safest=safe safely=safe longer=long earlier=early later=late sooner=soon".split()
)
_SHORTEST_STEM, _SHORTEST_WORD = 3, 5


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without the ending of its form: stop, stopping and stopped are one feature. Signs stay."""
    if word.startswith("<") or word in _FORMS or len(word) < _SHORTEST_WORD:
        return _FORMS.get(word, word)
    for end in ("ing", "ed"):
        if word.endswith(end) and len(word) - len(end) >= _SHORTEST_STEM:
            word = word[: -len(end)]
            if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in "sl":
                word = word[:-1]
            break
    if word.endswith("ly") and len(word) > _SHORTEST_WORD:
        word = word[:-2]
    return word[:-1] if word.endswith("e") and len(word) >= _SHORTEST_WORD else word


@dataclass(frozen=True, slots=True)
class Weights:
    """A fitted model: for each feature what it adds to each decision, in log-odds."""

    decisions: tuple[str, ...]
    features: Mapping[str, Mapping[str, float]]
    words: frozenset[str]
    """Stems of words that have a weight; others are read as an unknown word."""


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The shipped model."""
    raw = packed("decision_weights")
    names, hundredths = tuple(raw["decisions"]), iter(raw["hundredths"])
    features = {
        feature: MappingProxyType({names[int(place, 16)]: next(hundredths) / 100 for place in places})
        for feature, places in zip(raw["features"], raw["places"], strict=True)
    }
    return Weights(names, MappingProxyType(features), frozenset(f for f in features if " " not in f))


def _signs(reading: Reading, vocabulary: Vocabulary) -> dict[int, tuple[str, int]]:
    """What stands for the treatments and conditions that begin at a token, and where they end."""
    signs = {disease.start: (_CONDITION, disease.end) for disease in reading.diseases}
    for mention in reading.treatments:
        treatment = vocabulary.treatments[mention.name]
        signs[mention.start] = (f"<{treatment.decision or ('drug' if treatment.drug else 'treatment')}>", mention.end)
    return signs


def _asks_anew(reading: Reading, position: int) -> bool:
    """Whether a further question begins at a token: the "how" of "should it be stopped, and for how long ..."."""
    if reading.tokens[position].folded not in _ASKING:
        return False
    before = position - 1
    if before >= 0 and reading.tokens[before].folded in _TO_ASK_WITH:
        before -= 1
    return before >= 0 and (reading.tokens[before].text == "," or reading.tokens[before].folded in _AND)


def clauses(reading: Reading, vocabulary: Vocabulary) -> list[list[str]]:
    """What is asked, question by question, as folded words with a sign for each treatment, condition and figure.

    "In X, does Y help, and what are its risks?" are two. What is told before the first of a sentence belongs to it.
    """
    signs = _signs(reading, vocabulary)
    found: list[list[str]] = []
    current: list[str] = []
    position, asking = 0, False
    while position < len(reading.tokens):
        token = reading.tokens[position]
        stops = not reading.asked[position] or token.text in BREAKS
        if stops or (asking and _asks_anew(reading, position)):
            if current:
                found.append(current)
            current, asking = [], False
        if stops:
            position += 1
            continue
        asking = asking or token.folded in _ASKING
        sign, end = signs.get(position, ("", position + 1))
        if sign and (not current or current[-1] != sign or end > position + 1):
            current.append(sign)
        elif not sign and token.text != ",":
            current.append(_FIGURE if token.folded[:1].isdigit() else token.folded)
        position = max(end, position + 1)
    return [*found, current] if current else found


def word_features(clause: list[str], known: frozenset[str] | None = None) -> Iterator[str]:
    """Stems of words, pairs of them, pairs with one word between, and frames of what is joined.

    Args:
        clause: one of `clauses`.
        known: stems of words with a weight; where none are given those of the shipped model.
    """
    known = weights().words if known is None else known
    words = [_START, *(w if w in known else _UNKNOWN for w in map(stem, clause))]
    yield from words
    for one, other in pairwise(words):
        yield f"{one} {other}"
    for one, other in zip(words, words[2:], strict=False):
        yield f"{one} . {other}"
    frame = [w for w in words if w.startswith("<") or w in _JOINTS]
    for place in range(len(frame) - 2):
        yield " ".join(("=", *frame[place : place + 3]))


def scores(features: Iterable[str]) -> dict[str, float]:
    """The log-odds of every decision."""
    model = weights()
    total = dict.fromkeys(model.decisions, 0.0)
    for feature in {"", *features}:
        for name, weight in model.features.get(feature, {}).items():
            total[name] += weight
    return total


def spoke_for(decision: str, features: Iterable[str], clause: Iterable[str]) -> tuple[str, ...]:
    """The words of a question that spoke most for a decision; "..." stands for a word between two.

    Args:
        decision: its name.
        features: those of the question.
        clause: the clause that they are of, for its words as they are written.
    """
    model = weights()
    written = {stem(word): word for word in clause}
    weighed = ((model.features.get(f, {}).get(decision, 0.0), f) for f in features if f and not f.startswith("@"))
    most = sorted((w for w in weighed if w[0] >= _TOLD), key=lambda w: (-w[0], w[1]))[:_MOST_TOLD]
    told = (f.removeprefix("= ").replace(" . ", " ... ").removeprefix(f"{_START} ") for _, f in most if f != _START)
    return tuple(" ".join(written.get(part, part) for part in words.split()) for words in told)
