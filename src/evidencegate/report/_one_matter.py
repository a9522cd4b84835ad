"""Whether two findings are of one matter: what each compares and measures, or what the question asks about."""

import re
from functools import cache
from importlib.resources import files

import yaml

from evidencegate.counter import elsewhere, in_plain_words
from evidencegate.evidence import Part, asked, of_population
from evidencegate.question import Question, named_in, treatment
from evidencegate.report._extract import Candidate
from evidencegate.report._written_out import written_out

_ABOUT = (Part.INTERVENTION, Part.SUBJECT)


def written(candidate: Candidate) -> str:
    """A sentence as one reads it who knows its article: its abbreviations written out, in plain words."""
    return in_plain_words(written_out(candidate.item.document, candidate.text), "", "")


def one_matter(question: Question, one: Candidate, other: Candidate) -> bool:
    """Whether each sentence names what the other one compares and measures (titles say what a sentence leaves out),
    or both name in their own words what the question asks about and its outcome, and nothing else that was given."""
    texts, titles = (written(one), written(other)), (one.item.document.title, other.item.document.title)
    if elsewhere(texts[0], texts[1], titles[1]) is None and elsewhere(texts[1], texts[0], titles[0]) is None:
        return True
    return _answer(question, one) and _answer(question, other)


def both_name_outcome(question: Question, one: Candidate, other: Candidate) -> bool:
    """Whether both sentences name the outcome that the question asks about."""
    outcome = [part for part in asked(question) if part.part is Part.OUTCOME]
    return bool(outcome) and all(
        part.held_as_asked(written(candidate)) for part in outcome for candidate in (one, other)
    )


def _answer(question: Question, candidate: Candidate) -> bool:
    """Whether a sentence answers the question by itself: it names what is asked about, what that is compared with and
    the outcome, no other treatment, and no other comparison than with doing nothing or less."""
    parts = [part for part in asked(question) if part.part is not Part.POPULATION]
    kinds = {part.part for part in parts}
    text = written(candidate)
    if Part.OUTCOME not in kinds or kinds.isdisjoint(_ABOUT) or not all(part.held_as_asked(text) for part in parts):
        return False
    if not of_population(question, candidate.item.document) or _others(question, text):
        return False
    return Part.COMPARISON in kinds or all(_nothing().search(found["other"]) for found in _against().finditer(text))


def _others(question: Question, text: str) -> frozenset[str]:
    """Treatments that a sentence names and the question does not ask about."""
    named = named_in(text).treatments
    mine = named_in(question.text).treatments.union(question.intervention_terms)
    return frozenset(
        name
        for name in named
        if name not in mine and mine.isdisjoint((*treatment(name).classes, *treatment(name).members))
    )


@cache
def _lists() -> dict[str, str]:
    lists: dict[str, str] = yaml.safe_load(
        files("evidencegate.report").joinpath("data", "opposed.yaml").read_text("utf-8")
    )
    return lists


@cache
def _against() -> re.Pattern[str]:
    return re.compile(_lists()["against"], re.IGNORECASE)


@cache
def _nothing() -> re.Pattern[str]:
    return re.compile(_lists()["against_nothing"], re.IGNORECASE)
