"""Answers over a real library: seconds, peak memory, and whether every quote stands in its source.

    python benchmarks/ask.py --data DIR [--library DIR]

DIR holds `corpora/pmc_rct_fulltext.tar.gz` and `retrieval/nfcorpus/corpus.jsonl.gz`. The library is built when it is
not there. Each question is asked by the installed command in a process of its own, twice; the second time counts as
warm. Sources are read here by the standard library alone.
"""

import argparse
import gzip
import json
import re
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
import xml.etree.ElementTree as ET
from pathlib import Path

QUESTIONS = [
    "Does exercise training improve symptoms of depression?",
    "Are statins associated with a lower risk of breast cancer?",
    "Does dietary fibre or a plant-based diet improve glycaemic control in type 2 diabetes?",
    "Do brief interventions by phone help smokers to quit?",
    "Does soy intake reduce breast cancer recurrence?",
]
COMMAND = str(Path(sys.executable).parent / "evidencegate")


def flat(text: str) -> str:
    return " ".join(text.split())


def tag(element: ET.Element) -> str:
    return str(element.tag).rpartition("}")[2]


def independent_texts(data: Path) -> dict[str, str]:
    """The text behind each identifier, without the package's readers."""
    texts: dict[str, str] = {}
    with gzip.open(data / "retrieval/nfcorpus/corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            address = json.dumps(row)
            pmid, pmcid = re.search(r"/pubmed/(\d+)", address), re.search(r"/(PMC\d+)", address)
            key = f"pmid:{pmid[1]}" if pmid else f"pmcid:{pmcid[1]}" if pmcid else f"local:{row['_id']}"
            texts[key] = flat(row["text"])
    with tarfile.open(data / "corpora/pmc_rct_fulltext.tar.gz") as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content is None:
                continue
            root = ET.parse(content).getroot()
            text = flat(" ".join("".join(e.itertext()) for e in root.iter() if tag(e) in ("abstract", "p")))
            for element in root.iter():
                if tag(element) == "article-id":
                    value = (element.text or "").strip()
                    kind = element.get("pub-id-type")
                    if kind == "pmid":
                        texts[f"pmid:{value}"] = text
                    elif kind in ("pmc", "pmcid"):
                        texts[f"pmcid:PMC{value.removeprefix('PMC')}"] = text
                    elif kind == "doi":
                        texts[f"doi:{value.lower()}"] = text
    return texts


def ask(question: str, library: Path) -> tuple[dict[str, object], float, float]:
    """The answer, its seconds, and the seconds to the first line of progress."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [COMMAND, "ask", question, "--library", str(library), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stdout is not None
    process.stderr.readline()
    first = time.perf_counter() - started
    out, _ = process.communicate()
    return json.loads(out), time.perf_counter() - started, first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--library", type=Path, default=Path(tempfile.gettempdir()) / "evidencegate-benchmark")
    arguments = parser.parse_args()
    paths = [
        arguments.data / "corpora/pmc_rct_fulltext.tar.gz",
        arguments.data / "retrieval/nfcorpus/corpus.jsonl.gz",
    ]
    figures: dict[str, object] = {}
    if not arguments.library.exists():
        for path in paths:
            done = subprocess.run(
                [COMMAND, "library", "add", str(path), "--library", str(arguments.library), "--json"],
                capture_output=True,
                text=True,
                check=False,
            )
            added = json.loads(done.stdout)
            figures[path.name] = {k: added[k] for k in ("added", "updated", "documents", "seconds")} | {
                "skipped": len(added["skipped"])
            }
    texts = independent_texts(arguments.data)
    quotes = literal = 0
    rows = []
    for question in QUESTIONS:
        ask(question, arguments.library)
        answer, seconds, first = ask(question, arguments.library)
        for sentence in [*answer["answer"]["sentences"], *answer["contradictory"]]:  # type: ignore[index,misc]
            for citation in sentence["citations"]:
                if not citation["curated"]:
                    quotes += 1
                    literal += flat(citation["quote"]["text"]) in texts[citation["document"]]
        rows.append(
            {
                "question": question,
                "seconds": round(seconds, 2),
                "first_line_seconds": round(first, 2),
                "sentences": len(answer["answer"]["sentences"]),  # type: ignore[index]
                "contradictory": len(answer["contradictory"]),  # type: ignore[arg-type]
                "references": len(answer["references"]),  # type: ignore[arg-type]
                "sufficiency": answer["sufficiency"]["score"],  # type: ignore[index]
            }
        )
    figures |= {
        "questions": rows,
        "quotes": quotes,
        "quotes_literal": literal,
        "peak_megabytes": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, 1),
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
