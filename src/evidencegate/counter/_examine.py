"""The way from a text to the case against its claims."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evidencegate.counter._claims import MOST_CLAIMS, counterfactual, main_claims
from evidencegate.counter._find import find
from evidencegate.counter._passages import NEAR, Read, around, candidates
from evidencegate.counter._propose import proposed
from evidencegate.counter._strength import strength
from evidencegate.counter._types import (
    NO_STATEMENT,
    Accepted,
    Counterfactual,
    CounterReport,
    Examined,
    Ground,
    Overrule,
    Rejected,
    Restored,
    Scored,
    Search,
    Strength,
    StrengthLevel,
)
from evidencegate.counter._validate import Verdict, validated
from evidencegate.documents import Quote, passages
from evidencegate.errors import BudgetExceeded
from evidencegate.evidence import Nearness, default_nearness
from evidencegate.models.language import LanguageModel
from evidencegate.models.stance import StanceModel, default_model
from evidencegate.runs import Run
from evidencegate.sources import SearchRecord, Source, Status

_ACCEPTED_SHOWN = 10
"""Accepted passages of one claim (spec: the best; strength counts them all)."""
SURE = 0.8
"""How sure a validation must be of a passage that was searched for: few of all that a library holds contradict a claim,
so that doubts weigh more than with a pair that somebody chose. Of what was accepted on 88 statements of four lists,
each read before anything was mended on it, 11 of 16 were right from 0.8 on and 4 of 11 below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """What reads. Only the stance model can accept, and only where `second` (if there is one) agrees."""

    nearness: Nearness
    stance: StanceModel
    second: LanguageModel | None = None

    @classmethod
    def local(cls, second: LanguageModel | None = None) -> "Readers":
        """The small models where they are installed, the rules alone else."""
        return cls(nearness=default_nearness(), stance=default_model(), second=second)


async def examine(
    text: str,
    *,
    sources: Sequence[Source],
    run: Run,
    readers: Readers,
    not_asked: Mapping[str, str] | None = None,
    statement: str = "",
    overrules: Sequence[Overrule] = (),
    limit: int = MOST_CLAIMS,
) -> CounterReport:
    """Find what contradicts the main claims of `text`, and prove that it does.

    With `statement`, the whole text is one claim and this its counterfactual. `overrules` are a user's decisions
    about passages of an earlier run. A claim without a statement is kept; a budget that runs out leaves the claims
    examined so far, marked.

    Raises:
        InvalidInput: there is no claim in the text.
    """
    chosen, others = main_claims(" ".join(text.split()) if statement.strip() else text, limit=limit)
    if statement.strip():
        chosen, others = chosen[:1], 0
    warnings: list[str] = []
    if others:
        warnings.append(f"{others} further claims of lower priority were not examined")
    examined: list[Examined] = []
    for position, claim in enumerate(chosen):
        try:
            made, warning = counterfactual(claim, readers.stance, given=statement)
            if readers.second is not None and not statement.strip():
                made, told = await proposed(made, readers.second, readers.stance, run)
                warning = warning or told
            warnings += [warning] if warning else []
            examined.append(await _one(made, sources, run, readers, overrules))
        except BudgetExceeded as error:
            warnings.append(f"partial: {error}; {len(chosen) - position} claims were not examined")
            break
        if made.statement is None:
            warnings.append(f"{made.id}: {NO_STATEMENT}")
    warnings += _failures(examined)
    return CounterReport(
        claims=tuple(examined),
        warnings=tuple(dict.fromkeys(warnings)),
        not_asked=tuple(
            SearchRecord(source=name, query="", status=Status.NOT_ASKED, reason=reason, asked_at=run.started_at)
            for name, reason in (not_asked or {}).items()
        ),
        run=run.id,
    )


async def _one(
    made: Counterfactual, sources: Sequence[Source], run: Run, readers: Readers, overrules: Sequence[Overrule]
) -> Examined:
    if made.statement is None:
        nothing = Strength(level=StrengthLevel.NOT_SEARCHED, confidence="unchanged", reasoning="no statement to search")
        return Examined(counterfactual=made, strength=nothing)
    run.event("counter", f"{made.id}: searching for “{made.shown}”", claim=made.id)
    haul = await find(made, sources, readers.nearness, run)
    reads = candidates(made, haul.documents, readers.nearness)
    near = [read for read in reads if read.near >= NEAR]
    verdicts = await validated(
        made,
        [(read.passage.text, around(read.record.document)) for read in near],
        readers.stance,
        run,
        second=readers.second,
    )
    accepted, rejected = _parted(near, verdicts)
    rejected += [_far(read) for read in reads if read.near < NEAR]
    rejected += [_withdrawn(record) for record in haul.documents if record.document.retracted and record.document.text]
    run.event("validated", f"{made.id}: {len(accepted)} passages accepted, {len(rejected)} rejected", claim=made.id)
    return _overruled(
        Examined(
            counterfactual=made,
            accepted=tuple(accepted[:_ACCEPTED_SHOWN]),
            rejected=tuple(rejected),
            strength=strength(accepted, rejected, searched=_searched(haul.searches)),
            searches=haul.searches,
            documents=len(haul.documents),
        ),
        overrules,
    )


def _searched(searches: Sequence[Search]) -> bool:
    return any(search.record.status.answered for search in searches)


def _parted(reads: Sequence[Read], verdicts: Sequence[Verdict]) -> tuple[list[Accepted], list[Rejected]]:
    """Accepted, the surest first, and rejected, the nearest first; one accepted passage of a record is enough."""
    contrary = {
        read.record.document.id for read, verdict in zip(reads, verdicts, strict=True) if verdict.supports_claim
    }
    accepted: dict[str, Accepted] = {}
    rejected: list[Rejected] = []
    pairs = sorted(zip(reads, verdicts, strict=True), key=lambda pair: (-pair[1].validation.confidence, -pair[0].near))
    for read, verdict in pairs:
        quote = Quote(read.passage, read.passage.span)
        key = read.record.document.id
        sure = verdict.validation.confidence >= SURE
        if verdict.validation and sure and key not in accepted:
            accepted[key] = Accepted(
                record=read.record,
                quote=quote,
                statement=verdict.statement,
                validation=verdict.validation,
                relevance=round(read.near, 4),
                summary=_summary(read, verdict),
                also_supports_claim=key in contrary,
            )
        elif not (verdict.validation and sure):
            unsure = f"is not sure enough among all that was searched: {verdict.validation.confidence:.2f} of {SURE}"
            rejected.append(
                Rejected(
                    record=read.record,
                    quote=quote,
                    reason=unsure if verdict.validation else verdict.validation.reason,
                    ground=verdict.ground or Ground.STANCE,
                    supports_claim=verdict.supports_claim,
                    confidence=verdict.validation.confidence,
                )
            )
    return list(accepted.values()), rejected


def _summary(read: Read, verdict: Verdict) -> str:
    """What we make of a passage, from the reasons of its reading."""
    grounds = [
        reason.detail
        for reason in verdict.validation.to_statement.reasons
        if reason.toward is not None and reason.toward.value == "supports" and "encoder" not in reason.detail
    ]
    said = f" ({grounds[0]})" if grounds else ""
    return f"Read as support for “{verdict.statement.text}”{said}; it does not support the claim."


def _far(read: Read) -> Rejected:
    reason = f"is about something else: {round(100 * read.near)} of 100 near to the statement"
    return Rejected(record=read.record, quote=Quote(read.passage, read.passage.span), reason=reason, ground=Ground.FAR)


def _withdrawn(record: Scored) -> Rejected:
    first = next(iter(passages(record.document)))
    return Rejected(
        record=record, quote=Quote(first, first.span), reason="the record is retracted", ground=Ground.RETRACTED
    )


def _overruled(examined: Examined, overrules: Sequence[Overrule]) -> Examined:
    """What a user decided: restored passages stand apart and count for nothing; dismissed ones are rejected."""
    mine = {overrule.document: overrule for overrule in overrules if overrule.claim == examined.id}
    if not mine:
        return examined
    restored, kept = [], []
    for rejected in examined.rejected:
        overrule = mine.get(rejected.record.document.id)
        if overrule and overrule.accept and not rejected.record.document.retracted:
            restored.append(Restored(rejected=rejected, overrule=overrule))
        else:
            kept.append(rejected)
    accepted, dismissed = [], []
    for one in examined.accepted:
        overrule = mine.get(one.record.document.id)
        if overrule is None or overrule.accept:
            accepted.append(one)
            continue
        dismissed.append(overrule)
        why = f"dismissed by the user: {overrule.note}"
        kept.append(Rejected(record=one.record, quote=one.quote, reason=why, ground=Ground.DISMISSED))
    return replace(
        examined,
        accepted=tuple(accepted),
        rejected=tuple(kept),
        restored=tuple(restored),
        dismissed=tuple(dismissed),
        strength=strength(accepted, kept, searched=_searched(examined.searches)),
    )


def _failures(examined: Sequence[Examined]) -> list[str]:
    found = []
    for one in examined:
        for search in one.searches:
            record = search.record
            if record.status is Status.PARTIAL:
                found.append(f"{record.source} answered in part: {record.reason}")
            elif not record.status.answered:
                found.append(f"{record.source} was not searched: {record.reason}")
    return found
