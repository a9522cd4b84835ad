"""Disease and decision tags as the data files have them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from evidencegate.errors import InvalidInput
from evidencegate.question._data import Fields, entries, from_directory, shipped
from evidencegate.question._normal import phrase
from evidencegate.question._types import Role, Tag

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_ABBREVIATION = re.compile(r"[A-Z][A-Z0-9-]{1,7}s?")


@dataclass(frozen=True, slots=True)
class Disease:
    """A tag, and the words that some of its abbreviations need beside them."""

    tag: Tag
    needs: Mapping[str, tuple[str, ...]]
    shipped: bool = True
    """False where a directory of the user's own has it."""


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
            found |= {disease.tag.name: replace(disease, shipped=False) for disease in _grouped(where, content)}
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
                least=fields.number("least", -0.3),
                cues=fields.terms("cues"),
                weak=fields.terms("weak"),
                records=fields.terms("records"),
                mesh=fields.terms("mesh"),
            )
        )
        fields.done()
    return found
