"""Outputs: the contract's fields, marks in place, and nothing from outside that runs."""

import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document
from evidencegate.models.stance import RulesModel
from evidencegate.verify import Checked, check, checked_html, checked_json, checked_markdown, segments

rules = RulesModel().judge
TEXT = (
    "Tavaxin reduced stroke compared with placebo. Mortality was 15% with tavaxin and 12% with placebo. "
    "The moon is made of cheese."
)


@pytest.fixture
def checked(article: Document) -> Checked:
    return check(TEXT, article, reader=rules)


def test_the_fields_of_the_contract(checked: Checked, article: Document) -> None:
    fields = json.loads(json.dumps(checked_json(checked), allow_nan=False))
    assert {"claims", "sentences", "issue_spans", "score", "coverage", "warnings"} <= fields.keys()
    wanted = set("id text start end sentence verdict confidence severity quote document stance numbers trace".split())
    for claim in fields["claims"]:
        assert wanted <= claim.keys()
        assert TEXT[claim["start"] : claim["end"]] == claim["text"]
        if claim["quote"]:
            assert article.text[claim["quote"]["start"] : claim["quote"]["end"]] == claim["quote"]["text"]
            assert claim["document"] == article.id
    assert [claim["verdict"] for claim in fields["claims"]] == ["correct", "incorrect", "uncertain"]
    assert {"label_raw", "label_final", "gate_reason", "selection_reason", "coverage_ok"} <= fields["claims"][0][
        "trace"
    ].keys()
    (issue, _) = fields["issue_spans"]
    assert {"start", "end", "verdict", "severity", "message"} <= issue.keys()
    assert TEXT[issue["start"] : issue["end"]] == "15"
    assert {s["label"] for s in fields["sentences"]} == {"correct", "incorrect", "uncertain"}


def test_segments_are_the_text_and_mark_the_number(checked: Checked) -> None:
    parts = list(segments(checked))
    assert "".join(part.text for part in parts) == TEXT
    assert [part.text for part in parts if part.issue] == ["15", "The moon is made of cheese."]
    assert [part.text for part in parts if part.claim is None] == [" ", " "]


class Page(HTMLParser):
    """Reads back what a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "link", "img", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page(checked: Checked) -> Page:
    parsed = Page()
    parsed.feed(checked_html(checked))
    parsed.close()
    assert parsed.open == []
    return parsed


def test_marks_can_be_reached_by_keyboard_and_say_verdict_quote_and_source(checked: Checked, article: Document) -> None:
    parsed = page(checked)
    marks = [attrs for tag, attrs in parsed.tags if tag == "span" and "tabindex" in attrs]
    assert [mark["class"] for mark in marks] == ["claim correct", "claim incorrect", "claim uncertain"]
    ids = {attrs.get("id") for _, attrs in parsed.tags}
    assert all(mark["aria-describedby"] in ids for mark in marks)
    html = checked_html(checked)
    assert "Mortality was 12% with tavaxin and 15% with placebo." in html
    assert f'href="{article.url}"' in html
    assert "<mark>15</mark>" in html


def test_the_page_loads_nothing(checked: Checked) -> None:
    for tag, attrs in page(checked).tags:
        assert tag not in ("script", "link", "img", "iframe", "object")
        assert "src" not in attrs
        assert not any(name.startswith("on") for name in attrs)


HOSTILE = '<script>alert(1)</script> & "quoted" <img src=x onerror=alert(1)> {{ 7*7 }}'


def test_text_from_outside_is_escaped() -> None:
    quoted = HOSTILE.partition("</script>")[2]  # a sentence with a script in it is not read, so never quoted
    source = Document(
        id="local:x", title=f"T {HOSTILE}", text=f"Tavaxin {quoted} reduced strokes in adults. It was safe."
    )
    checked = check(f"Tavaxin {HOSTILE} reduced strokes in adults.", source, reader=rules)
    assert checked.claims[0].decision.quote is not None
    html = checked_html(checked, title=HOSTILE)
    assert "<script" not in html
    assert "<img" not in html
    assert "49" not in html
    page(checked)
    markdown = checked_markdown(checked)
    assert "<script" not in markdown.replace("\\<", "")


@given(st.text(max_size=120))
def test_any_text_is_shown_whole(text: str) -> None:
    checked = check(text, Document(id="local:x", title="", text="Tavaxin was safe in adults."), reader=rules)
    assert "".join(part.text for part in segments(checked)) == text
    page(checked)
    json.dumps(checked_json(checked), allow_nan=False)
    checked_markdown(checked)


def test_markdown_shows_issue_quote_and_summary(checked: Checked) -> None:
    text = checked_markdown(checked)
    assert "3 claims: 1 correct, 1 incorrect, 1 uncertain." in text
    assert "> Mortality was 12% with tavaxin and 15% with placebo." in text
    assert "15% belongs to the other group in the source." in text
