"""From a topic to a report: outline, sections side by side, and their assembly."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evidencegate.errors import BudgetExceeded, ModelError
from evidencegate.evidence import EvidencePackage, Image, Packs
from evidencegate.models.language import LanguageModel
from evidencegate.question import Edits, Question, understand
from evidencegate.report import _remarks as remarks
from evidencegate.report._against import Opposition, opposing
from evidencegate.report._ask import contradicting, evidence_warnings
from evidencegate.report._assembler import Assembler
from evidencegate.report._closing import Closings, close, local_closings
from evidencegate.report._draft import Draft, fresh, numbering
from evidencegate.report._engine import Engine
from evidencegate.report._extract import Candidate
from evidencegate.report._gate_sentence import Gate, valid
from evidencegate.report._gathered import Gathered, gathered
from evidencegate.report._outline import MOST_SECTIONS, Planned, given, outline
from evidencegate.report._outside import Outside, pictured
from evidencegate.report._refused import RemovedCitation, Unsupported
from evidencegate.report._report_types import Closing, Report, ReportSection
from evidencegate.report._sections import Read, extracted, opening, paragraphs, read, searched
from evidencegate.report._types import Audience
from evidencegate.report._writer import Passed, Writer, excerpt
from evidencegate.runs import Run
from evidencegate.sources import Source

RECORDS = 30
"""Records asked of each source for each search of a section."""
AT_ONCE = 8
"""Sections worked on side by side."""
_LEAST_PLANNED = 4
_PARAGRAPH = 5
"""Sentences of a written section in one paragraph."""


@dataclass(frozen=True, slots=True)
class _Section:
    """A section with its text, not yet numbered."""

    read: Read
    drafts: tuple[Draft, ...]
    refused: tuple[Unsupported, ...] = ()
    removed: tuple[RemovedCitation, ...] = ()
    hidden: int = 0
    """Sentences no reader should see: instructions, leaked prompts."""
    notes: tuple[str, ...] = ()
    written_by: str = "local"


async def write_report(
    topic: str,
    *,
    sources: Sequence[Source],
    not_asked: Mapping[str, str],
    packs: Packs,
    run: Run,
    engine: Engine,
    audience: Audience = Audience.PROFESSIONAL,
    outside: Outside | None = None,
    model: LanguageModel | None = None,
    headings: Sequence[str] | None = None,
    drop_unsupported: bool = False,
    model_seconds: float = 120.0,
    at_once: int = AT_ONCE,
    edits: Edits | None = None,
    full_text: bool = False,
) -> Report:
    """A report on a topic, in sections with their own searches.

    `headings` is the outline; without it `model` gives one, and rules where it does not. Without `model`, or where it
    fails, a section holds its records' own sentences. What a model writes is shown only where the records it cites
    support it; the rest is written anew once, then listed as not supported, or dropped with `drop_unsupported`.
    `edits` is what a reader changed of how the topic was understood. With `full_text` the open articles among the
    records chosen for the whole topic are read as a whole. Everything that reaches outside is a step of
    `run`.

    Raises:
        InvalidInput: the topic or the outline cannot be worked on.
    """
    question = understand(topic, edits=edits)
    writer = None if model is None else Writer(model=model, run=run, seconds=model_seconds)
    plans, warnings = await _planned(question, headings, writer)
    run.event("outline", f"{len(plans)} sections: {'; '.join(plan.heading for plan in plans)}")
    results, images = await asyncio.gather(
        searched(plans, sources, run, limit=RECORDS, at_once=at_once), pictured(question, outside, run)
    )
    assembler = Assembler.of(run, engine, packs, not_asked)
    evidence = await gathered(question, plans, results, assembler, outside, run, full_text=full_text)
    doses = audience is Audience.PROFESSIONAL
    reads = _one_text(
        [_read(plan, own, engine, run, doses=doses) for plan, own in zip(plans, evidence.sections, strict=True)]
    )
    sections = await _written(reads, question.text, writer, engine, run, doses=doses, at_once=at_once)
    closings = await _closed(sections, question, writer, engine, doses=doses)
    return _assembled(
        evidence,
        sections,
        closings,
        engine=engine,
        drop=drop_unsupported,
        warnings=(*warnings, *evidence.warnings),
        images=images,
        run=run,
        writer=model.name if model else "local",
    )


async def _planned(
    question: Question, headings: Sequence[str] | None, writer: Writer | None
) -> tuple[tuple[Planned, ...], list[str]]:
    if headings is not None:
        return given(question, headings), []
    if writer is not None:
        try:
            named = await writer.outline(question.text, least=_LEAST_PLANNED, most=MOST_SECTIONS)
            if named:
                return given(question, named), []
            failure = "it named no section"
        except (ModelError, BudgetExceeded) as error:
            failure = str(error)
        return outline(question), [f"The outline was made by rules: {failure}"]
    return outline(question), []


def _one_text(reads: Sequence[Read]) -> list[Read]:
    """Each record with one text in the whole report, so that every quote stands in the text that is shown."""
    texts: dict[str, str] = {}
    kept: list[Read] = []
    for section in reads:
        for item in section.items:
            texts.setdefault(item.document.id, item.document.text)
        same = {item.document.id for item in section.items if texts[item.document.id] == item.document.text}
        kept.append(
            Read(
                section.plan,
                section.package,
                tuple(item for item in section.items if item.document.id in same),
                tuple(c for c in section.ranked if c.item.document.id in same),
            )
        )
    return kept


def _read(plan: Planned, package: EvidencePackage, engine: Engine, run: Run, *, doses: bool) -> Read:
    section = read(plan, package, engine, doses=doses)
    run.event("read", f"“{plan.heading}”: {len(section.items)} records that it may cite", heading=plan.heading)
    return section


def _tell(run: Run, section: _Section) -> None:
    """A finished section for whoever watches; its citations have no numbers before all sections are done."""
    heading = section.read.plan.heading
    run.event(
        "section",
        f"“{heading}” is written: {len(section.drafts)} sentences",
        heading=heading,
        sentences=[{"text": draft.text, "documents": list(draft.documents)} for draft in section.drafts],
    )


async def _written(
    reads: Sequence[Read], topic: str, writer: Writer | None, engine: Engine, run: Run, *, doses: bool, at_once: int
) -> list[_Section]:
    """Every section's text: by the model where there is one, side by side; else in the records' own words."""
    turn = asyncio.Semaphore(at_once)

    async def one(section: Read) -> _Section | None:
        if writer is None or not section.items:
            return None
        async with turn:
            text = await _by_model(section, topic, writer, engine, doses=doses)
        if text.drafts:
            _tell(run, text)
        return text

    proposed = await asyncio.gather(*map(one, reads))
    shown: list[Draft] = []
    passed: list[tuple[Draft, ...]] = []
    for text in proposed:
        passed.append(tuple(fresh(text.drafts, shown)) if text else ())
        shown += passed[-1]
    # Where nothing of a section passed the records' own sentences stand, and what was refused is listed as ever.
    waiting = [section for section, drafts in zip(reads, passed, strict=True) if not drafts]
    own = iter(extracted(waiting, shown))
    return [
        replace(text, drafts=drafts) if text and drafts else _local(section, text, tuple(next(own)), run)
        for section, text, drafts in zip(reads, proposed, passed, strict=True)
    ]


def _local(section: Read, text: _Section | None, drafts: tuple[Draft, ...], run: Run) -> _Section:
    made = replace(text or _Section(section, ()), drafts=drafts, written_by="local")
    _tell(run, made)
    return made


async def _by_model(section: Read, topic: str, writer: Writer, engine: Engine, *, doses: bool) -> _Section:
    heading = section.plan.heading
    gate = Gate(heading, valid(section.items), engine, doses=doses)
    excerpts = {n: excerpt(item) for n, item in gate.items.items()}
    try:
        passed = await writer.section(topic, heading, gate, excerpts)
    except (ModelError, BudgetExceeded) as error:
        return _Section(section, (), notes=(f"{heading}: written by the local engine, as the model failed: {error}",))
    notes = passed.notes
    if not passed.drafts:
        notes = (*notes, f"{heading}: nothing that the model wrote is supported; the records' own sentences stand.")
    refused, hidden = _listed(heading, passed)
    return _Section(section, passed.drafts, refused, tuple(gate.removed), hidden, notes, writer.model.name)


def _listed(heading: str, passed: Passed) -> tuple[tuple[Unsupported, ...], int]:
    refused = tuple(
        Unsupported(text=one.text, section=heading, reason=one.reason) for one in passed.refused if one.shown
    )
    return refused, sum(not one.shown for one in passed.refused)


async def _closed(
    sections: Sequence[_Section], question: Question, writer: Writer | None, engine: Engine, *, doses: bool
) -> Closings:
    told = [(section.read.plan.heading, section.drafts) for section in sections if section.drafts]
    candidates = [candidate for section in sections for candidate in section.read.ranked]
    leads = [_lead(section) for section in sections if section.drafts]
    closings = local_closings(leads, [draft for _, drafts in told for draft in drafts], candidates)
    if writer is None or not told:
        return closings
    return await close(closings, question.text, told, writer, engine, doses=doses)


def _lead(section: _Section) -> Draft:
    """The sentence of a section that is nearest to what it is about; of a written one the first."""
    by_text = {draft.text: draft for draft in section.drafts}
    return next((by_text[c.text] for c in section.read.ranked if c.text in by_text), section.drafts[0])


def _assembled(
    evidence: Gathered,
    sections: Sequence[_Section],
    closings: Closings,
    *,
    engine: Engine,
    drop: bool,
    warnings: Sequence[str],
    images: tuple[Image, ...],
    run: Run,
    writer: str,
) -> Report:
    """Everything numbered in order of citation, and what the report says of itself."""
    whole = evidence.whole
    against = _opposed(whole, sections, closings, engine)
    parts = closings.drafts
    shown = [
        *parts["abstract"],
        *(draft for section in sections for draft in section.drafts),
    ]
    after = [*parts["discussion"], *parts["conclusion"]]
    references, numbers = numbering(
        [
            *(s.item for draft in shown for s in draft.support),
            *(opposition.candidate.item for opposition in against),
            *(s.item for draft in after for s in draft.support),
        ]
    )
    made = tuple(_section(section, numbers) for section in sections)
    contradictory = tuple(contradicting(opposition, numbers) for opposition in against)
    refused = (*(one for section in sections for one in section.refused), *closings.refused)
    dropped = len(refused) * drop + sum(section.hidden for section in sections) + closings.hidden
    levels = {s.item.document.id: s.item.level for draft in shown for s in draft.support}
    notes = (*warnings, *(note for section in sections for note in section.notes), *closings.notes)
    return Report(
        package=whole,
        sufficiency=evidence.sufficiency,
        abstract=_closing(remarks.abstract(whole.question.text, made, references), parts["abstract"], numbers),
        introduction=Closing(remarks=remarks.introduction(whole, made)),
        sections=made,
        contradictory=contradictory,
        discussion=_closing(
            remarks.discussion(made, contradictory, len(references), list(levels.values())),
            parts["discussion"],
            numbers,
        ),
        limitations=remarks.limitations(
            whole,
            evidence.sufficiency,
            references,
            unsupported=0 if drop else len(refused),
            dropped=dropped,
            partial=run.short,
        ),
        conclusion=_closing(
            remarks.conclusion(made, evidence.sufficiency, says=bool(parts["conclusion"])), parts["conclusion"], numbers
        ),
        methods=remarks.methods(whole.searches, made, writer),
        references=references,
        fallback=evidence.fallback,
        not_supported=() if drop else refused,
        removed_citations=(*(one for section in sections for one in section.removed), *closings.removed),
        dropped=dropped,
        warnings=tuple(dict.fromkeys((*notes, *evidence_warnings(whole, references), *_thin(made)))),
        images=images,
        writer=writer,
        run=run.id,
        partial=run.short,
    )


def _opposed(
    whole: EvidencePackage, sections: Sequence[_Section], closings: Closings, engine: Engine
) -> tuple[Opposition, ...]:
    """What speaks against the report's main findings, among all records that its sections may cite."""
    main = [
        Candidate(draft.support[0].item, draft.support[0].quote, draft.text, 1.0, 1.0)
        for draft in closings.drafts["abstract"]
    ]
    items = {item.document.id: item for section in sections for item in section.read.items}
    return opposing(whole.question, main, list(items.values()), engine)


def _section(section: _Section, numbers: Mapping[str, int]) -> ReportSection:
    plan = section.read.plan
    groups = paragraphs(section.drafts) if section.written_by == "local" else _chunked(section.drafts)
    return ReportSection(
        heading=plan.heading,
        query=plan.query,
        opening=opening(section.read, section.drafts),
        paragraphs=tuple(tuple(draft.numbered(numbers) for draft in group) for group in groups),
        written_by=section.written_by,
    )


def _chunked(drafts: Sequence[Draft]) -> tuple[tuple[Draft, ...], ...]:
    return tuple(tuple(drafts[i : i + _PARAGRAPH]) for i in range(0, len(drafts), _PARAGRAPH))


def _closing(said: tuple[str, ...], drafts: Sequence[Draft], numbers: Mapping[str, int]) -> Closing:
    return Closing(remarks=said, sentences=tuple(draft.numbered(numbers) for draft in drafts))


def _thin(sections: Sequence[ReportSection]) -> list[str]:
    return [f"{section.heading}: rests on a single record." for section in sections if section.density.low]
