"""The second pass: labelled biomedical pairs, generated pairs, and some general pairs against forgetting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from conclusions import conclusion_examples, edited_sentence_examples
from general import general_examples
from rows import Example, label_of, read_rows
from sklearn.feature_extraction.text import TfidfVectorizer
from splits import held_out_claim
from statements import statement_examples

from evidencegate.models.stance._text import blank, clean_claim, focus


def _spans(passage: str, wanted: list[str]) -> tuple[tuple[int, int], ...]:
    found = []
    for sentence in wanted:
        at = passage.find(sentence.strip())
        if at >= 0:
            found.append((at, at + len(sentence.strip())))
    return tuple(found)


def _pair(row: dict[str, Any], words: int, weight: float, origin: str, rationale: list[str]) -> Example:
    claim = clean_claim(row["claim"])
    narrowed = focus(claim, blank(row["evidence"]), words).text
    spans = _spans(narrowed, rationale)
    return Example(claim, narrowed, label_of(row), weight, spans or None, origin)


def _scifact(rows: list[dict[str, Any]], words: int, weight: float, generator: np.random.Generator) -> list[Example]:
    """The abstract narrowed, and each annotated rationale with its neighbours as a short passage."""
    examples = []
    for row in rows:
        sentences = row["meta"]["sentences"]
        chosen = [[sentences[i] for i in group] for group in row["meta"]["rationales"]]
        examples.append(_pair(row, words, weight, "scifact", [s for group in chosen for s in group]))
        claim = clean_claim(row["claim"])
        used = {i for group in row["meta"]["rationales"] for i in group}
        for group in row["meta"]["rationales"][:1]:
            low, high = max(0, min(group) - int(generator.integers(2))), max(group) + 1 + int(generator.integers(2))
            if high - low <= 5:
                passage = " ".join(s.strip() for s in sentences[low:high])
                spans = _spans(passage, [sentences[i] for i in group])
                examples.append(Example(claim, passage, label_of(row), weight * 0.7, spans, "scifact"))
        free = [i for i in range(len(sentences) - 2) if not used & {i, i + 1}]
        if free and generator.random() < 0.5:
            start = free[int(generator.integers(len(free)))]
            passage = " ".join(s.strip() for s in sentences[start : start + 2])
            examples.append(Example(claim, passage, 2, weight * 0.5, None, "scifact"))
    return examples


def _checkcovid(rows: list[dict[str, Any]], words: int, weight: float) -> list[Example]:
    examples = []
    for row in rows:
        meta = row["meta"]
        indices = [e["sent_index"] for e in meta["evidence_set"] or []]
        chosen = [meta["sentences"][i] for i in indices if 0 <= i < len(meta["sentences"])]
        labelled = row["label"] != "neutral"
        examples.append(_pair(row, words, weight, "checkcovid", chosen if labelled else []))
        if labelled and chosen:
            passage = " ".join(s.strip() for s in chosen)
            examples.append(
                Example(clean_claim(row["claim"]), passage, label_of(row), weight * 0.5, None, "checkcovid")
            )
    return examples


def biomedical_examples(data: Path, recipe: dict[str, Any], generator: np.random.Generator) -> list[Example]:
    """Everything the second pass sees, in no particular order."""
    words, weights = int(recipe["focus_words"]), recipe["weights"]
    stance = data / "stance"
    scifact = list(read_rows(stance / "scifact.train.jsonl.gz"))
    share = float(recipe["held_out_share"])
    held_out = [row for row in scifact if held_out_claim(row, share)]
    leave_out = frozenset(str(row["meta"]["doc_id"]) for row in held_out)
    read = [row for row in scifact if not held_out_claim(row, share)]
    examples = _scifact(read, words, weights["scifact"], generator)
    covid = list(read_rows(stance / "checkcovid.train.jsonl.gz"))
    examples += _checkcovid(covid, words, weights["checkcovid"])
    examples += _beside(read, weights["beside"], generator) + _beside(covid, weights["beside"], generator)
    examples += _strangers(read, 1, weights["strangers"], generator) + _strangers(
        covid, 2, weights["strangers"], generator
    )
    for row in read_rows(stance / "clinifact.train.jsonl.gz"):
        examples.append(_pair(row, words, weights["clinifact"], "clinifact", []))
    for row in read_rows(stance / "citint.train.jsonl.gz"):
        meta = row["meta"]
        marked = [meta["sentences"][i] for group in meta["rationales"] for i in group if i < len(meta["sentences"])]
        partly = 0 < len(marked) < len(meta["sentences"])
        examples.append(_pair(row, words, weights["citint"], "citint", marked if partly else []))
    evidence = list(read_rows(stance / "evinf_v2.train.jsonl.gz"))
    examples += statement_examples(evidence, weights["evidence_inference"], generator)
    examples += conclusion_examples(data, leave_out, weights["conclusions"], int(recipe["conclusions"]), generator)
    examples += edited_sentence_examples(
        data, leave_out, weights["edited_sentences"], int(recipe["edited_sentences"]), generator
    )
    sets = {name: {"rows": rows, "weight": 0.6} for name, rows in recipe["rehearsal"].items()}
    return examples + general_examples(data, {"sets": sets}, generator)


def _beside(rows: list[dict[str, Any]], weight: float, generator: np.random.Generator) -> list[Example]:
    """Two sentences of the abstract that no annotator marked: neutral, though they speak of the claim's topic."""
    examples = []
    for row in rows:
        meta = row["meta"]
        used = {i for group in meta.get("rationales", []) for i in group}
        used |= {entry["sent_index"] for entry in meta.get("evidence_set") or []}
        lines = meta["sentences"]
        free = [i for i in range(len(lines) - 1) if not used & {i, i + 1}]
        if free and used:
            start = free[int(generator.integers(len(free)))]
            passage = " ".join(line.strip() for line in lines[start : start + 2])
            examples.append(Example(clean_claim(row["claim"]), passage, 2, weight, None, "beside"))
    return examples


def _strangers(
    rows: list[dict[str, Any]], per_claim: int, weight: float, generator: np.random.Generator
) -> list[Example]:
    """A claim against two sentences of another article of the same field, near but not nearest: neutral.

    The nearest twelve articles are passed over, since they may well speak to the claim; what follows shares its
    vocabulary (the disease, the drug class) and says something else.
    """
    claims = sorted({clean_claim(row["claim"]) for row in rows})
    articles = {" ".join(row["meta"]["sentences"]): row["meta"]["sentences"] for row in rows}
    texts = list(articles)
    vectoriser = TfidfVectorizer(sublinear_tf=True, stop_words="english").fit(texts)
    near = (vectoriser.transform(claims) @ vectoriser.transform(texts).T).toarray()
    examples = []
    for claim, similar in zip(claims, near, strict=True):
        ranked = np.argsort(-similar)[12:90]
        for index in generator.choice(ranked, size=per_claim, replace=False).tolist():
            lines = articles[texts[index]]
            start = int(generator.integers(max(1, len(lines) - 1)))
            passage = " ".join(line.strip() for line in lines[start : start + int(generator.integers(1, 4))])
            examples.append(Example(claim, passage, 2, weight, None, "strangers"))
    return examples


def refining_examples(data: Path, recipe: dict[str, Any], generator: np.random.Generator) -> list[Example]:
    """The third, short pass: people's labels only, and more neutrals that share the claim's topic."""
    words, weights = int(recipe["focus_words"]), recipe["weights"]
    stance = data / "stance"
    share = float(recipe["held_out_share"])
    scifact = [r for r in read_rows(stance / "scifact.train.jsonl.gz") if not held_out_claim(r, share)]
    covid = list(read_rows(stance / "checkcovid.train.jsonl.gz"))
    examples = _scifact(scifact, words, weights["scifact"], generator)
    examples += _checkcovid(covid, words, weights["checkcovid"])
    examples += _beside(scifact, weights["beside"], generator) + _beside(covid, weights["beside"], generator)
    examples += _strangers(scifact, 1, weights["strangers"], generator)
    examples += _strangers(covid, 1, weights["strangers"], generator)
    for row in read_rows(stance / "clinifact.train.jsonl.gz"):
        examples.append(_pair(row, words, weights["clinifact"], "clinifact", []))
    for row in read_rows(stance / "citint.train.jsonl.gz"):
        examples.append(_pair(row, words, weights["citint"], "citint", []))
    evidence = list(read_rows(stance / "evinf_v2.train.jsonl.gz"))
    examples += statement_examples(evidence, weights["evidence_inference"], generator)
    sets = {name: {"rows": rows, "weight": 0.5} for name, rows in recipe["rehearsal"].items()}
    return examples + general_examples(data, {"sets": sets}, generator)
