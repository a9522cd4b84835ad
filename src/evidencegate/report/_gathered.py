"""The evidence of a report: what its sections found, and what else is asked outside before anything is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evidencegate.documents import Document, Notice
from evidencegate.evidence import (
    EvidencePackage,
    Fallback,
    Sufficiency,
    fallback_decision,
    score,
    select,
    with_whole_texts,
)
from evidencegate.question import Question
from evidencegate.report._assembler import Assembler
from evidencegate.report._outline import Planned
from evidencegate.report._outside import Outside, last_resort, standing
from evidencegate.report._sections import PER_SECTION, unified
from evidencegate.report._whole_texts import whole_texts
from evidencegate.runs import Run
from evidencegate.sources import SearchResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The evidence as it stands once nobody is asked any more."""

    whole: EvidencePackage
    """On the topic, of everything that any section found."""
    sections: tuple[EvidencePackage, ...]
    """In the order of the plans."""
    sufficiency: Sufficiency
    fallback: Fallback
    warnings: tuple[str, ...]


async def gathered(
    question: Question,
    plans: Sequence[Planned],
    results: Sequence[Sequence[SearchResult]],
    assembler: Assembler,
    outside: Outside | None,
    run: Run,
    *,
    full_text: bool,
) -> Gathered:
    """The evidence of what each section found: with the last resort where it is needed (rule 10), with what became
    of the records to be cited (rule 9), and with `full_text` with the whole text of the open articles among them.
    """
    groups = unified(results)
    everything = [result for group in groups for result in group]
    whole = assembler(question, everything)
    sections: list[EvidencePackage] = []
    sufficiency = score(whole)
    run.event("evidence", f"{len(whole.items)} records chosen, sufficiency {sufficiency.score:.0f} of 100")
    decision = fallback_decision(sufficiency, question, assembler.packs)
    fallback, more = await last_resort(decision, question, outside, run)

    def arranged(found: Sequence[SearchResult], notices: Mapping[str, tuple[Notice, ...]]) -> list[Document]:
        """Make the packages of the whole and of the sections, and say what they may cite."""
        nonlocal whole, sections
        grouped = _regrouped(groups, found) if more or notices else groups
        if more or notices:
            whole = assembler(question, list(dict.fromkeys(each for group in grouped for each in group)), notices)
        sections = [assembler(plan.question, group, notices) for plan, group in zip(plans, grouped, strict=True)]
        chosen = [*select(whole), *(item for each in sections for item in select(each, maximum=PER_SECTION))]
        return list({item.document.id: item.document for item in chosen}.values())

    found = (*everything, *more)
    now = await standing(arranged(found, {}), found, outside, run, arranged)
    warnings = now.warnings
    if more or now.notices:
        sufficiency = score(whole)
    if full_text:
        texts, unread = await whole_texts(whole, outside, run)
        warnings = (*warnings, *unread)
        whole, *sections = (with_whole_texts(each, texts) for each in (whole, *sections))
    return Gathered(
        whole=whole, sections=tuple(sections), sufficiency=sufficiency, fallback=fallback, warnings=warnings
    )


def _regrouped(
    groups: Sequence[Sequence[SearchResult]], current: Sequence[SearchResult]
) -> list[tuple[SearchResult, ...]]:
    """The sections' results as they are now; what the fallback brought is open to all of them."""
    found = list(current)
    regrouped: list[tuple[SearchResult, ...]] = []
    for group in groups:
        regrouped.append(tuple(found[: len(group)]))
        del found[: len(group)]
    return unified([(*group, *found) for group in regrouped])
