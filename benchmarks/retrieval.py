"""Does the library find what judges found relevant: nDCG@10 and recall@100, mode by mode, fusion by fusion.

    python benchmarks/retrieval.py --data ../shared/data [--keep DIR] [--limit N] [--compare]

Asks the queries that may be used while building (SciFact train, NFCorpus dev); the test queries are left for those
who judge. `--compare` runs the hybrid search with other weights, without feedback, and by reciprocal ranks, side by
side on the same indexes. Prints JSON lines.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from evidencegate.evaluate import retrieval
from evidencegate.library import Mode, _search

SETS = (("nfcorpus", "dev"), ("scifact", "train"))
WEIGHTS = (0.3, 0.4, 0.5, 0.6, 0.7)
RANK_CONSTANT = 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--compare", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = arguments.keep or Path(folder)
        for name, split in SETS:

            def figures(what: str, mode: Mode = Mode.HYBRID, name: str = name, split: str = split) -> None:
                found = retrieval(
                    arguments.data / "retrieval" / name,
                    split=split,
                    library=place / name,
                    mode=mode,
                    limit=arguments.limit,
                )
                print(json.dumps({"what": what, **found.to_json()}), flush=True)

            for mode in Mode:
                figures(str(mode), mode)
            if arguments.compare:
                for weight in WEIGHTS:
                    with settings(DENSE_WEIGHT=weight):
                        figures(f"weight {weight}")
                    with settings(DENSE_WEIGHT=weight, FEEDBACK_WEIGHT=0.0):
                        figures(f"weight {weight}, no feedback")
                with settings(fuse=reciprocal, FEEDBACK_WEIGHT=0.0):
                    figures("reciprocal ranks")


@contextmanager
def settings(**given: object) -> Iterator[None]:
    """The search with other constants, or another fusion, for the length of a block."""
    with mock.patch.multiple(_search, **given):
        yield


def reciprocal(lexical: Any, dense: Any, mode: Mode, limit: int) -> list[_search.Candidate]:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) of the same two rankings."""
    best: dict[str, _search.Candidate] = {}
    rows: dict[str, int] = {}
    scores: dict[str, float] = {}
    for table in (lexical, dense):
        for rank, row in enumerate(table.to_pylist() if table is not None else (), start=1):
            rows[row["key"]] = row["_rowid"]
            scores[row["key"]] = scores.get(row["key"], 0.0) + 1.0 / (RANK_CONSTANT + rank)
    for key, score in sorted(scores.items(), key=lambda pair: -pair[1]):
        document = key.rpartition("#")[0]
        found = _search.Candidate(key=key, row=rows[key], document=document, bm25=0.0, cosine=None, score=score)
        best.setdefault(document, found)
    return list(best.values())[:limit]


if __name__ == "__main__":
    main()
