"""Whether two texts speak of the same matter."""

import pytest

from evidencegate.counter import elsewhere


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("SGLT2 inhibitors reduced cardiovascular death.", "Finerenone reduced heart failure events."),
        ("Apixaban caused less bleeding than warfarin.", "Rivaroxaban and aspirin had similar bleeding."),
        ("Apixaban caused less bleeding than warfarin.", "Apixaban and aspirin had similar bleeding."),
        ("Vitamin D prevents falls.", "Vitamin D had no effect on hair colour."),
        ("Macrolides interact with statins.", "Statins did not increase myopathy compared with placebo."),
    ],
)
def test_another_treatment_or_outcome_is_another_matter(claim: str, passage: str) -> None:
    assert elsewhere(claim, passage) is not None


@pytest.mark.parametrize(
    ("claim", "passage", "context"),
    [
        ("Macrolides interact with statins.", "Azithromycin with simvastatin did not interact.", ""),
        (
            "Apixaban caused less bleeding than warfarin.",
            "Haemorrhage did not differ between the groups.",
            "Apixaban or warfarin",
        ),
        ("Aspirin reduces mortality.", "Deaths did not differ with aspirin.", ""),
        (
            "Adverse events rose with apixaban as against warfarin.",
            "Adverse events were less under apixaban.",
            "Or warfarin?",
        ),
        ("Delirium was lower with mobilisation than with usual care.", "Delirium did not differ between groups.", ""),
        ("Interpersonal psychotherapy (IPT) increased dropout.", "Attrition was higher with waiting than IPT.", ""),
        ("Apixaban worsens quality of life.", "QOL improved with apixaban.", ""),
        ("Screening saves lives and lowers mortality.", "Survival was the same with and without screening.", ""),
    ],
)
def test_classes_titles_and_other_names_of_an_outcome_count(claim: str, passage: str, context: str) -> None:
    assert elsewhere(claim, passage, context) is None


@pytest.mark.parametrize(
    ("claim", "passage", "context"),
    [
        (
            "Zelfaban is superior to placebo even in mild depression.",
            "Response did not differ between zelfaban and placebo.",
            "Zelfaban in depression",
        ),
        ("Homeopathic remedies work better than placebo.", "Homeopathic remedies had no effect beyond placebo.", ""),
        (
            "Constipation is the main cause of colonic diverticulosis.",
            "Constipation was not associated with diverticulosis.",
            "Constipation and colonic diverticulosis",
        ),
        (
            "Women who have had gestational diabetes remain at increased risk of later diabetes.",
            "After gestational diabetes the incidence of diabetes did not differ.",
            "",
        ),
        (
            "There is no relationship between periodontal disease and rheumatoid arthritis.",
            "Periodontal disease was associated with rheumatoid arthritis (p=0.01).",
            "",
        ),
        ("Cutting down on salt has no effect on blood pressure.", "Salt restriction lowered blood pressure.", ""),
        (
            "Quality of life after limb-salvage surgery is broadly similar to that after amputation.",
            "Quality of life was significantly better after limb-salvage surgery than after amputation.",
            "",
        ),
        ("A raised troponin level predicts in-hospital death.", "Troponin did not predict in-hospital death.", ""),
    ],
)
def test_what_a_claim_is_about_is_read_from_its_wording(claim: str, passage: str, context: str) -> None:
    assert elsewhere(claim, passage, context) is None
