"""Tags of records: the same vocabulary read over titles and abstracts, fast enough for thousands of them."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from evidencegate.documents import Document
from evidencegate.question._normal import BREAKS, phrase, words
from evidencegate.question._types import Question, Tag
from evidencegate.question._vocabulary import DECISION, DISEASE, Vocabulary, load_vocabulary
from evidencegate.question._words import DECOY

# Titles, headings and the first part of an abstract say what a record is about; a full text mentions everything.
_READ = 4_000
_NEGATED_WITHIN = 4
_ENDS = BREAKS | frozenset("in for among between from after during but with on is are was were".split())


class TextTags(NamedTuple):
    """The tags of a text."""

    disease: frozenset[str]
    decision: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordTags:
    """What a record is about, as far as a question asks."""

    disease: frozenset[str]
    """With the parents of each: a record on HFpEF is one on heart failure."""
    decision: frozenset[str]
    interventions: frozenset[str]
    """Those of the question's intervention terms that the record is about."""

    def on_topic(self, question: Question) -> bool:
        """Rule 11: the record shares a disease tag, or, where the question has none, an intervention term.

        A parent that the question has only because a narrower tag implies it ("cancer" for breast cancer) is not
        enough to share.
        """
        if question.disease_tags:
            return bool(self.disease & topic_tags(question))
        return bool(self.interventions) or not question.intervention_terms


def topic_tags(question: Question, *, vocabulary: Vocabulary | None = None) -> frozenset[str]:
    """The disease tags of `question` that make a record on topic: all but those that a narrower one implies."""
    vocabulary = vocabulary or load_vocabulary()
    implied = {
        parent
        for name in question.disease_tags.all
        if name in vocabulary.tags
        for parent in vocabulary.tags[name].implies
    }
    mains = {name for name in question.disease_tags.all if name not in implied}
    return frozenset(mains or question.disease_tags.all)


def _count(text: str, vocabulary: Vocabulary) -> tuple[Counter[str], Counter[str], list[str]]:
    raw, folded = words(text)
    diseases: Counter[str] = Counter()
    decisions: Counter[str] = Counter()
    trigger = denied_to = beside = -1
    for match in vocabulary.records.find(raw, folded):
        if match.name == DECOY:
            continue
        if match.kind == DECISION:
            decisions[match.name] += 1
        elif match.kind != DISEASE:
            if match.name == "non":
                beside = match.end
            else:
                trigger, denied_to = match.end, match.end + _NEGATED_WITHIN
        elif match.start == beside and match.end == match.start + 1:
            # "non-diabetic", but not "non-severe pneumonia".
            continue
        elif trigger <= match.start <= denied_to and not _ENDS.intersection(folded[trigger : match.start]):
            # A list that is denied goes on: "without diabetes, hypertension or stroke".
            trigger, denied_to = match.end, match.end + 2
        else:
            diseases[match.name] += 1
    return diseases, decisions, folded


def _own(folded: list[str], tags: Iterable[Tag]) -> Counter[str]:
    """How often each of a question's own conditions is named."""
    found: Counter[str] = Counter()
    joined = f" {' '.join(folded)} "
    for tag in tags:
        for synonym in _phrases(tag):
            found[tag.name] += joined.count(synonym)
    return +found


@lru_cache(maxsize=512)
def _phrases(tag: Tag) -> tuple[str, ...]:
    return tuple(f" {' '.join(phrase(s))} " for s in (tag.label, *tag.synonyms) if phrase(s))


def _with_parents(names: Iterable[str], vocabulary: Vocabulary) -> frozenset[str]:
    found = set(names)
    for name in tuple(found):
        found |= vocabulary.ancestors.get(name, frozenset())
    return frozenset(found)


def _mesh_tags(mesh: Collection[str], vocabulary: Vocabulary) -> Counter[str]:
    """Tags whose main heading is among `mesh`, and those named in a heading."""
    found: Counter[str] = Counter()
    for heading in mesh:
        term = heading.split("/")[0].lstrip("*")
        found.update(vocabulary.by_mesh.get(term, ()))
        diseases, _, _ = _count(" ".join(reversed(term.split(", "))), vocabulary)
        found.update(diseases)
    return found


def tags_in(
    text: str, *, mesh: Collection[str] = (), extra: Collection[Tag] = (), vocabulary: Vocabulary | None = None
) -> TextTags:
    """Every tag that `text` names and does not deny, with the parents of the disease tags.

    Args:
        text: a title, an abstract, a passage.
        mesh: its MeSH headings, as PubMed gives them (`Heading/qualifier`, `*` for a major topic).
        extra: tags that the vocabulary does not hold: a question's `own_tags`.
        vocabulary: other than the one shipped.
    """
    vocabulary = vocabulary or load_vocabulary()
    diseases, decisions, folded = _count(text, vocabulary)
    if mesh:
        diseases += _mesh_tags(mesh, vocabulary)
    if extra:
        diseases += _own(folded, extra)
    return TextTags(_with_parents(diseases, vocabulary), frozenset(decisions))


def tag_document(document: Document, question: Question, *, vocabulary: Vocabulary | None = None) -> RecordTags:
    """What `document` is about, as far as `question` asks.

    A record is about what its title, headings or keywords name, and about what its text names at least twice (once
    is enough where the title names no condition at all). The first 4,000 characters of the text are read.
    """
    vocabulary = vocabulary or load_vocabulary()
    head = ". ".join((document.title, *document.keywords))
    body = document.text[:_READ]
    headed, headed_decisions, head_words = _count(head, vocabulary)
    said, said_decisions, body_words = _count(body, vocabulary)
    if document.mesh:
        headed += _mesh_tags(document.mesh, vocabulary)
    if question.own_tags:
        headed += _own(head_words, question.own_tags)
        said += _own(body_words, question.own_tags)
    least = 2 if headed else 1
    diseases = set(headed) | {name for name, times in said.items() if times >= least}
    decisions = set(headed_decisions) | {name for name, times in said_decisions.items() if times >= 2}
    joined = f" {' '.join(head_words)} {' '.join(body_words)} "
    interventions = {
        term
        for term in question.intervention_terms
        if any(name in joined for name in _sought(_names(term, vocabulary)))
    }
    return RecordTags(
        disease=_with_parents(diseases, vocabulary),
        decision=frozenset(decisions),
        interventions=frozenset(interventions),
    )


def _names(term: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The names of a treatment, and of the members of a class."""
    known = vocabulary.treatments.get(term)
    if known is None:
        return (term,)
    members = (name for m in known.members for name in (m, *vocabulary.treatments[m].synonyms))
    return (term, *known.synonyms, *members)


@lru_cache(maxsize=256)
def _sought(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names as they are looked for in folded text."""
    return tuple(f" {' '.join(phrase(name))} " for name in names)
