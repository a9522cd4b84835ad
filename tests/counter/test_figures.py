"""Values of two groups that bear a claim out. Every study here is invented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.counter._figures import borne_out
from evidencegate.counter._matter import matter

CLAIM = "Zelfaban prevents stroke."
_RATE = st.decimals("0.1", "60", places=1)


def shown(sentence: str, claim: str = CLAIM) -> bool:
    return borne_out(claim, matter(claim), [sentence]) is not None


@given(_RATE, _RATE)
def test_significant_values_bear_a_claim_out_in_its_direction_only(one: object, other: object) -> None:
    sentence = f"Stroke occurred in {one}% of the zelfaban group and in {other}% of the placebo group (p=0.002)."
    assert shown(sentence) == (one < other)  # type: ignore[operator]


@pytest.mark.parametrize(
    "sentence",
    [
        "Stroke occurred in 2.4% of the zelfaban group and in 10.1% of the placebo group (p=0.2).",
        "Stroke occurred in 2.4% of the zelfaban group and in 10.1% of the placebo group.",
        "Bleeding occurred in 2.4% of the zelfaban group and in 10.1% of the placebo group (p=0.002).",
        "Stroke occurred in 2.4% of women and in 10.1% of men (p=0.002).",
    ],
)
def test_other_outcomes_groups_and_unproved_values_bear_nothing_out(sentence: str) -> None:
    assert not shown(sentence)


def test_counts_in_brackets_are_no_values_of_a_group() -> None:
    assert shown(
        "Stroke occurred in 2.4% (eight of 328) in the zelfaban and 10.1% (10 of 99) in the placebo group (p=0.002)."
    )


def test_a_group_is_known_by_the_words_of_a_subject_that_no_vocabulary_has() -> None:
    sentence = "Stroke occurred in 2.4% of the delayed and in 10.1% of the control group (p=0.002)."
    assert shown(sentence, "Delayed clamping prevents stroke.")


@pytest.mark.parametrize("claim", ["Zelfaban affects stroke.", "Zelfaban is safe.", "Strokes are prevented."])
def test_a_claim_without_direction_treatment_or_outcome_is_not_borne_out(claim: str) -> None:
    assert not shown("Stroke occurred in 2.4% of the zelfaban and in 10.1% of the placebo group (p=0.002).", claim)
