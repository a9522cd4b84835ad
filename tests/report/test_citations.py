"""Citation enforcement: rule 3 over generated Markdown."""

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.report.citations import enforce_citations, mentions
from evidencegate.report.citations._find import blocks

CASES = [
    ("A works [3]. B [20][21][22] and C [1,9].", "A works [3]. B and C [1]."),
    ("Shown [1-4] and [14-18].", "Shown [1-3] and."),
    ("x [^3] y [^9].", "x [^3] y."),
    ("Placebo [1]... (not provided) ok.", "Placebo ok."),
    ("Needs one [citation needed].", "Needs one."),
    ("`a[9]` and [text](http://x.y/[9]) and [9](http://a.b).", None),
    ("| a | b |\n|---|---|\n| x [9] | [8] |\n", "| a | b |\n|---|---|\n| x | |\n"),
    ("**bold [9]** done", "**bold** done"),
    ("## Head [9]\n\n[9] start\n\n- [9] item\n", "## Head\n\nstart\n\n- item\n"),
    ("Lower mortality¹² and kg/m² and 10⁶ units.", "Lower mortality and kg/m² and 10⁶ units."),
    ("Aspirin works (7). Given to men (n = 45).", "Aspirin works. Given to men (n = 45)."),
    ("text<sup>1,9</sup>.", "text<sup>1</sup>."),
    ("foo\n[9]\nbar", "foo\nbar"),
    ("95% CI [0.8-1.2] was wide", None),
    ("```\n[9]\n```\n\n    [9] code\n", None),
    ("[9]: http://x.y\n\nsee [9].", "[9]: http://x.y\n\nsee."),
    ("Kept  as   it is [2] .", None),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_reads_every_style_and_closes_up(text: str, expected: str | None) -> None:
    enforced = enforce_citations(text, [1, 2, 3])

    assert enforced.text == (text if expected is None else expected)
    assert bool(enforced.removed) == (expected is not None)


def test_a_removal_says_what_where_and_why() -> None:
    enforced = enforce_citations("# Risks\n\nObesity [14][20].", [14])

    (removal,) = enforced.removed
    assert (removal.text, removal.section) == ("[20]", "Risks")
    assert "20" in removal.reason


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\r", "\r\n", "\n"])
def test_whatever_else_parts_lines_no_citation_is_overlooked(separator: str) -> None:
    # What Python calls a line is more than what Markdown does: counted otherwise, the last citations stood elsewhere.
    enforced = enforce_citations(f"Given{separator}over{separator}lines [9].\n\n# Risks\n\nObesity [9] [2].", [2])

    assert "[9]" not in enforced.text
    assert enforced.text.endswith("Obesity [2].")
    assert [removal.section for removal in enforced.removed] == ["", "Risks"]


def test_many_headings_are_looked_through_once() -> None:
    def steps(sections: int) -> int:
        text = "".join(f"# Part {n}\n\nShown [99].\n\n" for n in range(sections))
        count = 0

        def trace(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal count
            if not frame.f_code.co_filename.endswith("_enforce.py"):
                return None
            frame.f_trace_opcodes = True
            count += event == "opcode"
            return trace

        previous = sys.gettrace()
        sys.settrace(trace)
        try:
            enforced = enforce_citations(text, [1])
        finally:
            sys.settrace(previous)
        assert [removal.section for removal in enforced.removed] == [f"Part {n}" for n in range(sections)]
        return count

    assert steps(160) < 2.5 * steps(80)


def test_what_follows_a_removed_citation_stays_a_paragraph() -> None:
    text = enforce_citations("[9] # no heading\n\n[9] - no list", [1]).text

    assert [token.type for token in blocks(text) if token.nesting == 1] == ["paragraph_open"] * 2


def test_numbers_are_given_anew() -> None:
    assert enforce_citations("A [7], B [2,7], C [9].", [2, 7], renumber={7: 1, 2: 2}).text == "A [1], B [1,2], C."


_cite = st.one_of(
    st.integers(0, 40).map(lambda n: f"[{n}]"),
    st.lists(st.integers(0, 40), min_size=2, max_size=4).map(lambda ns: "[" + ", ".join(map(str, ns)) + "]"),
    st.tuples(st.integers(1, 20), st.integers(0, 9)).map(lambda t: f"[{t[0]}-{t[0] + t[1]}]"),
    st.integers(1, 40).map(lambda n: f"[^{n}]"),
    st.integers(1, 40).map(lambda n: f"<sup>{n}</sup>"),
    st.sampled_from(["[citation needed]", "[ref]", "[1]... (not provided)", "(reference not provided)", "[?]"]),
)
_word = st.sampled_from(["mortality", "fell", "by", "28%", "in", "trials", "**bold**", "`code[99]`", "(n = 12)", "m²"])
_inline = st.lists(st.one_of(_word, _cite), min_size=1, max_size=12).map(" ".join)
_block = st.one_of(
    _inline,
    _inline.map(lambda s: f"## Results {s}"),
    st.lists(_inline, min_size=1, max_size=3).map(lambda items: "\n".join(f"- item {i}" for i in items)),
    st.lists(_inline, min_size=1, max_size=3).map(lambda rows: "| a |\n|---|\n" + "\n".join(f"| {r} |" for r in rows)),
    st.just("```\nvalue[99] = [41]\n```"),
    st.just("See [the guideline](https://doi.org/10.1000/x[99])."),
)
_markdown = st.lists(_block, min_size=1, max_size=6).map("\n\n".join)
_valid = st.sets(st.integers(1, 20), max_size=8)


@given(_markdown, _valid)
def test_every_citation_left_resolves_and_again_changes_nothing(text: str, valid: set[int]) -> None:
    enforced = enforce_citations(text, valid)

    left = [n for mention in mentions(enforced.text) for part in mention.parts for n in part.numbers()]
    assert set(left) <= valid
    assert all(mention.parts for mention in mentions(enforced.text))
    assert enforce_citations(enforced.text, valid).text == enforced.text


@given(_markdown, _valid)
def test_the_structure_stays(text: str, valid: set[int]) -> None:
    def shape(markdown: str) -> list[tuple[str, str]]:
        return [(t.type, t.content if t.type in ("fence", "code_block") else "") for t in blocks(markdown)]

    before, after = shape(text), shape(enforce_citations(text, valid).text)
    # A paragraph that was nothing but invalid citations is gone whole; all else stands.
    emptied = [kind for kind, _ in before].count("paragraph_open") - [kind for kind, _ in after].count("paragraph_open")
    assert emptied >= 0
    if emptied == 0:
        assert before == after


@given(_markdown)
def test_valid_citations_are_never_touched(text: str) -> None:
    prose = [m for m in mentions(text) if m.parts]
    numbers = {n for mention in prose for part in mention.parts for n in part.numbers()}

    enforced = enforce_citations(text, numbers)

    assert all(removal.reason.startswith("a placeholder") for removal in enforced.removed)
    if not enforced.removed:
        assert enforced.text == text


@given(st.text(max_size=300), _valid)
def test_any_text_is_answered(text: str, valid: set[int]) -> None:
    enforced = enforce_citations(text, valid)

    assert enforced.removed or enforced.text == text
