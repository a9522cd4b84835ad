"""Rules 5, 6 and 9 against stance models that lie, fail or answer nonsense."""

import asyncio
from typing import Any

import pytest
from counter_support import AGAINST, CLAIM, FOR, Scripted, Shelf, record, run, stance
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.counter import (
    NO_STATEMENT,
    Accepted,
    Counterfactual,
    CounterReport,
    Opposite,
    Readers,
    Scored,
    Statement,
    StrengthLevel,
    examine,
    markdown,
    validate,
)
from evidencegate.documents import Notice, Quote, RetractionStatus, passages
from evidencegate.evidence import Level
from evidencegate.evidence._nearness import shared_words
from evidencegate.models.stance import Label, Stance, Validation
from evidencegate.sources import Status

MADE = Counterfactual(
    id="c1",
    claim=CLAIM,
    priority="high",  # type: ignore[arg-type]
    statements=(
        Statement("Macrolides do not interact with statins.", Opposite.NEGATION),
        Statement("Macrolides have no significant effect on statin exposure.", Opposite.NO_DIFFERENCE),
    ),
)
probabilities = st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)).map(
    lambda weights: Stance.of(weights, reader="lying")
)
errors = st.sampled_from(
    [ValueError("x"), RuntimeError("x"), KeyError("x"), TypeError("x"), IndexError("x"), OSError("x"), MemoryError()]
)


@given(st.lists(probabilities, min_size=3, max_size=3), st.integers(0, 100))
def test_what_is_accepted_supports_the_statement_and_not_the_claim(answers: list[Stance], shift: int) -> None:
    given_for = dict(zip((CLAIM, *(s.text.rstrip(".") for s in MADE.statements)), answers, strict=True))

    def answer(claim: str, passage: str) -> Stance:
        return given_for.get(claim.rstrip("."), answers[shift % 3])

    (verdict,) = validate(MADE, [(AGAINST, "")], Scripted(answer))
    if verdict.validation:
        assert verdict.validation.to_claim is not None
        assert verdict.validation.to_claim.label is not Label.SUPPORTS
        assert verdict.validation.to_statement.label is Label.SUPPORTS
    else:
        assert verdict.validation.reason


TITLE = "Macrolides increase statin exposure and myopathy risk"


@given(probabilities, st.sampled_from([TITLE, f"{TITLE}?", f"{CLAIM}."]), st.text(max_size=40))
def test_a_title_that_says_what_the_claim_says_refuses_its_record(of_title: Stance, title: str, more: str) -> None:
    def answer(claim: str, passage: str) -> Stance:
        if passage == title:
            return of_title
        return stance(0.01, 0.98) if claim == CLAIM else stance(0.98, 0.01)

    (verdict,) = validate(MADE, [(AGAINST, f"{title}\n\n{more}")], Scripted(answer))
    says_the_same = title == TITLE and of_title.supports >= 0.8
    assert bool(verdict.validation) is not says_the_same
    assert ("title" in verdict.validation.reason) is says_the_same


@given(errors, st.integers(0, 5))
def test_any_error_rejects_with_its_reason(error: BaseException, calls: int) -> None:
    left = [calls]

    def answer(claim: str, passage: str) -> Stance:
        left[0] -= 1
        if left[0] < 0:
            raise error
        return stance(0.99, 0.0)

    (verdict,) = validate(MADE, [(AGAINST, "")], Scripted(answer))
    if calls < 3:
        assert not verdict.validation
        assert type(error).__name__ in verdict.validation.reason


@pytest.mark.parametrize("wrong", [None, "supports", 1.0, (1.0, 0.0, 0.0)])
def test_answers_that_are_no_stances_reject(wrong: Any) -> None:
    (verdict,) = validate(MADE, [(AGAINST, "")], Scripted(lambda claim, passage: wrong))
    assert not verdict.validation


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_too_few_or_too_many_answers_reject(count: int) -> None:
    class Counting:
        name = "counting"

        def judge(self, pairs: Any) -> list[Stance]:
            return [stance(0.9, 0.0)] * count

    (verdict,) = validate(MADE, [(AGAINST, "")], Counting())
    assert not verdict.validation


@given(probabilities, probabilities, st.booleans())
def test_an_acceptance_that_the_rules_forbid_cannot_be_built(
    to_statement: Stance, to_claim: Stance, retracted: bool
) -> None:
    notices = (Notice(status=RetractionStatus.RETRACTED, source="invented"),) if retracted else ()
    document = record(1, AGAINST, notices=notices)
    passage = next(iter(passages(document)))
    try:
        validation = Validation(True, 0.5, "said so", to_statement, to_claim)
        accepted = Accepted(
            record=Scored(document=document, level=Level.COHORT, score=50.0, reasons=("invented",)),
            quote=Quote(passage, passage.span),
            statement=MADE.statements[0],
            validation=validation,
            relevance=0.5,
            summary="",
        )
    except ValueError:
        return
    assert to_claim.label is not Label.SUPPORTS
    assert to_statement.label is Label.SUPPORTS
    assert not accepted.record.document.retracted


@given(st.lists(probabilities, min_size=1, max_size=6))
def test_a_whole_run_over_a_lying_model_accepts_nothing_that_supports_the_claim(answers: list[Stance]) -> None:
    turn = iter(range(10_000))
    lying = Scripted(lambda claim, passage: answers[next(turn) % len(answers)])
    shelf = Shelf((record(1, AGAINST), record(2, FOR), record(3, "Soil erosion in hills was mapped.", title="Soils")))
    report = asyncio.run(
        examine(CLAIM, sources=[shelf], run=run(), readers=Readers(nearness=shared_words, stance=lying))
    )
    for one in report.claims:
        for accepted in one.accepted:
            assert accepted.validation.to_claim is not None
            assert accepted.validation.to_claim.label is not Label.SUPPORTS
            assert accepted.quote.text in accepted.record.document.text
        if one.counterfactual.statement is None:
            assert one.counterfactual.shown == NO_STATEMENT


@given(st.lists(st.sampled_from([s for s in Status if not s.answered] + [Status.EMPTY]), min_size=1, max_size=3))
def test_nothing_found_tells_of_the_search_and_never_of_support(statuses: list[Status]) -> None:
    shelves = [Shelf(status=status, name=f"source{i}") for i, status in enumerate(statuses)]
    refuting = Scripted(lambda claim, passage: stance(0.0, 0.9))
    report = asyncio.run(
        examine(CLAIM, sources=shelves, run=run(), readers=Readers(nearness=shared_words, stance=refuting))
    )
    (one,) = report.claims
    assert one.accepted == ()
    searched = any(status.answered for status in statuses)
    assert one.strength.level is (StrengthLevel.NONE_FOUND if searched else StrengthLevel.NOT_SEARCHED)
    assert one.strength.confidence == "unchanged"
    text = markdown(report)
    assert "well supported" not in text.casefold()
    for i in range(len(statuses)):
        assert f"source{i}" in text
    assert ("This reports a search" in text) is searched
    for i, status in enumerate(statuses):
        if not status.answered:
            assert any(f"source{i}" in warning for warning in report.warnings)


@given(st.lists(st.sampled_from(["c1", "c2", "c1"]), min_size=2, max_size=3))
def test_claims_have_ids_of_their_own(ids: list[str]) -> None:
    from evidencegate.counter import Examined, strength

    claims = tuple(
        Examined(
            counterfactual=Counterfactual(id=i, claim="A", priority="low"),  # type: ignore[arg-type]
            strength=strength(()),
        )
        for i in ids
    )
    if len(set(ids)) < len(ids):
        with pytest.raises(ValueError, match="ids of their own"):
            CounterReport(claims=claims)
    else:
        assert len(CounterReport(claims=claims).claims) == len(ids)
