"""Every development set with every reader: `benchmarks/stance.py --data DIR [--counter FILE] [--readers ...]`.

Prints one Markdown row a set and reader. SciFact is read on the quarter of its claims that training leaves out.
`--counter` is the file that `training/stance/counterfactuals.py` writes.
"""

import argparse
import json
import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from evidencegate import evaluate
from evidencegate.models.stance import EncoderModel, RulesModel, StanceModel

sys.path.insert(0, str(Path(__file__).parents[1] / "training" / "stance"))

READERS: dict[str, StanceModel] = {
    "rules": RulesModel(),
    "encoder": EncoderModel(with_rules=False),
    "rules+encoder": EncoderModel(),
}
THREE_WAY = ("scifact", "checkcovid", "citint", "clinifact", "healthver_passage", "healthver_abs", "plain_claims")
TWO_WAY = ("evidence_inference", "covidfact_rte", "nli4ct")
FACTUALITY = ("attributionbench", "wice_oracle_chunks", "wice", "rct_summaries")


def _written(data: Path, name: str, folder: Path) -> Path:
    from development import development_sets

    path = folder / f"{name}.dev.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for pair in development_sets(data)[name]:
            row = {"claim": pair.claim, "evidence": pair.passage, "label": pair.label}
            out.write(json.dumps(row) + "\n")
    return path


def _claim_only(path: Path, folder: Path) -> Path:
    """The same claims, each against one and the same empty sentence: what the claim alone gives away."""
    target = folder / f"claim_only_{path.name}"
    with path.open(encoding="utf-8") as lines, target.open("w", encoding="utf-8") as out:
        for line in lines:
            out.write(json.dumps({**json.loads(line), "evidence": "This was studied."}) + "\n")
    return target


def _share(point: evaluate.Point | None) -> str:
    return "0" if point is None else f"{point.recall:.2f}"


def _line(name: str, result: evaluate.StanceResult) -> str:
    f = result.figures
    low, high = f.intervals["macro_f1"].low, f.intervals["macro_f1"].high
    covered = f"{_share(result.covered['supports'])} / {_share(result.covered['refutes'])}"
    return (
        f"| {name} | {result.reader} | {f.n} | {f.macro_f1:.3f} ({low:.3f}-{high:.3f}) | {f.accuracy:.3f} | "
        f"{f.balanced_accuracy:.3f} | {result.calibration.ece:.3f} | {covered} | {result.pairs_per_second:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--counter", type=Path)
    parser.add_argument("--readers", nargs="+", default=list(READERS), choices=list(READERS))
    parser.add_argument("--sets", nargs="+", default=[*THREE_WAY, *TWO_WAY, *FACTUALITY])
    parser.add_argument("--claim-only", action="store_true", help="also judge each claim without its evidence")
    parser.add_argument("--results", type=Path, help="write artefacts below this folder")
    arguments = parser.parse_args()
    readers = {name: READERS[name] for name in arguments.readers}
    started = perf_counter()
    for reader in readers.values():
        reader.judge([("warm up", "The model is loaded.")])
    print(f"load {perf_counter() - started:.2f} s")
    print("| set | reader | n | macro-F1 (95 %) | accuracy | balanced | ECE | covered at 0.9 S / R | pairs/s |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in arguments.sets:
            if name in FACTUALITY:
                for reader in readers.values():
                    path = arguments.data / "factuality" / f"{name}.dev.jsonl.gz"
                    f = evaluate.factuality(path, model=reader, results=arguments.results)
                    gate = f"{f.coverage:.2f} decided at {f.decided.balanced_accuracy:.2f}"
                    g = f.figures
                    print(
                        f"| {name} | {f.reader} | {g.n} | {g.macro_f1:.3f} | {g.accuracy:.3f} | "
                        f"{g.balanced_accuracy:.3f} | {f.calibration.ece:.3f} | {gate} | {f.pairs_per_second:.0f} |",
                        flush=True,
                    )
                continue
            path = _written(arguments.data, name, folder)
            for reader in readers.values():
                result = evaluate.stance(path, model=reader, results=arguments.results)
                print(_line(name, result), flush=True)
                if arguments.claim_only:
                    alone = evaluate.stance(_claim_only(path, folder), model=reader, results=None)
                    print(_line(f"{name}, claim alone", alone), flush=True)
    if arguments.counter:
        for reader in readers.values():
            c = evaluate.counter(arguments.counter, model=reader, results=arguments.results)
            print(
                f"counterfactual validation, {c.reader}: precision {c.precision:.3f}, recall {c.recall:.3f}, "
                f"at 0.9: {_share(c.covered)} of {c.figures.n} ({c.triples_per_second:.0f}/s)",
                flush=True,
            )
    print(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
