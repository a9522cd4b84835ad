"""An answer as PDF, set by Typst from a template of ours. Text from outside goes in as data, never as Typst."""

import json
from importlib.resources import as_file, files

from evidencegate._extras import require
from evidencegate.report._report_types import Report
from evidencegate.report._types import Answer
from evidencegate.report.export._page import page


def pdf(answer: Answer | Report) -> bytes:
    """The whole answer as a tagged PDF; citations lead to the references, and titles to the articles.

    Raises:
        MissingExtra: the extra `pdf` is not installed.
    """
    typst = require("pdf", "typst")
    with as_file(files("evidencegate.report").joinpath("templates", "answer.typ")) as template:
        made: bytes = typst.compile(str(template), sys_inputs={"page": json.dumps(page(answer).to_json())})
    return made
