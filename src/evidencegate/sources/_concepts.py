"""What a sub-query is about, in terms that can be searched for.

MeSH terms come from the classification's allowed list only; its excluded terms never become a MeSH field.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from evidencegate.question import TOGETHER, Category, Question, SubQuery, phrase
from evidencegate.sources._asked import Asked, asked, told_by_drugs
from evidencegate.sources._names import (
    MOST_NAMES,
    Group,
    data,
    forms,
    is_phrase,
    label_of,
    names_of_condition,
    occurs,
    one_of,
    term,
    told_of,
    unique,
    word_list,
    words,
)

_MAX_WORDS = 6
_SHORT = 20
"""A question of more words than this, or of several sentences, tells a story; its own words are not searched for."""
_SIDES = 2
"""Interventions that an article is on together."""
_LAST_WORDS = 50
"""Words at the end of a question, in which it asks."""
_SENTENCES = re.compile(r"[.?!;:]\s+\S")
# Operators of some syntax; as words they carry no topic either.
_OPERATORS = frozenset({"AND", "OR", "NOT", "NEAR", "AREA", "SEARCH", "RANGE", "MISSING", "ALL"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Concepts:
    """What a sub-query is about."""

    condition: Group
    interventions: tuple[Group, ...]
    """Each intervention that the sub-query names; of drugs given together one side each; of more than two
    without a condition the first, and the others."""
    intervention: Group
    """Whichever the question is about, named by this sub-query or not."""
    own: Group
    """Words of a short question that no vocabulary knows, where it has no condition or no intervention."""
    beside: Group
    """The other conditions that the sub-query names."""
    words: tuple[str, ...]
    """What is left of the sub-query."""
    aspects: tuple[str, ...]
    """What the kinds of decision asked for are called in abstracts."""

    def __bool__(self) -> bool:
        return bool(self.condition or self.interventions or self.own or self.words)

    @property
    def core(self) -> tuple[Group, ...]:
        """What all belongs to the topic: the condition, an intervention, another condition. Without a condition each
        intervention, for then it is about how they go together; without either, each word.
        """
        if self.condition:
            groups = [self.condition, self.intervention or self.own, self.beside]
        elif self.interventions:
            groups = [*self.interventions, self.own, self.beside]
        else:
            groups = [Group((word,)) for word in self.own.names or self.words]
        return tuple(group for group in groups if group)

    @property
    def other(self) -> tuple[str, ...]:
        """Words besides the core; one of them should be there."""
        return self.aspects if self.condition or self.interventions or self.own else ()

    @property
    def plain(self) -> str:
        """Everything in a few words, for services that rank by the words shared."""
        first = [group.names[0] for group in (*self.interventions, self.beside) if group]
        return " ".join(unique([*self.condition.names[:1], *first, *self.own.names, *self.words]))


def _first(sub_query: SubQuery, question: Question) -> bool:
    """Whether a sub-query is for what is asked itself, and not for what goes with it."""
    return sub_query.category is Category.CORE_DECISION or sub_query == question.sub_queries[0]


def _aspects(said: Iterable[str], sub_query: SubQuery, question: Question, drugs: Asked) -> tuple[str, ...]:
    """What is asked of the topic, in the words of abstracts: the question's kinds of decision, and what is left over.

    A word by which an intervention is searched for anyway would be there in every article. What a sub-query of a long
    question adds of its own ("duration monitoring follow-up") shapes how services rank it; asked for, it would lose the
    articles on what the question asks. Idle words say nothing that could be missed.
    """
    table = data()["decision_words"]
    assert isinstance(table, dict)
    idle = word_list("general_words") | word_list("added_words") | table.keys()
    there = {form.casefold() for form in forms(one_of(drugs.every).names)}
    decisions = (one for one in question.decision_tags.all if not (drugs.apart and one == TOGETHER))
    called = (term(str(name)) for decision in decisions for name in table.get(decision, ()))
    last = " ".join(question.text.split()[-_LAST_WORDS:])
    qualified = told_of("qualifiers", last) if _first(sub_query, question) else ()
    return unique(
        (
            *(name for name in called if name.casefold() not in there),
            *qualified,
            *(word for word in said if word.casefold() not in idle),
        )
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


def _condition(tag: str, question: Question) -> Group:
    """The question's condition; a whole sentence is no search phrase."""
    known = names_of_condition(tag, question)
    names = (*known.names, term(question.pico.condition))
    return Group(unique(filter(is_phrase, names))[: MOST_NAMES + 1], known.mesh)


def _with(allowed: tuple[str, ...], group: Group) -> Group:
    """The group with those allowed headings that mean the same: the vocabulary says so, or they are named alike."""
    alike, known = {phrase(name) for name in group.names}, {heading.casefold() for heading in group.mesh}
    return Group(group.names, tuple(h for h in allowed if group and (h.casefold() in known or phrase(h) in alike)))


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
    allowed = unique(n for n in map(str.strip, classification.allowed_mesh) if n.casefold() not in excluded)
    tags = question.disease_tags.all
    told, drugs = told_by_drugs(question), asked(sub_query, question)
    named = {name: names_of_condition(name, question) for name in tags}
    condition = _condition(tags[0] if tags else "", question)
    labels = Group(tuple(label_of(name, question) for name in tags))
    covered = " ".join(forms(one_of((condition, *drugs.every, *drugs.apart, *named.values(), labels)).names)).casefold()
    dropped = word_list("stop_words") | word_list("evidence_words")
    own = _own(question, f"{covered} {text}", dropped | word_list("general_words"))
    beside = [name for name in _beside(text, tags, question) if name not in (*told, *tags[:1])]
    if drugs.together:
        # Drugs that do not go together do so whatever they are given for.
        condition, own, beside = Group(), [], []
    elif own and drugs.here and told.intersection(tags[:1]):
        condition = Group()
    elif condition and drugs.every:
        own = []
    left_open = not drugs.together and tags[:1] and tags[0] in word_list("of_any_organism")
    organisms = Group(told_of("organisms", question.text) if left_open else ())
    here = drugs.here
    if not condition and len(here) > _SIDES:
        # What goes together with the first, or is weighed against it: hardly an article is on all three.
        here = (here[0], one_of(here[1:]))
    left = unique(_rest(sub_query.query, covered, dropped))[:_MAX_WORDS]
    return Concepts(
        condition=_with(allowed, condition),
        interventions=tuple(_with(allowed, group) for group in here),
        intervention=_with(allowed, one_of(drugs.every)),
        own=Group(unique(own)[:_MAX_WORDS]),
        beside=_with(allowed, one_of((*(named[name] for name in beside), organisms))),
        words=left,
        aspects=_aspects(left, sub_query, question, drugs),
    )
