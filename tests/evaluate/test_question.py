"""The sixty questions: their form, and that each field comes out right."""

from dataclasses import replace
from pathlib import Path

import pytest

from evidencegate.errors import InvalidInput
from evidencegate.evaluate.question import Expected, evaluate_questions, questions
from evidencegate.question import load_vocabulary

LOTS = Path(__file__).parents[2] / "training/question"
"""Lots that the recipes learn from; no part of the package."""


def test_sixty_questions_of_fifteen_specialties_half_of_them_long() -> None:
    cases = questions()

    assert len(cases) == 60
    assert len({case.specialty for case in cases}) == 15
    assert sum(len(case.text.split()) > 100 for case in cases) == 30
    assert len({case.id for case in cases}) == 60
    assert sum(bool(case.anchors) for case in cases if case.scenario) == sum(bool(case.scenario) for case in cases)


def test_expected_tags_exist() -> None:
    vocabulary = load_vocabulary()
    for case in questions():
        assert set(case.diseases) <= set(vocabulary.tags), case.id
        assert set(case.decisions) <= set(vocabulary.decisions), case.id


def test_at_least_95_percent_on_every_field() -> None:
    scores = evaluate_questions()

    assert min(scores.fields.values()) >= 0.95, scores.misses
    assert scores.as_json()["n"] == 60


def test_a_hundred_further_questions() -> None:
    cases = questions(LOTS / "lots_further.yaml")
    scores = evaluate_questions(cases)

    assert len({case.id for case in cases}) == 100
    assert min(scores.fields.values()) >= 0.93, scores.misses


def test_six_later_lots() -> None:
    cases = questions(LOTS / "lots_later.yaml")
    scores = evaluate_questions(cases)

    assert len({case.id for case in cases}) == 240
    assert sum(len(case.text.split()) > 100 for case in cases) == 120
    assert min(scores.fields.values()) >= 0.9, scores.misses


def test_four_fresh_lots() -> None:
    cases = questions(LOTS / "lots_fresh.yaml")
    scores = evaluate_questions(cases)

    assert len({case.id for case in cases}) == 160
    assert sum(len(case.text.split()) > 100 for case in cases) >= 60
    assert min(scores.fields.values()) >= 0.93, scores.misses


def test_blind_lots_that_were_mended_on() -> None:
    cases = questions(LOTS / "lots_a_to_e.yaml")
    early, late = ([case for case in cases if case.id[0] in lots] for lots in ("ab", "cde"))
    scores, later = evaluate_questions(early), evaluate_questions(late)

    assert len({case.id for case in cases}) == 240
    assert len(early) == 100
    assert min(scores.fields.values()) >= 0.93, scores.misses
    # Lots c to e were mended on for general causes only.
    assert later.fields["disease_tags"] >= 0.85, later.misses
    assert min(v for k, v in later.fields.items() if k != "disease_tags") >= 0.9, later.misses


def test_lots_of_the_panel() -> None:
    cases = questions(LOTS / "lots_f_to_m.yaml")
    scores = evaluate_questions(cases)

    assert len({case.id for case in cases}) == 340
    assert sum(len(case.text.split()) > 100 for case in cases) >= 169
    assert min(scores.fields.values()) >= 0.93, scores.misses


def test_lots_that_the_tables_are_fitted_on() -> None:
    cases = questions(LOTS / "lots_pa_to_qj.yaml")
    scores = evaluate_questions(cases[::5])

    assert len({case.id for case in cases}) == len(cases) == 1540
    assert min(scores.fields.values()) >= 0.93, scores.misses


@pytest.mark.parametrize("source", [LOTS / "kept.yaml", LOTS / "bounds.yaml", LOTS / "unseen.yaml"])
def test_nothing_learns_from_what_only_measures(source: str | Path) -> None:
    learnt = ("questions", *sorted(LOTS.glob("lots_*.yaml")))
    assert not {case.text for case in questions(source)} & {case.text for name in learnt for case in questions(name)}


def test_lots_that_nothing_learns_from_come_out_nearly_as_measured() -> None:
    cases = questions(LOTS / "kept.yaml")
    scores = evaluate_questions(cases)

    assert len({case.id for case in cases}) == 300
    # As measured (docs/question.md), less eight questions of 300.
    assert scores.fields["disease_tags"] >= 0.84, scores.misses
    assert scores.fields["primary_disease_tag"] >= 0.88, scores.misses
    assert scores.fields["decision_tags"] >= 0.84, scores.misses
    assert scores.fields["primary_decision_tag"] >= 0.91, scores.misses
    assert scores.fields["classification"] >= 0.955, scores.misses
    assert scores.fields["anchor_scenario"] >= 0.92, scores.misses


def test_a_miss_is_counted_and_shown() -> None:
    wrong = Expected(
        id="x", text="Apixaban in atrial fibrillation", diseases=("GOUT",), primary="GOUT", classification="general"
    )
    scores = evaluate_questions([wrong])

    assert scores.fields["disease_tags"] == 0
    assert scores.all_fields == 0
    assert {miss.field for miss in scores.misses} >= {"disease_tags", "primary_disease_tag", "classification"}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[]", "a list of questions"),
        ("- {id: a, text: b}", "`classification`"),
        ("- {id: a, text: b, classification: general, colour: red}", "unknown field 'colour'"),
        ("- {id: a, text: b, classification: general, diseases: AF}", "`diseases` must be a list"),
        ("- {id: a, text: b, classification: general, scenario: moon}", "no scenario 'moon'"),
        ("a: [", "not valid YAML"),
    ],
)
def test_a_mistake_in_a_file_is_named(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "q.yaml"
    path.write_text(content)

    with pytest.raises(InvalidInput, match=says):
        questions(path)


def test_a_question_that_is_refused_is_wrong_on_every_field() -> None:
    good, *_ = questions()
    refused = replace(good, id="x", text="What should I cook on Sunday?")
    scores = evaluate_questions([good, refused])
    assert set(scores.fields.values()) == {0.5}
    assert {miss.id for miss in scores.misses} == {"x"}
    assert all(miss.found.startswith("refused: ") for miss in scores.misses)
