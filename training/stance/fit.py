"""Fit the logistic models over rule features: `fit.py --data DIR --out combination.json [--encoder DIR]`.

Without `--encoder` only `rules` is fitted. The encoder has seen the training parts, so `rules+encoder` is fitted
on the development parts alone, and the printed figures come from five folds that share no claim. HealthVer,
COVID-Fact, NLI4CT, AttributionBench, WiCE and the summaries are never fitted on.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from development import Pair, development_sets
from rows import read_rows
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import GroupKFold
from splits import held_out_claim
from statements import TEMPLATES, statement

from evidencegate.documents import without_orders
from evidencegate.models.stance._combine import ENCODER_INPUTS, encoder_inputs
from evidencegate.models.stance._encoder import load_encoder
from evidencegate.models.stance._model import ready, rules_on
from evidencegate.models.stance._rules import FEATURES
from evidencegate.models.stance._text import blank, clean_claim

LABELS = ("supports", "refutes", "neutral")
FITTED = ("scifact", "checkcovid", "citint", "clinifact", "evidence_inference", "general", "passages", "other_findings")
STRENGTH = 0.3
#: What each label weighs over all sets together. Outside the labelled sets most passages say nothing; the rules
#: alone find little enough, and would find less.
ALIKE = dict.fromkeys(LABELS, 1 / 3)
MORE_NEUTRAL = {"supports": 0.3, "refutes": 0.3, "neutral": 0.4}


def general_pairs(data: Path) -> list[Pair]:
    """A few plain pairs with all three labels, so that neutral is not only "another topic"."""
    pairs: list[Pair] = []
    for name, count in (("ambient", 250), ("fever_symmetric", 250), ("factcheck_gpt", 300)):
        rows = list(read_rows(data / "nli" / f"{name}.jsonl.gz"))
        for index in np.random.default_rng(7).permutation(len(rows))[:count].tolist():
            row = rows[index]
            pairs.append(Pair(row["claim"], row["evidence"], row["label"], row["claim"]))
    return pairs


def passage_pairs(data: Path, *, held_out: bool) -> list[Pair]:
    """Short passages of SciFact abstracts: annotated rationales with their label, other sentences as neutral.

    Those neutrals speak of the very topic of the claim, which is what neutral mostly means to a reader.
    """
    pairs: list[Pair] = []
    for number, row in enumerate(read_rows(data / "stance" / "scifact.train.jsonl.gz")):
        if held_out_claim(row) is not held_out:
            continue
        lines, groups = row["meta"]["sentences"], row["meta"]["rationales"]
        used = {index for group in groups for index in group}
        for group in groups[:1]:
            text = " ".join(lines[index].strip() for index in sorted(group))
            pairs.append(Pair(row["claim"], text, row["label"], row["claim"]))
        free = [i for i in range(len(lines) - 1) if not used & {i, i + 1}]
        if free:
            start = free[number * 7 % len(free)]
            text = " ".join(line.strip() for line in lines[start : start + 2])
            pairs.append(Pair(row["claim"], text, "neutral", row["claim"]))
    return pairs


def other_findings(data: Path) -> list[Pair]:
    """Statements against another finding of the same article: neutral."""
    rows = [r for r in read_rows(data / "stance" / "evinf_v2.dev.jsonl.gz") if not r["flagged"] and r["evidence"]]
    pairs: list[Pair] = []
    for number, row in enumerate(rows):
        for other in rows:
            apart = (
                other["pmcid"] == row["pmcid"]
                and other["evidence"] != row["evidence"]
                and other["outcome"].lower() not in row["evidence"].lower()
                and row["outcome"].lower() not in other["evidence"].lower()
            )
            if apart:
                direction = list(TEMPLATES)[number % 3]
                pairs.append(Pair(statement(row, direction, number), other["evidence"], "neutral", row["pmcid"]))
                break
    return pairs


def training_pairs(data: Path) -> dict[str, list[Pair]]:
    """Pairs for `rules`, which cannot overfit: the training parts."""
    stance = data / "stance"
    sets = {
        name: [
            Pair(r["claim"], r["evidence"], r["label"], r["claim"])
            for r in read_rows(stance / f"{name}.train.jsonl.gz")
        ]
        for name in ("checkcovid", "citint", "clinifact")
    }
    sets["scifact"] = [
        Pair(r["claim"], r["evidence"], r["label"], r["claim"])
        for r in read_rows(stance / "scifact.train.jsonl.gz")
        if not held_out_claim(r)
    ]
    rows = [r for r in read_rows(stance / "evinf_v2.train.jsonl.gz") if not r["flagged"] and r["evidence"]]
    statements = []
    for number, row in enumerate(rows):
        for index, direction in enumerate(TEMPLATES):
            label = "supports" if direction == row["label"] else "refutes"
            if label == "supports" or (number + index) % 2:
                statements.append(Pair(statement(row, direction, number + index), row["evidence"], label, row["pmcid"]))
        other = rows[(number * 7 + 13) % len(rows)]
        if number % 2 and other["pmcid"] != row["pmcid"]:
            direction = list(TEMPLATES)[number // 2 % 3]
            statements.append(Pair(statement(row, direction, number), other["evidence"], "neutral", row["pmcid"]))
    sets["evidence_inference"] = statements
    sets["general"] = general_pairs(data)
    sets["passages"] = passage_pairs(data, held_out=False)
    return sets


def features(pairs: list[Pair], encoder: Path | None) -> np.ndarray:
    """What the readers compute for each pair before the logistic model, cut and cleaned as they do."""
    made = [ready(clean_claim(p.claim), blank(without_orders(p.passage))) for p in pairs]
    rows = [list(rules_on(pair).values) for pair in made]
    if encoder is not None:
        reads = load_encoder(encoder).read([(pair.claim, pair.window) for pair in made])
        rows = [[*row, *encoder_inputs(read)] for row, read in zip(rows, reads, strict=True)]
    return np.array(rows)


def weights_of(sets: dict[str, list[Pair]], names: list[str], shares: dict[str, float]) -> np.ndarray:
    """Every set counts alike, and within a set every label counts alike, half way to its natural share."""
    result = []
    for name in names:
        labels = [pair.label for pair in sets[name]]
        counts = {label: labels.count(label) for label in set(labels)}
        raw = np.array([(len(labels) / (len(counts) * counts[label])) ** 0.5 for label in labels])
        result.append(raw / raw.sum() * min(600, 2 * len(labels)))
    weights = np.concatenate(result)
    truth = np.array([pair.label for name in names for pair in sets[name]])
    for label, share in shares.items():
        weights[truth == label] *= share * len(truth) / weights[truth == label].sum()
    return weights


def fit(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> LogisticRegression:
    return LogisticRegression(C=STRENGTH, max_iter=3000).fit(x, y, sample_weight=weights)


def as_json(model: LogisticRegression, inputs: tuple[str, ...]) -> dict[str, object]:
    order = [list(model.classes_).index(index) for index in range(3)]
    return {
        "inputs": list(inputs),
        "weights": [[round(float(v), 4) for v in model.coef_[i]] for i in order],
        "bias": [round(float(model.intercept_[i]), 4) for i in order],
    }


def report(name: str, y: np.ndarray, predicted: np.ndarray) -> None:
    present = sorted(set(y.tolist()))
    macro = f1_score(y, predicted, labels=present, average="macro", zero_division=0)
    print(f"{name:22s} n={len(y):5d} macro-F1={macro:.3f} accuracy={(y == predicted).mean():.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--encoder", type=Path)
    arguments = parser.parse_args()
    kept = json.loads(arguments.out.read_text("utf-8")) if arguments.out.exists() else {}
    development = development_sets(arguments.data)
    development["general"] = general_pairs(arguments.data)
    development["passages"] = passage_pairs(arguments.data, held_out=True)
    development["other_findings"] = other_findings(arguments.data)
    if arguments.encoder is None:
        sets = training_pairs(arguments.data)
        names = list(sets)
        x = np.concatenate([features(sets[name], None) for name in names])
        y = np.array([LABELS.index(pair.label) for name in names for pair in sets[name]])
        model = fit(x, y, weights_of(sets, names, ALIKE))
        kept["rules"] = as_json(model, FEATURES)
        for name in ("scifact", "checkcovid", "citint", "clinifact", "evidence_inference", "healthver_passage"):
            truth = np.array([LABELS.index(pair.label) for pair in development[name]])
            values = features(development[name], None)
            if set(truth.tolist()) == {0, 1}:
                report(name, truth, model.predict_proba(values)[:, :2].argmax(1))
            else:
                report(name, truth, model.predict(values))
    else:
        inputs = FEATURES + ENCODER_INPUTS
        blocks = {name: features(development[name], arguments.encoder) for name in FITTED}
        x = np.concatenate([blocks[name] for name in FITTED])
        y = np.array([LABELS.index(pair.label) for name in FITTED for pair in development[name]])
        groups = [f"{name}:{pair.group}" for name in FITTED for pair in development[name]]
        weights = weights_of(development, list(FITTED), MORE_NEUTRAL)
        predicted = np.zeros((len(y), 3))
        for train, test in GroupKFold(5).split(x, y, groups):
            predicted[test] = fit(x[train], y[train], weights[train]).predict_proba(x[test])
        start = 0
        for name in FITTED:
            rows = slice(start, start + len(development[name]))
            start = rows.stop
            truth, values = y[rows], predicted[rows]
            binary = set(truth.tolist()) == {0, 1}
            report(name, truth, values[:, :2].argmax(1) if binary else values.argmax(1))
            report("  encoder alone", truth, blocks[name][:, -3:][:, : 2 if binary else 3].argmax(1))
        kept["rules+encoder"] = as_json(fit(x, y, weights), inputs)
        kept["encoder"] = as_json(fit(x[:, -3:], y, weights), ENCODER_INPUTS)
    arguments.out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
