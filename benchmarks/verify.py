"""Figures of `check`, and the fit of its support model.

    python benchmarks/verify.py fit          # weights of data/support.json, from sets that may train
    python benchmarks/verify.py dev          # balanced accuracy on the dev parts, with and without the gate
    python benchmarks/verify.py reworded     # verdicts on sentences copied, reworded and altered by rule
    python benchmarks/verify.py speed        # a page of text against an article
    python benchmarks/verify.py raters       # how well one expert's judgement of a summary foretells another's

Reads the labelled sets from EVIDENCEGATE_DATA (default: ../shared/data beside the repository); writes nothing but
`support.json` with `fit --write`.
"""

import argparse
import gzip
import json
import math
import os
import random
import re
import tarfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from evidencegate.documents import Document, sentences
from evidencegate.evaluate._metrics import balanced_accuracy, bootstrap
from evidencegate.models.stance import RulesModel, StanceModel, default_model
from evidencegate.verify import Checked, Evidence, Verdict, check, claims
from evidencegate.verify._support import FEATURES, features
from evidencegate.verify._written import glossary

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("EVIDENCEGATE_DATA", ROOT.parent / "shared" / "data"))
WEIGHTS = ROOT / "src/evidencegate/verify/data/support.json"
MARK = re.compile(r"\s*[\[(]?<\|[a-z_]*cit\|>[\])]?")
# Sets that may train and whose claims state what a passage does or does not bear out; read by the rules, which cannot
# have learned them by heart. Sets that pair a claim with an abstract on its topic teach too little of shared words.
FIT = ("nli/feverous_s_dev", "nli/factcheck_gpt", "nli/propsegment_dev")
DEV = (
    "factuality/rct_summaries.dev",
    "factuality/attributionbench.dev",
    "factuality/wice_oracle_chunks.dev",
    "factuality/wice.dev",
    "stance/citint.dev",
)
SEED = 20261120


@dataclass(frozen=True, slots=True)
class Row:
    claim: str
    evidence: str
    supported: bool


def rows(name: str, limit: int | None = None) -> list[Row]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    random.Random(SEED).shuffle(found)
    return [
        Row(MARK.sub("", r["claim"]), r["evidence"], r["label"] in ("supported", "supports")) for r in found[:limit]
    ]


def reader_of(name: str) -> StanceModel:
    return RulesModel() if name == "rules" else default_model()


def prepared(found: list[Row], model: StanceModel) -> list[tuple[tuple[float, ...], bool]]:
    """Features of each row's first claim against its evidence."""
    jobs, pairs = [], []
    for row in found:
        evidence = Evidence([Document(id="local:evidence", title="", text=row.evidence)])
        said = claims(row.claim)
        defined = glossary([row.evidence], own=row.claim)
        claim = defined.claim(said[0].statement if len(said) == 1 else row.claim).text
        selected = [defined.passage(s.passage).text for s in evidence.select(claim)]
        if selected:
            jobs.append((claim, selected, evidence.share, row.supported))
            pairs += [(claim, text) for text in selected]
    read = iter(model.judge(pairs))
    return [
        (features(claim, texts, [next(read) for _ in texts], share), supported)
        for claim, texts, share, supported in jobs
    ]


def fit(*, limit: int, write: bool) -> None:
    import numpy as np
    from logistic import fitted, predicted

    model = RulesModel()
    cases, weights = [], []
    for name in FIT:
        found = prepared(rows(name, limit), model)
        share = {value: sum(y is value for _, y in found) for value in (True, False)}
        cases += found
        # Each set counts the same, and so do its two labels: the threshold then means the same everywhere.
        weights += [1 / (2 * max(1, share[y])) for _, y in found]
        print(name, len(found), share, flush=True)
    x = np.array([[1.0, *values] for values, _ in cases])
    y = np.array([supported for _, supported in cases], dtype=float)
    w = np.array(weights) * len(cases) / sum(weights)
    beta = fitted(x, y, w, ridge=20.0)
    p = predicted(x, beta)
    called = [(str(bool(a)), str(bool(b >= 0.5))) for a, b in zip(y, p, strict=True)]
    print("balanced accuracy on what was fitted:", round(balanced_accuracy(called), 3))
    values = {"bias": round(float(beta[0]), 4), "weights": [round(float(b), 4) for b in beta[1:]]}
    print(model.name, dict(zip(FEATURES, values["weights"], strict=True)), values["bias"])
    if write:
        WEIGHTS.write_text(json.dumps({"features": list(FEATURES), **values}, indent=1) + "\n")


def dev(reader: str, *, limit: int | None) -> None:
    model = reader_of(reader)
    for name in DEV:
        found = rows(name, limit)
        started = time.perf_counter()
        checked = [check(r.claim, Document(id="local:e", title="", text=r.evidence), reader=model.judge) for r in found]
        seconds = time.perf_counter() - started
        report(name, found, checked, seconds)


def report(name: str, found: list[Row], checked: list[Checked], seconds: float) -> None:
    truth = [str(row.supported) for row in found]
    scores = [one.support if one.support is not None else 0.0 for one in checked]
    free = list(zip(truth, [str(score >= 0.5) for score in scores], strict=True))
    gated = list(zip(truth, [str(decided(one) is True) for one in checked], strict=True))
    firm = [(t, str(decided(one))) for t, one in zip(truth, checked, strict=True) if decided(one) is not None]
    right = [t for t, call in firm if call == "True"]
    wrong = [t for t, call in firm if call == "False"]
    interval = bootstrap(free, balanced_accuracy)
    best = max(
        (balanced_accuracy([(t, str(s >= at)) for t, s in zip(truth, scores, strict=True)]), at)
        for at in (i / 50 for i in range(5, 48))
    )
    print(
        f"{name}: n {len(found)}, balanced accuracy {balanced_accuracy(free):.3f} "
        f"[{interval.low:.3f}, {interval.high:.3f}] (best threshold {best[1]:.2f}: {best[0]:.3f}), "
        f"only what the gate calls correct {balanced_accuracy(gated):.3f}, decided {len(firm) / len(found):.0%}: "
        f"{right.count('True')} of {len(right)} correct calls right, {wrong.count('False')} of {len(wrong)} incorrect; "
        f"{seconds:.0f} s",
        flush=True,
    )
    quotes = [c.decision.quote for one in checked for c in one.claims if c.decision.quote]
    literal = sum(q.text == q.document.text[q.span.start : q.span.end] for q in quotes)
    verdicts = [str(c.verdict) for one in checked for c in one.claims]
    print("   quotes literal", f"{literal}/{len(quotes)}", {v: verdicts.count(v) for v in sorted(set(verdicts))})
    for keep in (1.0, 0.8, 0.6, 0.4, 0.2):  # abstention: the surest share of the texts
        order = sorted(range(len(found)), key=lambda i: -abs(scores[i] - 0.5))[: max(1, round(keep * len(found)))]
        print(f"   surest {keep:.0%}: {balanced_accuracy([free[i] for i in order]):.3f}", end="")
    print()


def decided(checked: Checked) -> bool | None:
    verdicts = {claim.verdict for claim in checked.claims}
    if Verdict.INCORRECT in verdicts:
        return False
    return True if verdicts == {Verdict.CORRECT} else None


SYNONYMS = (
    ("patients", "participants"), ("showed", "demonstrated"), ("reduced", "decreased"), ("significantly ", ""),
    ("however, ", ""), ("compared with", "versus"), ("approximately", "about"), ("study", "trial"),
    ("assessed", "evaluated"), ("The ", "the "), ("%", " %"), ("increased", "raised"), ("Furthermore, ", ""),
    ("was performed", "was carried out"), ("obtained", "acquired"), ("each", "every"), ("in order to", "to"),
    ("due to", "because of"), ("receive ", "get "), ("≥", "at least "), ("large", "big"),
)  # fmt: skip


TURNS = (
    ("increased", "decreased"), ("higher", "lower"), ("reduced", "increased"), ("lower", "higher"),
    ("was not", "was"), ("did not", "did"),
)  # fmt: skip


def reworded(text: str, chance: random.Random) -> str:
    for old, new in chance.sample(SYNONYMS, len(SYNONYMS)):
        text = text.replace(old, new)
    text = re.sub(r"\s*\[[\d,\s–-]+\]", "", text)
    if chance.random() < 0.3:
        text = "The authors reported that " + text[0].lower() + text[1:]
    if chance.random() < 0.3:
        text = re.sub(r"\s*\([^()]*\)", "", text, count=1)
    return text


def altered(text: str, chance: random.Random) -> str | None:
    """The sentence with one number or direction changed; None where it has neither."""
    numbers = list(
        re.finditer(r"(?<![\w.,-])\d+(?:\.\d+)?(?=\s?(?:%|mg|patients|participants|weeks|months|years))", text)
    )
    turns = [(old, new) for old, new in TURNS if re.search(rf"\b{old}\b", text)]
    if numbers and (not turns or chance.random() < 0.5):
        hit = chance.choice(numbers)
        changed = str(int(float(hit[0])) + chance.choice((3, 7, 11)))
        return text[: hit.start()] + changed + text[hit.end() :]
    if turns:
        old, new = chance.choice(turns)
        return re.sub(rf"\b{old}\b", new, text, count=1)
    return None


def articles(limit: int) -> Iterator[Document]:
    from lxml import etree

    parser = etree.XMLParser(recover=True, load_dtd=False, no_network=True, resolve_entities=False)
    with tarfile.open(DATA / "corpora/pmc_rct_fulltext.tar.gz") as archive:
        members = sorted((m for m in archive if m.name.endswith(".nxml")), key=lambda m: m.name)
        random.Random(SEED).shuffle(members)
        for member in members[:limit]:
            body = archive.extractfile(member)
            tree = etree.parse(body, parser)
            parts = [" ".join("".join(p.itertext()).split()) for p in tree.iterfind(".//body//p")]
            text = "\n\n".join(part for part in parts if part)
            if len(text) > 3000:
                yield Document(id=f"local:{Path(member.name).stem}", title="", text=text)


def rewordings(reader: str, *, limit: int) -> None:
    model = reader_of(reader)
    chance = random.Random(SEED)
    counts: dict[str, dict[str, int]] = {}
    for article in articles(limit):
        plain = [s.of(article.text) for s in sentences(article.text) if 40 < len(s) < 400]
        for sentence in chance.sample(plain, min(8, len(plain))):
            variants = {
                "copied": sentence,
                "reworded": reworded(sentence, chance),
                "altered": altered(sentence, chance),
            }
            for kind, text in variants.items():
                if text is None:
                    continue
                for claim in check(text, article, reader=model.judge).claims:
                    if kind == "altered" and claim.claim.text in sentence:
                        continue  # the change is in another part of the sentence
                    tally = counts.setdefault(kind, {})
                    tally[claim.verdict] = tally.get(claim.verdict, 0) + 1
    for kind, tally in counts.items():
        total = sum(tally.values())
        low, high = wilson(tally.get("incorrect", 0), total)
        print(
            kind,
            total,
            {v: f"{n / total:.2%}" for v, n in sorted(tally.items())},
            f"incorrect 95% [{low:.2%}, {high:.2%}]",
        )


def wilson(hits: int, total: int) -> tuple[float, float]:
    """95 % interval of a share (Wilson 1927)."""
    z, share = 1.96, hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return max(0.0, middle - half), min(1.0, middle + half)


def speed(reader: str) -> None:
    """1,000 words of reworded sentences of other articles, so that wording settles little, against 5,000 words."""
    model = reader_of(reader)
    source, *others = articles(12)
    while len(source.text.split()) < 5000:
        source = Document(id=source.id, title="", text=source.text + "\n\n" + others.pop().text)
    source = Document(id=source.id, title="", text=" ".join(source.text.split(" ")[:5000]))
    text = " ".join(" ".join(o.text.split()[200:600]) for o in others)
    text = " ".join(text.split(" ")[:1000])
    check("Warm up the model.", source, reader=model.judge)
    started = time.perf_counter()
    checked = check(text, source, reader=model.judge)
    seconds = time.perf_counter() - started
    print(f"{seconds:.1f} s, {len(checked.claims)} claims, {checked.usage['pairs']} pairs, {model.name}")


def raters() -> None:
    """What any reader can reach on `rct_summaries.dev`, where three experts judged each summary.

    Balanced accuracy of one expert as the reader and another as the truth, for every two; and in how many summaries
    two saw an error, beside as many as there would be if each had marked as many summaries by lot.
    """
    with gzip.open(DATA / "factuality/rct_summaries.dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    experts = sorted({row["meta"]["annotator"] for row in found})
    seen: dict[str, dict[str, bool]] = {}
    for row in found:
        seen.setdefault(row["claim"], {})[row["meta"]["annotator"]] = row["label"] == "unsupported"
    marks = {expert: [judged[expert] for judged in seen.values()] for expert in experts}
    for truth, reader in permutations(experts, 2):
        pairs = [(str(a), str(b)) for a, b in zip(marks[truth], marks[reader], strict=True)]
        share = bootstrap(pairs, balanced_accuracy)
        print(f"{reader} foretells {truth}: balanced accuracy {balanced_accuracy(pairs):.3f} "
              f"[{share.low:.3f}, {share.high:.3f}]")  # fmt: skip
    shared = sum(sum(judged) > 1 for judged in zip(*marks.values(), strict=True))
    chance = random.Random(SEED)
    lots = []
    for _ in range(2000):
        shuffled = [chance.sample(marked, len(marked)) for marked in marks.values()]
        lots.append(sum(sum(judged) > 1 for judged in zip(*shuffled, strict=True)))
    print(f"{len(seen)} summaries, {sum(map(any, zip(*marks.values(), strict=True)))} marked by one expert or more, "
          f"{shared} by two or more; by lot {sum(lots) / len(lots):.1f}, as many or more in "
          f"{sum(n >= shared for n in lots) / len(lots):.0%} of 2,000 lots")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("fit", "dev", "reworded", "speed", "raters"))
    parser.add_argument("--reader", choices=("rules", "default"), default="default")
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.what == "fit":
        fit(limit=given.limit or 800, write=given.write)
    elif given.what == "dev":
        dev(given.reader, limit=given.limit)
    elif given.what == "reworded":
        rewordings(given.reader, limit=given.limit or 40)
    elif given.what == "raters":
        raters()
    else:
        speed(given.reader)


if __name__ == "__main__":
    main()
