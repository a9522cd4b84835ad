"""What the Boolean queries find: questions of experts, and the sentences that answer them among 30,000 other texts.

    python benchmarks/queries.py --data DIR [--misses 20]

The yes/no questions of BioASQ come with the sentences of abstracts that answer them (`nli/bioasq_yesno_snippets`).
Each question that names a condition or a treatment is made into its queries for PubMed; their words alone are run,
narrow to broad, until five texts are found as in a search, over all those sentences, the abstracts of 16 reviews
(`corpora/screening`) and the documents of two retrieval sets. MeSH terms and kinds of study are left out, as the texts
have none. A sentence is harder to find than its abstract, so the figures compare queries; they are no recall in PubMed.
"""

import argparse
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from evidencegate.errors import InvalidInput
from evidencegate.question import understand
from evidencegate.sources._concepts import concepts
from evidencegate.sources._query import plan
from evidencegate.sources._steps import ENOUGH

LEAST_SENTENCES = 3
OTHERS = (
    ("corpora/screening.jsonl.gz", ("title", "abstract")),
    ("retrieval/nfcorpus/corpus.jsonl.gz", ("title", "text")),
    ("retrieval/scifact/corpus.jsonl.gz", ("title", "text")),
)
_MARK = re.compile(r'\(|\)|\bAND\b|\bOR\b|"[^"]*"\[tiab\]|"[^"]*"\[MeSH Terms\]|[^\s()"]+(?: [^\s()"]+)*?\[\w+\]|\S+')
Part = Callable[[], frozenset[int] | None]
Join = Callable[[frozenset[int], frozenset[int]], frozenset[int]]
_APART = re.compile(r"[\W_]+")


class Texts:
    """Texts in which phrases are found as whole words."""

    def __init__(self, texts: list[str]) -> None:
        self._texts = [f" {_APART.sub(' ', text.casefold())} " for text in texts]
        self._found: dict[str, frozenset[int]] = {}

    def naming(self, phrase: str) -> frozenset[int]:
        """The texts that hold a phrase."""
        key = f" {_APART.sub(' ', phrase.casefold()).strip()} "
        if key not in self._found:
            self._found[key] = frozenset(i for i, text in enumerate(self._texts) if key in text)
        return self._found[key]

    def within(self, query: str) -> frozenset[int]:
        """The texts that a Boolean query finds by its `[tiab]` terms; parts without any are left out."""
        marks = _MARK.findall(query)
        place = 0

        def series(part: Part, mark: str, join: Join) -> frozenset[int] | None:
            nonlocal place
            found = part()
            while place < len(marks) and marks[place] == mark:
                place += 1
                other = part()
                found = other if found is None else found if other is None else join(found, other)
            return found

        def either() -> frozenset[int] | None:
            return series(both, "OR", frozenset.union)

        def both() -> frozenset[int] | None:
            return series(unit, "AND", frozenset.intersection)

        def unit() -> frozenset[int] | None:
            nonlocal place
            mark = marks[place]
            place += 1
            if mark == "(":
                found = either()
                place += 1
                return found
            return self.naming(mark[1 : -len('"[tiab]')]) if mark.endswith('"[tiab]') else None

        return either() or frozenset()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the queries of one question found."""

    question: str
    recall: float
    precision: float
    queries: tuple[str, ...]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _outcomes(data: Path) -> Iterator[Outcome]:
    places: dict[str, int] = {}
    answers: dict[str, set[int]] = defaultdict(set)
    for row in _rows(data / "nli" / "bioasq_yesno_snippets.jsonl.gz"):
        if "ideal" not in row["meta"]["source"]:
            answers[row["claim"]].add(places.setdefault(row["evidence"], len(places)))
    others = [" ".join(str(row.get(f) or "") for f in fields) for name, fields in OTHERS for row in _rows(data / name)]
    texts = Texts([*places, *others])
    for text, wanted in answers.items():
        if len(wanted) < LEAST_SENTENCES:
            continue
        try:
            question = understand(text)
        except InvalidInput:
            continue
        about = concepts(question.sub_queries[0], question)
        if not (about.condition or about.intervention):
            continue
        queries = tuple(step.shown for step in plan("pubmed", question.sub_queries[0], question))
        found: frozenset[int] = frozenset()
        for query in queries:
            found |= texts.within(query)
            if len(found) >= ENOUGH:
                break
        right = len(found & wanted)
        yield Outcome(text, right / len(wanted), right / len(found) if found else 0.0, queries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--misses", type=int, default=0, help="show the queries of so many questions that found nothing"
    )
    arguments = parser.parse_args()
    outcomes = list(_outcomes(arguments.data))
    some = sum(one.recall > 0 for one in outcomes) / len(outcomes)
    print(
        f"{len(outcomes)} questions: recall {mean(one.recall for one in outcomes):.3f}, "
        f"precision {mean(one.precision for one in outcomes):.3f}, something found for {some:.3f}"
    )
    for one in [one for one in outcomes if not one.recall][: arguments.misses]:
        print(one.question, *one.queries, sep="\n    ")


if __name__ == "__main__":
    main()
