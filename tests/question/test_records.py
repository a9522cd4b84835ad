"""Records are tagged with the vocabulary of the question. The records here are invented."""

import pytest

from evidencegate.documents import Document
from evidencegate.question import tag_document, tags_in, topic_tags, understand


def record(title: str, text: str = "", mesh: tuple[str, ...] = ()) -> Document:
    return Document(id="pmid:1", title=title, text=text, mesh=mesh)


def test_parents_are_shared_by_records() -> None:
    assert {"HFpEF", "HF"} <= tags_in("Spironolactone in heart failure with preserved ejection fraction").disease
    assert {"BREAST_CANCER", "CANCER"} <= tags_in("Letrozole for breast cancer").disease


def test_denied_conditions_are_not_shared() -> None:
    assert "AF" not in tags_in("We studied adults without atrial fibrillation.").disease
    assert "DIABETES" not in tags_in("Participants had no diabetes, stroke or cancer.").disease
    assert "STROKE" not in tags_in("Participants had no diabetes, stroke or cancer.").disease


def test_mesh_headings_are_read_with_their_qualifiers() -> None:
    found = tags_in("A trial", mesh=("*Atrial Fibrillation/drug therapy", "Kidney Failure, Chronic"))

    assert {"AF", "ESRD"} <= found.disease


def test_decisions_of_records() -> None:
    found = tags_in("Apixaban versus warfarin: duration of treatment and safety").decision

    assert {"anticoagulation", "duration", "safety"} <= found


def test_a_record_on_the_topic_is_on_topic_and_another_is_not() -> None:
    question = understand("Is apixaban safer than warfarin in AF with CKD?")

    assert tag_document(record("Edoxaban in atrial fibrillation"), question).on_topic(question)
    assert not tag_document(record("Exercise for low back pain"), question).on_topic(question)


def test_a_passing_mention_is_not_what_a_record_is_about() -> None:
    question = understand("Which drug for gout?")
    passing = record("Insulin pumps in type 1 diabetes", "Diabetes is common. One patient had gout. Diabetes again.")

    assert not tag_document(passing, question).on_topic(question)


def test_an_implied_parent_alone_is_not_on_topic() -> None:
    question = understand("Adjuvant abemaciclib in breast cancer")

    assert topic_tags(question) == {"BREAST_CANCER"}
    assert not tag_document(record("Osimertinib in lung cancer"), question).on_topic(question)


def test_a_question_s_own_condition_is_found_in_records() -> None:
    question = understand("Anakinra for Schnitzler syndrome")

    assert tag_document(record("Interleukin 1 blockade in Schnitzler's syndrome"), question).on_topic(question)
    assert not tag_document(record("Anakinra in gout"), question).on_topic(question)


def test_a_question_without_a_condition_is_filtered_by_its_interventions() -> None:
    question = understand("Do macrolides interact with statins?")
    on = record("Clarithromycin and rhabdomyolysis", "A cohort study.")
    off = record("Vitamin D and falls", "A trial.")

    assert tag_document(on, question).interventions == {"macrolides"}
    assert tag_document(on, question).on_topic(question)
    assert not tag_document(off, question).on_topic(question)


def test_real_abstracts_are_tagged(shared_data) -> None:  # type: ignore[no-untyped-def]
    import gzip
    import json

    with gzip.open(shared_data / "retrieval" / "nfcorpus" / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line, _ in zip(lines, range(400), strict=False)]
    tagged = [tags_in(f"{r['title']}. {r['text']}") for r in records]

    assert sum(bool(t.disease) for t in tagged) > len(records) / 2


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Does exercise training improve symptoms of depression?", "Effects of exercise training in major depression"),
        ("Does exercise training improve symptoms of depression?", "Physical exercise in depressive disorders"),
        ("Do statins lower the risk of breast cancer?", "Simvastatin and breast cancer"),
        ("Does cognitive behavioural therapy help in depression?", "Cognitive behavior therapy for depression"),
    ],
)
def test_an_intervention_is_known_by_any_of_its_names(question: str, title: str) -> None:
    asked = understand(question)
    record = Document(id="local:1", title=title, text="An invented record.")

    assert tag_document(record, asked).interventions == set(asked.intervention_terms)
