"""From search results to an evidence package: merge, tag, join with the anchors, rank, exclude."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType

from evidencegate.documents import Document, Notice
from evidencegate.evidence._anchors import Anchor, Packs, anchor_document
from evidencegate.evidence._asked import sought
from evidencegate.evidence._merge import Merged, merge, merge_documents
from evidencegate.evidence._rank import Relevance, Work, ordered, rank, text_points
from evidencegate.evidence._sufficiency import ENOUGH, score
from evidencegate.evidence._topic import Tier, decided_by_design, tier
from evidencegate.evidence._types import EvidencePackage, Excluded
from evidencegate.question import Question, tag_document
from evidencegate.sources import SearchResult

_NO_NOTICES: Mapping[str, tuple[Notice, ...]] = MappingProxyType({})


def assemble(
    question: Question,
    results: Sequence[SearchResult],
    *,
    packs: Packs,
    now: date,
    relevance: Relevance | None = None,
    notices: Mapping[str, tuple[Notice, ...]] = _NO_NOTICES,
) -> EvidencePackage:
    """What the searches brought back, as one ranked package.

    Duplicates are merged. The current anchors of the question's scenario (or, without a scenario, those that share
    its primary disease and a decision) join: by the record that was found where one has the anchor's identifiers
    and a text, else by their own curated summary. Retracted, off-topic and unaddressed records are excluded with
    the reason. `notices`, by identifier (`Identifiers.keys`), are what is known of anchors since their summaries
    were written: a retracted one is excluded like any other record. If the anchors leave sufficiency below 50, the
    package is ranked again by tags alone.
    """
    retrieved = merge(results)
    pack = packs.for_scenario(question.anchor_scenario)
    wanted = pack.current if pack else _sharing(question, packs)
    works, superseded = _newest(_works(question, retrieved, packs, wanted, notices))
    items, excluded = rank(question, works, now=now, relevance=relevance)
    package = EvidencePackage(
        question=question,
        items=items,
        excluded=(*excluded, *superseded),
        searches=tuple(result.record for result in results),
        duplicates=sum(work.records for work in retrieved) - len(retrieved),
        anchors=tuple(anchor for anchor in pack.anchors if anchor.current) if pack else (),
    )
    if package.anchors and (before := score(package, now=now)).score < ENOUGH:
        again = by_tags(package)
        if score(again, now=now).score > before.score:
            return again
    return package


def by_tags(package: EvidencePackage) -> EvidencePackage:
    """The package with only the items that share the primary disease and a decision, scored without their text."""
    kept, dropped = [], []
    for item in package.items:
        close = tier(package.question, item.disease_tags, item.decision_tags, interventions=1, text=1.0)
        if close < Tier.TOPIC_AND_DECISION:
            reason = "left out when ranked again: shares none of the decisions asked for"
            dropped.append(Excluded(document=item.document, reason=reason, score=item.score))
            continue
        parts = {name: value for name, value in item.components.items() if name != "text"}
        parts = {name: round(value * 100 / (100 - text_points(package.question)), 2) for name, value in parts.items()}
        total = min(100.0, round(sum(parts.values()), 2))
        kept.append(replace(item, score=total, components=MappingProxyType(parts)) if parts else item)
    return replace(
        package,
        items=tuple(ordered(package.question, kept)),
        excluded=(*package.excluded, *dropped),
    )


def _sharing(question: Question, packs: Packs) -> tuple[Anchor, ...]:
    """Current anchors that share the question's primary disease and any of its decisions."""
    disease = question.disease_tags.primary
    return tuple(
        anchor
        for anchor in packs.anchors
        if anchor.current
        and disease is not None
        and disease in anchor.disease_tags
        and any(tag in question.decision_tags for tag in anchor.decision_tags)
    )


def _works(
    question: Question,
    retrieved: Sequence[Merged],
    packs: Packs,
    wanted: Sequence[Anchor],
    notices: Mapping[str, tuple[Notice, ...]],
) -> list[Work]:
    found: dict[str, list[Merged]] = {}
    works: list[Work] = []
    for merged in retrieved:
        anchor = packs.identified(merged.document.identifiers)
        if anchor is None:
            works.append(_work(question, packs, merged, None))
        else:
            found.setdefault(anchor.id, []).append(merged)
    for name, copies in found.items():
        anchor = packs.anchor(name)
        works.append(_work(question, packs, _as_anchor(anchor, copies), anchor))
    for anchor in wanted:
        if anchor.id not in found:
            merged = Merged(document=_noticed(anchor_document(anchor), notices), records=0)
            works.append(_work(question, packs, merged, anchor))
    return works


def _noticed(document: Document, notices: Mapping[str, tuple[Notice, ...]]) -> Document:
    """The curated summary of a work with what became of the work."""
    keys = document.identifiers.keys()
    known = [notice for key in keys for notice in notices.get(key, ())]
    return replace(document, notices=tuple(dict.fromkeys((*document.notices, *known))))


def _newest(works: Sequence[Work]) -> tuple[list[Work], list[Excluded]]:
    """Without the guidelines that another one here has replaced altogether."""
    present = {work.anchor.id: work.anchor for work in works if work.anchor}
    kept: list[Work] = []
    replaced: list[Excluded] = []
    for work in works:
        successor = present.get(work.anchor.superseded_by or "") if work.anchor else None
        if work.anchor is None or work.anchor.current or successor is None:
            kept.append(work)
        else:
            reason = f"superseded by {successor.name}"
            replaced.append(Excluded(document=work.document, reason=reason, score=0.0))
    return kept, replaced


def _as_anchor(anchor: Anchor, copies: Sequence[Merged]) -> Merged:
    """The record found for an anchor, under the anchor's stored address.

    The article's own text is quoted where there is one; else our summary. Copies in other journals are one work.
    """
    curated = anchor_document(anchor)
    document = merge_documents((*(copy.document for copy in copies), curated))
    if document.identifiers.conflicts(anchor.identifiers):  # only the copy in another journal was found
        document = replace(
            document,
            identifiers=anchor.identifiers,
            journal=anchor.journal,
            year=anchor.year,
            volume="",
            issue="",
            pages="",
        )
    scores = [copy.found_score for copy in copies if copy.found_score is not None]
    return Merged(
        document=replace(document, stored_url=str(anchor.url)),
        provenance=tuple(place for copy in copies for place in copy.provenance),
        found_score=max(scores, default=None),
        records=sum(copy.records for copy in copies),
    )


def _member(question: Question, packs: Packs, anchor: Anchor) -> bool:
    """Whether the anchor stands in the pack of the question's scenario."""
    pack = packs.for_scenario(question.anchor_scenario)
    return pack is not None and any(anchor.id == other.id for other in pack.anchors)


def _work(question: Question, packs: Packs, merged: Merged, anchor: Anchor | None) -> Work:
    """A work with its tags: what its record says, and what the curators of its anchor said."""
    tags = tag_document(merged.document, question)
    named = tags.interventions.intersection(sought(question)) if sought(question) else tags.interventions
    disease, interventions = tags.disease, len(named)
    decision = tags.decision | decided_by_design(question, merged.document, interventions)
    member = anchor is not None and _member(question, packs, anchor)
    if anchor is not None:
        disease |= frozenset(anchor.disease_tags)
        decision |= frozenset(anchor.decision_tags)
    if member:
        # Whoever put it into the pack said that it is about what the scenario is about.
        pack = packs.pack(question.anchor_scenario or "")
        disease |= frozenset((*pack.disease_tags, *question.disease_tags.all[:1]))
        interventions = max(1, interventions)
    return Work(
        merged=merged,
        disease_tags=disease,
        decision_tags=decision,
        interventions=interventions,
        anchor=anchor,
    )
