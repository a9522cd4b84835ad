"""Short synonyms are whole words, in their case, and never the inside of another word."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.question import load_vocabulary, tags_in, understand

SHORTS = sorted((short, tag.name) for tag in load_vocabulary().tags.values() for short in tag.short if short.isalpha())
SYNONYMS = sorted(
    (synonym, tag.name)
    for tag in load_vocabulary().tags.values()
    for synonym in tag.synonyms
    if len(synonym) <= 5 and synonym.isalpha()
)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("afternoon clinics for patients", "AF"),
        ("Staff and aftercare for patients", "AF"),
        ("Please cap the bottle of the patient", "CAP"),
        ("The CAPS of the medication bottles", "STROKE"),
        ("Mi scusi, my patient has pain", "ACS"),
        ("administer with milk to patients", "ACS"),
        ("the physician hit the table; patients laughed", "HIT"),
        ("all patients with pain", "LEUKEMIA"),
        ("add a patient to the list", "ADHD"),
        ("as patients know", "AORTIC_STENOSIS"),
        ("SpO2 was 92% on RA in this patient", "RA"),
        ("PD-1 and PD-L1 expression of the patient", "PARKINSON"),
        ("pid control of an infusion pump for patients", "PID"),
        ("ms after the patient's stimulus", "MULTIPLE_SCLEROSIS"),
        ("ST depression in lead V4 of the patient", "DEPRESSION"),
    ],
)
def test_look_alikes_are_not_tags(text: str, tag: str) -> None:
    assert tag not in tags_in(text).disease
    assert tag not in understand(text).disease_tags


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Apixaban in AF", "AF"),
        ("apixaban for af", "AF"),
        ("(AF)", "AF"),
        ("AF-related stroke", "AF"),
        ("antibiotics for CAP?", "CAP"),
        ("beta-blocker after MI.", "ACS"),
        ("two previous MIs", "ACS"),
        ("patients with RA on methotrexate", "RA"),
        ("TAVI for severe AS", "AORTIC_STENOSIS"),
        ("levodopa in PD", "PARKINSON"),
        ("fidaxomicin for C. difficile", "CDIFF"),
        ("eradication of H. pylori", "H_PYLORI"),
        ("Crohn’s disease", "CROHN"),
        ("anaemia and oesophageal cancer", "ESOPHAGEAL_CANCER"),
        ("paediatric leukaemia", "LEUKEMIA"),
        ("Guillain-Barré syndrome", "GBS"),
        ("Sjögren’s syndrome", "SJOGREN"),
    ],
)
def test_real_mentions_are_tags(text: str, tag: str) -> None:
    assert tag in tags_in(text).disease
    assert tag in understand(text).disease_tags


@given(
    pair=st.sampled_from(SHORTS + SYNONYMS),
    before=st.text(string.ascii_letters, min_size=0, max_size=4),
    after=st.text(string.ascii_letters, min_size=0, max_size=4),
)
def test_never_inside_another_word(pair: tuple[str, str], before: str, after: str) -> None:
    short, tag = pair
    word = f"{before}{short}{after}"
    alone = word.lower() == short.lower() or word.lower() in {f"{short.lower()}s", f"{short.lower()}es"}
    if alone or _names_by_itself(word, tag):
        return

    assert tag not in tags_in(f"the {word} of it").disease


def _names_by_itself(word: str, tag: str) -> bool:
    """Whether the made-up word happens to be another synonym, or implies the tag by one ("rUTI" is an UTI)."""
    known = load_vocabulary()
    own = {s.lower().rstrip("s") for t in known.tags.values() for s in (*t.synonyms, *t.short, t.label)}
    return word.lower().rstrip("s") in own


@given(pair=st.sampled_from(SHORTS))
def test_case_decides_for_abbreviations(pair: tuple[str, str]) -> None:
    short, tag = pair
    if any(short.lower() == s.lower() for s in load_vocabulary().tags[tag].synonyms):
        return

    assert tag not in tags_in(f"one {short.lower()} two").disease or short.islower()
