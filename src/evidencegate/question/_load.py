"""The data files as values."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from evidencegate.errors import InvalidInput
from evidencegate.question._data import Fields, entries, from_directory, shipped
from evidencegate.question._matcher import Entry
from evidencegate.question._normal import fold, phrase
from evidencegate.question._types import Role, Tag, Treatment

CUES = (
    "negation_before",
    "negation_after",
    "negation_end",
    "history",
    "treated",
    "people",
    "family",
    "compared",
    "occasion",
    "effect",
    "past",
    "sought",
)
DECOY = ""


_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_ABBREVIATION = re.compile(r"[A-Z][A-Z0-9-]{1,7}s?")


@dataclass(frozen=True, slots=True)
class Disease:
    """A tag, and the words that some of its abbreviations need beside them."""

    tag: Tag
    needs: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision tag with its cues."""

    name: str
    label: str
    weight: float
    least: float
    """The log-odds that it must reach."""
    cues: tuple[str, ...]
    weak: tuple[str, ...]
    records: tuple[str, ...]
    mesh: tuple[str, ...]


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


def _distinct(label: str, synonyms: Iterable[str]) -> tuple[str, ...]:
    """Synonyms that are read as something else than the label and those before them."""
    first: dict[tuple[str, ...], str] = {}
    for synonym in synonyms:
        first.setdefault(phrase(synonym), synonym)
    first.pop(phrase(label), None)
    return tuple(first.values())


def _disease(name: str, fields: Fields, specialty: str) -> Disease:
    if not _NAME.fullmatch(name):
        raise InvalidInput(f"{fields.where}: a tag's name has letters, digits and underscores only")
    label = fields.text("label")
    if not label:
        raise fields.wrong("label", "given")
    needs = fields.lists("short_if", None)
    role = fields.text("role", Role.MAIN.value)
    if role not in set(Role):
        raise fields.wrong("role", "one of " + ", ".join(Role))
    found = Tag(
        name=name,
        label=label,
        mesh=fields.terms("mesh"),
        synonyms=_distinct(label, fields.terms("synonyms")),
        short=tuple(dict.fromkeys((*fields.terms("short", None), *needs))),
        parents=fields.terms("parents"),
        implies=fields.terms("implies"),
        specialty=fields.text("specialty", specialty),
        role=Role(role),
    )
    fields.done()
    return Disease(found, needs)


def _grouped(where: str, content: object) -> Iterator[Disease]:
    """Tags by specialty; a file may also hold tags without specialties."""
    if content is not None and not isinstance(content, Mapping):
        raise InvalidInput(f"{where} must hold tags by name")
    for key, value in (content or {}).items():
        if isinstance(value, Mapping) and "label" not in value:
            for name, fields in entries(f"{where}: {key}", value):
                yield _disease(name, fields, str(key))
        else:
            yield _disease(str(key), Fields(f"{where}: {key}", value), "general")


def _further() -> Iterator[Disease]:
    """The short list of further conditions: `label = MeSH; synonym; … > IMPLIED` by specialty.

    A synonym in capitals is an abbreviation, and counts in exactly its case.
    """
    for specialty, lines in shipped("conditions").items():
        for entry in lines:
            line, _, implied = (part.strip() for part in entry.partition(" > "))
            label, _, rest = (part.strip() for part in line.partition(" ="))
            mesh, *synonyms = (part.strip() for part in rest.split(";"))
            name = re.sub(r"[^A-Z0-9]+", "_", label.upper()).strip("_")
            yield Disease(
                Tag(
                    name=name,
                    label=label,
                    mesh=(mesh,) if mesh else (),
                    synonyms=_distinct(label, (s for s in synonyms if s and not _ABBREVIATION.fullmatch(s))),
                    short=tuple(s for s in synonyms if _ABBREVIATION.fullmatch(s)),
                    specialty=specialty,
                    implies=(implied,) if implied else (),
                ),
                {},
            )


def diseases(directories: Iterable[Path]) -> list[Disease]:
    """All disease tags: shipped, then those of the user's directories, which replace tags of their name.

    Raises:
        InvalidInput: a file has a mistake, or names a parent that is no tag.
    """
    found = {disease.tag.name: disease for disease in _further()}
    found |= {disease.tag.name: disease for disease in _grouped("diseases.yaml", shipped("diseases"))}
    for directory in directories:
        for where, content in from_directory(directory):
            found |= {disease.tag.name: disease for disease in _grouped(where, content)}
    for disease in found.values():
        for parent in (*disease.tag.parents, *disease.tag.implies):
            if parent not in found:
                raise InvalidInput(f"Tag {disease.tag.name} names {parent} as a parent, which is no tag")
    return list(found.values())


def decisions() -> list[Decision]:
    """The decision tags."""
    found = []
    for name, fields in entries("decisions.yaml", shipped("decisions")):
        found.append(
            Decision(
                name=name,
                label=fields.text("label"),
                weight=fields.number("weight", 1.0),
                least=fields.number("least", 0.0),
                cues=fields.terms("cues"),
                weak=fields.terms("weak"),
                records=fields.terms("records"),
                mesh=fields.terms("mesh"),
            )
        )
        fields.done()
    return found


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
    for line in _lines("bearings.txt"):
        term, given, minds = (part.strip() for part in line.split("|"))
        found[term] = Bearing(tuple(given.split()), tuple(minds.split()))
    return found


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


def _lines(name: str) -> Iterator[str]:
    """The lines of a data file that are no comments."""
    for line in files(__package__).joinpath("data", name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line


@lru_cache(maxsize=1)
def language() -> Mapping[str, Any]:
    """Word lists of `language.yaml`: sets of words, and tuples of phrases where the list has semicolons."""
    raw: dict[str, str] = shipped("language")
    return {
        name: tuple(part.strip() for part in value.split(";")) if ";" in value else frozenset(value.split())
        for name, value in raw.items()
    }


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    """Words that end a phrase read leftwards, folded."""
    return frozenset(fold(word) for word in language()["stop"])


@lru_cache(maxsize=1)
def turned_heads() -> frozenset[str]:
    """Heads of conditions that stand before the organ as well as after it, folded."""
    return frozenset(fold(word) for word in language()["turned"])


def sides() -> frozenset[str]:
    """Words that may stand before the organ then: left, right, ..."""
    found: frozenset[str] = language()["sides"]
    return found


def negation_before() -> tuple[str, ...]:
    """Phrases that deny what follows them."""
    found: tuple[str, ...] = language()["negation_before"]
    return found


def said() -> Iterator[tuple[str, Entry]]:
    """The ways of saying a condition in `said.txt`."""
    for line in _lines("said.txt"):
        name, _, phrases = line.partition(" | ")
        yield from ((text, Entry("disease", name)) for text in phrases.split("; "))


def alike() -> Mapping[str, str]:
    """Words of `said.txt` that are read as one, the first of each group."""
    groups = (group.split() for group in language()["alike"])
    return {fold(word): fold(group[0]) for group in groups for word in group[1:]}


def decoys() -> Iterator[tuple[str, Entry]]:
    """Phrases that hold the name of a condition or the cue of a decision, and are none."""
    for text in language()["decoys"]:
        yield text, Entry("disease", DECOY)
    for text in language()["undecided"]:
        yield text, Entry("decision", DECOY)


def cues() -> Iterator[tuple[str, Entry]]:
    """Phrases that say how other phrases are meant, and the outcomes."""
    words = language()
    for kind in CUES:
        for text in words[kind]:
            yield text, Entry(kind, text)
    yield from decoys()
    for kind, terms in shipped("outcomes").items():
        for text in terms.split(";"):
            yield text.strip(), Entry("outcome", kind)
