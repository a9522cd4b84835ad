"""A report as the fields of the `--json` contract (spec 5.14): those of an answer, and those of its sections."""

from typing import Any

from evidencegate.report._json import reference_json, sentence_json, told_json, weighed_json
from evidencegate.report._report_markdown import report_markdown
from evidencegate.report._report_types import Closing, Report, ReportSection


def report_json(report: Report) -> dict[str, Any]:
    """Every field, in a stable order. `answer.sentences` holds each sentence shown as fact once."""
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
        **weighed_json(report),
        "images": [image.to_json() for image in report.images],
        **told_json(report),
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
