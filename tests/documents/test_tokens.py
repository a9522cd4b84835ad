"""Normalisation and tokens: one spelling of typography, and always the way back."""

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Kind, normalise, tokens

ODD = st.text(alphabet=st.characters() | st.sampled_from("`'’–−\u00ad\u200b\u0301\u0338ﬁ…５％￣µÅ·⁄é1"))


@given(ODD)
def test_the_index_map_is_whole(text: str) -> None:
    normal = normalise(text)

    assert len(normal.text) == len(normal.starts) == len(normal.ends)
    for start, end in zip(normal.starts, normal.ends, strict=True):
        assert 0 <= start < end <= len(text)
    assert all(a <= b for a, b in pairwise(normal.starts))
    assert all(a <= b for a, b in pairwise(normal.ends))


@given(ODD)
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text).text

    assert [t.folded for t in tokens(once)] == [t.folded for t in tokens(text)]


@given(ODD)
def test_tokens_are_ordered_places_in_the_text(text: str) -> None:
    found = tokens(text)

    assert all(a.start < a.end for a in found)
    assert all(a.start <= b.start for a, b in pairwise(found))
    for token in found:
        piece = text[token.start : token.end]
        assert token.folded in "".join(t.folded for t in tokens(piece))
    # Letters and digits are never lost.
    kept = {i for t in found for i in range(t.start, t.end)}
    assert all(i in kept for i, char in enumerate(text) if char.isalnum())


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_a_plain_text_reads_alike_inside_a_foreign_one(text: str) -> None:
    """ASCII takes a shorter way; it must come to the same tokens."""
    alone = [(t.folded, t.start, t.end) for t in tokens(text)]
    beside = [(t.folded, t.start, t.end) for t in tokens(text + " é")][:-1]

    assert alone == beside


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a – b", "a - b"),
        ("−5", "-5"),
        ("it’s `so'", "it's 'so'"),
        ("“x” «y»", '"x" "y"'),
        ("ﬁrst eﬀect", "first effect"),
        ("5 µg", "5 μg"),
        ("wait…", "wait..."),
        ("café", unicodedata.normalize("NFD", "café")),
        ("≠", "=\u0338"),
        ("５％", "5%"),
        ("0·81", "0.81"),
        ("treat\u00adment", "treatment"),
        ("a\u200bb", "ab"),
        ("x ⩽ 5", "x ≤ 5"),
        ("1⁄2", "1/2"),
        ("Straße", "STRASSE"),
    ],
)
def test_the_same_but_for_typography(left: str, right: str) -> None:
    assert [t.folded for t in tokens(left)] == [t.folded for t in tokens(right)]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("10⁶", "106"),
        ("x²", "x2"),
        ("2½", "21/2"),
        ("①", "1"),
        ("1.5", "1,5"),
        ("1,000", "1000"),
        ("<5", "≤5"),
        ("±5", "5"),
        ("5 mg", "5 µg"),
        ("5·a", "5.a"),
        ("x~y", "x-y"),
        ("5%", "5‰"),
        ("a×b", "axb"),
    ],
)
def test_what_carries_meaning_is_kept_apart(left: str, right: str) -> None:
    assert [t.folded for t in tokens(left)] != [t.folded for t in tokens(right)]


def test_kinds() -> None:
    assert [(t.text, t.kind) for t in tokens("p<0.05, IL-6 1,250")] == [
        ("p", Kind.WORD),
        ("<", Kind.SYMBOL),
        ("0.05", Kind.NUMBER),
        (",", Kind.SYMBOL),
        ("IL", Kind.WORD),
        ("-", Kind.SYMBOL),
        ("6", Kind.NUMBER),
        ("1,250", Kind.NUMBER),
    ]
