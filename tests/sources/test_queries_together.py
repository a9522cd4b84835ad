"""Searches for drugs given together, and for what is asked besides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.question import Category, Edits, Question, SubQuery, understand
from evidencegate.sources._query import plan


def steps_of(text: str) -> list[str]:
    question = understand(text)
    return [step.shown for step in plan("pubmed", question.sub_queries[0], question)]


def sides_of(sub_query: SubQuery, question: Question) -> list[str]:
    return plan("pubmed", sub_query, question)[0].shown.split(" AND ")[:2]


def test_an_interaction_is_of_both() -> None:
    question = understand("Do macrolides interact with statins?")
    for step in plan("pubmed", question.sub_queries[0], question)[:2]:
        first, second = step.shown.split(" AND ")[:2]
        assert first == '("macrolides"[tiab] OR "macrolide"[tiab])'
        assert second.startswith('("statins"[tiab] OR "statin"[tiab] OR ')


@pytest.mark.parametrize(
    ("text", "drug", "other"),
    [
        (
            "Script just handed in: clarithromycin for whooping cough. Same man collects simvastatin every month. Tell "
            "him to miss the statin for the week, or phone for azithromycin?",
            "simvastatin",
            "clarithromycin",
        ),
        (
            "I have taken lithium for bipolar disorder since my twenties and my dentist wants me on ibuprofen for five "
            "days. The leaflet says not to. Is five days really a problem together with lithium?",
            "lithium",
            "ibuprofen",
        ),
    ],
)
def test_drugs_given_together_are_searched_for_together_whatever_they_are_for(text: str, drug: str, other: str) -> None:
    core = steps_of(text)[1]
    sides = core.split(" AND ")

    assert len(sides) == 2
    assert any(drug in side and other not in side for side in sides)
    assert any(other in side and drug not in side for side in sides)


def test_a_class_brings_its_members_that_the_question_names() -> None:
    text = (
        "On apixaban for atrial fibrillation, kidneys failing. Once he is on dialysis, does staying on a DOAC do good?"
    )
    assert all('"apixaban"[tiab]' in shown for shown in steps_of(text)[:2])


def test_an_interaction_beside_other_matters_leaves_them_their_searches() -> None:
    question = understand(
        "Bronchiectasis with four exacerbations a year. "
        + "She tells a long story of her garden and of the neighbours, as she always does when she is here. " * 5
        + "The ECG gives a corrected QT of 462 ms. May she have azithromycin for her bronchiectasis together with her "
        "citalopram, and for how many months?"
    )
    assert {"interaction", "duration"} <= set(question.decision_tags.all)
    narrow = {one.category: plan("pubmed", one, question)[0].shown for one in question.sub_queries}
    together = narrow[Category.COMPLICATIONS]
    assert '"bronchiectasis"[tiab]' in narrow[Category.DURATION_MONITORING]
    assert '"bronchiectasis"[tiab]' not in together
    assert {"azithromycin", "citalopram"} == {
        drug for drug in ("azithromycin", "citalopram") for side in together.split(" AND ")[:2] if side.count(drug) == 1
    }


def test_an_interaction_that_does_not_come_first_has_a_search_of_its_own() -> None:
    text = "For how long should she take clarithromycin for pertussis, and does it interact with simvastatin?"
    question = understand(text, edits=Edits(decision_tags=("duration", "interaction")))
    first, second, *_ = question.sub_queries
    assert second.category is Category.COMPLICATIONS
    assert all('"simvastatin"[tiab]' in side or '"clarithromycin"[tiab]' in side for side in sides_of(second, question))
    assert not all(
        '"simvastatin"[tiab]' in side or '"clarithromycin"[tiab]' in side for side in sides_of(first, question)
    )


def test_an_interaction_that_comes_first_leaves_what_else_is_asked_a_search_of_its_own() -> None:
    text = "For how long should she take clarithromycin for pertussis, and does it interact with simvastatin?"
    question = understand(text, edits=Edits(decision_tags=("interaction", "duration")))
    together, rest = (plan("pubmed", one, question)[0].shown for one in question.sub_queries)
    assert '"clarithromycin"[tiab]' in together
    assert '"simvastatin"[tiab]' in together
    assert '"pertussis"[tiab]' in rest
    assert '"duration"[tiab]' in rest
    # The drug that it only may not go together with has nothing to do with that, nor have words for going together.
    assert '"clarithromycin"[tiab]' in rest
    assert "simvastatin" not in rest
    assert "interaction" not in rest


@given(
    first=st.sampled_from(["clarithromycin", "erythromycin", "azithromycin"]),
    second=st.sampled_from(["simvastatin", "citalopram", "warfarin", "colchicine"]),
    others=st.lists(st.sampled_from(["duration", "dose", "safety", "drug_choice"]), unique=True),
)
def test_every_search_of_drugs_given_together_is_for_both_or_for_the_one_that_the_condition_has(
    first: str, second: str, others: list[str]
) -> None:
    text = f"For how long should she take {first} for pertussis, and does it interact with {second}?"
    question = understand(text, edits=Edits(decision_tags=("interaction", *others)))
    shown = [plan("pubmed", one, question)[0].shown for one in question.sub_queries]
    assert all(f'"{first}"[tiab]' in query for query in shown)
    assert any(f'"{second}"[tiab]' in query for query in shown)
    assert all(f'"{second}"[tiab]' in query or '"pertussis"[tiab]' in query for query in shown)
