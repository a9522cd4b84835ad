"""Make the training pairs: (query, passage) from sets that may be trained on, one JSON object a line.

    python training/embedding/prepare.py --data DATA --out pairs.jsonl [--hold-out 0.25]

`DATA` is the shared data folder. NFCorpus is for academic use and only measures: none of its texts is
read here except the titles, to leave out literature that is also in it. `--hold-out` keeps that share of
SciFact's documents, and every claim about them, out of the pairs, so that the rest can be measured on them.
"""

import argparse
import gzip
import hashlib
import json
import random
import re
import tarfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lxml import etree

CITATION_MARK = re.compile(r"\s*[\[(]?<\|(?:multi_|other_)?cit\|>[^\])]{0,12}[\])]?")
SENTENCE_END = re.compile(r"(?<=[a-z0-9)%][.;])\s+(?=[A-Z])")
SHORTEST_ABSTRACT = 300
SHORTEST_SENTENCE = 50


@dataclass(frozen=True, slots=True)
class Pair:
    """`document` names the passage's origin: two pairs of one document are never each other's negatives."""

    source: str
    query: str
    passage: str
    document: str


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def tidy(text: str) -> str:
    return " ".join(text.split())


def held_out(document: str, share: float) -> bool:
    """The same documents each time, whatever the order of the files."""
    return int(hashlib.sha256(document.encode()).hexdigest()[:8], 16) / 16**8 < share


def held_out_claims(data: Path, share: float) -> set[str]:
    """SciFact claims that cite at least one document kept out of training."""
    kept_out = rows(data / "stance/scifact.train.jsonl.gz")
    return {row["claim"] for row in kept_out if held_out(str(row["meta"]["doc_id"]), share)}


def claims(data: Path, share: float) -> Iterator[Pair]:
    """Claims with the article they are about. Of SciFact the neutral ones too: their article was cited."""
    reserved = held_out_claims(data, share)
    for name in ("scifact", "checkcovid", "clinifact", "citint"):
        for row in rows(data / f"stance/{name}.train.jsonl.gz"):
            if name == "scifact":
                if row["claim"] in reserved or held_out(str(row["meta"]["doc_id"]), share):
                    continue
            elif row["label"] == "neutral":
                continue
            meta = row["meta"]
            document = str(meta.get("doc_id") or meta.get("cord_id") or meta.get("pmid"))
            claim = tidy(CITATION_MARK.sub("", row["claim"]))
            yield Pair(name, claim, tidy(row["evidence"]), f"{name}:{document}")


def trial_prompts(data: Path) -> Iterator[Pair]:
    """Intervention, comparator and outcome, asked of the abstract of the trial's article."""
    for row in rows(data / "stance/evinf_v2.train.jsonl.gz"):
        if not row["abstract"]:
            continue
        query = f"{row['intervention']} versus {row['comparator']}: {row['outcome']}"
        abstract = tidy(row["abstract"].replace("ABSTRACT.", " "))
        yield Pair("evinf", tidy(query), abstract, f"pmc:{row['pmcid']}")


def questions(data: Path) -> Iterator[Pair]:
    for row in rows(data / "nli/bioasq_yesno_snippets.jsonl.gz"):
        yield Pair("bioasq", tidy(row["claim"]), tidy(row["evidence"]), f"bioasq:{row['claim']}")


def literature(data: Path) -> Iterator[Pair]:
    """Articles as their own supervision: the title, or the conclusion, asks for the rest."""
    excluded = {title_key(row["title"]) for row in rows(data / "retrieval/nfcorpus/corpus.jsonl.gz")}
    excluded |= {title_key(row["title"]) for row in rows(data / "retrieval/scifact/corpus.jsonl.gz")}
    for number, (key, title, abstract, sentences) in enumerate(articles(data)):
        if len(abstract) < SHORTEST_ABSTRACT or title_key(title) in excluded:
            continue
        *body, conclusion = SENTENCE_END.split(abstract)
        if number % 2 and len(conclusion) >= SHORTEST_SENTENCE and len(body) > 2:
            yield Pair("conclusion", conclusion, f"{title} {' '.join(body)}", key)
        else:
            yield Pair("title", title, abstract, key)
        for sentence in sentences:
            yield Pair("section", sentence, f"{title} {abstract}", key)


def articles(data: Path) -> Iterator[tuple[str, str, str, list[str]]]:
    """(key, title, abstract, opening sentences of sections) of the review records and the trial articles."""
    for row in rows(data / "corpora/screening.jsonl.gz"):
        yield f"screening:{row['id']}", tidy(row["title"] or ""), tidy(row["abstract"] or ""), []
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    with tarfile.open(data / "corpora/pmc_rct_fulltext.tar.gz") as archive:
        for member in archive:
            handle = archive.extractfile(member)
            if handle is None:
                continue
            root = etree.fromstring(handle.read(), parser)
            title = " ".join(root.xpath("string(.//article-meta//article-title)").split())
            abstract = " ".join(" ".join(node.itertext()) for node in root.xpath(".//article-meta/abstract[1]//p"))
            openings = [tidy("".join(node.itertext())) for node in root.xpath(".//body/sec/p[1]")]
            sentences = [SENTENCE_END.split(opening)[0][:400] for opening in openings]
            long_enough = [s for s in sentences if len(s) >= SHORTEST_SENTENCE]
            yield f"pmc:{Path(member.name).stem}", title, tidy(abstract), long_enough[:2]


def title_key(title: str) -> str:
    return re.sub(r"\W+", "", title.lower())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--hold-out", type=float, default=0.0)
    arguments = parser.parse_args()
    data = arguments.data
    pairs = [
        *claims(data, arguments.hold_out),
        *trial_prompts(data),
        *questions(data),
        *literature(data),
    ]
    pairs = [pair for pair in dict.fromkeys(pairs) if pair.query and pair.passage]
    random.Random(0).shuffle(pairs)
    with arguments.out.open("w", encoding="utf-8") as out:
        for pair in pairs:
            out.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
    counts = {name: sum(pair.source == name for pair in pairs) for name in sorted({p.source for p in pairs})}
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
