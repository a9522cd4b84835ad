"""When a check counts as failed, so that it can guard a build or a manuscript pipeline."""

from enum import StrEnum

from evidencegate.verify._types import Checked, Severity, Verdict


class FailOn(StrEnum):
    """What makes a check fail; each includes the ones before it."""

    NEVER = "never"
    INCORRECT = "incorrect"
    """A claim the source contradicts."""
    CITATION = "citation"
    """Also a citation whose record is another work, retracted or not to be found."""
    UNCERTAIN = "uncertain"
    """Also a claim that could not be decided."""


def failed(checked: Checked, fail_on: FailOn = FailOn.INCORRECT, *, severity: Severity = Severity.LOW) -> bool:
    """Whether `checked` has an issue of the kind, at least this severe."""
    if fail_on is FailOn.NEVER:
        return False
    grave = {issue.verdict for issue in checked.issue_spans if issue.severity.rank >= severity.rank}
    if Verdict.INCORRECT in grave:
        return True
    if fail_on in (FailOn.CITATION, FailOn.UNCERTAIN) and any(citation.faulty for citation in checked.citations):
        return True
    return fail_on is FailOn.UNCERTAIN and Verdict.UNCERTAIN in grave
