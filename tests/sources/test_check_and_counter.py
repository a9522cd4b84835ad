"""`check` and `counter` from end to end over the simulated services."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import evidencegate
from simulated import ARTICLES, Fault, LiteratureService, turned_to

TRIAL = ARTICLES[0]
CITING = f"""Apixaban caused less major bleeding than warfarin in severe chronic kidney disease [1]. Aspirin cures
everything [2]. Nothing else is known [3].

References
1. Muster AB, Beispiel C. {TRIAL.title}. J Invented Med. 2023. PMID: 90000001
2. Nemo J. Aspirin cures everything that there is. Lancet 2019. PMID: 90000002
3. Nobody N. A work that is not there at all. Lancet 2018. PMID: 99999999
"""


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiteratureService]:
    with LiteratureService() as service, turned_to(service, tmp_path, monkeypatch):
        yield service


def test_a_text_against_a_pmid(live: LiteratureService) -> None:
    checked = evidencegate.check("Apixaban caused less major bleeding than warfarin.", "PMID 90000001")
    (claim,) = checked.claims
    quote = claim.decision.quote
    assert quote is not None
    assert quote.document.id == TRIAL.id
    assert quote.text in TRIAL.text


def test_a_text_against_its_own_citations(live: LiteratureService) -> None:
    checked = evidencegate.check(CITING)
    warnings = " ".join(checked.warnings)
    assert "[2]" in warnings
    assert "Aspirin cures everything" in warnings
    assert "no source has a record" in warnings
    assert "[1]" not in warnings


def test_a_source_that_is_down_is_not_a_wrong_citation(live: LiteratureService) -> None:
    live.fail("pubmed", Fault.RESET)
    live.fail("europe_pmc", Fault.RESET)
    checked = evidencegate.check(CITING)
    warnings = " ".join(checked.warnings)
    assert warnings.count("cut the connection") >= 3
    assert "no source has a record" not in warnings
    assert "was said, the record" not in warnings


def test_the_opposite_is_found_and_what_confirms_the_claim_is_not_taken_for_it(live: LiteratureService) -> None:
    report = evidencegate.counter(
        "Macrolides interact with statins via CYP3A4, leading to increased statin exposure and myopathy risk.",
        sources=["pubmed", "europe_pmc"],
    )
    (claim,) = report.claims
    assert [accepted.quote.document.id for accepted in claim.accepted] == ["pmid:90000008"]
    assert {way.source for way in claim.accepted[0].record.ways} == {"pubmed", "europe_pmc"}
