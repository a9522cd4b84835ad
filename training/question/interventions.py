"""Fit the weights by which the treatments and tests that a question is about are told from those it only names.

    python training/question/interventions.py --out src/evidencegate/question/data/intervention_weights.json.gz

Learns from the questions of interventions.yaml: log-odds that a treatment which the text names is asked about, logistic
loss with a square penalty, heavier for words. Of names that the vocabulary does not know nothing is learnt.
Without `--out` it tells how many are found by ten fits, each without a tenth of the questions.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from choose import SMALLEST, Design, Row, fit_counts
from examples import LEARNT
from treated import akin, known, labels, measured

from evidencegate.evaluate.question import questions
from evidencegate.question import understand
from evidencegate.question._interventions import LEAST, intervention_traits
from evidencegate.question._read import read
from evidencegate.question._spelling import spelled
from evidencegate.question._vocabulary import load_vocabulary

FOLDS = 10
STRENGTH = 3.0


def labelled_rows() -> list[Row]:
    """What the questions name, treatment by treatment; `must` is asked about."""
    texts = {case.id: case.text for name in LEARNT for case in questions(name)}
    base = load_vocabulary()
    found = []
    for number, (name, label) in enumerate(sorted(labels().items())):
        question = understand(texts[name])
        text, _ = spelled(texts[name], base)
        reading = read(text, base)
        asked, told = known(label["asked"]), known(label["background"])
        traits = intervention_traits(reading, question.disease_tags, question.decision_tags, reading.vocabulary)
        for one, features in traits:
            must = one.name in asked or (one.name not in told and akin(one.name, asked, reading.vocabulary))
            found.append(Row(number, one.name, features, must, may=False, primary=False))
    return found


def measure(rows: Sequence[Row], chosen: np.ndarray) -> str:
    """How right the rows are that were chosen."""
    return measured([row.must for row in rows], [bool(one) for one in chosen], [row.question for row in rows])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--strength", type=float, default=STRENGTH)
    arguments = parser.parse_args()
    rows = labelled_rows()
    print(f"{len(rows)} named, {sum(row.must for row in rows)} asked about")
    print("by what is asked alone:", measure(rows, np.array(["ruled" in row.features for row in rows])))
    if arguments.out is None:
        weight = np.zeros(len(rows))
        for fold in range(FOLDS):
            out = np.array([row.question % FOLDS == fold for row in rows])
            learnt = [row for row in rows if row.question % FOLDS != fold]
            design = Design(learnt)
            left = [row for row in rows if row.question % FOLDS == fold]
            weight[out] = design.matrix(left) @ fit_counts(design, learnt, arguments.strength)
        print(f"ten fits at {arguments.strength}:", measure(rows, weight > LEAST))
        return
    design = Design(rows)
    fitted = fit_counts(design, rows, arguments.strength)
    table = {name: round(float(w), 2) for name, w in zip(design.names, fitted, strict=True) if abs(w) >= SMALLEST}
    print(f"{len(table)} of {len(design.names)} features;", measure(rows, design.matrix(rows) @ fitted > LEAST))
    lines = ",\n".join(f"{json.dumps(name)}: {weight}" for name, weight in sorted(table.items()))
    arguments.out.write_bytes(gzip.compress(f"{{\n{lines}\n}}\n".encode(), mtime=0))


if __name__ == "__main__":
    main()
