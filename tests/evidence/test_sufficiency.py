"""Sufficiency and the fallback: levels, reasons, errors, the log line. The records are invented."""

import logging
from dataclasses import replace
from datetime import date

import pytest
from evidence_strategies import GUIDELINES, NOW, make_question

from evidencegate.documents import Document, Identifiers
from evidencegate.evidence import (
    EvidenceItem,
    EvidencePackage,
    Level,
    Pack,
    Packs,
    Sufficiency,
    SufficiencyLevel,
    anchor_document,
    fallback_decision,
    score,
)

QUESTION = make_question()


def item(number: int, level: Level = Level.RCT, points: float = 80.0, year: int = 2024) -> EvidenceItem:
    return EvidenceItem(
        document=Document(
            id=f"pmid:{number}",
            title="t",
            text="An anticoagulant was given.",
            identifiers=Identifiers(pmid=str(number)),
            year=year,
        ),
        level=level,
        disease_tags=frozenset({"AF"}),
        decision_tags=frozenset({"anticoagulation"}),
        score=points,
    )


def scored(*items: EvidenceItem) -> Sufficiency:
    return score(EvidencePackage(question=QUESTION, items=items), now=NOW)


@pytest.mark.parametrize(
    ("points", "level"),
    [
        (100, "excellent"),
        (80, "excellent"),
        (79.99, "good"),
        (50, "good"),
        (49.99, "limited"),
        (30, "limited"),
        (29.99, "insufficient"),
        (0, "insufficient"),
    ],
)
def test_levels(points: float, level: str) -> None:
    assert SufficiencyLevel.of(points) == level


def test_nothing_is_nothing() -> None:
    nothing = scored()
    assert nothing.score == 0
    assert nothing.level is SufficiencyLevel.INSUFFICIENT
    assert nothing.reasons == ("no relevant guideline, review or study",)


def test_one_trial_is_not_enough_and_several_designs_are() -> None:
    assert scored(item(1)).level is SufficiencyLevel.INSUFFICIENT
    several = scored(item(1), item(2), item(3, Level.SYSTEMATIC_REVIEW), item(4, Level.GUIDELINE))
    assert several.level is SufficiencyLevel.GOOD
    assert "2 randomised trials" in several.reasons
    assert several.components["trials"] == 16


def test_old_and_weak_evidence_counts_for_less() -> None:
    assert scored(item(1, year=2001)).score < scored(item(1)).score
    assert any("older than 5 years" in reason for reason in scored(item(1, year=2001)).reasons)
    assert scored(item(1, points=20)).components["trials"] == 0


def test_a_summary_of_scope_alone_counts_for_little_but_fills_the_three() -> None:
    scopes = [replace(anchor, scope_only=True) for anchor in GUIDELINES[:3]]
    known = [
        replace(item(n), document=anchor_document(anchor), level=Level.GUIDELINE, anchor=anchor.id)
        for n, anchor in enumerate(scopes, 1)
    ]
    two = score(EvidencePackage(question=QUESTION, items=tuple(known[:2]), anchors=tuple(scopes)), now=NOW)
    three = score(EvidencePackage(question=QUESTION, items=tuple(known), anchors=tuple(scopes)), now=NOW)
    assert two.score < 30
    assert "2 anchor guidelines of which only the scope is known here" in two.reasons
    assert three.score == 70
    assert "at least 70" in three.reasons[-1]


def test_a_formula_that_fails_is_limited_and_allows_the_fallback(caplog: pytest.LogCaptureFixture) -> None:
    def broken(package: EvidencePackage, now: date) -> Sufficiency:
        raise ZeroDivisionError

    package = EvidencePackage(question=QUESTION, items=(item(1),))
    failed = score(package, now=NOW, scorer=broken)
    assert failed.level is SufficiencyLevel.LIMITED
    assert "ZeroDivisionError" in failed.reasons[0]
    assert "could not be computed" in caplog.text
    assert fallback_decision(failed, QUESTION, Packs()).called


def test_skipping_the_fallback_is_logged_with_the_score(caplog: pytest.LogCaptureFixture) -> None:
    pack = Pack(
        scenario="mine", title="t", disease_tags=("AF",), decision_tags=("anticoagulation",), anchors=GUIDELINES
    )
    old = replace(pack, scenario="old", anchors=tuple(replace(a, superseded_by="something_newer") for a in GUIDELINES))
    packs = Packs((pack, old))
    with caplog.at_level(logging.INFO, logger="evidencegate.evidence"):
        low = scored(item(1))
        assert not fallback_decision(low, "mine", packs).called
        assert f"skipped: sufficiency {low.score:.0f} (insufficient), but the anchor pack mine matches" in caplog.text
        assert fallback_decision(low, "old", packs).called  # no current pack
        assert fallback_decision(low, None, packs).called
        assert fallback_decision(low, "unknown", packs).called
    high = scored(*(item(n, level) for n, level in enumerate([*Level, *Level], 1)))
    assert not fallback_decision(high, None, packs).called
