"""References: authors, badges, the metadata line, and what cannot be one. The records are invented."""

from dataclasses import replace
from datetime import date

import pytest

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.evidence import DirectUrl, EvidenceItem, Level, anchor_document, load_packs
from evidencegate.report._references import closed, format_authors, metadata_line, nlm, reference_list
from evidencegate.report._types import QualityBadge, Reference, SourceBadge

NOW = date(2026, 11, 20)
RECORD = Document(
    id="pmid:123",
    title="An invented  trial of apixaban.",
    text="Invented text.",
    identifiers=Identifiers(pmid="123", doi="10.1234/abc"),
    authors=("Doe J", "Roe R"),
    journal="Journal of Invented Results",
    year=2021,
    volume="5",
    issue="2",
    pages="10-19",
    source="pubmed",
)


def item(level: Level = Level.RCT, anchor: str | None = None, **changes: object) -> EvidenceItem:
    return EvidenceItem(
        document=replace(RECORD, **changes),
        level=level,
        disease_tags=frozenset(),
        decision_tags=frozenset(),
        score=50.0,
        anchor=anchor,
    )


def only(*items: EvidenceItem) -> Reference:
    references, _ = reference_list(items, now=NOW)
    return references[0]


@pytest.mark.parametrize(
    ("authors", "shown"),
    [
        ((), "[No authors listed]"),
        (("et al",), "[No authors listed]"),
        (("Doe J",), "Doe J."),
        (("Doe J.", "Roe R", "Poe E"), "Doe J, Roe R, Poe E."),
        (("Doe J", "Roe R", "Poe E", "Loe L"), "Doe J et al."),
        (("Granger CB", "et al"), "Granger CB et al."),
        (("KDIGO  CKD Work Group",), "KDIGO CKD Work Group."),
    ],
)
def test_authors(authors: tuple[str, ...], shown: str) -> None:
    assert format_authors(authors) == shown


def test_the_metadata_line() -> None:
    assert metadata_line(only(item())) == (
        "Doe J, Roe R (2021) | Journal of Invented Results | PMID: 123 | DOI: 10.1234/abc"
    )
    many = only(item(authors=("Doe J", "Roe R", "Poe E", "Loe L"), identifiers=Identifiers(pmcid="PMC5")))
    assert metadata_line(many) == "Doe J et al. (2021) | Journal of Invented Results | PMCID: PMC5"
    trial = only(item(identifiers=Identifiers(nct="NCT00000001"), journal="", authors=()))
    assert metadata_line(trial) == "[No authors listed] (2021) | ClinicalTrials.gov | NCT: NCT00000001"


def test_the_whole_entry() -> None:
    assert nlm(only(item())) == (
        "Doe J, Roe R. An invented trial of apixaban. Journal of Invented Results. 2021;5(2):10-19. "
        "doi:10.1234/abc. PMID: 123."
    )
    assert "Does it work? Journal" in nlm(only(item(title="Does it work?")))


@pytest.mark.parametrize(
    ("level", "changes", "badge"),
    [
        (Level.RCT, {}, SourceBadge.PUBMED),
        (Level.RCT, {"identifiers": Identifiers(pmcid="PMC1")}, SourceBadge.PMC),
        (Level.RCT, {"identifiers": Identifiers(doi="10.1234/a"), "source": "europe_pmc"}, SourceBadge.EUROPE_PMC),
        (Level.RCT, {"identifiers": Identifiers(doi="10.1234/a"), "source": "library"}, SourceBadge.DOI),
        (Level.OTHER, {"identifiers": Identifiers(nct="NCT00000001")}, SourceBadge.CLINICAL_TRIAL),
        (Level.GUIDELINE, {}, SourceBadge.GUIDELINE),
        (Level.SYSTEMATIC_REVIEW, {"title": "Gout: a systematic review"}, SourceBadge.SYSTEMATIC_REVIEW),
        (Level.SYSTEMATIC_REVIEW, {"title": "Gout: a meta-analysis"}, SourceBadge.META_ANALYSIS),
        (Level.SYSTEMATIC_REVIEW, {"publication_types": ("Network Meta-Analysis",)}, SourceBadge.META_ANALYSIS),
        (Level.SYSTEMATIC_REVIEW, {"journal": "Cochrane Database Syst Rev"}, SourceBadge.COCHRANE),
    ],
)
def test_source_badges(level: Level, changes: dict[str, object], badge: SourceBadge) -> None:
    assert only(item(level, **changes)).source_badge is badge


def test_quality_badges() -> None:
    assert only(item()).quality_badges == ()
    assert only(item(year=2025, citations=100)).quality_badges == (QualityBadge.RECENT, QualityBadge.HIGHLY_CITED)
    assert only(item(Level.SYSTEMATIC_REVIEW)).quality_badges == (QualityBadge.GOLD_STANDARD,)
    assert only(item(Level.GUIDELINE, anchor="x")).quality_badges == (
        QualityBadge.PRACTICAL_GUIDANCE,
        QualityBadge.ANCHOR_GUIDELINE,
    )
    assert only(item(anchor="x")).quality_badges == (QualityBadge.LANDMARK_TRIAL,)


@pytest.mark.parametrize(
    ("year", "published", "recent"),
    [
        (2026, "2026-05", True),
        (2024, "", True),
        (2023, "2023-12-01", True),
        (2023, "2023-11", True),
        (2023, "2023-10-30", False),
        (2022, "", False),
        (None, "", False),
        (2099, "", False),
    ],
)
def test_recent_is_the_last_three_years(year: int | None, published: str, recent: bool) -> None:
    badges = only(item(year=year, published=published)).quality_badges
    assert (QualityBadge.RECENT in badges) is recent


def test_a_retracted_record_shows_it_and_has_no_quality() -> None:
    notice = Notice(status=RetractionStatus.RETRACTED, source="pubmed")
    reference = only(item(Level.SYSTEMATIC_REVIEW, year=2026, notices=(notice,)))
    assert reference.retraction is RetractionStatus.RETRACTED
    assert reference.quality_badges == ()


def test_what_has_no_address_or_title_is_left_out_with_the_reason() -> None:
    homeless = item(id="local:a", identifiers=Identifiers())
    untitled = item(id="pmid:124", title=" ")
    references, excluded = reference_list([homeless, item(), untitled, item()], now=NOW)
    assert [(r.n, r.document.id) for r in references] == [(1, "pmid:123")]
    assert [e.reason for e in excluded] == ["no address that opens the article itself", "no title"]


def test_missing_fields_are_said_to_be_missing() -> None:
    reference = only(item(journal="", year=None, authors=()))
    assert reference.journal == "[journal unknown]"
    assert reference.year == "[date unknown]"
    assert reference.title == "An invented trial of apixaban."


def test_a_reference_cannot_be_made_with_another_address() -> None:
    good = only(item())
    with pytest.raises(TypeError, match="DirectUrl"):
        replace(good, url="https://www.google.com/search?q=apixaban")
    with pytest.raises(ValueError, match="not the address"):
        replace(good, url=DirectUrl("https://www.google.com/search?q=apixaban"))
    with pytest.raises(ValueError, match="title"):
        replace(good, title=" ")
    with pytest.raises(ValueError, match="from 1"):
        replace(good, n=0)


def test_every_shipped_anchor_can_be_a_reference_under_its_stored_address() -> None:
    anchors = load_packs().anchors
    made = [
        EvidenceItem(
            document=anchor_document(anchor),
            level=anchor.level,
            disease_tags=frozenset(anchor.disease_tags),
            decision_tags=frozenset(anchor.decision_tags),
            score=50.0,
            anchor=anchor.id,
        )
        for anchor in anchors
    ]
    references, excluded = reference_list(made, now=NOW)
    assert not excluded
    assert [r.url for r in references] == [a.url for a in anchors]
    assert all(r.curated for r in references)


@pytest.mark.parametrize(
    ("title", "ended"),
    [
        ("Zelfaban in adults", "Zelfaban in adults."),
        ("Zelfaban in adults.", "Zelfaban in adults."),
        ("Should we use new agents?", "Should we use new agents?"),
        ("Should we use new agents?.", "Should we use new agents?"),
        ("Zelfaban in adults:", "Zelfaban in adults:"),
    ],
)
def test_a_title_ends_with_one_mark(title: str, ended: str) -> None:
    assert closed(title) == ended
