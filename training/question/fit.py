"""Fit the model of decisions: `fit.py --out src/evidencegate/question/data/decision_weights.json.gz`.

Logistic regression per decision over the features of `evidencegate.question._speak` and of the rules. A decision that
may be found but need not is left out of that question's loss. The same data give the same file.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path

import numpy as np
from examples import LEARNT, Example, asked, made
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import expit

from evidencegate.evaluate.question import Expected, questions
from evidencegate.question._asked import interacting
from evidencegate.question._chosen import conditions
from evidencegate.question._read import read
from evidencegate.question._ruled import ruled
from evidencegate.question._speak import clauses, stem, word_features
from evidencegate.question._vocabulary import load_vocabulary

STRENGTH = 0.7
RULES = 0.6
LABELLED_WEIGHS = 1.0
LEAST_SOURCES = 2
SMALLEST = 0.2
ROUNDS = 2
_BY_RULE = frozenset({"@rule", "@cue", "@weak", "@named", "@compared", "@beside", "@guessed"})


def as_example(case: Expected) -> Example:
    """A labelled question."""
    return Example(case.id, case.text, frozenset(case.decisions), frozenset(case.decisions_also))


class Read:
    """An example, its clauses and what the rules say of it."""

    def __init__(self, example: Example) -> None:
        vocabulary = load_vocabulary()
        reading = read(example.text, vocabulary)
        vocabulary = reading.vocabulary
        together = interacting(reading, vocabulary)
        found = conditions(reading, vocabulary, None, together=together)
        by_rule = ruled(reading, vocabulary, found.tags, together=together)
        self.example = example
        self.clauses = clauses(reading, vocabulary) or [[]]
        self.rules = by_rule.features

    def without_rules(self) -> Read:
        """The same with nothing that a rule says."""
        self.rules = frozenset(f for f in self.rules if f.split()[0] not in _BY_RULE)
        return self

    def features(self, known: frozenset[str]) -> list[frozenset[str]]:
        """All features of each clause."""
        return [frozenset({"", *self.rules, *word_features(clause, known)}) for clause in self.clauses]


def known_words(examples: list[Read], least: int = LEAST_SOURCES) -> frozenset[str]:
    """Stems of words that stand in questions of several sources."""
    sources = {(stem(word), one.example.source) for one in examples for clause in one.clauses for word in clause}
    count = Counter(word for word, _ in sources)
    return frozenset(word for word, times in count.items() if times >= least) | {"<start>"}


class Design:
    """The clauses of the examples as a matrix."""

    def __init__(self, examples: list[Read], weigh: dict[str, float]) -> None:
        known = known_words(examples)
        rows: list[frozenset[str]] = []
        whose: list[int] = []
        sources: dict[str, set[str]] = {}
        for number, one in enumerate(examples):
            for row in one.features(known):
                rows.append(row)
                whose.append(number)
                for feature in row:
                    sources.setdefault(feature, set()).add(one.example.source)
        self.names = sorted(f for f, s in sources.items() if len(s) >= LEAST_SOURCES or f == "")
        place = {name: i for i, name in enumerate(self.names)}
        at = [(r, place[f]) for r, row in enumerate(rows) for f in sorted(row) if f in place]
        self.x = csr_matrix((np.ones(len(at)), ([r for r, _ in at], [c for _, c in at])), shape=(len(rows), len(place)))
        self.whose = np.array(whose)
        self.weight = np.array([weigh.get(one.example.source, 1.0) for one in examples])
        rule = np.array([name.startswith("@") for name in self.names])
        # What a rule says is a feature of few and well known; words and pairs are many and rarely seen.
        self.penalty = np.where(rule, STRENGTH * RULES, STRENGTH)
        self.penalty[self.names.index("")] = 0.0

    def fit(self, must: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """The weights of one decision.

        Where a decision is asked for, one clause asks for it, but which is not said: at first each counts a part of
        one, then only the one that the model itself finds. Where it is not, none of them does.
        """
        asked = must[self.whose]
        part = 1.0 / np.bincount(self.whose)[self.whose]
        w = np.zeros(len(self.names))
        for _ in range(ROUNDS):
            w = self._fit_once(asked, self.weight[self.whose] * counts[self.whose] * np.where(asked, part, 1.0), w)
            score = self.x @ w
            best = np.full(len(must), -np.inf)
            np.maximum.at(best, self.whose, score)
            part = (score == best[self.whose]).astype(float)
        return w

    def _fit_once(self, asked: np.ndarray, weight: np.ndarray, start: np.ndarray) -> np.ndarray:
        sign = np.where(asked, 1.0, -1.0)

        def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
            margin = sign * (self.x @ w)
            value = weight @ np.logaddexp(0, -margin) + 0.5 * (self.penalty * w) @ w
            slope = -weight * sign * expit(-margin)
            return float(value), self.x.T @ slope + self.penalty * w

        return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 40}).x)


def fitted(examples: list[Read], labelled: frozenset[str]) -> dict[str, dict[str, float]]:
    """For each decision the weights of its features."""
    weigh = dict.fromkeys(labelled, LABELLED_WEIGHS)
    times = Counter(one.example.source for one in examples)
    # The lines, filled several times, count less than a question; of the many that end in one clause still fewer.
    weigh |= {s: 1.5 / n for s, n in times.items() if s not in labelled and n < 10}
    weigh |= {s: 20 / n for s, n in times.items() if n >= 10}
    design = Design(examples, weigh)
    found = {}
    for name in sorted(load_vocabulary().decisions):
        must = np.array([name in one.example.must for one in examples])
        counts = np.array([float(name in one.example.must or name not in one.example.may) for one in examples])
        w = design.fit(must, counts)
        rounded = zip(design.names, (round(float(v), 2) for v in w), strict=True)
        found[name] = {f: v for f, v in rounded if abs(v) >= SMALLEST}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--questions", nargs="+", default=list(LEARNT))
    args = parser.parse_args()
    labelled = [as_example(case) for name in args.questions for case in questions(name)]
    # The rules were mended on the labelled questions and are nearly always right there: how far to trust them is learnt
    # from the others alone.
    written = list(asked())
    examples = [*map(Read, [*made(), *written]), *(Read(one).without_rules() for one in labelled)]
    model = fitted(examples, frozenset(one.source for one in (*labelled, *written)))
    args.out.write_bytes(gzip.compress(as_file(model).encode(), mtime=0))


def as_file(model: dict[str, dict[str, float]]) -> str:
    """The weights as JSON, laid out so that it packs well.

    `places` has a text for each of `features`: the decisions for which it has a weight, each as the hexadecimal digit of
    its place in `decisions`. `hundredths` are these weights one after the other, times a hundred.
    """
    names = sorted(model)
    features = sorted({feature for row in model.values() for feature in row})
    where = [[name for name in names if feature in model[name]] for feature in features]
    content = {
        "decisions": names,
        "features": features,
        "places": ["".join(f"{names.index(name):x}" for name in of) for of in where],
        "hundredths": [round(100 * model[name][f]) for f, of in zip(features, where, strict=True) for name in of],
    }
    return json.dumps(content, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    main()
