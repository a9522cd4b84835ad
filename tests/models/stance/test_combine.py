"""What the logistic models are given of the encoder: the passage as a whole and its plainest sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.models.stance._combine import encoder_inputs
from evidencegate.models.stance._encoder import Logits, Read

LOGIT = st.floats(-8, 8)
LOGITS = st.tuples(LOGIT, LOGIT, LOGIT)


@given(LOGITS, st.lists(LOGITS, max_size=3))
def test_only_differences_count(whole: Logits, alone: list[Logits]) -> None:
    """Logits moved by a constant say the same."""
    moved = Read((whole[0] + 3, whole[1] + 3, whole[2] + 3), tuple((a - 5, b - 5, c - 5) for a, b, c in alone), 0)
    first, second = encoder_inputs(Read(whole, tuple(alone), 0)), encoder_inputs(moved)
    assert sum(first) == pytest.approx(0, abs=1e-9)
    assert first == pytest.approx(second, abs=1e-9)


@given(LOGITS)
def test_the_passage_alone_counts_whole(whole: Logits) -> None:
    """A sentence that reads as the passage does changes nothing."""
    assert encoder_inputs(Read(whole, (whole,), 0)) == pytest.approx(encoder_inputs(Read(whole, (), 0)), abs=1e-9)


@given(LOGITS, st.lists(LOGITS, min_size=1, max_size=3))
def test_order_of_sentences_does_not_count(whole: Logits, alone: list[Logits]) -> None:
    """The plainest sentence may stand anywhere."""
    turned = Read(whole, tuple(reversed(alone)), 0)
    assert encoder_inputs(Read(whole, tuple(alone), 0)) == encoder_inputs(turned)


def test_one_plain_sentence_is_heard_among_others() -> None:
    """A passage read as neutral, one sentence of which supports, says more than one where none does."""
    quiet, plain = (-1.0, -1.0, 2.0), (4.0, -2.0, -2.0)
    without, within = (encoder_inputs(Read(quiet, alone, 0)) for alone in ((quiet, quiet), (quiet, plain)))
    assert within[0] > without[0]
    assert within[2] < without[2]
