"""What a sentence cannot prove, however near it is to a claim."""

import pytest

from evidencegate.documents import Document
from evidencegate.verify import Verdict, check, claims


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
    source = Document(id="local:a", title="", text=f"{sentence} Nurses took part in this invented trial.")
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
    source = Document(id="local:a", title="", text=f"{sentence} Nurses took part in this invented trial.")
    (found,) = check(claim, source, reader=says(0.97, 0.02)).claims
    assert found.verdict is Verdict.CORRECT


def test_a_clause_with_its_subject_stands_in_its_source() -> None:
    source = "Levels did not differ at the start by group and did not change during the follow-up of placebo."
    checked = check(source, f"{source} Nurses took part in this invented trial of tavaxin.")
    assert [one.claim.statement for one in checked.claims] == [
        "Levels did not differ at the start by group",
        "Levels did not change during the follow-up of placebo.",
    ]
    assert {one.verdict for one in checked.claims} == {Verdict.CORRECT}


def test_a_hedge_or_negation_before_a_clause_counts_for_it(says) -> None:  # type: ignore[no-untyped-def]
    for source in (
        "Tavaxin may reduce strokes and increase the bleeding of adults.",
        "Tavaxin did not reduce strokes or increase the bleeding of adults.",
    ):
        checked = check("Tavaxin increases the bleeding of adults.", source, reader=says(0.1, 0.1))
        assert checked.claims[0].verdict is not Verdict.CORRECT


def test_clauses_with_an_adverb_or_an_auxiliary_are_parted() -> None:
    text = "Bleeding did not differ, and quality of life improved markedly in adults."
    assert len(claims(text)) == 2
    assert len(claims("Tavaxin reduced stroke and did not change mortality in adults.")) == 2
    assert len(claims("Results showed that recruitment, retention, and collection of data met the targets.")) == 1
