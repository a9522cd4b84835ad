"""What a report says of itself: what was asked, searched, read and left out. Written by code, never by a model."""

from collections.abc import Iterable, Sequence

from evidencegate.evidence import EvidencePackage, Level, Sufficiency
from evidencegate.report._report_types import ReportSection
from evidencegate.report._sections import designs
from evidencegate.report._types import Contradiction, Reference
from evidencegate.sources import SearchRecord

_ABSTRACTS_ONLY = 0.5


def abstract(topic: str, sections: Sequence[ReportSection], references: Sequence[Reference]) -> tuple[str, ...]:
    """What the report covers and how much it rests on."""
    answered = [section for section in sections if section.sentences]
    if not answered:
        return (f"No relevant research on “{topic}” was found; the searches below say where was looked.",)
    return (
        f"This report answers “{topic}” in {_count(len(sections), 'section')} from "
        f"{_count(len(references), 'reference')}.",
    )


def introduction(package: EvidencePackage, sections: Sequence[ReportSection]) -> tuple[str, ...]:
    """What was asked, and in what order it is answered."""
    pico = package.question.pico
    parts = {
        "population": pico.patient or pico.condition,
        "intervention": pico.intervention,
        "comparison": pico.comparison or "",
        "outcome": pico.outcome,
    }
    named = [f"{name}: {value}" for name, value in parts.items() if value]
    order = "; ".join(section.heading for section in sections)
    return (
        f"The topic is “{package.question.text}”." + (f" It was read as {'; '.join(named)}." if named else ""),
        f"Each section below was searched for on its own, in this order: {order}.",
    )


def methods(searches: Iterable[SearchRecord], sections: Sequence[ReportSection], writer: str) -> tuple[str, ...]:
    """How the report was made."""
    logged = list(searches)
    sources = list(dict.fromkeys(record.source for record in logged if record.status.answered))
    days = sorted({record.asked_at[:10] for record in logged if record.asked_at})
    when = "" if not days else f" on {days[0]}" if len(days) == 1 else f" between {days[0]} and {days[-1]}"
    asked = f"Searched were {', '.join(sources)}{when}." if sources else "No source could be searched."
    written = (
        "The sentences are those of the records, word for word."
        if writer == "local"
        else f"The sentences were proposed by {writer}; each is shown only where a literal quote of the record "
        "it cites supports it, by the same check for all."
    )
    return (
        asked,
        f"Each of the {_count(len(sections), 'section')} had its own search; records on another topic, without an "
        "address that opens the article, or retracted were excluded, and the rest ranked by topic, text, design of the "
        "study and date.",
        written,
    )


def discussion(
    sections: Sequence[ReportSection], contradictory: Sequence[Contradiction], references: int, levels: Sequence[Level]
) -> tuple[str, ...]:
    """What the evidence is made of, where it is thin, and whether it agrees."""
    if not references:
        return ("There is no evidence to discuss.",)
    remarks = [f"What is reported here rests on {designs(levels)}."]
    thin = [section.heading for section in sections if section.density.low]
    empty = [section.heading for section in sections if section.empty]
    if thin:
        remarks.append(f"On {_listed(thin)} a single record speaks; this should be read with care.")
    if empty:
        remarks.append(
            f"On {_listed(empty)} nothing relevant was found, which is not evidence that there is no effect."
        )
    verb = "opposes" if len(contradictory) == 1 else "oppose"
    remarks.append(
        f"{_count(len(contradictory), 'record')} among those found {verb} "
        "a statement above; both sides are shown under Contradictory evidence."
        if contradictory
        else "No record among those found opposes the statements above; this reports a search and is not evidence of "
        "agreement."
    )
    return tuple(remarks)


def limitations(
    package: EvidencePackage,
    sufficiency: Sufficiency,
    references: Sequence[Reference],
    *,
    unsupported: int,
    dropped: int,
    partial: bool,
) -> tuple[str, ...]:
    """What a reader must bear in mind."""
    found: list[str] = [
        f"The evidence was found {sufficiency.level} (sufficiency {sufficiency.score:.0f} of 100).",
    ]
    failed = [r.source for r in package.searches if not r.status.answered]
    if failed:
        found.append(f"Not searched, or not to the end: {', '.join(dict.fromkeys(failed))}; see the search log.")
    short = sum(not reference.document.full_text for reference in references)
    if references and short >= _ABSTRACTS_ONLY * len(references):
        found.append(f"Of {short} of {len(references)} references only the abstract or a summary was read.")
    if any(reference.curated for reference in references):
        found.append("Some quotes are from our own curated summaries and are marked so.")
    if unsupported:
        found.append(
            f"{_count(unsupported, 'sentence')} that a model wrote did not pass and are listed as not supported."
        )
    if dropped:
        found.append(f"{_count(dropped, 'sentence')} that a model wrote did not pass and were dropped.")
    if partial:
        found.append("The budget of this run was used up before everything was done.")
    found.append("Risk of bias in the single studies was not assessed, and only texts in English were read.")
    return tuple(found)


def conclusion(sections: Sequence[ReportSection], sufficiency: Sufficiency, *, says: bool) -> tuple[str, ...]:
    """How far the evidence carries."""
    if not any(section.sentences for section in sections):
        return ("Nothing can be concluded from these searches.",)
    lead = "" if says else "The findings of the sections stand as stated there, with their sources. "
    return (f"{lead}Taken together the evidence is {sufficiency.level} for an answer.",)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _listed(headings: Sequence[str]) -> str:
    quoted = [f"“{heading}”" for heading in headings]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
