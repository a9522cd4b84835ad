"""The design of a study, from types, title and text. The records are invented."""

import pytest

from evidencegate.documents import Document, Identifiers
from evidencegate.evidence import Level, evidence_level, registration


def make(title: str = "An invented title", text: str = "", types: tuple[str, ...] = (), **ids: str) -> Document:
    identifiers = Identifiers(**ids) if ids else Identifiers(pmid="1")
    return Document(id="x", title=title, text=text, publication_types=types, identifiers=identifiers)


@pytest.mark.parametrize(
    ("types", "level"),
    [
        (("Journal Article", "Practice Guideline"), Level.GUIDELINE),
        (("Journal Article", "Meta-Analysis", "Review"), Level.SYSTEMATIC_REVIEW),
        (("Randomized Controlled Trial", "Multicenter Study"), Level.RCT),
        (("Observational Study",), Level.COHORT),
        (("Case Reports",), Level.CASE_SERIES),
        (("Review",), Level.REVIEW),
        (("Letter", "Randomized Controlled Trial"), Level.OTHER),
        (("Clinical Trial Protocol", "Randomized Controlled Trial"), Level.OTHER),
    ],
)
def test_publication_types_decide(types: tuple[str, ...], level: Level) -> None:
    assert evidence_level(make(types=types)) is level


@pytest.mark.parametrize(
    ("title", "level"),
    [
        ("Apixaban in dialysis: a randomised controlled trial", Level.RCT),
        ("Statins and falls: a systematic review and meta-analysis of randomised trials", Level.SYSTEMATIC_REVIEW),
        ("2024 ESC Guidelines for the management of atrial fibrillation", Level.GUIDELINE),
        ("Coffee and stroke: a prospective cohort study", Level.COHORT),
        ("Coffee and stroke: a case-control study", Level.CASE_CONTROL),
        ("Coffee and stroke: rationale and design of a randomised trial", Level.OTHER),
        ("Apixaban after bleeding: study protocol for a randomised trial", Level.OTHER),
        ("Management of gout: a review", Level.REVIEW),
        ("Gout in a dog owner: a case report", Level.CASE_SERIES),
        ("Thoughts about gout", Level.OTHER),
    ],
)
def test_else_the_title_does(title: str, level: Level) -> None:
    assert evidence_level(make(title)) is level


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Patients were randomly assigned to colchicine or placebo.", Level.RCT),
        ("We searched MEDLINE and Embase until May 2020.", Level.SYSTEMATIC_REVIEW),
        ("We followed a cohort of 300 nurses.", Level.COHORT),
        ("A 45-year-old man had pain.", Level.CASE_SERIES),
        ("Pain is unpleasant.", Level.OTHER),
    ],
)
def test_else_the_text_does(text: str, level: Level) -> None:
    assert evidence_level(make(text=text)) is level


def test_a_review_that_searched_is_systematic_whatever_its_type() -> None:
    assert evidence_level(make("Gout: a systematic review", types=("Review",))) is Level.SYSTEMATIC_REVIEW
    assert evidence_level(make("Gout in a randomised trial", types=("Comparative Study",))) is Level.RCT


def test_a_registration_is_evidence_only_with_results() -> None:
    plan = make(text="Participants will be randomized to X.", nct="NCT00000001")
    done = make(text="Results posted. 40 patients were randomized to X or Y.", nct="NCT00000001")
    assert registration(plan)
    assert evidence_level(plan) is Level.OTHER
    assert evidence_level(done) is Level.RCT
