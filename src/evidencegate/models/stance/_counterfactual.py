"""Contradiction is proved, not assumed: a passage speaks for a counterfactual only if it supports its statement."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from evidencegate.errors import EvidenceGateError
from evidencegate.models.stance._claims import split_claim
from evidencegate.models.stance._model import default_model
from evidencegate.models.stance._text import clean_claim
from evidencegate.models.stance._types import Label, Stance, StanceModel

# A probability nearer to 0 or 1 than this says no more.
_CLIP = 0.02


@dataclass(frozen=True, slots=True)
class Validation:
    """Whether a passage counts as evidence for a counterfactual. Truthy exactly when it is accepted.

    `confidence` is that of the decision, within 0 and 1; `to_claim` is None where the statement alone decided.
    Raises `ValueError` for an acceptance that its own stances contradict.
    """

    accepted: bool
    confidence: float
    reason: str
    to_statement: Stance
    to_claim: Stance | None

    def __post_init__(self) -> None:
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"a confidence is within 0 and 1: {self.confidence}")
        if self.accepted and (self.to_claim is None or self.to_claim.label is Label.SUPPORTS):
            raise ValueError("a passage that supports the claim does not contradict it")

    def __bool__(self) -> bool:
        return self.accepted


def supports_counterfactual(
    passage: str, statement: str, claim: str, *, model: StanceModel | None = None
) -> Validation:
    """Whether `passage` supports `statement`, the opposite of `claim`, and does not support `claim`.

    A statement of several facts is supported by a passage that supports one of them and refutes none. On any
    error of the reader the passage is rejected, and the reason names the error.
    """
    return validate_all([(passage, statement, claim)], model=model)[0]


def validate_all(triples: Sequence[tuple[str, str, str]], *, model: StanceModel | None = None) -> list[Validation]:
    """`supports_counterfactual` for many (passage, statement, claim), read in one batch."""
    asked: list[tuple[str, str]] = []
    places: list[tuple[int, int]] = []
    for passage, statement, claim in triples:
        parts = split_claim(clean_claim(statement))
        first = len(asked)
        asked += [(claim, passage), *((part, passage) for part in parts)]
        places.append((first, len(asked)))
    try:
        read = (model or default_model()).judge(asked)
    except (EvidenceGateError, RuntimeError, ValueError, OSError) as error:
        failed = Stance(0.0, 0.0, 1.0, reader="none")
        reason = f"could not be judged ({type(error).__name__}: {error})"
        return [Validation(False, 0.0, reason, failed, None) for _ in triples]
    return [_decide(read[first], read[first + 1 : end]) for first, end in places]


def _decide(to_claim: Stance, parts: Sequence[Stance]) -> Validation:
    best = max(parts, key=lambda part: part.supports)
    worst = max(parts, key=lambda part: part.refutes)
    if to_claim.label is Label.SUPPORTS and to_claim.supports >= best.supports:
        return _rejected("the passage supports the original claim", to_claim.supports, best, to_claim)
    if worst.label is Label.REFUTES and worst.refutes >= best.supports:
        return _rejected("the passage refutes the counterfactual statement", worst.refutes, worst, to_claim)
    if best.label is not Label.SUPPORTS:
        reason = "the passage does not support the counterfactual statement"
        return _rejected(reason, 1.0 - best.supports, best, to_claim)
    if to_claim.label is Label.SUPPORTS:
        return _rejected("the passage can be read as support of the original claim", to_claim.supports, best, to_claim)
    confidence = acceptance(best.supports, to_claim.refutes)
    if confidence < fitted().accept_at:
        reason = f"not sure enough that the passage contradicts the claim ({confidence:.2f})"
        return _rejected(reason, 1.0 - confidence, best, to_claim)
    return Validation(True, confidence, "the passage supports the counterfactual statement", best, to_claim)


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The weights of `acceptance`, and the probability from which a passage is accepted."""

    bias: float
    supports: float
    refutes: float
    accept_at: float


@cache
def fitted() -> Acceptance:
    """The weights in `data/acceptance.json`: `benchmarks/counter.py --fit` fits them on development triples."""
    raw = json.loads((files("evidencegate.models.stance") / "data" / "acceptance.json").read_text("utf-8"))
    return Acceptance(**raw)


def acceptance(supports: float, refutes: float) -> float:
    """Probability that a passage contradicts a claim: it supports the opposite, and it refutes the claim itself.

    The two are one judgement, read twice; readers are less sure of statements with a negation, so that the second
    reading tells more. Arguments are the probabilities of the two readings.
    """
    weights = fitted()
    score = weights.bias + weights.supports * logit(supports) + weights.refutes * logit(refutes)
    return 1 / (1 + math.exp(-score))


def logit(probability: float) -> float:
    """The logit of a probability, clipped away from 0 and 1."""
    clipped = min(1 - _CLIP, max(_CLIP, probability))
    return math.log(clipped / (1 - clipped))


def _rejected(reason: str, confidence: float, to_statement: Stance, to_claim: Stance) -> Validation:
    return Validation(False, confidence, reason, to_statement, to_claim)
