"""Names in both spellings and both numbers."""

from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.question import load_vocabulary, phrase, understand
from evidencegate.sources._concepts import concepts
from evidencegate.sources._names import (
    MOST_NAMES,
    _searched,
    forms,
    is_phrase,
    names_of_condition,
    names_of_treatment,
    other_number,
    other_spelling,
    told_of,
    word_list,
)

_LABELS = sorted(tag.label for tag in load_vocabulary().tags.values())
_PLAIN = understand("Does amlodipine lower blood pressure?")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ischemic stroke", "ischaemic stroke"),
        ("leukemia", "leukaemia"),
        ("hemorrhage", "haemorrhage"),
        ("brain tumor", "brain tumour"),
        ("lymphedema", "lymphoedema"),
        ("gastroesophageal reflux", "gastro-oesophageal reflux"),
        ("diarrhea", "diarrhoea"),
        ("sleep apnea", "sleep apnoea"),
        ("hospitalization", "hospitalisation"),
        ("celiac disease", "coeliac disease"),
        ("hypoglycemic", "hypoglycaemic"),
    ],
)
def test_both_spellings(one: str, other: str) -> None:
    assert other_spelling(one) == other
    assert other_spelling(other) == one


@pytest.mark.parametrize("name", ["systemic lupus", "epidemic", "chemotherapy", "angioedema", "academic", "asthma"])
def test_what_is_written_alike_stays(name: str) -> None:
    assert other_spelling(name) == name


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("statin", "statins"),
        ("beta-blocker", "beta-blockers"),
        ("heparin", "heparins"),
        ("hip fracture", "hip fractures"),
        ("malignancy", "malignancies"),
    ],
)
def test_both_numbers(one: str, many: str) -> None:
    assert other_number(one) == many
    assert other_number(many) == one


@pytest.mark.parametrize("name", ["diabetes", "metformin", "herpes", "asthma", "chronic kidney disease", "sepsis"])
def test_what_is_not_counted_has_one_number(name: str) -> None:
    assert other_number(name) == name


@given(st.lists(st.sampled_from(_LABELS), max_size=5))
def test_forms_hold_every_name_once_and_mean_the_same(names: list[str]) -> None:
    found = forms(names)

    assert {name.casefold() for name in names} <= {form.casefold() for form in found}
    assert len({form.casefold() for form in found}) == len(found)
    assert {phrase(form.replace("gastro-oes", "gastrooes")) for form in found} <= {
        phrase(name.replace("gastro-oes", "gastrooes")) for name in names
    }


@given(st.sampled_from(sorted(load_vocabulary().tags)))
def test_a_condition_has_a_few_names_the_usual_first_and_none_within_another(name: str) -> None:
    found = names_of_condition(name, _PLAIN).names

    assert 1 <= len(found) <= MOST_NAMES
    listed = _searched().get(name)
    assert phrase(found[0]) == phrase(listed.names[0] if listed else load_vocabulary().tag(name).label)
    for place, one in enumerate(found):
        assert not any(f" {' '.join(phrase(kept))} " in f" {' '.join(phrase(one))} " for kept in found[:place])


@given(st.sampled_from(sorted(load_vocabulary().treatments)))
def test_a_treatment_that_is_named_is_searched_for_by_that_name(name: str) -> None:
    found = names_of_treatment(name, _PLAIN).names

    assert 1 <= len(found) <= MOST_NAMES
    assert phrase(found[0]) == phrase(name) or name.casefold() in word_list("spelled_out")


def test_a_treatment_that_no_list_knows_is_its_own_name() -> None:
    assert names_of_treatment("zorbumab", _PLAIN).names == ("zorbumab",)
    assert not names_of_condition("NO_SUCH_TAG", _PLAIN)


@given(st.sampled_from(sorted(load_vocabulary().tags)))
def test_no_heading_of_a_wider_condition_stands_for_a_narrower_one(name: str) -> None:
    tags = load_vocabulary().tags
    mesh = names_of_condition(name, _PLAIN).mesh

    assert set(mesh) <= set(tags[name].mesh)
    assert not any(set(mesh) & set(tags[parent].mesh) for parent in tags[name].implies)


def test_lists_of_names_are_of_conditions_that_are_known_and_can_be_searched_for() -> None:
    for tag, searched in _searched().items():
        assert tag in load_vocabulary().tags
        assert 1 <= len(searched.names) <= MOST_NAMES
        assert len({phrase(name) for name in searched.names}) == len(searched.names)
        assert all(map(is_phrase, searched.names))


@pytest.mark.parametrize(
    ("name", "searched", "not_searched"),
    [
        ("EMPYEMA", "pleural infection", "pus in the pleura"),
        ("BACTEREMIA", "bloodstream infection", "gram negative bloodstream infection"),
    ],
)
def test_a_condition_is_searched_for_as_abstracts_call_it(name: str, searched: str, not_searched: str) -> None:
    names = names_of_condition(name, _PLAIN).names
    assert searched in names
    assert not_searched not in names


def test_what_a_question_calls_a_condition_comes_first_whatever_the_lists_say() -> None:
    asked = understand("Five days or seven for a gram-negative bloodstream infection, if afebrile on amoxicillin?")
    assert phrase(names_of_condition("BACTEREMIA", asked).names[0]) == phrase("gram negative bloodstream infection")


def test_a_heading_with_something_else_below_it_is_not_searched_for() -> None:
    assert load_vocabulary().tag("PURPURA").mesh
    assert not names_of_condition("PURPURA", _PLAIN).mesh


@pytest.mark.parametrize(
    "name", ["hepatitis B", "type 2 diabetes", "vitamin D deficiency", "factor V Leiden", "h pylori"]
)
def test_a_letter_or_figure_is_part_of_a_name(name: str) -> None:
    assert is_phrase(name)


@pytest.mark.parametrize("name", ["a fib", "donated a kidney", "i faint", ""])
def test_a_phrase_with_an_article_is_not_searched_for(name: str) -> None:
    assert not is_phrase(name)


def test_the_letter_of_a_disease_is_searched_for() -> None:
    question = understand("Does tenofovir work in chronic hepatitis B?")
    assert any("hepatitis b" in name.casefold() for name in concepts(question.sub_queries[0], question).condition.names)


def test_an_abbreviation_that_is_a_word_is_written_out() -> None:
    names = names_of_treatment("TOE", _PLAIN).names
    assert "transesophageal echocardiography" in names
    assert "TOE" not in names


def test_what_a_question_tells_is_searched_for_as_abstracts_call_it() -> None:
    assert told_of("organisms", "Staph aureus in two bottles") == ("Staphylococcus aureus", "S aureus", "MRSA")
    assert told_of("qualifiers", "Is it safe by mouth?") == ("oral", "oral switch", "step-down")
    assert told_of("qualifiers", "Is it safe?") == ()


def test_episodes_on_a_device_are_not_all_atrial_fibrillation() -> None:
    assert "Atrial Fibrillation" in names_of_condition("AF", _PLAIN).mesh
    assert "Atrial Fibrillation" not in names_of_condition("AHRE", _PLAIN).mesh


@pytest.mark.parametrize(
    ("name", "also"),
    [("ecg", "electrocardiogram"), ("mri", "magnetic resonance imaging"), ("left atrial appendage closure", "laao")],
)
def test_tests_and_procedures_are_searched_for_by_all_their_names(name: str, also: str) -> None:
    assert also in names_of_treatment(name, _PLAIN).names


def test_a_name_that_is_cut_short_is_read_and_not_searched_for() -> None:
    question = understand("Is clopi still needed with apix after a stent?")
    assert "thiamin" in names_of_treatment("thiamine", _PLAIN).names
    assert question.intervention_terms == ("clopidogrel", "apixaban")
    names = {name for one in question.intervention_terms for name in names_of_treatment(one, question).names}
    assert not names & {"clopi", "apix"}


def test_groups_of_names_hold_what_is_known_and_each_name_once() -> None:
    text = files("evidencegate.sources").joinpath("data/same.txt").read_text("utf-8")
    groups = [line.split(" = ") for line in text.splitlines() if not line.startswith("#")]
    names = [phrase(name) for group in groups for name in group]
    known = load_vocabulary().treatments.values()
    procedures = {phrase(name) for one in known if not one.drug for name in (one.term, *one.synonyms)}

    assert len(names) == len(set(names))
    assert all(len(group) > 1 and procedures.intersection(map(phrase, group)) for group in groups)


def test_a_tag_of_ones_own_is_searched_for_by_its_own_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = sorted(_searched())[0]
    (tmp_path / "mine.yaml").write_text(f"{name}:\n  label: silly walk disorder\n  synonyms: ministry gait\n")
    monkeypatch.setenv("EVIDENCEGATE_TAGS", str(tmp_path))
    found = names_of_condition(name, understand("How is silly walk disorder treated?"))
    assert set(found.names) == {"silly walk disorder", "ministry gait"}
