"""What an evaluation leaves behind: figures, every case, the wrong ones alone, and plots."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evidencegate._contract import SCHEMA


@dataclass(frozen=True, slots=True)
class Artefacts:
    """Paths of the written files."""

    results: Path
    debug_claims: Path
    error_cases: Path
    plots: tuple[Path, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As strings."""
        return {
            "results": str(self.results),
            "debug_claims": str(self.debug_claims),
            "error_cases": str(self.error_cases),
            "plots": [str(plot) for plot in self.plots],
        }


def write_artefacts(
    folder: Path,
    name: str,
    figures: Mapping[str, Any],
    cases: Iterable[Mapping[str, Any]],
    errors: Iterable[Mapping[str, Any]],
    plots: Mapping[str, str],
) -> Artefacts:
    """Write `<folder>/<name>/results_<time>.json`, `debug_claims.jsonl`, `error_cases.jsonl` and the plots (SVG)."""
    place = folder / re.sub(r"[^\w.-]+", "_", name)
    place.mkdir(parents=True, exist_ok=True)
    time = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    drawn = []
    for title, svg in plots.items():
        path = place / f"{title}.svg"
        path.write_text(svg, encoding="utf-8")
        drawn.append(path)
    results = place / f"results_{time}.json"
    written = Artefacts(results, place / "debug_claims.jsonl", place / "error_cases.jsonl", tuple(drawn))
    _lines(written.debug_claims, cases)
    _lines(written.error_cases, errors)
    record = {"schema": SCHEMA, "name": name, "time": time, **figures}
    results.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return written


def _lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", errors="replace") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
