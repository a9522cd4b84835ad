"""A report as one self-contained HTML page, by the same means as an answer."""

from evidencegate._templates import templates_of
from evidencegate.report._html import mark_id, marked_sources
from evidencegate.report._markdown import CURATED, NOTICE
from evidencegate.report._references import closed, metadata_line
from evidencegate.report._report_types import Report


def report_html(report: Report) -> str:
    """The whole report as one page without outside parts. Text from outside is always escaped (rule 13)."""
    return (
        templates_of("evidencegate.report")
        .get_template("report.html.j2")
        .render(
            report=report,
            sources=marked_sources(report.references, report.sentences()),
            notice=NOTICE,
            curated=CURATED,
            metadata_line=metadata_line,
            closed=closed,
            mark_id=mark_id,
        )
    )
