import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.evaluate import calibration, coverage_at, figures, precision_coverage
from evidencegate.evaluate._metrics import accuracy, balanced_accuracy, bootstrap, macro_f1, per_label

# 4 supports (3 found), 2 refutes (1 found, 1 called supports)
PAIRS = [("s", "s"), ("s", "s"), ("s", "s"), ("s", "r"), ("r", "r"), ("r", "s")]
LABELS = st.sampled_from("srn")


def test_figures_by_hand() -> None:
    found = figures(PAIRS, ("s", "r"))
    assert found.accuracy == pytest.approx(4 / 6)
    assert found.per_label["s"].precision == pytest.approx(3 / 4)
    assert found.per_label["s"].recall == pytest.approx(3 / 4)
    assert found.per_label["r"].f1 == pytest.approx(1 / 2)
    assert found.macro_f1 == pytest.approx((3 / 4 + 1 / 2) / 2)
    assert found.balanced_accuracy == pytest.approx((3 / 4 + 1 / 2) / 2)
    assert found.confusion == {"s": {"s": 3, "r": 1}, "r": {"s": 1, "r": 1}}


def test_the_contract_has_its_fields() -> None:
    fields = figures(PAIRS, ("s", "r")).to_json()
    assert {"n", "accuracy", "macro_f1", "balanced_accuracy", "per_label", "interval"} <= set(fields)
    assert fields["ground_truth"] == {"s": 4, "r": 2}


def test_nothing_called_is_zero_not_an_error() -> None:
    assert per_label([("s", "r")], "s").f1 == 0.0
    assert (accuracy([]), macro_f1([]), balanced_accuracy([])) == (0.0, 0.0, 0.0)


def test_a_label_nobody_has_does_not_lower_the_mean() -> None:
    assert macro_f1([("s", "s"), ("r", "r")]) == 1.0


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=40))
def test_figures_lie_within_bounds_and_the_interval_holds_its_order(pairs: list[tuple[str, str]]) -> None:
    for figure in (accuracy, macro_f1, balanced_accuracy):
        assert 0.0 <= figure(pairs) <= 1.0
    interval = bootstrap(pairs, accuracy, resamples=50)
    assert 0.0 <= interval.low <= interval.high <= 1.0


def test_the_interval_is_the_same_every_time_and_holds_the_figure() -> None:
    pairs = PAIRS * 20
    first, second = bootstrap(pairs, accuracy), bootstrap(pairs, accuracy)
    assert first == second
    assert first.low < accuracy(pairs) < first.high


def test_calibration_by_hand() -> None:
    # bin 0.9-1.0: four at 0.95, half right (gap 0.45); bin 0.5-0.6: one at 0.55, right (gap 0.45)
    found = calibration([0.95, 0.95, 0.95, 0.95, 0.55], [True, True, False, False, True])
    assert found.ece == pytest.approx(0.45)
    assert [b.n for b in found.bins] == [1, 4]


def test_certainty_falls_into_the_last_bin() -> None:
    assert calibration([1.0], [True]).ece == 0.0


def test_precision_against_coverage() -> None:
    points = precision_coverage([0.9, 0.8, 0.8, 0.1], [True, True, False, True])
    assert [(p.threshold, p.calls) for p in points] == [(0.9, 1), (0.8, 3), (0.1, 4)]
    assert points[1].precision == pytest.approx(2 / 3)
    assert points[1].recall == pytest.approx(2 / 3)


def test_the_widest_coverage_at_a_wanted_precision() -> None:
    points = precision_coverage([0.9, 0.8, 0.7, 0.6], [True, True, False, True])
    assert coverage_at(points, 0.9, least=1) == points[1]
    assert coverage_at(points, 0.9, least=3) is None
