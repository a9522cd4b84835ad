import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.models.stance._findings import Direction, read


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Drug A increased survival.", Direction.UP),
        ("Drug A did not increase survival.", Direction.NONE),
        ("There was no significant increase in survival.", Direction.NONE),
        ("Drug A failed to reduce pain.", Direction.NONE),
        ("Pain was lower with drug A.", Direction.DOWN),
        ("Pain was similar in both arms.", Direction.NONE),
        ("Drug A was non-inferior to drug B.", Direction.NONINFERIOR),
        ("Drug A was not inferior to drug B.", Direction.NONINFERIOR),
        ("Drug A is ineffective.", Direction.AGAINST),
        ("Smoking is associated with cancer.", Direction.EFFECT),
        ("Not only did drug A lower pain.", Direction.DOWN),
        ("Groups did not differ.", Direction.NONE),
        ("Coffee was inversely associated with mortality.", Direction.DOWN),
        ("There was an inverse association between coffee and mortality.", Direction.DOWN),
        ("Coffee (equivalent to 2 cups) is linked to insomnia.", Direction.EFFECT),
        ("All-cause and cause-specific mortality fell.", Direction.DOWN),
        ("In the highest versus the lowest quintile, mortality was lower.", Direction.DOWN),
        ("The literature lacks strong evidence that A is more nutritious.", Direction.NONE),
    ],
)
def test_the_first_effect_is_read_with_its_negation(text: str, said: Direction) -> None:
    assert read(text).effects[0].said is said


def test_a_negation_ends_with_its_clause() -> None:
    effects = read("No difference in sleep was seen, but pain was lower.").effects
    assert [effect.said for effect in effects] == [Direction.NONE, Direction.DOWN]


def test_each_negation_has_its_own_reach() -> None:
    effects = read("A does not interact with B and does not increase C.").effects
    assert [effect.said for effect in effects] == [Direction.NONE, Direction.NONE]


@pytest.mark.parametrize(
    ("text", "significant"),
    [
        ("pain fell (p = 0.43)", False),
        ("pain fell (P<0.001)", True),
        ("pain fell, p = .03", True),
        ("pain fell (p > 0.05)", False),
        ("RR 1.02, 95% CI 0.95-1.09", False),
        ("HR 0.71 (95% CI, 0.60 to 0.84)", True),
        ("mean difference -1.2 (95% CI -2.5 to 0.1)", False),
        ("no significant change", False),
        ("significantly lower", True),
        ("pain fell", None),
    ],
)
def test_significance_is_read_from_figures_first(text: str, significant: bool | None) -> None:
    assert read(text).significant is significant


def test_figures_carry_their_units() -> None:
    figures = read("40 mg for 12 weeks in 1,250 patients, 5.4% bled").figures
    assert [(figure.value, figure.unit) for figure in figures] == [
        (40.0, "mg"),
        (12.0, "week"),
        (1250.0, "patients"),
        (5.4, "%"),
    ]


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    reading = read(text)
    assert all(0 <= effect.start < effect.end <= len(text) for effect in reading.effects)
