"""From search results to a package: anchors join, newer guidelines replace older, nothing is lost unsaid."""

from dataclasses import replace
from datetime import date

from evidence_strategies import NOW, result
from hypothesis import given, settings
from hypothesis import strategies as st

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.evidence import (
    Anchor,
    EvidencePackage,
    Packs,
    assemble,
    by_tags,
    fallback_decision,
    load_packs,
    score,
    select,
)
from evidencegate.question import understand
from evidencegate.sources import SearchRecord, SearchResult, Status

AF_CKD = "Which anticoagulant is preferred for atrial fibrillation in a patient on hemodialysis?"
HTN = "How should hypertension be monitored at home?"
GOUT = "Is colchicine effective in acute gout?"
ANCHORS = load_packs().anchors


def article(number: int, title: str, text: str = "", **more: object) -> Document:
    return Document(
        id=f"pmid:{number}",
        title=title,
        text=text or f"{title}. An invented abstract.",
        identifiers=Identifiers(pmid=str(number)),
        year=2022,
        **more,  # type: ignore[arg-type]
    )


def package(text: str, *found: Document, packs: Packs | None = None) -> EvidencePackage:
    loaded = load_packs() if packs is None else packs
    return assemble(understand(text), [result(*found)], packs=loaded, now=NOW)


def ids(package_: EvidencePackage) -> set[str]:
    return {item.document.id for item in package_.items}


def test_without_any_record_the_scenario_answers_from_its_anchors() -> None:
    found = package(AF_CKD)
    assert {"anchor:axadia_2023", "anchor:renal_af_2022", "anchor:acc_aha_af_2023"} <= ids(found)
    assert all(item.document.curated and item.anchor for item in found.items)
    assert score(found, now=NOW).score >= 70
    assert not fallback_decision(score(found, now=NOW), found.question, load_packs()).called
    assert 6 <= len(select(found)) <= 10


def test_the_record_that_was_found_is_quoted_instead_of_our_summary() -> None:
    abstract = "Invented abstract: patients with atrial fibrillation on hemodialysis were randomized to apixaban."
    found = package(AF_CKD, article(36335915, "The AXADIA trial of atrial fibrillation as PubMed has it", abstract))
    (item,) = [i for i in found.items if i.anchor == "axadia_2023"]
    assert item.document.id == "pmid:36335915"
    assert item.document.text == abstract
    assert not item.document.curated
    assert item.document.stored_url == load_packs().anchor("axadia_2023").url
    assert item.document.identifiers.doi == "10.1161/circulationaha.122.062779"
    assert item.provenance
    assert "anchor:axadia_2023" not in ids(found)


def test_a_found_record_without_text_leaves_the_summary_and_gives_its_notices() -> None:
    notice = Notice(status=RetractionStatus.CORRECTED, source="crossref")
    bare = replace(article(36335915, "The AXADIA trial"), text="", notices=(notice,))
    (item,) = [i for i in package(AF_CKD, bare).items if i.anchor == "axadia_2023"]
    assert item.document.curated
    assert item.document.retraction is RetractionStatus.CORRECTED


def test_a_retracted_anchor_supports_nothing() -> None:
    notice = Notice(status=RetractionStatus.RETRACTED, source="pubmed")
    found = package(AF_CKD, article(36335915, "The AXADIA trial of atrial fibrillation", notices=(notice,)))
    assert all(item.anchor != "axadia_2023" for item in found.items)
    assert any(e.reason.startswith("retracted") for e in found.excluded)


def test_a_copy_in_another_journal_is_the_same_anchor_under_its_stored_address() -> None:
    jacc = article(40815242, "Guideline on hypertension as another journal printed it", "Hypertension guideline text.")
    found = package("What is the blood pressure target in hypertension?", jacc)
    (item,) = [i for i in found.items if i.anchor == "aha_acc_htn_2025"]
    assert item.document.text == jacc.text
    assert item.document.url == "https://pubmed.ncbi.nlm.nih.gov/40811497/"
    assert item.document.identifiers.pmid == "40811497"
    assert item.document.journal == "Circulation"


def test_a_superseded_guideline_gives_way_to_the_one_that_replaced_it() -> None:
    old = article(34599691, "Surviving sepsis campaign 2021", "Guideline on sepsis and septic shock antimicrobials.")
    found = package("How long should antibiotics be given in sepsis?", old)
    assert "pmid:34599691" not in ids(found)
    assert "anchor:ssc_2026" in ids(found)
    assert any(e.reason == "superseded by SSC 2026" for e in found.excluded)


def test_a_question_without_scenario_gets_anchors_of_its_disease_and_decision_but_is_not_blocked_by_them() -> None:
    found = package(HTN)
    assert found.question.anchor_scenario is None
    assert found.anchors == ()
    assert "anchor:aha_acc_htn_2025" in ids(found)
    assert package(GOUT).items == ()
    assert fallback_decision(score(package(GOUT), now=NOW), understand(GOUT), load_packs()).called


def test_duplicates_are_counted_and_failed_searches_stay_in_the_log() -> None:
    one = article(1, "Colchicine in acute gout: a randomised trial")
    failed = SearchResult(
        record=SearchRecord(source="europe_pmc", query="q", status=Status.UNREACHABLE, reason="no route")
    )
    found = assemble(understand(GOUT), [result(one), result(one, source="library"), failed], packs=Packs(), now=NOW)
    assert found.duplicates == 1
    assert [record.source for record in found.searches] == ["pubmed", "library", "europe_pmc"]
    assert len(found.items) == 1


def test_ranked_again_by_tags_when_anchors_leave_too_little() -> None:
    weak = load_packs().anchor("assert_2012")
    pack = replace(load_packs().pack("ahre_anticoagulation"), anchors=(weak,))
    question = "Should device-detected subclinical atrial fibrillation be anticoagulated?"
    found = package(question, packs=Packs((pack,)))
    assert found.anchors == (weak,)
    assert not fallback_decision(score(found, now=NOW), found.question, Packs((pack,))).called


def test_by_tags_keeps_what_shares_disease_and_decision() -> None:
    found = package(AF_CKD, article(5, "Atrial fibrillation and coffee", "Atrial fibrillation. Atrial fibrillation."))
    again = by_tags(found)
    assert "pmid:5" in ids(found) - ids(again)
    assert any("none of the decisions" in e.reason for e in again.excluded)
    assert all(0 <= item.score <= 100 for item in again.items)


@settings(max_examples=25)
@given(st.lists(st.sampled_from(ANCHORS), max_size=8, unique_by=lambda a: a.id), st.booleans())
def test_property_10_every_anchor_of_a_package_keeps_its_stored_address(found: list[Anchor], texts: bool) -> None:
    records = [
        Document(
            id=f"pmid:{anchor.identifiers.pmid}",
            title=anchor.title,
            text="Atrial fibrillation and anticoagulation, invented." if texts else "",
            identifiers=anchor.identifiers,
            stored_url="https://www.google.com/search?q=guideline",
        )
        for anchor in found
    ]
    assembled = assemble(understand(AF_CKD), [result(*records)], packs=load_packs(), now=date(2026, 11, 20))
    for item in assembled.items:
        if item.anchor:
            assert item.document.url == load_packs().anchor(item.anchor).url


def test_what_answers_the_question_itself_is_in_the_list_before_what_is_only_near() -> None:
    near = [
        article(
            90_000_200 + n,
            f"Does coffee consumption reduce lipids {n}: an invented systematic review",
            "Coffee consumption does reduce lipids of all. Coffee consumption does reduce constipation of all.",
            publication_types=("Systematic Review",),
        )
        for n in range(14)
    ]
    text = "We followed people over many years. " * 20 + "Coffee drinkers had a higher mortality than others."
    asked_for = article(90_000_300, "A cohort of drinkers: an invented study", text)
    found = package("Does coffee consumption reduce all-cause mortality?", *near, asked_for, packs=Packs(()))

    assert len(select(found)) == 10
    assert asked_for.id in {item.document.id for item in select(found)}
