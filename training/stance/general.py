"""The general inference pairs of the first pass, as the recipe asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from rows import Example, label_of, read_rows

#: In these rows one annotator's refutes and neutral may be exchanged; their support is sound.
SINGLE_ANNOTATOR = "single annotator"


def general_examples(data: Path, recipe: dict[str, Any], generator: np.random.Generator) -> list[Example]:
    """Every set of `recipe["sets"]`, sampled without replacement."""
    examples: list[Example] = []
    for name, want in recipe["sets"].items():
        rows = [row for row in read_rows(data / "nli" / f"{name}.jsonl.gz") if row["evidence"].strip()]
        chosen = generator.permutation(len(rows))[: want["rows"]]
        for index in chosen.tolist():
            row = rows[index]
            label = label_of(row)
            if SINGLE_ANNOTATOR in str(row["meta"].get("gold", "")) and label in (1, 2):
                label = 3
            examples.append(Example(row["claim"], row["evidence"], label, want["weight"], None, name))
    return examples
