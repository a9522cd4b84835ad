"""References: formatted, addressed and badged; what has no direct address is left out with the reason (rule 7)."""

from collections.abc import Iterable
from datetime import date

from evidencegate.documents import Document
from evidencegate.evidence import (
    NO_AUTHORS,
    NO_JOURNAL,
    NO_YEAR,
    DirectUrl,
    EvidenceItem,
    Excluded,
    Level,
    Listed,
    direct_url,
    format_authors,
    metadata_line,
    registration,
)
from evidencegate.report._types import QualityBadge, Reference, SourceBadge

__all__ = [
    "NO_AUTHORS",
    "NO_JOURNAL",
    "NO_YEAR",
    "Listed",
    "closed",
    "format_authors",
    "metadata_line",
    "nlm",
    "quality_badges",
    "reference_list",
    "source_badge",
]

_MANY_CITATIONS = 100
_RECENT_YEARS = 3
_REGISTRY = "ClinicalTrials.gov"


def reference_list(
    items: Iterable[EvidenceItem], *, now: date | None = None
) -> tuple[tuple[Reference, ...], tuple[Excluded, ...]]:
    """The references of these items, numbered from 1 in their order, and the items that cannot be one.

    A record without a title or without an address that opens the article itself is excluded; a record that comes
    twice is listed once. `now` decides what is recent (by default: today).
    """
    day = now or date.today()  # noqa: DTZ011  (a calendar day is all that is meant)
    listed: list[Reference] = []
    excluded: list[Excluded] = []
    seen: set[str] = set()
    for item in items:
        document = item.document
        url = direct_url(document)
        if document.id in seen:
            continue
        if url is None or not document.title.strip():
            reason = "no title" if url else "no address that opens the article itself"
            excluded.append(Excluded(document=document, reason=reason, score=item.score))
            continue
        seen.add(document.id)
        listed.append(_reference(len(listed) + 1, item, url, day))
    return tuple(listed), tuple(excluded)


def _reference(n: int, item: EvidenceItem, url: DirectUrl, now: date) -> Reference:
    document = item.document
    return Reference(
        n=n,
        title=" ".join(document.title.split()),
        authors=format_authors(document.authors),
        journal=_journal(document),
        year=str(document.year) if document.year else NO_YEAR,
        url=url,
        source_badge=source_badge(item),
        identifiers=document.identifiers,
        document=document,
        quality_badges=quality_badges(item, now),
        retraction=document.retraction,
        curated=document.curated,
    )


def nlm(reference: Reference) -> str:
    """The whole entry in NLM style: `Authors. Title. Journal. Year;Volume(Issue):Pages. PMID: …`."""
    document = reference.document
    authors = reference.authors.rstrip(".")
    place = reference.year
    if document.volume:
        place += f";{document.volume}"
    if document.issue:
        place += f"({document.issue})" if document.volume else f";({document.issue})"
    if document.pages:
        place += f":{document.pages}"
    ids = reference.identifiers
    named = [f"doi:{ids.doi}"] if ids.doi else []
    named += [f"PMID: {ids.pmid}"] if ids.pmid else []
    named += [f"PMCID: {ids.pmcid}"] if ids.pmcid else []
    return f"{authors}. {closed(reference.title)} {'. '.join((reference.journal.rstrip('.'), place, *named))}."


def closed(title: str) -> str:
    """A title with one mark that ends it: a question or exclamation mark, or a colon, stands instead of the stop."""
    bare = title.rstrip()
    if bare.rstrip(".").endswith(("?", "!", ":", ";")):
        return bare.rstrip(".")
    return bare if bare.endswith(".") else f"{bare}."


def source_badge(item: EvidenceItem) -> SourceBadge:
    """The one badge that says most of where a reference stands: what it is first, then where it is kept."""
    document = item.document
    types = {name.casefold() for name in document.publication_types}
    if _cochrane(document):
        return SourceBadge.COCHRANE
    if registration(document) or document.source == "clinical_trials":
        return SourceBadge.CLINICAL_TRIAL
    if item.level is Level.GUIDELINE:
        return SourceBadge.GUIDELINE
    if item.level is Level.SYSTEMATIC_REVIEW:
        title = document.title.casefold().replace("-", "")
        pooled = any("meta-analysis" in name for name in types) or "metaanalys" in title.replace(" ", "")
        return SourceBadge.META_ANALYSIS if pooled else SourceBadge.SYSTEMATIC_REVIEW
    if document.identifiers.pmid:
        return SourceBadge.PUBMED
    if document.identifiers.pmcid:
        return SourceBadge.PMC
    return SourceBadge.EUROPE_PMC if document.source == "europe_pmc" else SourceBadge.DOI


def quality_badges(item: EvidenceItem, now: date) -> tuple[QualityBadge, ...]:
    """What speaks for a reference; nothing does for a retracted one.

    Gold Standard: a systematic review, a meta-analysis or Cochrane. Recent: of the last three years. Highly Cited:
    100 citations or more. Practical Guidance: a guideline. Landmark Trial, Anchor Guideline: an anchor.
    """
    document = item.document
    if document.retracted:
        return ()
    guideline = item.level is Level.GUIDELINE
    held = {
        QualityBadge.GOLD_STANDARD: item.level is Level.SYSTEMATIC_REVIEW or _cochrane(document),
        QualityBadge.RECENT: _recent(document, now),
        QualityBadge.HIGHLY_CITED: (document.citations or 0) >= _MANY_CITATIONS,
        QualityBadge.PRACTICAL_GUIDANCE: guideline,
        QualityBadge.LANDMARK_TRIAL: item.anchor is not None and item.level is Level.RCT,
        QualityBadge.ANCHOR_GUIDELINE: item.anchor is not None and guideline,
    }
    return tuple(badge for badge, has in held.items() if has)


def _cochrane(document: Document) -> bool:
    return "cochrane database" in document.journal.casefold()


def _recent(document: Document, now: date) -> bool:
    """Published in the three years up to `now`, counted from January where no month is known."""
    if document.year is None:
        return False
    month = document.published[:7] if len(document.published) >= 7 else f"{document.year}-01"
    return f"{now.year - _RECENT_YEARS}-{now.month:02}" <= month and document.year <= now.year + 1


def _journal(document: Document) -> str:
    journal = " ".join(document.journal.split())
    return journal or (_REGISTRY if registration(document) else NO_JOURNAL)
