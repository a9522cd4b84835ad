"""What a question asks for, part by part, and whether a text speaks of it: intervention, comparison, outcome."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from evidencegate.documents import Document, sentences
from evidencegate.errors import UnknownName
from evidencegate.evidence._asked_words import (
    ROOM,
    as_folded,
    brought_about,
    is_there,
    lists,
    rows,
    stands,
    telling_words,
    word_list,
)
from evidencegate.evidence._types import EvidenceItem
from evidencegate.question import TOGETHER, Question, fold, named_in, phrase, tag, treatment

_SHORT = 40
"""In a question of more words than this, a word that no vocabulary knows need not be what is asked."""
_MANY = 3
"""More interventions than this are a list, of which one is enough."""
_PAIR = 2
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
    narrower: frozenset[str] = frozenset()
    """Folded words that the question has beside the name it is known by: *antibiotic-associated* diarrhoea."""
    occurs: re.Pattern[str] | None = None
    """Of an outcome that is a condition: how a folded text tells of its coming about."""
    lacking: bool = True
    """Whether the want of what is named speaks of it too: the question asks about that."""
    treated: bool = False
    """Whether any treatment will do: the question asks which."""

    def held(self, text: str) -> bool:
        """Whether a text speaks of this part."""
        folded = as_folded(text)
        if self.treated:
            return bool(named_in(text).treatments)
        if self.occurs is not None:
            return self.occurs.search(folded) is not None
        if self.names:
            return all(any(stands(name, folded, lacking=self.lacking) for name in group) for group in self.names)
        there = frozenset(folded.split())
        return any(sum(is_there(word, there) for word in words) >= self._least(words) for words in self.words)

    def held_as_asked(self, text: str) -> bool:
        """Whether a text speaks of this part as narrowly as the question does."""
        there = frozenset(as_folded(text).split())
        return self.held(text) and all(is_there(word, there) for word in self.narrower)

    def _least(self, words: frozenset[str]) -> int:
        """How many of them must be there: two thirds, of a choice half."""
        return -(-len(words) // 2) if self.either else len(words) - len(words) // 3


@lru_cache(maxsize=256)
def sought(question: Question) -> tuple[str, ...]:
    """The interventions a question names, without words that many of them share ("supplementation", "diet").

    All of them where no other is named and no word beside says which.
    """
    own = tuple(term for term in question.intervention_terms if not frozenset(phrase(term)) <= word_list("shared"))
    if own or not question.intervention_terms:
        return own
    return () if _subject(question) else question.intervention_terms


@lru_cache(maxsize=256)
def asked(question: Question) -> tuple[Asked, ...]:
    """The parts of what is asked that are known: intervention or subject, comparison, outcome."""
    found: list[Asked] = []
    against = as_folded(question.pico.comparison or "")
    groups = {term: _names(term) for term in sought(question)}
    # "A or B": either is an answer; else they are asked about together. Of two they are set beside each other.
    either = " or " in as_folded(question.text)
    several = either and len(groups) > _PAIR
    compared = {term for term, names in groups.items() if not several and any(name in against for name in names)}
    own = [term for term in groups if term not in compared]
    if own:
        names = tuple(groups[term] for term in own)
        one = tuple(dict.fromkeys(name for group in names for name in group))
        # A case weighs each of what it names; of two drugs given together both must be there.
        weighed = len(question.text.split()) > _SHORT and TOGETHER not in question.decision_tags
        named_all = (one,) if either or weighed or len(own) > _MANY else names
        found.append(
            Asked(Part.INTERVENTION, ", ".join(own), named_all, lacking="deficien" in as_folded(question.text))
        )
    elif not compared and (subject := _subject(question)):
        found.append(Asked(Part.SUBJECT, _as_written(question, subject), words=(frozenset(subject),), either=either))
    if compared:
        found.append(Asked(Part.COMPARISON, question.pico.comparison or "", tuple(groups[t] for t in compared)))
    elif not several and (words := frozenset(telling_words(against, word_list("otherwise") | word_list("generic")))):
        found.append(Asked(Part.COMPARISON, question.pico.comparison or "", words=(words,)))
    outcomes = [frozenset(telling_words(o, word_list("light"))) for o in question.pico.outcome.split(",")]
    if outcomes := [words for words in outcomes if words]:
        found.append(Asked(Part.OUTCOME, question.pico.outcome, words=tuple(outcomes)))
    elif named := _outcome_named(question):
        # Of several the last: "blood" of "blood glucose" only says where.
        row = [word for word in named if word in rows()[named[-1]]]
        found.append(Asked(Part.OUTCOME, _as_written(question, row), words=(frozenset(row),)))
    elif found and (about := _condition_asked_about(question)):
        label = f"risk of {_called(about.name, question)[0].casefold()}"
        occurs = _occurrence(about.name, question)
        found.append(Asked(Part.OUTCOME, label, occurs=occurs, narrower=about.narrower))
    if not found and not frozenset(lists()["choices"]).isdisjoint(question.decision_tags.all):
        found.append(Asked(Part.INTERVENTION, "any treatment", treated=True))
    patient = frozenset(phrase(question.pico.patient))
    whom = [row for row in lists()["populations"] if patient & frozenset(phrase(row))]
    if whom:
        one = tuple(f" {word} " for row in whom for word in phrase(row))
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


def says_all(question: Question, item: EvidenceItem) -> bool:
    """Whether one sentence of a record names in its own words all that a question with an outcome asks."""
    parts = [one for one in asked(question) if one.part is not Part.POPULATION]
    wanted = frozenset(one.part for one in parts)
    if Part.OUTCOME not in wanted or len(wanted) == 1 or any(one.treated for one in parts):
        return False
    return _best(question, "", item.document.text[:_READ], tuple(p.text for p in item.passages)) == wanted


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
        folded = as_folded(text)
        parts.append(
            any(as_folded(name) in folded for one in mine for name in (one.label, *one.synonyms))
            if mine
            else primary in named_in(text).conditions
        )
    return sum(parts) / len(parts) if parts else 1.0


@lru_cache(maxsize=16_384)
def outcomes_named(text: str) -> frozenset[str]:
    """The outcomes that a text names, each by the first word of its row: *mortality* for *died*."""
    named = {_first(row) for row in lists()["outcomes"] if frozenset(phrase(row)) & frozenset(as_folded(text).split())}
    return frozenset(named)


def _first(row: str) -> str:
    return row.split(maxsplit=1)[0]


def names_any(question: Question, text: str) -> bool:
    """Whether a text names any of the interventions a question names; True where it names none."""
    terms, folded = sought(question), as_folded(text)
    return not terms or any(stands(name, folded) for term in terms for name in _names(term))


def labels(question: Question, parts: Iterable[Part]) -> str:
    """Parts of what is asked, in words: `the outcome (mortality)`."""
    chosen = frozenset(parts)
    listed = [f"the {one.part} ({one.label})" for one in asked(question) if one.part in chosen]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}" if listed else ""


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition whose coming about is asked for."""

    name: str
    narrower: frozenset[str]
    """Folded words beside its name."""
    at: int
    """Where in the question the words begin that ask for it."""


@lru_cache(maxsize=256)
def _condition_asked_about(question: Question) -> _Condition | None:
    """The condition of which a question asks whether it comes about: *atrial fibrillation* after bypass surgery."""
    for found in brought_about().finditer(question.text):
        what = as_folded(found["what"])
        named = [
            (max(names, key=len), tag_name)
            for tag_name in question.disease_tags.all
            if (
                names := [name for name in map(as_folded, _called(tag_name, question)) if name.strip() and name in what]
            )
        ]
        if named:
            called, tag_name = max(named, key=lambda pair: len(pair[0]))
            # A name of the tag may say more than its label: "antibiotic-associated diarrhoea" is not any diarrhoea.
            label = frozenset(phrase(_called(tag_name, question)[0]))
            plain = label if label <= frozenset(what.split()) else frozenset(called.split())
            beside = telling_words(what, word_list("generic") | word_list("light"))
            return _Condition(tag_name, frozenset(beside) - plain, found.start())
    return None


def _occurrence(name: str, question: Question) -> re.Pattern[str]:
    """How a folded text tells that a condition came about, and not what became of those who had it."""
    called = [n for n in _called(name, question) if word_list("measures").isdisjoint(phrase(n))]
    names = sorted({as_folded(n).strip() for n in called}, key=len, reverse=True)
    named = "|".join(ROOM.join(map(re.escape, name.split())) for name in names if name)
    become = lists()["became"]
    room = rf"(?:(?!(?:{become}) )\S+ )"
    # "Effects on weight in diabetes" are none on whether one gets it.
    straight = rf"(?:(?!(?:in|among|with|{become}) )\S+ )"
    told = rf"(?:(?:{lists()['occurs']}) {room}{{0,4}}|(?:{lists()['linked']}) {straight}{{0,7}})"
    return re.compile(rf" {told}(?:{named})(?! (?:{become}))| (?:{named}) (?:risk|incidence|rate) ")


@lru_cache(maxsize=512)
def _names(term: str) -> tuple[str, ...]:
    """Every name of an intervention, and of the members of a class, as it is looked for in folded text."""
    try:
        known = treatment(term)
    except UnknownName:
        return (as_folded(term),)
    members = [name for member in known.members for name in (member, *treatment(member).synonyms)]
    return tuple(dict.fromkeys(as_folded(name) for name in (term, *known.synonyms, *members) if phrase(name)))


def _as_written(question: Question, words: Iterable[str]) -> str:
    written = {fold(word): word.casefold() for word in re.findall(r"[^\W_]+", question.text)}
    return ", ".join(written.get(word, word) for word in words)


@lru_cache(maxsize=256)
def _outcome_named(question: Question) -> tuple[str, ...]:
    """The words of outcomes that a short question names after what it asks about, where its PICO has none."""
    if question.pico.outcome or len(question.text.split()) > _SHORT:
        return ()
    told = [question.pico.condition, question.pico.patient, question.pico.comparison or ""]
    # A second condition ("with chronic kidney disease") says in whom; "glycaemic control" is what is measured in them.
    told += [
        name
        for tag_name in question.disease_tags.all
        for name in _called(tag_name, question)
        if as_folded(name) in as_folded(question.text) and word_list("measures").isdisjoint(phrase(name))
    ]
    known = frozenset(word for text in told for word in phrase(text)) | word_list("generic") | word_list("light")
    asked_about = frozenset(word for term in question.intervention_terms for word in phrase(term))
    words = phrase(question.text)
    named = [word for word in words if word in rows() and word not in known | asked_about]
    # "Does weight loss help?" asks about the weight, "does bran lower weight?" what becomes of it.
    if not named or not [
        word for word in telling_words(" ".join(words[: words.index(named[0])]), known) if len(word) > 2
    ]:
        return ()
    return tuple(dict.fromkeys(named))


@lru_cache(maxsize=256)
def _subject(question: Question) -> tuple[str, ...]:
    """The words of a short question that are neither its condition, its patients, its outcome nor generic."""
    if len(question.text.split()) > _SHORT:
        return ()
    about = _condition_asked_about(question)
    if about is not None and (before := _exposure(question, about)):
        return before
    told = [question.pico.condition, question.pico.outcome, question.pico.patient, question.pico.comparison or ""]
    told.append(" ".join(_outcome_named(question)))
    done: list[str] = []
    for name in question.disease_tags.all:
        (done if name in lists()["done"] else told).extend(_called(name, question))
    named = frozenset(word for text in told for word in phrase(text))
    given = frozenset(word for text in done for word in phrase(text))
    known = (named - given) | word_list("generic") | word_list("light")
    return tuple(
        word
        for word in telling_words(question.text, word_list("generic"))
        if len(word) > 2 and not is_there(word, known)
    )


def _exposure(question: Question, about: _Condition) -> tuple[str, ...]:
    """What stands before the words that ask whether a condition comes about, if a condition is all that is named there.

    "Alcohol consumption" is what is asked about, whichever condition the vocabulary hears in it.
    """
    words = telling_words(question.text[: about.at], word_list("generic") | word_list("light"))
    conditions = {
        word for name in question.disease_tags.all if name != about.name for word in _condition_words(name, question)
    }
    return tuple(word for word in words if len(word) > 2) if words and set(words) <= conditions else ()


def _condition_words(name: str, question: Question) -> list[str]:
    return [word for called in _called(name, question) for word in phrase(called)]


def _called(name: str, question: Question) -> list[str]:
    own = next((one for one in question.own_tags if one.name == name), None)
    if own is None:
        try:
            own = tag(name)
        except UnknownName:
            return [name]
    return [own.label, *own.synonyms, *own.short]
