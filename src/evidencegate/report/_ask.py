"""From a question to an answer: the whole path, once."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from evidencegate.documents import RetractionStatus
from evidencegate.evidence import (
    EvidencePackage,
    Fallback,
    Packs,
    Sufficiency,
    assemble,
    fallback_decision,
    score,
    select,
)
from evidencegate.models.stance import Label, Reason, ReasonCode, Stance
from evidencegate.question import Category, Question, understand
from evidencegate.report._against import opposing
from evidencegate.report._engine import Engine
from evidencegate.report._extract import Candidate, Group, extract
from evidencegate.report._outside import Outside, last_resort, noticed, pictured
from evidencegate.report._references import reference_list
from evidencegate.report._types import Answer, Audience, Citation, Contradiction, Reference, Section, Sentence
from evidencegate.runs import Run
from evidencegate.sources import SearchRecord, SearchResult, Source, Status, search

RECORDS = 30
"""Records asked of each source for each sub-query."""
_PARTIAL = "Partial: the budget of this run was used up before every source was searched to the end."
_HEADINGS = {
    Category.CORE_DECISION: "On the decision itself",
    Category.COMPLICATIONS: "On complications and safety",
    Category.DURATION_MONITORING: "On duration and monitoring",
    Category.ALTERNATIVES: "On alternatives",
}


async def ask(
    text: str,
    *,
    sources: Sequence[Source],
    not_asked: Mapping[str, str],
    packs: Packs,
    run: Run,
    engine: Engine,
    audience: Audience = Audience.PROFESSIONAL,
    outside: Outside | None = None,
) -> Answer:
    """Answer a question.

    `sources` are asked; `not_asked` names others and says why not, for the log (rule 6). `outside` is asked for the
    fallback, current notices and images; None where the network is not to be asked for them. Everything that reaches
    outside is a step of `run`, so the same run gives the same answer again.

    Raises:
        InvalidInput: the text is not a question that can be worked on.
    """
    question = understand(text)
    run.event("question", f"understood as {question.classification.name}: {', '.join(_topics(question))}")
    searched, images = await asyncio.gather(_search(question, sources, run), pictured(question, outside, run))
    log = tuple(
        SearchRecord(source=name, query="", status=Status.NOT_ASKED, reason=reason, asked_at=run.started_at)
        for name, reason in not_asked.items()
    )

    def assembled(results: Sequence[SearchResult]) -> EvidencePackage:
        return assemble(
            question,
            [*results, *(SearchResult(record=record) for record in log)],
            packs=packs,
            now=datetime.fromisoformat(run.started_at).date(),
            relevance=engine.relevance,
        )

    results = searched
    package = assembled(results)
    sufficiency = score(package)
    run.event("evidence", f"{len(package.items)} records chosen, sufficiency {sufficiency.score:.0f} of 100")
    fallback, more = await last_resort(fallback_decision(sufficiency, question, packs), question, outside, run)
    run.event("fallback", fallback.reason)
    if more:
        results = (*results, *more)
        package = assembled(results)
    current, warnings = await noticed(package, results, outside, run)
    if current != results:
        package = assembled(current)
    answer = compose(package, score(package), fallback, engine, audience=audience, run=run.id)
    marked = (_PARTIAL,) if run.short else ()
    return replace(answer, images=images, warnings=(*marked, *answer.warnings, *warnings), partial=run.short)


async def _search(question: Question, sources: Sequence[Source], run: Run) -> tuple[SearchResult, ...]:
    for source in sources:
        run.event("search", f"searching {source.name}")
    results = await search(question, sources, limit=RECORDS, run=run)
    for result in results:
        record = result.record
        run.event("searched", f"{record.source}: {record.status}, {record.records} records", status=record.status)
    return results


def compose(
    package: EvidencePackage,
    sufficiency: Sufficiency,
    fallback: Fallback,
    engine: Engine,
    *,
    audience: Audience,
    run: str,
) -> Answer:
    """The local engine's answer from ranked evidence: extractive and deterministic."""
    chosen = select(package)
    citable = {reference.document.id for reference in reference_list(chosen)[0]}
    readable = [item for item in chosen if item.document.id in citable]
    direct, groups = extract(package.question, readable, engine.relevance, doses=audience is Audience.PROFESSIONAL)
    against = opposing(package.question, direct, readable, engine)
    shown = [*direct, *(c for group in groups for c in group.candidates), *(o.candidate for o in against)]
    # Numbered in order of citation: only what is cited is listed.
    cited = list({candidate.item.document.id: candidate.item for candidate in shown}.values())
    references, _ = reference_list(cited)
    numbers = {reference.document.id: reference.n for reference in references}
    return Answer(
        package=package,
        sufficiency=sufficiency,
        direct=tuple(_sentence(candidate, numbers) for candidate in direct),
        sections=tuple(_section(group, numbers) for group in groups),
        contradictory=tuple(
            Contradiction(
                against=opposition.against.text,
                sentence=_sentence(opposition.candidate, numbers, opposition.stance),
                weight=opposition.weight,
            )
            for opposition in against
        ),
        references=references,
        fallback=fallback,
        warnings=tuple(evidence_warnings(package, references)),
        run=run,
    )


def _sentence(candidate: Candidate, numbers: Mapping[str, int], stance: Stance | None = None) -> Sentence:
    """A sentence shown in the record's own words; its stance is towards itself unless another is given."""
    n = numbers[candidate.item.document.id]
    cited = Citation(n=n, quote=candidate.quote, stance=stance or _literal(candidate))
    return Sentence(text=candidate.text, citations=(cited,))


def _literal(candidate: Candidate) -> Stance:
    """What is quoted supports what it says: not a judgement but an identity."""
    passage, quote = candidate.quote.passage.span, candidate.quote.span
    within = (quote.start - passage.start, quote.end - passage.start)
    reason = Reason(ReasonCode.LITERAL, "the sentence is the quote", Label.SUPPORTS, None, within)
    return Stance(1.0, 0.0, 0.0, within, (reason,), "location")


def _section(group: Group, numbers: Mapping[str, int]) -> Section:
    return Section(
        heading=_HEADINGS[group.category],
        query=group.query,
        sentences=tuple(_sentence(candidate, numbers) for candidate in group.candidates),
    )


def evidence_warnings(package: EvidencePackage, references: Sequence[Reference]) -> list[str]:
    """What a reader must know: who did not answer, what is curated, what was withdrawn."""
    warnings: list[str] = []
    for record in package.searches:
        if record.status is Status.PARTIAL:
            warnings.append(f"{record.source} answered in part: {record.reason}")
        elif not record.status.answered and record.status is not Status.NOT_ASKED:
            warnings.append(f"{record.source} was not searched: {record.reason}")
    warnings = list(dict.fromkeys(warnings))
    if any(reference.curated for reference in references):
        warnings.append(
            "Sentences marked as curated summary quote our own summary of a guideline or trial, not the article itself."
        )
    for excluded in package.excluded:
        if excluded.document.retracted:
            warnings.append(f"Left out, retracted: {excluded.document.title} ({excluded.document.id})")
    for reference in references:
        if reference.retraction is not RetractionStatus.NONE:
            warnings.append(f"[{reference.n}] carries a notice: {reference.retraction.replace('_', ' ')}")
    return warnings


def _topics(question: Question) -> tuple[str, ...]:
    return question.disease_tags.all or question.intervention_terms or question.decision_tags.all
