"""A report as the fields of the `--json` contract (spec 5.14): those of an answer, and those of its sections."""

from typing import Any

from evidencegate.evidence import flow
from evidencegate.report._json import contradiction_json, reference_json, search_json, sentence_json, sufficiency_json
from evidencegate.report._report_markdown import report_markdown
from evidencegate.report._report_types import Closing, Report, ReportSection


def report_json(report: Report) -> dict[str, Any]:
    """Every field, in a stable order. `answer.sentences` holds each sentence shown as fact once."""
    package = report.package
    once = list({sentence.text: sentence for sentence in report.facts()}.values())
    return {
        "question": report.topic,
        "answer": {"sentences": [sentence_json(s) for s in once], "markdown": report_markdown(report)},
        "abstract": _closing(report.abstract),
        "introduction": _closing(report.introduction),
        "sections": [_section(section) for section in report.sections],
        "discussion": _closing(report.discussion),
        "limitations": list(report.limitations),
        "conclusion": _closing(report.conclusion),
        "methods": list(report.methods),
        "references": [reference_json(reference) for reference in report.references],
        "not_supported": [one.to_json() for one in report.not_supported],
        "dropped": report.dropped,
        "removed_citations": [one.to_json() for one in report.removed_citations],
        "sufficiency": sufficiency_json(report.sufficiency),
        "searches": [search_json(record) for record in package.searches],
        "contradictory": [contradiction_json(contradiction) for contradiction in report.contradictory],
        "images": [image.to_json() for image in report.images],
        "warnings": list(report.warnings),
        "fallback": {"called": report.fallback.called, "reason": report.fallback.reason},
        "excluded": [
            {"document": e.document.id, "title": e.document.title, "reason": e.reason, "score": round(e.score, 1)}
            for e in package.excluded
        ],
        "duplicates": package.duplicates,
        "flow": flow(package, [reference.document.id for reference in report.references]).to_json(),
        "writer": report.writer,
        "run": report.run,
        "partial": report.partial,
    }


def _closing(part: Closing) -> dict[str, Any]:
    return {"remarks": list(part.remarks), "sentences": [sentence_json(sentence) for sentence in part.sentences]}


def _section(section: ReportSection) -> dict[str, Any]:
    density = section.density
    return {
        "heading": section.heading,
        "query": section.query,
        "opening": section.opening,
        "sentences": [sentence_json(sentence) for sentence in section.sentences],
        "references": list(section.references),
        # Citations for each 100 words.
        "density": round(density.per_100_words, 2),
        "low_density": density.low,
        "written_by": section.written_by,
    }
