"""What speaks against the answer, among the records that were found."""

from collections.abc import Sequence
from dataclasses import dataclass

from evidencegate.evidence import EvidenceItem, Finding, conflicts
from evidencegate.models.stance import Stance
from evidencegate.question import Question
from evidencegate.report._engine import Engine
from evidencegate.report._extract import Candidate, candidates

_READ = 8
"""Sentences of other records that are held against each sentence of the answer."""


@dataclass(frozen=True, slots=True)
class Opposition:
    """A sentence of a record that opposes a sentence of the answer."""

    against: Candidate
    candidate: Candidate
    stance: Stance
    """Towards `against`."""
    weight: str
    """How the two weigh against each other by design, in words."""


def opposing(
    question: Question, direct: Sequence[Candidate], items: Sequence[EvidenceItem], engine: Engine
) -> tuple[Opposition, ...]:
    """The sentences that oppose the answer, surest first, one for each record."""
    if not direct:
        return ()
    ranked = candidates(items, question.text, engine.relevance)
    near: dict[str, Candidate] = {}
    for candidate in ranked:
        if len(near) == _READ:
            break
        if candidate not in direct:
            near.setdefault(f"{candidate.item.document.id}:{candidate.quote.span}", candidate)
    shown = {(c.item.document.id, c.quote.span): c for c in direct}
    others = {(c.item.document.id, c.quote.span): c for c in near.values()}
    findings = [Finding(c.item, c.quote) for c in (*shown.values(), *others.values())]
    stances: dict[tuple[str, str], Stance] = {}

    def judge(pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        judged = engine.stance.judge(pairs)
        stances.update(zip(pairs, judged, strict=True))
        return judged

    found: dict[str, Opposition] = {}
    for conflict in conflicts(findings, judge):
        for mine, theirs in ((conflict.first, conflict.second), (conflict.second, conflict.first)):
            against = shown.get((mine.item.document.id, mine.quote.span))
            other = others.get((theirs.item.document.id, theirs.quote.span))
            if against is not None and other is not None:
                stance = stances[mine.quote.text, theirs.quote.text]
                found.setdefault(theirs.item.document.id, Opposition(against, other, stance, conflict.explanation))
    return tuple(found.values())
