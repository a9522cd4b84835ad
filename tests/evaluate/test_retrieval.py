"""`evaluate retrieval`: the figures against hand-made ones, and the files that it reads."""

import gzip
import json
import math
from pathlib import Path

import pytest

from evidencegate.documents import Document
from evidencegate.errors import InvalidInput
from evidencegate.evaluate._retrieval import ndcg, percentile, recall, retrieval

DOCUMENTS = {
    "a": ("Aspirin in stroke", "Aspirin prevented a second stroke in this invented trial."),
    "b": ("Statins", "Statins lowered cholesterol in this invented trial."),
    "c": ("Back pain", "Walking helped people with back pain in this invented trial."),
}
QUERIES = {"1": "aspirin to prevent stroke", "2": "walking for back pain", "3": "never judged", "4": "cholesterol"}
JUDGED = [("train", "1", "a", 2), ("train", "2", "c", 1), ("train", "2", "b", 0), ("test", "4", "b", 1)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "set").mkdir()
    with gzip.open(tmp_path / "set" / "corpus.jsonl.gz", "wt", encoding="utf-8") as file:
        for name, (title, text) in DOCUMENTS.items():
            file.write(json.dumps({"_id": name, "title": title, "text": text}) + "\n")
    queries = "".join(json.dumps({"_id": name, "text": text}) + "\n" for name, text in QUERIES.items())
    (tmp_path / "set" / "queries.jsonl").write_text(queries, encoding="utf-8")
    lines = ["split\tquery-id\tcorpus-id\tscore", *("\t".join(map(str, row)) for row in JUDGED)]
    (tmp_path / "set" / "qrels.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "set"


@pytest.mark.parametrize("mode", ["hybrid", "bm25", "vector"])
def test_a_set_whose_answers_are_plain_is_answered_fully(folder: Path, mode: str) -> None:
    result = retrieval(folder, split="train", mode=mode).to_json()
    assert (result["queries"], result["documents"], result["mode"]) == (2, 3, mode)
    assert (result["ndcg_at_10"], result["recall_at_100"]) == (1.0, 1.0)
    assert 0 < result["milliseconds_p50"] <= result["milliseconds_p95"]


def test_plain_beir_judgements_are_read_and_a_kept_library_is_used_again(folder: Path, tmp_path: Path) -> None:
    (folder / "qrels.tsv").unlink()
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n4\tb\t1\n", encoding="utf-8")
    for _ in range(2):
        result = retrieval(folder, split="test", library=tmp_path / "kept")
        assert (result.queries, result.documents, result.ndcg_at_10) == (1, 3, 1.0)


def test_gain_is_discounted_by_rank_and_held_against_the_best_possible() -> None:
    gains = {"a": 2, "b": 1, "c": 0}
    assert ndcg(["a", "b", "c"], gains, 10) == 1.0
    reached = (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3))
    assert ndcg(["b", "a"], gains, 10) == pytest.approx(reached)
    assert ndcg(["x", "y"], gains, 10) == 0.0
    assert ndcg(["x", "a"], gains, 1) == 0.0


def test_recall_counts_relevant_documents_only() -> None:
    assert recall(["a", "c"], {"a": 2, "b": 1, "c": 0}, 100) == 0.5
    assert recall(["x", "a"], {"a": 1}, 1) == 0.0


def test_percentiles_lie_between_neighbours() -> None:
    assert percentile([4.0, 1.0, 2.0, 3.0], 0.5) == 2.5
    assert percentile([7.0], 0.95) == 7.0


def test_what_is_missing_is_named(folder: Path) -> None:
    with pytest.raises(InvalidInput, match="it has: test, train"):
        retrieval(folder, split="dev")
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\n1\ta\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="line 2"):
        retrieval(folder, split="test")
    (folder / "qrels.tsv").unlink()
    with pytest.raises(InvalidInput, match=r"neither qrels.tsv nor qrels/test.tsv"):
        retrieval(folder, split="test")


def test_a_judged_query_that_is_not_there_is_named(folder: Path) -> None:
    (folder / "queries.jsonl").write_text('{"_id": "1", "text": "aspirin"}\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match="query 2"):
        retrieval(folder, split="train")


def test_corpus_lines_that_are_no_records_are_named(folder: Path) -> None:
    (folder / "corpus.jsonl.gz").unlink()
    (folder / "corpus.jsonl").write_text('{"_id": "a", "text": "fine"}\n[]\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"corpus.jsonl, line 2"):
        retrieval(folder, split="train")


def test_the_packaged_embedder_finds_what_words_do_not(tmp_path: Path) -> None:
    from evidencegate.library import Library

    library = Library(tmp_path / "library")
    library.add_documents(
        Document(id=f"local:{name}", title=title, text=text) for name, (title, text) in DOCUMENTS.items()
    )
    query = "acetylsalicylic acid against cerebral infarction"
    assert library.search(query, mode="bm25") == ()
    assert library.search(query, mode="vector")[0].document.id == "local:a"
    assert library.search(query)[0].document.id == "local:a"
