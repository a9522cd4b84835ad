"""The word lists of this room, read once."""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

from evidencegate.evidence import content


@dataclass(frozen=True, slots=True)
class Terms:
    """The data file, compiled."""

    null_finding: tuple[str, ...]
    effect_finding: tuple[str, ...]
    section: re.Pattern[str]
    sentence: re.Pattern[str]
    finding: re.Pattern[str]
    generic: frozenset[str]
    """Stems of words that name no treatment of their own."""
    outcomes: dict[str, int]
    """A folded word, and the number of its line."""
    generic_outcomes: frozenset[str]
    no_outcome: frozenset[str]
    comparing: frozenset[str]
    """Words that only compare: "lower", "similar"."""


@cache
def terms() -> Terms:
    """The word lists."""
    raw: dict[str, Any] = yaml.safe_load(
        resources.files("evidencegate.counter").joinpath("data/terms.yaml").read_text("utf-8")
    )
    return Terms(
        null_finding=tuple(raw["null_finding"]),
        effect_finding=tuple(raw["effect_finding"]),
        section=re.compile(raw["no_finding_sections"], re.IGNORECASE),
        sentence=re.compile(raw["no_finding_sentences"], re.IGNORECASE),
        finding=re.compile(raw["finding"], re.IGNORECASE),
        generic=content(raw["generic_treatments"]),
        outcomes={word.casefold(): i for i, line in enumerate(raw["outcomes"]) for word in line.split()},
        generic_outcomes=frozenset(raw["generic_outcomes"].split()),
        no_outcome=frozenset(raw["no_outcome"].split()),
        comparing=frozenset(raw["comparing"].split()),
    )
