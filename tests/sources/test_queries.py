"""Queries in the syntax of each source, for any question."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.question import (
    PICO,
    Category,
    Classification,
    Edits,
    Question,
    SubQuery,
    Tag,
    Tags,
    TargetEvidence,
    load_vocabulary,
    understand,
)
from evidencegate.question._chosen import Conditions
from evidencegate.question._subqueries import _beside
from evidencegate.sources import NAMES
from evidencegate.sources._concepts import concepts
from evidencegate.sources._query import plan
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


ANTICOAGULATION = ("anticoagulation", "anticoagulant", "anticoagulants", "anticoagulated", "diet")


def test_pubmed_narrow_to_broad() -> None:
    question = asked()
    shown = [step.shown for step in plan("pubmed", question.sub_queries[0], question)]
    guideline = (
        "(guideline[pt] OR practice guideline[pt] OR consensus development conference[pt] OR guideline*[ti] OR "
        "recommendation*[ti])"
    )
    drugs = (
        '("apixaban"[tiab] OR "eliquis"[tiab] OR "warfarin"[tiab] OR "coumadin"[tiab] OR "marevan"[tiab] OR '
        '"jantoven"[tiab])'
    )
    names = '"atrial fibrillation"[tiab] OR "auricular fibrillation"[tiab] OR "afib"[tiab]'
    disease = f'({names} OR "Atrial Fibrillation"[MeSH Terms])'
    decided = " OR ".join(f'"{word}"[tiab]' for word in ANTICOAGULATION)
    assert shown == [
        f"{disease} AND {drugs} AND ({decided}) AND {guideline}",
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
    decided = '("' + '" OR "'.join(ANTICOAGULATION) + '")'
    assert first["clinical_trials"] == (
        f'query.cond={disease} & query.intr=("apixaban" OR "eliquis" OR "warfarin" OR "coumadin" OR "marevan" OR '
        '"jantoven") & '
        f"query.term={decided} & "
        "filter.advanced=AREA[StudyType]INTERVENTIONAL"
    )
    drugs = '("apixaban" OR "eliquis" OR "warfarin" OR "coumadin" OR "marevan" OR "jantoven")'
    assert first["openalex"] == f'{disease} AND {drugs} AND {decided} AND "randomized trial"'
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

    # Nor is it lost with the kind of study and the MeSH terms.
    assert '"soy"[tiab]' in plan("pubmed", question.sub_queries[0], question)[1].shown

    known = understand("Does tamoxifen affect breast cancer recurrence and survival?")
    assert '"affect"[tiab]' not in plan("pubmed", known.sub_queries[0], known)[0].shown


def steps_of(text: str, source: str = "pubmed") -> list[str]:
    question = understand(text)
    return [step.shown for step in plan(source, question.sub_queries[0], question)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Is apremilast effective for Behçet's disease?", "behcet disease"),
        ("Should meningiomas be treated with radiosurgery?", "meningiomas"),
        ("Is tirofiban effective in acute ischaemic stroke?", "ischaemic stroke"),
        ("Is tirofiban effective in acute ischaemic stroke?", "ischemic stroke"),
        ("Does iron help in anaemia of heart failure?", "anemia"),
        ("Is warfarin needed after deep vein thrombosis?", "deep vein thrombosis"),
        ("Does valproic acid cause weight gain?", "valproic acid"),
        ("Does an antibiotic shorten a COPD flare?", "antibiotics"),
        ("Does an antibiotic shorten a COPD flare?", "antibiotic"),
    ],
)
def test_what_is_asked_for_is_searched_for_by_the_name_it_is_given(text: str, name: str) -> None:
    assert all(f'"{name}"[tiab]' in shown for shown in steps_of(text)[:2])


@pytest.mark.parametrize(
    "text", ["How long is warfarin given after a pulmonary embolism?", "Does tai chi prevent falls?"]
)
def test_names_that_are_only_read_by_are_not_searched_for(text: str) -> None:
    for name in ("and thrombosis", "previous thrombosis", "falls in", "who falls"):
        assert all(f'"{name}"' not in shown for shown in steps_of(text))


def test_another_condition_must_be_there_until_too_little_is_found() -> None:
    narrow, core, last = steps_of("Is apixaban safe in atrial fibrillation with chronic kidney disease?")
    both = '"chronic kidney disease"[tiab] OR'

    assert both in narrow
    assert both in core
    assert both not in last
    assert '"apixaban"[tiab]' in last
    # The kind of decision does not stand in for it.
    assert not re.search(r"chronic kidney disease[^)]*safety", narrow)


def test_a_condition_that_only_a_drug_tells_of_is_not_asked_for() -> None:
    asthma = understand("In urticaria, is benralizumab effective?")
    assert "ASTHMA" in asthma.disease_tags
    assert all("asthma" not in shown.casefold() for shown in steps_of(asthma.text))

    narrow, core, last = steps_of("Can panitumumab cause trichomegaly?")
    assert core == '("panitumumab"[tiab] OR "vectibix"[tiab]) AND "trichomegaly"[tiab]'
    assert last == '("panitumumab"[tiab] OR "vectibix"[tiab])'
    assert '"trichomegaly"[tiab]' in narrow


def test_words_of_any_question_are_no_search_terms() -> None:
    for shown in steps_of("Is apixaban a better choice of drug than warfarin in atrial fibrillation?"):
        assert not re.search(r'"(?:drug|choice|better|treatment)"\[tiab\]', shown)


def test_stopping_is_searched_for_in_the_words_of_abstracts() -> None:
    narrow = steps_of("Can statins be stopped in dementia?")[0]
    assert '"discontinuation"[tiab]' in narrow
    assert '"deprescribing"[tiab]' in narrow


def test_a_drug_that_is_only_told_of_is_searched_for_where_it_is_what_is_asked_about() -> None:
    told = "Five years of letrozole done in May for breast cancer, T-score -2.9. Do I let her stop?"
    for shown in steps_of(told)[:2]:
        assert '"letrozole"[tiab]' in shown


def test_what_a_case_has_to_choose_from_is_searched_for() -> None:
    cupboard = (
        "A girl of six, 21 kg, focal epilepsy on lamotrigine, has been in a convulsion for 25 minutes in spite of "
        "midazolam. Glucose 6.1. The resuscitation bay has levetiracetam and phenobarbital in the cupboard. Which "
        "second-line drug should be given now, and how long do we wait before we call for thiopental?"
    )
    for shown in steps_of(cupboard)[:2]:
        for drug in ("levetiracetam", "phenobarbital", "thiopental"):
            assert f'"{drug}"[tiab]' in shown


def test_what_is_asked_of_a_told_drug_by_that_is_asked_of_the_drug() -> None:
    told = (
        "Lewy body dementia, 84, three falls. Rivastigmine was taken off because her pulse was 47. It seems to me "
        "that we ought to bring back rivastigmine. Is that safe with her pulse?"
    )
    assert '"rivastigmine"[tiab]' in steps_of(told)[0]


def test_history_need_not_be_there_and_what_changes_the_treatment_must() -> None:
    history = "Overactive bladder, hypertension, 80 years. Mirabegron or oxybutynin?"
    asked_about = "Overactive bladder in a man with blood pressure 190/110. Is mirabegron safe with that hypertension?"
    dialysis = "She has been on haemodialysis for years and has atrial fibrillation. Apixaban or nothing?"
    assert "HTN" in understand(history).disease_tags
    assert not any("hypertension" in shown for shown in steps_of(history))
    assert '"hypertension"[tiab]' in steps_of(asked_about)[1]
    assert '"hemodialysis"[tiab]' in steps_of(dialysis)[1]


def test_a_condition_that_a_reader_adds_must_be_there() -> None:
    text = "Overactive bladder, 80 years. Mirabegron or oxybutynin?"
    edited = understand(text, edits=Edits(disease_tags=("OVERACTIVE_BLADDER", "HTN")))
    steps = plan("pubmed", edited.sub_queries[0], edited)
    assert all('"hypertension"[tiab]' in step.shown for step in steps[:2])


def test_a_story_lends_no_words_of_its_own() -> None:
    for shown in steps_of("Mum is 88, in a care home, on donepezil since 2017. The nurse wonders. Can it be left out?"):
        assert '"dementia"[tiab]' in shown
        assert not re.search(r'"(?:mum|care|home|nurse)"', shown, re.IGNORECASE)


def test_a_condition_within_the_name_of_another_is_none_beside_it() -> None:
    text = "Does naloxone at home prevent opioid-induced respiratory depression in chronic pain?"
    assert all("depressive" not in shown for shown in steps_of(text))


def test_a_long_question_is_searched_for_by_what_it_asks_in_every_search() -> None:
    question = understand(
        " ".join(["A long story of a woman with atrial fibrillation and diabetes."] * 12)
        + " Should apixaban be stopped in her?"
    )
    assert len(question.sub_queries) == 4
    for sub_query in question.sub_queries:
        narrow = plan("pubmed", sub_query, question)[0].shown
        assert '"discontinuation"[tiab]' in narrow
        assert '"follow-up"[tiab]' not in narrow


def test_a_word_that_an_intervention_is_searched_for_by_is_none_for_what_is_asked_of_it() -> None:
    narrow = steps_of("How long should aspirin be given after a stroke?")[0]
    assert '"duration"[tiab]' in narrow
    assert narrow.count('"aspirin"[tiab]') == 1


def test_an_organism_that_the_condition_leaves_open_is_asked_for_until_too_little_is_found() -> None:
    narrow, core, last = steps_of(
        "Staph aureus bacteraemia, afebrile after two days. How long must flucloxacillin be given?"
    )
    organism = '"Staphylococcus aureus"[tiab]'
    assert organism in narrow
    assert organism in core
    assert organism not in last


@pytest.mark.parametrize(("drug", "told"), [("allopurinol", ["GOUT"]), ("apixaban", [])])
def test_a_told_condition_that_a_treatment_is_given_for_may_bear_on_it(drug: str, told: list[str]) -> None:
    found = Conditions(Tags(("PSORIASIS", "GOUT", "HTN")), (), frozenset(), frozenset())
    assert _beside([drug], found, load_vocabulary()) == ([], told)


def test_two_drugs_without_a_condition_end_in_the_first_of_them_with_what_is_asked() -> None:
    assert steps_of("Do macrolides interact with statins?")[-1].startswith(
        '("macrolides"[tiab] OR "macrolide"[tiab]) AND ("interaction"[tiab]'
    )


def test_headings_stand_beside_the_names_of_what_they_mean() -> None:
    narrow, core, _ = steps_of("Is apixaban safe in atrial fibrillation with chronic kidney disease?")
    for shown in (narrow, core):
        groups = shown.split(" AND ")
        assert any(
            '"atrial fibrillation"[tiab]' in one and '"Atrial Fibrillation"[MeSH Terms]' in one for one in groups
        )
        kidney = '"Renal Insufficiency, Chronic"[MeSH Terms]'
        assert any('"chronic kidney disease"[tiab]' in one and kidney in one for one in groups)
