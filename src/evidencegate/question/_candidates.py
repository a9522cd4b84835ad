"""The conditions that a question names, before it is decided which of them count."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from evidencegate.models.questions import Span
from evidencegate.question._conditions import unknown_conditions
from evidencegate.question._measures import measured
from evidencegate.question._normal import BREAKS, phrase
from evidencegate.question._reading import Mention, Reading, decisions_heard
from evidencegate.question._told import counting, of_a_relative
from evidencegate.question._types import Tag
from evidencegate.question._vocabulary import DECISION, DISEASE, TREATMENT, Vocabulary

_USED = frozenset({"in", "for", "against", "after", "help", "improve", "treat"})
_NEAR = 8
"""Tokens between a treatment and the condition that it is asked of."""
_OF_THE_TREATED = frozenset({"safety", "interaction", "de-escalation", "dose", "duration", "monitoring"})
"""Decisions for which it matters what else a treatment is given for."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A condition that the text names, or that its findings speak for; never one that it denies."""

    name: str
    mentions: tuple[Mention, ...]
    """Where it is named, in order; empty where only findings speak for it."""
    own: Tag | None = None
    """The tag made of its name, where no list knows it."""
    findings: tuple[Span, ...] = ()
    """Where findings speak for it."""
    measured_asked: bool = False
    """Findings in what is asked do."""

    @property
    def measured(self) -> bool:
        """Whether findings speak for it."""
        return bool(self.findings)

    def places(self, reading: Reading) -> tuple[Span, ...]:
        """The characters of the text that name it or speak for it."""
        tokens = reading.tokens
        return (*((tokens[m.start].start, tokens[m.end - 1].end) for m in self.mentions), *self.findings)

    @property
    def asked(self) -> bool:
        """Whether what is asked names it."""
        return any(mention.asked for mention in self.mentions)


def with_wider(names: Iterable[str], vocabulary: Vocabulary) -> set[str]:
    """The names, and what each is a kind of."""
    return {one for name in names for one in (name, *vocabulary.ancestors.get(name, ()))}


def _unknown(reading: Reading) -> list[tuple[Tag, Mention]]:
    kinds = (DISEASE, TREATMENT, DECISION)
    taken = {i for m in reading.matches if m.kind in kinds for i in range(m.start, m.end)}
    return [
        (own, Mention(own.name, start, end, reading.asked[start], False, False))
        for own, start, end in unknown_conditions(reading, taken)
        if not reading.denied[start]
    ]


def _asked_of_another(reading: Reading, vocabulary: Vocabulary) -> list[tuple[int, int]]:
    """Where treatments stand that are asked about for a condition which they are not usually given for.

    "Does pirfenidone help in silicosis?" is not about the fibrosis that pirfenidone is for. What is asked of safety,
    dose or the like may be asked because of that.
    """
    if any(cue.name in _OF_THE_TREATED for cue in decisions_heard(reading)):
        return []
    found = []
    for drug in reading.treatments:
        usual = vocabulary.bearing(drug.name).given if drug.asked and not drug.negated else ()
        for named in reading.diseases if usual else ():
            if not (named.asked and not named.negated and 0 < named.start - drug.end <= _NEAR):
                continue
            between = reading.tokens[drug.end : named.start]
            line = {named.name, *vocabulary.ancestors.get(named.name, ())}
            apart = any(token.text in BREAKS for token in between)
            if not apart and _USED & {token.folded for token in between} and not line.intersection(usual):
                found.append((drug.start, drug.end))
    return found


def candidates(reading: Reading, vocabulary: Vocabulary) -> tuple[Candidate, ...]:
    """Every condition that `reading` names and does not deny, in the order in which the text names them.

    Those that only findings speak for come last.
    """
    drugs = _asked_of_another(reading, vocabulary)

    def only_a_drug(first: int, last: int) -> bool:
        """Whether tokens `first` to `last` are but the name of such a treatment: "nicotine gum" for obesity.

        What a pattern finds that looks at a text from its beginning is all up to that name.
        """
        return any((start <= first or first == 0) and start <= last < end for start, end in drugs)

    known = [mention for mention in counting(reading) if not only_a_drug(mention.start, mention.end - 1)]
    named = {word for m in known if m.name in vocabulary.tags for word in phrase(vocabulary.tags[m.name].label)}
    # "polymyalgia" beside "polymyalgia rheumatica" is no other condition.
    unknown = [(tag, m) for tag, m in _unknown(reading) if not named.issuperset(phrase(tag.label))]
    own = {tag.name: tag for tag, _ in unknown}
    places: dict[str, list[Mention]] = {}
    for mention in sorted((*known, *(m for _, m in unknown)), key=lambda m: (m.start, m.end)):
        places.setdefault(mention.name, []).append(mention)
    there = with_wider(places, vocabulary)
    denied = {m.name for m in reading.diseases if m.negated} - places.keys()
    begins = [token.start for token in reading.tokens]

    def token_at(place: int) -> int:
        return max(0, bisect_right(begins, place) - 1)

    negated = [(m.start, m.end) for m in reading.diseases if m.negated]

    def has(span: Span) -> bool:
        """Whether the patient has what is found there: neither denied nor somebody else's."""
        first, last = token_at(span[0]), token_at(span[1] - 1)
        if only_a_drug(first, last) or reading.denied[first]:
            return False
        if any(start <= last and first < end for start, end in negated):
            return False
        return not of_a_relative(reading, last, last + 1)

    told = {
        name: kept
        for name, spans in measured(reading.text, vocabulary.measures, there).items()
        if name not in denied and (kept := tuple(filter(has, spans)))
    }
    asked = {name for name, spans in told.items() if any(reading.asked[token_at(start)] for start, _ in spans)}
    return tuple(
        Candidate(name, tuple(places.get(name, ())), own.get(name), told.get(name, ()), name in asked)
        for name in dict.fromkeys((*places, *told))
    )
