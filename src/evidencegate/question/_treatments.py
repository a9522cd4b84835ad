"""Treatments as the data files have them: drugs and their classes, procedures, and what bears on each."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from evidencegate.question._data import entries, shipped, shipped_lines
from evidencegate.question._types import Treatment


@dataclass(frozen=True, slots=True)
class Bearing:
    """Disease tags that bear on a treatment."""

    given: tuple[str, ...] = ()
    """What it is mostly given, done or ordered for, the most usual first."""
    minds: tuple[str, ...] = ()
    """What changes whether or how it is given: contraindications, cautions, harms; the weightiest first."""


@dataclass(frozen=True, slots=True)
class DrugClass:
    """A class of drugs, with what it is given for."""

    name: str
    within: str
    mesh: tuple[str, ...]
    synonyms: tuple[str, ...]
    short: tuple[str, ...]
    decision: str | None
    treats: tuple[str, ...]
    loose: bool
    stems: tuple[str, ...]
    """Ends ("-gliptin") and beginnings ("cef-") of the names of its drugs."""
    drugs: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Stem:
    """What the names of treatments begin or end with, and what such a treatment is."""

    pattern: re.Pattern[str]
    classes: tuple[str, ...]
    decision: str | None
    drug: bool


def drug_classes() -> list[DrugClass]:
    """The drug classes with their members."""
    found = []
    for name, fields in entries("drugs.yaml", shipped("drugs")):
        found.append(
            DrugClass(
                name=name,
                within=fields.text("within"),
                mesh=fields.terms("mesh"),
                synonyms=fields.terms("synonyms"),
                short=fields.terms("short", None),
                decision=fields.text("decision") or None,
                treats=fields.terms("treats"),
                loose=fields.flag("loose"),
                stems=fields.terms("stems"),
                drugs=tuple(tuple(n.strip() for n in drug.split(" = ")) for drug in fields.terms("drugs")),
            )
        )
        fields.done()
    return found


def bearings() -> dict[str, Bearing]:
    """What bears on each treatment or class of `bearings.txt`."""
    found = {}
    for line in shipped_lines("bearings.txt"):
        term, given, minds = (part.strip() for part in line.split("|"))
        found[term] = Bearing(tuple(given.split()), tuple(minds.split()))
    return found


def interactions() -> dict[str, frozenset[str]]:
    """For each treatment or class of `interactions.txt` those with which it does not go well together."""
    found: dict[str, set[str]] = {}
    for line in shipped_lines("interactions.txt"):
        left, right = ([term.strip() for term in side.split(";")] for side in line.split("|"))
        for one in left:
            for other in right:
                found.setdefault(one, set()).add(other)
                found.setdefault(other, set()).add(one)
    return {term: frozenset(others) for term, others in found.items()}


def class_line(classes: Mapping[str, DrugClass], name: str) -> tuple[str, ...]:
    """A class and those it is within, the narrowest first."""
    line: list[str] = []
    while name and name not in line:
        line.append(name)
        name = classes[name].within
    return tuple(line)


def drugs(classes: Mapping[str, DrugClass]) -> Iterator[tuple[Treatment, tuple[str, ...]]]:
    """Classes and drugs as treatments, each with its abbreviations."""
    lines = {name: class_line(classes, name) for name in classes}
    for name, one in classes.items():
        line = lines[name]
        decision = next((d for c in line if (d := classes[c].decision)), None)
        members = tuple(drug[0] for other in classes.values() if name in lines[other.name] for drug in other.drugs)
        named = one.drugs
        if one.loose:
            # Nothing but a list: what else it names stands for itself.
            named = (*named, *((term,) for term in (*one.synonyms, *one.short)))
        else:
            yield (
                Treatment(
                    term=name,
                    synonyms=(*one.synonyms, *one.short),
                    classes=line,
                    members=members,
                    mesh=one.mesh,
                    decision=decision,
                ),
                one.short,
            )
        for drug in named:
            short = tuple(term for term in drug if term in one.short)
            yield Treatment(term=drug[0], synonyms=drug[1:], classes=line, decision=decision), short


def procedures() -> Iterator[tuple[Treatment, tuple[str, ...]]]:
    """Procedures, tests, devices and therapies without drugs."""
    for name, fields in entries("procedures.yaml", shipped("procedures")):
        decision = fields.text("decision") or None
        for names in fields.terms("terms"):
            term, *synonyms = (n.strip() for n in names.split(" = "))
            yield Treatment(term=term, synonyms=tuple(synonyms), classes=(name,), decision=decision, drug=False), ()
        for short in fields.terms("short", None):
            yield Treatment(term=short, classes=(name,), decision=decision, drug=False), (short,)
        fields.terms("stems")
        fields.done()


def _stem_pattern(stems: Iterable[str]) -> re.Pattern[str]:
    """Of "-gliptin" (an end) and "cef-" (a beginning)."""
    ways = (rf"[a-z]+{stem[1:]}" if stem.startswith("-") else rf"{stem[:-1]}[a-z]+" for stem in stems)
    return re.compile("|".join(ways))


def stems(classes: Mapping[str, DrugClass]) -> tuple[Stem, ...]:
    """By which words that no list knows are told: drugs first, then procedures and tests."""
    found = []
    for name, one in classes.items():
        if one.stems:
            line = class_line(classes, name)
            decision = next((spoken for c in line if (spoken := classes[c].decision)), None)
            found.append(Stem(_stem_pattern(one.stems), line, decision, drug=True))
    for name, fields in entries("procedures.yaml", shipped("procedures")):
        ends = fields.terms("stems")
        if ends:
            found.append(Stem(_stem_pattern(ends), (name,), fields.text("decision") or None, drug=False))
    return tuple(found)
