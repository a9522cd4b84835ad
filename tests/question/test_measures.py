"""Findings that name a condition without its name: figures, scores, and what does so only together."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidencegate.evaluate.question import questions
from evidencegate.question import load_vocabulary, understand
from evidencegate.question._candidates import candidates
from evidencegate.question._measures import Measure, measured, measures, without_figures
from evidencegate.question._read import read

LOTS = Path(__file__).parents[2] / "training/question"


def _measure(pattern: str = r"EF (\d+)", **fields: object) -> Measure:
    plain: dict[str, object] = {
        "tag": "HFrEF",
        "words": (),
        "pattern": pattern,
        "low": 5,
        "high": 40,
        "rise": 0,
        "beside": frozenset(),
        "unless": frozenset(),
        "together": "",
        "alone": False,
    }
    return Measure(**(plain | fields))  # type: ignore[arg-type]


def test_every_finding_speaks_for_a_tag_there_is() -> None:
    tags = load_vocabulary().tags.keys()
    for measure in measures():
        assert {measure.tag} | measure.beside | measure.unless <= tags, measure


def test_a_figure_counts_within_its_bounds() -> None:
    assert measured("EF 28", [_measure()], set()).keys() == {"HFrEF"}
    assert measured("EF 58", [_measure()], set()) == {}
    assert measured("EF 58, later EF 28", [_measure()], set()).keys() == {"HFrEF"}


@pytest.mark.parametrize(
    ("text", "tag", "there"),
    [
        ("Midwife: 39+2, waters went three hours ago.", "PREGNANCY", True),
        ("AML, third week after 7+3 with midostaurin.", "PREGNANCY", False),
        ("Cirrhosis, tap in April grew E. coli: a proper SBP.", "SPONTANEOUS_BACTERIAL_PERITONITIS", True),
        ("Cirrhosis on propranolol, SBP 92 and HR 58.", "SPONTANEOUS_BACTERIAL_PERITONITIS", False),
        ("She was paced in 2020; nine episodes flagged as AF.", "AHRE", True),
        ("Pacemaker in 2019. Two episodes of AF felt at home.", "AHRE", False),
        ("Semaglutide, lap chole on Thursday: aspiration risk?", "ASPIRATION_UNDER_ANESTHESIA", True),
        ("Joint aspiration in theatre grew MSSA.", "ASPIRATION_UNDER_ANESTHESIA", False),
    ],
)
def test_findings_that_look_alike(text: str, tag: str, there: bool) -> None:
    vocabulary = load_vocabulary()
    named = {mention.name for mention in read(text, vocabulary).diseases}
    named |= {up for name in named for up in vocabulary.ancestors.get(name, ())}
    assert (tag in measured(text, vocabulary.measures, named)) is there


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Decompensated cirrhosis, urinary sodium 8, creatinine from 0.9 to 2.8 in six days.", True),
        # Named, so that nothing must tell it.
        ("Hepatorenal syndrome in cirrhosis, urinary sodium 8, creatinine from 0.9 to 2.8 in six days.", False),
    ],
)
def test_a_finding_without_figures_tells_what_is_not_named(text: str, told: bool) -> None:
    vocabulary = load_vocabulary()
    plain = tuple(without_figures())
    there = {mention.name for mention in read(text, vocabulary).diseases}
    assert ("HEPATORENAL_SYNDROME" in measured(text, plain, there)) is told


@pytest.mark.parametrize(
    "text",
    [
        "Nobody knows why he is so tired. He has no cloudy effluent. What is next?",
        "Her mother had cloudy effluent and a Tenckhoff catheter. She herself is tired. What is next?",
    ],
)
def test_what_is_found_in_nobody_or_another_tells_nothing(text: str) -> None:
    reading = read(text, load_vocabulary())
    assert "ESRD" not in {one.name for one in candidates(reading, reading.vocabulary)}


def test_what_a_kind_of_is_named_is_not_told_besides() -> None:
    def found(text: str) -> set[str]:
        reading = read(text, load_vocabulary())
        return {one.name for one in candidates(reading, reading.vocabulary)}

    course = "calprotectin 1150, bloody stools, azathioprine since May. What is next?"
    assert "IBD" in found(f"Nobody has named it yet: {course}")
    assert "IBD" not in found(f"Crohn's disease, {course}")


def test_what_is_found_tells() -> None:
    reading = read("He has cloudy effluent and belly pain since last night. What is next?", load_vocabulary())
    assert "ESRD" in {one.name for one in candidates(reading, reading.vocabulary)}


@pytest.mark.parametrize("written", ["1,480", "1 480", "1480"])
def test_thousands_may_be_parted(written: str) -> None:
    of_protein = _measure(r"NT-proBNP ([\d, ]+)", tag="HF", low=1400, high=1500)
    assert measured(f"NT-proBNP {written}", [of_protein], set()).keys() == {"HF"}


def test_a_comma_may_be_a_point() -> None:
    assert measured("K 5,9", [_measure(r"K (\d,\d)", low=5.5, high=9)], set())


def test_a_figure_that_a_pattern_does_not_need_may_be_missing() -> None:
    assert measured("EF reduced", [_measure(r"EF (?:(\d+)|reduced)")], set()).keys() == {"HFrEF"}


@settings(max_examples=300, deadline=None)
@given(st.data(), st.sampled_from(measures()))
def test_whatever_a_pattern_finds_has_one_of_its_words(data: st.DataObject, measure: Measure) -> None:
    text = data.draw(st.from_regex(re.compile(measure.pattern, re.IGNORECASE)))
    always = replace(measure, words=())
    assert measured(text, [measure], measure.beside) == measured(text, [always], measure.beside)


@pytest.mark.parametrize("written", ["Σ_ſKi", "EFFİſİENT KIDNEYS", "effısıent Kidneys"])
def test_letters_that_count_as_others_count_in_words_too(written: str) -> None:
    found = _measure("i[sc]ient|ski", words=("isi", "ici", "ski"))
    assert measured(written, [found], set())
    assert measured(written, [replace(found, words=("isk",))], set()) == {}


def test_the_words_are_those_of_the_patterns() -> None:
    lots = [question.text for question in questions(LOTS / "lots_fresh.yaml")[:60]]
    for measure in measures():
        re.compile(measure.together)
        always = replace(measure, words=())
        for text in lots:
            assert measured(text, [measure], measure.beside) == measured(text, [always], measure.beside)


@settings(max_examples=150, deadline=None)
@given(st.text("0123456789 ,.%/-EFGRHbACKINTph", max_size=60), st.sampled_from(measures()))
def test_no_finding_fails_on_figures_however_written(figures: str, measure: Measure) -> None:
    named = measure.pattern.replace("\\b", "")[:30]
    measured(f"{named} {figures} eGFR {figures} HbA1c {figures} potassium {figures} BP {figures}", [measure], set())


def test_a_rise_is_told_by_both_figures() -> None:
    rising = _measure(r"from (\d+) to (\d+)", rise=1.5, tag="AKI")
    assert measured("creatinine from 80 to 120", [rising], set()).keys() == {"AKI"}
    assert measured("creatinine from 80 to 119", [rising], set()) == {}
    assert measured("creatinine from 0 to 119", [rising], set()) == {}


@pytest.mark.parametrize(
    ("fields", "there", "found"),
    [
        ({"alone": True}, set(), True),
        ({"alone": True}, {"GOUT"}, False),
        ({"beside": frozenset({"HF"})}, set(), False),
        ({"beside": frozenset({"HF"})}, {"HF"}, True),
        ({"unless": frozenset({"MYOCARDITIS"})}, {"MYOCARDITIS"}, False),
        ({"together": "NYHA"}, set(), True),
        ({"together": "sacubitril"}, set(), False),
    ],
)
def test_what_stands_beside_decides(fields: dict[str, object], there: set[str], found: bool) -> None:
    assert measured("EF 28, NYHA III", [_measure(**fields)], there).keys() == ({"HFrEF"} if found else set())


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("LVEF 28 %, NYHA III in spite of bisoprolol. Which drug should be added next?", "HFrEF"),
        ("Ejection fraction 61 per cent, NT-proBNP 2,100, breathless on stairs. Would empagliflozin help?", "HFpEF"),
        ("Noradrenaline since midnight, meropenem running, lactate 4.4. Should vasopressin be added?", "SEPSIS"),
        (
            "Two sets of blood cultures grew Staphylococcus aureus. For how long should cefazolin be given?",
            "BACTEREMIA",
        ),
        ("Her eGFR was 71 in 2015 and 43 this month. May metformin go on?", "CKD"),
        ("Platelets today are 34. Is enoxaparin safe?", "THROMBOCYTOPENIA"),
        ("T-score of minus 2.9 at the spine. Which drug to begin with?", "OSTEOPOROSIS"),
        ("NIHSS 3, sinus rhythm. Clopidogrel with aspirin for how many days?", "STROKE"),
        ("Clots in both lower lobe arteries on CT. Rivaroxaban or apixaban?", "VTE"),
        ("Creatinine rose from 80 to 190 after a week of diclofenac. When should it be checked again?", "AKI"),
        ("Circulation came back after twenty minutes. Which tests predict a poor outcome?", "CARDIAC_ARREST"),
    ],
)
def test_a_condition_is_named_by_its_findings(text: str, tag: str) -> None:
    assert tag in understand(text).disease_tags.all


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Blood cultures have not grown anything. Can antibiotics for pneumonia be stopped?", "BACTEREMIA"),
        ("SARS-CoV-2 test negative, influenza in the ward. Is oseltamivir worth giving?", "COVID19"),
        (
            "No portal vein thrombosis; portal vein patent. Is carvedilol enough for varices in cirrhosis?",
            "PORTAL_VEIN_THROMBOSIS",
        ),
        ("Noradrenaline after a myocardial infarction with cardiogenic shock: better than dopamine?", "SEPSIS"),
    ],
)
def test_what_is_not_there_is_not_found(text: str, tag: str) -> None:
    assert tag not in understand(text).disease_tags.all


def test_a_finding_that_is_asked_about_leads() -> None:
    asked = understand("A man of 70 with gout and prostate enlargement. How much insulin for a potassium of 6.9?")
    assert asked.disease_tags.primary == "HYPERKALEMIA"
