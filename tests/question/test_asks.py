"""Which parts of a text ask, where no question mark says so."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.question._asks import asking_spans

_STORY = (
    "Mr Halvorsen, 71, a retired ferryman, was admitted on Monday with a swollen left calf after a long drive home. "
    "The scan showed a clot from the knee to the groin. He had a bleeding ulcer in March and has taken a proton pump "
    "inhibitor since. His creatinine is 168, his platelets are 210 and he weighs 64 kg. The day team wrote up apixaban "
    "at the usual dose, and the night team crossed it out again because of the kidneys. He lives alone, cooks for "
    "himself and walks his dog every morning. "
)


def _asked(text: str) -> list[str]:
    return [text[start:end] for start, end in asking_spans(text)]


@pytest.mark.parametrize(
    "request_",
    [
        "I would be most grateful for your word on the right dose for him.",
        "We should be thankful for: the dose to begin with, and the length.",
        "Kindly set out how the ulcer bears on the choice of drug.",
        "Opinions sought: half dose, full dose, or a filter.",
        "Plan wanted: agent, dose, length.",
        "The panel is invited to state the risk of a further bleed on either drug.",
        "Given the kidneys, which of the two and for how long.",
        "His daughter asks when it may be stopped.",
    ],
)
def test_a_request_is_what_a_case_asks(request_: str) -> None:
    assert _asked(_STORY + request_) == [request_]


def test_what_follows_a_request_is_asked_too() -> None:
    parts = ["Two things I should like from you.", "First, the risk of a bleed in numbers.", "Second, the stop date."]
    assert _asked(_STORY + " ".join(parts)) == parts


def test_the_end_of_a_case_is_asked_where_nothing_is_requested() -> None:
    assert _asked(_STORY + "My own leaning is towards a filter and no drug at all. With regards.") == [
        "My own leaning is towards a filter and no drug at all.",
        "With regards.",
    ]


def test_the_parts_of_a_pico_question_are_asked_as_a_whole() -> None:
    words = " ".join(["patients with a proximal clot and a bleeding ulcer within the last six months"] * 6)
    text = f"PICO. P: {words}. I: apixaban. C: enoxaparin. O: recurrence, major bleeding."
    assert _asked(text) == [text]


@given(st.text(max_size=400))
def test_what_is_asked_lies_in_the_text_in_order_and_is_never_nothing(text: str) -> None:
    spans = asking_spans(text)
    assert spans
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
