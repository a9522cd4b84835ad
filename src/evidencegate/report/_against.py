"""What speaks against the answer, among the records that were found: shown only where it is proved (rule 5)."""

from collections.abc import Sequence
from dataclasses import dataclass

from evidencegate.counter import Statement, Verdict, elsewhere, judged, opposing_all, statements
from evidencegate.evidence import Conflict, EvidenceItem, Finding, content
from evidencegate.models.stance import Label, Stance
from evidencegate.question import Question
from evidencegate.report._engine import Engine
from evidencegate.report._extract import Candidate, candidates
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
    common, what they tell of it cannot both hold, and if it supports a counterfactual statement of the answer's
    sentence and refutes the sentence itself.
    A sentence of the answer may contradict one before it: that the answer says both does not make them agree.
    """
    if not direct:
        return ()
    made = _counterfactuals(direct, engine)
    others = _others(question, direct, items, engine)
    found: list[tuple[float, Opposition]] = []
    for number, others_read in _pairs(direct, made, others).items():
        against = direct[number]
        verdicts = judged(against.text, made[number], [other.text for other in others_read], engine.stance)
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
    drafts = [(candidate.text, statements(candidate.text)[:_STATEMENTS]) for candidate in direct]
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
            and any(can_oppose(one.text, candidate.text) for one in direct)
        ):
            near.setdefault(_place(candidate), candidate)
    return [*direct, *near.values()]


def _place(candidate: Candidate) -> tuple[str, int, int]:
    span = candidate.quote.span
    return candidate.item.document.id, span.start, span.end


def _pairs(
    direct: Sequence[Candidate], made: Sequence[tuple[Statement, ...]], others: Sequence[Candidate]
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
                and can_oppose(against.text, other.text)
                and _one_matter(against, other)
            ):
                ranked.append((len(words & content(other.text)), number, other))
    ranked.sort(key=lambda pair: (-pair[0], pair[1], pair[2].item.document.id, pair[2].quote.span))
    chosen: dict[int, list[Candidate]] = {}
    for _, number, other in ranked[:_PAIRS]:
        chosen.setdefault(number, []).append(other)
    return chosen


def _one_matter(one: Candidate, other: Candidate) -> bool:
    """Whether each sentence names what the other one compares and measures; titles say what a sentence leaves out."""
    titles = one.item.document.title, other.item.document.title
    return elsewhere(one.text, other.text, titles[1]) is None and elsewhere(other.text, one.text, titles[0]) is None


def _refuting(verdict: Verdict) -> Stance | None:
    to_claim = verdict.validation.to_claim
    return to_claim if verdict.validation and to_claim is not None and to_claim.label is Label.REFUTES else None


def _weight(against: Candidate, other: Candidate, sure: float) -> str:
    first, second = Finding(against.item, against.quote), Finding(other.item, other.quote)
    return Conflict(first=first, second=second, probability=sure).explanation
