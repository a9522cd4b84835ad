"""Which sentences may answer."""

import pytest

from evidencegate.documents import Document, Section, Span, sentences
from evidencegate.report._worth import Part, holds_dose, kernel, part_of, uneven, worth


def _document(text: str, label: str | None = None) -> Document:
    sections = () if label is None else (Section(label=label, span=Span(0, len(text))),)
    return Document(id="local:1", title="An invented study", text=text, sections=sections)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("We aimed to determine whether zelfaban lowers mortality in adults.", Part.AIM),
        ("The aim of this study was to compare two doses of zelfaban.", Part.AIM),
        ("Patients were randomized to zelfaban or placebo for twelve weeks.", Part.METHOD),
        ("The primary outcome was death from any cause at one year.", Part.METHOD),
        ("We, therefore, examined the association between zelfaban and mortality.", Part.AIM),
        ("We investigated whether zelfaban reduced mortality in a large cohort.", Part.AIM),
        ("The present study determined the efficacy of zelfaban compared with placebo.", Part.AIM),
        ("Further randomised trials of zelfaban in adults are needed to confirm this.", Part.AIM),
        ("Emerging evidence suggests that zelfaban may decrease the risk of sepsis.", Part.BACKGROUND),
        ("Previous observational and interventional studies have suggested a benefit.", Part.BACKGROUND),
        ("The hypothesis was that glucose decreases with daily zelfaban in adults.", Part.AIM),
        ("The mechanisms of zelfaban remain not well studied in adults with sepsis.", Part.AIM),
        ("Once these obstacles have been overcome, zelfaban may become a safer alternative.", Part.AIM),
        ("Mechanisms by which zelfaban lowers mortality are also discussed.", Part.METHOD),
        ("A comprehensive search was then conducted to identify trials of zelfaban.", Part.METHOD),
        ("The outcome measures (scores and symptoms) primarily reflect control in our population.", Part.METHOD),
        ("We conclude that zelfaban lowers mortality in adults with sepsis.", Part.CONCLUSION),
        ("Mortality was significantly lower with zelfaban than with placebo.", Part.RESULT),
        ("Zelfaban is an invented drug that this suite uses.", Part.UNLABELLED),
    ],
)
def test_words_tell_the_part_where_no_label_does(text: str, part: Part) -> None:
    assert part_of(_document(text), Span(0, len(text))) is part


@pytest.mark.parametrize(
    ("label", "part"),
    [
        ("CONCLUSIONS", Part.CONCLUSION),
        ("Results", Part.RESULT),
        ("BACKGROUND", Part.BACKGROUND),
        ("Objective", Part.AIM),
        ("Methods > Participants", Part.METHOD),
        ("MAIN OUTCOME MEASURES", Part.METHOD),
    ],
)
def test_a_label_decides(label: str, part: Part) -> None:
    text = "Zelfaban is an invented drug that this suite uses."
    assert part_of(_document(text, label), Span(0, len(text))) is part


@pytest.mark.parametrize(
    "text",
    [
        "Too short to say.",
        "and it was lower with zelfaban than with placebo in all groups",
        "0.1 0.2 0.3 4.5 6.7 8.9 10 11 12 13 14 15.",
        "Does zelfaban lower mortality in adults with severe invented sepsis?",
        "We aimed to determine whether zelfaban lowers mortality in adults.",
        "word " * 90 + ".",
    ],
)
def test_some_sentences_never_answer(text: str) -> None:
    assert worth(_document(text), Span(0, len(text.rstrip()))) == 0


def test_a_sentence_that_leans_on_another_is_worth_less() -> None:
    text = "Zelfaban significantly reduced mortality in adults. It significantly reduced mortality in children too."
    first, second = sentences(text)
    document = _document(text)

    assert 0 < worth(document, second) < worth(document, first)


def test_a_label_in_running_text_decides_up_to_the_next() -> None:
    text = (
        "BACKGROUND: Zelfaban is an invented drug of some interest. It has been studied by this suite. "
        "CONCLUSIONS: Zelfaban is an invented drug of great interest."
    )
    document = _document(text)

    assert [part_of(document, s) for s in sentences(text)] == [Part.BACKGROUND, Part.BACKGROUND, Part.CONCLUSION]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("CONCLUSIONS: Zelfaban works. © 2013 Invented Ltd.", "Zelfaban works."),
        ("Conclusions: Zelfaban works.", "Zelfaban works."),
        ("Zelfaban works. Copyright 2013 Invented Ltd.", "Zelfaban works."),
        ("Zelfaban works in adults.", "Zelfaban works in adults."),
        ("HR: 0.72 was found for zelfaban.", "HR: 0.72 was found for zelfaban."),
    ],
)
def test_the_kernel_of_a_sentence(text: str, kept: str) -> None:
    assert kernel(_document(text), Span(0, len(text))).of(text) == kept


def test_doses_are_seen() -> None:
    assert holds_dose("Give 5 mg twice daily.")
    assert holds_dose("A bolus of 80 IU/kg was given.")
    assert not holds_dose("Mortality fell by 5% in 30 days among 80 patients.")


UNLABELLED = (
    "Most surgeons remove the zelf gland of children with a cold swelling. Thirty children with a swelling came in "
    "ten years. The stay was shorter after drainage (median 2 v 5 days). Drainage was followed by no more pain. "
    "Drainage is what most children with a swelling need."
)


def test_an_abstract_without_labels_opens_with_what_was_known_and_closes_with_what_follows() -> None:
    document = _document(UNLABELLED)
    first, *_, last = sentences(UNLABELLED)

    assert part_of(document, first) is Part.BACKGROUND
    assert part_of(document, last) is Part.CONCLUSION
    assert part_of(_document(last.of(UNLABELLED)), Span(0, len(last.of(UNLABELLED)))) is Part.UNLABELLED


@pytest.mark.parametrize(
    "text",
    [
        "To study whether zelfaban during pregnancy reduces the risk of sepsis.",
        "Previous trials of zelfaban have included people without any sepsis.",
        "It is not yet known whether a longer course of zelfaban would help.",
        "Thirty-four patients were treated with either zelfaban or tavaxin weekly.",
        "Severity of sepsis was assessed by questionnaire in the first year.",
        "Relapse is defined as a new sepsis more than a year after treatment.",
    ],
)
def test_what_was_asked_known_or_done_is_no_answer(text: str) -> None:
    assert worth(_document(text), Span(0, len(text))) < 0.2


def test_a_label_glued_to_its_sentence_is_not_shown() -> None:
    text = "Results Current users of zelfaban had fewer attacks of sepsis than others."
    assert kernel(_document(text), Span(0, len(text))).of(text).startswith("Current users")
    named = "Objective Structured Clinical Examinations were passed by most."
    assert kernel(_document(named), Span(0, len(named))).of(named) == named


@pytest.mark.parametrize(
    "text",
    [
        "Persons younger than 76 years with type 2 diabetes in the zelfaban clinics of two cities.",
        "Further confirmation is required in other large studies before recommendations on zelfaban can be issued.",
        "A prospective cohort study included infants of 1,500 grams or less, divided into two groups of zelfaban.",
        "They randomised 497 children with fever to zelfaban or to a new drug in two villages.",
        "The results are discussed in the light of a growing resistance to zelfaban in other areas.",
        "In a randomised trial, 497 children with fever were given zelfaban or six doses of another drug.",
    ],
)
def test_what_was_done_who_took_part_and_what_is_wished_answer_nothing(text: str) -> None:
    assert worth(_document(text), Span(0, len(text))) == 0


def test_among_results_a_sentence_that_reports_nothing_is_worth_less() -> None:
    text = (
        "Seven of the 43 were at home and 17 were in a clinic. Zelfaban significantly lowered mortality in 43 adults."
    )
    document = _document(text, "Results")
    silent, telling = (worth(document, sentence) for sentence in sentences(text))

    assert 0 < silent < 0.5 <= telling


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The association between zelfaban and stroke did not significantly differ by region.", True),
        ("Results indicate differences between geographical regions in associations with stroke.", True),
        ("Little evidence of publication bias was found in trials of zelfaban.", True),
        ("The combined RR of stroke was 0.89, and little evidence of heterogeneity was observed.", False),
        ("Mortality differed between zelfaban and placebo in adults with sepsis.", False),
    ],
)
def test_how_even_a_finding_is_says_little_of_it(text: str, expected: bool) -> None:
    assert uneven(text) is expected
