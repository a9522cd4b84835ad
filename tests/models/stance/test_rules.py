import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.models.stance import Label, ReasonCode, RulesModel, stance
from evidencegate.models.stance._rules import FEATURES, compare


def _label(claim: str, passage: str) -> Label:
    return stance(claim, passage, model=RulesModel()).label


@pytest.mark.parametrize(
    ("claim", "passage", "label"),
    [
        (
            "Zelmorin lowers blood pressure",
            "Zelmorin lowered blood pressure compared with placebo (p<0.001).",
            Label.SUPPORTS,
        ),
        (
            "Zelmorin lowers blood pressure",
            "Zelmorin raised blood pressure compared with placebo (p<0.001).",
            Label.REFUTES,
        ),
        (
            "Zelmorin lowers blood pressure",
            "Blood pressure did not differ between zelmorin and placebo (p = 0.61).",
            Label.REFUTES,
        ),
        (
            "Zelmorin does not change blood pressure",
            "Blood pressure did not differ between zelmorin and placebo (p = 0.61).",
            Label.SUPPORTS,
        ),
        (
            "Zelmorin does not change blood pressure",
            "Zelmorin significantly lowered blood pressure (p<0.001).",
            Label.REFUTES,
        ),
        ("Zelmorin lowers blood pressure", "Parking at the clinic was free on Sundays.", Label.NEUTRAL),
    ],
)
def test_directions_alone_decide_plain_cases(claim: str, passage: str, label: Label) -> None:
    assert _label(claim, passage) is label


def test_the_reason_names_the_cue_and_its_place() -> None:
    passage = "We studied sleep. Zelmorin did not reduce pain in adults."
    found = stance("Zelmorin reduces pain in adults", passage, model=RulesModel())
    reason = next(r for r in found.reasons if r.code is ReasonCode.NO_DIFFERENCE_FOUND)
    assert reason.toward is Label.REFUTES
    assert reason.passage is not None
    assert passage[slice(*reason.passage)] == "reduce"
    assert found.sentence is not None
    assert passage[slice(*found.sentence)] == "Zelmorin did not reduce pain in adults."


def test_an_interval_with_one_inside_is_no_effect() -> None:
    passage = "Zelmorin was followed by an increase in myopathy risk (RR 1.02, 95% CI 0.95-1.09)."
    codes = {r.code for r in compare("Zelmorin increases myopathy risk", passage).reasons}
    assert {ReasonCode.NO_DIFFERENCE_FOUND, ReasonCode.NOT_SIGNIFICANT} <= codes


def test_swapped_arms_turn_the_direction() -> None:
    claim = "Pain was lower with zelmorin than with placebo"
    straight = compare(claim, "Pain was lower with zelmorin than with placebo.")
    turned = compare(claim, "Pain was lower with placebo than with zelmorin.")
    index = FEATURES.index("swapped")
    assert (straight.values[index], turned.values[index]) == (0.0, 1.0)
    assert ReasonCode.OPPOSITE_DIRECTION in {r.code for r in turned.reasons}


def test_figures_agree_or_differ_by_unit() -> None:
    same = compare("Zelmorin 40 mg cured 12% of patients", "With zelmorin 40 mg, 12% were cured.")
    other = compare("Zelmorin 40 mg cured 12% of patients", "With zelmorin 40 mg, 31% were cured.")
    assert same.values[FEATURES.index("numbers_differ")] == 0.0
    assert other.values[FEATURES.index("numbers_differ")] == 0.5
    assert any(r.code is ReasonCode.NUMBERS_DIFFER and "31" in r.detail for r in other.reasons)


def test_another_population_is_named() -> None:
    found = compare("Zelmorin cures children", "Zelmorin cured adults over 65 years.")
    assert ReasonCode.POPULATION_DIFFERS in {r.code for r in found.reasons}


def test_fewer_deaths_are_more_survival() -> None:
    assert _label("Zelmorin increases survival", "Zelmorin reduced mortality (p<0.001).") is not Label.REFUTES


@given(st.text(), st.text())
def test_rules_answer_any_text_and_always_the_same(claim: str, passage: str) -> None:
    model = RulesModel()
    first, second = model.judge([(claim, passage)] * 2)
    assert first == second
    assert first.sentence is None or 0 <= first.sentence[0] <= first.sentence[1] <= len(passage)
    for reason in first.reasons:
        assert reason.passage is None or 0 <= reason.passage[0] <= reason.passage[1] <= len(passage)
