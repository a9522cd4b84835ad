"""The case against a text as the fields of the `--json` contract (spec 5.14)."""

from typing import Any

from evidencegate.counter._cited import Cited, absence
from evidencegate.counter._markdown import markdown
from evidencegate.counter._types import (
    Accepted,
    CounterReport,
    Examined,
    Rejected,
    Restored,
    Scored,
    Search,
    Strength,
)
from evidencegate.evidence import metadata_line
from evidencegate.models.stance import Label


def counter_json(report: CounterReport) -> dict[str, Any]:
    """Every field of the contract, in a stable order; numbers rounded so that two runs agree."""
    return {
        "claims": [_examined(one) for one in report.claims],
        "warnings": list(report.warnings),
        "not_asked": [record.to_json() for record in report.not_asked],
        "markdown": markdown(report),
        "run": report.run,
    }


def _examined(one: Examined) -> dict[str, Any]:
    made = one.counterfactual
    return {
        "id": made.id,
        "text": made.claim,
        "priority": str(made.priority),
        "statement": made.shown,
        "statement_found": made.statement is not None,
        "statements": [{"text": s.text, "opposite": str(s.opposite)} for s in made.statements],
        "question": made.question,
        "reasoning": made.reasoning,
        "keywords": list(made.keywords),
        "accepted": [_accepted(accepted) for accepted in one.accepted],
        "rejected": [_rejected(rejected) for rejected in one.rejected],
        "restored": [_restored(restored) for restored in one.restored],
        "dismissed": [{"document": o.document, "note": o.note, "by": o.by} for o in one.dismissed],
        "absence": "" if one.accepted else absence(one),
        "strength": _strength(one.strength),
        "searches": [_search(search) for search in one.searches],
        "documents": one.documents,
    }


def _identity(record: Scored) -> dict[str, Any]:
    document = record.document
    ids = document.identifiers
    return {
        "document": document.id,
        "authors": list(document.authors),
        "publication_date": document.published or (str(document.year) if document.year else ""),
        "publication": document.journal,
        "pmid": ids.pmid,
        "pmcid": ids.pmcid,
        "doi": ids.doi,
        "nct": ids.nct,
        "url": document.url,
        "level": str(record.level),
        "retraction": str(document.retraction),
    }


def _accepted(one: Accepted) -> dict[str, Any]:
    to_claim = one.validation.to_claim
    return {
        "title": " ".join(one.record.document.title.split()),
        "passage": one.quote.text,
        "span": {"start": one.quote.span.start, "end": one.quote.span.end},
        "summary": one.summary,
        "metadata": metadata_line(Cited.of(one.record)),
        **_identity(one.record),
        "relevance_score": round(one.relevance, 4),
        "document_score": one.record.score,
        "score_reasoning": one.record.reasoning,
        "confidence": round(one.confidence, 4),
        "statement": one.statement.text,
        "stance_to_claim": str(to_claim.label) if to_claim else str(Label.NEUTRAL),
        "also_supports_claim": one.also_supports_claim,
        "found_by": [
            {"source": way.source, "strategy": str(way.strategy), "position": way.position} for way in one.record.ways
        ],
    }


def _rejected(one: Rejected) -> dict[str, Any]:
    return {
        "title": " ".join(one.record.document.title.split()),
        "passage": one.quote.text,
        "reason": one.reason,
        "ground": str(one.ground),
        "supports_claim": one.supports_claim,
        "confidence": round(one.confidence, 4),
        "metadata": metadata_line(Cited.of(one.record)),
        **_identity(one.record),
        "document_score": one.record.score,
    }


def _restored(one: Restored) -> dict[str, Any]:
    return {**_rejected(one.rejected), "note": one.overrule.note, "by": one.overrule.by}


def _strength(one: Strength) -> dict[str, Any]:
    return {
        "level": str(one.level),
        "studies": one.studies,
        "designs": {str(level): n for level, n in one.designs.items()},
        "weight": one.weight,
        "supporting_studies": one.supporting,
        "confidence_in_claim": one.confidence,
        "reasoning": one.reasoning,
    }


def _search(search: Search) -> dict[str, Any]:
    return {"strategy": str(search.strategy), **search.record.to_json()}
