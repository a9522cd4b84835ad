"""The figures that every kind of evaluation shares."""

from dataclasses import dataclass
from typing import Any

from evidencegate.evaluate._metrics import (
    Interval,
    Pairs,
    PerLabel,
    accuracy,
    balanced_accuracy,
    bootstrap,
    confusion,
    macro_f1,
    per_label,
)


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts and figures of one labelled file; intervals are 95 % bootstrap."""

    n: int
    accuracy: float
    macro_f1: float
    balanced_accuracy: float
    per_label: dict[str, PerLabel]
    confusion: dict[str, dict[str, int]]
    intervals: dict[str, Interval]

    def to_json(self) -> dict[str, Any]:
        """The fields of the contract (`interval` holds one interval a figure)."""
        truth = {label: sum(row.values()) for label, row in self.confusion.items()}
        return {
            "n": self.n,
            "accuracy": round(self.accuracy, 4),
            "macro_f1": round(self.macro_f1, 4),
            "balanced_accuracy": round(self.balanced_accuracy, 4),
            "per_label": {label: figure.to_json() for label, figure in self.per_label.items()},
            "confusion": self.confusion,
            "ground_truth": truth,
            "interval": {name: interval.to_json() for name, interval in self.intervals.items()},
        }


def figures(pairs: Pairs, labels: tuple[str, ...]) -> Figures:
    """All figures of (true, predicted) pairs."""
    return Figures(
        n=len(pairs),
        accuracy=accuracy(pairs),
        macro_f1=macro_f1(pairs),
        balanced_accuracy=balanced_accuracy(pairs),
        per_label={label: per_label(pairs, label) for label in labels},
        confusion=confusion(pairs, labels),
        intervals={
            "accuracy": bootstrap(pairs, accuracy),
            "macro_f1": bootstrap(pairs, macro_f1),
            "balanced_accuracy": bootstrap(pairs, balanced_accuracy),
        },
    )
