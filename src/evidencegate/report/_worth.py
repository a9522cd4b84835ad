"""Which sentences of a record may answer a question, and how much each is worth."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import yaml

from evidencegate.counter import grammar, main_verb
from evidencegate.counter import terms as finding_words
from evidencegate.documents import Document, Span, sentences
from evidencegate.models.stance import read
from evidencegate.report.citations import mentions

_MIN_WORDS, _MAX_WORDS = 6, 70
# Tables and lists read as prose are mostly figures.
_MAX_FIGURES = 0.35
_LONGEST_ABSTRACT = 6_000
"""A text of more characters is no abstract."""
_WHOLE = 5
"""From so many sentences on an abstract goes from background to conclusion; a shorter one may be all findings."""
_CLOSING = 4
"""At most so many of its last sentences are conclusions."""
_SILENT = 0.35
"""Worth of a sentence among results whose words report nothing: who took part, what was given, what was looked at."""
_UNEVEN = 0.4
"""Worth of a sentence that only says whether a finding is the same everywhere."""
_ITSELF = re.compile(r"[,;\d]")
_CITING = 0.3
"""Worth of a sentence that cites others: it mostly reports their findings, and their record is the better source."""


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
    uneven: re.Pattern[str]
    dose: re.Pattern[str]
    inline_label: re.Pattern[str]
    imprint: re.Pattern[str]


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
        uneven=re.compile("|".join(raw["uneven"]), re.IGNORECASE),
        dose=re.compile(raw["dose"]),
        inline_label=re.compile(raw["inline_label"]),
        imprint=re.compile(raw["imprint"], re.DOTALL),
    )


def part_of(document: Document, sentence: Span) -> Part:
    """By the label of its section where there is one, else by its words."""
    rules = _rules()
    cued = _cued(sentence.of(document.text))
    label = _label_of(document, sentence)
    if not label:
        return _by_place(document, sentence, cued)
    labelled = next((part for part, known in rules.sections.items() if known.search(label)), None)
    if labelled is None:
        return cued
    # What a section of findings says of its aims and methods is still aims and methods.
    return cued if cued in (Part.AIM, Part.METHOD) else labelled


def _by_place(document: Document, sentence: Span, cued: Part) -> Part:
    """An abstract without labels opens with what was known or asked, and closes with what follows from it."""
    if document.curated or document.full_text or document.sections or len(document.text) > _LONGEST_ABSTRACT:
        return cued
    spans = _spans(document.text)
    if len(spans) < _WHOLE:
        return cued
    if sentence.overlaps(spans[0]) and cued in (Part.UNLABELLED, Part.CONCLUSION, Part.RESULT):
        return cued if cued is Part.RESULT and _figures(sentence.of(document.text)) else Part.BACKGROUND
    closing = cued in (Part.UNLABELLED, Part.RESULT) and any(
        sentence.overlaps(span) for span in _closing(document.text)
    )
    return Part.CONCLUSION if closing else cued


def _figures(text: str) -> bool:
    return any(c.isdigit() for c in text)


@lru_cache(maxsize=1024)
def _spans(text: str) -> tuple[Span, ...]:
    return tuple(sentences(text))


@lru_cache(maxsize=1024)
def _closing(text: str) -> tuple[Span, ...]:
    """The last sentence, and those right before it that give no figures, within the second half."""
    spans = _spans(text)
    found = [spans[-1]]
    for span in reversed(spans[len(spans) // 2 : -1]):
        if len(found) == _CLOSING or _figures(span.of(text)):
            break
        found.append(span)
    return tuple(found)


@lru_cache(maxsize=8192)
def _cued(text: str) -> Part:
    """By its words alone; remembered, as every section of a report reads the same sentences."""
    found = next((part for part, cue in _rules().cues.items() if cue.search(text)), Part.UNLABELLED)
    # What is no finding for whoever looks for the opposite is none for an answer either.
    silent = found not in (Part.AIM, Part.METHOD) and finding_words().sentence.search(text)
    return Part.BACKGROUND if silent else found


@lru_cache(maxsize=8192)
def uneven(text: str) -> bool:
    """Whether a sentence says of a finding only that it is, or is not, the same in all places, studies or people."""
    found = _rules().uneven.search(text)
    # What stands before it may be the finding itself: "the RR was 0.89, and little heterogeneity was seen".
    return found is not None and not _ITSELF.search(text, 0, found.start())


@lru_cache(maxsize=8192)
def _citing(text: str) -> bool:
    return bool(mentions(text))


def _label_of(document: Document, sentence: Span) -> str:
    """The label printed last before the sentence ends its opening, in its paragraph; else its section's."""
    start = document.text.rfind("\n\n", 0, sentence.start) + 1
    printed = None
    for printed in _rules().inline_label.finditer(document.text, start, min(sentence.end, sentence.start + 120)):
        if printed.start() > sentence.start:
            break
    if printed is not None:
        return printed["label"]
    section = document.section_at(sentence.start)
    return section.label if section else ""


def kernel(document: Document, sentence: Span) -> Span:
    """The sentence itself: without a label printed before it and what a publisher appended."""
    rules = _rules()
    start, end = sentence.start, sentence.end
    label = rules.inline_label.match(document.text, start, end)
    if label:
        start = label.end()
    imprint = rules.imprint.search(document.text[:end], start)
    if imprint and imprint.start() > start:
        end = imprint.start()
    return Span(start, end)


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
    if not document.curated and not _has_verb(text):
        return 0.0
    rules = _rules()
    part = part_of(document, sentence)
    # A curated summary states findings and scope only; which of the two, its words tell.
    value = rules.worth[part] or (rules.worth[Part.BACKGROUND] if document.curated else 0.0)
    if part in (Part.RESULT, Part.UNLABELLED) and not _tells(text):
        value *= _SILENT
    if _citing(text):
        value *= _CITING
    if uneven(text):
        value *= _UNEVEN
    return value * (0.5 if rules.leaning.match(text) else 1.0)


@lru_cache(maxsize=8192)
def _has_verb(text: str) -> bool:
    """Whether a sentence has a finite verb; a heading, or a population that is only named, has none."""
    return main_verb(text, grammar()) is not None


@lru_cache(maxsize=8192)
def _tells(text: str) -> bool:
    """Whether a sentence reports a finding by its words: an effect, a difference, none."""
    return bool(finding_words().finding.search(text) or read(text).effects)


@lru_cache(maxsize=8192)
def tells_effect(text: str) -> bool:
    """Whether a sentence tells by its words what something does, or that it does nothing."""
    reading = read(text)
    return bool(reading.effects) or reading.significant is not None or reading.comparison is not None


def holds_dose(text: str) -> bool:
    """Whether a sentence states a dose, which a public reader is not shown."""
    return _rules().dose.search(text) is not None
