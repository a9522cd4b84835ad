"""What the embedder is worth: speed, load time, memory, and retrieval alone and fused with BM25.

    python benchmarks/embedding.py --data ../shared/data speed
    python benchmarks/embedding.py --data ../shared/data retrieval [--model other.onnx] [--queries ids.json]

BM25 is LanceDB's full-text index (k1 1.2, b 0.75, English stemming and stop words). Fused: both scores of
every document divided by the best of the query (BM25 of a document that shares no word is 0), `weight`
for the dense side. Needs the extra `library`; prints JSON.
"""

import argparse
import gzip
import json
import resource
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lancedb
import numpy as np
import pyarrow as pa
from lancedb.index import FTS
from lancedb.query import MatchQuery

from evidencegate.models._onnx import load_text_model
from evidencegate.models.embedding import Embedder, default_embedder
from evidencegate.models.embedding._embedder import DIMENSIONS, MAX_TOKENS, TOKENIZER

WEIGHTS = (0.5, 0.6, 0.7, 0.8)
Matrix = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True, slots=True)
class Collection:
    ids: list[str]
    texts: list[str]
    queries: dict[str, str]
    relevance: dict[str, dict[str, dict[str, int]]]  # split, query, document


def read(folder: Path) -> Collection:
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        queries = {row["_id"]: row["text"] for row in map(json.loads, lines)}
    relevance: dict[str, dict[str, dict[str, int]]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        split, query, document, score = line.split("\t")
        relevance.setdefault(split, {}).setdefault(query, {})[document] = int(score)
    texts = [f"{document['title']}. {document['text']}" for document in documents]
    return Collection([document["_id"] for document in documents], texts, queries, relevance)


def bm25(texts: list[str], queries: list[str]) -> Matrix:
    """Scores of every text for every query; 0 where no word is shared."""
    scores = np.zeros((len(queries), len(texts)), dtype=np.float32)
    with tempfile.TemporaryDirectory() as folder:
        rows = pa.table({"row": np.arange(len(texts)), "text": texts})
        table = lancedb.connect(folder).create_table("texts", rows)
        table.create_index("text", config=FTS(language="English", stem=True, remove_stop_words=True))
        for index, query in enumerate(queries):
            search = table.search(MatchQuery(query, "text"), query_type="fts").select(["row", "_score"])
            found = search.limit(len(texts)).to_arrow()
            scores[index, found["row"].to_numpy()] = found["_score"].to_numpy()
    return scores


def fuse(dense: Matrix, lexical: Matrix, weight: float) -> Matrix:
    return weight * _share_of_best(dense) + (1 - weight) * _share_of_best(lexical)


def _share_of_best(scores: Matrix) -> Matrix:
    return scores / np.maximum(scores.max(axis=1, keepdims=True), 1e-9)


def measures(scores: Matrix, ids: list[str], relevance: list[dict[str, int]]) -> dict[str, float]:
    """nDCG@10 (linear gain) and recall@100, means over queries."""
    discount = 1 / np.log2(np.arange(2, 12))
    ndcg, recall = [], []
    for row, wanted in zip(scores, relevance, strict=True):
        top = [wanted.get(ids[i], 0) for i in np.argsort(-row, kind="stable")[:100]]
        best = sorted(wanted.values(), reverse=True)[:10]
        ndcg.append(np.dot(top[:10], discount[: len(top[:10])]) / np.dot(best, discount[: len(best)]))
        recall.append(sum(gain > 0 for gain in top) / len(wanted))
    return {"ndcg_at_10": round(float(np.mean(ndcg)), 4), "recall_at_100": round(float(np.mean(recall)), 4)}


def retrieval(data: Path, embedder: Embedder, only: set[str] | None) -> dict[str, Any]:
    results: dict[str, Any] = {"embedder": embedder.name}
    for name, splits in (("scifact", ("train",)), ("nfcorpus", ("dev", "train"))):
        collection = read(data / "retrieval" / name)
        vectors = embedder.embed(collection.texts)
        for split in splits:
            judged = collection.relevance[split]
            ids = [query for query in sorted(judged) if only is None or name != "scifact" or query in only]
            if name == "nfcorpus" and split == "train":
                ids = ids[::5]
            queries = [collection.queries[query] for query in ids]
            relevance = [judged[query] for query in ids]
            dense, lexical = embedder.embed(queries) @ vectors.T, bm25(collection.texts, queries)
            row: dict[str, Any] = {"queries": len(ids)}
            row["bm25"] = measures(lexical, collection.ids, relevance)
            row["dense"] = measures(dense, collection.ids, relevance)
            for weight in WEIGHTS:
                fused = fuse(dense, lexical, weight)
                row[f"fused_{weight}"] = measures(fused, collection.ids, relevance)
            results[f"{name}.{split}"] = row
    return results


def speed(data: Path) -> dict[str, Any]:
    started = time.perf_counter()
    embedder = default_embedder()
    embedder.embed(["warm"])
    load = time.perf_counter() - started
    collection = read(data / "retrieval/scifact")
    texts, queries = collection.texts[:1000], list(collection.queries.values())[:300]
    embedder.embed(texts[:50])
    started, busy = time.perf_counter(), time.process_time()
    embedder.embed(texts)
    seconds, busy = time.perf_counter() - started, time.process_time() - busy
    each = []
    for query in queries:
        started = time.perf_counter()
        embedder.embed([query])
        each.append((time.perf_counter() - started) * 1000)
    return {
        "embedder": embedder.name,
        "load_seconds": round(load, 2),
        "abstracts_per_second": round(len(texts) / seconds, 1),
        # What an idle core would do, whatever else the machine is busy with.
        "abstracts_per_second_of_processor_time": round(len(texts) / busy, 1),
        "query_milliseconds_p50": round(statistics.median(each), 2),
        "query_milliseconds_p95": round(statistics.quantiles(each, n=20)[-1], 2),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "retrieval"))
    parser.add_argument("--data", type=Path, required=True, help="the shared data folder")
    parser.add_argument("--model", type=Path, help="another ONNX file, to compare")
    parser.add_argument("--queries", type=Path, help="JSON list of the SciFact queries to use (held-out ones)")
    arguments = parser.parse_args()
    if arguments.what == "speed":
        result = speed(arguments.data)
    else:
        embedder = default_embedder()
        if arguments.model:
            model = load_text_model(arguments.model, TOKENIZER, max_tokens=MAX_TOKENS)
            embedder = Embedder(arguments.model.stem, DIMENSIONS, MAX_TOKENS, model)
        only = set(json.loads(arguments.queries.read_text())) if arguments.queries else None
        result = retrieval(arguments.data, embedder, only)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
