import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.models.stance import Label, Stance


@pytest.mark.parametrize(
    "values", [(0.5, 0.5, 0.5), (1.2, -0.1, -0.1), (float("nan"), 0.5, 0.5), (0.0, 0.0, 0.0), (float("inf"), 0, 0)]
)
def test_no_stance_without_a_distribution(values: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="probabilities"):
        Stance(*values)


def test_no_sentence_backwards() -> None:
    with pytest.raises(ValueError, match="half-open"):
        Stance(1.0, 0.0, 0.0, (9, 3))


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=3, max_size=3))
def test_any_three_weights_give_a_distribution_or_neutral(weights: list[float]) -> None:
    stance = Stance.of(weights, reader="test")
    assert abs(stance.supports + stance.refutes + stance.neutral - 1) < 1e-6
    assert stance.confidence == max(stance.supports, stance.refutes, stance.neutral)


def test_a_tie_goes_to_the_careful_label() -> None:
    assert Stance(0.4, 0.2, 0.4).label is Label.NEUTRAL
    assert Stance(0.5, 0.5, 0.0).label is Label.REFUTES
    assert Stance(0.6, 0.4, 0.0).label is Label.SUPPORTS
