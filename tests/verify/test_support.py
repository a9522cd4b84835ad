"""The probability of support: bounded, and moved the right way by what it weighs."""

from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document
from evidencegate.models.stance import Stance
from evidencegate.verify import Evidence
from evidencegate.verify._support import FEATURES, features, support

CLAIM = "Tavaxin reduced stroke in old adults."
share = Evidence([Document(id="local:x", title="", text="Tavaxin reduced stroke. Cheese is old.")]).share
UNIT = st.floats(0, 1)


@st.composite
def stances(draw: st.DrawFn) -> Stance:
    return Stance.of(draw(st.tuples(UNIT, UNIT, st.floats(0.01, 1))), reader="scripted")


@given(st.text(max_size=60), st.lists(st.tuples(st.text(max_size=60), stances()), max_size=4))
def test_it_is_a_probability(claim: str, read: list[tuple[str, Stance]]) -> None:
    passages = [text for text, _ in read]
    assert 0.0 <= support(claim, passages, [stance for _, stance in read], share) <= 1.0
    if passages:
        assert len(features(claim, passages, [stance for _, stance in read], share)) == len(FEATURES)


def test_nothing_supports_without_a_passage() -> None:
    assert support(CLAIM, [], [], share) == 0.0


@given(st.floats(0.05, 0.45), st.floats(0.05, 0.45))
def test_more_support_is_never_less_probable(low: float, more: float) -> None:
    passage = ["Tavaxin reduced stroke in some adults."]
    weak, strong = Stance(low, 0.05, 0.95 - low), Stance(low + more, 0.05, 0.95 - low - more)
    assert support(CLAIM, passage, [weak], share) <= support(CLAIM, passage, [strong], share)


def test_a_passage_with_the_claims_words_is_more_probable_than_one_without() -> None:
    stance = [Stance(0.5, 0.1, 0.4)]
    near, far = "Tavaxin reduced stroke in adults.", "Cheese is old in Holland."
    assert support(CLAIM, [near], stance, share) > support(CLAIM, [far], stance, share)
    named = "In COMET-2 tavaxin reduced stroke by 28%."
    assert support(named, ["In COMET-2 tavaxin reduced stroke by 28%."], stance, share) > support(
        named, ["In URANUS-9 tavaxin reduced stroke by 11%."], stance, share
    )
