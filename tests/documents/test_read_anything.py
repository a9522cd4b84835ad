"""Folders, archives, compressed files, and everything that must not be read."""

import gzip
import io
import json
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evidencegate.documents import Document
from evidencegate.documents.readers import Deleted, Limits, Skipped, expand, read, read_document
from evidencegate.errors import InvalidInput, ReaderError

FIXTURES = Path(__file__).parent / "fixtures"
JATS = (FIXTURES / "article.nxml").read_bytes()
PUBMED = (FIXTURES / "pubmed.xml").read_bytes()


def ids(path: Path, limits: Limits | None = None) -> list[str]:
    found = []
    for item in read(path, limits=limits or Limits()):
        match item:
            case Document():
                found.append(item.id)
            case Deleted():
                found.append(f"deleted {item.id}")
            case Skipped():
                found.append(f"skipped {Path(item.path).name}: {item.reason}")
    return found


def tar(members: dict[str, bytes], mode: str = "w:gz") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, raw in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(raw)
            archive.addfile(info, io.BytesIO(raw))
    return out.getvalue()


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in members.items():
            archive.writestr(name, raw)
    return out.getvalue()


def saved(tmp_path: Path, raw: bytes, name: str) -> Path:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)
    return path


MEMBERS = {
    "b/article.nxml": JATS,
    "a.jsonl": b'{"id": "one", "text": "x"}\nbroken\n',
    "__MACOSX/._a.jsonl": b"\0\0",
    ".DS_Store": b"\0\0",
    "c.txt.gz": gzip.compress(b"It fell."),
    "d.png": b"\x89PNG\0\0",
    "e.xml": b"<PubmedArticleSet><PubmedArticle></PubmedArticleSet>",
}


@pytest.mark.parametrize("kind", ["folder", "tar.gz", "tar", "tgz named otherwise", "zip"])
def test_folders_and_archives_give_the_same(tmp_path: Path, kind: str) -> None:
    if kind == "folder":
        for name, raw in MEMBERS.items():
            saved(tmp_path / "set", raw, name)
        path = tmp_path / "set"
    elif kind == "zip":
        path = saved(tmp_path, zipped(MEMBERS), "set.zip")
    else:
        path = saved(tmp_path, tar(MEMBERS, "w" if kind == "tar" else "w:gz"), "set.bin")
    found = sorted(ids(path))

    assert [entry for entry in found if not entry.startswith("skipped")] == [
        next(e for e in found if e.startswith("local:") and e != "local:one"),
        "local:one",
        "pmid:990000101",
    ]
    skipped = [entry for entry in found if entry.startswith("skipped")]
    assert len(skipped) == 3
    assert any("a.jsonl:2" in entry and "not JSON" in entry for entry in skipped)
    assert any("d.png" in entry and "not a kind of file" in entry for entry in skipped)
    assert any("e.xml:1" in entry and "cut off" in entry for entry in skipped)


def test_members_are_named_in_messages(tmp_path: Path) -> None:
    path = saved(tmp_path, tar({"deep/x.jsonl": b"broken"}), "set.tar.gz")
    [found] = read(path)

    assert found == Skipped(f"{path}!deep/x.jsonl:1", "not JSON (Expecting value, column 1)")


def test_member_names_are_never_paths(tmp_path: Path) -> None:
    path = saved(tmp_path, tar({"../../escaped.txt": b"It fell.", "/absolute.txt": b"It rose."}), "set.tar")

    assert len(ids(path)) == 2
    assert list(tmp_path.rglob("*.txt")) == []
    assert not (tmp_path.parent / "escaped.txt").exists()


def test_links_and_devices_in_archives_are_passed_over(tmp_path: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        link = tarfile.TarInfo("passwords.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        device = tarfile.TarInfo("device")
        device.type = tarfile.FIFOTYPE
        archive.addfile(device)

    assert ids(saved(tmp_path, out.getvalue(), "set.tar")) == ["skipped set.tar: no files in it"]


def test_compressed_single_files(tmp_path: Path) -> None:
    path = saved(tmp_path, gzip.compress(PUBMED), "pubmed.xml.gz")
    by_content = saved(tmp_path, gzip.compress(JATS), "noname")

    assert ids(path) == [
        *(f"pmid:{n}" for n in (990000001, 990000002, 990000012, 990000020)),
        "deleted pmid:990000030",
        "deleted pmid:990000031",
    ]
    assert ids(by_content) == ["pmid:990000101"]


@pytest.mark.parametrize(
    ("raw", "name", "reason"),
    [
        (gzip.compress(b"x" * 1000)[:20], "a.txt.gz", "cut off"),
        (b"\x1f\x8b" + b"nonsense" * 20, "a.gz", "damaged|cannot be read"),
        (tar({"a.txt": b"It fell." * 5000})[:60], "a.tar.gz", "cut off|damaged"),
        (zipped({"a.txt": b"It fell." * 500})[:60], "a.zip", "damaged"),
        (zipped({"inner.zip": zipped({"a.txt": b"x"})}), "a.zip", "archive inside an archive"),
        (tar({"inner.tgz": tar({"a.txt": b"x"})}), "a.tar.gz", "archive inside an archive"),
        (b"", "a.xml", "empty"),
        (b"<article><front></article>", "a.nxml", "not well-formed"),
        (b"<html", "a.xml", "text|HTML"),
        (b"\0" * 100, "a.jsonl", "not JSON|not text"),
    ],
)
def test_what_is_broken_is_skipped_with_its_reason(tmp_path: Path, raw: bytes, name: str, reason: str) -> None:
    path = saved(tmp_path, raw, name)
    found = list(read(path))

    assert isinstance(found[-1], Skipped)
    with pytest.raises(ReaderError, match=reason):
        read_document(path)


def test_a_gzip_bomb_is_refused(tmp_path: Path) -> None:
    line = json.dumps({"id": "x", "text": " " * 100_000 + "x"}) + "\n"
    bomb = saved(tmp_path, gzip.compress((line * 900).encode(), 9), "bomb.jsonl.gz")
    inside = saved(tmp_path, zipped({"bomb.jsonl": (line * 900).encode()}), "bomb.zip")
    nested = saved(tmp_path, tar({"bomb.jsonl.gz": bomb.read_bytes()}, "w"), "bomb.tar")

    assert bomb.stat().st_size < 200_000
    for path in (bomb, inside, nested):
        last = list(read(path))[-1]
        assert isinstance(last, Skipped)
        assert "expands to more than 200 times" in last.reason


def test_honest_text_compresses_less_than_the_bound(tmp_path: Path) -> None:
    text = "".join(f'{{"id": {n}, "text": "Patient {n} improved by {n % 97} points."}}\n' for n in range(2000))

    assert len(ids(saved(tmp_path, gzip.compress(text.encode(), 9), "a.jsonl.gz"))) == 2000


def test_large_files_are_refused_or_streamed(tmp_path: Path) -> None:
    limits = Limits(text_bytes=1000, member_bytes=2000)
    text = saved(tmp_path, b"It fell. " * 200, "a.txt")
    records = saved(tmp_path, b'{"id": 1, "text": "x"}\n' * 200, "a.jsonl")
    member = saved(tmp_path, tar({"a.jsonl": records.read_bytes()}), "a.tar")

    assert ids(text, limits) == [
        "skipped a.txt: larger than 0.0 MB, too large to be one document: split it, or give its records as JSON lines"
    ]
    assert len(ids(records, limits)) == 200
    assert "over the limit" in ids(member, limits)[0]


def test_a_large_file_is_never_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    line = json.dumps({"id": "x", "abstract": "It fell. " * 200}) + "\n"
    with path.open("w") as stream:
        for _ in range(6):
            stream.write(line * 1000)
    tracemalloc.start()
    number = sum(isinstance(item, Document) for item in read(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert number == 6_000
    assert path.stat().st_size > 10_000_000
    assert peak < 5_000_000


def test_expand_names_the_files_in_order(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.txt", "a/.hidden", "c.txt"):
        saved(tmp_path, b"x", name)
    (tmp_path / "loop").symlink_to(tmp_path)

    assert [p.relative_to(tmp_path).as_posix() for p in expand(tmp_path)] == ["a/z.txt", "b.txt", "c.txt"]
    assert list(expand(tmp_path / "b.txt")) == [tmp_path / "b.txt"]


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no such file"):
        read(tmp_path / "missing.txt")
    with pytest.raises(InvalidInput, match="no such file"):
        read_document(tmp_path / "missing.txt")
    assert ids(tmp_path) == [f"skipped {tmp_path.name}: no files in it"]


def test_read_document_wants_one(tmp_path: Path) -> None:
    many = saved(tmp_path, b'{"id": 1, "text": "x"}\n{"id": 2, "text": "y"}\n', "a.jsonl")
    with pytest.raises(InvalidInput, match="several documents"):
        read_document(many)


def test_an_unreadable_kind_is_read_as_text_only_when_named(tmp_path: Path) -> None:
    path = saved(tmp_path / "set", b"# a script that says it fell", "a.sh")

    assert ids(path.parent) == [
        "skipped a.sh: not a kind of file that is read (.sh); name it by itself to have it read as plain text"
    ]
    assert read_document(path).text == "# a script that says it fell"


SEEDS = [
    JATS,
    PUBMED,
    b'{"id": 1, "text": "x"}',
    tar({"a.txt": b"x"}),
    zipped({"a.txt": b"x"}),
    b"%PDF-1.4\n",
    b"<html><body>x",
]


def test_a_zip_of_a_newer_kind_is_skipped_and_the_file_after_it_is_read(tmp_path: Path) -> None:
    raw = bytearray(zipped({"a.nxml": JATS}))
    raw[raw.index(b"PK\x01\x02") + 6] = 64  # "version needed to extract", 6.4
    saved(tmp_path, bytes(raw), "a.zip")
    saved(tmp_path, b"It fell.", "z.txt")
    skipped, document = read(tmp_path)
    assert isinstance(skipped, Skipped)
    assert "cannot be unpacked here" in skipped.reason
    assert isinstance(document, Document)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.sampled_from(SEEDS) | st.binary(max_size=200),
    st.sampled_from(
        [".xml", ".nxml", ".jsonl", ".json", ".txt", ".md", ".html", ".pdf", ".docx", ".csv", ".gz", ".zip", ""]
    ),
    st.integers(0, 6000),
    st.binary(max_size=20),
)
def test_any_bytes_are_read_or_skipped(tmp_path: Path, raw: bytes, suffix: str, at: int, noise: bytes) -> None:
    """Cut or overwritten anywhere, under any name: a document or a reason, never an error."""
    at = min(at, len(raw))
    path = saved(tmp_path, raw[:at] + noise + raw[at + len(noise) :], f"a{suffix}")
    for item in read(path):
        assert isinstance(item, Document | Skipped | Deleted)
        assert not isinstance(item, Skipped) or item.reason


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.xml", "<!-- -->" * 8000),
        ("a.xml", "<!-- -->" * 8000 + "<!--"),
        ("a.xml", "<?a ?>" * 9000 + "<?"),
        ("a.xml", "<!DOCTYPE a [ ] " * 4000),
        ("a.xml", "<!DOCTYPE " * 6000),
        ("a.html", "<!-- -->\n" * 7000 + "x"),
        ("a.html", "<p>" * 20_000 + "x"),
        ("a.nxml", "<article><front>" + "<b>" * 50_000),
        ("a.bib", "@article{a, title={x}" + " " * 50_000 + "x"),
        ("a.bib", "@a{b}\n" * 20_000),
        ("a.bib", "@article{a, title={" + "{" * 50_000),
        ("a.md", "# a\n```\n" * 20_000),
        ("a.ris", "TY  - JOUR\nAB  - x\n" + "y\n" * 50_000),
        ("a.csv", 'title\n"' + "x\n" * 50_000),
        ("a.json", "[" * 100_000),
        ("a.jsonl", '{"text": "x", "url": "https://' + "a." * 50_000 + '"}'),
        ("a.txt", " " * 60_000 + "x"),
    ],
)
def test_hostile_files_take_linear_work(tmp_path: Path, name: str, content: str) -> None:
    """Each of these would keep a backtracking pattern, or a loop within a loop, busy beyond patience."""
    for item in read(saved(tmp_path, content.encode(), name)):
        assert isinstance(item, Document | Skipped)


def test_a_damaged_member_costs_itself_and_not_its_archive(tmp_path: Path) -> None:
    line = b'{"id": "%s", "title": "An invented title", "abstract": "An invented abstract."}'
    members = {"a.jsonl": line % b"a", "b.xml.gz": b"\x1f\x8bno gzip at all", "c.jsonl": line % b"c"}
    for name, raw in (("x.tar.gz", tar(members)), ("x.tar", tar(members, "w"))):
        (tmp_path / name).write_bytes(raw)
        found = ids(tmp_path / name)
        assert [found[0], found[2]] == ["local:a", "local:c"]
        assert found[1].startswith(f"skipped {name}!b.xml.gz")


@pytest.mark.parametrize(
    "record", ['"notices": 5', '"notices": "retracted"', '"notices": {"status": "no such status"}']
)
def test_a_record_of_the_wrong_shape_costs_itself(tmp_path: Path, record: str) -> None:
    lines = [f'{{"id": "a", "title": "An invented title", {record}}}', '{"id": "b", "title": "Another invented title"}']
    (tmp_path / "x.jsonl").write_text("\n".join(lines), "utf-8")
    found = ids(tmp_path / "x.jsonl")
    assert "a notice is" in found[0]
    assert found[1] == "local:b"


def test_an_id_can_be_stored(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"id": "a\\ud800", "title": "An invented title"}', "utf-8")
    (found,) = ids(tmp_path / "x.jsonl")
    assert found.encode()


def test_a_reader_that_stumbles_costs_its_file_and_not_the_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from evidencegate.documents.readers import markdown

    def stumble(_text: str, _name: str) -> Document:
        raise LookupError("nobody thought of this")

    monkeypatch.setattr(markdown, "document", stumble)
    (tmp_path / "a.md").write_text("# Invented\n\nText.", "utf-8")
    (tmp_path / "b.txt").write_text("Invented text.", "utf-8")
    found = ids(tmp_path)
    assert "nobody thought of this" in found[0]
    assert found[1].startswith("local:")
