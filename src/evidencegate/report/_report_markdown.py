"""A report as Markdown."""

from collections.abc import Iterator, Sequence

from evidencegate.report._markdown import CURATED, NOTICE, code, escape, reference_markdown, refused_markdown
from evidencegate.report._report_types import Closing, Report, ReportSection
from evidencegate.report._types import Sentence
from evidencegate.sources import SearchRecord


def report_markdown(report: Report) -> str:
    """The whole report, in the order in which its citations are numbered."""
    parts = [f"# {escape(report.topic)}", f"*{NOTICE}*"]
    parts += ["## Abstract", *_closing(report.abstract)]
    parts += ["## Introduction", *_closing(report.introduction)]
    for number, section in enumerate(report.sections, start=1):
        parts += [f"## {number}. {escape(section.heading)}", *_section(section)]
    if report.contradictory:
        parts.append("## Contradictory evidence")
        for one in report.contradictory:
            weight = f"\n  - {escape(one.weight)}" if one.weight else ""
            parts.append(f"- {shown(one.sentence)}\n  - speaks against: {escape(one.against)}{weight}")
    parts += ["## Discussion", *_closing(report.discussion)]
    parts += ["## Limitations", "\n".join(f"- {escape(line)}" for line in report.limitations)]
    parts += ["## Conclusion", *_closing(report.conclusion)]
    parts += ["## Methods", " ".join(map(escape, report.methods)), *_log(report.package.searches)]
    parts += refused_markdown(report.not_supported, report.removed_citations)
    if report.references:
        parts += ["## References", "\n".join(map(reference_markdown, report.references))]
    if report.warnings:
        parts += ["## Warnings", "\n".join(f"- {escape(warning)}" for warning in report.warnings)]
    return "\n\n".join(part for part in parts if part) + "\n"


def shown(sentence: Sentence) -> str:
    """A sentence with its citations before its full stop."""
    text = sentence.text.rstrip()
    stop = text[-1:] if text.endswith((".", "!", "?")) else ""
    cited = "".join(f"[{n}]" for n in dict.fromkeys(citation.n for citation in sentence.citations))
    mark = f" *({CURATED})*" if any(citation.curated for citation in sentence.citations) else ""
    return f"{escape(text.removesuffix(stop) if stop else text)} {cited}{mark}{stop}"


def _closing(part: Closing) -> Iterator[str]:
    if part.sentences:
        yield " ".join(map(shown, part.sentences))
    if part.remarks:
        yield " ".join(map(escape, part.remarks))


def _section(section: ReportSection) -> Iterator[str]:
    yield f"*{escape(section.opening)}*"
    for paragraph in section.paragraphs:
        yield " ".join(map(shown, paragraph))


def _log(searches: Sequence[SearchRecord]) -> Iterator[str]:
    rows = dict.fromkeys(map(_row, searches))
    if rows:
        yield "\n".join(["| Source | Query | Result | Records |", "|---|---|---|---|", *rows])


def _row(record: SearchRecord) -> str:
    outcome = f"{record.status}: {record.reason}" if record.reason else str(record.status)
    return f"| {_cell(record.source)} | {code(record.query)} | {_cell(outcome)} | {record.records} |"


def _cell(text: str) -> str:
    return escape(" ".join(text.split())).replace("|", "\\|")
