"""A checked text as one self-contained page: marks in place, each with verdict, quote and source."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from evidencegate.verify._markdown import MARKS, NOTICE, summary
from evidencegate.verify._marks import segments
from evidencegate.verify._types import Checked


def checked_html(checked: Checked, *, title: str = "Check") -> str:
    """The page, without outside parts. Text from outside is always escaped (rule 13)."""
    template = _environment().get_template("check.html.j2")
    return template.render(
        title=title,
        checked=checked,
        segments=list(segments(checked)),
        marks=MARKS,
        summary=summary(checked),
        notice=NOTICE,
    )


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("evidencegate.verify", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
