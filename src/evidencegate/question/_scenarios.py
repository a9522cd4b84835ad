"""Which anchor scenario a question belongs to, by the rules of `scenarios.yaml`."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from evidencegate.question._data import Fields, shipped
from evidencegate.question._normal import phrase
from evidencegate.question._vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class _Need:
    """One of the three ways a rule looks beyond the conditions."""

    decisions: tuple[str, ...]
    treatments: tuple[str, ...]
    cues: tuple[tuple[str, ...], ...]

    def met(self, decisions: Collection[str], classes: Collection[str], said: str) -> list[bool]:
        """For each way that is given: whether it is met."""
        given = []
        if self.decisions:
            given.append(any(name in self.decisions for name in decisions))
        if self.treatments:
            given.append(any(name in self.treatments for name in classes))
        if self.cues:
            given.append(any(f" {' '.join(cue)} " in said for cue in self.cues))
        return given


@dataclass(frozen=True, slots=True)
class _Rule:
    scenario: str
    groups: tuple[tuple[str, ...], ...]
    without: tuple[str, ...]
    treatments_all: tuple[str, ...]
    about: tuple[str, ...]
    leads: bool
    any_of: _Need
    each: _Need

    def fits(
        self,
        diseases: Collection[str],
        focus: Collection[str],
        decisions: Collection[str],
        classes: Collection[str],
        named: Collection[str],
        said: str,
        *,
        treated: bool,
    ) -> bool:
        if any(name in self.without for name in diseases):
            return False
        if not all(any(name in diseases for name in group) for group in self.groups):
            return False
        if self.groups and not any(name in focus for group in self.groups for name in group):
            return False
        if self.leads and next(iter(diseases), None) not in self.groups[0]:
            return False
        if not all(name in named for name in self.treatments_all):
            return False
        if self.about and treated and not any(name in self.about for name in classes):
            return False
        ways = self.any_of.met(decisions, classes, said)
        return (not ways or any(ways)) and all(self.each.met(decisions, classes, said))


def _need(fields: Fields) -> _Need:
    return _Need(
        decisions=fields.terms("decisions"),
        treatments=fields.terms("treatments"),
        cues=tuple(phrase(cue) for cue in fields.terms("cues")),
    )


@lru_cache(maxsize=1)
def _rules() -> tuple[_Rule, ...]:
    found = []
    for number, value in enumerate(shipped("scenarios"), 1):
        fields = Fields(f"scenarios.yaml: {number}", value)
        inner = fields.inner("any")
        rule = _Rule(
            scenario=fields.text("scenario"),
            groups=fields.groups("all"),
            without=fields.terms("without"),
            treatments_all=fields.terms("treatments_all"),
            about=fields.terms("about"),
            leads=fields.flag("leads"),
            any_of=_need(inner) if inner else _Need((), (), ()),
            each=_need(fields),
        )
        fields.done()
        if inner:
            inner.done()
        found.append(rule)
    return tuple(found)


def scenarios() -> tuple[str, ...]:
    """The names of all anchor scenarios, in the order of the rules."""
    return tuple(dict.fromkeys(rule.scenario for rule in _rules()))


def _classes(terms: Collection[str], vocabulary: Vocabulary) -> set[str]:
    """The treatments and all classes they belong to."""
    known = vocabulary.treatments
    return {name for term in terms for name in (term, *(known[term].classes if term in known else ()))}


def scenario_of(
    disease_tags: Collection[str],
    decision_tags: Collection[str],
    treatments: Collection[str],
    text: str,
    vocabulary: Vocabulary,
    *,
    focus: Collection[str],
    named: Collection[str],
) -> str | None:
    """The anchor scenario of a question, or None. The first rule that fits decides.

    Args:
        disease_tags: names of disease tags, the primary one first.
        decision_tags: names of decision tags.
        treatments: terms of the treatments that the question is about; their classes are compared.
        text: the question, for phrases that no tag stands for (a blood pressure target).
        focus: the conditions that the decision is about; one of them must be one of the scenario's.
        named: terms of all treatments in the text, for scenarios about drugs taken together.
        vocabulary: where the classes of the treatments are looked up.
    """
    classes = _classes(treatments, vocabulary)
    there = _classes(named, vocabulary)
    said = f" {' '.join(phrase(text))} "
    known = vocabulary.treatments
    treated = any(term not in known or known[term].drug for term in treatments)
    for rule in _rules():
        if rule.fits(disease_tags, focus, decision_tags, classes, there, said, treated=treated):
            return rule.scenario
    return None
