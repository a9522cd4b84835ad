"""Claims turned round by grammar."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.counter import NO_STATEMENT, Opposite, counterfactual, main_claims, opposing, statements
from evidencegate.models.stance import Label, RulesModel, Stance


def texts(claim: str) -> dict[Opposite, str]:
    return {statement.opposite: statement.text for statement in statements(claim)}


@pytest.mark.parametrize(
    ("claim", "negated"),
    [
        (
            "Health insurance reforms in the United States require changes in payment",
            "Health insurance reforms in the United States do not require changes in payment.",
        ),
        ("Drug A is superior to drug B in lowering LDL", "Drug A is not superior to drug B in lowering LDL."),
        ("Current evidence may be insufficient", "Current evidence is not insufficient."),
        ("The intervention would have reduced mortality", "The intervention would not have reduced mortality."),
        ("Metformin may have contributed to weight loss", "Metformin has not contributed to weight loss."),
        (
            "Factors associated with survival are confounded by age",
            "Factors associated with survival are not confounded by age.",
        ),
        ("Many children have asthma", "Many children do not have asthma."),
        ("Dietary changes and exercise reduce weight", "Dietary changes and exercise do not reduce weight."),
        ("The impact of age on outcome was significant", "The impact of age on outcome was not significant."),
        ("While not curative, surgery prolongs survival", "Surgery does not prolong survival."),
        (
            "Smoking increases mortality and worsens asthma",
            "Smoking does not increase mortality and does not worsen asthma.",
        ),
        (
            "Macrolides interact with statins via CYP3A4, leading to increased statin exposure and myopathy risk",
            "Macrolides do not interact with statins via CYP3A4 and do not lead to increased statin exposure and "
            "myopathy risk.",
        ),
        ("Surgery significantly improved survival", "Surgery did not significantly improve survival."),
        ("Drug A increases mortality", "Drug A does not increase mortality."),
        ("A reduces B", "A does not reduce B."),
        ("Exercise training reduced depression scores", "Exercise training did not reduce depression scores."),
        ("Early surgery led to better function scores", "Early surgery did not lead to better function scores."),
        ("A reduced dose is safe", "A reduced dose is not safe."),
        ("The suture seems to be an efficient technique", "The suture is not an efficient technique."),
        ("Most children can be extubated early", "Most children cannot be extubated early."),
        (
            "Women had better survival than men; however, there was no advantage later",
            "Women did not have better survival than men.",
        ),
        ("This trial shows that aspirin is safe in pregnancy", "Aspirin is not safe in pregnancy."),
        ("Statins reduce mortality no matter what the baseline risk is", None),
        (
            "Women who have had gestational diabetes are at a higher risk of diabetes",
            "Women who have had gestational diabetes are not at a higher risk of diabetes.",
        ),
        (
            "Long delays between diagnosis and treatment are associated with poorer survival",
            "Long delays between diagnosis and treatment are not associated with poorer survival.",
        ),
        (
            "Readings taken by a doctor tend to be higher than those of a treated patient",
            "Readings taken by a doctor do not tend to be higher than those of a treated patient.",
        ),
        (
            "Children who breathe smoke catch more infections than others",
            "Children who breathe smoke do not catch more infections than others.",
        ),
        (
            "An ovary that looks black and necrotic must be removed",
            "An ovary that looks black and necrotic must not be removed.",
        ),
        ("Hormone use fell after the trial was stopped", "Hormone use did not fall after the trial was stopped."),
        ("Sperm counts have declined over the decades", "Sperm counts have not declined over the decades."),
        ("More women give birth at night than by day", "No more women give birth at night than by day."),
        ("Every patient should have a scan", "Not every patient should have a scan."),
        ("Eating nuts lowers cholesterol", "Eating nuts does not lower cholesterol."),
    ],
)
def test_the_finite_verb_of_the_main_clause_is_denied(claim: str, negated: str | None) -> None:
    found = texts(claim)
    if negated is None:
        assert "reduce mortality" in found[Opposite.NEGATION]
        assert "do not" in found[Opposite.NEGATION] or "not" in found[Opposite.NEGATION]
    else:
        assert found[Opposite.NEGATION] == negated


@pytest.mark.parametrize(
    ("claim", "affirmed"),
    [
        (
            "Neither aspirin nor clopidogrel nor ticagrelor reduced stroke",
            "Aspirin or clopidogrel or ticagrelor reduced stroke.",
        ),
        ("The rate was not significantly reduced by treatment", "The rate was significantly reduced by treatment."),
        ("Random forests did not yield higher performance", "Random forests yielded higher performance."),
        ("Vitamin D does not prevent falls", "Vitamin D prevents falls."),
        ("There was no difference in mortality", "There was a difference in mortality."),
        ("No significant difference in mortality was found", "A significant difference in mortality was found."),
        ("It is unlikely that aspirin prevents cancer", "Aspirin prevents cancer."),
        ("The drug failed to improve survival", "The drug improved survival."),
        ("Screening doesn't reduce mortality", "Screening reduces mortality."),
        ("Time to treatment had no impact on survival", "Time to treatment had an impact on survival."),
    ],
)
def test_a_denial_is_taken_away(claim: str, affirmed: str) -> None:
    assert texts(claim)[Opposite.AFFIRMATION] == affirmed
    assert Opposite.NEGATION not in texts(claim)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Aspirin does not affect mortality", ["Aspirin increases mortality.", "Aspirin reduces mortality."]),
        ("Statins did not change LDL", ["Statins increased LDL.", "Statins reduced LDL."]),
        ("Vitamin D had no effect on falls", ["Vitamin D increased falls.", "Vitamin D reduced falls."]),
        (
            "There was no significant difference in mortality between aspirin and placebo",
            [
                "Mortality was higher with aspirin than with placebo.",
                "Mortality was lower with aspirin than with placebo.",
            ],
        ),
        (
            "Pain was similar with ibuprofen and with paracetamol",
            [
                "Pain was higher with ibuprofen than with paracetamol.",
                "Pain was lower with ibuprofen than with paracetamol.",
            ],
        ),
        ("Aspirin does not prevent cancer", []),
        ("Adverse events rose with aspirin", ["Adverse events fell with aspirin."]),
    ],
)
def test_no_change_is_contradicted_by_a_change_in_either_direction(claim: str, expected: list[str]) -> None:
    reversed_ = [s.text for s in statements(claim) if s.opposite is Opposite.REVERSAL]
    assert reversed_ == expected


def test_neither_nor_is_denied_of_both() -> None:
    found = texts("Carbetocin neither increased nor decreased the need for blood")
    assert found[Opposite.AFFIRMATION] == "Carbetocin increased or decreased the need for blood."


def test_further_opposites() -> None:
    found = texts("Drug A is superior to drug B in lowering LDL")
    assert found[Opposite.COMPARATOR] == "Drug B is superior to drug A in lowering LDL."
    assert (
        texts("EDWS is a safe and effective treatment")[Opposite.REVERSAL]
        == "EDWS is an unsafe and ineffective treatment."
    )
    assert texts("Obesity is associated with asthma")[Opposite.NO_DIFFERENCE] == (
        "There is no significant association between obesity and asthma."
    )
    assert texts("Exercise improves mood")[Opposite.NO_DIFFERENCE] == "Exercise has no significant effect on mood."
    assert Opposite.NO_DIFFERENCE not in texts("Factors associated with survival are confounded by age")


@pytest.mark.parametrize(
    ("claim", "reversed_"),
    [
        (
            "Coffee is associated with a lower risk of cirrhosis",
            "Coffee is associated with a higher risk of cirrhosis.",
        ),
        ("Early therapy can lower mortality", "Early therapy can raise mortality."),
        ("Preterm children have more emotional problems", "Preterm children have fewer emotional problems."),
        ("More women give birth at night than by day", "Fewer women give birth at night than by day."),
        ("A diet low in fibre and constipation are the main causes of diverticulosis", None),
        ("Ultrasound is too unreliable to replace radiographs", None),
        (
            "The more needles are used, the greater the relief of pain is",
            "The more needles are used, the smaller the relief of pain is.",
        ),
    ],
)
def test_a_word_is_turned_as_it_is_used_where_it_stands(claim: str, reversed_: str | None) -> None:
    assert texts(claim).get(Opposite.REVERSAL) == reversed_


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (
            "Acupuncture is safe and does not cause serious complications",
            ["Acupuncture is not safe.", "Acupuncture is unsafe.", "Acupuncture causes serious complications."],
        ),
        (
            "Gluten causes symptoms only in people who have coeliac disease",
            ["Gluten causes symptoms not only in people who have coeliac disease."],
        ),
        ("Aspirin hardly ever causes ulcers", ["Aspirin often causes ulcers."]),
        ("Folic acid does nothing to slow the disease", ["Folic acid slows the disease."]),
        ("Paracetamol is of no use in migraine", ["Paracetamol is of use in migraine."]),
    ],
)
def test_what_is_denied_in_part_is_turned_part_by_part(claim: str, expected: list[str]) -> None:
    assert [statement.text for statement in statements(claim)] == expected


def test_a_participle_after_a_preposition_is_left_alone() -> None:
    assert all("does not lower" not in text for text in texts("Drug A is superior to drug B in lowering LDL").values())


@given(st.text(max_size=300))
def test_no_text_breaks_the_grammar(text: str) -> None:
    for statement in statements(text):
        assert statement.text.strip()


@given(
    st.sampled_from(
        ["Metformin", "Inhaled corticosteroids", "The combination of A and B", "Many patients", "Screening"]
    ),
    st.sampled_from(["reduces", "improved", "is associated with", "may increase", "did not affect", "causes"]),
    st.sampled_from(["mortality", "exacerbations of COPD", "quality of life in older women"]),
)
def test_subject_and_object_of_a_claim_stay(subject: str, verb: str, target: str) -> None:
    found = statements(f"{subject} {verb} {target}.")
    assert found
    for statement in found:
        said = statement.text.casefold()
        assert all(word in said for word in (*subject.casefold().split(), *target.casefold().split()))


class Agreeing:
    """Reads every statement as what the claim says."""

    name = "agreeing"

    def judge(self, pairs: list[tuple[str, str]]) -> list[Stance]:
        return [Stance(1.0, 0.0, 0.0, reader=self.name) for _ in pairs]


def test_a_statement_that_the_claim_supports_is_dropped() -> None:
    claim = "Aspirin prevents stroke"
    assert opposing(claim, statements(claim), Agreeing()) == ()
    made, _ = counterfactual(main_claims(claim)[0][0], Agreeing())
    assert made.statement is None
    assert made.shown == NO_STATEMENT


def test_the_given_statement_stands_even_where_it_agrees_but_with_a_warning() -> None:
    made, warning = counterfactual(main_claims("Aspirin prevents stroke")[0][0], Agreeing(), given="Aspirin is good")
    assert made.statement is not None
    assert made.statement.opposite is Opposite.GIVEN
    assert "agreeing" in warning


def test_the_statements_of_real_forms_are_refuted_by_their_claims() -> None:
    model = RulesModel()
    for claim in (
        "Apixaban reduces bleeding.",
        "Statins are associated with breast cancer.",
        "Vitamin D prevents falls.",
    ):
        first = statements(claim)[0]
        assert model.judge([(claim, first.text)])[0].label is not Label.SUPPORTS


def test_main_claims_keep_their_ids_and_order() -> None:
    text = "Aspirin reduces stroke. Is it safe? It increases bleeding by 40 %. Mortality was not reduced by aspirin."
    chosen, others = main_claims(text, limit=2)
    assert others == 1
    assert [claim.id for claim in chosen] == sorted(claim.id for claim in chosen)
    whole, none = main_claims("Aspirin reduces stroke and increases bleeding.")
    assert (len(whole), none, whole[0].id) == (1, 0, "c1")
