"""The vocabulary: tags, decisions and treatments of the data files, compiled into matchers."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from evidencegate.errors import UnknownName
from evidencegate.question import _tags, _treatments, _words
from evidencegate.question._matcher import Entry, Matcher
from evidencegate.question._measures import Measure, measures
from evidencegate.question._normal import BREAKS, fold, phrase, tokenize
from evidencegate.question._tags import Decision
from evidencegate.question._treatments import Bearing, DrugClass, Stem
from evidencegate.question._types import Tag, Treatment

# Tokens of three letters keep their s, so the plural of an abbreviation of two is listed beside it.
_TOO_SHORT_TO_FOLD = 2
_LONGEST_ORGAN = 2
_NOTHING_SAID = Bearing()
DISEASE, DECISION, WEAK, TREATMENT = "disease", "decision", "weak decision", "treatment"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Everything a question and a record are read with. Made by `load_vocabulary`."""

    tags: Mapping[str, Tag]
    own: frozenset[str]
    """The tags that a directory of the user's own has, instead of those shipped or beside them."""
    decisions: Mapping[str, Decision]
    treatments: Mapping[str, Treatment]
    classes: Mapping[str, DrugClass]
    bearings: Mapping[str, Bearing]
    """By treatment or class, what `bearings.txt` says of it; `bearing` joins it with its classes."""
    interactions: Mapping[str, frozenset[str]]
    """By treatment or class, what `interactions.txt` sets beside it; `interact` asks for drugs and their classes."""
    stems: tuple[Stem, ...]
    """How treatments that no list knows are told by their names."""
    measures: tuple[Measure, ...]
    questions: Matcher
    """Everything, for questions."""
    said: Matcher
    """Further ways of saying the conditions, for questions."""
    records: Matcher
    """Disease and decision phrases only, for records."""
    ancestors: Mapping[str, frozenset[str]]
    """For every tag: all that a record with it shares as well."""
    by_mesh: Mapping[str, tuple[str, ...]]
    """The tags whose main MeSH heading a heading is."""

    def tag(self, name: str) -> Tag:
        """The disease tag of this name.

        Raises:
            UnknownName: there is none.
        """
        try:
            return self.tags[name]
        except KeyError:
            raise UnknownName(f"There is no disease tag {name!r}") from None

    def bearing(self, term: str) -> Bearing:
        """The disease tags that bear on a treatment: those of its own, then those of its classes.

        Raises:
            KeyError: the vocabulary has no such treatment.
        """
        given: dict[str, None] = {}
        minds: dict[str, None] = {}
        for name in dict.fromkeys((term, *self.treatments[term].classes)):
            said = self.bearings.get(name, _NOTHING_SAID)
            given |= dict.fromkeys((*said.given, *(self.classes[name].treats if name in self.classes else ())))
            minds |= dict.fromkeys(said.minds)
        return Bearing(tuple(given), tuple(minds))

    def interact(self, term: str, other: str) -> bool:
        """Whether two treatments, or classes of theirs, are known to change each other or to add up to a harm.

        Raises:
            KeyError: the vocabulary has no such treatment.
        """
        others = {other, *self.treatments[other].classes}
        line = {term, *self.treatments[term].classes}
        return term != other and any(others & self.interactions.get(name, frozenset()) for name in line)

    def treatment(self, term: str) -> Treatment:
        """The treatment of this name, with its classes, members and MeSH.

        Raises:
            UnknownName: there is none.
        """
        try:
            return self.treatments[term]
        except KeyError:
            raise UnknownName(f"There is no treatment {term!r}") from None


def _ancestors(tags: Mapping[str, Tag]) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}

    def of(name: str, path: tuple[str, ...] = ()) -> frozenset[str]:
        if name not in found:
            if name in path:
                return frozenset()
            tag = tags[name]
            up = {p for p in (*tag.parents, *tag.implies) if p in tags}
            found[name] = frozenset(up.union(*(of(p, (*path, name)) for p in up)))
        return found[name]

    for name in tags:
        of(name)
    return MappingProxyType(found)


def _by_mesh(tags: Iterable[Tag]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for tag in tags:
        if tag.mesh:
            found[tag.mesh[0]] = (*found.get(tag.mesh[0], ()), tag.name)
    return MappingProxyType(found)


def _turned(name: str) -> Iterable[str]:
    """The ways in which `name` is said the other way round: "breast cancer" is "cancer of the left breast" too."""
    *organ, head = name.split()
    if not organ or len(organ) > _LONGEST_ORGAN or fold(head) not in _words.turned_heads():
        return
    for article in ("", "the ", *(f"{the}{side} " for the in ("", "the ") for side in sorted(_words.sides()))):
        yield f"{head} of {article}{' '.join(organ)}"


def _tag_entries(
    tags: Iterable[Tag], needs: Mapping[str, Mapping[str, tuple[str, ...]]]
) -> Iterable[tuple[str, Entry]]:
    for tag in tags:
        for synonym in (tag.label, *tag.synonyms):
            yield synonym, Entry(DISEASE, tag.name)
            for turned in _turned(synonym):
                yield turned, Entry(DISEASE, tag.name)
        for short in tag.short:
            context = needs.get(tag.name, {}).get(short)
            folded = frozenset(fold(word) for word in context) if context else None
            yield short, Entry(DISEASE, tag.name, short.replace("/", "-"), folded)
            if len(short) == _TOO_SHORT_TO_FOLD:
                yield f"{short}s", Entry(DISEASE, tag.name, f"{short}s", folded)


def _decision_entries(decisions: Iterable[Decision], *, records: bool) -> Iterable[tuple[str, Entry]]:
    for decision in decisions:
        for cue in (*decision.cues, *(decision.records if records else ())):
            yield cue, Entry(DECISION, decision.name)
        for cue in decision.weak:
            yield cue, Entry(DECISION if records else WEAK, decision.name)


def _treatment_entries(treatments: Iterable[tuple[Treatment, tuple[str, ...]]]) -> Iterable[tuple[str, Entry]]:
    known: set[tuple[str, ...]] = set()
    for treatment, short in treatments:
        for name in (treatment.term, *treatment.synonyms):
            # What is listed twice, or in two spellings, is the treatment that is listed first.
            if name not in short and phrase(name) not in known:
                known.add(phrase(name))
                yield name, Entry(TREATMENT, treatment.term)
        for abbreviation in short:
            if phrase(abbreviation) in known:
                continue
            yield abbreviation, Entry(TREATMENT, treatment.term, abbreviation.replace("/", "-"))


def _build(directories: tuple[Path, ...]) -> Vocabulary:
    diseases = _tags.diseases(directories)
    tags = {found.tag.name: found.tag for found in diseases}
    needs = {found.tag.name: found.needs for found in diseases}
    decisions = {decision.name: decision for decision in _tags.decisions()}
    classes = {one.name: one for one in _treatments.drug_classes()}
    treatments = [*_treatments.drugs(classes), *_treatments.procedures()]
    by_term: dict[str, Treatment] = {}
    for treatment, _ in treatments:
        # Where two files name the same thing, the first knows more of it.
        by_term.setdefault(treatment.term, treatment)
    disease_entries = list(_tag_entries(tags.values(), needs))
    treatment_entries = list(_treatment_entries(treatments))
    speaking = {"anticoagulation", "antiplatelet"}
    return Vocabulary(
        tags=MappingProxyType(tags),
        own=frozenset(found.tag.name for found in diseases if not found.shipped),
        decisions=MappingProxyType(decisions),
        treatments=MappingProxyType(by_term),
        classes=MappingProxyType(classes),
        bearings=MappingProxyType(_treatments.bearings()),
        interactions=MappingProxyType(_treatments.interactions()),
        stems=_treatments.stems(classes),
        measures=measures(),
        questions=Matcher(
            [
                *disease_entries,
                *treatment_entries,
                *_decision_entries(decisions.values(), records=False),
                *_words.cues(),
            ]
        ),
        said=Matcher(_words.said(), _words.alike()),
        records=Matcher(
            [
                *disease_entries,
                *_decision_entries(decisions.values(), records=True),
                *(
                    (text, Entry(DECISION, by_term[entry.name].decision or "", entry.case))
                    for text, entry in treatment_entries
                    if by_term[entry.name].decision in speaking
                ),
                *((cue, Entry("negation", cue)) for cue in _words.negation_before()),
                *_words.decoys(),
            ]
        ),
        ancestors=_ancestors(tags),
        by_mesh=_by_mesh(tags.values()),
    )


@lru_cache(maxsize=4)
def _cached(directories: tuple[Path, ...]) -> Vocabulary:
    return _build(directories)


def load_vocabulary(*directories: str | Path) -> Vocabulary:
    """The vocabulary as shipped, with the tag files of your own directories after it; compiled once a process.

    A file of yours holds tags in the form of `data/diseases.yaml`; a tag of a name that is already there takes
    its place. Without arguments, the directories in `EVIDENCEGATE_TAGS` (parted as in `PATH`) are read.

    Raises:
        evidencegate.errors.InvalidInput: a directory is missing or a file has a mistake; names file, tag and field.
    """
    if not directories:
        directories = tuple(part for part in os.environ.get("EVIDENCEGATE_TAGS", "").split(os.pathsep) if part)
    return _cached(tuple(Path(directory).resolve() for directory in directories))


def tag(name: str, *, vocabulary: Vocabulary | None = None) -> Tag:
    """The disease tag `name`: its label, synonyms, MeSH and parents.

    Raises:
        evidencegate.errors.UnknownName: there is no such tag; a question's own conditions are in its `own_tags`.
    """
    return (vocabulary or load_vocabulary()).tag(name)


def treatment(term: str, *, vocabulary: Vocabulary | None = None) -> Treatment:
    """The treatment `term`, as it stands in a question's `intervention_terms`.

    Raises:
        evidencegate.errors.UnknownName: the vocabulary does not know it.
    """
    return (vocabulary or load_vocabulary()).treatment(term)


def tag_name(text: str) -> str:
    """The name a condition gets as a tag: `Fabry disease` is `FABRY_DISEASE`, and of several kinds the kind is."""
    *first, last = phrase(text) or ("",)
    # Only the last word has a number: the s of "VEXAS syndrome" or "Williams syndrome" is none.
    written = [re.sub(r"['’]s?$", "", t.text.lower()) for t in tokenize(text) if t.text not in BREAKS and t.text != ","]
    kept = [w if w == f"{f}s" else f for w, f in zip(written, first, strict=False)]
    return re.sub(r"[^A-Z0-9]+", "_", " ".join([*kept, last]).upper()).strip("_")
