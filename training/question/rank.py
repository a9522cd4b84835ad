"""Fit how specific each decision is: which of several that are asked for is the primary one.

    python training/question/rank.py [--without LOT ...]

Prints `weight` of each decision for decisions.yaml and two constants of `_decide.py`: what a unit of log-odds adds to a
decision's rank (up to `SURE`), and what each clause before it takes off. Softmax loss over the decisions found in a
labelled question; a square penalty draws towards the values of before. `--without` (first letters of ids) holds lots out
and tells how many of their questions come out right.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from examples import LEARNT
from scipy.optimize import minimize

from evidencegate.evaluate.question import questions
from evidencegate.models.questions import question_reader
from evidencegate.question._asked import interacting
from evidencegate.question._chosen import conditions
from evidencegate.question._decide import LATER, SURE, SURELY, found_decisions
from evidencegate.question._read import read
from evidencegate.question._spelling import spelled
from evidencegate.question._vocabulary import load_vocabulary

STRENGTH = 1.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the decisions found in it."""

    id: str
    features: np.ndarray
    """(found, decisions + 2): which decision it is, its log-odds, its clause."""
    good: np.ndarray
    """(found,): whether it may be the primary one."""


def asked(names: Sequence[str]) -> list[Asked]:
    """The labelled questions in which a decision is found."""
    place = {name: i for i, name in enumerate(names)}
    known, reader = load_vocabulary(), question_reader()
    all_of = []
    for case in (case for file in LEARNT for case in questions(file)):
        reading = read(spelled(case.text, known)[0], known)
        vocabulary = reading.vocabulary
        together = interacting(reading, vocabulary)
        diseases = conditions(reading, vocabulary, reader, together=together).tags
        scores = found_decisions(reading, vocabulary, diseases, reader, together=together).scores
        features = np.zeros((len(scores), len(names) + 2))
        for row, (name, score) in zip(features, scores.items(), strict=True):
            row[place[name]] = 1
            row[-2:] = min(score.value, SURE), -score.clause
        right = {case.primary_decision, *case.primary_decision_also}
        if scores:
            all_of.append(Asked(case.id, features, np.array([name in right for name in scores])))
    return all_of


def fit(examples: Sequence[Asked], start: np.ndarray) -> np.ndarray:
    """The weights: one a decision, then those of log-odds and clause."""
    kept = [one for one in examples if one.good.any()]

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = 0.5 * STRENGTH * (w - start) @ (w - start), STRENGTH * (w - start)
        for one in kept:
            score = one.features @ w
            power = np.exp(score - score.max())
            all_of, good = power / power.sum(), power * one.good / (power @ one.good)
            value += np.log(power.sum()) - np.log(power @ one.good)
            slope = slope + one.features.T @ (all_of - good)
        return float(value), slope

    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B").x)


def right(examples: Sequence[Asked], w: np.ndarray) -> float:
    """The share whose primary decision comes out right."""
    return float(np.mean([one.good[int(np.argmax(one.features @ w))] for one in examples]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", nargs="+", default=[], help="first letters of ids")
    arguments = parser.parse_args()
    known = load_vocabulary().decisions
    names = sorted(known)
    start = np.array([*(known[name].weight for name in names), SURELY, LATER])
    examples = asked(names)
    held = [one for one in examples if one.id.startswith(tuple(arguments.without))] if arguments.without else []
    out = {one.id for one in held}
    learnt = [one for one in examples if one.id not in out]
    w = fit(learnt, start)
    for name, weight in zip((*names, "a unit of log-odds", "each clause before"), w, strict=True):
        print(f"{name}: {weight:.1f}")
    for title, some in (("learnt from", learnt), ("held out", held)):
        if some:
            print(f"{title}: {len(some)} questions, right before {right(some, start):.3f}, now {right(some, w):.3f}")


if __name__ == "__main__":
    main()
