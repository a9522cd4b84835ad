"""Answers: sentences bound to quotes, references that open the article, and their rendering."""

from evidencegate.report._ask import ask
from evidencegate.report._diff import RunDiff, diff_runs
from evidencegate.report._engine import Engine
from evidencegate.report._html import html
from evidencegate.report._json import answer_json
from evidencegate.report._markdown import markdown
from evidencegate.report._outside import Live, Outside
from evidencegate.report._references import reference_list
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
    "Contradiction",
    "QualityBadge",
    "Reference",
    "Section",
    "Sentence",
    "SourceBadge",
    # the way through
    "Engine",
    "Live",
    "Outside",
    "RunDiff",
    "answer_json",
    "ask",
    "diff_runs",
    "html",
    "markdown",
    "reference_list",
]
