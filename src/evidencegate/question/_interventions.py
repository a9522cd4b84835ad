"""Which of the treatments and tests that a question names it is about, and which it only tells of.

A case names the drugs that somebody has always taken beside those between which one is to be chosen, and often asks for
them by "which", "that" or "either". What speaks for each is weighed by `data/intervention_weights.json.gz`, fitted by
`training/question/interventions.py`.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from evidencegate.question._asked import asked_treatments, occasion, points_back, qualifies
from evidencegate.question._data import packed
from evidencegate.question._normal import BREAKS, fold
from evidencegate.question._reading import Mention, Reading
from evidencegate.question._types import Tags
from evidencegate.question._vocabulary import Vocabulary
from evidencegate.question._words import language

MOST = 8
LEAST, _FAINT = 0.0, -1.5
"""Log-odds that a treatment must pass to be one that the question is about; the likeliest, where none does."""
_A_CASE = 60
"""Tokens from which on a question is a case, which tells more than it asks."""
_BACK = 2
"""Sentences before what is asked that are told apart."""
_NEAR = 4
"""Words before and after a name that say how it is meant."""
_LONGEST = 60
"""Words of a clause on either side of a name."""
_CLAUSE_ENDS = frozenset({",", *BREAKS})
_SORTS = frozenset({"drug", "test", "procedure"})
_BEARS = frozenset({"given for the primary", "given", "given for others"})
_TESTS = frozenset({"diagnosis", "monitoring", "screening"})
_FIGURE = re.compile(r"\W*(?:(?:is|was|of|at|now|came back|up to|down to)\W+){0,2}\d", re.IGNORECASE)
"""What follows the name of a test whose result is told."""
_UNITS = re.compile(r"\W*\d+(?:[.,]\d+)?\s*(?:mg|g|mcg|µg|micrograms?|units?|iu|ml|mmol|%)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Treated:
    """A treatment or test that a question names."""

    name: str
    mentions: tuple[Mention, ...]

    @property
    def asked(self) -> bool:
        """Whether what is asked names it."""
        return any(mention.asked for mention in self.mentions)


@dataclass(frozen=True, slots=True)
class _Among:
    """All that a question names, taken together."""

    reading: Reading
    vocabulary: Vocabulary
    diseases: Tags
    decided: Tags
    ruled: frozenset[str]
    """Those that what is asked names, not as its occasion, or points back to."""
    ends: tuple[int, ...]
    """The tokens that end sentences."""
    first: int
    """The first token of what is asked."""

    def sentence(self, token: int) -> int:
        """The number of the sentence that a token stands in."""
        return bisect_right(self.ends, token - 1)


@lru_cache(maxsize=1)
def _cues() -> Mapping[str, frozenset[str]]:
    """Folded words by what they say of a treatment near them."""
    kinds = ("offered", "done", "taken")
    return MappingProxyType({kind: frozenset(map(fold, language()[kind])) for kind in kinds})


@lru_cache(maxsize=1)
def _choosing() -> re.Pattern[str]:
    """`which drug`, `what would be the best treatment`: what is asked names none of those to choose from."""
    nouns = "|".join(sorted(language()["chosen_from"]))
    return re.compile(rf"\b(?:which|what)\b(?:\W+[\w-]+){{0,4}}?\W+(?:{nouns})\b", re.IGNORECASE)


def treatments_named(reading: Reading) -> tuple[Treated, ...]:
    """The treatments and tests that a question names, in the order in which it does."""
    places: dict[str, list[Mention]] = {}
    for mention in sorted(reading.treatments, key=lambda m: (m.start, m.end)):
        places.setdefault(mention.name, []).append(mention)
    return tuple(Treated(name, tuple(mentions)) for name, mentions in places.items())


def _clause(reading: Reading, mention: Mention) -> frozenset[str]:
    """The folded words around a mention, to the next comma or end of a sentence."""
    tokens = reading.tokens
    start, end = mention.start, mention.end
    while start > max(0, mention.start - _LONGEST) and tokens[start - 1].text not in _CLAUSE_ENDS:
        start -= 1
    while end < min(len(tokens), mention.end + _LONGEST) and tokens[end].text not in _CLAUSE_ENDS:
        end += 1
    return frozenset(token.folded for token in tokens[start:end])


def _around(reading: Reading, mention: Mention) -> Iterator[tuple[int, str]]:
    """The folded words beside a mention in its sentence, each with its distance: negative before it."""
    for step, beside in ((-1, range(mention.start - 1, -1, -1)), (1, range(mention.end, len(reading.tokens)))):
        for distance, place in enumerate(beside[:_NEAR], 1):
            if reading.tokens[place].text in BREAKS:
                break
            yield step * distance, reading.tokens[place].folded


def _of_places(one: Treated, among: _Among) -> Iterator[str]:
    """Where and how the text names it."""
    reading = among.reading
    back = min(max(0, among.sentence(among.first) - among.sentence(m.start)) for m in one.mentions)
    if not one.asked:
        after = any(m.start > among.first for m in one.mentions)
        yield "after" if after else f"{back} before" if back <= _BACK else "far before"
    if len(one.mentions) > 1:
        yield "again"
    if all(m.negated for m in one.mentions):
        yield "denied"
    if any(qualifies(reading, m) for m in one.mentions):
        yield "qualifies"
    if one.name not in among.ruled and any(m.asked and occasion(reading, m) for m in one.mentions):
        yield "occasion"
    clauses = [_clause(reading, m) for m in one.mentions]
    nears = [frozenset(word for _, word in _around(reading, m)) for m in one.mentions]
    for kind, words in _cues().items():
        # What was done is past only where every place says so; what is offered once is offered.
        holds = any if kind == "offered" else all
        if holds(words & clause for clause in clauses):
            yield kind
        if holds(words & near for near in nears):
            yield f"{kind} near"
    if any(_UNITS.match(reading.text, reading.tokens[m.end - 1].end) for m in one.mentions):
        yield "dose"
    if all(_FIGURE.match(reading.text, reading.tokens[m.end - 1].end) for m in one.mentions):
        yield "figure"
    beside = {word for m in one.mentions for distance, word in _around(reading, m) if abs(distance) == 1}
    yield from (word for word in ("or", "and", ",", "versus") if word in beside)


def _of_bearing(one: Treated, among: _Among) -> Iterator[str]:
    """What is known of it, and how it goes with the conditions, the decisions and those asked about."""
    vocabulary = among.vocabulary
    known, bearing = vocabulary.treatments[one.name], vocabulary.bearing(one.name)
    tags = among.diseases.all
    yield "drug" if known.drug else "test" if known.decision in _TESTS else "procedure"
    if tags and tags[0] in bearing.given:
        yield "given for the primary"
    elif not frozenset(tags).isdisjoint(bearing.given):
        yield "given"
    elif bearing.given:
        yield "given for others"
    if not frozenset(tags).isdisjoint(bearing.minds):
        yield "minded"
    if known.decision in among.decided:
        yield "its decision"
    others = [vocabulary.treatments[name] for name in sorted(among.ruled) if name != one.name]
    if any(other.term in known.classes for other in others):
        yield "class asked"
    if any(one.name in other.classes for other in others):
        yield "member asked"
    if any(vocabulary.interact(one.name, other.term) for other in others):
        yield "interacts"
    if any(not frozenset(known.classes).isdisjoint(other.classes) for other in others):
        yield "of a kind"


def _of_question(among: _Among) -> Iterator[str]:
    """What holds for all that the question names."""
    asks = " ".join(among.reading.asks)
    drugs = {among.vocabulary.treatments[name].drug for name in among.ruled}
    yield "case" if len(among.reading.tokens) > _A_CASE else "short"
    yield "none asked" if not drugs else "drugs asked" if drugs == {True} else "procedures asked"
    if _choosing().search(asks):
        yield "which"
    if points_back(asks):
        yield "points back"
    yield from (f"to decide {name}" for name in among.decided.all)


def _features(one: Treated, among: _Among, shared: Collection[str]) -> frozenset[str]:
    asked = "?" if one.asked else "."
    kinds = {*_of_places(one, among), *_of_bearing(one, among), *shared}
    if one.name in among.ruled:
        kinds.add("ruled")
    place = {f"{sort} {asked}" for sort in _SORTS & kinds}
    place |= {f"{bears} {asked}" for bears in _BEARS & kinds}
    features = {"", asked, *kinds, *(f"{kind} {where}" for kind in kinds for where in (asked, *place))}
    for mention in one.mentions:
        for distance, word in _around(among.reading, mention):
            features.add(f'" {"<" if distance < 0 else ">"} {word}')
            if distance in (-1, 1):
                features.add(f'" {distance} {word}')
    return frozenset(features)


def intervention_traits(
    reading: Reading, diseases: Tags, decided: Tags, vocabulary: Vocabulary
) -> list[tuple[Treated, frozenset[str]]]:
    """What a question names, each with its features.

    A kind (`offered`, `given`, `which`) stands alone and with whether what is asked names the treatment (`?` or `.`);
    `"` begins a word beside its name.

    Args:
        reading: the question taken apart.
        diseases: its conditions.
        decided: its decisions.
        vocabulary: what is known of treatments.
    """
    named = treatments_named(reading)
    among = _Among(
        reading=reading,
        vocabulary=vocabulary,
        diseases=diseases,
        decided=decided,
        ruled=frozenset(mention.name for mention in asked_treatments(reading)),
        ends=tuple(place for place, token in enumerate(reading.tokens) if token.text in BREAKS),
        first=next((place for place, asked in enumerate(reading.asked) if asked), 0),
    )
    shared = tuple(_of_question(among))
    return [(one, _features(one, among, shared)) for one in named]


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, float]:
    """What each feature adds to the log-odds that a question is about a treatment which it names."""
    return MappingProxyType({feature: float(weight) for feature, weight in packed("intervention_weights").items()})


def interventions(reading: Reading, diseases: Tags, decided: Tags, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The treatments and tests that a question is about, at most eight.

    Those that what is asked names come first, in their order, then the likeliest of those that are told. A text that
    tells nothing, such as a claim, is about all that it names and not as an occasion, whatever else passes. Where
    none passes, the likeliest is taken if it is not very unlikely; in a question without a condition all that it
    names and does not deny, the likeliest eight of them.
    """
    model = _weights()
    weight = {
        one: sum(model.get(feature, 0.0) for feature in sorted(features))
        for one, features in intervention_traits(reading, diseases, decided, vocabulary)
    }
    named = frozenset(mention.name for mention in asked_treatments(reading)) if all(reading.asked) else frozenset()
    likeliest = sorted(weight, key=lambda one: (one.name not in named, -weight[one]))[:MOST]
    chosen = [one for one in likeliest if weight[one] > LEAST or one.name in named]
    if not chosen and not diseases:
        chosen = [one for one in likeliest if not all(m.negated for m in one.mentions)]
    chosen = chosen or [one for one in likeliest[:1] if weight[one] > _FAINT]
    asked = sorted((one for one in chosen if one.asked), key=lambda one: one.mentions[0].start)
    return tuple(one.name for one in (*asked, *(one for one in chosen if not one.asked)))
