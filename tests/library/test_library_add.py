"""What goes in: once, whole, and again without work."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from bag_of_words import Words

from evidencegate.documents import Document, Identifiers
from evidencegate.errors import InvalidInput
from evidencegate.library import Library

Lines = Callable[..., Path]

RECORDS = [
    {"pmid": "1", "title": "Aspirin in stroke", "abstract": "Aspirin lowered recurrence.", "year": 2001},
    {"pmid": "2", "title": "Statins in stroke", "abstract": "Statins lowered cholesterol.", "year": 2002},
    {"id": "x", "title": "No identifier", "abstract": "A record of unknown origin.", "year": 2003},
]
PUBMED = """<?xml version="1.0"?>
<PubmedArticleSet>
  <PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><Article><ArticleTitle>{title}</ArticleTitle>
    <Abstract><AbstractText>{text}</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>
  {deletion}
</PubmedArticleSet>
"""


def test_records_go_in_and_come_back_as_they_were(library: Library, lines: Lines) -> None:
    added = library.add(lines("a.jsonl", RECORDS))
    assert (added.added, added.updated, added.deleted, added.skipped, added.documents) == (3, 0, 0, (), 3)
    document = library.get("pmid:1")
    assert document is not None
    assert (document.title, document.text, document.year) == ("Aspirin in stroke", "Aspirin lowered recurrence.", 2001)
    assert {found.id for found in library.iterate()} == {"pmid:1", "pmid:2", "local:x"}
    assert library.find(Identifiers(pmid="2")) == library.get("pmid:2")
    assert library.get("pmid:99") is None
    assert library.find(Identifiers()) is None


def test_adding_the_same_file_again_reads_nothing(library: Library, lines: Lines, embedder: Words) -> None:
    path = lines("a.jsonl", RECORDS)
    library.add(path)
    embedded = len(embedder.texts)
    again = library.add([path, path])
    assert (again.added, again.updated, again.files_unchanged, again.documents) == (0, 0, 2, 3)
    assert len(embedder.texts) == embedded


def test_the_same_records_in_another_file_are_not_embedded_again(
    library: Library, lines: Lines, embedder: Words
) -> None:
    library.add(lines("a.jsonl", RECORDS))
    embedded = len(embedder.texts)
    again = library.add(lines("b.jsonl", list(reversed(RECORDS))))
    assert (again.added, again.updated, again.unchanged, again.documents) == (0, 0, 3, 3)
    assert len(embedder.texts) == embedded


def test_a_change_of_metadata_alone_is_an_update_that_embeds_nothing(
    library: Library, lines: Lines, embedder: Words
) -> None:
    library.add(lines("a.jsonl", RECORDS))
    embedded = len(embedder.texts)
    again = library.add(lines("b.jsonl", [{**RECORDS[0], "doi": "10.1000/a", "year": 2011}]))
    assert (again.added, again.updated, again.documents) == (0, 1, 3)
    assert len(embedder.texts) == embedded
    document = library.get("doi:10.1000/a")
    assert document is not None
    assert (document.id, document.year) == ("pmid:1", 2011)


def test_a_changed_abstract_replaces_the_old_one_in_both_indexes(library: Library, lines: Lines) -> None:
    library.add(lines("a.jsonl", RECORDS))
    library.add(lines("b.jsonl", [{**RECORDS[0], "abstract": "Clopidogrel was better."}]))
    assert [hit.document.id for hit in library.search("clopidogrel", mode="bm25")] == ["pmid:1"]
    assert library.search("recurrence", mode="bm25") == ()
    assert len(library) == 3


def test_a_full_text_that_shrinks_leaves_no_chunk_behind(library: Library, lines: Lines) -> None:
    long = " ".join(f"Sentence number{i} is about something else entirely." for i in range(200))
    library.add(lines("a.jsonl", [{"pmid": "1", "title": "Long", "text": long}]))
    assert library.info().chunks > 3
    library.add(lines("b.jsonl", [{"pmid": "1", "title": "Long", "text": "Now it is short."}]))
    assert library.info().chunks == 1
    assert library.search("number150", mode="bm25") == ()


def test_duplicates_within_a_batch_are_one(library: Library, lines: Lines) -> None:
    added = library.add(lines("a.jsonl", [RECORDS[0], {**RECORDS[0], "doi": "10.1000/a"}, RECORDS[0]]))
    assert (added.added, added.documents) == (1, 1)
    assert library.get("doi:10.1000/a") == library.get("pmid:1")


def test_what_cannot_be_read_is_told_and_the_rest_goes_in(library: Library, lines: Lines, tmp_path: Path) -> None:
    good = lines("good.jsonl", RECORDS)
    bad = lines("bad.jsonl", [])
    bad.write_text('{"pmid": "7", "title": "Fine", "abstract": "Fine."}\n{"broken\n{"title": ""}\n', encoding="utf-8")
    broken = tmp_path / "broken.xml.gz"
    broken.write_bytes(gzip.compress(PUBMED.format(pmid=8, title="t", text="t", deletion="").encode())[:-20])
    added = library.add([bad, broken, tmp_path / "nowhere.xml", good])
    assert added.documents == len(library) == 4 + (library.get("pmid:8") is not None)
    told = {Path(item.path.split(":")[0]).name for item in added.skipped}
    assert told == {"bad.jsonl", "broken.xml.gz", "nowhere.xml"}
    assert all(item.reason for item in added.skipped)
    # A file of which something was skipped is read again, so that it is told again.
    assert {item.path for item in library.add(bad).skipped} == {i.path for i in added.skipped if "bad" in i.path}


def test_a_folder_goes_in_whole_but_not_the_library_inside_it(tmp_path: Path, lines: Lines, embedder: Words) -> None:
    lines("a.jsonl", RECORDS[:1])
    (tmp_path / "deeper").mkdir()
    lines("deeper/b.jsonl", RECORDS[1:])
    library = Library(tmp_path / "library", embedder=embedder)
    (tmp_path / "deeper" / "checksums.md5").write_text("d41d8cd9 b.jsonl", encoding="utf-8")
    for _ in range(2):
        added = library.add(tmp_path)
        assert [Path(item.path).name for item in added.skipped] == ["checksums.md5"]
        assert added.documents == 3
    assert library.add(tmp_path / "deeper" / "checksums.md5").added == 1, "named by itself, it is read as text"


def test_a_pubmed_update_file_deletes(library: Library, tmp_path: Path) -> None:
    first, update = tmp_path / "1.xml", tmp_path / "2.xml"
    first.write_text(PUBMED.format(pmid=1, title="Withdrawn", text="Text.", deletion=""), encoding="utf-8")
    deletion = "<DeleteCitation><PMID>1</PMID><PMID>77</PMID></DeleteCitation>"
    update.write_text(PUBMED.format(pmid=2, title="Kept", text="Text.", deletion=deletion), encoding="utf-8")
    added = library.add([first, update])
    assert (added.deleted, added.documents) in {(1, 1), (0, 1)}  # one batch may never have held it
    assert library.get("pmid:1") is None
    assert library.add(first).documents == 1, "a file that is in is not read again, so the deletion stands"


def test_a_deletion_of_a_stored_record_is_counted(library: Library, tmp_path: Path) -> None:
    first, update = tmp_path / "1.xml", tmp_path / "2.xml"
    first.write_text(PUBMED.format(pmid=1, title="Withdrawn", text="Text.", deletion=""), encoding="utf-8")
    deletion = "<DeleteCitation><PMID>1</PMID></DeleteCitation>"
    update.write_text(PUBMED.format(pmid=2, title="Kept", text="Text.", deletion=deletion), encoding="utf-8")
    library.add(first)
    added = library.add(update)
    assert (added.added, added.deleted, added.documents) == (1, 1, 1)
    assert library.search("withdrawn", mode="bm25") == ()


def test_deleted_by_hand_comes_back_when_its_file_is_added_again(library: Library, lines: Lines) -> None:
    path = lines("a.jsonl", RECORDS)
    library.add(path)
    assert library.delete(["pmid:1", "local:x", "pmid:404", "pmid:2' OR '1'='1"]) == 2
    assert [document.id for document in library.iterate()] == ["pmid:2"]
    added = library.add(path)
    assert (added.added, added.documents) == (2, 3)
    assert library.delete([]) == 0


def test_documents_in_memory_go_in_too(library: Library, make: Callable[..., Document]) -> None:
    documents = [make(pmid=str(n), title=f"Number {n}") for n in range(1, 5)]
    seen: list[int] = []
    added = library.add_documents(documents, progress=seen.append)
    assert (added.added, seen) == (4, [4])
    assert sorted(library.iterate(), key=lambda d: d.id) == documents


def test_text_that_utf8_cannot_carry_does_not_cost_the_batch(library: Library, make: Callable[..., Document]) -> None:
    odd = make(
        id="local:'; DROP TABLE chunks; --", title="Odd \ud800 title", text="Half a pair \udfff here.", year=10**12
    )
    library.add_documents([odd, make(pmid="1")])
    assert library.get(odd.id) == odd
    assert len(library) == 2


def test_a_record_with_only_a_title_is_found_without_passage(library: Library, make: Callable[..., Document]) -> None:
    library.add_documents([make(pmid="1", title="Xylometazoline overuse", text="")])
    (hit,) = library.search("xylometazoline", mode="bm25")
    assert hit.passage is None
    assert hit.to_json()["passage"] == ""


def test_info_tells_what_is_there(library: Library, lines: Lines) -> None:
    library.add(lines("a.jsonl", RECORDS))
    info = library.info()
    assert (info.documents, info.chunks, info.year_from, info.year_to) == (3, 3, 2001, 2003)
    assert (info.embedder, info.dimensions, info.unindexed) == ("words", 32, 0)
    assert info.bytes is not None
    assert info.bytes > 0
    assert json.loads(json.dumps(info.to_json()))["documents"] == 3


def test_the_json_of_an_add_is_the_contract(library: Library, lines: Lines) -> None:
    fields = library.add(lines("a.jsonl", RECORDS)).to_json()
    assert {"added", "updated", "deleted", "skipped", "documents", "seconds"} <= fields.keys()


def test_a_path_of_another_type_is_refused_before_anything_happens(tmp_path: Path, embedder: Words) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(InvalidInput, match="is a file"):
        Library(tmp_path / "file", embedder=embedder)
