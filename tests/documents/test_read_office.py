"""PDF and DOCX, made here by the libraries that users' programs stand for."""

import io
import zipfile
from pathlib import Path

import pytest

from evidencegate.documents import Document
from evidencegate.documents.readers import Skipped, read, read_document
from evidencegate.errors import ReaderError

docx = pytest.importorskip("docx", reason="needs the extra `pdf`")
pypdf = pytest.importorskip("pypdf", reason="needs the extra `pdf`")
typst = pytest.importorskip("typst", reason="needs the extra `pdf`")

ARTICLE = """
#set document(title: "Invented fever: a trial in print", author: "Example A; Sample B")
#set page(width: 12cm, height: 14cm,
  header: [J Invent Trials 2021; 12: #context counter(page).display()], numbering: "1")
#set par(justify: true)
#set text(size: 11pt, hyphenate: true, lang: "en")
doi: 10.9999\\/print.1

Introduction

Invented fever is a common condition of unquestionable interdisciplinary significance to practitioners. The
long-term outlook is uncharacteristically unfavourable. A long-term study was overdue.

#v(1cm)
Methods

We randomised 240 patients to examplumab or to placebo, and we followed them up for twelve months. Hospitalisation,
rehospitalisation and overhospitalisation were documented meticulously by two independent investigators.

#pagebreak()
Results

Fever fell in 60% of patients vs. 30% with placebo (p\\<0.001). Nobody died.

#pagebreak()
Discussion

This is an invented article and nothing follows from it, whatever the reader may otherwise have hoped to find.
"""


@pytest.fixture(scope="module")
def pdf() -> bytes:
    return bytes(typst.compile(ARTICLE.encode()))


def saved(tmp_path: Path, raw: bytes, name: str = "article.pdf") -> Path:
    path = tmp_path / name
    path.write_bytes(raw)
    return path


def test_pdf(tmp_path: Path, pdf: bytes) -> None:
    found = read_document(saved(tmp_path, pdf))

    assert found.id == "doi:10.9999/print.1"
    assert found.title == "Invented fever: a trial in print"
    assert found.authors == ("Example A", "Sample B")
    assert [s.label for s in found.sections] == ["Introduction", "Methods", "Results", "Discussion"]
    results = found.sections[2].span.of(found.text)
    assert results == "Fever fell in 60% of patients vs. 30% with placebo (p<0.001). Nobody died."
    assert "J Invent Trials" not in found.text
    assert "long-term outlook" in found.text
    for word in ("interdisciplinary significance", "uncharacteristically unfavourable", "overhospitalisation were"):
        assert word in found.text


def test_pdf_is_known_by_its_content(tmp_path: Path, pdf: bytes) -> None:
    assert read_document(saved(tmp_path, pdf, "article.txt")).id == "doi:10.9999/print.1"


def blank(password: str | None = None) -> bytes:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(width=200, height=200)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (blank(), "scanned"),
        (blank("secret"), "encrypted"),
        (b"%PDF-1.7\nnothing of a PDF follows\n" * 20, "corrupt"),
        (b"%PDF-1.7\n%%EOF\n", "corrupt"),
    ],
)
def test_pdf_that_cannot_be_read(tmp_path: Path, raw: bytes, reason: str) -> None:
    with pytest.raises(ReaderError, match=reason):
        read_document(saved(tmp_path, raw))


def test_a_damaged_pdf_never_stops_the_batch(tmp_path: Path, pdf: bytes) -> None:
    """Cut or overwritten anywhere, it is read or skipped, and the file after it is read."""
    saved(tmp_path, b"It fell.", "z.txt")
    for at in range(50, len(pdf), len(pdf) // 25):
        saved(tmp_path, pdf[:at], "a.pdf")
        saved(tmp_path, pdf[:at] + b"\xff" * 200 + pdf[at + 200 :], "b.pdf")
        found = list(read(tmp_path))
        assert isinstance(found[-1], Document)
        assert found[-1].text == "It fell."
        assert all(isinstance(item, Document | Skipped) for item in found)


def word_file() -> bytes:
    made = docx.Document()
    made.core_properties.author = "Example A"
    made.add_heading("An invented report", 0)
    made.add_heading("Methods", 1)
    made.add_paragraph("We did  this.")
    made.add_heading("Search", 2)
    made.add_paragraph("We searched.", style="List Bullet")
    table = made.add_table(rows=1, cols=1)
    table.cell(0, 0).text = "cell"
    made.add_heading("Results", 1)
    made.add_paragraph("It fell by 5 %.")
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def test_docx(tmp_path: Path) -> None:
    found = read_document(saved(tmp_path, word_file(), "report.docx"))

    assert (found.title, found.authors) == ("An invented report", ("Example A",))
    assert found.text == "We did this.\n\nWe searched.\n\nIt fell by 5 %."
    assert [s.label for s in found.sections] == ["Methods", "Methods > Search", "Results"]
    assert found.id.startswith("local:")


def test_docx_that_cannot_be_read(tmp_path: Path) -> None:
    raw = word_file()
    other = docx.Document()
    out = io.BytesIO()
    other.save(out)
    with pytest.raises(ReaderError, match="without text"):
        read_document(saved(tmp_path, out.getvalue(), "empty.docx"))
    with pytest.raises(ReaderError, match=r"damaged|corrupt"):
        read_document(saved(tmp_path, raw[: len(raw) // 2], "cut.docx"))


@pytest.mark.parametrize(
    "part", [b"<a/>", b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>']
)
def test_a_docx_without_its_parts_never_stops_the_batch(tmp_path: Path, part: bytes) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(word_file())) as whole, zipfile.ZipFile(out, "w") as broken:
        for name in whole.namelist():
            broken.writestr(name, part if name == "word/document.xml" else whole.read(name))
    with pytest.raises(ReaderError, match="corrupt DOCX"):
        read_document(saved(tmp_path, out.getvalue(), "parts.docx"))


def test_a_missing_extra_names_the_command(tmp_path: Path, pdf: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pypdf", None)
    [found] = read(saved(tmp_path, pdf))

    assert isinstance(found, Skipped)
    assert 'pip install "evidencegate[pdf]"' in found.reason
