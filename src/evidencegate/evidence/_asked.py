"""What a question asks for, part by part, and whether a text speaks of it: intervention, comparison, outcome."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import yaml

from evidencegate.documents import Document, sentences
from evidencegate.errors import UnknownName
from evidencegate.evidence._function_words import function_words
from evidencegate.evidence._types import EvidenceItem
from evidencegate.question import Question, fold, named_in, phrase, tag, treatment

_SHORT = 40
"""In a question of more words than this, a word that no vocabulary knows need not be what is asked."""
_ROOT, _ENDING = 4, 5
"""A word of at least so many letters has forms with an ending of at most so many: *feed*, *feeding*."""
_MANY = 3
"""More interventions than this are a list, of which one is enough."""
_PAIR = 2
_LISTED = 3
"""Letters of the words of a name between which a list may stand."""
_ROOM = r"(?: \S+){0,3} "
_READ = 6_000
"""Characters of a text that are read, beside the passages that were found in it."""


class Part(StrEnum):
    """A part of what is asked, named as a reader is told of it."""

    INTERVENTION = "intervention"
    COMPARISON = "comparison"
    OUTCOME = "outcome"
    SUBJECT = "subject"
    """What is asked about, where no vocabulary knows an intervention in the question."""
    POPULATION = "population"
    """An age, sex or pregnancy that the question names: a record tells of it anywhere, not in every sentence."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One part of what a question asks, and how a text that speaks of it is known."""

    part: Part
    label: str
    """As the question has it."""
    names: tuple[tuple[str, ...], ...] = ()
    """Of each group one name must be there, as a phrase; folded, between spaces."""
    words: tuple[frozenset[str], ...] = ()
    """Alternatives: of one of these sets of folded words enough must be there."""
    either: bool = False
    """Whether the words are of a choice ("organic milk or soy milk"): half of them is enough."""
    occurs: re.Pattern[str] | None = None
    """Of an outcome that is a condition: how a folded text tells of its coming about."""
    treated: bool = False
    """Whether any treatment will do: the question asks which."""

    def held(self, text: str) -> bool:
        """Whether a text speaks of this part."""
        folded = _folded(text)
        if self.treated:
            return bool(named_in(text).treatments)
        if self.occurs is not None:
            return self.occurs.search(folded) is not None
        if self.names:
            return all(any(_stands(name, folded) for name in group) for group in self.names)
        there = frozenset(folded.split())
        return any(sum(_there(word, there) for word in words) >= self._least(words) for words in self.words)

    def _least(self, words: frozenset[str]) -> int:
        """How many of them must be there: two thirds, of a choice half."""
        return -(-len(words) // 2) if self.either else len(words) - len(words) // 3


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(phrase(str(_data()[name])))


@cache
def _data() -> dict[str, Any]:
    text = files("evidencegate.evidence").joinpath("data", "asked.yaml").read_text("utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


@cache
def _asks_of_risk() -> re.Pattern[str]:
    return re.compile("|".join(_data()["asks_of_risk"]), re.IGNORECASE)


@cache
def _function() -> frozenset[str]:
    return frozenset(map(fold, function_words()))


@cache
def _rows() -> dict[str, frozenset[str]]:
    """For each word of an outcome, the words that may stand for it."""
    return {word: frozenset(phrase(row)) for row in _data()["outcomes"] for word in phrase(row)}


def _stands(name: str, folded: str) -> bool:
    """Whether a name stands in folded text, as a phrase or in a list: *red meat* in "red and processed meat"."""
    if name in folded:
        return True
    apart = _apart(name)
    return apart is not None and apart.search(folded) is not None


@lru_cache(maxsize=4096)
def _apart(name: str) -> re.Pattern[str] | None:
    """A name of several words with room for what a list puts between them; none where a word is short: *vitamin a*."""
    words = name.split()
    if len(words) < _PAIR or min(map(len, words)) < _LISTED:
        return None
    return re.compile(f" {_ROOM.join(map(re.escape, words))} ")


@lru_cache(maxsize=16_384)
def _folded(text: str) -> str:
    return f" {' '.join(phrase(text))} "


def _there(word: str, there: frozenset[str]) -> bool:
    if word in there or _rows().get(word, frozenset()) & there:
        return True
    return any(_forms(*sorted((word, other), key=len)) for other in there)


def _forms(short: str, long: str) -> bool:
    """Whether the longer word is the shorter with an ending: *feed*, *feeding*."""
    root = short.removesuffix("e")
    return len(root) >= _ROOT and long.startswith(root) and len(long) - len(root) <= _ENDING


@lru_cache(maxsize=256)
def sought(question: Question) -> tuple[str, ...]:
    """The interventions a question names, without words that many of them share ("supplementation", "diet").

    All of them where no other is named and no word beside says which.
    """
    own = tuple(term for term in question.intervention_terms if not frozenset(phrase(term)) <= _words("shared"))
    if own or not question.intervention_terms:
        return own
    return () if _subject(question) else question.intervention_terms


@lru_cache(maxsize=256)
def asked(question: Question) -> tuple[Asked, ...]:
    """The parts of what is asked that are known: intervention or subject, comparison, outcome."""
    found: list[Asked] = []
    against = _folded(question.pico.comparison or "")
    groups = {term: _names(term) for term in sought(question)}
    # "A or B": either is an answer; else they are asked about together. Of two they are set beside each other.
    either = " or " in _folded(question.text)
    several = either and len(groups) > _PAIR
    compared = {term for term, names in groups.items() if not several and any(name in against for name in names)}
    own = [term for term in groups if term not in compared]
    if own:
        names = tuple(groups[term] for term in own)
        one = tuple(dict.fromkeys(name for group in names for name in group))
        found.append(Asked(Part.INTERVENTION, ", ".join(own), (one,) if either or len(own) > _MANY else names))
    elif not compared and (subject := _subject(question)):
        written = {fold(word): word.casefold() for word in re.findall(r"[^\W_]+", question.text)}
        label = ", ".join(written.get(word, word) for word in subject)
        found.append(Asked(Part.SUBJECT, label, words=(frozenset(subject),), either=either))
    if compared:
        found.append(Asked(Part.COMPARISON, question.pico.comparison or "", tuple(groups[t] for t in compared)))
    elif not several and (words := frozenset(_telling(against, _words("otherwise") | _words("generic")))):
        found.append(Asked(Part.COMPARISON, question.pico.comparison or "", words=(words,)))
    outcomes = [frozenset(_telling(o, _words("light"))) for o in question.pico.outcome.split(",")]
    if outcomes := [words for words in outcomes if words]:
        found.append(Asked(Part.OUTCOME, question.pico.outcome, words=tuple(outcomes)))
    elif found and question.disease_tags and question.pico.condition and _asks_of_risk().search(question.text):
        found.append(Asked(Part.OUTCOME, f"risk of {question.pico.condition}", occurs=_occurrence(question)))
    if not found and not frozenset(_data()["choices"]).isdisjoint(question.decision_tags.all):
        found.append(Asked(Part.INTERVENTION, "any treatment", treated=True))
    patient = frozenset(phrase(question.pico.patient))
    named = [row for row in _data()["populations"] if patient & frozenset(phrase(row))]
    if named:
        one = tuple(f" {word} " for row in named for word in phrase(row))
        found.append(Asked(Part.POPULATION, question.pico.patient, (one,)))
    return tuple(found)


def covered(question: Question, text: str, context: str = "") -> frozenset[Part]:
    """The parts of what is asked that a sentence names, itself or by its `context`, the title of its record.

    The population is not asked of a sentence: its record tells of it (`of_population`).
    """
    return frozenset(
        one.part
        for one in asked(question)
        if one.part is not Part.POPULATION and (one.held(text) or (context and one.held(context)))
    )


def of_population(question: Question, document: Document) -> bool:
    """Whether a record tells of those whom the question is about; True where it names nobody."""
    text = f"{document.title}. {document.text[:_READ]}"
    return all(one.held(text) for one in asked(question) if one.part is Part.POPULATION)


def best_covered(question: Question, item: EvidenceItem) -> frozenset[Part]:
    """The parts that the sentence of a record names which names most of them, its title read with it."""
    document = item.document
    best = _best(question, document.title, document.text[:_READ], tuple(p.text for p in item.passages))
    populated = any(one.part is Part.POPULATION for one in asked(question)) and of_population(question, document)
    return best | {Part.POPULATION} if populated else best


@lru_cache(maxsize=4096)
def _best(question: Question, title: str, text: str, passages: tuple[str, ...]) -> frozenset[Part]:
    wanted = frozenset(one.part for one in asked(question)) - {Part.POPULATION}
    best = covered(question, title)
    for passage in (text, *passages):
        for span in sentences(passage):
            if len(best) == len(wanted):
                return best
            best = max(best, covered(question, span.of(passage), title), key=len)
    return best


def names_subject(question: Question, item: EvidenceItem) -> bool:
    """Whether a record speaks of what is asked about, where no vocabulary knows it; True where one does."""
    subject = [one for one in asked(question) if one.part is Part.SUBJECT]
    document = item.document
    text = f"{document.title}. {document.text[:_READ]}"
    return all(one.held(text) for one in subject)


def named_itself(question: Question, text: str) -> float:
    """The share of what is asked, and of the condition, that a sentence names in its own words, without its title."""
    parts = [one.held(text) for one in asked(question) if one.part is not Part.POPULATION]
    primary = question.disease_tags.primary
    if primary is not None:
        mine = [one for one in question.own_tags if one.name == primary]
        folded = _folded(text)
        parts.append(
            any(_folded(name) in folded for one in mine for name in (one.label, *one.synonyms))
            if mine
            else primary in named_in(text).conditions
        )
    return sum(parts) / len(parts) if parts else 1.0


@lru_cache(maxsize=16_384)
def outcomes_named(text: str) -> frozenset[str]:
    """The outcomes that a text names, each by the first word of its row: *mortality* for *died*."""
    named = {_first(row) for row in _data()["outcomes"] if frozenset(phrase(row)) & frozenset(_folded(text).split())}
    return frozenset(named)


def _first(row: str) -> str:
    return row.split(maxsplit=1)[0]


def names_any(question: Question, text: str) -> bool:
    """Whether a text names any of the interventions a question names; True where it names none."""
    terms, folded = sought(question), _folded(text)
    return not terms or any(_stands(name, folded) for term in terms for name in _names(term))


def labels(question: Question, parts: Iterable[Part]) -> str:
    """Parts of what is asked, in words: `the outcome (mortality)`."""
    chosen = frozenset(parts)
    listed = [f"the {one.part} ({one.label})" for one in asked(question) if one.part in chosen]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}" if listed else ""


def _occurrence(question: Question) -> re.Pattern[str]:
    """How a folded text tells that the condition asked about came about, and not what became of those who had it."""
    names = sorted({_folded(n).strip() for n in _called(question.disease_tags.all[0], question)}, key=len, reverse=True)
    named = "|".join(_ROOM.join(map(re.escape, name.split())) for name in names if name)
    come_about = rf" (?:{_data()['occurs']}) (?:\S+ ){{0,4}}(?:{named})(?! (?:death|mortality|survival))"
    return re.compile(rf"{come_about}| (?:{named}) (?:risk|incidence|rate) ")


@lru_cache(maxsize=512)
def _names(term: str) -> tuple[str, ...]:
    """Every name of an intervention, and of the members of a class, as it is looked for in folded text."""
    try:
        known = treatment(term)
    except UnknownName:
        return (_folded(term),)
    members = [name for member in known.members for name in (member, *treatment(member).synonyms)]
    return tuple(dict.fromkeys(_folded(name) for name in (term, *known.synonyms, *members) if phrase(name)))


def _telling(text: str, light: frozenset[str]) -> list[str]:
    return [word for word in dict.fromkeys(phrase(text)) if word not in light | _function() and not word.isdigit()]


@lru_cache(maxsize=256)
def _subject(question: Question) -> tuple[str, ...]:
    """The words of a short question that are neither its condition, its patients, its outcome nor generic."""
    if len(question.text.split()) > _SHORT:
        return ()
    told = [question.pico.condition, question.pico.outcome, question.pico.patient, question.pico.comparison or ""]
    for name in question.disease_tags.all:
        told += _called(name, question)
    known = frozenset(word for text in told for word in phrase(text)) | _words("generic") | _words("light")
    return tuple(
        word for word in _telling(question.text, _words("generic")) if len(word) > 2 and not _there(word, known)
    )


def _called(name: str, question: Question) -> list[str]:
    own = next((one for one in question.own_tags if one.name == name), None)
    if own is None:
        try:
            own = tag(name)
        except UnknownName:
            return [name]
    return [own.label, *own.synonyms, *own.short]
