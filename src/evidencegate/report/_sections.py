"""One section's own search: what it found that is near enough, and what its records say of it."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from evidencegate.documents import Document, Passage
from evidencegate.evidence import (
    EvidenceItem,
    EvidencePackage,
    Level,
    Merged,
    merge,
    misses_interventions,
    names_any,
    select,
)
from evidencegate.report._draft import Draft, fresh, quoted
from evidencegate.report._engine import Engine
from evidencegate.report._extract import Candidate, candidates, findings
from evidencegate.report._outline import Planned
from evidencegate.report._references import reference_list
from evidencegate.report._relevance import Relevance
from evidencegate.report._report_types import NOTHING_FOUND, NOTHING_MORE
from evidencegate.runs import Run
from evidencegate.sources import SearchResult, Source, search

PER_SECTION = 8
"""Records that one section may cite."""
_SENTENCES = 7
_PER_RECORD = 2
_VERY_NEAR = 0.5
"""From this nearness to a section's query on, no word need say that a sentence belongs to it."""
_SHARED = 0.8
"""What nearness to the topic alone counts for in a section."""
_GROUPS = {
    Level.GUIDELINE: 0,
    Level.SYSTEMATIC_REVIEW: 0,
    Level.RCT: 1,
    Level.COHORT: 2,
    Level.CASE_CONTROL: 2,
}
"""Paragraphs of a section: what sums up, trials, observational studies, everything else."""
_NAMES = {
    Level.GUIDELINE: ("guideline", "guidelines"),
    Level.SYSTEMATIC_REVIEW: ("systematic review", "systematic reviews"),
    Level.RCT: ("randomised trial", "randomised trials"),
    Level.COHORT: ("cohort study", "cohort studies"),
    Level.CASE_CONTROL: ("case-control study", "case-control studies"),
    Level.CASE_SERIES: ("case series", "case series"),
    Level.REVIEW: ("review", "reviews"),
    Level.OTHER: ("record of another kind", "records of other kinds"),
}


@dataclass(frozen=True, slots=True)
class Read:
    """A section's evidence: ranked, filtered, read."""

    plan: Planned
    package: EvidencePackage
    items: tuple[EvidenceItem, ...]
    """The records it may cite: near to its own query, best first."""
    ranked: tuple[Candidate, ...]
    """Their sentences that are near to its query, best first."""


async def searched(
    plans: Sequence[Planned], sources: Sequence[Source], run: Run, *, limit: int, at_once: int
) -> list[tuple[SearchResult, ...]]:
    """Each section's own search, at most `at_once` sections side by side."""
    gate = asyncio.Semaphore(at_once)

    async def one(plan: Planned) -> tuple[SearchResult, ...]:
        async with gate:
            run.event("search", f"searching for “{plan.heading}”", heading=plan.heading)
            return await search(plan.question, sources, limit=limit, run=run)

    return list(await asyncio.gather(*map(one, plans)))


def unified(results: Sequence[Sequence[SearchResult]]) -> list[tuple[SearchResult, ...]]:
    """The same results with one and the same document for each work, whichever section found it."""
    works = merge([result for group in results for result in group])
    known = {key: work.document for work in works for key in _keys(work)}

    def one(result: SearchResult) -> SearchResult:
        found = []
        for each in result.found:
            document = next((known[key] for key in _names(each.document) if key in known), each.document)
            same = document.text == each.document.text
            passages = tuple(Passage(document, p.sentences) for p in each.passages) if same else ()
            found.append(replace(each, document=document, passages=passages))
        return replace(result, found=tuple(found))

    return [tuple(map(one, group)) for group in results]


def _keys(work: Merged) -> tuple[str, ...]:
    return _names(work.document)


def _names(document: Document) -> tuple[str, ...]:
    return (*document.identifiers.keys(), document.id)


def read(plan: Planned, package: EvidencePackage, engine: Engine, *, doses: bool) -> Read:
    """What a section may cite of its package: records that open, and have a sentence near to its query.

    A record that names none of the interventions asked about, or of which no sentence is near, never enters.
    """
    chosen = select(package, maximum=PER_SECTION)
    openable = {reference.document.id for reference in reference_list(chosen)[0]}
    readable = [
        item for item in chosen if item.document.id in openable and not misses_interventions(package.question, item)
    ]
    near = findings(
        [
            candidate
            for candidate in candidates(readable, plan.query, _nearness(plan, engine.relevance), doses=doses)
            # A record on many things is cited for what it says of this one.
            if candidate.item.document.curated
            or names_any(plan.question, f"{candidate.item.document.title}. {candidate.text}")
        ]
    )
    ids = {candidate.item.document.id for candidate in near}
    return Read(plan, package, tuple(i for i in readable if i.document.id in ids), tuple(near))


def _nearness(plan: Planned, relevance: Relevance) -> Relevance:
    """How near sentences are to a section: to its query, or to the topic where their words say they belong here."""

    def near(query: str, sentences: Sequence[str]) -> list[float]:
        own, whole = relevance(query, sentences), relevance(plan.topic, sentences)
        return [
            max(mine, (mine + topic) / 2, topic * _SHARED)
            if plan.about(text) or (mine >= _VERY_NEAR and not plan.outcomes)
            else 0.0
            for text, mine, topic in zip(sentences, own, whole, strict=True)
        ]

    return near


def extracted(sections: Sequence[Read], shown: Sequence[Draft]) -> list[list[Draft]]:
    """Sections in their records' own words: the best sentences of each, none that was shown, ordered by design.

    The sections choose in turn, one sentence each, so that the first do not take what is the only one of a later.
    """
    chosen: list[list[Draft]] = [[] for _ in sections]
    waiting = [iter(section.ranked) for section in sections]
    taken = list(shown)
    for _ in range(_SENTENCES):
        for mine, candidates_left in zip(chosen, waiting, strict=True):
            for candidate in candidates_left:
                draft = quoted(candidate)
                if sum(d.documents == draft.documents for d in mine) < _PER_RECORD and fresh([draft], taken):
                    mine.append(draft)
                    taken.append(draft)
                    break
    return [sorted(drafts, key=_design) for drafts in chosen]


def paragraphs(drafts: Iterable[Draft]) -> tuple[tuple[Draft, ...], ...]:
    """Drafts in their order, a paragraph for each run of one kind of design."""
    return tuple(tuple(group) for _, group in groupby(drafts, key=_design))


def _design(draft: Draft) -> int:
    return min(_GROUPS.get(support.item.level, 3) for support in draft.support)


def opening(section: Read, drafts: Sequence[Draft]) -> str:
    """What was read for a section, or that nothing relevant was found and where was looked (rule 6)."""
    found = len(section.package.items) + len(section.package.excluded)
    if not drafts:
        answered = [r for r in section.package.searches if r.status.answered]
        asked = ", ".join(dict.fromkeys(record.source for record in answered))
        looked = f"{found} records from {asked} were read for “{section.plan.query}”" if asked else _unasked(section)
        if section.items:
            return f"{NOTHING_MORE} {looked[:1].upper()}{looked[1:]}."
        return f"{NOTHING_FOUND} {looked[:1].upper()}{looked[1:]}; none of them can be cited for it."
    cited = {s.item.document.id: s.item for draft in drafts for s in draft.support}
    return f"{_sentence(cited)} cited here, of {found} read for “{section.plan.query}”."


def _unasked(section: Read) -> str:
    return f"no source could be asked for “{section.plan.query}”"


def _sentence(cited: Mapping[str, EvidenceItem]) -> str:
    parts = designs(item.level for item in cited.values())
    years = sorted({item.document.year for item in cited.values() if item.document.year})
    span = f" ({years[0]}–{years[-1]})" if len(years) > 1 else f" ({years[0]})" if years else ""
    verb = "is" if len(cited) == 1 else "are"
    return f"{parts[:1].upper()}{parts[1:]}{span} {verb}"


def designs(levels: Iterable[Level]) -> str:
    """`1 guideline, 2 randomised trials and 1 cohort study`."""
    listed = list(levels)
    parts = [f"{n} {_NAMES[level][n != 1]}" for level in Level if (n := listed.count(level))]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else "no record"
