"""`evaluate factuality`: is a generated text supported by its source? And how much does the gate decide?"""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from evidencegate.documents import Document
from evidencegate.evaluate._artefacts import Artefacts, write_artefacts
from evidencegate.evaluate._calibration import Calibration, calibration
from evidencegate.evaluate._figures import Figures, figures
from evidencegate.evaluate._plot import reliability_svg
from evidencegate.evaluate._read import Row, read_rows
from evidencegate.evaluate._stance import RESULTS
from evidencegate.models.stance import StanceModel, default_model
from evidencegate.verify import Checked, Verdict, check, claim_json

if TYPE_CHECKING:
    from evidencegate.models.language import LanguageModel

SUPPORTED, UNSUPPORTED = "supported", "unsupported"
LABELS = {SUPPORTED: SUPPORTED, UNSUPPORTED: UNSUPPORTED}
# Of the mean probability of support over the claims of a text.
SUPPORTED_AT = 0.5


@dataclass(frozen=True, slots=True)
class FactualityResult:
    """What `evaluate factuality` found.

    `figures` judge every text by its mean probability of support; `decided` judges the texts that the gate
    decided alone (`coverage` is their share, `abstained` the number of the others).
    """

    name: str
    reader: str
    figures: Figures
    decided: Figures
    coverage: float
    abstained: int
    calibration: Calibration
    pairs_per_second: float
    artefacts: Artefacts | None

    def to_json(self) -> dict[str, Any]:
        """The fields of the contract."""
        return {
            "reader": self.reader,
            **self.figures.to_json(),
            "coverage": round(self.coverage, 4),
            "abstained": self.abstained,
            "decided": self.decided.to_json(),
            "calibration": self.calibration.to_json(),
            "pairs_per_second": round(self.pairs_per_second, 1),
            "artefacts": self.artefacts.to_json() if self.artefacts else None,
        }


def factuality(
    path: str | Path,
    *,
    model: StanceModel | None = None,
    proposer: "LanguageModel | None" = None,
    threshold: float = SUPPORTED_AT,
    results: Path | None = RESULTS,
    limit: int | None = None,
) -> FactualityResult:
    """Judge every text of a labelled file (`claim`, `evidence`, `label` supported|unsupported).

    Each text is checked with its evidence as the only source: claim by claim, through the gate. A text that claims
    nothing is supported by nothing. `proposer` is a language model that proposes claims and verdicts (`model` of
    `check`); what it says counts as far as the gate passes it.

    Raises:
        InvalidInput: the file cannot be read as labelled pairs.
    """
    file = Path(path)
    rows = read_rows(file, LABELS)[:limit]
    reader = model or default_model()
    started = perf_counter()
    checked = [_checked(row, reader, proposer) for row in rows]
    seconds = perf_counter() - started
    scores = [one.support or 0.0 for one in checked]
    calls = [SUPPORTED if score >= threshold else UNSUPPORTED for score in scores]
    gated = [_gated(one) for one in checked]
    pairs = [(row.label, call) for row, call in zip(rows, calls, strict=True)]
    decided = [(row.label, call) for row, call in zip(rows, gated, strict=True) if call]
    right = [true == call for true, call in pairs]
    trust = calibration([max(score, 1 - score) for score in scores], right)
    name = file.name.removesuffix(".gz").removesuffix(".jsonl")
    result = FactualityResult(
        name=name,
        reader=f"{reader.name} and {proposer.name}" if proposer else reader.name,
        figures=figures(pairs, (SUPPORTED, UNSUPPORTED)),
        decided=figures(decided, (SUPPORTED, UNSUPPORTED)),
        coverage=len(decided) / len(rows),
        abstained=len(rows) - len(decided),
        calibration=trust,
        pairs_per_second=sum(one.usage["pairs"] for one in checked) / seconds if seconds else 0.0,
        artefacts=None,
    )
    if results is None:
        return result
    cases = [
        _case(row, score, call, gate, one)
        for row, score, call, gate, one in zip(rows, scores, calls, gated, checked, strict=True)
    ]
    errors = [case for case in cases if case["verdict"] != case["label"]]
    written = write_artefacts(
        results, name, result.to_json(), cases, errors, {"reliability": reliability_svg(name, trust)}
    )
    return FactualityResult(
        name, result.reader, result.figures, result.decided, result.coverage, result.abstained, trust,
        result.pairs_per_second, written,
    )  # fmt: skip


def _checked(row: Row, reader: StanceModel, proposer: "LanguageModel | None") -> Checked:
    source = Document(id=f"local:{row.id}", title="", text=row.passage)
    return check(row.claim, against=[source], reader=reader.judge, model=proposer)


def _gated(checked: Checked) -> str:
    """The gate's word on a whole text: unsupported as soon as a claim is wrong, "" where it abstains."""
    verdicts = {claim.verdict for claim in checked.claims}
    if Verdict.INCORRECT in verdicts:
        return UNSUPPORTED
    return SUPPORTED if verdicts == {Verdict.CORRECT} else ""


def _case(row: Row, score: float, call: str, gate: str, checked: Checked) -> dict[str, Any]:
    top = checked.issue_spans[0] if checked.issue_spans else None
    labels = [str(claim.verdict) for claim in checked.claims]
    return {
        "id": row.id,
        "claim": row.claim,
        "label": row.label,
        "verdict": call,
        "gate_verdict": gate or "abstained",
        "confidence": round(max(score, 1 - score), 4),
        "evidence_found": any(claim.decision.evidence_found for claim in checked.claims),
        "claims": [claim_json(claim) for claim in checked.claims],
        "label_counts": {label: labels.count(label) for label in sorted(set(labels))},
        "top_issue_span": {"start": top.span.start, "end": top.span.end, "message": top.message} if top else None,
    }
