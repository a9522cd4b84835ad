"""The case against a text as one self-contained HTML page."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from evidencegate.counter._cited import Cited, absence
from evidencegate.counter._markdown import NOTICE
from evidencegate.counter._types import CounterReport, Scored
from evidencegate.evidence import metadata_line


def html(report: CounterReport) -> str:
    """The whole report as one page without outside parts. Text from outside is always escaped (rule 13)."""
    return (
        _environment()
        .get_template("counter.html.j2")
        .render(report=report, notice=NOTICE, absence=absence, byline=_byline)
    )


def _byline(record: Scored) -> str:
    return metadata_line(Cited.of(record))


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("evidencegate.counter", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
