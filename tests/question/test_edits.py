"""What a reader changes of a question's understanding decides; everything else follows from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.errors import InvalidInput
from evidencegate.question import PICO, Edits, load_vocabulary, understand

QUESTION = (
    "In adults with atrial fibrillation and chronic kidney disease, does apixaban reduce bleeding versus warfarin?"
)


def test_without_edits_nothing_changes() -> None:
    assert understand(QUESTION, edits=Edits()) == understand(QUESTION)


def test_tags_that_a_reader_chose_drive_the_field_and_the_searches() -> None:
    question = understand(QUESTION, edits=Edits(disease_tags=("CAP",), decision_tags=("duration",)))

    assert question.disease_tags.all == ("CAP",)
    assert question.decision_tags.all == ("duration",)
    assert question.classification.name == "infectious/pneumonia"
    assert "pneumonia" in question.sub_queries[0].query.lower()


def test_a_kind_that_a_reader_chose_brings_its_wider_tag_and_field() -> None:
    question = understand("Is sunitinib the first treatment?", edits=Edits(disease_tags=("KIDNEY_CANCER", "CKD")))

    assert question.disease_tags.all == ("KIDNEY_CANCER", "CKD", "CANCER")
    assert question.classification.name == "oncology/treatment"


@given(st.lists(st.sampled_from(sorted(load_vocabulary().tags)), min_size=1, max_size=8, unique=True))
def test_what_chosen_tags_imply_stands_after_them(names: list[str]) -> None:
    known = load_vocabulary().tags
    found = understand(QUESTION, edits=Edits(disease_tags=tuple(names))).disease_tags.all

    assert found[: len(names)] == tuple(names)
    assert set(found) == {*names, *(wider for name in names for wider in known[name].implies)}


def test_labels_name_tags_of_the_vocabulary_and_other_words_become_a_tag_of_their_own() -> None:
    label = load_vocabulary().tag("AF").label
    question = understand(QUESTION, edits=Edits(disease_tags=(label.upper(), "Zorblatt syndrome")))

    assert question.disease_tags.all == ("AF", "ZORBLATT_SYNDROME")
    assert [tag.label for tag in question.own_tags] == ["Zorblatt syndrome"]


def test_an_edited_intervention_is_what_is_searched_for() -> None:
    pico = PICO(patient="adults", intervention="dabigatran", comparison="warfarin", condition="atrial fibrillation")
    question = understand(QUESTION, edits=Edits(pico=pico))

    assert question.pico == pico
    assert question.intervention_terms == ("dabigatran",)
    assert all("dabigatran" in sub.query for sub in question.sub_queries)


def test_a_question_without_any_tag_left_is_refused() -> None:
    with pytest.raises(InvalidInput, match="keep or add"):
        understand(QUESTION, edits=Edits(disease_tags=(), decision_tags=()))


def test_an_unknown_decision_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidInput, match="anticoagulation"):
        understand(QUESTION, edits=Edits(decision_tags=("astrology",)))


def test_too_many_conditions_are_refused() -> None:
    with pytest.raises(InvalidInput, match="at most"):
        understand(QUESTION, edits=Edits(disease_tags=tuple(f"disease {n}" for n in range(9))))


def test_edits_are_kept_and_read_back() -> None:
    edits = Edits(pico=PICO(intervention="apixaban", comparison=None), disease_tags=("AF",), decision_tags=())

    assert Edits.from_json(edits.to_json()) == edits
    assert Edits.from_json(None) is None


@pytest.mark.parametrize("kept", [[], "AF", {"disease_tags": "AF"}, {"pico": {"wrong": "x"}}, {"pico": {"patient": 3}}])
def test_edits_of_another_shape_are_refused(kept: object) -> None:
    with pytest.raises(InvalidInput, match="edited question"):
        Edits.from_json(kept)  # type: ignore[arg-type]
