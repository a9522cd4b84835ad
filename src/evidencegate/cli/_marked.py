"""A checked text on a terminal: each claim marked by a sign and a word, not by colour alone."""

from rich.console import Console
from rich.text import Text

from evidencegate.verify import Checked, Verdict, segments, summary

_STYLES = {Verdict.CORRECT: "green", Verdict.INCORRECT: "bold red", Verdict.UNCERTAIN: "yellow"}
_SIGNS = {Verdict.CORRECT: "✓", Verdict.INCORRECT: "✗", Verdict.UNCERTAIN: "?"}


def print_marked(checked: Checked) -> None:
    """Print the text with its claims marked, then the issues with their quotes."""
    console = Console(highlight=False)
    marked = Text()
    for segment in checked_segments(checked):
        marked.append_text(segment)
    console.print(marked)
    console.print()
    for issue in checked.issue_spans:
        where = issue.span.of(checked.text)
        console.print(
            Text(f"{_SIGNS[issue.verdict]} {issue.verdict} ({issue.severity}): ", _STYLES[issue.verdict]), end=""
        )
        console.print(Text(f"{where!r}: {issue.message}"))
    for claim in checked.claims:
        quote = claim.decision.quote
        if claim.verdict is Verdict.INCORRECT and quote is not None:
            console.print(Text(f"  source {quote.document.id}: “{quote.text}”", "dim"))
    console.print(Text(summary(checked)))


def checked_segments(checked: Checked) -> list[Text]:
    """The text in order, claims styled by verdict and signed where they end."""
    pieces = []
    for segment in segments(checked):
        if segment.claim is None:
            pieces.append(Text(segment.text))
            continue
        verdict = segment.claim.verdict
        style = _STYLES[verdict] + (" underline" if segment.issue else "")
        last = segment.span.end == segment.claim.claim.span.end
        pieces.append(Text(segment.text + (f" [{_SIGNS[verdict]}]" if last else ""), style))
    return pieces
