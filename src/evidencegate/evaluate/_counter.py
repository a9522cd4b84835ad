"""`evaluate counter`: is a passage accepted as evidence for a counterfactual exactly when it supports it?"""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from evidencegate.evaluate._artefacts import Artefacts, write_artefacts
from evidencegate.evaluate._calibration import Point, coverage_at, precision_coverage
from evidencegate.evaluate._figures import Figures, figures
from evidencegate.evaluate._plot import curves_svg
from evidencegate.evaluate._read import Row, read_rows
from evidencegate.evaluate._stance import RESULTS
from evidencegate.models.stance import StanceModel, Validation, default_model, validate_all

ACCEPT, REJECT = "accept", "reject"
LABELS = {ACCEPT: ACCEPT, REJECT: REJECT}


@dataclass(frozen=True, slots=True)
class CounterResult:
    """What `evaluate counter` found: precision and recall of *accept*, with everything the others report."""

    name: str
    reader: str
    figures: Figures
    covered: Point | None
    """The widest recall of accept at a precision of 0.9, by confidence."""
    triples_per_second: float
    artefacts: Artefacts | None

    @property
    def precision(self) -> float:
        """Share of the accepted passages that should be."""
        return self.figures.per_label[ACCEPT].precision

    @property
    def recall(self) -> float:
        """Share of the passages to accept that are."""
        return self.figures.per_label[ACCEPT].recall

    def to_json(self) -> dict[str, Any]:
        """The fields of the contract."""
        counts = self.figures.confusion
        return {
            "reader": self.reader,
            **self.figures.to_json(),
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "counts": {
                "true_accept": counts[ACCEPT][ACCEPT],
                "false_accept": counts[REJECT][ACCEPT],
                "false_reject": counts[ACCEPT][REJECT],
                "true_reject": counts[REJECT][REJECT],
            },
            "triples_per_second": round(self.triples_per_second, 1),
            "artefacts": self.artefacts.to_json() if self.artefacts else None,
        }


def counter(
    path: str | Path,
    *,
    model: StanceModel | None = None,
    results: Path | None = RESULTS,
    limit: int | None = None,
) -> CounterResult:
    """Validate every triple of a labelled file (`claim`, `statement`, `passage`, `label` accept|reject).

    Raises:
        InvalidInput: the file cannot be read as labelled triples.
    """
    file = Path(path)
    rows = read_rows(file, LABELS, counter=True)[:limit]
    reader = model or default_model()
    started = perf_counter()
    judged = validate_all([(row.passage, row.statement, row.claim) for row in rows], model=reader)
    seconds = perf_counter() - started
    calls = [ACCEPT if one else REJECT for one in judged]
    points = precision_coverage(
        [one.confidence if one else 0.0 for one in judged], [row.label == ACCEPT for row in rows]
    )
    name = file.name.removesuffix(".gz").removesuffix(".jsonl")
    result = CounterResult(
        name=name,
        reader=reader.name,
        figures=figures([(row.label, call) for row, call in zip(rows, calls, strict=True)], (ACCEPT, REJECT)),
        covered=coverage_at([point for point in points if point.threshold > 0]),
        triples_per_second=len(rows) / seconds if seconds else 0.0,
        artefacts=None,
    )
    if results is None:
        return result
    cases = [_case(row, one, call) for row, one, call in zip(rows, judged, calls, strict=True)]
    errors = [case for case in cases if case["verdict"] != case["label"]]
    plots = {"precision_coverage": curves_svg(name, [(ACCEPT, "#2f855a", points)])}
    written = write_artefacts(results, name, result.to_json(), cases, errors, plots)
    return CounterResult(name, reader.name, result.figures, result.covered, result.triples_per_second, written)


def _case(row: Row, given: Validation, call: str) -> dict[str, Any]:
    deciding = given.to_statement.sentence
    return {
        "id": row.id,
        "claim": row.claim,
        "statement": row.statement,
        "label": row.label,
        "verdict": call,
        "confidence": round(given.confidence, 4),
        "reason": given.reason,
        "quote": row.passage[slice(*deciding)] if deciding else "",
        "supports_statement": round(given.to_statement.supports, 4),
        "supports_claim": round(given.to_claim.supports, 4) if given.to_claim else None,
    }
