"""A checked text cut at its claims and issues: what every output marks in place."""

from collections.abc import Iterator
from dataclasses import dataclass

from evidencegate.documents import Span
from evidencegate.verify._types import Checked, CheckedClaim, IssueSpan


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch of the text that lies in the same claim and the same issue throughout."""

    span: Span
    text: str
    claim: CheckedClaim | None = None
    issue: IssueSpan | None = None
    """Set only where this very stretch is the issue, e.g. on the wrong number inside a claim."""


def segments(checked: Checked) -> Iterator[Segment]:
    """The whole text in order, without gap or overlap. Of overlapping claims the first is marked."""
    claims = _disjoint(checked)
    issues = {issue.claim: issue for issue in checked.issue_spans}
    position = 0
    for claim in claims:
        span = claim.claim.span
        if span.start > position:
            yield _segment(checked, Span(position, span.start))
        issue = issues.get(claim.claim.id)
        inner = issue.span if issue and issue.span in span else None
        for part in _split(span, inner):
            yield _segment(checked, part, claim, issue if part == inner else None)
        position = span.end
    if position < len(checked.text):
        yield _segment(checked, Span(position, len(checked.text)))


def _disjoint(checked: Checked) -> list[CheckedClaim]:
    kept: list[CheckedClaim] = []
    for claim in sorted(checked.claims, key=lambda c: c.claim.span):
        if not kept or kept[-1].claim.span.end <= claim.claim.span.start:
            kept.append(claim)
    return kept


def _split(span: Span, inner: Span | None) -> Iterator[Span]:
    if inner is None:
        yield span
        return
    for part in (Span(span.start, inner.start), inner, Span(inner.end, span.end)):
        if len(part):
            yield part


def _segment(
    checked: Checked, span: Span, claim: CheckedClaim | None = None, issue: IssueSpan | None = None
) -> Segment:
    return Segment(span=span, text=span.of(checked.text), claim=claim, issue=issue)
