"""Counts and figures over pairs of true and predicted label. Undefined ratios are 0, as the field counts them."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Pairs = Sequence[tuple[str, str]]
"""(true label, predicted label) of each case."""

RESAMPLES = 1000
SEED = 20261120


@dataclass(frozen=True, slots=True)
class PerLabel:
    """Precision, recall and F1 of one label, each within 0 and 1; `support` is its number of true cases."""

    precision: float
    recall: float
    f1: float
    support: int

    def to_json(self) -> dict[str, Any]:
        """As plain numbers, rounded to four places."""
        return {
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "f1": round(self.f1, 4),
            "support": self.support,
        }


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % percentile bootstrap interval."""

    low: float
    high: float

    def to_json(self) -> list[float]:
        """[low, high], rounded to four places."""
        return [round(self.low, 4), round(self.high, 4)]


def confusion(pairs: Pairs, labels: Sequence[str]) -> dict[str, dict[str, int]]:
    """counts[true][predicted], every label present."""
    counts = Counter(pairs)
    return {true: {predicted: counts[true, predicted] for predicted in labels} for true in labels}


def per_label(pairs: Pairs, label: str) -> PerLabel:
    """Figures of one label against all others."""
    hit = sum(true == label == predicted for true, predicted in pairs)
    called = sum(predicted == label for _, predicted in pairs)
    there = sum(true == label for true, _ in pairs)
    precision = hit / called if called else 0.0
    recall = hit / there if there else 0.0
    f1 = 2 * precision * recall / (precision + recall) if hit else 0.0
    return PerLabel(precision, recall, f1, there)


def present(pairs: Pairs) -> list[str]:
    """The labels that occur as true labels, sorted."""
    return sorted({true for true, _ in pairs})


def accuracy(pairs: Pairs) -> float:
    """Share of cases whose label is right."""
    return sum(true == predicted for true, predicted in pairs) / len(pairs) if pairs else 0.0


def macro_f1(pairs: Pairs) -> float:
    """Mean F1 over the labels that occur as true labels."""
    labels = present(pairs)
    return sum(per_label(pairs, label).f1 for label in labels) / len(labels) if labels else 0.0


def balanced_accuracy(pairs: Pairs) -> float:
    """Mean recall over the labels that occur as true labels."""
    labels = present(pairs)
    return sum(per_label(pairs, label).recall for label in labels) / len(labels) if labels else 0.0


def bootstrap(pairs: Pairs, figure: Callable[[Pairs], float], resamples: int = RESAMPLES) -> Interval:
    """95 % percentile interval of a figure: the cases drawn anew, with replacement; always the same draws."""
    if not pairs:
        return Interval(0.0, 0.0)
    random = Random(SEED)  # noqa: S311 - statistics, not secrets
    kinds = sorted(set(pairs))
    weights = [Counter(pairs)[kind] for kind in kinds]
    values = sorted(figure(random.choices(kinds, weights, k=len(pairs))) for _ in range(resamples))
    return Interval(values[int(0.025 * resamples)], values[min(resamples - 1, int(0.975 * resamples))])
