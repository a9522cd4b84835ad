"""A checked text as one self-contained page: marks in place, each with verdict, quote and source."""

from evidencegate._templates import templates_of
from evidencegate.verify._markdown import MARKS, NOTICE, summary
from evidencegate.verify._marks import segments
from evidencegate.verify._types import Checked


def checked_html(checked: Checked, *, title: str = "Check") -> str:
    """The page, without outside parts. Text from outside is always escaped (rule 13)."""
    template = templates_of("evidencegate.verify").get_template("check.html.j2")
    return template.render(
        title=title,
        checked=checked,
        segments=list(segments(checked)),
        marks=MARKS,
        summary=summary(checked),
        notice=NOTICE,
    )
