"""How probable is it that the evidence supports a claim: stance and wording together.

Stance models read meaning and miss that half of a long claim is nowhere in the passage; word overlap sees that and
nothing else. A small logistic model over both is better calibrated than either. Its weights (`data/support.json`) are
fitted by `benchmarks/verify.py fit` with the rules as reader and serve every reader: on sets that may train, a trained
encoder is surer than it will be on texts it has not seen, and weights fitted there trust it too much.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from evidencegate.verify._numbers import compare

if TYPE_CHECKING:
    from evidencegate.models.stance import Stance

FEATURES = ("share_best", "share_all", "supports", "refutes", "numbers_missing", "names_missing")
_NAME = re.compile(r"\b(?:[A-Z]{2,}[\w-]*|[A-Z][a-z]+(?:-[A-Z]\w+)?|[A-Za-z]+\d[\w-]*)\b")
# A probability nearer to 0 or 1 than this says no more.
_CLIP = 0.02


@dataclass(frozen=True, slots=True)
class _Weights:
    bias: float
    weights: tuple[float, ...]


@cache
def _model() -> _Weights:
    raw = json.loads((files("evidencegate.verify") / "data" / "support.json").read_text("utf-8"))
    if tuple(raw["features"]) != FEATURES:
        raise ValueError("support.json was fitted for other features: reinstall evidencegate")
    return _Weights(raw["bias"], tuple(raw["weights"]))


def support(
    claim: str, passages: Sequence[str], stances: "Sequence[Stance]", share: Callable[[str, str], float]
) -> float:
    """Probability, in [0, 1], that the passages support the claim; 0 without passages.

    `share` weighs how much of the claim a text has (`Evidence.share`). Stances are those of the passages, in their
    order.
    """
    if not passages:
        return 0.0
    fitted = _model()
    values = features(claim, passages, stances, share)
    score = fitted.bias + sum(w * v for w, v in zip(fitted.weights, values, strict=True))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def features(
    claim: str, passages: Sequence[str], stances: "Sequence[Stance]", share: Callable[[str, str], float]
) -> tuple[float, ...]:
    """The values that `support` weighs, in the order of `FEATURES`."""
    together = " ".join(passages)
    names = {name.casefold() for name in _NAME.findall(claim)}
    numbers = compare(claim, together)
    return (
        max(share(claim, passage) for passage in passages),
        share(claim, together),
        _logit(max((s.supports for s in stances), default=0.33)),
        _logit(max((s.refutes for s in stances), default=0.33)),
        sum(f.found is None or f.agreement.contradicts for f in numbers) / len(numbers) if numbers else 0.0,
        sum(name not in together.casefold() for name in names) / len(names) if names else 0.0,
    )


def _logit(probability: float) -> float:
    clipped = min(1 - _CLIP, max(_CLIP, probability))
    return math.log(clipped / (1 - clipped))
