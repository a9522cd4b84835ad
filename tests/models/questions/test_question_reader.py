"""The reader of decisions inside the package."""

import hashlib
import re
import sys

import pytest

from evidencegate.models.decisions import DECISIONS, decision_reader
from evidencegate.models.decisions._reader import MODEL
from evidencegate.question import load_vocabulary, question_json, understand


def test_its_outputs_are_the_decisions_of_the_data_file() -> None:
    assert sorted(load_vocabulary().decisions) == list(DECISIONS)


def test_it_reads_what_no_cue_says() -> None:
    reader = decision_reader()
    assert reader is not None

    read = reader.read("The course ends on Friday; is one week really enough or should he go on into next month?")

    assert max(read, key=lambda name: read[name]) == "duration"
    assert read["duration"] > 0 > read["screening"]


@pytest.mark.parametrize("text", ["", " ", "\ud800", "[SEP] [SEP]", "dose " * 30_000])
def test_any_text_is_read(text: str) -> None:
    reader = decision_reader()
    assert reader is not None
    assert reader.read(text).keys() == set(DECISIONS)


def test_of_a_long_text_the_end_counts() -> None:
    reader = decision_reader()
    assert reader is not None
    end = "Which tests should be repeated, and how often?"

    assert reader.read("He walks his dog every day. " * 200 + end)["monitoring"] > 0


def test_the_model_card_describes_the_file_that_is_shipped() -> None:
    card = (MODEL.parent / "MODEL_CARD.md").read_text(encoding="utf-8")
    reader = decision_reader()
    assert reader is not None

    named = re.findall(r"`decisions\.onnx` \| `([0-9a-f]{64})`", card)
    assert named == [hashlib.sha256(MODEL.read_bytes()).hexdigest()]
    assert reader.name in card


def test_without_the_extra_words_and_rules_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    decision_reader.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    try:
        question = understand("How long should prednisolone be taken for polymyalgia rheumatica?")
    finally:
        decision_reader.cache_clear()

    assert question.decision_reader is None
    assert question.decision_tags.primary == "duration"
    assert question_json(question)["decision_reader"] is None


def test_who_read_is_told() -> None:
    reader = decision_reader()
    assert reader is not None
    question = understand("How long should prednisolone be taken for polymyalgia rheumatica?")

    assert question_json(question)["decision_reader"] == question.decision_reader == reader.name
