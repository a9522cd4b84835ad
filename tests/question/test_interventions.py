"""Which of the treatments and tests that a question names it is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.question import understand
from evidencegate.question._data import packed
from evidencegate.question._interventions import MOST, intervention_traits, treatments_named
from evidencegate.question._read import read
from evidencegate.question._vocabulary import load_vocabulary

CUPBOARD = (
    "A girl of six, 21 kg, focal epilepsy on lamotrigine 75 mg twice daily, has been in a convulsion for 25 minutes"
    " in spite of midazolam. Glucose 6.1, sodium 138, temperature 37.4. Her mother is with her, and a single "
    "cannula is in the left hand. The resuscitation bay has levetiracetam and phenobarbital in the cupboard. Which "
    "second-line drug should be given now, and how long do we wait before we call for thiopental?"
)
NAMES = sorted(name for name, known in load_vocabulary().treatments.items() if known.drug)


def _features(text: str) -> dict[str, frozenset[str]]:
    question = understand(text)
    reading = read(text, load_vocabulary())
    named = intervention_traits(reading, question.disease_tags, question.decision_tags, reading.vocabulary)
    return {one.name: features for one, features in named}


def test_every_weight_is_of_a_trait_and_says_something() -> None:
    weights = packed("intervention_weights")
    assert len(weights) > 1000
    assert all(weights.values())
    told = frozenset[str]().union(*_features(CUPBOARD).values())
    assert len(told & weights.keys()) > len(told) / 3


@pytest.mark.parametrize(
    ("name", "traits"),
    [
        ("thiopental", {"?", "ruled", "drug ?", "which"}),
        ("levetiracetam", {".", "1 before", "given for the primary", "and", "to decide drug_choice"}),
        ("lamotrigine", {".", "far before", "dose", "given for the primary"}),
    ],
)
def test_what_is_heard_of_each(name: str, traits: set[str]) -> None:
    assert traits <= _features(CUPBOARD)[name]


def test_a_test_that_is_told_with_its_result_is_heard_so() -> None:
    told = "Warfarin for atrial fibrillation, INR was 6.1 on Monday, echo fine. Should she have an echo again?"
    features = _features(told)
    assert "figure" in features["international normalized ratio"]
    assert "figure" not in features["echocardiography"]


def test_what_there_is_to_choose_from_is_asked_about_and_comes_after_what_is_named() -> None:
    terms = understand(CUPBOARD).intervention_terms
    assert terms[0] == "thiopental"
    assert {"levetiracetam", "phenobarbital"} <= set(terms)
    assert "lamotrigine" not in terms
    assert "levetiracetam" in understand(CUPBOARD).pico.intervention


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Does metformin reduce mortality in type 2 diabetes?", ("metformin",)),
        ("Atrial fibrillation after cardiac surgery: amiodarone or metoprolol?", ("amiodarone", "metoprolol")),
        (
            "My father takes metformin, ramipril and atorvastatin. He has gout now. Which drug should he have, "
            "allopurinol or febuxostat?",
            ("allopurinol", "febuxostat"),
        ),
        ("Is tiopronin better than potassium citrate for cystine stones?", ("tiopronin", "potassium citrate")),
        ("Any way to prevent falls in Parkinson disease?", ()),
    ],
)
def test_what_a_question_is_about(text: str, terms: tuple[str, ...]) -> None:
    assert understand(text).intervention_terms == terms


@given(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=12, unique=True),
    st.sampled_from(
        ["He has gout. The ward has {}. Which of them should he be given for gout?", "{}", "On {} for years."]
    ),
)
def test_only_what_is_named_is_asked_about_and_once_and_no_more_than_eight(names: list[str], asking: str) -> None:
    text = asking.format(", ".join(names))
    terms = understand(text).intervention_terms
    named = {one.name for one in treatments_named(read(text, load_vocabulary()))}
    assert set(terms) <= named
    assert len(set(terms)) == len(terms) <= MOST


def test_a_flood_of_names_is_read_to_its_end() -> None:
    told = "He takes apixaban and metformin and ramipril with warfarin while furosemide is given for heart failure "
    terms = understand(f"{told * 180}. Which of these should be stopped?").intervention_terms
    assert terms
    assert set(terms) <= {"apixaban", "metformin", "ramipril", "warfarin", "furosemide"}
