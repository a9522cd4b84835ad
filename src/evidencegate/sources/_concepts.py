"""What a sub-query is about, in terms that can be searched for.

MeSH terms come from the classification's allowed list only; its excluded terms never become a MeSH field.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from evidencegate.question import Question, SubQuery, load_vocabulary, named_in
from evidencegate.sources._names import (
    MOST_NAMES,
    data,
    forms,
    label_of,
    names_of_condition,
    names_of_treatment,
    occurs,
    term,
    unique,
    word_list,
    words,
)

_MAX_WORDS = 6
_SHORT = 20
"""A question of more words than this, or of several sentences, tells a story; its own words are not searched for."""
_ABOUT_A_DRUG = frozenset({"de-escalation", "duration", "dose", "monitoring", "safety"})
_MOST_TOLD = 3
_SENTENCES = re.compile(r"[.?!;:]\s+\S")
# Operators of some syntax; as words they carry no topic either.
_OPERATORS = frozenset({"AND", "OR", "NOT", "NEAR", "AREA", "SEARCH", "RANGE", "MISSING", "ALL"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Concepts:
    """What a sub-query is about, in searchable terms; every term is words and single spaces only."""

    condition: tuple[str, ...] = ()
    """Names of the condition."""
    interventions: tuple[tuple[str, ...], ...] = ()
    """Names of each intervention that the sub-query names."""
    every_intervention: tuple[str, ...] = ()
    """Names of all that the question asks about, whichever this sub-query names."""
    own: tuple[str, ...] = ()
    """Words of a short question that no vocabulary knows, where it has no condition or no intervention."""
    beside: tuple[str, ...] = ()
    """Names of the other conditions that the sub-query names."""
    words: tuple[str, ...] = ()
    """What is left of the sub-query: the kind of decision, mostly."""
    mesh: tuple[str, ...] = ()
    """Allowed MeSH terms, spelled as MeSH does."""

    def __bool__(self) -> bool:
        return bool(self.condition or self.interventions or self.own or self.words)

    @property
    def intervention(self) -> tuple[str, ...]:
        """Names of whichever intervention."""
        return tuple(name for names in self.interventions for name in names)

    @property
    def core(self) -> tuple[tuple[str, ...], ...]:
        """Groups of alternatives that all belong to the topic: the condition, an intervention, another condition.
        Without a condition each intervention, for then it is about how they go together; without either, each word.
        """
        if self.condition:
            groups = [self.condition, self.intervention or self.own, self.beside]
        elif self.interventions:
            groups = [*self.interventions, self.own, self.beside]
        else:
            groups = [(word,) for word in self.own or self.words]
        return tuple(group for group in groups if group)

    @property
    def other(self) -> tuple[str, ...]:
        """Words besides the core; one of them should be there."""
        return () if not (self.condition or self.interventions or self.own) else _decided(self.words)

    @property
    def plain(self) -> str:
        """Everything in a few words, for services that rank by the words shared."""
        first = [names[0] for names in (*self.interventions, self.beside) if names]
        return " ".join(unique([*self.condition[:1], *first, *self.own, *self.words]))


def _decided(said: Iterable[str]) -> tuple[str, ...]:
    """What the words of a decision are searched for by; idle ones say nothing that could be missed."""
    table = data()["decision_words"]
    assert isinstance(table, dict)
    idle = word_list("general_words")
    return unique(
        term(str(name)) for word in said if word.casefold() not in idle for name in table.get(word.casefold(), (word,))
    )


def _rest(text: str, covered: str, dropped: frozenset[str]) -> list[str]:
    """The words of a text that are neither covered nor dropped, nor syntax."""
    return [
        word
        for word in words(text)
        if word.casefold() not in dropped
        and (len(word) > 1 or word.isdigit())
        and not occurs(word.casefold(), covered)
        and word.upper() not in _OPERATORS
    ]


def _told_by_drugs(question: Question) -> frozenset[str]:
    """Conditions that only a drug tells of: "benralizumab for urticaria" is not about asthma."""
    vocabulary = load_vocabulary()
    drugs = (drug for drug in question.intervention_terms if drug in vocabulary.treatments)
    usual = {tag for drug in drugs for tag in vocabulary.bearing(drug).given}
    return frozenset(usual.intersection(question.disease_tags.all) - named_in(question.text).conditions)


def _interventions(question: Question) -> tuple[str, ...]:
    """The interventions asked about; where none is, those told that are given for it: "do I let her stop?"."""
    if question.intervention_terms or not _ABOUT_A_DRUG.intersection(question.decision_tags.all):
        return question.intervention_terms
    vocabulary = load_vocabulary()
    named = sorted(named_in(question.text).treatments)
    return tuple(one for one in named if question.disease_tags.primary in vocabulary.bearing(one).given)[:_MOST_TOLD]


def _condition(tag: str, question: Question) -> tuple[str, ...]:
    """Names of the question's condition; a whole sentence is no search phrase."""
    names = (*names_of_condition(tag, question), term(question.pico.condition))
    fit = (name for name in names if 0 < len(name.split()) <= _MAX_WORDS and min(map(len, name.split())) > 1)
    return unique(fit)[: MOST_NAMES + 1]


def _beside(text: str, tags: Iterable[str], question: Question) -> list[str]:
    """Those of `tags` that a sub-query, its text in one case, names; the longer ones are taken away first."""
    found = []
    for name in sorted(tags, key=lambda name: -len(label_of(name, question))):
        label = label_of(name, question).casefold()
        if occurs(label, text):
            # The depression of "respiratory depression" is no other condition.
            text = text.replace(label, " ")
            found.append(name)
    return found


def _own(question: Question, covered: str, idle: frozenset[str]) -> list[str]:
    """Words of a short question that nothing covers: "soy", "trichomegaly"; numbers are none."""
    if len(question.text.split()) > _SHORT or _SENTENCES.search(question.text):
        return []
    return [word for word in _rest(question.text, covered, idle) if not word[:1].isdigit()]


def concepts(sub_query: SubQuery, question: Question) -> Concepts:
    """What `sub_query` is about: the question's condition, its interventions named there, and other words."""
    text = term(sub_query.query).casefold()
    classification = question.classification
    excluded = {name.casefold() for name in classification.excluded_mesh}
    told = _told_by_drugs(question)
    tags = question.disease_tags.all
    asked = _interventions(question)
    every = {name: names_of_treatment(name, question) for name in asked}
    interventions = tuple(
        names
        for name, names in every.items()
        if names and (not question.intervention_terms or occurs(term(name).casefold(), text))
    )
    named = {name: names_of_condition(name, question) for name in tags}
    condition = _condition(tags[0] if tags else "", question)
    groups = (condition, *interventions, *named.values(), tuple(label_of(name, question) for name in tags))
    covered = " ".join(forms(name for names in groups for name in names)).casefold()
    dropped = word_list("stop_words") | word_list("evidence_words")
    own = _own(question, f"{covered} {text}", dropped | word_list("general_words"))
    if own and interventions and tags and tags[0] in told:
        condition = ()
    elif condition and asked:
        own = []
    beside = _beside(text, tags, question)
    return Concepts(
        condition=condition,
        interventions=interventions,
        every_intervention=unique(name for names in every.values() for name in names),
        own=unique(own)[:_MAX_WORDS],
        beside=unique(one for name in beside if name not in (*told, *tags[:1]) for one in named[name]),
        words=unique(_rest(sub_query.query, covered, dropped))[:_MAX_WORDS],
        mesh=unique(n for n in map(str.strip, classification.allowed_mesh) if n.casefold() not in excluded),
    )
