"""A checked text as the fields of the `--json` contract (spec 5.14)."""

import math
from typing import Any

from evidencegate.documents import Document, Quote, Span
from evidencegate.verify._citations import CitationCheck
from evidencegate.verify._numbers import Finding
from evidencegate.verify._types import Checked, CheckedClaim, Decision, Trace


def checked_json(checked: Checked) -> dict[str, Any]:
    """Every field of the contract, in a stable order; numbers rounded so that two runs agree."""
    return {
        "claims": [claim_json(claim) for claim in checked.claims],
        "sentences": [{**_span(s.span), "label": str(s.label)} for s in checked.sentences],
        "issue_spans": [
            {
                **_span(issue.span),
                "verdict": str(issue.verdict),
                "severity": str(issue.severity),
                "message": issue.message,
                "claim": issue.claim,
                "sentence": issue.sentence,
            }
            for issue in checked.issue_spans
        ],
        "score": _rounded(checked.score),
        "coverage": _rounded(checked.coverage),
        "support": _rounded(checked.support),
        "documents": [document_json(document) for document in checked.documents],
        "citations": [_citation(check) for check in checked.citations],
        "references": checked.references,
        "warnings": list(checked.warnings),
        "usage": {name: round(value, 3) for name, value in checked.usage.items()},
    }


def claim_json(checked: CheckedClaim) -> dict[str, Any]:
    """One claim with verdict, quote, stance, numbers and trace."""
    claim, decision, stance = checked.claim, checked.decision, checked.stance
    return {
        "id": claim.id,
        "text": claim.text,
        "statement": " ".join(claim.statement.split()),
        **_span(claim.span),
        "sentence": claim.sentence,
        "verdict": str(decision.verdict),
        "confidence": round(decision.confidence, 4),
        "support": _rounded(checked.support),
        "severity": str(claim.severity),
        "evidence_found": decision.evidence_found,
        "quote": _quote(decision.quote),
        "document": checked.document.id if checked.document else None,
        "stance": None
        if stance is None
        else {
            "supports": round(stance.supports, 4),
            "refutes": round(stance.refutes, 4),
            "neutral": round(stance.neutral, 4),
            "reader": stance.reader,
            "reasons": [{"code": str(r.code), "detail": r.detail} for r in stance.reasons],
        },
        "numbers": [finding_json(finding) for finding in decision.numbers],
        "trace": trace_json(decision.trace),
    }


def trace_json(trace: Trace) -> dict[str, Any]:
    """The way to a decision."""
    return {
        "label_raw": trace.label_raw,
        "label_final": str(trace.label_final),
        "gate_reason": str(trace.gate_reason),
        "selection_reason": trace.selection_reason,
        "selected_evidence_index_raw": trace.index_raw,
        "evidence_quote_raw": trace.quote_raw,
        # JSON has no NaN, and a model may have said so.
        "confidence_raw": trace.confidence_raw if math.isfinite(trace.confidence_raw) else None,
        "coverage_ok": trace.coverage.ok,
        "coverage_share": round(trace.coverage.share, 4),
        "coverage_note": trace.coverage.note,
        "raw_verifier_output": trace.raw_output,
    }


def decision_json(decision: Decision) -> dict[str, Any]:
    """A decision of the gate on its own."""
    return {
        "verdict": str(decision.verdict),
        "confidence": round(decision.confidence, 4),
        "evidence_found": decision.evidence_found,
        "quote": _quote(decision.quote),
        "numbers": [finding_json(finding) for finding in decision.numbers],
        "trace": trace_json(decision.trace),
    }


def finding_json(finding: Finding) -> dict[str, Any]:
    """One number of a claim against its evidence, with both places."""
    found = finding.found
    return {
        "agreement": str(finding.agreement),
        "kind": str(finding.claimed.kind),
        "claimed": {"text": finding.claimed.text, **_span(finding.claimed.span)},
        "found": {"text": found.text, **_span(found.span)} if found else None,
        "message": finding.message,
    }


def document_json(document: Document) -> dict[str, Any]:
    """What a reader needs to find a record."""
    identifiers = document.identifiers
    return {
        "id": document.id,
        "title": document.title,
        "year": document.year,
        "url": document.url,
        "pmid": identifiers.pmid,
        "pmcid": identifiers.pmcid,
        "doi": identifiers.doi,
        "retraction": str(document.retraction),
    }


def _citation(check: CitationCheck) -> dict[str, Any]:
    return {
        "label": check.label,
        "mentions": [_span(mention.span) for mention in check.mentions],
        "sentences": sorted(check.sentences),
        "entry": check.entry.text if check.entry else None,
        "identifiers": list(check.identifiers.keys()),
        "document": check.document.id if check.document else None,
        "identity": str(check.identity),
        "differs": list(check.comparison.differences),
        "reason": check.comparison.reason,
        "retraction": str(check.retraction),
    }


def _quote(quote: Quote | None) -> dict[str, Any] | None:
    return None if quote is None else {"text": quote.text, **_span(quote.span)}


def _span(span: Span) -> dict[str, int]:
    return {"start": span.start, "end": span.end}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
