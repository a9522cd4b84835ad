"""Claims in plain language written for this project, each against sentences of an abstract of the data folder.

A line of `plain_claims.jsonl` names the set, the record and the sentences (half-open), and holds three claims: one that
the sentences support, one that they refute, one on the same matter that they leave open. No sentence of an
abstract is kept here. The labels are the writers' own; nobody else has read them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from rows import read_rows

LABELS = ("supports", "refutes", "neutral")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z(0-9])")


def _records(data: Path) -> dict[tuple[str, str], str]:
    """The text of every record that a line can name."""
    texts = {
        ("checkcovid.train", str(row["id"])): row["evidence"]
        for row in read_rows(data / "stance" / "checkcovid.train.jsonl.gz")
    }
    for row in read_rows(data / "qa" / "pubmedqa.traindev.jsonl.gz"):
        texts["pubmedqa", str(row["pmid"])] = " ".join([*row["contexts"], row["long_answer"] or ""])
    for row in read_rows(data / "corpora" / "screening.jsonl.gz"):
        texts["screening", str(row["id"])] = row["abstract"] or ""
    return texts


def plain_claims(data: Path) -> list[tuple[str, str, str, str]]:
    """(claim, passage, label, record), three for each line of the file."""
    texts = _records(data)
    found = []
    for text in (Path(__file__).parent / "plain_claims.jsonl").read_text("utf-8").splitlines():
        line = json.loads(text)
        low, high = line["sentences"]
        passage = " ".join(_END.split(" ".join(texts[line["source"], line["key"]].split()))[low:high])
        found += [(line[label], passage, label, f"{line['source']}:{line['key']}") for label in LABELS]
    return found
