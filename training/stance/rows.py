"""Rows of the data files; needs nothing but the standard library."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: "unsupported" is refutes or neutral: the loss then asks only that supports be unlikely.
LABELS = {"supports": 0, "refutes": 1, "neutral": 2, "unsupported": 3}


@dataclass(frozen=True, slots=True)
class Example:
    claim: str
    evidence: str
    label: int
    weight: float = 1.0
    rationale: tuple[tuple[int, int], ...] | None = None
    origin: str = ""


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def label_of(row: dict[str, Any]) -> int:
    return LABELS["supports" if row["label"] == "supported" else row["label"]]
