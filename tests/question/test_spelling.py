"""Misspelt names: read as meant where only one can be meant, and said so; never replaced in silence."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.errors import InvalidInput
from evidencegate.evaluate.question import questions
from evidencegate.question import load_vocabulary, question_json, understand
from evidencegate.question._spelling import slips, spelled

LOTS = Path(__file__).parents[2] / "training/question"
_WORDS = st.text("abcde", max_size=8)


@pytest.mark.parametrize(
    ("text", "written", "meant"),
    [
        ("Is apixiban safe in kidney disease?", "apixiban", "apixaban"),
        ("Which drug for atrial fibrilation?", "fibrilation", "fibrillation"),
        ("Best medicine for hypertention", "hypertention", "hypertension"),
        ("Clopidogrel plus asprin after stroke", "asprin", "aspirin"),
        ("Clozapine dose in scizophrenia", "scizophrenia", "schizophrenia"),
    ],
)
def test_what_can_only_be_one_name_is_read_as_it_and_said(text: str, written: str, meant: str) -> None:
    question = understand(text)

    assert [(s.written, s.meant, s.read) for s in question.spelling] == [(written, (meant,), True)]
    assert {"written": written, "meant": [meant], "read": True} in question_json(question)["spelling"]
    assert f'"{written}" is read as {meant}' in map(str, question.spelling)
    assert question.text == text


def test_the_question_is_read_with_what_is_meant() -> None:
    misspelt = understand("Apixiban or warfarin for atrial fibrilation in dialysis?")
    plain = understand("Apixaban or warfarin for atrial fibrillation in dialysis?")

    assert misspelt.disease_tags == plain.disease_tags
    assert misspelt.intervention_terms == plain.intervention_terms
    assert [s.query for s in misspelt.sub_queries] == [s.query for s in plain.sub_queries]


def test_a_drug_that_no_list_knows_is_no_misspelt_one() -> None:
    question = understand("Is zelnoxaban better than warfarin in atrial fibrillation?")

    assert "zelnoxaban" in question.intervention_terms
    assert not any(word.read for word in question.spelling)


def test_plain_words_near_a_name_stay_as_they_are() -> None:
    text = "The conclusion of the confession is of some importance; materials influence the animation of the oversight."

    assert spelled(text, load_vocabulary()) == (text, ())


def test_hardly_a_word_of_labelled_questions_is_taken_for_misspelt() -> None:
    vocabulary = load_vocabulary()
    files = ("questions", *(LOTS / f"lots_{name}.yaml" for name in ("further", "later", "fresh")))
    found = {word.written for file in files for case in questions(file) for word in spelled(case.text, vocabulary)[1]}

    assert len(found) <= 6, found


def test_a_refused_question_says_what_may_have_been_meant() -> None:
    with pytest.raises(InvalidInput, match=r"did you mean .*diarrhea"):
        understand("my dog has diahrroea")


@given(_WORDS, _WORDS)
def test_slips_are_symmetric_and_bounded(one: str, other: str) -> None:
    assert slips(one, other, 9) == slips(other, one, 9) <= max(len(one), len(other))
    assert (slips(one, other, 9) == 0) == (one == other)
    assert slips(one, other, 1) == min(slips(one, other, 9), 2)


def test_two_letters_that_changed_places_are_one_slip() -> None:
    assert slips("warfarin", "wrafarin", 2) == 1


@pytest.mark.parametrize(
    ("asked", "not_read"),
    [
        ("Is methenamine as good as antibiotics for cystitis in a premenopausal woman?", "MENOPAUSE"),
        ("Is normotension with headache a reason to look for tumors of the adrenal gland?", "HTN"),
    ],
)
def test_a_word_with_another_beginning_is_another_word(asked: str, not_read: str) -> None:
    question = understand(asked)
    assert not_read not in question.disease_tags.all
    assert not any(word.read for word in question.spelling)
