"""How the words of a question are weighed for its decisions."""

import pytest

from evidencegate.question import load_vocabulary, question_json, understand
from evidencegate.question._data import packed
from evidencegate.question._read import read
from evidencegate.question._speak import clauses, scores, weights, word_features


def test_every_weight_is_of_a_decision_there_is() -> None:
    raw = packed("decision_weights")

    assert sorted(raw["decisions"]) == sorted(load_vocabulary().decisions)
    assert len(raw["places"]) == len(raw["features"]) == len(set(raw["features"]))
    assert {int(place, 16) for places in raw["places"] for place in places} <= set(range(len(raw["decisions"])))
    assert len(raw["hundredths"]) == sum(map(len, raw["places"]))
    assert all(raw["hundredths"])


def test_each_question_of_a_sentence_is_weighed_by_itself() -> None:
    vocabulary = load_vocabulary()
    text = "In gout, does colchicine help, and for how long should it be taken?"
    reading = read(text, vocabulary)

    parts = clauses(reading, reading.vocabulary)

    assert [part[0] for part in parts] == ["in", "how"]
    assert "<condition>" in parts[0]
    assert "<drug>" in parts[0]


def test_a_score_is_the_sum_of_its_features() -> None:
    features = set(word_features(["how", "long"]))
    model = weights()

    total = scores(features)

    bias = model.features[""].get("duration", 0.0)
    assert total["duration"] == pytest.approx(
        bias + sum(model.features.get(f, {}).get("duration", 0.0) for f in features)
    )


def test_the_words_that_spoke_are_told() -> None:
    question = understand("How long should prednisolone be taken for polymyalgia rheumatica?")

    told = dict(question.decision_words)

    assert "duration" in told
    assert any("long" in words for words in told["duration"])
    assert question_json(question)["decision_words"]["duration"] == list(told["duration"])


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        (
            "Six-food elimination diet or swallowed budesonide for eosinophilic oesophagitis",
            "drug_choice",
        ),
        ("I'm on tacrolimus. Is grapefruit going to mess with it?", "interaction"),
        ("How quickly does motor neurone disease get worse?", "prognosis"),
        ("Does nirsevimab keep infants from being admitted with RSV?", "prevention"),
    ],
)
def test_wording_that_no_cue_holds(text: str, decision: str) -> None:
    assert decision in understand(text).decision_tags
