"""Counter, measured: `benchmarks/counter.py --data DIR [--triples FILE] [--library DIR] [--reader rules|default]`.

`benchmarks/counter.py --triples FILE --fit [--write]` fits what makes an acceptance on the readings of the default
reader (`models/stance/data/acceptance.json`); to be done again after the stance model changes.

Three things: the share of real conclusions that get a usable statement (PubMedQA long answers), precision and
recall of *accept* on labelled claims with the statements that we make ourselves, and the time of whole claims
against a library. `--triples` is the file that `training/stance/counterfactuals.py` writes; its own statements are
not used. Nothing of the data is shown beyond counts, except with `--show N`.
"""

import argparse
import asyncio
import gzip
import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

from evidencegate.counter import (
    Counterfactual,
    Readers,
    Scored,
    Verdict,
    counterfactual,
    elsewhere,
    examine,
    main_claims,
    statements,
    validate,
)
from evidencegate.counter._find import find
from evidencegate.counter._passages import NEAR, around, candidates
from evidencegate.counter._validate import validated
from evidencegate.documents import Document, sentences
from evidencegate.evidence import Level, Nearness, default_nearness
from evidencegate.models.stance import (
    Label,
    RulesModel,
    StanceModel,
    clean_claim,
    default_model,
    logit,
    validate_all,
)
from evidencegate.sources import Source

_ROOT = Path(__file__).parents[1]
_DATA = Path(os.environ.get("EVIDENCEGATE_DATA", _ROOT.parent / "shared" / "data"))
_ACCEPTANCE = _ROOT / "src/evidencegate/models/stance/data/acceptance.json"
_MAY_TRAIN = ("evinf", "scifact", "checkcovid")
_WANTED = 0.9
"""Precision of *accept*, as promised."""
_OPENING = 1_500
"""Characters of a text that say what it is about."""
_STAGES = ("statements", "search and scoring", "choosing passages", "validating")
_SETS = {"scifact": "scifact.train.jsonl.gz", "checkcovid": "checkcovid.dev.jsonl.gz", "citint": "citint.dev.jsonl.gz"}


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def conclusions(data: Path, n: int, seed: int = 7) -> list[str]:
    """The first sentence of `n` long answers that states something."""
    found = []
    for row in rows(data / "qa" / "pubmedqa.traindev.jsonl.gz"):
        spans = sentences(row["long_answer"])
        if spans:
            found.append(spans[0].of(row["long_answer"]))
    random.Random(seed).shuffle(found)
    return found[:n]


def share_of_statements(data: Path, n: int, model: StanceModel, show: int) -> None:
    texts = conclusions(data, n)
    made = kept = 0
    started = perf_counter()
    for text in texts:
        claim = main_claims(text)[0][0]
        drafts = statements(claim.statement)
        found, _ = counterfactual(claim, model)
        made += bool(drafts)
        kept += found.statement is not None
        if show > 0:
            show -= 1
            print(f"  {claim.text}\n    -> {found.shown}")
    seconds = perf_counter() - started
    print(f"statements: {made} of {len(texts)} by grammar, {kept} not read as agreeing; {seconds:.1f} s")


def labelled(data: Path, triples: Path | None, most: int) -> Iterator[tuple[str, str, str, bool]]:
    """(set, claim, passage, whether it is to be accepted). A passage that refutes the claim supports its opposite.

    A claim and a text that carry two labels (two thirds of Check-COVID's) say nothing and are left out.
    """
    for name, file in _SETS.items():
        found = [row for row in rows(data / "stance" / file) if row["evidence"].strip()]
        labels: dict[tuple[str, str], set[str]] = {}
        for row in found:
            labels.setdefault((row["claim"], row["evidence"]), set()).add(row["label"])
        random.Random(3).shuffle(found)
        found = [row for row in found if len(labels[row["claim"], row["evidence"]]) == 1]
        for row in found[:most]:
            # Of several sentences with one citation mark, the marked one is the claim.
            yield name, clean_claim(row["claim"]), row["evidence"], row["label"] == "refutes"
    if triples is not None:
        lines = [json.loads(line) for line in triples.read_text("utf-8").splitlines()]
        lines = [row for row in lines if row["id"].startswith("evinf")]
        random.Random(3).shuffle(lines)
        for row in lines[:most]:
            yield "evinf", row["claim"], row["passage"], row["label"] == "accept"


def accepting(data: Path, triples: Path | None, most: int, model: StanceModel, show: int) -> None:
    counts: dict[str, Counter[str]] = {}
    confirming = 0
    near = default_nearness()
    started = perf_counter()
    total = 0
    for name, claim, passage, right in labelled(data, triples, most):
        total += 1
        count = counts.setdefault(name, Counter())
        made, _ = counterfactual(main_claims(f"{claim.rstrip('.')}.")[0][0], model)
        if made.statement is None:
            count["missed" if right else "left"] += 1
            count["no statement"] += 1
            continue
        # The snippets of Evidence Inference were chosen for the claim's own trial, which they seldom name again: its
        # question stands as their title.
        context = f"{claim.rstrip('.')}?" if name == "evinf" else titled(passage)
        verdict = read(made, passage, model, near, context)
        confirming += bool(verdict.validation) and verdict.supports_claim
        key = ("hit" if right else "wrong") if verdict.validation else ("missed" if right else "left")
        count[key] += 1
        count["other matter"] += bool(right and elsewhere(made.claim, passage, context) is not None)
        if key == "wrong" and show > 0:
            show -= 1
            print(f"  {made.claim}\n    {verdict.statement.text}\n    {passage[:300]}")
    seconds = perf_counter() - started
    whole: Counter[str] = Counter()
    for name, count in counts.items():
        whole += count
        print(f"{name}: {_figures(count)}")
    print(
        f"all: {_figures(whole)}; accepted that support the claim: {confirming}; {total / seconds:.1f} pairs a second"
    )


def titled(text: str) -> str:
    """What stands around the passages of a text that begins with its title."""
    title = next((span.of(text) for span in sentences(text)), "")
    return f"{title}\n\n{text[len(title) :][:_OPENING].strip()}"


def read(made: Counterfactual, text: str, model: StanceModel, near: Nearness, context: str) -> Verdict:
    """As a search would: the nearest windows of a longer text; the surest acceptance of them, else a rejection."""
    document = Document(id="local:pair", title="", text=text)
    record = Scored(document=document, level=Level.OTHER, score=0.0, reasons=())
    windows = [one.passage.text for one in candidates(made, [record], near)] or [text]
    verdicts = validate(made, [(window, context) for window in windows], model)
    return max(verdicts, key=lambda v: (v.validation.accepted, v.validation.confidence))


def _figures(count: Counter[str]) -> str:
    accepted, right = count["hit"] + count["wrong"], count["hit"] + count["missed"]
    precision = count["hit"] / accepted if accepted else 0.0
    recall = count["hit"] / right if right else 0.0
    return f"precision {precision:.3f}, recall {recall:.3f} {dict(count)}"


def speed(data: Path, library: Path, claims: int, readers: Readers) -> None:
    from evidencegate.library import Library
    from evidencegate.runs import Ledger, Run
    from evidencegate.sources.library import LibrarySource

    source = LibrarySource(Library(library, create=False))
    texts = conclusions(data, claims, seed=11)
    started = perf_counter()
    accepted = 0
    for text in texts:
        run = Run.start(Ledger("sqlite://"), "counter", {})
        report = asyncio.run(examine(text, sources=[source], run=run, readers=readers))
        accepted += sum(len(one.accepted) for one in report.claims)
    seconds = perf_counter() - started
    print(f"library: {claims} claims in {seconds:.1f} s ({60 * claims / seconds:.1f} a minute), {accepted} accepted")
    stages(texts, source, readers)


def stages(texts: list[str], source: Source, readers: Readers) -> None:
    """What each stage of a claim costs: the calls of `examine`, one after the other."""
    from evidencegate.runs import Ledger, Run

    spent: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    for text in texts:
        run = Run.start(Ledger("sqlite://"), "counter", {})
        marks = [perf_counter()]
        made, _ = counterfactual(main_claims(text)[0][0], readers.stance)
        marks.append(perf_counter())
        if made.statement is None:
            continue
        haul = asyncio.run(find(made, [source], readers.nearness, run))
        marks.append(perf_counter())
        reads = candidates(made, haul.documents, readers.nearness)
        marks.append(perf_counter())
        given = [(one.passage.text, around(one.record.document)) for one in reads if one.near >= NEAR]
        asyncio.run(validated(made, given, readers.stance, run))
        marks.append(perf_counter())
        for stage, (begun, ended) in zip(_STAGES, pairwise(marks), strict=True):
            spent[stage] += ended - begun
        counted += Counter(documents=len(haul.documents), passages=len(reads), validated=len(given))
    print("stages: " + ", ".join(f"{stage} {spent[stage]:.1f} s" for stage in _STAGES), dict(counted))


def fit(triples: Path, *, write: bool) -> None:
    """The weights of `acceptance`, and the least threshold at which five folds are as precise as wanted.

    On the sets that may train, with one fold for all triples of a passage.
    """
    import numpy as np
    from logistic import fitted, predicted

    found = [json.loads(line) for line in triples.read_text("utf-8").splitlines()]
    found = [row for row in found if row["id"].split("-")[0] in _MAY_TRAIN]
    judged = validate_all([(row["passage"], row["statement"], row["claim"]) for row in found], model=default_model())
    kept = [(row, one) for row, one in zip(found, judged, strict=True) if one.to_claim is not None]
    readings = [(one.to_statement, one.to_claim) for _, one in kept if one.to_claim is not None]
    x = np.array([[1.0, logit(s.supports), logit(c.refutes)] for s, c in readings])
    y = np.array([row["label"] == "accept" for row, _ in kept], dtype=float)
    # What no threshold can accept: the labels themselves speak against it.
    able = np.array([s.label is Label.SUPPORTS and c.label is not Label.SUPPORTS for s, c in readings])
    fold = np.array([int(sha256(row["passage"].encode()).hexdigest(), 16) % 5 for row, _ in kept])
    held = np.zeros(len(y))
    for k in range(5):
        rest = fold != k
        held[~rest] = predicted(x[~rest], fitted(x[rest], y[rest], np.ones(rest.sum()), ridge=5.0))
    chosen = None
    for at in np.arange(0.5, 0.96, 0.05):
        accepted = able & (held >= at)
        precision, recall = y[accepted].mean() if accepted.any() else 0.0, y[accepted].sum() / y.sum()
        print(f"from {at:.2f}: precision {precision:.3f}, recall {recall:.3f} ({accepted.sum()} accepted)")
        if chosen is None and precision >= _WANTED:
            chosen = float(at)
    beta = fitted(x, y, np.ones(len(y)), ridge=5.0)
    made = {
        "bias": round(float(beta[0]), 4),
        "supports": round(float(beta[1]), 4),
        "refutes": round(float(beta[2]), 4),
        "accept_at": round(chosen or 0.95, 2),
    }
    print(len(y), "triples:", made)
    if write:
        _ACCEPTANCE.write_text(json.dumps(made, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=_DATA)
    parser.add_argument("--triples", type=Path)
    parser.add_argument("--library", type=Path)
    parser.add_argument("--reader", choices=("rules", "default"), default="default")
    parser.add_argument("--conclusions", type=int, default=200)
    parser.add_argument("--most", type=int, default=200, help="labelled pairs of each set")
    parser.add_argument("--claims", type=int, default=10)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--fit", action="store_true", help="fit the acceptance on the triples, and do nothing else")
    parser.add_argument("--write", action="store_true", help="with --fit: keep it")
    arguments = parser.parse_args()
    if arguments.fit:
        if arguments.triples is None:
            parser.error("--fit needs --triples")
        fit(arguments.triples, write=arguments.write)
        return
    local = Readers.local()
    model = RulesModel() if arguments.reader == "rules" else default_model()
    if arguments.conclusions:
        share_of_statements(arguments.data, arguments.conclusions, model, arguments.show)
    if arguments.most:
        accepting(arguments.data, arguments.triples, arguments.most, model, arguments.show)
    if arguments.library:
        speed(arguments.data, arguments.library, arguments.claims, Readers(nearness=local.nearness, stance=model))


if __name__ == "__main__":
    main()
