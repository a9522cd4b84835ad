"""The reader of questions inside the package."""

import hashlib
import math
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidencegate.evaluate.question import questions
from evidencegate.models._onnx import load_tokenizer
from evidencegate.models.embedding import TOKENIZER
from evidencegate.models.questions import DECISIONS, QuestionReader, Span, question_reader
from evidencegate.models.questions._reader import MODEL, MOST_ASKED, MOST_PIECES, pieces
from evidencegate.question import load_vocabulary, question_json, understand
from evidencegate.question._candidates import candidates
from evidencegate.question._read import read

BOUNDS = Path(__file__).parents[3] / "training/question/bounds.yaml"
ANY_TEXT = ["", " ", "\ud800", "[SEP] [SEP]", "dose " * 30_000]


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    found = question_reader()
    assert found is not None
    return found


def place(text: str, words: str) -> Span:
    return text.index(words), text.index(words) + len(words)


def test_its_outputs_are_the_decisions_of_the_data_file() -> None:
    assert sorted(load_vocabulary().decisions) == list(DECISIONS)


def test_it_reads_what_no_cue_says(reader: QuestionReader) -> None:
    read = reader.decisions("The course ends on Friday; is one week really enough or should he go on into next month?")

    assert max(read, key=lambda name: read[name]) == "duration"
    assert read["duration"] > 0 > read["screening"]


def test_what_is_asked_is_heard_within_its_question(reader: QuestionReader) -> None:
    asked = "Do I let her stop?"
    drug = f"Five years of letrozole done in May for breast cancer. {asked}"
    clots = f"Six months of apixaban done in May for a clot after a fall. {asked}"
    spans = [[(text.index(asked), len(text))] for text in (drug, clots)]
    heard = [reader.decisions_in_context(text, span) for text, span in zip((drug, clots), spans, strict=True)]
    assert all(set(one) == set(DECISIONS) and one["de-escalation"] > 0 for one in heard)
    assert heard[1]["anticoagulation"] > heard[0]["anticoagulation"]
    assert all(math.isfinite(value) for value in reader.decisions_in_context(drug, []).values())


def test_it_tells_what_bears_on_the_question_from_what_is_told_by_the_way(reader: QuestionReader) -> None:
    told = (
        "A man of 71 with a new clot in the calf. He had a cataract taken out in May, and his creatinine clearance is "
        "17 ml/min. "
    )
    question = "Can he have rivaroxaban for it?"
    text = told + question

    clot, cataract, kidney = reader.conditions(
        text,
        [place(text, question)],
        [[place(text, words)] for words in ("clot in the calf", "cataract", "creatinine clearance is 17 ml/min")],
    )

    assert clot is not None
    assert cataract is not None
    assert kidney is not None
    assert min(clot.counts, kidney.counts) > max(0, cataract.counts)
    assert clot.primary > max(kidney.primary, cataract.primary)
    assert set(understand(text).disease_tags.all) == {"VTE", "CKD"}


def test_it_is_right_on_nine_of_ten_conditions_of_questions_that_it_did_not_learn_from(reader: QuestionReader) -> None:
    right: list[bool] = []
    for case in questions(BOUNDS)[:100]:
        reading = read(case.text, load_vocabulary())
        named = candidates(reading, reading.vocabulary)
        weighed = reader.conditions(case.text, reading.asking, [one.places(reading) for one in named])
        for one, weight in zip(named, weighed, strict=True):
            if weight is not None and (one.name in case.diseases or one.name not in case.diseases_also):
                right.append((weight.counts > 0) is (one.name in case.diseases))

    assert len(right) > 150
    assert sum(right) >= 0.9 * len(right)


def test_of_several_places_the_one_that_speaks_for_it_most_counts(reader: QuestionReader) -> None:
    text = "Her mother died of a stroke. After her own stroke in June, is clopidogrel or aspirin better?"
    first, last = (m.span() for m in re.finditer("stroke", text))

    both, one, other = reader.conditions(text, [], [[first, last], [first], [last]])

    assert one is not None
    assert other is not None
    assert both is not None
    assert both.counts == max(one.counts, other.counts)
    assert both.primary == max(one.primary, other.primary)


@pytest.mark.parametrize("text", ANY_TEXT)
def test_any_text_is_read(reader: QuestionReader, text: str) -> None:
    assert reader.decisions(text).keys() == set(DECISIONS)
    assert len(reader.conditions(text, [(0, len(text))], [[(0, len(text))], []])) == 2


def test_of_a_long_text_what_is_asked_and_the_end_count(reader: QuestionReader) -> None:
    end = "Which tests should be repeated, and how often?"
    text = "She has gout. " + "He walks his dog every day. " * 200 + "His asthma is worse. " + end

    read = reader.decisions(text)
    assert read == reader.decisions(text[len(text) // 2 :])
    assert max(read, key=lambda name: read[name]) == "monitoring"
    gout, asthma = reader.conditions(text, [place(text, end)], [[place(text, "gout")], [place(text, "asthma")]])
    assert gout is None
    assert asthma is not None


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_places_of_names_are_the_pieces_that_write_them(data: st.DataObject) -> None:
    """However long the text, what is read stays below the bound, and each place holds its words."""
    words = data.draw(
        st.lists(st.sampled_from(["gout", "the", "pericarditis", "of", "x.", "Ménière's"]), min_size=1, max_size=700)
    )
    text = " ".join(words)
    ends = [len(" ".join(words[: i + 1])) for i in range(len(words))]
    spans = [(end - len(word), end) for word, end in zip(words, ends, strict=True)]
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    tokenizer = load_tokenizer(TOKENIZER)

    read = pieces(tokenizer, text, [(spans[first][0], spans[last][1])], [[span] for span in spans])

    whole_text = tokenizer.encode(text)
    asking = sum(spans[first][0] <= start < spans[last][1] for start, _ in whole_text.offsets[1:-1])
    telling = len(whole_text.ids) - 2 - asking
    if len(whole_text.ids) > MOST_PIECES:
        asking = min(asking, MOST_ASKED)
        telling = min(telling, MOST_PIECES - 2 - asking)
    assert sum(read.asked) == asking
    assert len(read.ids) == len(read.asked) == 2 + asking + telling
    for number, (word, found) in enumerate(zip(words, read.named, strict=True)):
        for at in found:
            whole = tokenizer.encode(word, add_special_tokens=False).ids
            kept = [read.ids[i] for i in at]
            # Of a name at the edge of what is read only the end may be there.
            assert kept == whole[-len(kept) :]
            assert all(read.asked[i] == (first <= number <= last) for i in at)


def test_the_model_card_describes_the_file_that_is_shipped(reader: QuestionReader) -> None:
    card = (MODEL.parent / "MODEL_CARD.md").read_text(encoding="utf-8")

    named = re.findall(r"`questions\.onnx` \| `([0-9a-f]{64})`", card)
    assert named == [hashlib.sha256(MODEL.read_bytes()).hexdigest()]
    assert reader.name in card


def test_without_the_extra_words_and_rules_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    question_reader.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    try:
        question = understand("How long should prednisolone be taken for polymyalgia rheumatica?")
    finally:
        question_reader.cache_clear()

    assert question.reader is None
    assert question.disease_tags.primary == "PMR"
    assert question.decision_tags.primary == "duration"
    assert question_json(question)["reader"] is None


def test_who_read_is_told(reader: QuestionReader) -> None:
    question = understand("How long should prednisolone be taken for polymyalgia rheumatica?")

    assert question_json(question)["reader"] == question.reader == reader.name
