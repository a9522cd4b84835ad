"""What keeps a library fast and small, done by the one who writes and never asked of the user.

Figures behind the thresholds are in docs/library.md.
"""

from datetime import timedelta
from typing import Any

from evidencegate.library._engine import engine, engine_errors, settled, steady
from evidencegate.library._store import Store

TEXT_INDEX = "text_idx"
VECTOR_INDEX = "vector_idx"

UNINDEXED_LEAST = 2000
UNINDEXED_SHARE = 0.25
"""Chunks outside the BM25 index are tokenised anew at every search (about 50 µs each). Indexing them costs time
in proportion to the whole library; done whenever they are more than this share, a library of n chunks costs
a small multiple of indexing n once."""

VECTORS_EXACT = 1_000
"""Up to here every vector is read from disk at each search; beyond, from the index kept in memory."""
VECTORS_FLAT = 1_000_000
"""Up to here the index keeps vectors whole (IVF_FLAT); beyond, compressed, and the best are read again."""
PARTITION = 4096
"""Vectors a partition."""
SUB_VECTORS = 96
"""Of four dimensions each, a byte a piece: 384 floats in 96 bytes."""
GROWTH = 4
"""Partitions are made anew when the library has grown so many times."""
KEYS_INDEXED = 50_000
"""From here on identifiers have an index of their own; below, reading the column is as fast."""

KEPT = timedelta(seconds=2)
"""How long a version stays that was replaced: a search that began on it has ended by then, or runs again."""


def due(store: Store) -> bool:
    """Whether so much is unindexed that searches have become slow."""
    indexed, unindexed = coverage(store)
    return unindexed >= max(UNINDEXED_LEAST, UNINDEXED_SHARE * indexed)


def coverage(store: Store) -> tuple[int, int]:
    """Chunks inside and outside the BM25 index."""
    with engine_errors(store.uri, "reading"):
        stats = steady(lambda: store.chunks.index_stats(TEXT_INDEX))
    return (stats.num_indexed_rows, stats.num_unindexed_rows) if stats else (0, store.count())


def upkeep(store: Store) -> None:
    """Index what is not, merge small files, drop old versions. The caller holds the writer's lock."""
    index = engine("index")
    with engine_errors(store.uri, "being indexed"):
        present = {found.name for found in steady(store.chunks.list_indices)}
        if TEXT_INDEX not in present:
            settled(lambda: store.chunks.create_index("text", config=index.FTS(), name=TEXT_INDEX))
        # On this machine the lock keeps other writers out: what no version names was left by a killed one.
        alone = store.directory is not None
        settled(lambda: store.chunks.optimize(cleanup_older_than=KEPT, delete_unverified=alone))
        settled(lambda: store.files.optimize(cleanup_older_than=KEPT, delete_unverified=alone))
        rows = steady(store.chunks.count_rows)
        _vector_index(store, index, rows, present)
        if rows >= KEYS_INDEXED:
            for column in ("key", "document", "pmid", "pmcid", "doi", "nct"):
                if f"{column}_idx" not in present:
                    _create(store, column, index.BTree(), f"{column}_idx")


def probes(rows: int) -> int:
    """Partitions to read at a search: all of them in a library of up to about 80,000 chunks."""
    return max(20, rows // PARTITION // 4)


def _vector_index(store: Store, index: Any, rows: int, present: set[str]) -> None:
    if rows <= VECTORS_EXACT:
        return
    # The size it was made for is kept in its name: the engine's own count grows with every row added later.
    made = {int(name.rpartition("_")[2]): name for name in present if name.startswith(VECTOR_INDEX)}
    if made and max(made) * GROWTH > rows:
        return
    partitions = max(1, rows // PARTITION)
    if rows <= VECTORS_FLAT:
        config = index.IvfFlat(distance_type="dot", num_partitions=partitions)
    else:
        config = index.IvfPq(distance_type="dot", num_partitions=partitions, num_sub_vectors=SUB_VECTORS)
    _create(store, "vector", config, f"{VECTOR_INDEX}_{rows}")
    for name in made.values():
        settled(lambda name=name: store.chunks.drop_index(name))  # type: ignore[misc]


def _create(store: Store, column: str, config: Any, name: str) -> None:
    settled(lambda: store.chunks.create_index(column, config=config, name=name))
