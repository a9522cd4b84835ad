"""Searching for what speaks against one claim, everywhere, and scoring what was found."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evidencegate.counter._data import terms
from evidencegate.counter._matter import understood
from evidencegate.counter._telling import on_matter
from evidencegate.counter._types import Counterfactual, Opposite, Scored, Search, Strategy, Way
from evidencegate.evidence import Level, Nearness, evidence_level, merge
from evidencegate.question import (
    PICO,
    Category,
    Classification,
    Question,
    SubQuery,
    Tags,
    TargetEvidence,
    tag_document,
)
from evidencegate.runs import Run
from evidencegate.sources import SearchResult, Source, search

RECORDS = 20
"""Records asked of each source for each way of searching."""
_NEAR, _TREATMENT, _CONDITION = 55.0, 20.0, 10.0
"""What a document's score is the sum of, beside its design."""
_DESIGN = {
    Level.GUIDELINE: 10.0,
    Level.SYSTEMATIC_REVIEW: 15.0,
    Level.RCT: 15.0,
    Level.COHORT: 10.0,
    Level.CASE_CONTROL: 8.0,
    Level.CASE_SERIES: 4.0,
    Level.REVIEW: 4.0,
    Level.OTHER: 2.0,
}
_OPENING = 4_000
"""Characters of a text that say what it is about."""
_SHOWN = 350
"""Characters of a text by which its nearness is judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Haul:
    """What the searches for one claim brought."""

    documents: tuple[Scored, ...]
    """Best first."""
    searches: tuple[Search, ...]


async def find(counterfactual: Counterfactual, sources: Sequence[Source], nearness: Nearness, run: Run) -> Haul:
    """Ask every source for the statement, for null findings and for the other opposites, and score what came.

    Each claim has searches of its own, so that none starves another. A source that fails is in the log.
    """
    plan = _plan(counterfactual)
    if not plan or not sources:
        return Haul(documents=(), searches=())
    question = replace(_question(counterfactual), sub_queries=tuple(query for _, query in plan))
    results = await search(question, sources, limit=RECORDS, run=run)
    strategies = [strategy for _ in sources for strategy, _ in plan]
    return Haul(
        documents=_scored(counterfactual, question, list(zip(strategies, results, strict=True)), nearness),
        searches=tuple(Search(record=r.record, strategy=s) for s, r in zip(strategies, results, strict=True)),
    )


def _plan(counterfactual: Counterfactual) -> list[tuple[Strategy, SubQuery]]:
    first = counterfactual.statement
    if first is None:
        return []
    plan = [(Strategy.STATEMENT, first.text, TargetEvidence.TRIAL)]
    nil = first.opposite is not Opposite.AFFIRMATION
    topic = [word for word in counterfactual.keywords if word not in terms().null_finding + terms().effect_finding]
    finding = terms().null_finding[0] if nil else terms().effect_finding[0]
    if topic:
        plan.append((Strategy.NULL_FINDING, " ".join([*topic[:8], finding]), TargetEvidence.COHORT))
    other = next(
        (s for s in counterfactual.statements[1:] if s.opposite in (Opposite.REVERSAL, Opposite.COMPARATOR)), None
    )
    if other:
        plan.append((Strategy.OPPOSITE, other.text, TargetEvidence.SYSTEMATIC_REVIEW))
    return [
        (strategy, SubQuery(query=text, category=Category.CORE_DECISION, target_evidence=target))
        for strategy, text, target in plan
    ]


def _question(counterfactual: Counterfactual) -> Question:
    """The claim as the sources need it: its condition, treatments and field; where it is not read, its words alone."""
    found = understood(counterfactual.claim)
    if found is not None:
        return found
    return Question(
        text=counterfactual.claim,
        pico=PICO(),
        disease_tags=Tags(),
        decision_tags=Tags(("therapy",)),
        classification=Classification(name="general"),
        sub_queries=(SubQuery(query=counterfactual.claim),),
    )


def _scored(
    counterfactual: Counterfactual,
    question: Question,
    results: Sequence[tuple[Strategy, SearchResult]],
    nearness: Nearness,
) -> tuple[Scored, ...]:
    ways: dict[tuple[str, str], Strategy] = {}
    for strategy, result in results:
        ways.setdefault((result.record.source, result.record.query), strategy)
    works = [work for work in merge([result for _, result in results]) if work.document.text.strip()]
    shown = [f"{work.document.title}. {work.document.text[:_SHOWN]}" for work in works]
    near = nearness(counterfactual.shown, shown)
    scored = []
    for work, close in zip(works, near, strict=True):
        document = work.document
        tags = tag_document(document, question)
        level = evidence_level(document)
        reasons = [f"{round(100 * close)} of 100 near to the statement"]
        points = _NEAR * min(1.0, close)
        if question.intervention_terms:
            share = len(tags.interventions) / len(question.intervention_terms)
            points += _TREATMENT * share
            named = ", ".join(sorted(tags.interventions)) or "none of the claim's treatments"
            reasons.append(f"names {named}")
        else:
            points += _TREATMENT * on_matter(counterfactual.claim, document.text[:_OPENING], document.title)
        if question.disease_tags:
            shared = tags.on_topic(question)
            points += _CONDITION * shared
            reasons.append("shares the claim's condition" if shared else "is about another condition")
        else:
            points += _CONDITION
        points += _DESIGN[level]
        reasons.append(f"{_words(level)}{f', {document.year}' if document.year else ''}")
        if document.retracted:
            reasons.append("retracted")
        scored.append(
            Scored(
                document=document,
                level=level,
                score=round(min(100.0, max(0.0, points)), 1),
                reasons=tuple(reasons),
                ways=tuple(
                    Way(source=p.source, strategy=ways[p.source, p.query], position=p.position) for p in work.provenance
                ),
            )
        )
    return tuple(sorted(scored, key=lambda s: (-s.score, s.document.id)))


def _words(level: Level) -> str:
    names = {Level.RCT: "randomised trial", Level.OTHER: "design unknown"}
    return names.get(level, level.value.replace("_", " "))
