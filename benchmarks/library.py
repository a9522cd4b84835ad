"""What a library costs: adding, searching, starting, memory and disk.

    python benchmarks/library.py --data ../shared/data add        # full texts, abstracts: speed, CPU seconds, memory
    python benchmarks/library.py --data ../shared/data search     # 25,000 abstracts: p50 and p95 of each mode
    python benchmarks/library.py --data ../shared/data start      # a fresh process: open, and one search

Memory and first calls are measured in processes of their own. `--keep DIR` keeps the large library between runs.
`--hashed` gives its records vectors of hashed words in place of embedding them, which takes minutes; queries are
embedded all the same, and the time of a search does not depend on what the vectors say. Prints JSON lines. Other
load on the machine shows in all of it but the CPU seconds: compare runs made side by side.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

FULL_TEXTS = "corpora/pmc_rct_fulltext.tar.gz"
ABSTRACTS = "retrieval/nfcorpus/corpus.jsonl.gz"
LARGE = (ABSTRACTS, "retrieval/scifact/corpus.jsonl.gz", "corpora/screening.jsonl.gz")
LARGE_DOCUMENTS = 25_000
LARGE_NAME = "large"

ADD = """
import json, resource, sys, time
from evidencegate.library import Library
library = Library(sys.argv[1])
fields = library.add(sys.argv[2]).to_json()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
info = library.info()
print(json.dumps({"file": sys.argv[2].rsplit("/")[-1], "added": fields["added"], "skipped": len(fields["skipped"]),
    "seconds": fields["seconds"], "documents_per_second": round(fields["added"] / fields["seconds"], 1),
    "chunks": info.chunks, "chunks_per_second": round(info.chunks / fields["seconds"], 1),
    "cpu_seconds": round(time.process_time(), 1), "peak_mb": round(peak), "disk_mb": round(info.bytes / 1e6, 1)}))
"""
START = """
import time
started = time.perf_counter()
import sys
from evidencegate import Library
library = Library(sys.argv[1], create=False)
opened = time.perf_counter()
library.search("does exercise lower blood pressure")
print(opened - started, time.perf_counter() - started)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("add", "search", "start"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--hashed", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = arguments.keep or Path(folder)
        parts = {"add": add, "search": search, "start": start}
        if arguments.part != "add":
            large(arguments.data, place, hashed=arguments.hashed)
        for figures in parts[arguments.part](arguments.data, place):
            print(json.dumps(figures), flush=True)


def add(data: Path, place: Path) -> Iterator[Mapping[str, object]]:
    for number, name in enumerate((FULL_TEXTS, ABSTRACTS)):
        with tempfile.TemporaryDirectory(dir=place) as fresh:
            yield json.loads(child(ADD, f"{fresh}/library{number}", str(data / name)))


def search(data: Path, place: Path) -> Iterator[Mapping[str, object]]:
    from evidencegate.library import Library, Mode

    queries = [
        json.loads(line)["text"]
        for name in ("nfcorpus", "scifact")
        for line in (data / "retrieval" / name / "queries.jsonl").read_text(encoding="utf-8").splitlines()[:150]
    ]
    opened = Library(place / LARGE_NAME, create=False)
    for mode in Mode:
        for query in queries[:20]:
            opened.search(query, mode=mode)
        milliseconds = []
        for query in queries:
            started = time.perf_counter()
            opened.search(query, mode=mode)
            milliseconds.append((time.perf_counter() - started) * 1000)
        cuts = statistics.quantiles(milliseconds, n=20)
        yield {
            "mode": str(mode),
            "documents": len(opened),
            "queries": len(queries),
            "p50": round(statistics.median(milliseconds), 1),
            "p95": round(cuts[18], 1),
        }


def start(data: Path, place: Path) -> Iterator[Mapping[str, object]]:
    runs = [[float(part) for part in child(START, str(place / LARGE_NAME)).split()] for _ in range(5)]
    yield {
        "documents": LARGE_DOCUMENTS,
        "open_seconds": round(statistics.median(run[0] for run in runs), 2),
        "open_and_search_seconds": round(statistics.median(run[1] for run in runs), 2),
    }


def large(data: Path, place: Path, *, hashed: bool) -> None:
    """Makes the library of abstracts, or what is missing of it."""
    from itertools import islice

    from evidencegate.documents import Document
    from evidencegate.documents.readers import read
    from evidencegate.library import Library

    if (place / LARGE_NAME).is_dir() and len(Library(place / LARGE_NAME)) >= LARGE_DOCUMENTS:
        return
    library = Library(place / LARGE_NAME, embedder=Hashed() if hashed else None)
    records = (item for name in LARGE for item in read(data / name) if isinstance(item, Document))
    distinct = {document.id: document for document in records}.values()
    library.add_documents(islice(distinct, LARGE_DOCUMENTS))


class Hashed:
    """Stands in for the embedder while records are added: a direction for every word, their mean for a text."""

    def __init__(self) -> None:
        from evidencegate.models.embedding import default_embedder

        self.name, self.dimensions = default_embedder().name, default_embedder().dimensions
        self._words: dict[str, np.ndarray] = {}

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.stack([sum(map(self._word, text.lower().split()[:200])) for text in texts]).astype(np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def _word(self, word: str) -> np.ndarray:
        if word not in self._words:
            self._words[word] = np.random.default_rng(zlib.crc32(word.encode())).normal(size=self.dimensions)
        return self._words[word]


def child(script: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", script, *arguments], check=True, capture_output=True, text=True)
    return done.stdout


if __name__ == "__main__":
    main()
