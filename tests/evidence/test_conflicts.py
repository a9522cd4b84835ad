"""Opposing findings side by side. The findings are invented."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from evidencegate.documents import Document, Identifiers, Notice, Passage, Quote, RetractionStatus, sentences
from evidencegate.evidence import Conflict, EvidenceItem, Finding, Level, conflicts

UP = "Apixaban increased major bleeding compared with aspirin."
DOWN = "Apixaban reduced major bleeding compared with aspirin."
OTHER = "Vitamin C cured colds within days of intake."


@dataclass(frozen=True)
class Said:
    supports: float
    refutes: float


def finding(number: int, text: str, level: Level = Level.RCT, *, retracted: bool = False) -> Finding:
    notices = (Notice(status=RetractionStatus.RETRACTED, source="pubmed"),) if retracted else ()
    document = Document(
        id=f"pmid:{number}",
        title="An invented trial",
        text=text,
        identifiers=Identifiers(pmid=str(number)),
        notices=notices,
    )
    item = EvidenceItem(document=document, level=level, disease_tags=frozenset(), decision_tags=frozenset(), score=50.0)
    spans = tuple(sentences(text))
    return Finding(item, Quote(Passage(document, spans), spans[0]))


def opposite(pairs: Sequence[tuple[str, str]]) -> list[Said]:
    """A reader of these three sentences."""
    return [Said(0.05, 0.9) if {a, b} == {UP, DOWN} else Said(0.9, 0.05) for a, b in pairs]


def test_opposed_findings_are_paired_once() -> None:
    (found,) = conflicts([finding(1, UP), finding(2, DOWN), finding(3, OTHER)], opposite)
    assert {found.first.quote.text, found.second.quote.text} == {UP, DOWN}
    assert found.probability == 0.9


def test_design_weighs_and_equal_designs_do_not() -> None:
    (equal,) = conflicts([finding(1, UP), finding(2, DOWN)], opposite)
    assert equal.heavier is None
    assert "equal weight" in equal.explanation
    (unequal,) = conflicts([finding(1, UP, Level.COHORT), finding(2, DOWN)], opposite)
    assert unequal.heavier is unequal.second
    assert unequal.explanation == "by design the randomised trial weighs more than the cohort"


def test_either_direction_is_enough_and_agreement_is_not() -> None:
    one_way = lambda pairs: [Said(0.0, 0.8 if a == UP else 0.1) for a, _ in pairs]  # noqa: E731
    assert len(conflicts([finding(1, UP), finding(2, DOWN)], one_way)) == 1
    agree = lambda pairs: [Said(0.9, 0.1) for _ in pairs]  # noqa: E731
    assert conflicts([finding(1, UP), finding(2, DOWN)], agree) == ()


def test_what_is_about_something_else_is_never_judged() -> None:
    asked: list[tuple[str, str]] = []

    def judge(pairs: Sequence[tuple[str, str]]) -> list[Said]:
        asked.extend(pairs)
        return [Said(0, 1) for _ in pairs]

    assert conflicts([finding(1, UP), finding(3, OTHER)], judge) == ()
    assert not asked


def test_a_retracted_record_takes_no_part_nor_a_record_against_itself() -> None:
    assert conflicts([finding(1, UP, retracted=True), finding(2, DOWN)], opposite) == ()
    assert conflicts([finding(1, UP), finding(1, DOWN)], opposite) == ()
    with pytest.raises(ValueError, match="with itself"):
        Conflict(first=finding(1, UP), second=finding(1, DOWN), probability=1.0)
    with pytest.raises(ValueError, match="own record"):
        Finding(finding(1, UP).item, finding(2, DOWN).quote)
