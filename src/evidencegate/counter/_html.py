"""The case against a text as one self-contained HTML page."""

from evidencegate._templates import templates_of
from evidencegate.counter._cited import Cited, absence
from evidencegate.counter._markdown import NOTICE
from evidencegate.counter._types import Accepted, CounterReport, Scored
from evidencegate.evidence import metadata_line


def html(report: CounterReport) -> str:
    """The whole report as one page without outside parts. Text from outside is always escaped (rule 13)."""
    return (
        templates_of("evidencegate.counter")
        .get_template("counter.html.j2")
        .render(report=report, notice=NOTICE, absence=absence, byline=_byline, parted=_parted)
    )


def _byline(record: Scored) -> str:
    return metadata_line(Cited.of(record))


def _parted(accepted: Accepted) -> list[tuple[str, bool]]:
    """The passage in pieces, with which of them is the sentence that decides."""
    text = accepted.quote.text
    start, end = accepted.validation.to_statement.sentence or (0, 0)
    pieces = ((text[:start], False), (text[start:end], True), (text[end:], False))
    return [(piece, deciding) for piece, deciding in pieces if piece]
