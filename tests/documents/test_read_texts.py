"""Plain text, Markdown and HTML."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document
from evidencegate.documents.readers import Skipped, read, read_document, read_text
from evidencegate.errors import InvalidInput, ReaderError


def saved(tmp_path: Path, name: str, content: str | bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def test_plain_text_is_the_files_own_content(tmp_path: Path) -> None:
    content = "A title\r\n\r\nIt fell.\r\nIt rose.\r\n"
    found = read_document(saved(tmp_path, "note.txt", b"\xef\xbb\xbf" + content.encode()))

    assert found.text == content
    assert (found.title, found.sections, found.source) == ("A title", (), "file")
    assert [span.of(content) for span in found.paragraphs()] == ["A title", "It fell.\r\nIt rose."]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Größe 5 µg".encode("cp1252"), "Größe 5 µg"),
        ("Größe – “5”".encode("cp1252"), "Größe – “5”"),
        ("Größe".encode("utf-16"), "Größe"),
        ("Größe".encode(), "Größe"),
    ],
)
def test_encodings(tmp_path: Path, raw: bytes, text: str) -> None:
    assert read_document(saved(tmp_path, "note.txt", raw)).text == text


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "empty"),
        (b" \n\t ", "white space"),
        (bytes(range(256)) * 50, "not text"),
        (b"\x89PNG\r\n\x1a\n" + b"\0\x01" * 500, "not text"),
        (b"\x00\x00\x00\x00", "not text"),
        (b"\xff\xfe\x00\xd8", "not text"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, raw: bytes, reason: str) -> None:
    path = saved(tmp_path, "note.txt", raw)
    [found] = read(path)

    assert isinstance(found, Skipped)
    assert reason in found.reason
    with pytest.raises(ReaderError, match=reason):
        read_document(path)


def test_ids_come_from_name_and_content(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    first = read_document(saved(tmp_path, "a.txt", "It fell."))
    same = read_document(saved(tmp_path / "other", "a.txt", "It fell."))
    changed = read_document(saved(tmp_path, "b.txt", "It fell."))

    assert first.id == same.id
    assert len(first.id) == len("local:") + 12
    assert changed.id != first.id


@given(st.text().filter(lambda t: t.removeprefix("\ufeff").strip()))
def test_read_text_keeps_every_character(text: str) -> None:
    assert read_text(text).text == text.removeprefix("\ufeff")
    assert read_text(text, name="a.md").text == text.removeprefix("\ufeff")


def test_read_text_refuses_nothing() -> None:
    with pytest.raises(InvalidInput, match="no text"):
        read_text(" \n", name="the answer")


MARKDOWN = """\
A word before.

# A review

In short.

## Methods ##

We did.

### Search

We searched.

```
# not a heading
```

Results
-------
It fell.
"""


def test_markdown_sections() -> None:
    found = read_text(MARKDOWN, name="review.md")

    assert found.text == MARKDOWN
    assert found.title == "A review"
    assert [(s.label, s.span.of(MARKDOWN).split("\n")[0]) for s in found.sections] == [
        ("A review", "In short."),
        ("Methods", "We did."),
        ("Methods > Search", "We searched."),
        ("Results", "It fell."),
    ]


def test_markdown_with_carriage_returns_and_without_headings() -> None:
    found = read_text("# Title\r\n\r\nIt fell.\r\n\r\n## Two\r\nIt rose.\r\n", name="a.md")

    assert [(s.label, s.span.of(found.text)) for s in found.sections] == [("Title", "It fell."), ("Two", "It rose.")]
    assert read_text("Only prose.", name="plain.md").title == "plain"


@given(
    st.lists(st.sampled_from(["# ", "## ", "a", "\n", "\n\n", "===", "---", "```", "\r\n", " ", "#", "|"])).map("".join)
)
def test_any_markdown_makes_a_document(text: str) -> None:
    if text.strip():
        found = read_text(text, name="a.md")
        assert all(s.span.of(text).strip() for s in found.sections)


HTML = """<!DOCTYPE html>
<html lang="en-GB"><head><title>Site | An invented page</title>
<meta name="citation_title" content="An invented page"><meta name="citation_author" content="Example, Anna B.">
<meta name="citation_author" content="John Sample"><meta name="citation_doi" content="10.9999/page">
<meta name="citation_publication_date" content="2020/05/01"><meta name="citation_journal_title" content="J Invent">
<style>p { color: red }</style><script>var x = "not text";</script></head>
<body><nav><p>Menu</p></nav><main><h1>An invented page</h1>
<p>It <b>fell</b> by 5&nbsp;%, p&lt;0.05.<br>Then it rose.</p>
<h2>Methods</h2><div>We asked <!-- a comment -->90 adults<script>alert(1)</script> twice.</div>
<ul><li>old</li><li>young</li></ul><table><tr><td>cell</td></tr></table>
</main><footer>Imprint</footer></body></html>"""


def test_html(tmp_path: Path) -> None:
    found = read_document(saved(tmp_path, "page.html", HTML))

    assert (found.id, found.title, found.language) == ("doi:10.9999/page", "An invented page", "en")
    assert (found.authors, found.year, found.journal) == (("Example AB", "Sample J"), 2020, "J Invent")
    assert [span.of(found.text) for span in found.paragraphs()] == [
        "It fell by 5 %, p<0.05.",
        "Then it rose.",
        "We asked 90 adults",
        "twice.",
        "old",
        "young",
    ]
    assert [s.label for s in found.sections] == ["Methods"]


def test_html_is_known_by_its_content(tmp_path: Path) -> None:
    found = read_document(saved(tmp_path, "page.txt", HTML))
    xhtml = HTML.replace(
        "<!DOCTYPE html>", '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "x">'
    )

    assert found.title == "An invented page"
    assert read_document(saved(tmp_path, "page.xml", xhtml)).title == "An invented page"


@pytest.mark.parametrize("page", ["<html><body><script>x()</script></body></html>", "<html></html>", "<!doctype html>"])
def test_html_without_text_says_so(tmp_path: Path, page: str) -> None:
    [found] = read(saved(tmp_path, "page.html", page))

    assert isinstance(found, Skipped)
    assert "text" in found.reason


@given(
    st.lists(
        st.sampled_from(["<p>", "</p>", "<div>", "a", "&lt;", "<", "&#0;", "\0", "<h2>", "</h2>", "<br/>", "<![CDATA["])
    )
)
def test_any_html_is_a_document_or_refused(parts: list[str]) -> None:
    with suppress(ReaderError):
        found = read_text("x".join(parts) + "y", name="a.html")
        assert isinstance(found, Document)
        assert found.text
