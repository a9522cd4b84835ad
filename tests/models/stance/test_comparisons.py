"""Two groups and their values. All sentences are invented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.models.stance._comparisons import arms, figures_say, turned_round
from evidencegate.models.stance._findings import Direction, read
from evidencegate.models.stance._rules import FEATURES, compare


def _arms(claim: str) -> object:
    reading = read(claim)
    found = arms(claim, reading.effects[0], reading)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "claim",
    [
        "Zelfaban increased bleeding compared with warfarin.",
        "Bleeding was higher with zelfaban than with warfarin.",
        "Compared with warfarin, zelfaban significantly increased bleeding.",
        "Patients receiving zelfaban had greater bleeding than those receiving warfarin.",
        "The use of zelfaban instead of warfarin raises bleeding.",
    ],
)
def test_groups_are_found_in_every_wording(claim: str) -> None:
    found = _arms(claim)

    assert any(stem.startswith("zelfab") for stem in found.first)
    assert any(stem.startswith("warfar") for stem in found.second)


@pytest.mark.parametrize(
    ("sentence", "direction"),
    [
        ("Bleeding occurred in 12.1% of patients on zelfaban versus 7.4% on warfarin (p = 0.01).", Direction.UP),
        ("Bleeding was 3.1 ± 0.4 (zelfaban) versus 4.2 ± 0.5 (warfarin; p < 0.001).", Direction.DOWN),
        ("Rates were 7.4% and 12.1% in the warfarin and zelfaban groups, respectively (p = 0.02).", Direction.UP),
        ("Bleeding was 3.1 (zelfaban) versus 3.2 (warfarin; p = NS).", Direction.NONE),
        ("Bleeding was 3.1% with zelfaban and 3.2% with warfarin (p = 0.64).", Direction.NONE),
    ],
)
def test_values_and_their_test_give_a_direction(sentence: str, direction: Direction) -> None:
    claim = _arms("Bleeding was higher with zelfaban than with warfarin.")

    found = figures_say(sentence, read(sentence), claim)

    assert found is not None
    assert found.direction is direction


def test_values_of_no_named_group_say_nothing() -> None:
    claim = _arms("Bleeding was higher with zelfaban than with warfarin.")
    sentence = "Mean age was 61.2 versus 64.8 years in men and women (p < 0.001)."

    assert figures_say(sentence, read(sentence), claim) is None


def test_the_same_comparison_the_other_way_round_is_known() -> None:
    claim = _arms("Bleeding was higher with zelfaban than with warfarin.")
    straight = "Bleeding was less frequent with zelfaban than with warfarin."
    across = "Bleeding was less frequent with warfarin than with zelfaban."

    assert turned_round(claim, straight, read(straight)) is False
    assert turned_round(claim, across, read(across)) is True


def test_figures_become_features_and_reasons() -> None:
    found = compare(
        "Bleeding was higher with zelfaban than with warfarin.",
        "Bleeding was 3.1 (zelfaban) versus 4.2 (warfarin; p = 0.003).",
    )

    assert found.values[FEATURES.index("figures_refute")] > 0
    assert found.values[FEATURES.index("figures_support")] == 0
    assert any(reason.detail.startswith("values of the two groups") for reason in found.reasons)


@given(
    st.floats(0.1, 99, allow_nan=False).map(lambda x: round(x, 1)),
    st.floats(0.1, 99, allow_nan=False).map(lambda x: round(x, 1)),
)
def test_exchanging_the_values_exchanges_the_direction(one: float, other: float) -> None:
    claim = _arms("Bleeding was higher with zelfaban than with warfarin.")

    def said(left: float, right: float) -> Direction | None:
        sentence = f"Bleeding was {left} (zelfaban) versus {right} (warfarin; p = 0.003)."
        found = figures_say(sentence, read(sentence), claim)
        return found.direction if found else None

    there, back = said(one, other), said(other, one)

    if one == other:
        assert there is None
    else:
        assert {there, back} == {Direction.UP, Direction.DOWN}


@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    compare("Bleeding was higher with zelfaban than with warfarin.", text)
    compare(text, "Bleeding was 3.1 (zelfaban) versus 4.2 (warfarin; p = 0.003).")
