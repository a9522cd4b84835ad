"""`evaluate stance`: how often the stance model is right, and whether its probabilities are."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from evidencegate.evaluate._artefacts import Artefacts, write_artefacts
from evidencegate.evaluate._calibration import (
    WANTED_PRECISION,
    Calibration,
    Point,
    calibration,
    coverage_at,
    precision_coverage,
)
from evidencegate.evaluate._figures import Figures, figures
from evidencegate.evaluate._plot import curves_svg, reliability_svg
from evidencegate.evaluate._read import Row, read_rows
from evidencegate.models.stance import Label, Stance, StanceModel, default_model

LABELS = {str(label): str(label) for label in Label}
RESULTS = Path("results") / "evaluation"
_COLOURS = {Label.SUPPORTS: "#2f855a", Label.REFUTES: "#c53030"}


@dataclass(frozen=True, slots=True)
class StanceResult:
    """What `evaluate stance` found. `covered` gives, for supports and refutes, the widest recall at precision 0.9."""

    name: str
    reader: str
    figures: Figures
    calibration: Calibration
    covered: dict[str, Point | None]
    pairs_per_second: float
    artefacts: Artefacts | None
    curves: dict[str, tuple[Point, ...]] = field(default_factory=dict, repr=False)

    def to_json(self) -> dict[str, Any]:
        """The fields of the contract, and the calibration."""
        return {
            "reader": self.reader,
            **self.figures.to_json(),
            "calibration": self.calibration.to_json(),
            "covered_at_precision": {
                label: None
                if point is None
                else {
                    "precision": round(point.precision, 4),
                    "recall": round(point.recall, 4),
                    "threshold": round(point.threshold, 4),
                }
                for label, point in self.covered.items()
            },
            "pairs_per_second": round(self.pairs_per_second, 1),
            "artefacts": self.artefacts.to_json() if self.artefacts else None,
        }


def predicted(stance: Stance, labels: Sequence[Label]) -> Label:
    """The likeliest of the labels that a set knows (a set without neutral asks: supports or refutes?)."""
    if stance.label in labels:
        return stance.label
    return max(labels, key=lambda label: (stance.probability(label), label is Label.REFUTES))


def stance(
    path: str | Path,
    *,
    model: StanceModel | None = None,
    results: Path | None = RESULTS,
    limit: int | None = None,
) -> StanceResult:
    """Judge every pair of a labelled file (`claim`, `evidence`, `label` supports|refutes|neutral).

    Writes artefacts under `results/<name of the file>`, or none where `results` is None. Where the file knows
    no neutral label, the likelier of the other two is counted. `limit` takes the first rows only.

    Raises:
        InvalidInput: the file cannot be read as labelled pairs.
    """
    file = Path(path)
    rows = read_rows(file, LABELS)[:limit]
    reader = model or default_model()
    started = perf_counter()
    judged = reader.judge([(row.claim, row.passage) for row in rows])
    seconds = perf_counter() - started
    known = tuple(label for label in Label if any(row.label == label for row in rows))
    calls = [predicted(given, known) for given in judged]
    found = figures([(row.label, str(call)) for row, call in zip(rows, calls, strict=True)], tuple(map(str, known)))
    right = [row.label == given.label for row, given in zip(rows, judged, strict=True)]
    trust = calibration([given.confidence for given in judged], right)
    curves = {
        str(label): precision_coverage(
            [given.probability(label) for given in judged], [row.label == label for row in rows]
        )
        for label in _COLOURS
    }
    name = file.name.removesuffix(".gz").removesuffix(".jsonl")
    result = StanceResult(
        name=name,
        reader=reader.name,
        figures=found,
        calibration=trust,
        covered={label: coverage_at(points, WANTED_PRECISION) for label, points in curves.items()},
        pairs_per_second=len(rows) / seconds if seconds else 0.0,
        artefacts=None,
        curves=curves,
    )
    if results is None:
        return result
    cases = [_case(row, given, call) for row, given, call in zip(rows, judged, calls, strict=True)]
    plots = {
        "reliability": reliability_svg(name, trust),
        "precision_coverage": curves_svg(name, [(str(k), v, curves[str(k)]) for k, v in _COLOURS.items()]),
    }
    written = write_artefacts(
        results, name, result.to_json(), cases, [case for case in cases if case["verdict"] != case["label"]], plots
    )
    return StanceResult(name, reader.name, found, trust, result.covered, result.pairs_per_second, written, curves)


def _case(row: Row, given: Stance, call: Label) -> dict[str, Any]:
    deciding = row.passage[slice(*given.sentence)] if given.sentence else ""
    return {
        "id": row.id,
        "claim": row.claim,
        "label": row.label,
        "verdict": str(call),
        "evidence_found": bool(deciding),
        "confidence": round(given.confidence, 4),
        "stance": {str(label): round(given.probability(label), 4) for label in Label},
        "quote": deciding,
        "reasons": [
            {"code": str(reason.code), "toward": str(reason.toward) if reason.toward else None, "detail": reason.detail}
            for reason in given.reasons
        ],
        "reader": given.reader,
    }
