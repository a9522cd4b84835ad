"""The development sets as pairs with labels, read the same way by every script."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plain import plain_claims
from rows import read_rows
from splits import held_out_claim
from statements import TEMPLATES, statement


@dataclass(frozen=True, slots=True)
class Pair:
    claim: str
    passage: str
    label: str
    group: str


def development_sets(data: Path) -> dict[str, list[Pair]]:
    """Name to pairs. `group` is the claim or article, for folds that do not share one."""
    stance = data / "stance"
    sets: dict[str, list[Pair]] = {}

    def plain(name: str, path: Path) -> None:
        sets[name] = [Pair(r["claim"], r["evidence"], r["label"], r["claim"]) for r in read_rows(path)]

    sets["scifact"] = [
        Pair(r["claim"], r["evidence"], r["label"], r["claim"])
        for r in read_rows(stance / "scifact.train.jsonl.gz")
        if held_out_claim(r)
    ]
    for name in ("checkcovid", "citint", "clinifact", "covidfact_rte", "healthver_passage", "healthver_abs", "nli4ct"):
        plain(name, stance / f"{name}.dev.jsonl.gz")
    statements: list[Pair] = []
    for row in read_rows(stance / "evinf_v2.dev.jsonl.gz"):
        if row["flagged"] or not row["evidence"]:
            continue
        for index, direction in enumerate(TEMPLATES):
            label = "supports" if direction == row["label"] else "refutes"
            template = int(row["id"]) + index if str(row["id"]).isdigit() else index
            statements.append(Pair(statement(row, direction, template), row["evidence"], label, row["pmcid"]))
    sets["evidence_inference"] = statements
    sets["plain_claims"] = [Pair(*parts) for parts in plain_claims(data)]
    for name in ("attributionbench", "wice", "wice_oracle_chunks", "rct_summaries"):
        plain(name, data / "factuality" / f"{name}.dev.jsonl.gz")
    return sets
