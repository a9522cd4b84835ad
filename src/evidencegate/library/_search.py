"""Hybrid search: two rankings of chunks, brought to one scale, joined by document."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from evidencegate._extras import require
from evidencegate.errors import InvalidInput
from evidencegate.library import _schema as schema
from evidencegate.library._engine import ENGINE_ERRORS, engine, engine_errors, quoted, start, steady
from evidencegate.library._passages import best_passage
from evidencegate.library._store import Store
from evidencegate.library._tags import fold
from evidencegate.library._types import Embedder, Filters, Hit, Mode, Rerank
from evidencegate.library._upkeep import VECTORS_FLAT, probes

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Vector = npt.NDArray[np.float32]

DENSE_WEIGHT = 0.5
"""Share of the vectors in the hybrid score; BM25 has the rest. Chosen on training queries, see docs/library.md."""
FEEDBACK = 2
FEEDBACK_WEIGHT = 0.4
"""A hybrid search asks the vectors twice: the second time with the query moved this far towards the mean of the
best documents of the first (Rocchio 1971). The same queries gain in both measures on both sets."""
DEPTH = 1000
"""Chunks each ranking gives. Enough for the hundred best documents, full texts of forty chunks included."""
QUERY_WORDS = 512
"""Distinct words of a query that BM25 is asked for; a longer query is a document, and slow."""
REFINE = 4
"""Where vectors are compressed, this many times the candidates are compared again uncompressed."""

_WORD = re.compile(r"\w+(?:[-'’.]\w+)*")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that one of the rankings or both have found."""

    key: str
    row: int
    """Where the engine has it, until the next upkeep."""
    document: str
    bm25: float
    cosine: float | None
    score: float


def plain_words(query: str) -> str:
    """The query as words only, each once: no character of it can mean anything to an engine."""
    return " ".join(list(dict.fromkeys(_WORD.findall(query)))[:QUERY_WORDS])


def condition(filters: Filters) -> str | None:
    """The filters in the engine's SQL; None where there are none."""
    parts = []
    if filters.year_from is not None:
        parts.append(f"year >= {int(filters.year_from)}")
    if filters.year_to is not None:
        parts.append(f"year <= {int(filters.year_to)}")
    if filters.source is not None:
        parts.append(f"source IN {quoted([filters.source])}")
    for column, names in (("types", filters.publication_types), ("tags", filters.tags)):
        if names:
            wanted = quoted(schema.storable(fold(name)) for name in names)[1:-1]
            parts.append(f"array_has_any({column}, [{wanted}])")
    return " AND ".join(parts) or None


def ranked(store: Store, embedder: Embedder, query: str, mode: Mode, where: str | None, limit: int) -> list[Candidate]:
    """The best documents for a query, each as its best chunk.

    BM25 is asked while the query is embedded, the vectors while BM25 answers.
    """
    words, depth = plain_words(query), max(DEPTH, limit)
    lexical, dense = None, None
    with engine_errors(store.uri, "searching"):
        asked = start(lambda: _bm25(store, words, where, depth)) if words and mode is not Mode.VECTOR else None
        if mode is not Mode.BM25:
            vector = embedder.embed([query])[0]
            dense = steady(lambda: _nearest(store, vector, where, depth))
        if asked is not None:
            try:
                lexical = asked.result()
            except ENGINE_ERRORS:  # as `steady` does: a version may have gone away under the search
                lexical = steady(lambda: _bm25(store, words, where, depth))
        if mode is Mode.HYBRID:
            moved = _towards(store, vector, fuse(lexical, dense, mode, FEEDBACK))
            dense = steady(lambda: _nearest(store, moved, where, depth))
    return fuse(lexical, dense, mode, limit)


def _towards(store: Store, vector: "Vector", best: Sequence[Candidate]) -> "Vector":
    """The query's vector, moved towards the candidates', each weighing as it scored."""
    np = require("library", "numpy")
    weights = {candidate.key: candidate.score for candidate in best if candidate.score > 0}
    rows = store.at({candidate.key: candidate.row for candidate in best if candidate.score > 0}, ["vector"])
    if not rows:
        return vector
    mean = np.average([row["vector"] for row in rows], axis=0, weights=[weights[row["key"]] for row in rows])
    moved: Vector = ((1 - FEEDBACK_WEIGHT) * vector + FEEDBACK_WEIGHT * mean).astype(np.float32)
    length = np.linalg.norm(moved)
    return moved / length if length else vector


def fuse(lexical: Any, dense: Any, mode: Mode, limit: int) -> list[Candidate]:
    """The best chunk of every document found, best document first, at most `limit`.

    Both rankings are brought to [0, 1], each by its own extremes in this search: BM25 from zero (no word in
    common) to its highest score; cosine from that of the last candidate to the highest. A chunk that only BM25
    has found is no nearer than the last of the vectors and counts as that.
    """
    np = require("library", "numpy")
    rows: dict[str, int] = {}
    for table in (dense, lexical):
        if table:
            rows |= zip(table["key"].to_pylist(), table["_rowid"].to_pylist(), strict=True)
    if not rows:
        return []
    keys = list(rows)
    place = {key: i for i, key in enumerate(keys)}
    bm25 = np.zeros(len(keys))
    cosine = np.full(len(keys), np.nan)
    if lexical:
        bm25[[place[key] for key in lexical["key"].to_pylist()]] = lexical["_score"].to_numpy()
    if dense:
        cosine[: len(dense)] = 1.0 - dense["_distance"].to_numpy()
    weight = {Mode.HYBRID: DENSE_WEIGHT, Mode.VECTOR: 1.0, Mode.BM25: 0.0}[mode]
    score = weight * _scaled(cosine) + (1 - weight) * bm25 / (bm25.max() or 1.0)
    best: dict[str, Candidate] = {}
    for i in np.argsort(-score, kind="stable").tolist():
        key = keys[i]
        document = key.rpartition("#")[0]
        if document not in best:
            best[document] = Candidate(
                key=key,
                row=rows[key],
                document=document,
                bm25=float(bm25[i]),
                cosine=None if np.isnan(cosine[i]) else float(cosine[i]),
                score=float(min(1.0, score[i])),
            )
            if len(best) == limit:
                break
    return list(best.values())


def _scaled(cosine: "Floats") -> "Floats":
    """From 0 at the lowest known to 1 at the highest; 0 where nothing is known."""
    np = require("library", "numpy")
    known = ~np.isnan(cosine)
    scaled: Floats = np.zeros(len(cosine))
    if known.any():
        low, high = cosine[known].min(), cosine[known].max()
        scaled[known] = (cosine[known] - low) / (high - low) if high > low else 1.0
    return scaled


def hits(store: Store, query: str, found: Sequence[Candidate]) -> tuple[Hit, ...]:
    """The documents of candidates, each with the passage of its chunk that answers best."""
    if not found:
        return ()
    rows = store.at({c.key: c.row for c in found}, ["document", "sentences", "record"])
    sentences = {row["key"]: schema.spans(row["sentences"]) for row in rows}
    # The record stands on a document's first row, which may be another than the one found.
    there = {row["document"] for row in rows if row["record"] is not None}
    missing = [c.document for c in found if c.document not in there]
    if missing:
        rows += store.select(f"ordinal = 0 AND document IN {quoted(missing)}", ["document", "record"])
    documents = {row["document"]: store.decode(row["record"]) for row in rows if row["record"] is not None}
    made = []
    for candidate in found:
        document = documents.get(candidate.document)
        if document is None:  # deleted by another process between the two questions
            continue
        spans = sentences.get(candidate.key, ())
        if spans and spans[-1].end > len(document.text):  # written anew between the two questions
            continue
        passage = best_passage(document, spans, query)
        components = {"bm25": candidate.bm25}
        if candidate.cosine is not None:
            components["cosine"] = candidate.cosine
        made.append(
            Hit(
                document=document,
                score=candidate.score,
                passage=passage,
                components=MappingProxyType(components),
            )
        )
    return tuple(made)


def reranked(query: str, found: tuple[Hit, ...], rerank: Rerank) -> tuple[Hit, ...]:
    """The hits in the order of a second reader's scores; its score becomes theirs, the first is a component."""
    scores = list(rerank(query, found))
    if len(scores) != len(found):
        raise InvalidInput(f"The reranker gave {len(scores)} scores for {len(found)} hits.")
    again = [
        replace(hit, score=float(score), components=MappingProxyType({**hit.components, "retrieval": hit.score}))
        for hit, score in zip(found, scores, strict=True)
    ]
    return tuple(sorted(again, key=lambda hit: -hit.score))


async def _bm25(store: Store, words: str, where: str | None, depth: int) -> Any:
    match = engine("query").MatchQuery(words, "text")
    search = store.chunks.query().nearest_to_text(match).with_row_id().select(["key", "_score"])
    return await _limited(search, where, depth)


async def _nearest(store: Store, vector: "Vector", where: str | None, depth: int) -> Any:
    rows = await store.chunks.count_rows()
    search = store.chunks.query().nearest_to(vector).column("vector").distance_type("dot").nprobes(probes(rows))
    if rows > VECTORS_FLAT:
        search = search.refine_factor(REFINE)
    return await _limited(search.with_row_id().select(["key", "_distance"]), where, depth)


async def _limited(search: Any, where: str | None, depth: int) -> Any:
    # A condition on a query of this kind is met before ranking, so that it never leaves too few.
    return await (search.where(where) if where else search).limit(depth).to_arrow()
