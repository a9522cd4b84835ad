"""Claims are atomic, factual, and stand where they say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Span
from evidencegate.verify import Severity, claims, located_claims


def said(text: str) -> list[str]:
    return [claim.statement for claim in claims(text)]


WHOLE = [
    "Patients received tavaxin and placebo.",
    "Tavaxin did not reduce mortality or improve survival.",
    "Tavaxin is associated with reduced mortality and increased bleeding.",
    "The drug (which was safe, and was cheap) helped patients with gout.",
]


@pytest.mark.parametrize("text", WHOLE)
def test_one_fact_stays_one_claim(text: str) -> None:
    assert said(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Tavaxin reduced strokes and increased major bleeds.",
            ["Tavaxin reduced strokes", "Tavaxin increased major bleeds."],
        ),
        (
            "Mortality was 12% with tavaxin and 15% with placebo, but the difference was not significant.",
            ["Mortality was 12% with tavaxin and 15% with placebo", "the difference was not significant."],
        ),
        (
            "Tavaxin was given for 12 weeks; adverse events were rare.",
            ["Tavaxin was given for 12 weeks", "adverse events were rare."],
        ),
    ],
)
def test_sentences_fall_into_atomic_claims(text: str, expected: list[str]) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "What should be done?",
        "# Results of the trial",
        "Methods",
        "In this review we discuss the evidence for tavaxin in older adults.",
        "Further research is needed to establish the best dose.",
        "We propose a new classification of invented diseases.",
        "The outcomes were as follows:",
        "",
        "   \n\n ",
        "1. Miller A, Okafor B. An invented trial. J Invent. 2020;12:3-5. doi:10.1000/xyz",
        "| arm | n |",
        "Sure, here is the summary you wanted.",
    ],
)
def test_what_states_no_fact_gives_no_claim(text: str) -> None:
    assert claims(text) == ()


@given(st.text(alphabet=" .,;\n()[]#-?!abcdefghand but was were reduced 0123456789%²éΩ漢", max_size=200))
def test_claims_are_slices_in_order_and_disjoint(text: str) -> None:
    end = 0
    for claim in claims(text):
        assert claim.span.of(text) == claim.text
        assert claim.text.strip() == claim.text != ""
        assert end <= claim.span.start
        assert claim.statement.endswith(claim.text)
        end = claim.span.end


def test_ids_are_stable_and_skipped_stretches_are_left_out() -> None:
    text = "Tavaxin was safe in adults. It was cheap in adults."
    assert [claim.id for claim in claims(text)] == ["c1", "c2"]
    assert [claim.text for claim in claims(text, skip=[Span(28, len(text))])] == ["Tavaxin was safe in adults."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Patients should receive 100 mg daily.", Severity.HIGH),
        ("Mortality did not change in adults.", Severity.HIGH),
        ("Sleep improved in most of the adults.", Severity.MEDIUM),
        ("The trial was run in three invented towns.", Severity.LOW),
    ],
)
def test_severity_is_read_from_the_claim(text: str, expected: Severity) -> None:
    assert [claim.severity for claim in claims(text)] == [expected]


SENTENCE = "Tavaxin reduced stroke by 28% and did not change mortality in 1,000 adults."


@pytest.mark.parametrize(
    ("proposed", "place"),
    [
        ("Tavaxin reduced stroke by 28%", "Tavaxin reduced stroke by 28%"),
        ("Tavaxin did not change mortality.", "Tavaxin reduced stroke by 28% and did not change mortality"),
        ("did not change mortality in 1,000 adults", "did not change mortality in 1,000 adults"),
        ("Tavaxin reduced stroke by 38%", None),
        ("Tavaxin did not reduce stroke and did not change mortality", None),
        ("Warfarin causes bleeding in most elderly people", None),
    ],
)
def test_what_a_model_proposes_is_located_or_rejected(proposed: str, place: str | None) -> None:
    extracted = located_claims(SENTENCE, lambda sentences: [[proposed]] * len(sentences))
    if place is None:
        assert extracted.claims == ()
        assert extracted.rejected == (proposed,)
    else:
        (claim,) = extracted.claims
        assert (claim.text, claim.span.of(SENTENCE), claim.statement) == (place, place, proposed)


@given(st.lists(st.lists(st.text(max_size=40), max_size=3), max_size=4))
def test_any_proposals_give_claims_within_their_text(proposed: list[list[str]]) -> None:
    text = f"{SENTENCE} It was safe in all of the adults."
    for claim in located_claims(text, lambda sentences: proposed).claims:
        assert claim.span.of(text) == claim.text


def test_clauses_with_an_adverb_or_an_auxiliary_are_parted() -> None:
    text = "Bleeding did not differ, and quality of life improved markedly in adults."
    assert len(claims(text)) == 2
    assert len(claims("Tavaxin reduced stroke and did not change mortality in adults.")) == 2
    assert len(claims("Results showed that recruitment, retention, and collection of data met the targets.")) == 1
