"""Answers: sentences bound to quotes, references that open the article, and their rendering.

The module can itself be called: `evidencegate.report("Anticoagulation in atrial fibrillation")`.
"""

from evidencegate._callable import make_callable
from evidencegate.report._ask import ask
from evidencegate.report._compose_report import write_report
from evidencegate.report._diff import RunDiff, diff_runs
from evidencegate.report._engine import Engine
from evidencegate.report._find import Found, find, found_json
from evidencegate.report._html import html, marked
from evidencegate.report._json import answer_json
from evidencegate.report._markdown import NOTICE, markdown
from evidencegate.report._outline import outline
from evidencegate.report._outside import Live, Outside
from evidencegate.report._references import reference_list
from evidencegate.report._refused import RemovedCitation, Unsupported
from evidencegate.report._report_json import report_json
from evidencegate.report._report_markdown import report_markdown
from evidencegate.report._report_types import Closing, Density, Report, ReportSection
from evidencegate.report._types import (
    Answer,
    Audience,
    Citation,
    Contradiction,
    QualityBadge,
    Reference,
    Section,
    Sentence,
    SourceBadge,
)

__all__ = [
    # values
    "Answer",
    "Audience",
    "Citation",
    "Closing",
    "Contradiction",
    "Density",
    "Found",
    "NOTICE",
    "QualityBadge",
    "Reference",
    "RemovedCitation",
    "Report",
    "ReportSection",
    "Section",
    "Sentence",
    "SourceBadge",
    "Unsupported",
    # the way through
    "Engine",
    "Live",
    "Outside",
    "RunDiff",
    "answer_json",
    "ask",
    "diff_runs",
    "find",
    "found_json",
    "html",
    "markdown",
    "marked",
    "outline",
    "reference_list",
    "report_json",
    "report_markdown",
    "write_report",
]

make_callable(__name__, "report")
