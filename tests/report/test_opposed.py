"""What may stand as a contradiction: one outcome, and findings that cannot both hold. Every sentence is invented."""

import pytest

from evidencegate.evidence import outcomes_named
from evidencegate.report._opposed import can_oppose, words

LOWERED = "Zelfaban lowered mortality compared with placebo (HR 0.80, 95% CI 0.70-0.91)."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LOWERED, "Zelfaban increased mortality compared with placebo (HR 1.30, 95% CI 1.10-1.52)."),
        (LOWERED, "Zelfaban did not reduce mortality compared with placebo (HR 1.00, 95% CI 0.93-1.08)."),
        (LOWERED, "There was no evidence that zelfaban reduced mortality."),
        ("Zelfaban raised the rate of stroke.", "Zelfaban did not raise the rate of stroke."),
        ("Zelfaban prolonged survival.", "Zelfaban increased mortality."),
        ("Zelfaban reduced stroke and death.", "Zelfaban had no effect on stroke."),
        ("Zelfaban was associated with fracture.", "There was no association between zelfaban and fracture."),
        # Only one way is denied, and that way is told of.
        ("Zelfaban reduced the risk of stroke.", "No reduced risk of stroke was observed with zelfaban."),
        # The ratio stands far from what it is the ratio of.
        (
            "The combined RR of stroke for the highest compared with the lowest dose of zelfaban was 0.71 (95% CI: "
            "0.60, 0.84).",
            "Zelfaban had no effect on stroke.",
        ),
    ],
)
def test_findings_that_exclude_each_other_may(one: str, other: str) -> None:
    assert can_oppose(one, other)
    assert can_oppose(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # The same direction, sure or not.
        (LOWERED, "Mortality was lower with zelfaban (HR 0.84, 95% CI 0.68-1.04)."),
        (LOWERED, "The hazard ratio for death with zelfaban was 0.84 (95% CI 0.68-1.04)."),
        (LOWERED, "Fewer patients died with zelfaban, and mortality was significantly reduced (p=0.01)."),
        (LOWERED, "Zelfaban prolonged survival (p=0.01)."),
        ("Zelfaban did not reduce stroke.", "There was no difference in stroke between zelfaban and placebo."),
        # Another outcome.
        (LOWERED, "Zelfaban did not significantly affect the incidence of pneumonia."),
        (
            "Zelfaban use was associated with lowered risk of breast cancer death (HR 0.46, 95% CI 0.38-0.55).",
            "Zelfaban use did not significantly affect breast cancer risk (RR 0.99, 95% CI 0.94-1.04).",
        ),
        (
            "There was no evidence that zelfaban increased cancer incidence (RR 1.00, 95% CI 0.96-1.04).",
            "The present results provide further evidence of the benefits and safety of zelfaban.",
        ),
        # One way is denied: the other may be so.
        ("Our findings do not support a protective effect of zelfaban against stroke.", "Zelfaban increased stroke."),
        ("Zelfaban did not prolong survival.", "Zelfaban increased mortality."),
        # Advice, and how even a finding is, are no findings.
        ("Zelfaban increased the risk of stroke.", "Adults should not exceed one dose of zelfaban to avoid stroke."),
        (
            "There was no association between zelfaban and stroke.",
            "Results indicate differences between geographical regions in associations of zelfaban with stroke.",
        ),
        (
            "Zelfaban increased the risk of stroke.",
            "The association between zelfaban and stroke did not significantly differ by region.",
        ),
        # Nothing is told, or both ways are.
        (LOWERED, "Mortality was recorded at one year."),
        (LOWERED, "Mortality increased in men and decreased in women."),
        # The two groups the other way round.
        (
            "Mortality was lower with zelfaban than with warfarin.",
            "Mortality was higher with warfarin than with zelfaban.",
        ),
    ],
)
def test_findings_that_can_both_hold_may_not(one: str, other: str) -> None:
    assert not can_oppose(one, other)
    assert not can_oppose(other, one)


def test_an_outcome_that_no_list_has_may_be_known_otherwise() -> None:
    one, other = "Zelfaban raised the incidence of gout.", "Zelfaban did not affect gout or cholesterol."

    assert not can_oppose(one, other)
    assert can_oppose(one, other, one_outcome=True)
    assert not can_oppose(one, "Zelfaban did not affect mortality in gout.", one_outcome=True)


def test_the_kinds_of_outcomes_are_lines_of_the_list_of_outcomes() -> None:
    for name in words().kinds | words().ends:
        assert outcomes_named(name) == {name}
