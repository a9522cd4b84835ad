"""What a library costs: adding, searching, starting, memory and disk.

    python benchmarks/library.py --data ../shared/data add        # full texts, abstracts: documents/s, peak memory
    python benchmarks/library.py --data ../shared/data search     # 25,000 abstracts: p50 and p95 of each mode
    python benchmarks/library.py --data ../shared/data start      # a fresh process: open, and one search

Every part runs in processes of its own, so that memory and first calls are theirs. `--keep DIR` keeps the libraries
between runs. Prints JSON lines. Other load on the machine shows in all of it: compare runs made side by side.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

FULL_TEXTS = "corpora/pmc_rct_fulltext.tar.gz"
ABSTRACTS = "retrieval/nfcorpus/corpus.jsonl.gz"
LARGE = (ABSTRACTS, "retrieval/scifact/corpus.jsonl.gz", "corpora/screening.jsonl.gz")
LARGE_DOCUMENTS = 25_000

ADD = """
import json, resource, sys
from evidencegate.library import Library
library = Library(sys.argv[1])
fields = library.add(sys.argv[2]).to_json()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
info = library.info()
print(json.dumps({"file": sys.argv[2].rsplit("/")[-1], "added": fields["added"], "skipped": len(fields["skipped"]),
    "seconds": fields["seconds"], "documents_per_second": round(fields["added"] / fields["seconds"], 1),
    "chunks": info.chunks, "chunks_per_second": round(info.chunks / fields["seconds"], 1),
    "peak_mb": round(peak), "disk_mb": round(info.bytes / 1e6, 1)}))
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
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = arguments.keep or Path(folder)
        parts = {"add": add, "search": search, "start": start}
        for figures in parts[arguments.part](arguments.data, place):
            print(json.dumps(figures), flush=True)


def add(data: Path, place: Path) -> Iterator[Mapping[str, object]]:
    for number, name in enumerate((FULL_TEXTS, ABSTRACTS)):
        with tempfile.TemporaryDirectory(dir=place) as fresh:
            yield json.loads(child(ADD, f"{fresh}/library{number}", str(data / name)))


def search(data: Path, place: Path) -> Iterator[Mapping[str, object]]:
    from evidencegate.library import Library, Mode

    library = large(data, place)
    queries = [
        json.loads(line)["text"]
        for name in ("nfcorpus", "scifact")
        for line in (data / "retrieval" / name / "queries.jsonl").read_text(encoding="utf-8").splitlines()[:150]
    ]
    opened = Library(library, create=False)
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
    library = large(data, place)
    runs = [[float(part) for part in child(START, str(library)).split()] for _ in range(5)]
    yield {
        "documents": LARGE_DOCUMENTS,
        "open_seconds": round(statistics.median(run[0] for run in runs), 2),
        "open_and_search_seconds": round(statistics.median(run[1] for run in runs), 2),
    }


def large(data: Path, place: Path) -> Path:
    """A library of abstracts, made when it is not there."""
    from itertools import islice

    from evidencegate.documents import Document
    from evidencegate.documents.readers import read
    from evidencegate.library import Library

    path = place / "large"
    library = Library(path)
    if len(library) < LARGE_DOCUMENTS:
        records = (item for name in LARGE for item in read(data / name) if isinstance(item, Document))
        distinct = {document.id: document for document in records}.values()
        library.add_documents(islice(distinct, LARGE_DOCUMENTS))
    return path


def child(script: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", script, *arguments], check=True, capture_output=True, text=True)
    return done.stdout


if __name__ == "__main__":
    main()
