"""The case against a text as Markdown."""

import re

from evidencegate.counter._cited import Cited, absence
from evidencegate.counter._types import Accepted, CounterReport, Examined, Rejected, Restored
from evidencegate.evidence import metadata_line

NOTICE = "Decision support for professionals; not a medical device and no substitute for clinical judgement."
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#~])")
_REJECTED_SHOWN = 5


def escape(text: str) -> str:
    """Text from outside as Markdown that shows it literally (rule 13)."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def markdown(report: CounterReport) -> str:
    """Every claim with its statement, what was accepted, what was rejected and why, and the searches."""
    parts = ["# What contradicts this", f"*{NOTICE}*"]
    for one in report.claims:
        parts += _claim(one)
    if report.not_asked:
        parts.append("## Not asked")
        parts.append("\n".join(f"- {record.source}: {escape(record.reason)}" for record in report.not_asked))
    if report.warnings:
        parts.append("## Warnings")
        parts.append("\n".join(f"- {escape(warning)}" for warning in report.warnings))
    return "\n\n".join(parts) + "\n"


def _claim(one: Examined) -> list[str]:
    made = one.counterfactual
    parts = [
        f"## Claim {made.id}: {escape(made.claim)}",
        f"Priority: {made.priority}",
        f"**Counterfactual Statement:** {escape(made.shown)}",
    ]
    if made.question:
        parts.append(f"**Question:** {escape(made.question)}")
    parts.append(
        f"**Strength of the case against it:** {one.strength.level.replace('_', ' ')} "
        f"({escape(one.strength.reasoning)}). Confidence in the claim: {one.strength.confidence}."
    )
    if one.accepted:
        parts.append("### Contradictory evidence")
        parts += [_accepted(n, accepted) for n, accepted in enumerate(one.accepted, 1)]
    else:
        parts.append(escape(absence(one)))
    if one.restored:
        parts.append("### Accepted by the user against the validator (not counted)")
        parts += [_restored(restored) for restored in one.restored]
    if one.rejected:
        parts.append("### Read and rejected")
        shown = [_rejected(rejected) for rejected in one.rejected[:_REJECTED_SHOWN]]
        rest = len(one.rejected) - len(shown)
        parts.append("\n".join([*shown, *([f"- … and {rest} more"] if rest else [])]))
    if one.searches:
        parts.append("### Searches")
        parts.append(
            "\n".join(
                f"- {s.record.source} ({s.strategy.replace('_', ' ')}): {s.record.status}, {s.record.records} records"
                + (f" ({escape(s.record.reason)})" if s.record.reason else "")
                + (f" for `{s.record.query.replace('`', ' ')}`" if s.record.query else "")
                for s in one.searches
            )
        )
    return parts


def _accepted(n: int, one: Accepted) -> str:
    document = one.record.document
    mixed = (
        "\n   - **In conflict with itself:** another passage of this record supports the claim"
        if (one.also_supports_claim)
        else ""
    )
    address = f"\n   - <{document.url}>" if document.url else ""
    return (
        f"{n}. **{escape(document.title)}**\n"
        f"   - {escape(metadata_line(Cited.of(one.record)))}\n"
        f"   - **Passage (literal):** “{escape(one.quote.text)}”\n"
        f"   - **Summary (our interpretation):** {escape(one.summary)}\n"
        f"   - Document score {one.record.score:.0f} of 100 ({escape(one.record.reasoning)}); relevance "
        f"{one.relevance:.2f}; confidence {one.confidence:.2f}{mixed}{address}"
    )


def _rejected(one: Rejected) -> str:
    return f"- {escape(one.record.document.title)} ({escape(one.reason)}): “{escape(one.quote.text[:300])}”"


def _restored(one: Restored) -> str:
    by = f" by {escape(one.overrule.by)}" if one.overrule.by else ""
    return f"{_rejected(one.rejected)}\n  - accepted{by}: {escape(one.overrule.note)}"
