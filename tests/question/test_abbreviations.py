"""Abbreviations that a text defines, and common ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.question import abbreviations, common_abbreviations, expand, understand


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("Patients with heart failure (HF) were seen.", {"HF": "heart failure"}),
        ("AHRE (atrial high-rate episodes) are common", {"AHRE": "atrial high-rate episodes"}),
        ("the chronic kidney disease (CKD; stage 4) group", {"CKD": "chronic kidney disease"}),
        ("we used mitral stenosis (MS) here", {"MS": "mitral stenosis"}),
        ("major bleeding (p = 0.04) and death (n = 3)", {}),
        ("aspirin (100 mg) daily", {}),
        ("sodium-glucose cotransporter-2 (SGLT2) inhibitors", {"SGLT2": "sodium-glucose cotransporter-2"}),
        ("Heart rate (see Table) rose", {}),
        # first letters before any letters; a capitalised word is no abbreviation
        ("After total thyroidectomy (TT) all was well.", {"TT": "total thyroidectomy"}),
        ("Valeriana officinalis (Valerian) and haematocrit (Hct)", {"Hct": "haematocrit"}),
    ],
)
def test_defined_abbreviations(text: str, pairs: dict[str, str]) -> None:
    assert abbreviations(text) == pairs


def test_what_the_text_defines_goes_before_the_common_meaning() -> None:
    text = "Mitral stenosis (MS) in young women. Is valvotomy effective in MS?"

    assert understand(text).disease_tags.all == ("MITRAL_STENOSIS",)


def test_expanding() -> None:
    assert expand("DOAC in AF") == "direct oral anticoagulant in atrial fibrillation"
    assert expand("afternoon CAPS") == "afternoon CAPS"
    assert expand("mitral stenosis (MS): MS care") == "mitral stenosis (MS): mitral stenosis care"


def test_common_abbreviations_are_short_and_their_meanings_longer() -> None:
    assert all(len(short) < len(long) for short, long in common_abbreviations().items())


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    found = abbreviations(text)

    assert all(short in text and long in text for short, long in found.items())
    expand(text)
