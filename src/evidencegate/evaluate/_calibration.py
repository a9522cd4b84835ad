"""Do probabilities mean what they say, and how much is covered at a wanted precision?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

BINS = 10
WANTED_PRECISION = 0.9


@dataclass(frozen=True, slots=True)
class Bin:
    """Cases whose confidence lies in [low, high): how many, how sure, how often right."""

    low: float
    high: float
    n: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Point:
    """At `threshold` and above: the precision of the calls, and the share of the label's true cases they cover."""

    threshold: float
    precision: float
    recall: float
    calls: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """`ece` is the expected calibration error: mean gap between confidence and accuracy, weighted by bin size."""

    ece: float
    bins: tuple[Bin, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain numbers."""
        return {
            "ece": round(self.ece, 4),
            "bins": [
                {
                    "low": b.low,
                    "high": b.high,
                    "n": b.n,
                    "confidence": round(b.confidence, 4),
                    "accuracy": round(b.accuracy, 4),
                }
                for b in self.bins
            ],
        }


def calibration(confidences: Sequence[float], right: Sequence[bool]) -> Calibration:
    """Expected calibration error over ten equal bins (Naeini et al. 2015); empty bins are left out."""
    bins: list[Bin] = []
    for index in range(BINS):
        low, high = index / BINS, (index + 1) / BINS
        inside = [i for i, c in enumerate(confidences) if min(int(c * BINS), BINS - 1) == index]
        if inside:
            sure = sum(confidences[i] for i in inside) / len(inside)
            hits = sum(right[i] for i in inside) / len(inside)
            bins.append(Bin(low, high, len(inside), sure, hits))
    total = len(confidences)
    ece = sum(b.n * abs(b.confidence - b.accuracy) for b in bins) / total if total else 0.0
    return Calibration(ece, tuple(bins))


def precision_coverage(scores: Sequence[float], positive: Sequence[bool]) -> tuple[Point, ...]:
    """One point a distinct score, highest first: what calling everything at or above it gives."""
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    truth = sum(positive)
    points: list[Point] = []
    hits = 0
    for rank, index in enumerate(order, start=1):
        hits += positive[index]
        if rank < len(order) and scores[order[rank]] == scores[index]:
            continue
        points.append(Point(scores[index], hits / rank, hits / truth if truth else 0.0, rank))
    return tuple(points)


def coverage_at(points: Sequence[Point], precision: float = WANTED_PRECISION, least: int = 5) -> Point | None:
    """The point of widest recall whose precision is at least `precision`, on `least` calls or more."""
    good = [point for point in points if point.precision >= precision and point.calls >= least]
    return max(good, key=lambda point: point.recall) if good else None
