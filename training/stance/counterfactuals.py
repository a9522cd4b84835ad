"""A validation set for counterfactuals from the development parts: `counterfactuals.py --data DIR --out FILE`.

Evidence Inference: a claim in one direction, a statement in another, the annotated evidence; accept when the
evidence says what the statement says. Claim sets: the statement is the claim with one negation put in or taken
away; a passage that refutes the claim is to be accepted, one that supports it or is neutral to be rejected. The
file holds other people's sentences: keep it out of the repository.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from development import development_sets
from edits import flip_negation
from rows import read_rows
from statements import TEMPLATES, statement

from evidencegate.models.stance._text import clean_claim


def from_statements(data: Path) -> Iterator[dict[str, Any]]:
    directions = list(TEMPLATES)
    for number, row in enumerate(read_rows(data / "stance" / "evinf_v2.dev.jsonl.gz")):
        if row["flagged"] or not row["evidence"].strip():
            continue
        for step, label in enumerate(("accept", "reject")):
            others = [d for d in directions if d != row["label"]]
            claimed = others[(number + step) % 2] if label == "accept" else row["label"]
            stated = row["label"] if label == "accept" else others[(number + step) % 2]
            yield {
                "id": f"evinf-{row['id']}-{label}",
                "claim": statement(row, claimed, number),
                "statement": statement(row, stated, number + 3),
                "passage": row["evidence"],
                "label": label,
            }


def from_claims(data: Path, name: str, most: int) -> Iterator[dict[str, Any]]:
    taken = 0
    for index, pair in enumerate(development_sets(data)[name]):
        claim = clean_claim(pair.claim)
        stated = flip_negation(claim)
        if stated is None or taken >= most:
            continue
        taken += 1
        label = "accept" if pair.label == "refutes" else "reject"
        yield {"id": f"{name}-{index}", "claim": claim, "statement": stated, "passage": pair.passage, "label": label}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    rows = list(from_statements(arguments.data))
    for name in ("scifact", "checkcovid", "healthver_passage"):
        rows += from_claims(arguments.data, name, 300)
    with arguments.out.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    accept = sum(row["label"] == "accept" for row in rows)
    print(f"{len(rows)} triples, {accept} to accept")


if __name__ == "__main__":
    main()
