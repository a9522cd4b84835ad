"""Correctness properties 1 to 3 of the design of the evidence engine, over generated questions.

The design's wording is kept in each docstring; nothing of it is weakened.
"""

from hypothesis import example, given, settings
from question_strategies import decision_names, disease_names, long_questions, questions

from evidencegate.question import SubQuery, classify, load_vocabulary, understand
from evidencegate.question._normal import phrase


def names_condition(sub: SubQuery, tags: tuple[str, ...], own: dict[str, tuple[str, ...]]) -> bool:
    """Whether a sub-query holds a term of one of the tags, looked for word by word."""
    vocabulary = load_vocabulary()
    said = f" {' '.join(phrase(sub.query))} "
    for name in tags:
        terms = own.get(name) or (vocabulary.tags[name].label, *vocabulary.tags[name].synonyms)
        if any(f" {' '.join(phrase(term))} " in said for term in terms):
            return True
    return False


@settings(max_examples=300)
@given(text=questions)
def test_property_1_pico_extraction_produces_valid_tags(text: str) -> None:
    """For any valid medical query, PICO extraction SHALL produce at least one disease_tag OR one decision_tag, and
    the primary_disease_tag SHALL be non-empty when disease_tags is non-empty."""
    question = understand(text)

    assert question.disease_tags or question.decision_tags
    if question.disease_tags:
        assert question.disease_tags.primary


@settings(max_examples=150)
@given(text=long_questions())
def test_property_2_long_query_decomposition(text: str) -> None:
    """For any clinical query exceeding 100 words, the decomposition function SHALL produce 3-4 sub-queries where each
    sub-query is <=20 words and contains at least one disease term from the original query's disease_tags."""
    assert len(text.split()) > 100

    question = understand(text)
    subs = question.sub_queries

    assert 3 <= len(subs) <= 4
    assert all(0 < len(sub.query.split()) <= 20 for sub in subs)
    if question.disease_tags:
        own = {tag.name: (tag.label, *tag.synonyms) for tag in question.own_tags}
        assert all(names_condition(sub, question.disease_tags.all, own) for sub in subs)
    elif question.intervention_terms:
        # A question without a condition (two drugs, say) is searched by its interventions.
        assert all(any(term in sub.query for term in question.intervention_terms) for sub in subs)


@settings(max_examples=300)
@given(diseases=disease_names, decisions=decision_names)
def test_property_3_tag_based_classification_restricts_mesh(diseases: list[str], decisions: list[str]) -> None:
    """For any query where disease_tags includes 'AF' AND decision_tags includes 'anticoagulation', the classification
    SHALL be 'cardiology/anticoagulation' AND the allowed_mesh_terms SHALL NOT contain 'Primary Prevention' or
    'Diabetes Mellitus'."""
    result = classify({*diseases, "AF"}, {*decisions, "anticoagulation"})

    assert result.name == "cardiology/anticoagulation"
    assert not {"Primary Prevention", "Diabetes Mellitus"} & set(result.allowed_mesh)


@given(diseases=disease_names, decisions=decision_names)
def test_same_tags_in_any_order_give_the_same_field(diseases: list[str], decisions: list[str]) -> None:
    one = classify(diseases, decisions)
    other = classify(list(reversed(diseases)), list(reversed(decisions)))

    assert one == other
    assert not set(one.allowed_mesh) & set(one.excluded_mesh)


@given(text=questions)
@example(text="What is the best treatment for coronary no-reflow?")
def test_the_same_text_gives_the_same_question(text: str) -> None:
    assert understand(text) == understand(text)
