"""What was asked: the values of this room."""

from dataclasses import dataclass
from enum import StrEnum

TOGETHER = "interaction"
"""The decision about drugs that are given together."""
OF_TOGETHER = frozenset({TOGETHER, "safety"})
"""Decisions of a question that is about nothing else."""


class Category(StrEnum):
    """What part of a question a sub-query asks for."""

    CORE_DECISION = "core_decision"
    COMPLICATIONS = "complications"
    DURATION_MONITORING = "duration_monitoring"
    ALTERNATIVES = "alternatives"


class TargetEvidence(StrEnum):
    """The kind of record that would answer a sub-query best."""

    GUIDELINE = "guideline"
    SYSTEMATIC_REVIEW = "systematic_review"
    TRIAL = "trial"
    COHORT = "cohort"


class Role(StrEnum):
    """What a disease tag may be in a question."""

    MAIN = "main"
    MODIFIER = "modifier"
    """Says who is asked about; never primary where there is another (pregnancy, high bleeding risk)."""
    SETTING = "setting"
    """No tag of the question where there is another (intensive care)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A disease tag: of the vocabulary, or a condition that a question brought along."""

    name: str
    label: str
    """What a clinician calls it; used in searches."""
    synonyms: tuple[str, ...] = ()
    """Further phrases that mean it, in any case; the best to search with first."""
    short: tuple[str, ...] = ()
    """Abbreviations, in exactly this case."""
    mesh: tuple[str, ...] = ()
    """MeSH headings, the main one first; empty where none is known."""
    specialty: str = "general"
    parents: tuple[str, ...] = ()
    """Tags that a record with this tag shares as well."""
    implies: tuple[str, ...] = ()
    """The parents that a question with this tag is about as well."""
    role: Role = Role.MAIN

    def __post_init__(self) -> None:
        if not self.name or not self.label:
            raise ValueError("a tag has a name and a label")


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """A drug, drug class, procedure, test or other intervention that a question can name."""

    term: str
    synonyms: tuple[str, ...] = ()
    """Other names of the same thing."""
    classes: tuple[str, ...] = ()
    """The classes it belongs to, the narrowest first. A class belongs to itself."""
    members: tuple[str, ...] = ()
    """For a class: the drugs in it and in the classes within it."""
    mesh: tuple[str, ...] = ()
    """MeSH headings of a class; a drug's own are not kept."""
    decision: str | None = None
    """The decision tag its mention speaks for."""
    drug: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SubQuery:
    """One focused search made of a question."""

    query: str
    category: Category = Category.CORE_DECISION
    target_evidence: TargetEvidence = TargetEvidence.GUIDELINE

    def __post_init__(self) -> None:
        if not self.query.strip():
            raise ValueError("a sub-query is not empty")


@dataclass(frozen=True, slots=True, kw_only=True)
class PICO:
    """Population, intervention, comparison, outcome, and the main condition. Empty where nothing was said."""

    patient: str = ""
    intervention: str = ""
    comparison: str | None = None
    outcome: str = ""
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Tags:
    """Controlled tags of one kind, the primary first. Empty, or with exactly one primary."""

    all: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.all)) != len(self.all) or not all(self.all):
            raise ValueError(f"tags are distinct and not empty: {self.all!r}")

    @property
    def primary(self) -> str | None:
        """The tag the question is mainly about; None only where there is none at all."""
        return self.all[0] if self.all else None

    @property
    def secondary(self) -> tuple[str, ...]:
        """All but the primary."""
        return self.all[1:]

    def __bool__(self) -> bool:
        return bool(self.all)

    def __contains__(self, tag: object) -> bool:
        return tag in self.all


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """The clinical field of a question, and which MeSH terms a search may and may not use."""

    name: str
    allowed_mesh: tuple[str, ...] = ()
    excluded_mesh: tuple[str, ...] = ()
    confidence: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence is in [0, 1]: {self.confidence}")
        if set(self.allowed_mesh) & set(self.excluded_mesh):
            raise ValueError("a MeSH term cannot be both allowed and excluded")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """A word that looks like a misspelt name."""

    written: str
    meant: tuple[str, ...]
    """The names that it may be."""
    read: bool
    """Whether the question was read with the name in its place; it is the only one then."""

    def __post_init__(self) -> None:
        if not self.meant or (self.read and len(self.meant) != 1):
            raise ValueError("a misspelt word may be one name or several, and is read as one")

    def __str__(self) -> str:
        names = " or ".join(self.meant)
        if self.read:
            return f'"{self.written}" is read as {names}'
        return f'"{self.written}" is not known; did you mean {names}?'


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question understood: its PICO, tags, field and searches. Everything downstream is driven by it."""

    text: str
    pico: PICO
    disease_tags: Tags
    decision_tags: Tags
    classification: Classification
    sub_queries: tuple[SubQuery, ...]
    anchor_scenario: str | None = None
    intervention_terms: tuple[str, ...] = ()
    """Treatments and tests that it is about; the topic filter where it names no condition (rule 11)."""
    own_tags: tuple[Tag, ...] = ()
    """Conditions of the question that the vocabulary does not know; each is among `disease_tags` by its name."""
    decision_words: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """For each decision tag that was read from the text, the words that spoke for it most."""
    reader: str | None = None
    """Name of the trained reader that weighed in on conditions and decisions; None without the extra `models`."""
    spelling: tuple[Spelling, ...] = ()
    """Words that look like misspelt names, and how they were read."""

    def __post_init__(self) -> None:
        if not self.sub_queries:
            raise ValueError("a question has at least one sub-query")
        if not self.disease_tags and not self.decision_tags:
            raise ValueError("a question has a disease tag or a decision tag")
        if any(tag.name not in self.disease_tags for tag in self.own_tags):
            raise ValueError("a condition of the question's own is one of its disease tags")
