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
