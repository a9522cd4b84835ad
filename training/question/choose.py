"""Fit the weights by which the conditions of a question are chosen, and the primary one among them.

    python training/question/choose.py --out src/evidencegate/question/data/condition_weights.json.gz

Learns from the labelled questions. `counts`: log-odds that a condition which the text names is one of the question's,
logistic loss; one that may be found but need not is left out, or counts a fifth as one that is not if it is told as past ("a
cataract taken out in May"). `primary`: scores among the conditions of one question,
softmax loss over those that may be the primary one. Both with a square penalty, heavier for features that are seldom
(pairs of traits, single tags, the words a tag is named by).

    python training/question/choose.py --held-out NAME ...

fits without these files or lots (the letters that begin the ids) and tells how many of their questions come out right.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from examples import LEARNT
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit

from evidencegate.evaluate.question import Expected, questions
from evidencegate.question._asked import interacting
from evidencegate.question._beside import beside
from evidencegate.question._candidates import candidates
from evidencegate.question._chosen import LEAST
from evidencegate.question._read import read
from evidencegate.question._spelling import spelled
from evidencegate.question._traits import traits
from evidencegate.question._vocabulary import load_vocabulary

LEAST_QUESTIONS = 2
SMALLEST = 0.02
COUNTS, PRIMARY = 0.2, 0.4
# How much a condition that is told as past, and may be found, counts as one that is none of the question's.
DONE_WITH_WEIGHS, _DONE_WITH = 0.2, "past ."
"""Strength of the penalty."""
SELDOM = {"&": 6.0, "#": 3.0, "=": 2.0, '"': 4.0}
"""How much heavier it is for features that are many."""


@dataclass(frozen=True, slots=True)
class Row:
    """A condition that a question names."""

    question: int
    name: str
    features: frozenset[str]
    must: bool
    may: bool
    primary: bool


def rows_of(cases: Sequence[Expected]) -> list[Row]:
    """What the questions name, condition by condition."""
    found = []
    known = load_vocabulary()
    for number, case in enumerate(cases):
        text, _ = spelled(case.text, known)
        reading = read(text, known)
        vocabulary = reading.vocabulary
        named = candidates(reading, vocabulary)
        among = beside(named, reading, vocabulary, together=interacting(reading, vocabulary))
        primary = {case.primary, *case.primary_also}
        for one, features in zip(named, traits(named, among), strict=True):
            must = one.name in case.diseases
            found.append(Row(number, one.name, features, must, one.name in case.diseases_also, one.name in primary))
    return found


class Design:
    """The rows as a matrix of their features."""

    def __init__(self, rows: Sequence[Row]) -> None:
        asked: dict[str, set[int]] = {}
        for row in rows:
            for feature in row.features:
                asked.setdefault(feature, set()).add(row.question)
        self.names = sorted(f for f, whose in asked.items() if len(whose) >= LEAST_QUESTIONS)
        self._place = {name: i for i, name in enumerate(self.names)}
        self.penalty = np.array([self._heavier(name) for name in self.names])

    @staticmethod
    def _heavier(name: str) -> float:
        if not name:
            return 0.01
        return next((by for sign, by in SELDOM.items() if name.startswith(sign) or f" {sign} " in name), 1.0)

    def matrix(self, rows: Sequence[Row]) -> csr_matrix:
        """(rows, features); ones."""
        at = [(r, self._place[f]) for r, row in enumerate(rows) for f in sorted(row.features) if f in self._place]
        shape = (len(rows), len(self.names))
        return csr_matrix((np.ones(len(at)), ([r for r, _ in at], [c for _, c in at])), shape=shape)


def fit_counts(design: Design, rows: Sequence[Row], strength: float = COUNTS) -> np.ndarray:
    """Weights for being one of the question's conditions."""
    kept = [row for row in rows if row.must or not row.may or _DONE_WITH in row.features]
    x, sign = design.matrix(kept), np.array([1.0 if row.must else -1.0 for row in kept])
    weight = np.array([DONE_WITH_WEIGHS if row.may and not row.must else 1.0 for row in kept])

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        margin = sign * (x @ w)
        value = weight @ np.logaddexp(0, -margin) + 0.5 * strength * (design.penalty * w) @ w
        return float(value), x.T @ (-sign * weight * expit(-margin)) + strength * design.penalty * w

    return np.asarray(minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x)


def fit_primary(design: Design, rows: Sequence[Row], strength: float = PRIMARY) -> np.ndarray:
    """Weights for being the primary one of them."""
    right = Counter(row.question for row in rows if row.primary)
    kept = [row for row in rows if right[row.question]]
    x, good = design.matrix(kept), np.array([row.primary for row in kept])
    _, whose = np.unique([row.question for row in kept], return_inverse=True)
    count = int(whose.max()) + 1

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        score = x @ w
        largest = np.full(count, -np.inf)
        np.maximum.at(largest, whose, score)
        power = np.exp(score - largest[whose])
        all_of, good_of = np.bincount(whose, power, count), np.bincount(whose, power * good, count)
        value = (np.log(all_of) - np.log(good_of)).sum() + 0.5 * strength * (design.penalty * w) @ w
        slope = power / all_of[whose] - power * good / good_of[whose]
        return float(value), x.T @ slope + strength * design.penalty * w

    return np.asarray(minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 200}).x)


def measure(cases: Sequence[Expected], rows: Sequence[Row], counts: np.ndarray, primary: np.ndarray) -> str:
    """How many questions have all their conditions and none too many, the right primary one, and all named at all."""
    whole = first = named = 0
    tags = load_vocabulary().tags

    def with_implied(names: Iterable[str]) -> set[str]:
        return {one for name in names for one in (name, *(tags[name].implies if name in tags else ()))}

    for number, case in enumerate(cases):
        mine = [i for i, row in enumerate(rows) if row.question == number]
        likeliest = sorted(mine, key=lambda i: -counts[i])
        taken = [i for i in likeliest if counts[i] > LEAST] or likeliest[:1]
        chosen = with_implied(rows[i].name for i in taken)
        must = set(case.diseases)
        whole += must <= chosen <= must | set(case.diseases_also)
        named += must <= with_implied(rows[i].name for i in mine)
        best = max(taken, key=lambda i: primary[i], default=None)
        first += (case.primary is None) if best is None else rows[best].primary
    total = len(cases)
    return f"{total} questions: all named {named / total:.3f}, chosen {whole / total:.3f}, primary {first / total:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--questions", nargs="+", default=list(LEARNT), help="labelled files to learn from")
    parser.add_argument("--held-out", nargs="+", default=[], help="first letters of ids")
    parser.add_argument("--strength", type=float, nargs=2, default=(COUNTS, PRIMARY))
    arguments = parser.parse_args()
    cases = [case for name in arguments.questions for case in questions(name)]
    rows = rows_of(cases)
    for lot in arguments.held_out:
        out = {number for number, case in enumerate(cases) if case.id.startswith(lot)}
        learnt = [row for row in rows if row.question not in out]
        design = Design(learnt)
        left = [row for row in rows if row.question in out]
        x = design.matrix(left)
        numbers = {number: place for place, number in enumerate(sorted(out))}
        left = [Row(numbers[r.question], r.name, r.features, r.must, r.may, r.primary) for r in left]
        scores = (
            x @ fit(design, learnt, s) for fit, s in zip((fit_counts, fit_primary), arguments.strength, strict=True)
        )
        print(lot, measure([cases[n] for n in sorted(out)], left, *scores), flush=True)
    if arguments.out:
        design = Design(rows)
        fitted = (fit_counts(design, rows, arguments.strength[0]), fit_primary(design, rows, arguments.strength[1]))
        table = {
            name: [round(float(w[place]), 2) for w in fitted]
            for place, name in enumerate(design.names)
            if max(abs(w[place]) for w in fitted) >= SMALLEST
        }
        print(
            f"{len(table)} of {len(design.names)} features;",
            measure(cases, rows, *(design.matrix(rows) @ w for w in fitted)),
        )
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(table.items()))
        arguments.out.write_bytes(gzip.compress(f"{{\n{lines}\n}}\n".encode(), mtime=0))


if __name__ == "__main__":
    main()
