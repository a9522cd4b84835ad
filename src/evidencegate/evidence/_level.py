"""The design of a study, from its publication types, else from its title, else from its text."""

import re
from functools import lru_cache
from importlib.resources import files

import yaml

from evidencegate.documents import Document
from evidencegate.evidence._design import Level

_READ = 6000
"""Characters of a text that are read for its design: the abstract and the methods say it."""


class _Rules:
    """The data file, compiled."""

    __slots__ = ("registration", "text", "title", "types")

    def __init__(self) -> None:
        raw = yaml.safe_load(files("evidencegate.evidence").joinpath("data", "levels.yaml").read_text("utf-8"))
        self.types: list[tuple[Level, frozenset[str]]] = [
            (Level.OTHER if name == "other_first" else Level(name), frozenset(values))
            for name, values in raw["publication_types"].items()
        ]
        self.title = [(Level(cue["level"]), re.compile(cue["pattern"])) for cue in raw["title"]]
        self.text = [(Level(cue["level"]), re.compile(cue["pattern"])) for cue in raw["text"]]
        self.registration = re.compile(raw["registration_results"])


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    return _Rules()


def registration(document: Document) -> bool:
    """Whether the record is a trial's registration and not an article."""
    ids = document.identifiers
    return bool(ids.nct) and not (ids.pmid or ids.pmcid or ids.doi)


def evidence_level(document: Document) -> Level:
    """The design of the study a record reports; `OTHER` where nothing tells.

    A registration counts as a randomised trial only if its record holds results.
    """
    rules = _rules()
    text = document.text[:_READ].casefold()
    if registration(document):
        randomised = any(level is Level.RCT and cue.search(text) for level, cue in rules.text)
        return Level.RCT if randomised and rules.registration.search(text) else Level.OTHER
    title = document.title.casefold()
    types = {name.casefold().strip() for name in document.publication_types}
    for level, names in rules.types:
        if types & names:
            # "Review", "Comparative Study" and "Case Reports" are given to more than these; a title knows better.
            if level in (Level.COHORT, Level.REVIEW, Level.CASE_SERIES):
                better = _first(rules.title, title) or _first(rules.text[:3], text)
                return better if better and better is not Level.REVIEW else level
            return level
    return _first(rules.title, title) or _first(rules.text, text) or Level.OTHER


def _first(cues: list[tuple[Level, re.Pattern[str]]], text: str) -> Level | None:
    return next((level for level, cue in cues if cue.search(text)), None)
