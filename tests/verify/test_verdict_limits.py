"""What a sentence cannot prove, however near it is to a claim: of another group or outcome, or less than it says.

The articles are invented.
"""

import pytest

from evidencegate.documents import Document
from evidencegate.verify import Verdict, check

NURSES = "Nurses took part in this invented trial."


@pytest.mark.parametrize(
    ("claim", "sentence", "why"),
    [
        ("Quality of life improved in those treated.", "Quality of life was not assessed.", "reports nothing"),
        (
            "Tavaxin sharpens the memory of old adults.",
            "We aimed to test if tavaxin sharpens memory.",
            "was meant",
        ),
        ("Tavaxin makes old adults think faster.", "Tavaxin might make old adults think faster.", "less sure"),
        ("Strokes grew rarer under tavaxin.", "Strokes were numerically fewer under tavaxin.", "not significant"),
        ("Tavaxin improved the sleep of adults.", "Tavaxin worsened the sleep of adults at home.", "turned round"),
    ],
)
def test_a_sentence_that_cannot_prove_a_claim_leaves_it_open(claim: str, sentence: str, why: str, says) -> None:  # type: ignore[no-untyped-def]
    source = Document(id="local:a", title="", text=f"{sentence} {NURSES}")
    (found,) = check(claim, source, reader=says(0.97, 0.02)).claims
    assert found.verdict is not Verdict.CORRECT
    if found.decision.trace.selection_reason.startswith("stance"):
        assert why in found.decision.trace.selection_reason


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Quality of life was not measured at all.", "Quality of life was not assessed."),
        (
            "The trial tested tavaxin for the memory of old adults.",
            "We aimed to test tavaxin for the memory of adults.",
        ),
        ("Tavaxin may speed up thinking.", "Tavaxin might make old adults think faster, that is speed up thinking."),
        ("There was no change of strokes.", "Strokes were not significantly fewer, that is no change."),
    ],
)
def test_a_claim_that_says_no_more_than_the_sentence_is_not_held_up(claim: str, sentence: str, says) -> None:  # type: ignore[no-untyped-def]
    source = Document(id="local:a", title="", text=f"{sentence} {NURSES}")
    (found,) = check(claim, source, reader=says(0.97, 0.02)).claims
    assert found.verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("claim", "sentence", "why"),
    [
        (
            "Patients had less nausea from the device with the mask.",
            "Less nausea related to the device was seen in the helmet group than in the mask group.",
            "of the other group",
        ),
        (
            "IgG antibodies were positively linked to worse wheeze.",
            "Serum IgA antibodies were positively linked to worse wheeze at home, but IgG was not.",
            "denies this",
        ),
        ("IgG antibodies were linked to worse wheeze.", "IgA antibodies were linked to worse wheeze.", "of IgA"),
        (
            "Tavaxin reduced major bleeding in adults.",
            "Tavaxin reduced stroke in adults at home but not major bleeding.",
            "turned round",
        ),
        (
            "The breathing rate was higher with the helmet.",
            "The helmet had a higher rate of success in those with failing or noisy breathing.",
            "of something else",
        ),
        (
            "The breathing rate was higher with the helmet.",
            "With the helmet the rate of success was higher and the breathing rate was lower.",
            "turned round",
        ),
        (
            "Tavaxin improved the wheeze score.",
            "The wheeze score improved by 0.25 (−0.35, 0.84) points with tavaxin, and sleep by 0.9 (0.2, 1.6).",
            "not significant",
        ),
        ("Tavaxin is the best drug for wheeze.", "Tavaxin is a useful drug for wheeze.", "“best”"),
        ("Tavaxin relieves wheeze in children.", "Tavaxin relieves wheeze in adults.", "“children”"),
        (
            "The difference was statistically significant.",
            "Differences favoured tavaxin in all.",
            "does not say of what",
        ),
    ],
)
def test_what_has_the_words_and_not_the_matter_is_left_open(claim: str, sentence: str, why: str, says) -> None:  # type: ignore[no-untyped-def]
    source = Document(id="local:a", title="", text=f"{sentence} {NURSES}")

    (found,) = check(claim, source, reader=says(0.97, 0.02)).claims

    assert found.verdict is Verdict.UNCERTAIN
    assert why in found.decision.trace.selection_reason


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (
            "Patients had less nausea from the device with the helmet.",
            "Less nausea related to the device was seen in the helmet group than in the mask group.",
        ),
        ("Tavaxin cut stroke in adults.", "Tavaxin reduced stroke in adults at home but not major bleeding."),
        (
            "The breathing rate was lower with the helmet.",
            "With the helmet the rate of success was higher and the breathing rate was clearly lower.",
        ),
        (
            "Tavaxin improved sleep at home.",
            "The wheeze score improved by 0.25 (−0.35, 0.84) points with tavaxin, and sleep by 0.9 (0.2, 1.6).",
        ),
        ("Tavaxin relieves wheeze in children.", "Tavaxin relieves wheeze in the paediatric ward."),
    ],
)
def test_what_says_no_more_than_its_sentence_is_not_held_up(claim: str, sentence: str, says) -> None:  # type: ignore[no-untyped-def]
    source = Document(id="local:a", title="", text=f"{sentence} {NURSES}")

    (found,) = check(claim, source, reader=says(0.97, 0.02)).claims

    assert found.verdict is Verdict.CORRECT


def test_the_sentence_shown_must_support_the_claim_itself(says) -> None:  # type: ignore[no-untyped-def]
    source = Document(id="local:a", title="", text=f"Tavaxin cut strokes in adults at home. {NURSES}")

    (found,) = check("Tavaxin made strokes of adults rarer.", source, reader=says(0.40, 0.05)).claims

    assert found.verdict is Verdict.UNCERTAIN


@pytest.mark.parametrize(
    ("claim", "sentence", "verdict"),
    [
        (
            "Tavaxin plus zelfan reduced pain significantly more than zelfan alone.",
            "Pain was reduced more with tavaxin plus zelfan than zelfan alone, but the difference was not significant.",
            Verdict.INCORRECT,
        ),
        (
            "Mean wheeze scores did not differ significantly between the groups after training.",
            "A significant difference between the groups was seen in mean wheeze scores after training.",
            Verdict.INCORRECT,
        ),
        # of another time, with a doubt, or of two outcomes: nothing plain
        (
            "Mean wheeze scores did not differ significantly between the groups after training.",
            "A significant difference between the groups was seen in mean wheeze scores before training.",
            Verdict.UNCERTAIN,
        ),
        (
            "Mean wheeze scores did not differ significantly between the groups after training.",
            "A significant difference between the groups in mean wheeze scores after training is possible.",
            Verdict.UNCERTAIN,
        ),
        (
            "Mean wheeze scores differed significantly between the groups after training.",
            "Between the groups mean wheeze scores differed significantly after training; sleep was not significant.",
            Verdict.UNCERTAIN,
        ),
        # the same words, said of two places
        (
            "On tavaxin activity in the liver fell.",
            "On tavaxin activity in the liver rose as well, but fell in the spleen.",
            Verdict.UNCERTAIN,
        ),
        (
            "The people were mostly female (94.1%).",
            "Groups were alike; the people were mostly male (94.1%), and aged 50 on average.",
            Verdict.INCORRECT,
        ),
    ],
)  # fmt: skip
def test_what_is_plainly_turned_round_is_incorrect(claim: str, sentence: str, verdict: Verdict, says) -> None:  # type: ignore[no-untyped-def]
    source = Document(id="local:a", title="", text=f"{sentence} {NURSES}")

    (found,) = check(claim, source, reader=says(0.3, 0.3)).claims

    assert found.verdict is verdict


@pytest.mark.parametrize(
    ("claim", "sentence", "why"),
    [
        ("The trial took people with psoriatic gout.", "The trial took 90 people with tophaceous gout.", "tophaceous"),
        ("Part A tested tavaxin in many adults.", "Part B of the trial tested tavaxin in adults.", "another part"),
        ("Those without stroke had the most falls.", "The most falls were in people who had had a stroke.", "denies"),
        ("Sick leave grew in the zelfan group.", "Sick leave grew in the placebo group.", "other group"),
        ("Tavaxin relieves wheeze of adults.", "Tavaxin relieves wheeze of schoolchildren.", "“adults”"),
    ],
)  # fmt: skip
def test_another_kind_part_or_denial_leaves_a_claim_open(claim: str, sentence: str, why: str, says) -> None:  # type: ignore[no-untyped-def]
    source = Document(id="local:a", title="", text=f"{sentence} {NURSES}")

    (found,) = check(claim, source, reader=says(0.97, 0.02)).claims

    assert found.verdict is Verdict.UNCERTAIN
    assert why in found.decision.trace.selection_reason


@pytest.mark.parametrize(
    "claim",
    [
        "The trial looked at whether tavaxin slows the loss of hearing in older nurses.",
        "Older nurses with loss of hearing were assigned to tavaxin to slow it.",
    ],
)
def test_what_came_out_does_not_refute_what_was_done(claim: str, says) -> None:  # type: ignore[no-untyped-def]
    source = Document(
        id="local:a", title="", text=f"In older nurses tavaxin did not slow the loss of hearing. {NURSES}"
    )

    (found,) = check(claim, source, reader=says(0.02, 0.97)).claims

    assert found.verdict is Verdict.UNCERTAIN
