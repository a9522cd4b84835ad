"""Evidence Inference prompts as statements: the intervention raised, lowered or did not change the outcome."""

from __future__ import annotations

from typing import Any

import numpy as np
from rows import Example

from evidencegate.documents import sentences

TEMPLATES: dict[str, tuple[str, ...]] = {
    "increased": (
        "{i} increased {o} compared with {c}.",
        "{i} raised {o} compared with {c}.",
        "{o} was higher with {i} than with {c}.",
        "Compared with {c}, {i} significantly increased {o}.",
        "Patients receiving {i} had greater {o} than those receiving {c}.",
        "{i} leads to an increase in {o} relative to {c}.",
        "{i} resulted in more {o} than {c}.",
        "{i} improves or raises {o} more than {c} does.",
        "The use of {i} instead of {c} raises {o}.",
        "{i} was associated with higher {o} than {c}.",
        "{o} rose with {i} as against {c}.",
    ),
    "decreased": (
        "{i} decreased {o} compared with {c}.",
        "{i} lowered {o} compared with {c}.",
        "{o} was lower with {i} than with {c}.",
        "Compared with {c}, {i} significantly reduced {o}.",
        "Patients receiving {i} had less {o} than those receiving {c}.",
        "{i} leads to a reduction in {o} relative to {c}.",
        "{i} resulted in less {o} than {c}.",
        "{i} lessens or lowers {o} more than {c} does.",
        "The use of {i} instead of {c} lowers {o}.",
        "{i} was associated with lower {o} than {c}.",
        "{o} fell with {i} as against {c}.",
    ),
    "no difference": (
        "{i} did not change {o} compared with {c}.",
        "There was no significant difference in {o} between {i} and {c}.",
        "{o} was similar with {i} and with {c}.",
        "{i} had no effect on {o} compared with {c}.",
        "{i} neither increased nor decreased {o} compared with {c}.",
        "{i} does not affect {o} relative to {c}.",
        "{i} did not significantly change {o} compared with {c}.",
        "{i} and {c} do not differ in {o}.",
        "The use of {i} instead of {c} makes no difference to {o}.",
        "{i} was not associated with {o} that differed from {c}.",
        "{o} stayed the same with {i} as against {c}.",
    ),
}
OPPOSITE = {"increased": "decreased", "decreased": "increased", "no difference": "no difference"}


def statement(row: dict[str, Any], direction: str, template: int, *, swapped: bool = False) -> str:
    """A statement in one of the wordings; `swapped` exchanges the two arms, and the direction with them."""
    i, c = row["intervention"].strip(), row["comparator"].strip()
    if swapped:
        i, c, direction = c, i, OPPOSITE[direction]
    wordings = TEMPLATES[direction]
    text = wordings[template % len(wordings)].format(i=i, c=c, o=row["outcome"].strip())
    return text[:1].upper() + text[1:]


def passage_of(row: dict[str, Any], generator: np.random.Generator) -> tuple[str, tuple[tuple[int, int], ...]]:
    """(passage, rationale): the annotated evidence alone, or with up to two sentences on either side."""
    annotated = [one for one in row["evidences"] if one["text"].strip()] or [{"text": row["evidence"]}]
    chosen = annotated[int(generator.integers(len(annotated)))]
    text, draw = chosen["text"], generator.random()
    around = ""
    if draw < 0.35:
        around = chosen.get("paragraph") or ""
    elif draw < 0.5 and row.get("evidence_in_abstract"):
        around = row["abstract"]
    at = around.find(text)
    if at < 0:
        return text, ((0, len(text)),)
    spans = list(sentences(around))
    inside = [i for i, span in enumerate(spans) if span.start < at + len(text) and at < span.end]
    if not inside:
        return text, ((0, len(text)),)
    first, last = max(0, inside[0] - int(generator.integers(3))), inside[-1] + int(generator.integers(3))
    start, end = spans[first].start, spans[min(last, len(spans) - 1)].end
    return around[start:end], ((max(0, at - start), at + len(text) - start),)


def statement_examples(rows: list[dict[str, Any]], weight: float, generator: np.random.Generator) -> list[Example]:
    """Each direction under supports and refutes about as often as the other; neutrals from other findings."""
    examples: list[Example] = []
    usable = [row for row in rows if not row["flagged"] and row["evidence"].strip()]
    counts = {d: sum(row["label"] == d for row in usable) for d in TEMPLATES}
    by_article: dict[str, list[dict[str, Any]]] = {}
    for row in usable:
        by_article.setdefault(row["pmcid"], []).append(row)

    def add(row: dict[str, Any], direction: str, label: int, source: dict[str, Any]) -> None:
        passage, rationale = passage_of(source, generator)
        claim = statement(
            row, direction, int(generator.integers(len(TEMPLATES[direction]))), swapped=generator.random() < 0.25
        )
        examples.append(Example(claim, passage, label, weight, rationale if label < 2 else None, "evidence_inference"))

    for row in usable:
        add(row, row["label"], 0, row)
        for direction in TEMPLATES:
            others = len(usable) - counts[direction]
            if direction != row["label"] and generator.random() < 1.15 * counts[direction] / others:
                add(row, direction, 1, row)
        siblings = [
            s
            for s in by_article[row["pmcid"]]
            if s["outcome"].lower() != row["outcome"].lower()
            and s["outcome"].lower() not in row["evidence"].lower()
            and row["outcome"].lower() not in s["evidence"].lower()
            and s["evidence"] != row["evidence"]
        ]
        stranger = usable[int(generator.integers(len(usable)))]
        directions = list(TEMPLATES)
        if siblings and generator.random() < 0.5:
            add(row, directions[int(generator.integers(3))], 2, siblings[int(generator.integers(len(siblings)))])
        elif stranger["pmcid"] != row["pmcid"]:
            add(row, directions[int(generator.integers(3))], 2, stranger)
    return examples
