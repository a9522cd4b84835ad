"""From decisions on claims to labels of sentences and the one place in each that a reader should look at."""

from collections.abc import Sequence

from evidencegate.documents import Span
from evidencegate.verify._types import (
    CheckedClaim,
    CheckedSentence,
    GateReason,
    IssueSpan,
    SentenceLabel,
    Verdict,
)

_WHY = {
    GateReason.PROPOSED_UNCERTAIN: "the source neither supports nor refutes this",
    GateReason.NO_EVIDENCE: "no passage of the source bears on this",
    GateReason.INDEX_OUT_OF_RANGE: "the passage named as evidence does not exist",
    GateReason.EMPTY_QUOTE: "no quote was given as evidence",
    GateReason.QUOTE_NOT_IN_PASSAGE: "the quote given as evidence is not in the source",
    GateReason.RETRACTED: "the record is retracted and supports nothing",
    GateReason.NUMBERS_DIFFER: "the source has another number",
    GateReason.NUMBERS_NOT_FOUND: "the evidence does not have these figures",
    GateReason.QUOTE_SAYS_THE_SAME: "the evidence against this says the same",
    GateReason.BELOW_THRESHOLD: "the evidence is not clear enough to decide",
    GateReason.UNKNOWN_LABEL: "the verifier's reply was not a verdict",
    GateReason.UNREADABLE_REPLY: "the verifier's reply could not be read",
}


def label_sentences(spans: Sequence[Span], claims: Sequence[CheckedClaim]) -> tuple[CheckedSentence, ...]:
    """Incorrect if one claim is; correct if all are; without claims `no_claim`; else uncertain."""
    verdicts: dict[int, set[Verdict]] = {}
    for checked in claims:
        verdicts.setdefault(checked.claim.sentence, set()).add(checked.verdict)
    return tuple(CheckedSentence(span=span, label=_label(verdicts.get(i, set()))) for i, span in enumerate(spans))


def _label(verdicts: set[Verdict]) -> SentenceLabel:
    if not verdicts:
        return SentenceLabel.NO_CLAIM
    if Verdict.INCORRECT in verdicts:
        return SentenceLabel.INCORRECT
    return SentenceLabel.CORRECT if verdicts == {Verdict.CORRECT} else SentenceLabel.UNCERTAIN


def issues(claims: Sequence[CheckedClaim]) -> tuple[IssueSpan, ...]:
    """One issue for each sentence with a claim that is not correct, in the order of the text.

    Of several claims the incorrect one stands for the sentence, then the graver, then the more certain. Where a
    number is at fault, the issue is on the number itself.
    """
    worst: dict[int, CheckedClaim] = {}
    for checked in claims:
        if checked.verdict is Verdict.CORRECT:
            continue
        held = worst.get(checked.claim.sentence)
        if held is None or _gravity(checked) > _gravity(held):
            worst[checked.claim.sentence] = checked
    return tuple(_issue(checked) for _, checked in sorted(worst.items()))


def _gravity(checked: CheckedClaim) -> tuple[bool, int, float]:
    return checked.verdict is Verdict.INCORRECT, checked.claim.severity.rank, checked.decision.confidence


def _issue(checked: CheckedClaim) -> IssueSpan:
    claim, decision = checked.claim, checked.decision
    wrong = next((f for f in decision.numbers if f.agreement.contradicts), None)
    span = claim.span
    if wrong is not None:
        span = wrong.claimed.number
        message = wrong.message
    elif checked.verdict is Verdict.INCORRECT and decision.quote:
        message = f"The source says otherwise: “{_short(decision.quote.text)}”"
    else:
        reason = decision.trace.gate_reason
        if reason is GateReason.PROPOSED_UNCERTAIN and decision.quote is None:
            reason = GateReason.NO_EVIDENCE
        why = _WHY.get(reason, "not decided")
        message = why[0].upper() + why[1:] + "."
    return IssueSpan(
        span=span,
        verdict=checked.verdict,
        severity=claim.severity,
        message=message,
        claim=claim.id,
        sentence=claim.sentence,
    )


def _short(text: str, limit: int = 240) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
