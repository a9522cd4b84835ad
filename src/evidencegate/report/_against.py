"""What speaks against the answer, among the records that were found: shown only where it is proved (rule 5)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evidencegate.counter import Statement, Verdict, judged, opposing_all, statements
from evidencegate.evidence import Conflict, EvidenceItem, Finding, content
from evidencegate.models.stance import Label, Stance
from evidencegate.question import Question
from evidencegate.report._engine import Engine
from evidencegate.report._extract import Candidate, candidates
from evidencegate.report._one_matter import both_name_outcome, one_matter, written
from evidencegate.report._opposed import can_oppose

_READ = 12
"""Sentences of other records that are held against the answer, of those that may contradict it by their wording."""
_PAIRS = 12
"""Pairs that are judged, those that share most words first: each is read several times."""
_STATEMENTS = 3
"""Counterfactual statements of one sentence of the answer."""


@dataclass(frozen=True, slots=True)
class Opposition:
    """A sentence of a record that opposes a sentence of the answer."""

    against: Candidate
    candidate: Candidate
    stance: Stance
    """Towards `against`: it refutes."""
    weight: str
    """How the two weigh against each other by design, in words."""


def opposing(
    question: Question, direct: Sequence[Candidate], items: Sequence[EvidenceItem], engine: Engine
) -> tuple[Opposition, ...]:
    """The sentences that contradict the answer, surest first, one for each record.

    A sentence of another record contradicts one of the answer if both name the same treatments and an outcome in
    common, or what the question asks about and its outcome; if what they tell of it cannot both hold; and if it
    supports a counterfactual statement of the answer's sentence and refutes the sentence itself. Both are read with
    their records' abbreviations written out.
    A sentence of the answer may contradict one before it: that the answer says both does not make them agree.
    """
    if not direct:
        return ()
    made = _counterfactuals(direct, engine)
    others = _others(question, direct, items, engine)
    found: list[tuple[float, Opposition]] = []
    for number, others_read in _pairs(question, direct, made, others).items():
        against = direct[number]
        verdicts = judged(written(against), made[number], [written(other) for other in others_read], engine.stance)
        for other, verdict in zip(others_read, verdicts, strict=True):
            stance = _refuting(verdict)
            if stance is not None:
                sure = verdict.validation.confidence
                found.append((sure, Opposition(against, other, stance, _weight(against, other, sure))))
    found.sort(key=lambda pair: (-pair[0], pair[1].candidate.item.document.id, pair[1].candidate.quote.span))
    surest: dict[str, Opposition] = {}
    for _, opposition in found:
        surest.setdefault(opposition.candidate.item.document.id, opposition)
    return tuple(surest.values())


def _counterfactuals(direct: Sequence[Candidate], engine: Engine) -> list[tuple[Statement, ...]]:
    drafts = [(written(candidate), statements(written(candidate))[:_STATEMENTS]) for candidate in direct]
    return opposing_all(drafts, engine.stance)


def _others(
    question: Question, direct: Sequence[Candidate], items: Sequence[EvidenceItem], engine: Engine
) -> list[Candidate]:
    near: dict[tuple[str, int, int], Candidate] = {}
    told = {_place(candidate) for candidate in direct}
    for candidate in candidates(items, question.text, engine.relevance):
        if len(near) == _READ:
            break
        if (
            candidate.finding
            and _place(candidate) not in told
            and any(_can_oppose(question, one, candidate) for one in direct)
        ):
            near.setdefault(_place(candidate), candidate)
    return [*direct, *near.values()]


def _can_oppose(question: Question, one: Candidate, other: Candidate) -> bool:
    return can_oppose(written(one), written(other), one_outcome=both_name_outcome(question, one, other))


def _place(candidate: Candidate) -> tuple[str, int, int]:
    span = candidate.quote.span
    return candidate.item.document.id, span.start, span.end


def _pairs(
    question: Question,
    direct: Sequence[Candidate],
    made: Sequence[tuple[Statement, ...]],
    others: Sequence[Candidate],
) -> dict[int, list[Candidate]]:
    """For each sentence of the answer, the sentences of other records that speak of the same matter."""
    ranked: list[tuple[int, int, Candidate]] = []
    for number, against in enumerate(direct):
        if not made[number]:
            continue
        words = content(against.text)
        # The first of the others are the answer's own; one before this sentence was held against it already.
        for other in others[number + 1 :]:
            if (
                other.item.document.id != against.item.document.id
                and _can_oppose(question, against, other)
                and one_matter(question, against, other)
            ):
                ranked.append((len(words & content(other.text)), number, other))
    ranked.sort(key=lambda pair: (-pair[0], pair[1], pair[2].item.document.id, pair[2].quote.span))
    chosen: dict[int, list[Candidate]] = {}
    for _, number, other in ranked[:_PAIRS]:
        chosen.setdefault(number, []).append(other)
    return chosen


def _refuting(verdict: Verdict) -> Stance | None:
    to_claim = verdict.validation.to_claim
    if not verdict.validation or to_claim is None or to_claim.label is not Label.REFUTES:
        return None
    # The places that it names are those of the sentence written out.
    reasons = tuple(replace(reason, claim=None, passage=None) for reason in to_claim.reasons)
    return replace(to_claim, sentence=None, reasons=reasons)


def _weight(against: Candidate, other: Candidate, sure: float) -> str:
    first, second = Finding(against.item, against.quote), Finding(other.item, other.quote)
    return Conflict(first=first, second=second, probability=sure).explanation
