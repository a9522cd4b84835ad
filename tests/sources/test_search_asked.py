"""Which interventions a search is for."""

from hypothesis import given
from hypothesis import strategies as st

from evidencegate.question import load_vocabulary, understand
from evidencegate.sources._asked import _sides, asked

_TERMS = sorted(load_vocabulary().treatments)


@given(st.lists(st.sampled_from(_TERMS), unique=True, max_size=5))
def test_sides_part_the_drugs_and_lose_none(terms: list[str]) -> None:
    sides = _sides(tuple(terms))

    if sides:
        first, second = sides
        assert sorted((*first, *second)) == sorted(terms)
        assert first
        assert second
    else:
        vocabulary = load_vocabulary()
        classes = {name for one in terms for name in vocabulary.treatments[one].classes if name != one}
        assert len([one for one in terms if one not in classes]) < 2


def test_a_class_stands_on_the_side_of_its_drug() -> None:
    assert _sides(("statins", "clarithromycin", "simvastatin")) in (
        (("clarithromycin",), ("statins", "simvastatin")),
        (("simvastatin", "statins"), ("clarithromycin",)),
    )


def test_what_interacts_with_most_is_one_side() -> None:
    assert _sides(("azithromycin", "simvastatin", "clarithromycin", "amlodipine"))[0] == ("simvastatin",)


def test_drugs_of_the_story_stay_out_where_a_drug_is_asked_about() -> None:
    question = understand(
        "Heart failure, on bisoprolol and ramipril. How soon should dapagliflozin be started in him, and is it safe?"
    )
    found = asked(question.sub_queries[0], question)

    assert [group.names[0] for group in found.every] == ["dapagliflozin"]


def test_every_intervention_of_a_sub_query_is_one_of_the_question() -> None:
    question = understand("Is apixaban or warfarin better in atrial fibrillation?")
    for sub_query in question.sub_queries:
        found = asked(sub_query, question)
        assert found.here
        assert set(found.here) <= set(found.every)


def test_a_class_and_its_member_are_no_two_drugs_given_together() -> None:
    text = "Does simvastatin interact with anything, and is another statin safer in high cholesterol?"
    assert not any(asked(one, question).together for question in [understand(text)] for one in question.sub_queries)
    both = understand("Do macrolides interact with statins?")
    assert all(asked(one, both).together for one in both.sub_queries)
