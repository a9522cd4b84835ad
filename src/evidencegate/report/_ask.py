"""From a question to an answer: the whole path, once."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evidencegate.documents import Document, Notice, RetractionStatus
from evidencegate.evidence import (
    EvidenceItem,
    EvidencePackage,
    Fallback,
    Packs,
    fallback_decision,
    misses_interventions,
    score,
    select,
    sought,
    with_whole_texts,
)
from evidencegate.models.language import LanguageModel
from evidencegate.question import Category, Edits, Question, understand
from evidencegate.report._against import Opposition, opposing
from evidencegate.report._assembler import Assembler
from evidencegate.report._draft import Draft, fresh, numbering, quoted
from evidencegate.report._engine import Engine
from evidencegate.report._extract import Candidate, Group, extract
from evidencegate.report._outside import Outside, last_resort, pictured, standing
from evidencegate.report._references import reference_list
from evidencegate.report._types import Answer, Audience, Citation, Contradiction, Reference, Section, Sentence
from evidencegate.report._whole_texts import whole_texts
from evidencegate.report._write_answer import WrittenAnswer, written_answer
from evidencegate.report._writer import Writer
from evidencegate.runs import Run
from evidencegate.sources import SearchResult, Source, Status, search

RECORDS = 30
"""Records asked of each source for each sub-query."""
PARTIAL = "Partial: the budget of this run was used up before every source was searched to the end."
_UNWRITTEN = WrittenAnswer()
_HEADINGS = {
    Category.CORE_DECISION: "On the decision itself",
    Category.COMPLICATIONS: "On complications and safety",
    Category.DURATION_MONITORING: "On duration and monitoring",
    Category.ALTERNATIVES: "On alternatives",
}


async def ask(
    text: str,
    *,
    sources: Sequence[Source],
    not_asked: Mapping[str, str],
    packs: Packs,
    run: Run,
    engine: Engine,
    audience: Audience = Audience.PROFESSIONAL,
    outside: Outside | None = None,
    model: LanguageModel | None = None,
    edits: Edits | None = None,
    full_text: bool = False,
) -> Answer:
    """Answer a question, as it is understood by rules and by what a reader changed of that (`edits`).

    `sources` are asked; `not_asked` names others and says why not, for the log (rule 6). `outside` is asked for the
    fallback, current notices and images; None where the network is not to be asked for them. `model` writes the
    direct answer, which is shown as far as its citations support it; without one it is made of the records' own
    sentences. With `full_text` the open articles among the records chosen are read as a whole. Everything that
    reaches outside is a step of `run`, so the same run gives the same answer again.

    Raises:
        InvalidInput: the text is not a question that can be worked on.
    """
    question = understand(text, edits=edits)
    run.event("question", f"understood as {question.classification.name}: {', '.join(_topics(question))}")
    searched, images = await asyncio.gather(search_all(question, sources, run), pictured(question, outside, run))
    assembler = Assembler.of(run, engine, packs, not_asked)
    results = searched
    package = assembler(question, results)
    sufficiency = score(package)
    run.event("evidence", f"{len(package.items)} records chosen, sufficiency {sufficiency.score:.0f} of 100")
    fallback, more = await last_resort(fallback_decision(sufficiency, question, packs), question, outside, run)
    run.event("fallback", fallback.reason)
    if more:
        results = (*results, *more)
        package = assembler(question, results)

    def again(found: Sequence[SearchResult], notices: Mapping[str, tuple[Notice, ...]]) -> list[Document]:
        nonlocal package
        package = assembler(question, found, notices)
        return [item.document for item in select(package)]

    now = await standing([item.document for item in select(package)], results, outside, run, again)
    warnings = now.warnings
    if full_text:
        texts, unread = await whole_texts(package, outside, run)
        package, warnings = with_whole_texts(package, texts), (*warnings, *unread)
    written = _UNWRITTEN
    if model is not None:
        doses = audience is Audience.PROFESSIONAL
        writer = Writer(model=model, run=run)
        written = await written_answer(question.text, readable(package), writer, engine, doses=doses)
    answer = compose(package, fallback, engine, audience=audience, run=run.id, written=written)
    marked = (PARTIAL,) if run.short else ()
    return replace(answer, images=images, warnings=(*marked, *answer.warnings, *warnings), partial=run.short)


async def search_all(question: Question, sources: Sequence[Source], run: Run) -> tuple[SearchResult, ...]:
    """What every source has for every sub-query, each told to who watches."""
    for source in sources:
        run.event("search", f"searching {source.name}", source=source.name)
    return await search(question, sources, limit=RECORDS, run=run)


def compose(
    package: EvidencePackage,
    fallback: Fallback,
    engine: Engine,
    *,
    audience: Audience,
    run: str,
    written: WrittenAnswer = _UNWRITTEN,
) -> Answer:
    """The answer from ranked evidence: what was `written` and passed, else in the records' own words.

    How sufficient the evidence is, is judged with what is said: records that answer nothing are not enough.
    """
    items = readable(package)
    found, groups = extract(package.question, items, engine.relevance, doses=audience is Audience.PROFESSIONAL)
    direct, main = [quoted(candidate) for candidate in found], list(found)
    if written.drafts:
        direct = list(written.drafts)
        main = [Candidate(d.support[0].item, d.support[0].quote, d.text, 1.0, 1.0) for d in direct]
    parts = [(group, fresh(map(quoted, group.candidates), direct)) for group in groups]
    against = opposing(package.question, main, items, engine)
    references, numbers = numbering(
        [
            *(s.item for draft in (*direct, *(d for _, drafts in parts for d in drafts)) for s in draft.support),
            *(opposition.candidate.item for opposition in against),
        ]
    )
    return Answer(
        package=package,
        sufficiency=score(package, said=[(d.text, s.item.document.title) for d in direct for s in d.support]),
        direct=tuple(draft.numbered(numbers) for draft in direct),
        sections=tuple(_section(group, drafts, numbers) for group, drafts in parts if drafts),
        contradictory=tuple(contradicting(opposition, numbers) for opposition in against),
        references=references,
        fallback=fallback,
        warnings=(*written.notes, *evidence_warnings(package, references)),
        not_supported=written.refused,
        removed_citations=written.removed,
        run=run,
    )


def readable(package: EvidencePackage) -> list[EvidenceItem]:
    """The records that are read for an answer: the selected ones that can be cited.

    Where interventions are asked about, only those that name one: what helps otherwise is no answer, and where
    nothing else was found there is none.
    """
    chosen = select(package)
    citable = {reference.document.id for reference in reference_list(chosen)[0]}
    return [item for item in chosen if item.document.id in citable and not misses_interventions(package.question, item)]


def contradicting(opposition: Opposition, numbers: Mapping[str, int]) -> Contradiction:
    """A sentence that opposes another, with the numbers of the final list."""
    candidate = opposition.candidate
    cited = Citation(n=numbers[candidate.item.document.id], quote=candidate.quote, stance=opposition.stance)
    return Contradiction(
        against=opposition.against.text,
        sentence=Sentence(text=candidate.text, citations=(cited,)),
        weight=opposition.weight,
    )


def _section(group: Group, drafts: Sequence[Draft], numbers: Mapping[str, int]) -> Section:
    return Section(
        heading=_HEADINGS[group.category],
        query=group.query,
        sentences=tuple(draft.numbered(numbers) for draft in drafts),
    )


def evidence_warnings(package: EvidencePackage, references: Sequence[Reference]) -> list[str]:
    """What a reader must know: words read otherwise than written, who did not answer, what is curated or withdrawn."""
    warnings = [str(spelling) for spelling in package.question.spelling]
    for record in package.searches:
        if record.status is Status.PARTIAL:
            warnings.append(f"{record.source} answered in part: {record.reason}")
        elif not record.status.answered and record.status is not Status.NOT_ASKED:
            warnings.append(f"{record.source} was not searched: {record.reason}")
    warnings = list(dict.fromkeys(warnings))
    asked = sought(package.question)
    if package.items and all(misses_interventions(package.question, item) for item in package.items):
        warnings.append(
            f"No record that was found names what was asked about ({', '.join(asked)}): "
            "what was found on the same topic is no answer to it."
        )
    if any(reference.curated for reference in references):
        warnings.append(
            "Sentences marked as curated summary quote our own summary of a guideline or trial, not the article itself."
        )
    for excluded in package.excluded:
        if excluded.document.retracted:
            warnings.append(f"Left out, retracted: {excluded.document.title} ({excluded.document.id})")
    for reference in references:
        if reference.retraction is not RetractionStatus.NONE:
            warnings.append(f"[{reference.n}] carries a notice: {reference.retraction.replace('_', ' ')}")
    return warnings


def _topics(question: Question) -> tuple[str, ...]:
    return question.disease_tags.all or question.intervention_terms or question.decision_tags.all
