"""A checked text as Markdown: the issues first, then every claim with its quote."""

import re
from collections.abc import Iterator

from evidencegate.documents import Document
from evidencegate.verify._citations import CitationCheck
from evidencegate.verify._types import Checked, CheckedClaim, Verdict

MARKS = {Verdict.CORRECT: "✓", Verdict.INCORRECT: "✗", Verdict.UNCERTAIN: "?"}
NOTICE = "Decision support for professionals. Verdicts rest on the quotes shown; read them before relying on one."
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def checked_markdown(checked: Checked) -> str:
    """Summary, issues, claims with quotes, citations, corrected references, warnings."""
    return "\n".join(_lines(checked)).rstrip() + "\n"


def summary(checked: Checked) -> str:
    """One line: how many claims, and how they were decided."""
    counts = {verdict: sum(c.verdict is verdict for c in checked.claims) for verdict in Verdict}
    if not checked.claims:
        return "No claims to check."
    text = f"{len(checked.claims)} claims: " + ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict)
    return f"{text}. Score {checked.score:.2f}, decided {checked.coverage:.0%}."


def _lines(checked: Checked) -> Iterator[str]:
    yield "# Check\n"
    yield summary(checked) + "\n"
    if checked.issue_spans:
        yield "## Issues\n"
        for issue in checked.issue_spans:
            place = escape(issue.span.of(checked.text))
            kind = f"**{issue.verdict}**, {issue.severity} severity, at {issue.span.start}"
            yield f"- {kind}: “{place}”. {escape(issue.message)}"
        yield ""
    if checked.claims:
        yield "## Claims\n"
        for claim in checked.claims:
            yield from _claim(claim)
        yield ""
    if checked.citations:
        yield "## Citations\n"
        yield from (_citation(check) for check in checked.citations)
        yield ""
    if checked.references:
        yield "## Reference list, corrected\n"
        yield checked.references + "\n"
    if checked.warnings:
        yield "## Warnings\n"
        yield from (f"- {escape(warning)}" for warning in checked.warnings)
        yield ""
    yield f"*{NOTICE}*"


def _claim(checked: CheckedClaim) -> Iterator[str]:
    decision = checked.decision
    yield f"- {MARKS[checked.verdict]} **{checked.verdict}** ({decision.confidence:.2f}) {escape(checked.claim.text)}"
    if decision.quote:
        lead = "nearest passage: " if checked.verdict is Verdict.UNCERTAIN else ""
        yield f"  > {lead}{escape(decision.quote.text)}"
        yield f"  > — {source_line(decision.quote.document)}"
    for finding in decision.numbers:
        if finding.agreement.contradicts:
            yield f"  - {escape(finding.message)}"


def _citation(check: CitationCheck) -> str:
    status = check.identity.value.replace("_", " ")
    details = "; ".join(
        [*check.comparison.differences, *([check.comparison.reason] if check.comparison.reason else [])]
    )
    record = f": {source_line(check.document)}" if check.document else ""
    return f"- {escape(check.label)} **{status}**{record}" + (f" ({escape(details)})" if details else "")


def source_line(document: Document) -> str:
    """Title and address of a record, with its retraction status."""
    title = escape(document.title or document.id)
    linked = f"[{title}]({document.url})" if document.url else title
    return linked + (f" **{document.retraction.value.replace('_', ' ')}**" if document.notices else "")


def escape(text: str) -> str:
    """Text from outside on one line, its Markdown made harmless."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
