"""What a case tells that bears on what it asks."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evidencegate.question import load_vocabulary
from evidencegate.question._hints import asks_for_reader, hints, pairs
from evidencegate.question._read import read
from evidencegate.question._types import Tags

_TREATMENTS = st.sampled_from(sorted(load_vocabulary().treatments))
_FILLING = (
    "She lives alone, walks the dog twice a day and sleeps well; the examination was normal in every respect. " * 4
)


def _seen(text: str) -> str:
    reading = read(text, load_vocabulary())
    return asks_for_reader(reading, hints(reading, reading.vocabulary, Tags()))


def test_a_question_that_names_no_treatment_is_read_with_the_case_before_it() -> None:
    seen = _seen("Registrar wants half the dose of enoxaparin, I would pull the line. Which of the two has been tried?")
    assert "pull the line. >> Which of the two" in seen


def test_a_question_that_names_its_treatment_is_read_alone() -> None:
    seen = _seen("Registrar wants half the dose, I would pull the line. Is enoxaparin better than a filter?")
    assert seen.endswith("Is enoxaparin better than a filter?")
    assert "pull the line" not in seen


def test_no_more_of_a_case_than_its_last_words() -> None:
    before, _, asks = _seen(f"{_FILLING}The nurse would wait. Who is right?").partition(" >> ")
    assert asks == "Who is right?"
    assert before.endswith("The nurse would wait.")
    assert len(before.split()) <= 60


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Is clarithromycin safe with simvastatin?", {"@pair asked"}),
        ("He takes valproate for epilepsy. May he have meropenem?", {"@pair told"}),
        ("She is on apixaban. Is carbamazepine right for her neuralgia?", {"@pair told"}),
        ("He was never on valproate. Is amoxicillin right for his otitis?", set()),
        ("Is amoxicillin right for otitis?", set()),
    ],
)
def test_drugs_that_do_not_go_together_are_known(text: str, found: set[str]) -> None:
    reading = read(text, load_vocabulary())
    assert pairs(reading, reading.vocabulary) == found


def test_every_name_of_the_pairs_is_a_treatment_or_a_class() -> None:
    known = load_vocabulary()
    assert len(known.interactions) > 200
    assert known.interactions.keys() <= known.treatments.keys() | known.classes.keys()


@given(one=_TREATMENTS, other=_TREATMENTS)
def test_a_pair_has_no_order_and_nothing_pairs_with_itself(one: str, other: str) -> None:
    known = load_vocabulary()
    assert known.interact(one, other) == known.interact(other, one)
    assert not known.interact(one, one)


@pytest.mark.parametrize(
    "asks",
    [
        "My question is whether the infusion makes it acceptable.",
        "We should also like to know how often it comes back.",
        "Please tell me in plain words what going lower would gain me.",
    ],
)
def test_what_a_case_asks_without_a_question_mark_is_asked(asks: str) -> None:
    reading = read(f"{_FILLING}Is terlipressin right for her? {asks}", load_vocabulary())
    assert reading.asks == ["Is terlipressin right for her?", asks]


def test_what_a_case_begins_with_asks_nothing() -> None:
    asks = "I should be glad of your opinion on this lady of 75."
    reading = read(f"{asks} {_FILLING}Is terlipressin right for her?", load_vocabulary())
    assert reading.asks == ["Is terlipressin right for her?"]


def test_what_is_asked_is_told_by_its_characters() -> None:
    text = f"Is terlipressin right for her? {_FILLING}Should the dose be halved?"
    reading = read(text, load_vocabulary())
    assert [text[start:end] for start, end in reading.asking] == [
        "Is terlipressin right for her?",
        "Should the dose be halved?",
    ]


_TOLD = st.sampled_from(
    [
        "Man of 71, 16 kg lighter",
        "first dose given by mum 6 min ago and still going",
        "a fitting 4-year-old",
        "on warfarin",
    ]
)
_ASKS = st.sampled_from(["can we repeat it or go straight to a line?", "what else?", "Is it safe?", "Advice on dose"])
_AFTER = st.sampled_from(["", " (crew on scene)", " He is stable.", " If not, what else?"])


@given(
    st.lists(_TOLD, max_size=12),
    st.sampled_from([", ", "; ", ". "]),
    st.sampled_from([": ", ", ", ". "]),
    _ASKS,
    _AFTER,
)
@example(
    ["For a fitting 4-year-old, 16 kg, first dose given by mum 6 min ago, still going"],
    ", ",
    ": ",
    "can we repeat it or go straight to a line or mask?",
    " (crew on scene now)",
)
def test_something_is_always_asked_and_a_sentence_with_a_question_mark_among_it(
    told: list[str], between: str, before: str, asks: str, after: str
) -> None:
    text = f"{between.join(told)}{before}{asks}{after}" if told else f"{asks}{after}"
    reading = read(text, load_vocabulary())
    assert any(reading.asked)
    assert "?" not in asks or reading.asked[next(i for i, t in enumerate(reading.tokens) if t.text == "?")]
