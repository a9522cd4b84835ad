"""Rule 2 and the invariants of the gate, against a verifier that lies."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document, Notice, Passage, Quote, RetractionStatus, Span, passages
from evidencegate.verify import (
    Coverage,
    Decision,
    GateReason,
    Proposal,
    Thresholds,
    Trace,
    Verdict,
    gate,
    read_proposal,
)

TEXT = (
    "We enrolled 1,000 patients with atrial fibrillation. Tavaxin reduced stroke compared with placebo "
    "(HR 0.72, 95% CI 0.61 to 0.85; P<0.001). Mortality was 12% with tavaxin and 15% with placebo. "
    "Major bleeding did not differ between groups."
)
ARTICLE = Document(id="local:a", title="", text=TEXT)
OTHER = Document(
    id="local:b", title="", text="Vitamin K antagonists were stopped. Warfarin raised the INR to 3.5 in 40 patients."
)
OFFERED = [*passages(ARTICLE), *passages(OTHER)]
LABELS = st.sampled_from(
    ["correct", "incorrect", "uncertain", "supported", "refutes", "CORRECT ", "", "sure", "correct!", "ok"]
)


@st.composite
def quotes(draw: st.DrawFn) -> str | None:
    """Honest slices, and every way to lie about one."""
    passage = draw(st.sampled_from(OFFERED))
    start = draw(st.integers(0, len(passage.text) - 1))
    slice_ = passage.text[start : draw(st.integers(start, len(passage.text)))]
    other = draw(st.sampled_from(OFFERED)).text
    lie = draw(
        st.sampled_from(["none", "empty", "honest", "altered", "digit", "stitched", "foreign", "negated", "upper"])
    )
    return {
        "none": None,
        "empty": "  ",
        "honest": slice_,
        "altered": slice_.replace("reduced", "increased") + " x",
        "digit": "".join(str((int(c) + 1) % 10) if c.isdigit() else c for c in slice_),
        "stitched": slice_[:20] + " ... " + other[-20:],
        "foreign": "This sentence stands in no passage at all.",
        "negated": "not " + slice_,
        "upper": slice_.upper(),
    }[lie]


PROPOSALS = st.builds(
    Proposal,
    label=LABELS,
    index=st.integers(-5, len(OFFERED) + 3),
    quote=quotes(),
    confidence=st.one_of(st.floats(0, 1), st.floats(allow_nan=True, allow_infinity=True)),
    raw=st.text(max_size=20),
)
CLAIMS = st.sampled_from(
    ["", "Tavaxin reduced stroke (HR 0.72).", "Mortality was 15% with tavaxin.", "Warfarin raised the INR to 9.5."]
)


def decide(proposal: Proposal, claim: str = "", *, require: bool = True) -> Decision:
    return gate(proposal, OFFERED, claim=claim, require_evidence_for_correct=require)


@given(PROPOSALS, CLAIMS, st.booleans())
def test_decided_only_with_a_literal_quote_of_the_named_passage(proposal: Proposal, claim: str, require: bool) -> None:
    decision = decide(proposal, claim, require=require)
    if decision.quote is not None:
        passage = OFFERED[proposal.index]
        assert decision.index == proposal.index
        assert decision.quote.text == passage.document.text[decision.quote.span.start : decision.quote.span.end]
        assert decision.quote.span in passage.span
    if decision.verdict is Verdict.INCORRECT or (decision.verdict is Verdict.CORRECT and require):
        assert decision.quote is not None
    assert 0.0 <= decision.confidence <= 1.0


@given(PROPOSALS, CLAIMS)
def test_index_minus_one_is_no_quote_and_no_evidence(proposal: Proposal, claim: str) -> None:
    decision = decide(replace(proposal, index=-1), claim)
    assert decision.quote is None
    assert not decision.evidence_found
    assert decision.verdict is Verdict.UNCERTAIN


@given(PROPOSALS)
def test_without_a_quote_evidence_is_not_found(proposal: Proposal) -> None:
    for empty in (None, "", " \n"):
        decision = decide(replace(proposal, quote=empty))
        assert not decision.evidence_found
        assert decision.index == -1
        assert decision.verdict is Verdict.UNCERTAIN


@given(PROPOSALS, CLAIMS)
def test_coverage_clamps_confidence_and_never_the_label(proposal: Proposal, claim: str) -> None:
    # A claim without numbers has the same label whatever its quote covers of it.
    plain = "".join(char for char in claim if not char.isdigit() and char != "%")
    bare, covered = decide(proposal), decide(proposal, plain)
    if covered.trace.gate_reason is not GateReason.QUOTE_SAYS_THE_SAME:
        assert bare.verdict is covered.verdict
    assert covered.confidence <= bare.confidence
    if not covered.trace.coverage.ok and covered.quote:
        assert covered.confidence <= 0.5


@given(PROPOSALS, CLAIMS)
def test_relaxing_the_rule_changes_correct_alone(proposal: Proposal, claim: str) -> None:
    strict, relaxed = decide(proposal, claim), decide(proposal, claim, require=False)
    if relaxed.verdict is not strict.verdict:
        assert (strict.verdict, relaxed.verdict) == (Verdict.UNCERTAIN, Verdict.CORRECT)
        assert relaxed.trace.gate_reason is GateReason.CORRECT_WITHOUT_EVIDENCE
        assert relaxed.quote is None


@given(PROPOSALS, CLAIMS)
def test_a_label_is_never_made_better(proposal: Proposal, claim: str) -> None:
    decision = decide(proposal, claim)
    meant = proposal.label.strip().casefold()
    if decision.verdict is Verdict.CORRECT:
        assert meant in ("correct", "supported")
    if decision.verdict is Verdict.INCORRECT and meant in ("correct", "supported"):
        assert decision.trace.gate_reason is GateReason.NUMBERS_DIFFER
        assert any(finding.agreement.contradicts for finding in decision.numbers)


@given(PROPOSALS, CLAIMS, st.floats(0, 1), st.floats(0, 1))
def test_below_its_threshold_nothing_is_decided(
    proposal: Proposal, claim: str, correct: float, incorrect: float
) -> None:
    limits = Thresholds(correct=correct, incorrect=incorrect)
    decision = gate(proposal, OFFERED, claim=claim, thresholds=limits)
    if decision.verdict is not Verdict.UNCERTAIN:
        meant = proposal.label.strip().casefold()
        assert proposal.confidence >= (correct if meant in ("correct", "supported") else incorrect)


@given(PROPOSALS, CLAIMS)
def test_the_trace_keeps_what_was_said(proposal: Proposal, claim: str) -> None:
    trace = decide(proposal, claim).trace
    assert (trace.label_raw, trace.index_raw, trace.quote_raw) == (proposal.label, proposal.index, proposal.quote or "")
    assert trace.raw_output == proposal.raw


@given(
    st.one_of(
        st.text(),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["label", "index", "quote", "confidence", "x"]), inner, max_size=5)
            ),
            max_leaves=8,
        ),
    )
)
def test_any_reply_gives_a_decision(reply: object) -> None:
    text = json.dumps(reply)
    for raw in (reply, text, f"Sure! ```json\n{text}\n```", text[: len(text) // 2]):
        decision = gate(raw, OFFERED, claim="Tavaxin reduced stroke.")  # type: ignore[arg-type]
        if decision.verdict is not Verdict.UNCERTAIN:
            assert decision.quote is not None


@pytest.mark.parametrize(
    "reply", ["", "{", "no JSON here", '{"label": "correct", "index": 0', "[1, 2]", "null", "{" * 5000]
)
def test_broken_json_is_uncertain(reply: str) -> None:
    decision = gate(reply, OFFERED)
    assert decision.verdict is Verdict.UNCERTAIN
    assert decision.trace.gate_reason in (GateReason.UNREADABLE_REPLY, GateReason.UNKNOWN_LABEL)
    assert decision.trace.raw_output == reply[:20_000]


def test_the_keys_of_the_origin_are_understood() -> None:
    reply = {
        "label": "correct",
        "selected_evidence_index": "0",
        "evidence_quote": "Tavaxin reduced stroke",
        "confidence": "90%",
    }
    assert read_proposal(reply) == Proposal(
        label="correct", index=0, quote="Tavaxin reduced stroke", confidence=0.9, raw=json.dumps(reply)
    )
    assert gate(reply, OFFERED).verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("index", "quote", "reason"),
    [
        (-1, "Tavaxin reduced stroke", GateReason.NO_EVIDENCE),
        (99, "Tavaxin reduced stroke", GateReason.INDEX_OUT_OF_RANGE),
        (-2, "Tavaxin reduced stroke", GateReason.INDEX_OUT_OF_RANGE),
        (0, "", GateReason.EMPTY_QUOTE),
        (0, "Tavaxin abolished stroke", GateReason.QUOTE_NOT_IN_PASSAGE),
        (0, "HR 0.71", GateReason.QUOTE_NOT_IN_PASSAGE),
        (len(OFFERED) - 1, "Tavaxin reduced stroke", GateReason.QUOTE_NOT_IN_PASSAGE),
    ],
)
def test_each_lie_has_its_reason(index: int, quote: str, reason: GateReason) -> None:
    decision = gate(Proposal(label="incorrect", index=index, quote=quote), OFFERED)
    assert decision.verdict is Verdict.UNCERTAIN
    assert decision.trace.gate_reason is reason


def test_a_number_that_differs_turns_correct_into_incorrect() -> None:
    quote = "Tavaxin reduced stroke compared with placebo (HR 0.72, 95% CI 0.61 to 0.85; P<0.001)."
    wrong = gate(
        Proposal(label="correct", index=0, quote=quote),
        OFFERED,
        claim="Tavaxin reduced stroke compared with placebo (HR 0.82).",
    )
    assert (wrong.verdict, wrong.trace.gate_reason) == (Verdict.INCORRECT, GateReason.NUMBERS_DIFFER)
    found = wrong.numbers[0].found
    assert found is not None
    assert found.number.of(TEXT) == "0.72"
    right = gate(
        Proposal(label="correct", index=0, quote=quote),
        OFFERED,
        claim="Tavaxin lowered stroke by 28% compared with placebo.",
    )
    assert right.verdict is Verdict.CORRECT


def test_the_claim_itself_is_no_evidence_against_it() -> None:
    quote = "Tavaxin reduced stroke compared with placebo (HR 0.72, 95% CI 0.61 to 0.85; P<0.001)."
    for claim in ("Tavaxin reduced stroke compared with placebo.", "Tavaxin lowered stroke versus placebo (HR 0.72)."):
        decision = gate(Proposal(label="incorrect", index=0, quote=quote), OFFERED, claim=claim)
        assert decision.verdict is Verdict.UNCERTAIN
        assert decision.trace.gate_reason is GateReason.QUOTE_SAYS_THE_SAME
    wrong = gate(Proposal(label="incorrect", index=0, quote=quote), OFFERED, claim="Tavaxin lowered stroke (HR 0.52).")
    assert wrong.verdict is Verdict.INCORRECT


def test_a_quote_that_avoids_the_wrong_number_proves_nothing() -> None:
    decision = gate(
        Proposal(label="correct", index=0, quote="Tavaxin reduced stroke"),
        OFFERED,
        claim="Tavaxin reduced stroke compared with placebo (HR 0.22).",
    )
    assert decision.verdict is Verdict.UNCERTAIN
    assert decision.trace.gate_reason is GateReason.NUMBERS_DIFFER


def test_figures_the_evidence_does_not_have_are_not_proved() -> None:
    decision = gate(
        Proposal(label="correct", index=0, quote="Major bleeding did not differ between groups."),
        OFFERED,
        claim="Seizures rose by 40% (P=0.02).",
    )
    assert decision.verdict is Verdict.UNCERTAIN


@given(PROPOSALS, CLAIMS)
def test_a_retracted_record_decides_nothing(proposal: Proposal, claim: str) -> None:
    withdrawn = replace(ARTICLE, notices=(Notice(status=RetractionStatus.RETRACTED, source="crossref"),))
    decision = gate(proposal, list(passages(withdrawn)), claim=claim)
    assert decision.verdict is Verdict.UNCERTAIN


def trace(verdict: Verdict) -> Trace:
    return Trace(
        label_raw="",
        label_final=verdict,
        gate_reason=GateReason.ACCEPTED,
        selection_reason="",
        index_raw=0,
        quote_raw="",
        confidence_raw=math.nan,
        coverage=Coverage(ok=True, share=1.0),
    )


@pytest.mark.parametrize("verdict", [Verdict.CORRECT, Verdict.INCORRECT])
def test_forbidden_decisions_cannot_be_built(verdict: Verdict, retracted: Document) -> None:
    with pytest.raises(ValueError, match="without a quote"):
        Decision(verdict=verdict, confidence=0.5, trace=trace(verdict))
    passage = next(iter(passages(retracted)))
    with pytest.raises(ValueError, match="retracted"):
        Decision(verdict=verdict, confidence=0.5, trace=trace(verdict), quote=Quote(passage, passage.span), index=0)
    clean = OFFERED[0]
    quote = Quote(clean, Span(clean.span.start, clean.span.start + 5))
    with pytest.raises(ValueError, match="index -1"):
        Decision(verdict=verdict, confidence=0.5, trace=trace(verdict), quote=quote)
    with pytest.raises(ValueError, match="index -1"):
        Decision(verdict=Verdict.UNCERTAIN, confidence=0.5, trace=trace(Verdict.UNCERTAIN), index=3)
    with pytest.raises(ValueError, match="another verdict"):
        Decision(verdict=verdict, confidence=0.5, trace=trace(Verdict.UNCERTAIN), quote=quote, index=0)
    with pytest.raises(ValueError, match="within 0 and 1"):
        Decision(verdict=Verdict.UNCERTAIN, confidence=math.nan, trace=trace(Verdict.UNCERTAIN))


def test_plain_texts_may_be_passages() -> None:
    decision = gate({"label": "incorrect", "index": 1, "quote": "b c"}, ["", "a b c d"])
    assert decision.verdict is Verdict.INCORRECT
    assert decision.quote == Quote(
        Passage(Document(id="local:passage-1", title="", text="a b c d"), (Span(0, 7),)), Span(2, 5)
    )
