"""What the searches brought back, ranked: the values of this room."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from evidencegate.documents import Document, Passage
from evidencegate.evidence._anchors import Anchor
from evidencegate.evidence._design import Level
from evidencegate.question import Question
from evidencegate.sources import SearchRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """How a record was found."""

    source: str
    query: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceItem:
    """A record with what ranking knows of it."""

    document: Document
    level: Level
    disease_tags: frozenset[str]
    decision_tags: frozenset[str]
    score: float
    """Relevance, 0-100; below 10 is off-topic (rule 11)."""
    components: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    """What the score is the sum of."""
    passages: tuple[Passage, ...] = ()
    """The passages that answer best, best first."""
    provenance: tuple[Provenance, ...] = ()
    anchor: str | None = None
    """Id of the anchor this record is, if it is one."""

    def __post_init__(self) -> None:
        if not 0.0 <= self.score <= 100.0:
            raise ValueError(f"a score is 0-100: {self.score}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded:
    """A record that was read and left out, and why."""

    document: Document
    reason: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidencePackage:
    """What a search brought back, ranked, with the log of how it was found."""

    question: Question
    items: tuple[EvidenceItem, ...]
    excluded: tuple[Excluded, ...] = ()
    searches: tuple[SearchRecord, ...] = ()
    duplicates: int = 0
    """Records that were merged into others."""
    anchors: tuple[Anchor, ...] = ()
    """The current anchors of the question's scenario: what blocks the fallback (rule 10)."""


class SufficiencyLevel(StrEnum):
    """What a sufficiency score means in words."""

    EXCELLENT = "excellent"
    GOOD = "good"
    LIMITED = "limited"
    INSUFFICIENT = "insufficient"

    @classmethod
    def of(cls, score: float) -> "SufficiencyLevel":
        """80 and over excellent, 50-79 good, 30-49 limited, below 30 insufficient."""
        if score >= 80:
            return cls.EXCELLENT
        if score >= 50:
            return cls.GOOD
        return cls.LIMITED if score >= 30 else cls.INSUFFICIENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Sufficiency:
    """Is this enough to answer from? 0-100, with everything that made it."""

    score: float
    level: SufficiencyLevel
    reasons: tuple[str, ...]
    components: Mapping[str, float]
    version: str
