"""Which of the conditions that a question names are its tags, and which is the primary one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidencegate.models.questions import Weight, question_reader
from evidencegate.question import load_vocabulary, understand
from evidencegate.question._asked import interacting
from evidencegate.question._beside import beside
from evidencegate.question._candidates import candidates
from evidencegate.question._chosen import MOST_DISEASES, conditions, weighed, weights
from evidencegate.question._data import packed
from evidencegate.question._read import read
from evidencegate.question._traits import traits
from evidencegate.question._types import Role

_CASE = (
    "A 71-year-old retired nurse with {told} came because {matter}. She lives with her husband, who keeps a list of "
    "every figure that is measured and worries more than she does. She sleeps well, does not smoke and walks for an "
    "hour each morning. Her weight is steady, the physical examination was normal and she has no allergies. {asked}"
)


def _kinds(text: str) -> dict[str, frozenset[str]]:
    vocabulary = load_vocabulary()
    reading = read(text, vocabulary)
    found = candidates(reading, reading.vocabulary)
    among = beside(found, reading, reading.vocabulary, together=interacting(reading, reading.vocabulary))
    return {one.name: features for one, features in zip(found, traits(found, among), strict=True)}


def test_every_weight_is_of_a_feature_that_says_something() -> None:
    raw = packed("condition_weights")
    assert len(raw) > 1000
    for feature, row in raw.items():
        assert len(row) == 2
        assert any(row), feature
    tags = load_vocabulary().tags
    named = {feature.split()[1] for feature in raw if feature.startswith("# ")}
    assert len(named & tags.keys()) > len(named) * 0.95


def test_features_without_a_weight_add_nothing() -> None:
    assert weighed(()) == Weight(0.0, 0.0)
    assert weighed(("no such feature",)) == Weight(0.0, 0.0)
    some = next(iter(weights()))
    assert weighed((some, "no such feature")) == weights()[some]


@given(st.lists(st.sampled_from(sorted(weights())), unique=True, max_size=20))
def test_the_order_of_features_does_not_matter(features: list[str]) -> None:
    assert weighed(features) == weighed(reversed(features))


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("Is propranolol safe in a man with asthma and tremor?", "ASTHMA", "minded first"),
        ("Is colchicine safe for gout in heart failure?", "GOUT", "given first"),
        ("He takes allopurinol for gout. Does apixaban suit his AF?", "GOUT", "has its treatment"),
        ("After a stroke, does clopidogrel help?", "STROKE", "followed"),
        ("Does aspirin increase the risk of bleeding in AF?", "BLEEDING", "effect"),
        ("She had a stomach ulcer as a child. Omeprazole for GERD?", "PEPTIC_ULCER", "past"),
        ("P: adults with AF; I: apixaban; C: warfarin; O: stroke, death. Which is better?", "STROKE", "outcome"),
        ("Breathless, LVEF 28 %, NYHA III: which drug next?", "HFrEF", "measured"),
        ("In breast cancer, does tamoxifen help?", "BREAST_CANCER", "first asked"),
    ],
)
def test_what_is_heard_of_a_condition(text: str, name: str, kind: str) -> None:
    assert kind in _kinds(text)[name]


def test_what_is_denied_is_no_candidate() -> None:
    assert "DIABETES" not in _kinds("No diabetes, no hypertension; AF since May. Which anticoagulant?")


def test_what_hides_no_name() -> None:
    kinds = _kinds("Ertapenem or a tablet for ESBL bacteraemia?")
    assert {"BACTEREMIA", "ESBL_INFECTION"} <= kinds.keys()
    reading = read("DAPT duration after a stent", load_vocabulary())
    assert reading.treatments


def test_words_that_are_read_as_one() -> None:
    for whose in ("her", "his", "my", "the"):
        assert "VTE" in _kinds(f"A clot in {whose} leg: how long should apixaban be taken?")


@pytest.mark.parametrize(
    ("told", "matter", "asked", "name", "counts"),
    [
        ("gout", "of her tremor", "Which drug is best for her restless legs syndrome?", "RLS", True),
        ("a cataract operation last spring", "of her gout", "Is allopurinol right for her gout?", "CATARACT", False),
        ("an ingrown toenail", "of her gout", "Is allopurinol right for her gout?", "INGROWN_TOENAIL", False),
        ("stage 4 CKD", "of her AF", "Is apixaban right for her, and at which dose?", "CKD", True),
    ],
)
def test_what_a_long_case_tells_counts_where_it_bears_on_what_is_asked(
    told: str, matter: str, asked: str, name: str, counts: bool
) -> None:
    found = understand(_CASE.format(told=told, matter=matter, asked=asked)).disease_tags.all
    assert (name in found) is counts


_NAMES = st.sampled_from(sorted(tag.label for tag in load_vocabulary().tags.values()))


@settings(max_examples=60, deadline=None)
@given(st.lists(_NAMES, min_size=1, max_size=14, unique=True))
def test_at_most_so_many_and_modifiers_last(names: list[str]) -> None:
    vocabulary = load_vocabulary()
    reading = read(f"Which treatment is best in {', '.join(names)}?", vocabulary)
    found = conditions(reading, reading.vocabulary, question_reader(), together=False).tags.all
    implied = {up for name in found if name in vocabulary.tags for up in vocabulary.tags[name].implies}
    assert len(set(found) - implied) <= MOST_DISEASES
    assert len(found) == len(set(found))
    mains = [vocabulary.tags[n].role is Role.MAIN for n in found if n in vocabulary.tags and n not in implied]
    assert mains == sorted(mains, reverse=True)


_DENIALS = (
    "She has no {one}.",
    "She denies {one} and {other}.",
    "There is no history of {one} or {other}.",
    "There was never any sign of it: no {one}, no {other}.",
    "She came without {one}.",
    "Her mother had {one}.",
    "{one} was ruled out.",
)


@settings(max_examples=100, deadline=None)
@given(one=_NAMES.filter(lambda name: name != "hiccups"), other=_NAMES, denial=st.sampled_from(_DENIALS))
def test_what_is_denied_is_never_a_candidate(one: str, other: str, denial: str) -> None:
    vocabulary = load_vocabulary()
    text = f"A woman of 54 has had hiccups for a week. {denial.format(one=one, other=other)} Which drug helps?"
    reading = read(text, vocabulary)
    # Nor does what is denied tell another: "no calciphylaxis" is no word on dialysis.
    assert {found.name for found in candidates(reading, reading.vocabulary)} <= {"HICCUPS"}


@given(
    drug=st.sampled_from(
        ["pirfenidone", "benralizumab", "levothyroxine", "ensitrelvir", "fecal microbiota transplant", "nicotine gum"]
    ),
    asked=st.sampled_from(["ACNE", "SARCOIDOSIS", "TINNITUS", "MIGRAINE", "ENDOMETRIOSIS", "AUTISM", "LUPUS"]),
    form=st.sampled_from(
        [
            "Is {drug} effective in {asked}?",
            "Does {drug} help in {asked}?",
            "{drug} for {asked}: any evidence?",
            "What is the evidence for {drug} in the treatment of {asked}?",
            "Should {drug} be used in adults with {asked}?",
        ]
    ),
)
def test_what_a_treatment_is_usually_for_is_not_what_is_asked_of_it(drug: str, asked: str, form: str) -> None:
    vocabulary = load_vocabulary()
    tags = understand(form.format(drug=drug, asked=vocabulary.tags[asked].label)).disease_tags
    assert tags.primary == asked
    assert not set(tags.all) & set(vocabulary.bearing(drug).given)


@pytest.mark.parametrize(
    ("text", "usual"),
    [("Is letrozole safe in osteoporosis?", "BREAST_CANCER"), ("Does levodopa worsen glaucoma?", "PARKINSON")],
)
def test_what_a_treatment_is_usually_for_matters_for_its_safety(text: str, usual: str) -> None:
    assert usual in understand(text).disease_tags
