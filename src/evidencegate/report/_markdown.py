"""An answer as Markdown."""

import re
from collections.abc import Iterator, Sequence

from evidencegate.report._references import closed, metadata_line
from evidencegate.report._refused import RemovedCitation, Unsupported
from evidencegate.report._types import Answer, Reference, Sentence

NOTICE = "Decision support for professionals; not a medical device and no substitute for clinical judgement."
CURATED = "curated summary"
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#~])")


def escape(text: str) -> str:
    """Text from outside as Markdown that shows it literally (rule 13)."""
    return _MARKDOWN.sub(r"\\\1", text)


def markdown(answer: Answer) -> str:
    """The whole answer: direct answer, sub-questions, what contradicts, sufficiency, searches, references."""
    question = answer.package.question
    parts = [f"# {escape(question.text)}", f"*{NOTICE}*", "## Answer"]
    if answer.direct:
        parts.append("\n".join(f"- {_sentence(s)}" for s in answer.direct))
    else:
        parts.append("No evidence was found that answers this question. The searches below say where was looked.")
    for section in answer.sections:
        parts.append(f"## {escape(section.heading)}")
        parts.append("\n".join(f"- {_sentence(s)}" for s in section.sentences))
    parts.append("## What contradicts this")
    if answer.contradictory:
        for contradiction in answer.contradictory:
            weight = f"\n  - {escape(contradiction.weight)}" if contradiction.weight else ""
            parts.append(
                f"- {_sentence(contradiction.sentence)}\n  - speaks against: {escape(contradiction.against)}{weight}"
            )
    else:
        parts.append(absence(answer))
    sufficiency = answer.sufficiency
    parts.append(f"## Sufficiency: {sufficiency.score:.0f} of 100 ({sufficiency.level})")
    parts.append("\n".join(f"- {escape(reason)}" for reason in sufficiency.reasons))
    parts.append("## Searches")
    parts.append(
        "\n".join(
            f"- {record.source}: {record.status}, {record.records} records"
            + (f" ({escape(record.reason)})" if record.reason else "")
            + (f" for `{record.query.replace('`', ' ')}`" if record.query else "")
            for record in answer.package.searches
        )
    )
    parts += refused_markdown(answer.not_supported, answer.removed_citations)
    if answer.references:
        parts.append("## References")
        parts.append("\n".join(reference_markdown(reference) for reference in answer.references))
    if answer.warnings:
        parts.append("## Warnings")
        parts.append("\n".join(f"- {escape(warning)}" for warning in answer.warnings))
    return "\n\n".join(part for part in parts if part) + "\n"


def refused_markdown(unsupported: Sequence[Unsupported], removed: Sequence[RemovedCitation]) -> Iterator[str]:
    """What a model wrote and is not shown as fact, under its own headings; nothing where there is nothing."""
    if unsupported:
        yield "## Not supported by the cited source"
        yield "A model wrote this, and no record that it cites supports it. None of it is a fact of this text."
        yield "\n".join(
            f"- {escape(one.text)}\n  - in: {escape(one.section)}\n  - why: {escape(one.reason)}" for one in unsupported
        )
    if removed:
        yield "## Citations that were removed"
        yield "\n".join(f"- {code(one.text)} in {escape(one.section)}: {escape(one.reason)}" for one in removed)


def code(text: str) -> str:
    """Text from outside as code within a line, in a table too; empty where there is none."""
    plain = " ".join(text.split()).replace("`", "'").replace("|", "\\|")
    return f"`{plain}`" if plain else ""


def absence(answer: Answer) -> str:
    """What "nothing contradicts" rests on: a search, said as one (rule 6)."""
    asked = [record for record in answer.package.searches if record.status.answered]
    read = len(answer.package.items) + len(answer.package.excluded)
    if not asked:
        return "Not known: no source could be searched for opposing evidence."
    if not answer.direct and not answer.sections:
        return "No answer is given that could be contradicted. This reports a search; it is not evidence of agreement."
    sources = ", ".join(dict.fromkeys(record.source for record in asked))
    return (
        f"No record that opposes the answer was found among the {read} read from {sources}. "
        "This reports a search; it is not evidence of agreement."
    )


def _sentence(sentence: Sentence) -> str:
    cited = "".join(f"[{citation.n}]" for citation in sentence.citations)
    mark = f" *({CURATED})*" if any(citation.curated for citation in sentence.citations) else ""
    return f"{escape(sentence.text)} {cited}{mark}"


def reference_markdown(reference: Reference) -> str:
    """One entry of the reference list, its number first."""
    badges = " · ".join((reference.source_badge, *reference.quality_badges))
    status = "" if reference.retraction == "none" else f" **{reference.retraction.upper()}**"
    curated = f" *({CURATED}: the quoted words are ours, not the article's)*" if reference.curated else ""
    return (
        f"{reference.n}. {escape(reference.authors)} {escape(closed(reference.title))} "
        f"*{escape(reference.journal)}*. {reference.year}. <{reference.url}>{status}{curated}  \n"
        f"   {escape(metadata_line(reference))}  \n"
        f"   {badges}"
    )
