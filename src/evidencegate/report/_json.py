"""An answer as the fields of the `--json` contract (spec 5.14)."""

from typing import Any

from evidencegate.evidence import Sufficiency, flow
from evidencegate.report._markdown import absence, markdown
from evidencegate.report._report_types import Report
from evidencegate.report._types import Answer, Citation, Contradiction, Reference, Section, Sentence


def answer_json(answer: Answer) -> dict[str, Any]:
    """Every field of the contract, in a stable order; numbers rounded so that two runs agree."""
    return {
        "question": answer.package.question.text,
        "answer": {
            "sentences": [
                *map(sentence_json, answer.direct),
                *(sentence_json(s) for section in answer.sections for s in section.sentences),
            ],
            "markdown": markdown(answer),
        },
        "sections": [_section(section) for section in answer.sections],
        "references": [reference_json(reference) for reference in answer.references],
        **weighed_json(answer),
        "absence": "" if answer.contradictory else absence(answer),
        "images": [image.to_json() for image in answer.images],
        "not_supported": [one.to_json() for one in answer.not_supported],
        "removed_citations": [one.to_json() for one in answer.removed_citations],
        **told_json(answer),
        "run": answer.run,
        "partial": answer.partial,
    }


def weighed_json(shown: Answer | Report) -> dict[str, Any]:
    """How far what is shown can be relied on: how sufficient it is, who was asked, what speaks against it."""
    return {
        "sufficiency": sufficiency_json(shown.sufficiency),
        "searches": [record.to_json() for record in shown.package.searches],
        "contradictory": [contradiction_json(contradiction) for contradiction in shown.contradictory],
    }


def told_json(shown: Answer | Report) -> dict[str, Any]:
    """What a reader is told of how it came about: warnings, the fallback, and what became of every record."""
    package = shown.package
    return {
        "warnings": list(shown.warnings),
        "fallback": {"called": shown.fallback.called, "reason": shown.fallback.reason},
        "excluded": [
            {"document": e.document.id, "title": e.document.title, "reason": e.reason, "score": round(e.score, 1)}
            for e in package.excluded
        ],
        "duplicates": package.duplicates,
        "flow": flow(package, [reference.document.id for reference in shown.references]).to_json(),
    }


def sentence_json(sentence: Sentence) -> dict[str, Any]:
    """A sentence with its citations, quotes and stances."""
    return {
        "text": sentence.text,
        "supported": sentence.supported,
        "citations": [_citation(citation) for citation in sentence.citations],
    }


def _citation(citation: Citation) -> dict[str, Any]:
    quote = citation.quote
    return {
        "n": citation.n,
        "quote": {"text": quote.text, "start": quote.span.start, "end": quote.span.end},
        "document": quote.document.id,
        "stance": str(citation.stance.label),
        "confidence": round(citation.stance.confidence, 4),
        "curated": citation.curated,
    }


def _section(section: Section) -> dict[str, Any]:
    return {
        "heading": section.heading,
        "query": section.query,
        "sentences": [sentence_json(sentence) for sentence in section.sentences],
    }


def contradiction_json(contradiction: Contradiction) -> dict[str, Any]:
    """A sentence that opposes another, and which."""
    return {
        "against": contradiction.against,
        "weight": contradiction.weight,
        **sentence_json(contradiction.sentence),
    }


def reference_json(reference: Reference) -> dict[str, Any]:
    """One entry of the reference list."""
    identifiers = reference.identifiers
    return {
        "n": reference.n,
        "title": reference.title,
        "authors": reference.authors,
        "journal": reference.journal,
        "year": reference.year,
        "url": reference.url,
        "source_badge": str(reference.source_badge),
        "quality_badges": [str(badge) for badge in reference.quality_badges],
        "pmid": identifiers.pmid,
        "pmcid": identifiers.pmcid,
        "doi": identifiers.doi,
        "nct": identifiers.nct,
        "retraction": str(reference.retraction),
        "curated": reference.curated,
        "document": reference.document.id,
    }


def sufficiency_json(sufficiency: Sufficiency) -> dict[str, Any]:
    """Whether it is enough to answer from, with everything that made it."""
    return {
        "score": round(sufficiency.score, 1),
        "level": str(sufficiency.level),
        "reasons": list(sufficiency.reasons),
        "components": {name: round(value, 2) for name, value in sufficiency.components.items()},
        "version": sufficiency.version,
    }
