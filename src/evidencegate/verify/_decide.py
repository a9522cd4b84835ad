"""From claims and the passages offered for them to decisions: who proposes, then the gate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from evidencegate.documents import Passage, Span
from evidencegate.verify._evidence import Selected
from evidencegate.verify._gate import Proposal, Thresholds, compare_with, gate
from evidencegate.verify._local import StanceReader, by_rules, propose
from evidencegate.verify._types import CheckedClaim, Claim, Decision, Verdict
from evidencegate.verify._written import Glossary, glossary

if TYPE_CHECKING:
    from evidencegate.models.stance import Stance
    from evidencegate.verify._model import ModelProposals
    from evidencegate.verify._numbers import Finding

Said = Proposal | Mapping[str, object] | str
Verifier = Callable[[str, Sequence[Passage]], Said]
"""Proposes a verdict on a claim, given passages; for example a language model behind a prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """Claims with the gate's decisions, in their order."""

    claims: tuple[CheckedClaim, ...]
    contradictory: tuple[Claim, ...]
    """Claims that one passage supports and another refutes."""
    pairs: int
    """Pairs of claim and passage that the stance reader read, or claims that a verifier was asked."""


def decide(
    claims: Sequence[Claim],
    offered: Sequence[Sequence[Selected]],
    share: Callable[[str, str], float],
    *,
    text: str,
    reader: StanceReader,
    verifier: Verifier | None,
    model: "ModelProposals | None",
    thresholds: Thresholds,
    require_evidence_for_correct: bool,
) -> Decided:
    """Decide on every claim, from what is proposed for it: by `verifier`, by rules, by `model`, else by `reader`.

    Rules and reader read claims and passages with the abbreviations written out that the documents or the checked
    `text` define; quotes are literal. `share` weighs how much of a claim a text has (`Evidence.share`).
    """
    defined = [glossary(dict.fromkeys(one.passage.document.text for one in s), own=text) for s in offered]
    said_in_full = [known.claim(c.statement).text for known, c in zip(defined, claims, strict=True)]
    read = [
        [replace(one, passage=known.passage(one.passage)) for one in s]
        for known, s in zip(defined, offered, strict=True)
    ]

    def decided(at: int, said: Said) -> Decision:
        decision = gate(
            said,
            [one.passage for one in offered[at]],
            claim=claims[at].statement,
            thresholds=thresholds,
            require_evidence_for_correct=require_evidence_for_correct,
            defined=defined[at],
        )
        return _located(claims[at], decision, defined[at])

    if verifier is not None:
        said = [verifier(c.statement, [one.passage for one in s]) for c, s in zip(claims, offered, strict=True)]
        checked = (CheckedClaim(claim=c, decision=decided(i, said[i])) for i, c in enumerate(claims))
        return Decided(claims=tuple(checked), contradictory=(), pairs=len(claims))
    found: dict[int, CheckedClaim] = {}
    if model is not None:
        from evidencegate.verify._model import stance_of

        for i, proposal in _by_model(claims, offered, said_in_full, read, model).items():
            decision = decided(i, proposal)
            stance = stance_of(decision, model.model.name)
            found[i] = CheckedClaim(claim=claims[i], decision=decision, support=stance.supports, stance=stance)
    rest = [i for i in range(len(claims)) if i not in found]
    counted = _Counted(reader)
    readings = propose([said_in_full[i] for i in rest], [read[i] for i in rest], counted, share, thresholds)
    for i, reading in zip(rest, readings, strict=True):
        decision = decided(i, _literal(reading.proposal, offered[i], defined[i]))
        # What the reader thinks probable, unless the gate proved the claim wrong.
        ceiling = 1 - decision.confidence if decision.verdict is Verdict.INCORRECT else 1.0
        found[i] = CheckedClaim(
            claim=claims[i], decision=decision, support=min(reading.support, ceiling), stance=reading.stance
        )
    return Decided(
        claims=tuple(found[i] for i in range(len(claims))),
        contradictory=tuple(claims[i] for i, one in zip(rest, readings, strict=True) if one.contradictory),
        pairs=counted.pairs,
    )


def _literal(proposal: Proposal, offered: Sequence[Selected], defined: Glossary) -> Proposal:
    """A proposal made of passages written out, with its quote as it stands in the source."""
    if proposal.quote is None:
        return proposal
    return replace(proposal, quote=defined.literal(proposal.quote, offered[proposal.index].passage))


def _by_model(
    claims: Sequence[Claim],
    offered: Sequence[Sequence[Selected]],
    said_in_full: Sequence[str],
    read: Sequence[Sequence[Selected]],
    model: "ModelProposals",
) -> dict[int, Proposal]:
    """What the model says of claims that have passages and that rules do not settle, where it says something."""
    passages = [[one.passage for one in selected] for selected in offered]
    asked = [
        i
        for i, said in enumerate(said_in_full)
        if passages[i] and by_rules(said, [one.passage for one in read[i]]) is None
    ]
    said = model.verdicts([(claims[i].statement, passages[i]) for i in asked])
    return {i: proposal for i, proposal in zip(asked, said, strict=True) if proposal is not None}


def _located(claim: Claim, decision: Decision, defined: Glossary) -> Decision:
    """The decision with the places of the claim's numbers in the checked text.

    A statement may begin with a borrowed subject; its literal part ends where the claim's slice ends, so
    offsets are counted from there. Numbers of the borrowed part are not this claim's.
    """
    if not decision.numbers or decision.quote is None:
        return decision
    shift = claim.span.start - (len(claim.statement) - len(claim.text))
    if claim.rephrased:
        # A rephrased claim: its numbers are looked up in the slice it stands for.
        own = compare_with(claim.text, decision.quote, defined)
        return replace(decision, numbers=tuple(_shifted(f, claim.span.start) for f in own))
    borrowed = len(claim.statement) - len(claim.text)
    kept = [f for f in decision.numbers if f.claimed.span.start >= borrowed]
    return replace(decision, numbers=tuple(_shifted(f, shift) for f in kept))


def _shifted(finding: "Finding", offset: int) -> "Finding":
    claimed = finding.claimed
    moved = replace(
        claimed,
        span=Span(claimed.span.start + offset, claimed.span.end + offset),
        number=Span(claimed.number.start + offset, claimed.number.end + offset),
    )
    return replace(finding, claimed=moved)


@dataclass(slots=True)
class _Counted:
    """A reader that counts what it reads."""

    reader: StanceReader
    pairs: int = 0

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> "Sequence[Stance]":
        self.pairs += len(pairs)
        return self.reader(pairs)
