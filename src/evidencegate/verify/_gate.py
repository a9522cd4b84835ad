"""The gate: the one place where a proposed verdict becomes a decision, or does not.

Whoever proposes (the local engine, a language model, a script that lies) says a label, the index of a passage
and a quote from it. The gate believes none of it: the quote must be found in that passage, its numbers must not
contradict the claim, the record must not be retracted, the confidence must pass the threshold.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from evidencegate.documents import Document, Passage, Quote, Span, locate
from evidencegate.verify._counterpart import counted_elsewhere, given_elsewhere
from evidencegate.verify._numbers import Agreement, Finding, compare
from evidencegate.verify._quantities import without_numbers
from evidencegate.verify._types import Coverage, Decision, GateReason, Trace, Verdict
from evidencegate.verify._units import Quantity
from evidencegate.verify._wording import align, content
from evidencegate.verify._written import Glossary, glossary

# A quote that covers less of its claim than this may still decide it, but not with much confidence.
COVERAGE_FLOOR = 0.4
COVERAGE_CEILING = 0.5
# Numbers that differ are read, not guessed; the label they force is this certain at least.
NUMBERS_CONFIDENCE = 0.9
_MAX_RAW = 20_000
# What models call the three labels.
_NAMES = {
    Verdict.CORRECT: "correct supported supports support entailed true yes",
    Verdict.INCORRECT: "incorrect refuted refutes contradicted contradicts false no",
    Verdict.UNCERTAIN: "uncertain neutral not_enough_information nei unknown unsupported unverifiable",
}
_LABELS = {name: verdict for verdict, names in _NAMES.items() for name in names.split()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Confidence from which a proposed label decides. Below it the verdict is `uncertain`."""

    correct: float = 0.5
    incorrect: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What somebody says about a claim. Nothing here is checked yet."""

    label: str
    index: int = -1
    quote: str | None = None
    confidence: float = 1.0
    selection_reason: str = ""
    raw: str = ""
    readable: bool = True
    """Whether the reply could be read at all."""


def read_proposal(reply: object) -> Proposal:
    """A proposal from whatever a model replied: an object, or text that may hold one. Never raises.

    Understood keys: `label` (or `verdict`), `index` (or `selected_evidence_index`), `quote` (or
    `evidence_quote`), `confidence`, `selection_reason`. What cannot be read becomes an unreadable proposal.
    """
    if isinstance(reply, Proposal):
        return reply
    raw = reply if isinstance(reply, str) else _dumped(reply)
    fields = reply if isinstance(reply, Mapping) else _object(reply) if isinstance(reply, str) else None
    if fields is None:
        return Proposal(label="", raw=raw[:_MAX_RAW], readable=False)
    quote = fields.get("quote", fields.get("evidence_quote"))
    return Proposal(
        label=str(fields.get("label", fields.get("verdict", ""))),
        index=_integer(fields.get("index", fields.get("selected_evidence_index", -1))),
        quote=quote if isinstance(quote, str) else None,
        confidence=_number(fields.get("confidence", 1.0)),
        selection_reason=str(fields.get("selection_reason", "")),
        raw=raw[:_MAX_RAW],
    )


def gate(
    proposal: Proposal | Mapping[str, object] | str,
    passages: Sequence[Passage | str],
    *,
    claim: str = "",
    require_evidence_for_correct: bool = True,
    thresholds: Thresholds | None = None,
    defined: Glossary | None = None,
) -> Decision:
    """Decide on a claim, given what was proposed and the passages it was proposed from.

    `claim` is the statement itself; with it the numbers of claim and quote are compared and the coverage of the
    claim is measured. `defined` are the abbreviations written out for that (default: those that the documents of the
    passages define). Any reply of any model gives a decision; nothing raises. `passages` may be plain texts.
    """
    said = read_proposal(proposal)
    offered = [_passage(passage, position) for position, passage in enumerate(passages)]
    quote, missing = _evidence(said, offered)
    if defined is None:
        defined = glossary(dict.fromkeys(passage.document.text for passage in offered), own=claim)
    findings = compare_with(claim, quote, defined) if claim and quote else ()
    coverage = cover(claim, quote, defined)
    verdict, reason = _decide(
        said,
        claim,
        quote,
        missing,
        findings,
        defined,
        thresholds or Thresholds(correct=0.0, incorrect=0.0),
        require_evidence_for_correct,
    )
    confidence = min(1.0, max(0.0, said.confidence)) if math.isfinite(said.confidence) else 0.0
    if reason is GateReason.NUMBERS_DIFFER:
        confidence = max(confidence, NUMBERS_CONFIDENCE)
    if not coverage.ok:
        confidence = min(confidence, COVERAGE_CEILING)
    return Decision(
        verdict=verdict,
        confidence=confidence,
        quote=quote,
        index=said.index if quote else -1,
        numbers=findings,
        require_evidence_for_correct=require_evidence_for_correct,
        trace=Trace(
            label_raw=said.label, label_final=verdict, gate_reason=reason, selection_reason=said.selection_reason,
            index_raw=said.index, quote_raw=said.quote or "", confidence_raw=said.confidence, coverage=coverage,
            raw_output=said.raw,
        ),
    )  # fmt: skip


def _evidence(said: Proposal, offered: Sequence[Passage]) -> tuple[Quote | None, GateReason]:
    """The quote, if it is where the proposal says it is; else why it is none."""
    if said.index == -1:
        return None, GateReason.NO_EVIDENCE
    if not 0 <= said.index < len(offered):
        return None, GateReason.INDEX_OUT_OF_RANGE
    if said.quote is None or not said.quote.strip():
        return None, GateReason.EMPTY_QUOTE
    quote = locate(said.quote, offered[said.index])
    return quote, GateReason.ACCEPTED if quote else GateReason.QUOTE_NOT_IN_PASSAGE


def _decide(
    said: Proposal,
    claim: str,
    quote: Quote | None,
    missing: GateReason,
    findings: Sequence[Finding],
    defined: Glossary,
    thresholds: Thresholds,
    require_evidence_for_correct: bool,
) -> tuple[Verdict, GateReason]:
    if not said.readable:
        return Verdict.UNCERTAIN, GateReason.UNREADABLE_REPLY
    label = _LABELS.get("_".join(said.label.casefold().split()))
    if label is None:
        return Verdict.UNCERTAIN, GateReason.UNKNOWN_LABEL
    if label is Verdict.UNCERTAIN:
        return label, GateReason.PROPOSED_UNCERTAIN
    if quote is not None and quote.document.retracted:
        return Verdict.UNCERTAIN, GateReason.RETRACTED
    threshold = thresholds.correct if label is Verdict.CORRECT else thresholds.incorrect
    # Written so that a confidence that is no number passes no threshold.
    if not said.confidence >= threshold:
        return Verdict.UNCERTAIN, GateReason.BELOW_THRESHOLD
    if quote is None:
        if label is Verdict.CORRECT and not require_evidence_for_correct:
            return label, GateReason.CORRECT_WITHOUT_EVIDENCE
        return Verdict.UNCERTAIN, missing
    if label is Verdict.CORRECT:
        against = [finding.found for finding in findings if finding.agreement.contradicts]
        if any(found is not None and found.number in quote.span for found in against):
            return Verdict.INCORRECT, GateReason.NUMBERS_DIFFER
        if against:  # beside the quote, so the quote itself does not prove the claim wrong
            return Verdict.UNCERTAIN, GateReason.NUMBERS_DIFFER
        if not all(f.agreement.proves or f.claimed.loose for f in findings):
            return Verdict.UNCERTAIN, GateReason.NUMBERS_NOT_FOUND
    elif not any(finding.agreement.contradicts for finding in findings) and says_same(
        defined.claim(claim).text, defined.quote(quote)
    ):
        return Verdict.UNCERTAIN, GateReason.QUOTE_SAYS_THE_SAME
    return label, GateReason.ACCEPTED


def compare_with(claim: str, quote: Quote, defined: Glossary) -> tuple[Finding, ...]:
    """The numeric check of a claim against the passage of its quote, both with abbreviations written out.

    What the quote lacks may stand in a neighbouring sentence of its passage, so the whole passage is read; how many
    took part, and when and how long, may stand anywhere.
    Places found are in the literal texts of claim and document.
    """
    said, shown = defined.claim(claim), defined.quote(quote)
    start, document = shown.passage.span.start, shown.document.text
    worded = says_same(said.text, shown)
    findings = []
    for finding in compare(said.text, shown.passage.text):
        found = finding.found
        mine = _placed(finding.claimed, said.literal, claim)
        if finding.agreement in (Agreement.NOT_FOUND, Agreement.UNBOUND) and (
            other := counted_elsewhere(said.text, finding.claimed, document)
        ):
            theirs = _placed(other, lambda span: defined.place(span, quote.document), quote.document.text)
            findings.append(Finding(agreement=Agreement.SAME, claimed=mine, found=theirs))
        elif found is None or (
            finding.agreement is Agreement.DIFFERS
            and not worded
            and given_elsewhere(said.text, finding.claimed, document)
        ):
            # Where another place gives the number the claim may be about that: nothing is proved wrong.
            findings.append(Finding(agreement=Agreement.NOT_FOUND, claimed=mine))
        else:
            theirs = _placed(found, lambda span: defined.place(span.shift(start), quote.document), quote.document.text)
            findings.append(replace(finding, claimed=mine, found=theirs))
    return tuple(findings)


def _placed(quantity: Quantity, place: Callable[[Span], Span], text: str) -> Quantity:
    """A number with its places, and its wording, in the literal `text`."""
    span = place(quantity.span)
    return replace(quantity, span=span, number=place(quantity.number), text=span.of(text))


def says_same(claim: str, quote: Quote) -> bool:
    """Whether a sentence of the quote says the claim itself, in the claim's words, numbers apart."""
    touched = [s for s in quote.passage.sentences if s.overlaps(quote.span)]
    bare = without_numbers(claim)
    return any(align(bare, without_numbers(s.of(quote.document.text))).faithful for s in touched)


def cover(claim: str, quote: Quote | None, defined: Glossary) -> Coverage:
    """How much of the claim's content its quote has, abbreviations written out."""
    if quote is None or not claim:
        return Coverage(ok=quote is not None, share=0.0, note="" if quote else "no quote")
    wanted = set(content(defined.claim(claim).text))
    share = len(wanted & set(content(defined.quote(quote).text))) / len(wanted) if wanted else 1.0
    ok = share >= COVERAGE_FLOOR
    return Coverage(ok=ok, share=share, note="" if ok else f"the quote has {share:.0%} of the claim's words")


def _passage(passage: Passage | str, position: int) -> Passage:
    if isinstance(passage, Passage):
        return passage
    text = passage if passage.strip() else passage + "∅"
    document = Document(id=f"local:passage-{position}", title="", text=text)
    return Passage(document, (Span(0, len(text)),))


_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


def _object(text: str) -> Mapping[str, object] | None:
    """The JSON object in a reply, which may stand in a fence or among prose; None when there is none."""
    match = _OBJECT.search(text)
    if match is None:
        return None
    try:
        parsed = json.loads(match[0])
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def _dumped(reply: object) -> str:
    try:
        return json.dumps(reply, ensure_ascii=False, default=str)
    except (ValueError, RecursionError, TypeError):
        return repr(type(reply))


def _integer(value: object) -> int:
    """An index as a model may write it; what is none becomes one that no list has."""
    if isinstance(value, bool):
        return -2
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,9}\s*", value):
        return int(value)
    return -1 if value is None else -2


def _number(value: object) -> float:
    if isinstance(value, bool):
        return 0.0
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:
            return math.nan
    if isinstance(value, str):
        try:
            return float(value.strip().removesuffix("%")) / (100 if value.strip().endswith("%") else 1)
        except ValueError:
            return 0.0
    return 0.0
