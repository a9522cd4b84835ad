"""Which sentences of a record may answer a question, and how much each is worth."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

import yaml

from evidencegate.documents import Document, Span

_MIN_WORDS, _MAX_WORDS = 6, 70
# Tables and lists read as prose are mostly figures.
_MAX_FIGURES = 0.35


class Part(StrEnum):
    """The part of a paper's argument that a sentence belongs to."""

    CONCLUSION = "conclusion"
    RESULT = "result"
    UNLABELLED = "unlabelled"
    BACKGROUND = "background"
    AIM = "aim"
    METHOD = "method"


@dataclass(frozen=True, slots=True)
class _Rules:
    sections: dict[Part, re.Pattern[str]]
    cues: dict[Part, re.Pattern[str]]
    worth: dict[Part, float]
    leaning: re.Pattern[str]
    dose: re.Pattern[str]


@cache
def _rules() -> _Rules:
    raw: dict[str, Any] = yaml.safe_load(
        resources.files("evidencegate.report").joinpath("data/sentences.yaml").read_text("utf-8")
    )
    return _Rules(
        sections={
            Part(part): re.compile(r"\b(?:" + "|".join(map(re.escape, labels)) + r")\b", re.IGNORECASE)
            for part, labels in raw["sections"].items()
        },
        cues={Part(part): re.compile("|".join(cues), re.IGNORECASE) for part, cues in raw["cues"].items()},
        worth={Part(part): float(value) for part, value in raw["worth"].items()},
        leaning=re.compile(raw["leaning"], re.IGNORECASE),
        dose=re.compile(raw["dose"]),
    )


def part_of(document: Document, sentence: Span) -> Part:
    """By the label of its section where there is one, else by its words."""
    rules = _rules()
    section = document.section_at(sentence.start)
    text = sentence.of(document.text)
    cued = next((part for part, cue in rules.cues.items() if cue.search(text)), Part.UNLABELLED)
    if section is None or not section.label:
        return cued
    labelled = next((part for part, label in rules.sections.items() if label.search(section.label)), None)
    if labelled is None:
        return cued
    # What a section of findings says of its aims and methods is still aims and methods.
    return cued if cued in (Part.AIM, Part.METHOD) else labelled


def worth(document: Document, sentence: Span) -> float:
    """How much a sentence can say as an answer on its own, 0-1; 0 where it must not be one."""
    text = " ".join(sentence.of(document.text).split())
    words = text.split()
    if not _MIN_WORDS <= len(words) <= _MAX_WORDS or not text.endswith((".", "!", ")", "]", "”", '"')):
        return 0.0
    if not (text[0].isupper() or text[0].isdigit() or text[0] in '([“"'):
        return 0.0
    figures = sum(any(c.isdigit() for c in word) for word in words)
    if figures > _MAX_FIGURES * len(words) + 2:
        return 0.0
    rules = _rules()
    # A curated summary states findings and scope only; which of the two, its words tell.
    value = rules.worth[part_of(document, sentence)] or (rules.worth[Part.BACKGROUND] if document.curated else 0.0)
    return value * (0.5 if rules.leaning.match(text) else 1.0)


def holds_dose(text: str) -> bool:
    """Whether a sentence states a dose, which a public reader is not shown."""
    return _rules().dose.search(text) is not None
