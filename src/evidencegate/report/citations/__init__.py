"""Citation enforcement: a library of its own. Knows Markdown and numbers, nothing of reports."""

from evidencegate.report.citations._enforce import Enforced, Removal, enforce_citations
from evidencegate.report.citations._find import Mention, Part, Style, mentions

__all__ = ["Enforced", "Mention", "Part", "Removal", "Style", "enforce_citations", "mentions"]
