"""What the writer does for the reader: indexes that fit the size, and no old versions left lying."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from bag_of_words import Words

from evidencegate.documents import Document
from evidencegate.library import Library, Mode, _search, _upkeep
from evidencegate.library._engine import steady

Make = Callable[..., Document]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thresholds that a test reaches; the path beyond each is the same as in a library of millions."""
    for name, value in {
        "VECTORS_EXACT": 50,
        "VECTORS_FLAT": 260,
        "PARTITION": 100,
        "SUB_VECTORS": 4,
        "KEYS_INDEXED": 100,
        "UNINDEXED_LEAST": 60,
    }.items():
        monkeypatch.setattr(_upkeep, name, value)
    monkeypatch.setattr(_search, "VECTORS_FLAT", 260)


def _documents(make: Make, first: int, count: int) -> list[Document]:
    return [
        make(pmid=str(n), title=f"Record {n}", text=f"Number{n} and number{n * 7} with word{n % 13}.")
        for n in range(first, first + count)
    ]


def _indexes(library: Library) -> dict[str, str]:
    return {found.name: found.index_type for found in steady(library._store.chunks.list_indices)}


def _found(library: Library, mode: Mode) -> list[str]:
    return [hit.document.id for hit in library.search("record with number17 and number119", mode=mode, limit=5)]


@pytest.mark.usefixtures("small")
def test_indexes_grow_with_the_library_and_find_the_same(library: Library, make: Make) -> None:
    library.add_documents(_documents(make, 1, 40))
    assert set(_indexes(library)) == {"text_idx"}
    exact = _found(library, Mode.VECTOR)

    library.add_documents(_documents(make, 1000, 60))
    (flat,) = (name for name, kind in _indexes(library).items() if kind == "IvfFlat")
    assert flat == "vector_idx_100"
    assert {"key_idx", "document_idx", "pmid_idx", "doi_idx"} <= _indexes(library).keys()
    assert _found(library, Mode.VECTOR)[0] == exact[0] == "pmid:17"

    library.add_documents(_documents(make, 2000, 300))
    vectors = {name: kind for name, kind in _indexes(library).items() if name.startswith("vector")}
    assert vectors == {"vector_idx_400": "IvfPq"}, "made anew at four times the size, the old one dropped"
    for mode in Mode:
        assert _found(library, mode)[0] == "pmid:17"
    assert library.info().unindexed == 0
    assert library.get("pmid:2299") is not None
    assert library.delete("pmid:17") == 1
    assert "pmid:17" not in _found(library, Mode.HYBRID)


@pytest.mark.usefixtures("small")
def test_a_long_add_is_indexed_before_it_ends(library: Library, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evidencegate.library._ingest.BATCH_CHUNKS", 25)
    unindexed: list[int] = []
    reader = Library(library.path, create=False, embedder=Words())
    library.add_documents(_documents(make, 1, 300), progress=lambda done: unindexed.append(reader.info().unindexed))
    assert len(unindexed) == 12
    assert max(unindexed) < 60 + 25
    assert unindexed[-1] < 60


def test_versions_and_leftovers_do_not_pile_up(library: Library, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_upkeep, "KEPT", _upkeep.KEPT / 1000)
    orphan = Path(library.path) / "chunks.lance" / "data" / "left-by-a-killed-writer.lance"
    for turn in range(6):
        library.add_documents([make(pmid="1", text=f"Text of turn {turn}.")])
        if turn == 3:
            orphan.write_bytes(b"half a file")
            time.sleep(0.01)
    assert len(list((Path(library.path) / "chunks.lance" / "_versions").glob("*.manifest"))) < 12
    assert not orphan.exists()
    assert library.info().chunks == 1


def test_rows_that_upkeep_has_moved_are_found_by_their_key(library: Library, make: Make) -> None:
    library.add_documents(_documents(make, 1, 5))
    store = library._store
    (right,) = store.at({"pmid:3#0": 2}, ["document"])
    assert right == {"key": "pmid:3#0", "document": "pmid:3"}
    for elsewhere in (0, 4, 99, 7 << 32):
        assert store.at({"pmid:3#0": elsewhere}, ["document"]) == [right]
    assert store.at({"pmid:77#0": 1}, ["document"]) == []
    assert store.at({}, ["document"]) == []
