"""`evidencegate counter`, as a user meets it."""

import io
import json
from pathlib import Path

import pytest
from counter_support import AGAINST, CLAIM, FOR

from evidencegate.cli import _app, _counter  # noqa: F401  (registers the command)
from evidencegate.counter import NO_STATEMENT


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Two invented records in a real library."""
    pytest.importorskip("lancedb")
    from evidencegate.library import Library

    lines = [
        {
            "id": "a",
            "pmid": "101",
            "title": "Azithromycin and statins: a cohort study",
            "abstract": AGAINST,
            "year": 2021,
        },
        {"id": "b", "pmid": "102", "title": "Clarithromycin with simvastatin", "abstract": FOR, "year": 2019},
    ]
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    Library(tmp_path / "lib").add([file])
    return tmp_path / "lib"


def called(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = _app.app(list(argv), standalone_mode=False) or 0
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture(autouse=True)
def _ledger(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EVIDENCEGATE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("EVIDENCEGATE_CACHE_DIR", str(tmp_path / "cache"))


def test_a_claim_against_a_library(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = called(capsys, "counter", CLAIM, "--library", str(library), "--json")
    assert code == 0
    fields = json.loads(out)
    assert fields["schema"] == "evidencegate/1"
    (claim,) = fields["claims"]
    assert [a["pmid"] for a in claim["accepted"]] == ["101"]
    assert claim["accepted"][0]["passage"] in AGAINST
    assert "102" in [r["pmid"] for r in claim["rejected"]]
    assert all(search["source"] == "library:lib" for search in claim["searches"])


def test_a_file_and_its_output(library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text.md"
    text.write_text(f"# Interactions\n\n{CLAIM}.\n\nAspirin reduces stroke in adults.\n", "utf-8")
    page = tmp_path / "out.html"
    code, out, err = called(capsys, "counter", str(text), "--library", str(library), "--output", str(page))
    assert code == 0
    assert out.startswith("# What contradicts this")
    assert "written to" in err
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_stdin(library: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("Aspirin stroke 40 mg".encode("utf-16"))))
    code, out, err = called(capsys, "counter", "-", "--library", str(library))
    assert code == 0
    assert "No counterfactual statement generated" in out
    assert NO_STATEMENT in err


@pytest.mark.parametrize(
    ("argv", "expected"),
    [(["counter", "", "--offline"], 2), (["counter", CLAIM, "--offline", "--output", "x.pdf"], 2)],
)
def test_mistakes_of_use(argv: list[str], expected: int, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        called(capsys, *argv)
    assert left.value.code == expected
    assert capsys.readouterr().err.startswith("evidencegate counter:")
