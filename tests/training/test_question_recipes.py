"""What the recipes of `training/question` make of findings and of labelled questions."""

import random
import re

import pytest
from examples import LEARNT
from hypothesis import given, settings
from hypothesis import strategies as st
from needed import needed, with_words
from rows import LONGEST_JOINED, DecisionRow, joined
from told import Case, alternatives, right, usable
from treated import akin, labels, measured

from evidencegate.evaluate.question import questions
from evidencegate.question import load_vocabulary
from evidencegate.question._measures import Measure, without_figures

TOLD = tuple(without_figures())


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        ("gout", ["gout"]),
        (r"gout|\btoe\b", ["gout", r"\btoe\b"]),
        (r"\b(?:gout|toe)\b", [r"\b(?:gout)\b", r"\b(?:toe)\b"]),
        (
            r"(?<!\bno )\b(?:gout|big (?:toe|foot))\b",
            [r"(?<!\bno )\b(?:gout)\b", r"(?<!\bno )\b(?:big (?:toe|foot))\b"],
        ),
        (r"\b(?:gout)\b[^|]*\b(?:toe)\b", [r"\b(?:gout)\b[^|]*\b(?:toe)\b"]),  # two groups are not one
        (r"a[|(]b|c\|d", ["a[|(]b", r"c\|d"]),
    ],
)
def test_the_alternatives_of_a_pattern(pattern: str, parts: list[str]) -> None:
    assert alternatives(pattern) == parts


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(TOLD))
def test_whatever_a_pattern_finds_one_of_its_alternatives_finds(data: st.DataObject, one: Measure) -> None:
    text = data.draw(st.from_regex(re.compile(one.pattern, re.IGNORECASE)))
    assert any(re.search(part, text, re.IGNORECASE) for part in alternatives(one.pattern))


def test_the_words_of_shipped_findings_are_those_that_the_recipe_writes() -> None:
    for one in TOLD:
        assert one.words == needed(one.pattern)
    line = "GOUT\told;words\t\\b(?:tophi|allopurinol)\\b\tsecond"
    assert with_words(line) == "GOUT\tallopurinol;tophi\t\\b(?:tophi|allopurinol)\\b\tsecond"


def _case(text: str, *labels: str, there: str = "") -> Case:
    return Case(text, frozenset(labels), frozenset(labels), frozenset(there.split()))


@pytest.mark.parametrize(
    ("cases", "kept"),
    [
        ([], False),  # found nowhere, so nothing speaks for it
        ([_case("Tophi on both ears", "GOUT")], True),
        ([_case("Tophi on both ears", "RA")], False),
        ([_case("Gout with tophi", "RA", there="GOUT")], False),
        ([_case("Tophi", "GOUT")] * 9 + [_case("Tophi", "RA")], True),
        # Right where gout is named anyhow, and wrong where nothing but the finding tells it.
        ([_case("Gout, tophi", "GOUT", there="GOUT")] * 9 + [_case("Tophi", "RA")], False),
    ],
)
def test_a_finding_is_kept_where_it_is_right(cases: list[Case], *, kept: bool) -> None:
    assert right(("GOUT", r"\btophi\b"), cases) is kept


@pytest.mark.parametrize(
    "told",
    [("GOUT", "(tophi)"), ("GOUT", "tophi("), ("NO_SUCH_TAG", "tophi"), ("GOUT", r"\w+"), ("GOUT", "a", "b", "c")],
)
def test_what_cannot_be_tried_is_not_usable(told: tuple[str, ...]) -> None:
    assert not usable(told)
    assert usable(("GOUT", r"\btophi\b", "allopurinol"))


def test_of_two_questions_asked_together_both_must_be_found() -> None:
    one = DecisionRow([101, 7, 102], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], 1.0)
    other = DecisionRow([101, 8, 9, 102], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0], 0.25)
    long = DecisionRow([101, *range(LONGEST_JOINED), 102], [1.0] * 3, [1.0] * 3, 1.0)
    pairs = list(joined([one, other, long], 200, random.Random(1)))

    assert len(pairs) == 200
    assert all(len(pair.ids) <= 6 for pair in pairs)
    both = next(pair for pair in pairs if pair.ids == [101, 7, 8, 9, 102])
    assert both.must == [1.0, 1.0, 0.0]
    assert both.counts == [1.0, 1.0, 0.0]  # what either may ask for, and neither must, is left out
    assert both.weight == 0.25


def test_labels_of_interventions_are_names_of_their_questions() -> None:
    texts = {case.id: case.text for name in LEARNT for case in questions(name)}
    assert len(labels()) == 1020
    for name, label in labels().items():
        assert set(label) == {"asked", "background"}
        for said in (*label["asked"], *label["background"]):
            assert " ".join(said.split()).casefold() in " ".join(texts[name].split()).casefold(), (name, said)


@pytest.mark.parametrize(
    ("name", "others", "is_akin"),
    [
        ("apixaban", {"apixaban"}, True),
        ("apixaban", {"direct oral anticoagulants"}, True),  # a member of it
        ("direct oral anticoagulants", {"apixaban"}, True),  # its class
        ("apixaban", {"warfarin"}, False),
        ("apixaban", set(), False),
    ],
)
def test_what_stands_for_a_treatment_that_is_labelled(name: str, others: set[str], is_akin: bool) -> None:
    assert akin(name, others, load_vocabulary()) is is_akin


def test_how_right_the_chosen_treatments_are() -> None:
    said = measured([True, False, True, True], [True, False, True, False], [0, 0, 1, 1])
    assert said == "precision 1.000, recall 0.667, F1 0.800, whole questions 0.500"
