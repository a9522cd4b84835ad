"""Queries in the syntax of each source, for any question."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.question import (
    PICO,
    Category,
    Classification,
    Question,
    SubQuery,
    Tag,
    Tags,
    TargetEvidence,
    understand,
)
from evidencegate.sources import NAMES
from evidencegate.sources._query import concepts, plan
from simulated._boolean import compile_query

_NASTY = st.sampled_from(
    [
        '"',
        "[tiab]",
        ")",
        "((",
        "AND",
        "OR",
        "NOT",
        "*",
        "[MeSH Terms]",
        "TITLE:",
        "&api_key=x",
        "\n",
        "Diet",
        "αβ",
        "5-FU",
        "p<0.05",
    ]
)
_TEXT = st.lists(st.one_of(st.text(min_size=1, max_size=12), _NASTY), min_size=1, max_size=20).map(" ".join)
_MESH = st.sampled_from(
    ["Atrial Fibrillation", "Anticoagulants", "Kidney Failure, Chronic", "Diet", "Exercise", "Stroke", 'Odd"[Term])']
)


@st.composite
def questions(draw: st.DrawFn) -> Question:
    allowed = draw(st.lists(_MESH, unique=True, max_size=4))
    excluded = [term for term in draw(st.lists(_MESH, unique=True, max_size=4)) if term not in allowed]
    query = draw(_TEXT.filter(lambda text: bool(text.strip())))
    return Question(
        text="q",
        pico=PICO(condition=draw(st.one_of(st.just(""), _TEXT, st.just("atrial fibrillation")))),
        disease_tags=Tags(("AF",)),
        decision_tags=Tags(()),
        classification=Classification(name="x", allowed_mesh=tuple(allowed), excluded_mesh=tuple(excluded)),
        sub_queries=(
            SubQuery(
                query=query,
                category=draw(st.sampled_from(Category)),
                target_evidence=draw(st.sampled_from(TargetEvidence)),
            ),
        ),
        intervention_terms=tuple(draw(st.lists(st.one_of(_TEXT, st.just("apixaban")), max_size=3))),
    )


@given(questions())
def test_every_boolean_query_is_understood(question: Question) -> None:
    for source in ("pubmed", "europe_pmc", "clinical_trials"):
        for step in plan(source, question.sub_queries[0], question):
            for value in step.params.values():
                compile_query(value)


@given(questions())
def test_mesh_comes_from_the_allowed_terms_only(question: Question) -> None:
    allowed = {re.sub(r'["\[\]()]', "", term) for term in question.classification.allowed_mesh}
    for step in plan("pubmed", question.sub_queries[0], question):
        used = set(re.findall(r'"([^"]*)"\[MeSH Terms\]', step.shown))
        assert used <= allowed
        assert step.shown.count("[MeSH Terms]") == len(re.findall(r'"[^"]*"\[MeSH Terms\]', step.shown))
    for step in plan("europe_pmc", question.sub_queries[0], question):
        assert set(re.findall(r'KW:"([^"]*)"', step.shown)) <= allowed


@given(questions(), st.sampled_from(NAMES))
def test_plans_are_short_distinct_and_never_empty_queries(question: Question, source: str) -> None:
    steps = plan(source, question.sub_queries[0], question)
    assert len(steps) <= 3
    assert len({step.shown for step in steps}) == len(steps)
    assert bool(steps) is bool(concepts(question.sub_queries[0], question))
    for step in steps:
        assert step.params
        assert all(value.strip() for value in step.params.values())
        assert "\n" not in step.shown


@given(questions(), st.sampled_from(NAMES))
def test_the_same_question_makes_the_same_queries(question: Question, source: str) -> None:
    assert plan(source, question.sub_queries[0], question) == plan(source, question.sub_queries[0], question)


def asked(target: TargetEvidence = TargetEvidence.GUIDELINE) -> Question:
    return Question(
        text="q",
        pico=PICO(condition="atrial fibrillation"),
        disease_tags=Tags(("OWN",)),
        own_tags=(Tag(name="OWN", label="atrial fibrillation", synonyms=("auricular fibrillation", "a fib", "afib")),),
        decision_tags=Tags(("anticoagulation",)),
        classification=Classification(
            name="cardiology/anticoagulation",
            allowed_mesh=("Atrial Fibrillation", "Kidney Failure, Chronic"),
            excluded_mesh=("Diet",),
        ),
        sub_queries=(
            SubQuery(query="apixaban versus warfarin in atrial fibrillation and diet", target_evidence=target),
        ),
        intervention_terms=("apixaban", "warfarin"),
    )


def test_pubmed_narrow_to_broad() -> None:
    question = asked()
    shown = [step.shown for step in plan("pubmed", question.sub_queries[0], question)]
    guideline = (
        "(guideline[pt] OR practice guideline[pt] OR consensus development conference[pt] OR guideline*[ti] OR "
        "recommendation*[ti])"
    )
    drugs = '("apixaban"[tiab] OR "warfarin"[tiab])'
    disease = '("atrial fibrillation"[tiab] OR "auricular fibrillation"[tiab] OR "afib"[tiab])'
    assert shown == [
        f'{disease} AND {drugs} AND "diet"[tiab] AND ("Atrial Fibrillation"[MeSH Terms] OR '
        f'"Kidney Failure, Chronic"[MeSH Terms]) AND {guideline}',
        f"{disease} AND {drugs}",
        f"{disease} AND {guideline}",
    ]


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (TargetEvidence.GUIDELINE, "guideline"),
        (TargetEvidence.SYSTEMATIC_REVIEW, "systematic"),
        (TargetEvidence.TRIAL, "randomized controlled trial"),
        (TargetEvidence.COHORT, "observational study"),
    ],
)
@pytest.mark.parametrize("source", ["pubmed", "europe_pmc"])
def test_the_study_type_is_asked_for(source: str, target: TargetEvidence, words: str) -> None:
    question = asked(target)
    assert words in plan(source, question.sub_queries[0], question)[0].shown


def test_each_source_has_its_own_syntax() -> None:
    question = asked(TargetEvidence.TRIAL)
    first = {name: plan(name, question.sub_queries[0], question)[0].shown for name in NAMES}
    assert first["europe_pmc"].startswith('((TITLE:"atrial fibrillation" OR ABSTRACT:"atrial fibrillation") OR ')
    disease = '("atrial fibrillation" OR "auricular fibrillation" OR "afib")'
    assert first["clinical_trials"] == (
        f'query.cond={disease} & query.intr=("apixaban" OR "warfarin") & query.term="diet" & '
        "filter.advanced=AREA[StudyType]INTERVENTIONAL"
    )
    assert first["openalex"] == f'{disease} AND ("apixaban" OR "warfarin") AND "diet" AND "randomized trial"'
    assert first["crossref"] == "atrial fibrillation apixaban warfarin diet randomized trial"


def test_a_question_of_small_words_only_is_not_sent() -> None:
    question = asked()
    empty = SubQuery(query="what should we do?")
    bare = Question(
        text="q",
        pico=PICO(),
        disease_tags=Tags(),
        decision_tags=Tags(("therapy",)),
        classification=question.classification,
        sub_queries=(empty,),
    )
    assert all(plan(name, empty, bare) == () for name in NAMES)


def test_an_interaction_is_of_both() -> None:
    question = understand("Do macrolides interact with statins?")
    for step in plan("pubmed", question.sub_queries[0], question)[:2]:
        assert step.shown.startswith('"macrolides"[tiab] AND "statins"[tiab]')


def test_one_rare_disease_is_asked_for_ever_more_broadly() -> None:
    question = understand("What is the treatment of Erdheim-Chester disease?")
    steps = [step.shown for step in plan("pubmed", question.sub_queries[0], question)]
    assert len(steps) == 3
    assert '"Erdheim-Chester disease"[tiab]' in steps[-1]
    assert " AND " not in steps[-1]
    assert steps[1].startswith(f"{steps[-1]} AND (")


def test_a_second_disease_stays_a_phrase() -> None:
    question = understand("Is apixaban safer than warfarin in atrial fibrillation with chronic kidney disease?")
    first = plan("pubmed", question.sub_queries[0], question)[0].shown
    assert '"chronic kidney disease"[tiab]' in first
    assert '"kidney"[tiab]' not in first


def test_words_that_no_vocabulary_knows_are_searched_for_where_they_say_what_is_asked() -> None:
    question = understand("Does soy food intake affect breast cancer recurrence and survival?")
    narrow = plan("pubmed", question.sub_queries[0], question)[0].shown

    assert '"soy"[tiab]' in narrow

    known = understand("Does tamoxifen affect breast cancer recurrence and survival?")
    assert '"affect"[tiab]' not in plan("pubmed", known.sub_queries[0], known)[0].shown
