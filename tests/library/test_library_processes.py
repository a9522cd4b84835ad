"""Several processes at one library, and processes that die."""

import json
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from bag_of_words import Words

from evidencegate.errors import LibraryBroken, LibraryLocked
from evidencegate.library import Library
from evidencegate.library._ingest import BATCH_CHUNKS
from evidencegate.library._lock import writing

Child = Callable[..., "subprocess.Popen[str]"]

ADD = """
import sys
from bag_of_words import Words
from evidencegate.library import Library
library = Library(sys.argv[1], embedder=Words())
added = library.add(sys.argv[2], progress=lambda done: print(done, flush=True))
print("documents", added.documents, flush=True)
"""
ADD_WITH_LITTLE_SPACE = """
import resource, signal, sys
from bag_of_words import Words
from evidencegate.errors import LibraryError
from evidencegate.library import Library
library = Library(sys.argv[1], embedder=Words())
# A file may not grow beyond this: what a full disk looks like to the one who writes.
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
try:
    library.add(sys.argv[2])
except LibraryError as error:
    print(type(error).__name__, error, flush=True)
"""
READ = """
import sys
from bag_of_words import Words
from evidencegate.library import Library
library = Library(sys.argv[1], create=False, embedder=Words())
print("ready", flush=True)
seen, searches = 0, 0
while "stop" not in (line := sys.stdin.readline()):
    number = len(library)
    assert number >= seen, (number, seen)
    seen, searches = number, searches + 1
    hits = library.search("invented record", limit=20)
    assert len(hits) == min(20, number), (len(hits), number)
    assert len({hit.document.id for hit in hits}) == len(hits)
    assert all(hit.passage.text in hit.document.text for hit in hits)
    print(number, flush=True)
print("searches", searches, seen, flush=True)
"""


def _records(path: Path, count: int, *, first: int = 1, bulk: int = 1) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for number in range(first, first + count):
            text = f"This invented record has the number n{number}. " * bulk
            file.write(json.dumps({"pmid": str(number), "title": f"Invented record {number}", "abstract": text}) + "\n")
    return path


def test_a_killed_add_loses_no_commit_and_goes_on_without_embedding_again(tmp_path: Path, child: Child) -> None:
    total = BATCH_CHUNKS * 8
    path, place = _records(tmp_path / "a.jsonl", total), tmp_path / "library"
    process = child(ADD, str(place), str(path))
    assert process.stdout is not None
    committed = 0
    while committed < BATCH_CHUNKS * 2:
        committed = int(process.stdout.readline())
    process.kill()  # SIGKILL, while the next batch is under way
    process.communicate()
    assert process.returncode == -signal.SIGKILL

    embedder = Words()
    library = Library(place, embedder=embedder)
    kept = len(library)
    assert committed <= kept < total
    added = library.add(path)
    assert (added.added, added.unchanged, added.updated) == (total - kept, kept, 0)
    assert added.documents == total
    assert len(embedder.texts) == total - kept
    assert {document.id for document in library.iterate()} == {f"pmid:{n}" for n in range(1, total + 1)}
    (hit,) = library.search(f"n{total}", mode="bm25", limit=1)
    assert hit.document.id == f"pmid:{total}"
    assert library.info().unindexed == 0


def test_readers_keep_working_while_another_process_writes(tmp_path: Path, child: Child) -> None:
    place = tmp_path / "library"
    library = Library(place, embedder=Words())
    library.add(_records(tmp_path / "first.jsonl", 30))
    reader = child(READ, str(place))
    assert reader.stdin is not None
    assert reader.stdout is not None
    assert reader.stdout.readline() == "ready\n"

    seen = []

    def ask(_: int) -> None:
        assert reader.stdin is not None
        assert reader.stdout is not None
        reader.stdin.write("again\n")
        reader.stdin.flush()
        seen.append(reader.stdout.readline().strip())

    total = 30 + BATCH_CHUNKS * 4
    library.add(_records(tmp_path / "more.jsonl", BATCH_CHUNKS * 4, first=31), progress=ask)
    ask(0)
    out, err = reader.communicate("stop\n")
    assert reader.returncode == 0, err
    assert out.startswith(f"searches {len(seen)}")
    assert seen[-1] == str(total), seen
    assert len(set(seen)) > 2, "the reader saw the library grow"


def test_a_writer_waits_for_another_and_then_says_who_it_is(tmp_path: Path, child: Child) -> None:
    place = tmp_path / "library"
    library = Library(place, embedder=Words())
    path = _records(tmp_path / "a.jsonl", 5)
    with writing(library.path, 0.0):
        with pytest.raises(LibraryLocked, match=rf"process {os.getpid()}"):
            library.add(path, wait=0.0)
        with pytest.raises(LibraryLocked, match="searching is possible"):
            library.delete("pmid:1", wait=0.2)
        assert library.search("anything") == ()
        waiting = child(ADD, str(place), str(path))
        assert waiting.poll() is None
    out, err = waiting.communicate()
    assert out.splitlines()[-1:] == ["documents 5"], err


def test_the_lock_of_a_dead_writer_is_no_lock(tmp_path: Path, child: Child) -> None:
    place = tmp_path / "library"
    process = child(ADD, str(place), str(_records(tmp_path / "a.jsonl", BATCH_CHUNKS * 6)))
    assert process.stdout is not None
    process.stdout.readline()
    process.kill()
    process.communicate()
    library = Library(place, embedder=Words())
    assert library.add(_records(tmp_path / "b.jsonl", 1, first=10**6), wait=0.0).added == 1


def test_two_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    place = tmp_path / "library"
    Library(place, embedder=Words())
    failures: list[BaseException] = []

    def write(number: int) -> None:
        try:
            path = _records(tmp_path / f"{number}.jsonl", 40, first=1 + number * 20)
            Library(place, embedder=Words()).add(path, wait=60)
        except BaseException as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failures == []
    library = Library(place, create=False, embedder=Words())
    assert sorted(int(d.id.removeprefix("pmid:")) for d in library.iterate()) == list(range(1, 81))


@pytest.mark.skipif(sys.platform == "win32", reason="limits of this kind are POSIX")
def test_a_full_disk_is_told_and_costs_nothing_that_was_there(tmp_path: Path, child: Child) -> None:
    place = tmp_path / "library"
    library = Library(place, embedder=Words())
    library.add(_records(tmp_path / "a.jsonl", 20))
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    large = _records(tmp_path / "b.jsonl", 60, first=100, bulk=200)
    process = child(ADD_WITH_LITTLE_SPACE, str(place), str(large), "50000")
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert out.startswith("LibraryError No space is left"), out + err
    assert "again" in out
    assert len(Library(place, create=False, embedder=Words())) == 20
    assert library.add(large).documents == 80


def test_a_search_after_the_files_are_gone_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(tmp_path / "library", embedder=Words())
    library.add(_records(tmp_path / "a.jsonl", 5))
    for data in (tmp_path / "library" / "chunks.lance" / "data").iterdir():
        data.unlink()
    with pytest.raises(LibraryBroken, match="missing"):
        list(library.iterate())
