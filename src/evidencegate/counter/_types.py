"""The values of this room. What the rules forbid cannot be built here: an accepted passage that supports the claim."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from evidencegate.documents import Document, Identifiers, Quote
from evidencegate.evidence import Level
from evidencegate.models.stance import Label, Validation
from evidencegate.sources import SearchRecord

NO_STATEMENT = "(No counterfactual statement generated - claim may be too complex or lack specificity)"


class Opposite(StrEnum):
    """How a statement opposes its claim."""

    NEGATION = "negation"
    AFFIRMATION = "affirmation"
    """The claim denies something; this asserts it."""
    REVERSAL = "reversal"
    NO_DIFFERENCE = "no_difference"
    COMPARATOR = "comparator"
    GIVEN = "given"
    """Stated by the user or by a language model."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A declarative sentence that contradicts the claim it was made of."""

    text: str
    opposite: Opposite

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("a statement says something")


class Priority(StrEnum):
    """How much would hang on a claim if it were wrong."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterfactual:
    """A claim and what would speak against it. Without a statement nothing is searched, and the reader is told."""

    id: str
    """The claim's id within its text: `c1`, `c2`, … Everything is matched by it, never by words."""
    claim: str
    priority: Priority
    statements: tuple[Statement, ...] = ()
    """The plainest first; several where several opposites exist."""
    question: str = ""
    reasoning: str = ""
    keywords: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.claim.strip():
            raise ValueError("a claim says something")

    @property
    def statement(self) -> Statement | None:
        """The statement that is searched and shown first."""
        return self.statements[0] if self.statements else None

    @property
    def shown(self) -> str:
        """The statement as a reader sees it."""
        return self.statement.text if self.statement else NO_STATEMENT


class Strategy(StrEnum):
    """Which words a search was made of."""

    STATEMENT = "statement"
    NULL_FINDING = "null_finding"
    """The claim's terms with those of a null finding."""
    OPPOSITE = "opposite"
    """A second statement: the reverse, or the comparator ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How a record was found."""

    source: str
    strategy: Strategy
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """One search of one claim: the log's line, and what it was made of."""

    record: SearchRecord
    strategy: Strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A record that was found, with what speaks for reading it."""

    document: Document
    level: Level
    score: float
    """0-100."""
    reasons: tuple[str, ...]
    ways: tuple[Way, ...] = ()

    def __post_init__(self) -> None:
        if not 0.0 <= self.score <= 100.0:
            raise ValueError(f"a document's score is 0-100: {self.score}")

    @property
    def reasoning(self) -> str:
        """The reasons as one line."""
        return "; ".join(self.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A passage that was proved to support a counterfactual statement (rule 5).

    It cannot be built without a validation that accepts it, from a passage that supports the claim, nor from a
    retracted record (rule 9).
    """

    record: Scored
    quote: Quote
    statement: Statement
    validation: Validation
    relevance: float
    """Nearness of the passage to the statement, 0-1."""
    summary: str
    """Our interpretation, never shown as the passage."""
    also_supports_claim: bool = False
    """Another passage of the same record supports the claim: the record is in conflict with itself."""

    def __post_init__(self) -> None:
        if not self.validation.accepted:
            raise ValueError("only a validated passage is accepted")
        if self.validation.to_claim is None or self.validation.to_claim.label is Label.SUPPORTS:
            raise ValueError("a passage that supports the claim does not contradict it")
        if self.validation.to_statement.label is not Label.SUPPORTS:
            raise ValueError("an accepted passage supports the counterfactual statement")
        if self.quote.document.id != self.record.document.id:
            raise ValueError("a passage is quoted from its own record")
        if self.record.document.retracted:
            raise ValueError("retracted work supports nothing")

    @property
    def confidence(self) -> float:
        """That of the validation, 0-1."""
        return self.validation.confidence

    @property
    def identifiers(self) -> Identifiers:
        """Those of the record."""
        return self.record.document.identifiers


class Ground(StrEnum):
    """Why a passage was not accepted; stable names for programs."""

    OTHER_TREATMENT = "other_treatment"
    OTHER_OUTCOME = "other_outcome"
    OTHER_COMPARISON = "other_comparison"
    OTHER_CONDITION = "other_condition"
    OTHER_SPECIES = "other_species"
    """Animals or cells, where the claim is about people."""
    AIM = "aim"
    METHOD = "method"
    BACKGROUND = "background"
    OPEN_QUESTION = "open_question"
    NOT_SIGNIFICANT = "not_significant"
    """The statement tells of an effect, the sentence calls it not significant."""
    STANCE = "stance"
    """The readers do not find that it supports the statement, or find that it supports the claim."""
    ELSEWHERE_IN_PASSAGE = "elsewhere_in_passage"
    """What supports the statement is not said by a sentence that can decide."""
    FAR = "far"
    RETRACTED = "retracted"
    DISMISSED = "dismissed"
    """By a user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A passage that was read and not accepted, and why."""

    record: Scored
    quote: Quote
    reason: str
    ground: Ground
    supports_claim: bool = False
    confidence: float = 0.0

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise ValueError("a rejection has its reason")


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrule:
    """What a user decided against the validator, and why; it is recorded and shown, and proves nothing."""

    claim: str
    """The claim's id."""
    document: str
    """The record's id."""
    accept: bool
    note: str
    by: str = ""

    def __post_init__(self) -> None:
        if not self.note.strip():
            raise ValueError("who overrules the validator says why")


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A rejected passage that a user holds to be contradictory all the same. Shown apart, never counted."""

    rejected: Rejected
    overrule: Overrule

    def __post_init__(self) -> None:
        if not self.overrule.accept:
            raise ValueError("a restored passage was accepted by its user")
        if self.rejected.record.document.retracted:
            raise ValueError("retracted work supports nothing")


class StrengthLevel(StrEnum):
    """How strong the case against a claim is."""

    NONE_FOUND = "none_found"
    NOT_SEARCHED = "not_searched"
    WEAK = "weak"
    MODERATE = "moderate"
    STRONG = "strong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """The case against a claim by independent studies and their design, and what it does to the claim."""

    level: StrengthLevel
    studies: int = 0
    """Independent ones: reports of one trial count once."""
    designs: Mapping[Level, int] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    weight: float = 0.0
    supporting: int = 0
    """Independent studies among the passages read that support the claim itself."""
    confidence: str = ""
    """What becomes of the confidence in the claim, in words."""
    reasoning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """One claim with everything that was found against it."""

    counterfactual: Counterfactual
    accepted: tuple[Accepted, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    restored: tuple[Restored, ...] = ()
    dismissed: tuple[Overrule, ...] = ()
    """Decisions of a user against passages that had been accepted."""
    strength: Strength
    searches: tuple[Search, ...] = ()
    documents: int = 0
    """Distinct records found."""

    @property
    def id(self) -> str:
        """The claim's id."""
        return self.counterfactual.id


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterReport:
    """The case against the main claims of a text."""

    claims: tuple[Examined, ...]
    warnings: tuple[str, ...] = ()
    not_asked: tuple[SearchRecord, ...] = ()
    run: str = ""

    def __post_init__(self) -> None:
        ids = [examined.id for examined in self.claims]
        if len(ids) != len(set(ids)):
            raise ValueError(f"claims have ids of their own: {ids}")
