"""`evaluate retrieval`: does the library find what judges found relevant, and how fast.

A directory in BEIR's form: `corpus.jsonl` and `queries.jsonl` (plain or `.gz`; `_id`, `title`, `text`), and
judgements in `qrels.tsv` with a column `split`, or in `qrels/<split>.tsv`.
"""

import csv
import json
import math
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from evidencegate.documents import Document
from evidencegate.errors import InvalidInput
from evidencegate.evaluate._read import read_lines
from evidencegate.library import Embedder, Library, Mode

CUT = 10
DEEP = 100
WARM_UP = 5
"""Searches before time is taken: files are cached and the model is loaded, as for a user's second question."""

Judgements = Mapping[str, Mapping[str, int]]
"""Query id to document id to gain; a gain of 0 or less is not relevant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalResult:
    """What `evaluate retrieval` found. Means over the queries that have a relevant document."""

    name: str
    split: str
    mode: str
    queries: int
    documents: int
    ndcg_at_10: float
    recall_at_100: float
    milliseconds_p50: float
    """Of one search for ten documents, the embedding of the query included."""
    milliseconds_p95: float

    def to_json(self) -> dict[str, Any]:
        """The fields of the contract."""
        return {
            "name": self.name,
            "split": self.split,
            "mode": self.mode,
            "queries": self.queries,
            "documents": self.documents,
            "ndcg_at_10": round(self.ndcg_at_10, 4),
            "recall_at_100": round(self.recall_at_100, 4),
            "milliseconds_p50": round(self.milliseconds_p50, 2),
            "milliseconds_p95": round(self.milliseconds_p95, 2),
        }


def retrieval(
    directory: str | Path,
    *,
    split: str = "test",
    library: str | Path | None = None,
    mode: Mode | str = Mode.HYBRID,
    limit: int | None = None,
    embedder: Embedder | None = None,
) -> RetrievalResult:
    """Index the corpus, ask every judged query of the split, and compare.

    `library` keeps the index there for the next time; else it is made in a temporary directory and dropped.
    `limit` takes the first queries only, in order of id.

    Raises:
        InvalidInput: a file is missing or not in the form above, or the split has no judged query.
    """
    folder = Path(directory)
    judged = read_judgements(folder, split)
    texts = {raw["_id"]: raw["text"] for raw in _records(folder, "queries")}
    missing = [query for query in judged if query not in texts]
    if missing:
        raise InvalidInput(f"{folder}: query {missing[0]} is judged and not in queries.jsonl.")
    chosen = sorted(judged)[:limit]
    with ExitStack() as stack:
        place = library or stack.enter_context(tempfile.TemporaryDirectory(prefix="evidencegate-"))
        opened = Library(place, embedder=embedder)
        documents = opened.add_documents(corpus(folder)).documents
        for query in chosen[:WARM_UP]:
            opened.search(texts[query], mode=mode)
        gains, recalls, seconds = [], [], []
        for query in chosen:
            started = perf_counter()
            opened.search(texts[query], limit=CUT, mode=mode)
            seconds.append(perf_counter() - started)
            found = [corpus_id(hit.document) for hit in opened.search(texts[query], limit=DEEP, mode=mode)]
            gains.append(ndcg(found, judged[query], CUT))
            recalls.append(recall(found, judged[query], DEEP))
    return RetrievalResult(
        name=folder.name,
        split=split,
        mode=str(Mode(mode)),
        queries=len(chosen),
        documents=documents,
        ndcg_at_10=sum(gains) / len(gains),
        recall_at_100=sum(recalls) / len(recalls),
        milliseconds_p50=percentile(seconds, 0.5) * 1000,
        milliseconds_p95=percentile(seconds, 0.95) * 1000,
    )


def corpus(folder: Path) -> Iterator[Document]:
    """The documents to search, each under the corpus's own id, so that no two of them become one."""
    for raw in _records(folder, "corpus"):
        yield Document(id=f"local:{raw['_id']}", title=raw.get("title") or "", text=(raw.get("text") or "").strip())


def corpus_id(document: Document) -> str:
    """The corpus's own id of a document."""
    return document.id.removeprefix("local:")


def ndcg(found: Sequence[str], gains: Mapping[str, int], cut: int) -> float:
    """Normalised discounted cumulative gain of the first `cut`, gains linear, discount log2(rank + 1).

    As trec_eval computes `ndcg_cut` (Järvelin and Kekäläinen 2002, with the gains as judged).
    """
    ideal = sorted((gain for gain in gains.values() if gain > 0), reverse=True)
    best = _dcg(ideal[:cut])
    return _dcg([max(0, gains.get(name, 0)) for name in found[:cut]]) / best if best else 0.0


def recall(found: Sequence[str], gains: Mapping[str, int], cut: int) -> float:
    """Share of the relevant documents that are among the first `cut`."""
    relevant = {name for name, gain in gains.items() if gain > 0}
    return len(relevant.intersection(found[:cut])) / len(relevant) if relevant else 0.0


def _dcg(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie, interpolated between neighbours."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def read_judgements(folder: Path, split: str) -> Judgements:
    """The judged queries of a split that have at least one relevant document.

    Raises:
        InvalidInput: no such file or split, or a line that is not `query, document, gain`.
    """
    own = folder / "qrels" / f"{split}.tsv"
    path = own if own.is_file() else folder / "qrels.tsv"
    if not path.is_file():
        raise InvalidInput(f"{folder} has neither qrels.tsv nor qrels/{split}.tsv.")
    judged: dict[str, dict[str, int]] = {}
    splits: set[str] = set()
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), start=2):
            try:
                name = row.get("split", split)
                query, document, gain = row["query-id"], row["corpus-id"], int(row["score"])
            except (KeyError, TypeError, ValueError) as error:
                raise InvalidInput(
                    f"{path}, line {number}: columns query-id, corpus-id and score are needed ({error})."
                ) from error
            splits.add(name)
            if name == split:
                judged.setdefault(query, {})[document] = gain
    relevant = {query: gains for query, gains in judged.items() if any(gain > 0 for gain in gains.values())}
    if not relevant:
        known = ", ".join(sorted(splits)) or "none"
        raise InvalidInput(f"{path} has no judged query of the split {split!r}; it has: {known}.")
    return relevant


def _records(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    path = next((p for p in (folder / f"{name}.jsonl", folder / f"{name}.jsonl.gz") if p.is_file()), None)
    if path is None:
        raise InvalidInput(f"{folder} has neither {name}.jsonl nor {name}.jsonl.gz.")
    for number, line in read_lines(path):
        try:
            raw = json.loads(line)
            raw["_id"] = str(raw["_id"])
            raw["text"] = str(raw.get("text") or "")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidInput(f"{path}, line {number}: not an object with _id and text ({error}).") from error
        yield raw
