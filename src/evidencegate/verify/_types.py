"""The values of a check: claims, decisions, issues, and what was checked against what.

States that the rules forbid cannot be built here: a decided verdict without a quote, a verdict that rests on a
retracted record, an issue outside its text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from evidencegate.documents import Document, Quote, Span

if TYPE_CHECKING:
    from evidencegate.models.stance import Stance
    from evidencegate.verify._citations import CitationCheck
    from evidencegate.verify._numbers import Finding


class Verdict(StrEnum):
    """The gate's decision on a claim."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNCERTAIN = "uncertain"


class Severity(StrEnum):
    """How much would hang on a claim if it were wrong. Read from the claim alone, never from its verdict."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def rank(self) -> int:
        """0 for low, 1 for medium, 2 for high."""
        return list(Severity).index(self)


class SentenceLabel(StrEnum):
    """What its claims make of a sentence."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNCERTAIN = "uncertain"
    NO_CLAIM = "no_claim"


class GateReason(StrEnum):
    """Why the gate left a proposed label or changed it."""

    ACCEPTED = "accepted"
    PROPOSED_UNCERTAIN = "proposed_uncertain"
    CORRECT_WITHOUT_EVIDENCE = "correct_without_evidence"
    """`correct` kept without a quote, because the caller allowed it."""
    NO_EVIDENCE = "no_evidence"
    """Index -1: nothing was selected."""
    INDEX_OUT_OF_RANGE = "index_out_of_range"
    EMPTY_QUOTE = "empty_quote"
    QUOTE_NOT_IN_PASSAGE = "quote_not_in_passage"
    RETRACTED = "retracted"
    NUMBERS_DIFFER = "numbers_differ"
    NUMBERS_NOT_FOUND = "numbers_not_found"
    """Figures of the claim that its evidence does not have: not wrong, but not proved."""
    QUOTE_SAYS_THE_SAME = "quote_says_the_same"
    """The quote meant to refute the claim is the claim."""
    BELOW_THRESHOLD = "below_threshold"
    UNKNOWN_LABEL = "unknown_label"
    UNREADABLE_REPLY = "unreadable_reply"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One atomic factual statement of a text, and where it stands there.

    `text` is the literal slice `[start, end)` of the checked text. `statement` is what is verified: the slice,
    its citation marks blank, after the subject of its sentence where coordination left that out.
    """

    id: str
    text: str
    statement: str
    span: Span
    sentence: int
    """Index of its sentence."""
    severity: Severity
    rephrased: bool = False
    """Whether `statement` was worded by a model and does not end with the slice."""

    def __post_init__(self) -> None:
        if not self.statement.strip() or not self.text.strip():
            raise ValueError("a claim says something")
        if len(self.text) != len(self.span):
            raise ValueError("a claim's text is the slice of its span")


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of a claim its quote covers. A failure clamps confidence and changes no label."""

    ok: bool
    share: float
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The way to a decision, as it was taken."""

    label_raw: str
    label_final: Verdict
    gate_reason: GateReason
    selection_reason: str
    index_raw: int
    quote_raw: str
    confidence_raw: float
    coverage: Coverage
    raw_output: str = ""
    """What the model wrote, word for word; empty for the local engine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A verdict with what it rests on. Made by the gate.

    Raises `ValueError` for every state that rule 2 or 9 forbids.
    """

    verdict: Verdict
    confidence: float
    trace: Trace
    quote: Quote | None = None
    index: int = -1
    """Position of the quote's passage among those offered; -1 exactly when there is no quote."""
    numbers: "tuple[Finding, ...]" = ()
    require_evidence_for_correct: bool = True

    def __post_init__(self) -> None:
        if (self.quote is None) != (self.index == -1) or self.index < -1:
            raise ValueError("index -1 means no quote, and no quote means index -1")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"a confidence is within 0 and 1: {self.confidence}")
        if self.trace.label_final is not self.verdict:
            raise ValueError("the trace ends in another verdict")
        if self.verdict is Verdict.UNCERTAIN:
            return
        if self.quote is None:
            if self.verdict is Verdict.INCORRECT or self.require_evidence_for_correct:
                raise ValueError(f"no {self.verdict} without a quote (rule 2)")
        elif self.quote.document.retracted:
            raise ValueError("a retracted record decides nothing (rule 9)")

    @property
    def evidence_found(self) -> bool:
        """Whether there is a quote."""
        return self.quote is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim with the gate's decision on it."""

    claim: Claim
    decision: Decision
    support: float | None = None
    """Probability that the evidence supports the claim; None where another verifier proposed the verdict."""
    stance: "Stance | None" = None
    """What the deciding passage says about the claim; None where another verifier proposed the verdict."""

    @property
    def verdict(self) -> Verdict:
        """Short for `decision.verdict`."""
        return self.decision.verdict

    @property
    def document(self) -> Document | None:
        """The record the quote is from."""
        return self.decision.quote.document if self.decision.quote else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSentence:
    """A sentence of the checked text."""

    span: Span
    label: SentenceLabel


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueSpan:
    """The one place of a sentence that a reader should look at."""

    span: Span
    verdict: Verdict
    severity: Severity
    message: str
    claim: str
    """Id of the claim it stands for."""
    sentence: int

    def __post_init__(self) -> None:
        if self.verdict is Verdict.CORRECT:
            raise ValueError("what is correct is no issue")
        if not len(self.span):
            raise ValueError("an issue is somewhere")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A text, checked."""

    text: str
    claims: tuple[CheckedClaim, ...] = ()
    sentences: tuple[CheckedSentence, ...] = ()
    issue_spans: tuple[IssueSpan, ...] = ()
    documents: tuple[Document, ...] = ()
    """What it was checked against."""
    citations: "tuple[CitationCheck, ...]" = ()
    """The text's own citations, where those were checked."""
    references: str = ""
    """The corrected reference list in Markdown, where the text has one."""
    warnings: tuple[str, ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)
    """Counts of the work done: pairs read, passages, seconds."""

    def __post_init__(self) -> None:
        whole = Span(0, len(self.text))
        spans = [*(c.claim.span for c in self.claims), *(s.span for s in self.sentences)]
        if any(span not in whole for span in [*spans, *(issue.span for issue in self.issue_spans)]):
            raise ValueError("a claim, sentence or issue leaves the checked text")
        where = [issue.sentence for issue in self.issue_spans]
        if len(where) != len(set(where)):
            raise ValueError("one issue stands for a sentence")

    @property
    def score(self) -> float | None:
        """Mean over the sentences that claim something: correct 1, uncertain 0.5, incorrect 0; None without claims."""
        worth = {SentenceLabel.CORRECT: 1.0, SentenceLabel.UNCERTAIN: 0.5, SentenceLabel.INCORRECT: 0.0}
        scores = [worth[s.label] for s in self.sentences if s.label in worth]
        return sum(scores) / len(scores) if scores else None

    @property
    def support(self) -> float | None:
        """Mean probability of support over the claims; None without claims or where none is known."""
        known = [claim.support for claim in self.claims if claim.support is not None]
        return sum(known) / len(known) if known else None

    @property
    def coverage(self) -> float | None:
        """Share of the claims that were decided, i.e. not uncertain; None without claims."""
        decided = sum(claim.verdict is not Verdict.UNCERTAIN for claim in self.claims)
        return decided / len(self.claims) if self.claims else None
