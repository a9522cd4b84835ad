"""What is opened, made, or refused with a word on what to do."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import lancedb
import pyarrow as pa
import pytest
from bag_of_words import Words

from evidencegate.documents import Document
from evidencegate.errors import InvalidInput, LibraryBroken, LibraryVersion, MissingExtra
from evidencegate.library import Library
from evidencegate.library import _schema as schema

Make = Callable[..., Document]


@pytest.fixture
def filled(library: Library, make: Make) -> Path:
    library.add_documents([make(pmid=str(n)) for n in range(1, 9)])
    return Path(library.path)


def _open(path: Path, *, create: bool = False) -> Library:
    return Library(path, create=create, embedder=Words())


def test_a_missing_library_is_made_or_refused_with_the_command_that_makes_it(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="evidencegate library add"):
        _open(tmp_path / "new")
    assert not (tmp_path / "new").exists()
    assert len(_open(tmp_path / "new" / "deeper", create=True)) == 0
    assert len(_open(tmp_path / "new" / "deeper")) == 0


def test_an_empty_directory_becomes_a_library(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInput, match="no library"):
        _open(tmp_path / "empty")
    assert len(_open(tmp_path / "empty", create=True)) == 0


@pytest.mark.parametrize("create", [True, False])
def test_a_directory_with_other_files_is_left_alone(tmp_path: Path, create: bool) -> None:
    (tmp_path / "thesis.docx").write_text("mine", encoding="utf-8")
    with pytest.raises(LibraryBroken, match="not a library"):
        _open(tmp_path, create=create)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.docx"]


def test_another_embedder_is_refused_with_both_names(filled: Path) -> None:
    with pytest.raises(LibraryVersion, match=r"embedder words; here it is other"):
        Library(filled, embedder=Words("other"))


def test_another_format_is_refused(tmp_path: Path) -> None:
    header = schema.Header(format=99, embedder="words", dimensions=32, created="2026-11-20T00:00:00+00:00")
    database = lancedb.connect(tmp_path / "later")
    database.create_table(schema.FILES, schema=schema.file_schema())
    database.create_table(schema.CHUNKS, schema=schema.chunk_schema(header))
    with pytest.raises(LibraryVersion, match=r"format 99.*format 1"):
        _open(tmp_path / "later")


def test_somebody_elses_database_is_not_a_library(tmp_path: Path) -> None:
    database = lancedb.connect(tmp_path / "theirs")
    for name in (schema.CHUNKS, schema.FILES):
        database.create_table(name, schema=pa.schema([("ordinal", pa.int32())]))
    with pytest.raises(LibraryBroken, match="not made by"):
        _open(tmp_path / "theirs")


@pytest.mark.parametrize("lost", ["files.lance", "chunks.lance/data", "chunks.lance/_versions"])
def test_a_library_that_lost_a_part_is_broken_and_not_overwritten(filled: Path, lost: str) -> None:
    shutil.rmtree(filled / lost)
    before = sorted(filled.rglob("*"))
    for create in (True, False):
        with pytest.raises(LibraryBroken, match="copy"):
            _open(filled, create=create)
    assert sorted(filled.rglob("*")) == before


def test_a_library_whose_newest_version_is_garbage_is_broken(filled: Path) -> None:
    for manifest in (filled / "chunks.lance" / "_versions").glob("*.manifest"):
        manifest.write_bytes(b"garbage")
    with pytest.raises(LibraryBroken, match="cannot be opened"):
        _open(filled)


def test_what_was_killed_before_its_first_commit_is_made_anew(tmp_path: Path) -> None:
    husk = tmp_path / "husk"
    (husk / "chunks.lance" / "_versions").mkdir(parents=True)
    (husk / ".writer.lock").write_text("1\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="no library"):
        _open(husk)
    assert len(_open(husk, create=True)) == 0


def test_without_the_extra_the_error_names_the_command_and_nothing_is_made(
    tmp_path: Path, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lancedb", None)
    for path in (tmp_path / "new", filled):
        with pytest.raises(MissingExtra, match=r'pip install "evidencegate\[library\]"'):
            Library(path)
    assert not (tmp_path / "new").exists()


def test_opening_tells_its_path(filled: Path) -> None:
    assert repr(_open(filled)) == f"Library({str(filled)!r})"
