"""Numbers are read as what they are, and compared by what they say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.verify import Agreement, Kind, compare, quantities


def read(text: str) -> list[tuple[Kind, float]]:
    return [(q.kind, round(q.value, 6)) for q in quantities(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HR 0.72", [(Kind.RATIO, 0.72)]),
        ("aHR: 1.28 [95% CI, 1.05 to 1.55]", [(Kind.RATIO, 1.28), (Kind.INTERVAL, 1.05)]),
        ("the hazard ratio for death, 0.80", [(Kind.RATIO, 0.80)]),
        ("OR (95% CI) 2.1 (1.3, 3.4)", [(Kind.RATIO, 2.1), (Kind.INTERVAL, 1.3)]),
        ("mean difference −3.2 mmHg", [(Kind.DIFFERENCE, -3.2)]),
        ("P = 0. 05", [(Kind.P_VALUE, 0.05)]),
        ("p<0·001", [(Kind.P_VALUE, 0.001)]),
        ("n=1,234", [(Kind.COUNT, 1234)]),
        ("45 adult patients", [(Kind.COUNT, 45)]),
        ("28/143", [(Kind.FRACTION, 19.58042)]),
        ("34 of 150 patients", [(Kind.FRACTION, 22.666667)]),
        ("28 % lower", [(Kind.CHANGE, 0.72)]),
        ("reduced LDL by 28%", [(Kind.CHANGE, 0.72)]),
        ("halved", [(Kind.CHANGE, 0.5)]),
        ("doubled", [(Kind.CHANGE, 2)]),
        ("a 5-fold increase", [(Kind.CHANGE, 5)]),
        ("7.5%", [(Kind.PERCENT, 7.5)]),
        ("500mg", [(Kind.AMOUNT, 0.5)]),
        ("0.5 g", [(Kind.AMOUNT, 0.5)]),
        ("six months", [(Kind.DURATION, 182.625)]),
        ("2 years", [(Kind.DURATION, 730.5)]),
        ("in 2019", [(Kind.YEAR, 2019)]),
        ("COVID-19, IL-6, SGLT2", []),
        ("twice daily", []),
        ("The or of 3", [(Kind.NUMBER, 3)]),
    ],
)
def test_numbers_are_read(text: str, expected: list[tuple[Kind, float]]) -> None:
    assert read(text) == expected


@given(st.text(alphabet=" 0123456789.,%()-–·/=<>≤pPHRORCItonmgdaysfold²½\n", max_size=120))
def test_spans_are_ordered_disjoint_and_literal(text: str) -> None:
    end = 0
    for quantity in quantities(text):
        assert end <= quantity.span.start
        assert quantity.number in quantity.span
        assert quantity.text == quantity.span.of(text)
        end = quantity.span.end


SAME, DIFFERS, SWAPPED = Agreement.SAME, Agreement.DIFFERS, Agreement.SWAPPED


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("Tavaxin lowered the risk of death by 28%.", "Tavaxin lowered the risk of death (HR 0.72).", [SAME]),
        ("The risk of death was 28 % lower with tavaxin.", "Tavaxin lowered the risk of death (HR 0.82).", [DIFFERS]),
        ("Mortality was halved by tavaxin.", "Tavaxin reduced mortality by 50%.", [SAME]),
        ("The rate of falls doubled.", "The rate of falls rose (RR 2.03).", [SAME]),
        ("The risk of stroke was 20% higher.", "The risk of stroke was 20% lower.", [Agreement.DIRECTION]),
        ("Bleeding: 19.6% of patients.", "Bleeding: 28/143 patients.", [SAME]),
        ("Mean age was 64 years.", "Mean age was 64.3 years.", [SAME]),
        ("Mean age was 64.3 years.", "Mean age was 64.4 years.", [DIFFERS]),
        ("Patients took 0.5 g daily.", "Patients took 500 mg daily.", [SAME]),
        ("Patients took 5 mg daily.", "Patients took 5 mcg daily.", [DIFFERS]),
        ("Treatment lasted 12 weeks.", "Treatment lasted 3 months.", [SAME]),
        ("Treatment lasted 12 weeks.", "Treatment lasted 12 months.", [DIFFERS]),
        ("Pain fell (P<0.05).", "Pain fell (P=0.03).", [SAME]),
        ("Pain fell (P<0.05).", "Pain fell (P=0.30).", [DIFFERS]),
        ("The trial took 500 patients.", "The trial took 250 patients and 250 patients.", [Agreement.NOT_FOUND]),
        ("HR for stroke 0.72 (95% CI 0.61-0.85).", "HR for stroke 0.72 (95% CI 0.61-0.95).", [SAME, DIFFERS]),
        ("Falls: 15% on tavaxin and 12% on placebo.", "Falls: 12% on tavaxin and 15% on placebo.", [SWAPPED, SWAPPED]),
        # one number, of the other group
        ("Falls were 15% with tavaxin.", "Falls were 12% with tavaxin and 15% with placebo.", [SWAPPED]),
        ("In the tavaxin group 15% fell.", "Falls: 12% in the tavaxin group, 15% in the placebo group.", [SWAPPED]),
        ("Falls were 12% with tavaxin.", "Falls were 12% with tavaxin and 15% with placebo.", [SAME]),
        ("Falls were 15%.", "Falls were 12% with tavaxin and 15% with placebo.", [SAME]),
        ("Falls were 15% in controls.", "Falls were 12% with tavaxin and 15% with placebo.", [SAME]),
        ("Tavaxin lowered falls from 15%.", "Falls were 12% with tavaxin and 15% with placebo.", [SAME]),
        ("Without tavaxin 15% fell.", "Falls were 12% with tavaxin and 15% with placebo.", [SAME]),
        ("Of those not given tavaxin 15% fell.", "Falls were 12% with tavaxin and 15% with placebo.", [SAME]),
        ("Falls: 15% on placebo and 12% on tavaxin.", "Falls: 12% on tavaxin and 15% on placebo.", [SAME, SAME]),
        ("Falls: 12% versus 15% with placebo.", "Falls: 12% in the tavaxin arm and 15% on placebo.", [SAME, SAME]),
        ("The moon is 384 km away.", "Tavaxin lowered the risk of death (HR 0.72).", [Agreement.NOT_FOUND]),
        ("About 1,200 patients took part.", "In all 1,187 patients took part.", [SAME]),
    ],
)  # fmt: skip
def test_numbers_are_compared(claim: str, evidence: str, expected: list[Agreement]) -> None:
    assert [finding.agreement for finding in compare(claim, evidence)] == expected


def test_a_finding_names_both_places() -> None:
    claim, evidence = "Mean age was 61 years.", "In all, mean age was 64 years."
    (finding,) = compare(claim, evidence)
    assert finding.found is not None
    assert finding.claimed.number.of(claim) == "61"
    assert finding.found.number.of(evidence) == "64"
    assert finding.message == "61 years in the text, 64 years in the source."


@given(st.integers(1, 99), st.integers(1, 99))
def test_a_percentage_agrees_with_itself_alone(a: int, b: int) -> None:
    (finding,) = compare(
        f"Stroke occurred in {a}% of treated patients.", f"Stroke occurred in {b}% of treated patients."
    )
    assert (finding.agreement is SAME) == (a == b)


@given(st.floats(0.05, 5.0).map(lambda value: round(value, 2)))
def test_a_ratio_agrees_with_its_own_words(value: float) -> None:
    percent = round(abs(1 - value) * 100)
    words = f"{percent}% {'lower' if value < 1 else 'higher'}"
    (finding,) = compare(f"The risk of stroke was {words}.", f"The risk of stroke changed (RR {value}).")
    assert finding.agreement is SAME


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_texts_are_compared(claim: str, evidence: str) -> None:
    for finding in compare(claim, evidence):
        assert finding.claimed.span.of(claim) == finding.claimed.text
        if finding.found:
            assert finding.found.span.of(evidence) == finding.found.text
