"""The calibrated logistic models over rule features, with and without the encoder's logits."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp

from evidencegate.errors import ModelError
from evidencegate.models.stance._encoder import Logits, Read
from evidencegate.models.stance._rules import FEATURES

ENCODER_INPUTS = ("encoder_supports", "encoder_refutes", "encoder_neutral")


@dataclass(frozen=True, slots=True)
class Logistic:
    """Multinomial logistic regression: three rows of weights, one for each label."""

    inputs: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != 3 or len(self.bias) != 3 or any(len(row) != len(self.inputs) for row in self.weights):
            raise ModelError("combination.json does not fit its inputs: reinstall evidencegate.")

    def probabilities(self, values: Sequence[float]) -> tuple[float, float, float]:
        """(supports, refutes, neutral) for inputs in the order of `inputs`."""
        scores = [
            bias + sum(weight * value for weight, value in zip(row, values, strict=True))
            for row, bias in zip(self.weights, self.bias, strict=True)
        ]
        most = max(scores)
        raised = [exp(score - most) for score in scores]
        total = sum(raised)
        return raised[0] / total, raised[1] / total, raised[2] / total


def _centred(logits: Sequence[float]) -> Logits:
    """Only the differences of logits mean anything: their mean is taken off."""
    mean = sum(logits) / 3
    return logits[0] - mean, logits[1] - mean, logits[2] - mean


def encoder_inputs(read: Read) -> Logits:
    """The passage as a whole and its plainest sentence, half each.

    The plainest sentence is the most supporting, the most refuting and the least neutral of those read alone
    (max pooling over sentences, as SummaC does it for entailment; doi:10.1162/tacl_a_00453).
    """
    whole = _centred(read.logits)
    if not read.alone:
        return whole
    supports, refutes, neutral = zip(*(_centred(logits) for logits in read.alone), strict=True)
    plain = max(supports), max(refutes), min(neutral)
    return _centred([(one + other) / 2 for one, other in zip(whole, plain, strict=True)])


@lru_cache(maxsize=3)
def combination(name: str) -> Logistic:
    """The fitted model `rules`, `encoder` or `rules+encoder` of `data/combination.json`."""
    raw = json.loads(files(__package__).joinpath("data/combination.json").read_text("utf-8"))[name]
    model = Logistic(tuple(raw["inputs"]), tuple(tuple(row) for row in raw["weights"]), tuple(raw["bias"]))
    expected = {"rules": FEATURES, "encoder": ENCODER_INPUTS}.get(name, FEATURES + ENCODER_INPUTS)
    if model.inputs != expected:
        raise ModelError("combination.json was fitted for other features: reinstall evidencegate.")
    return model
