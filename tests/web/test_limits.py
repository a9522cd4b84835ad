"""The bucket of each owner, against its plainest definition."""

from hypothesis import given
from hypothesis import strategies as st

from evidencegate.web._limits import Rate


@given(
    per_minute=st.integers(min_value=1, max_value=120),
    gaps=st.lists(st.floats(min_value=0, max_value=30), max_size=60),
)
def test_no_minute_lets_more_through_than_a_burst_and_what_flowed_back(per_minute: int, gaps: list[float]) -> None:
    now = 0.0
    rate = Rate(per_minute, clock=lambda: now)
    taken: list[float] = []
    for gap in gaps:
        now += gap
        wait = rate.take("a")
        if wait == 0:
            taken.append(now)
        else:
            assert 0 < wait <= 60 / per_minute
    for first in range(len(taken)):
        for last in range(first, len(taken)):
            assert last - first + 1 <= per_minute + (taken[last] - taken[first]) * per_minute / 60 + 1e-6


@given(per_minute=st.integers(min_value=1, max_value=30))
def test_who_waits_as_told_gets_through(per_minute: int) -> None:
    now = 0.0
    rate = Rate(per_minute, clock=lambda: now)
    for _ in range(per_minute):
        assert rate.take("a") == 0
    wait = rate.take("a")
    assert wait > 0
    now += wait + 1e-9
    assert rate.take("a") == 0
    assert rate.take("b") == 0
