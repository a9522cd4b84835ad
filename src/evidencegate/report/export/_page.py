"""An answer as headed parts of plain lines: what the paged formats (PDF, DOCX) set, each in its own way."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evidencegate.documents import RetractionStatus
from evidencegate.report._markdown import CURATED, NOTICE, absence
from evidencegate.report._references import closed, metadata_line
from evidencegate.report._refused import RemovedCitation, Unsupported
from evidencegate.report._report_types import Closing, Report
from evidencegate.report._types import Answer, Reference, Sentence
from evidencegate.report.export._entry import clean
from evidencegate.sources import SearchRecord

_NOTHING = "No evidence was found that answers this question. The searches below say where was looked."


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One point of a list."""

    text: str
    cited: tuple[int, ...] = ()
    mark: str = ""
    """What must stand beside it: that the words are ours."""
    aside: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A heading with what stands under it."""

    heading: str
    lines: tuple[Line, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One reference; its title is linked to the article."""

    n: int
    authors: str
    title: str
    """With its full stop."""
    place: str
    url: str
    line: str
    badges: str
    status: str
    mark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The whole answer."""

    title: str
    notice: str
    parts: tuple[Part, ...]
    references: tuple[Entry, ...]
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As JSON, for a template."""
        return asdict(self)


def page(answer: Answer | Report) -> Page:
    """`answer` in the order in which every format shows it. All text is free of what no file can hold."""
    if isinstance(answer, Report):
        return _report(answer)
    sufficiency = answer.sufficiency
    against = tuple(_line(c.sentence, aside=f"Speaks against: {clean(c.against)}") for c in answer.contradictory)
    parts = (
        _said("Answer", answer.direct, _NOTHING),
        *(_said(clean(section.heading), section.sentences, "") for section in answer.sections),
        Part(heading="What contradicts this", lines=against, text="" if against else clean(absence(answer))),
        Part(
            heading=f"Sufficiency: {sufficiency.score:.0f} of 100 ({sufficiency.level})",
            lines=tuple(Line(text=clean(reason)) for reason in sufficiency.reasons),
        ),
        Part(heading="Searches", lines=tuple(Line(text=_search(record)) for record in answer.package.searches)),
        *_refused(answer.not_supported, answer.removed_citations),
    )
    return Page(
        title=clean(answer.package.question.text),
        notice=NOTICE,
        parts=parts,
        references=tuple(_entry(reference) for reference in answer.references),
        warnings=tuple(clean(warning) for warning in answer.warnings),
    )


def _report(report: Report) -> Page:
    against = tuple(_line(c.sentence, aside=f"Speaks against: {clean(c.against)}") for c in report.contradictory)
    parts = (
        _closing("Abstract", report.abstract),
        _closing("Introduction", report.introduction),
        *(
            Part(heading=clean(f"{k}. {s.heading}"), text=clean(s.opening), lines=tuple(map(_line, s.sentences)))
            for k, s in enumerate(report.sections, start=1)
        ),
        Part(heading="Contradictory evidence", lines=against),
        _closing("Discussion", report.discussion),
        Part(heading="Limitations", lines=tuple(Line(text=clean(line)) for line in report.limitations)),
        _closing("Conclusion", report.conclusion),
        Part(
            heading="Methods",
            text=clean(" ".join(report.methods)),
            lines=tuple(Line(text=_search(record)) for record in report.package.searches),
        ),
        *_refused(report.not_supported, report.removed_citations),
    )
    return Page(
        title=clean(report.topic),
        notice=NOTICE,
        parts=tuple(part for part in parts if part.lines or part.text),
        references=tuple(_entry(reference) for reference in report.references),
        warnings=tuple(clean(warning) for warning in report.warnings),
    )


def _refused(unsupported: Sequence[Unsupported], removed: Sequence[RemovedCitation]) -> tuple[Part, ...]:
    """What a model wrote and is no fact; nothing where there is nothing."""
    said = tuple(Line(text=clean(one.text), aside=clean(f"In {one.section}: {one.reason}")) for one in unsupported)
    gone = tuple(Line(text=clean(f"{one.text} in {one.section}: {one.reason}")) for one in removed)
    parts = (
        Part(heading="Not supported by the cited source", lines=said),
        Part(heading="Citations that were removed", lines=gone),
    )
    return tuple(part for part in parts if part.lines)


def _closing(heading: str, part: Closing) -> Part:
    return Part(heading=heading, text=clean(" ".join(part.remarks)), lines=tuple(map(_line, part.sentences)))


def _said(heading: str, sentences: tuple[Sentence, ...], otherwise: str) -> Part:
    return Part(heading=heading, lines=tuple(map(_line, sentences)), text="" if sentences else otherwise)


def _line(sentence: Sentence, aside: str = "") -> Line:
    curated = any(citation.curated for citation in sentence.citations)
    return Line(
        text=clean(sentence.text),
        cited=tuple(dict.fromkeys(citation.n for citation in sentence.citations)),
        mark=CURATED if curated else "",
        aside=aside,
    )


def _search(record: SearchRecord) -> str:
    reason = f" ({record.reason})" if record.reason else ""
    query = f" for “{record.query}”" if record.query else ""
    return clean(f"{record.source}: {record.status}, {record.records} records{reason}{query}")


def _entry(reference: Reference) -> Entry:
    withdrawn = reference.retraction is not RetractionStatus.NONE
    return Entry(
        n=reference.n,
        authors=clean(reference.authors),
        title=closed(clean(reference.title)),
        place=clean(f"{reference.journal}. {reference.year}."),
        url=str(reference.url),
        line=clean(metadata_line(reference)),
        badges=" · ".join((reference.source_badge, *reference.quality_badges)),
        status=reference.retraction.replace("_", " ").upper() if withdrawn else "",
        mark=f"{CURATED}: the quoted words are ours, not the article's" if reference.curated else "",
    )
