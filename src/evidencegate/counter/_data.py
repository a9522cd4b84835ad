"""The word lists of this room, read once."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

from evidencegate.counter._types import Ground
from evidencegate.models.stance import stem
from evidencegate.question import Entry, Matcher, phrase

OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class Terms:
    """The data file, compiled."""

    null_finding: tuple[str, ...]
    effect_finding: tuple[str, ...]
    section: re.Pattern[str]
    silent: tuple[tuple[Ground, re.Pattern[str]], ...]
    """Why a sentence reports no finding of its own, each kind with what tells it."""
    sentence: re.Pattern[str]
    """Any of these kinds."""
    finding: re.Pattern[str]
    other_species: re.Pattern[str]
    people: re.Pattern[str]
    agent: re.Pattern[str]
    """"The effect of X on": X is the group `agent`."""
    use: re.Pattern[str]
    """"Use of X in", of a title; the same group."""
    against: re.Pattern[str]
    """"X versus Y", "comparison of X with Y", of a title: the groups `first` or `one`, and `other`."""
    alike: re.Pattern[str]
    """Words by which two treatments are found alike or different."""
    pair: re.Pattern[str]
    """"Differed between X and Y", "both X and Y": two of its groups are set."""
    groups: frozenset[str]
    """Words for those who are compared, or for what is, without its name; folded."""
    kinds_of_people: frozenset[str]
    sides: re.Pattern[str]
    """Words for both sides of a comparison."""
    arising: re.Pattern[str]
    """That somebody gets a disease."""
    arising_claim: re.Pattern[str]
    """The same, in a claim."""
    course: frozenset[str]
    """Lines of outcomes of those who have a disease."""
    other_meanings: re.Pattern[str]
    measured: re.Pattern[str]
    """A substance that is measured, not given."""
    operated: re.Pattern[str]
    """Operations."""
    surveyed: re.Pattern[str]
    """That the beginning of a text tells of the evidence there is."""
    reported: re.Pattern[str]
    """That a sentence reports a comparison, whose treatments stand elsewhere."""
    plainer: tuple[tuple[re.Pattern[str], str], ...]
    """Wordings, and the plainer ones of the same meaning in which a passage is read."""
    leaning: re.Pattern[str]
    """How a sentence begins that leans on the one before it."""
    controls: frozenset[str]
    """Stems of the names of the other group of a comparison."""
    generic: frozenset[str]
    """Words that name no treatment of their own, folded."""
    procedures: frozenset[str]
    """Of these, those that name one where nothing else does."""
    outcomes: Matcher
    """The names of outcomes; each stands for its line."""
    vague: frozenset[str]
    """The lines of outcomes that only say whether something works."""
    generic_outcomes: frozenset[str]
    """Folded, as the two that follow."""
    no_outcome: frozenset[str]
    comparing: frozenset[str]
    """Words that only compare: "lower", "similar"."""


@cache
def terms() -> Terms:
    """The word lists."""
    raw: dict[str, Any] = yaml.safe_load(
        resources.files("evidencegate.counter").joinpath("data/terms.yaml").read_text("utf-8")
    )
    silent = tuple((Ground(kind), _any(patterns)) for kind, patterns in raw["silent"].items())
    lines = [[name.strip() for name in line.split(";")] for line in raw["outcomes"]]
    return Terms(
        null_finding=tuple(raw["null_finding"]),
        effect_finding=tuple(raw["effect_finding"]),
        section=re.compile(raw["no_finding_sections"], re.IGNORECASE),
        silent=silent,
        sentence=_any(pattern for patterns in raw["silent"].values() for pattern in patterns),
        finding=re.compile(raw["finding"], re.IGNORECASE),
        other_species=re.compile(raw["other_species"], re.IGNORECASE),
        people=re.compile(raw["people"], re.IGNORECASE),
        agent=re.compile(raw["agent"], re.IGNORECASE),
        use=re.compile(raw["use"], re.IGNORECASE),
        against=re.compile(raw["against"], re.IGNORECASE),
        alike=re.compile(raw["alike"], re.IGNORECASE),
        pair=re.compile(raw["pair"], re.IGNORECASE),
        groups=_folded(raw["groups"]),
        kinds_of_people=_folded(raw["kinds_of_people"]),
        sides=re.compile(raw["sides"], re.IGNORECASE),
        arising=re.compile(raw["arising"], re.IGNORECASE),
        arising_claim=re.compile(raw["arising_claim"], re.IGNORECASE),
        course=frozenset(raw["course"]),
        other_meanings=_any(raw["other_meanings"]),
        measured=re.compile(raw["measured"]),
        operated=re.compile(raw["operated"], re.IGNORECASE),
        surveyed=re.compile(raw["surveyed"], re.IGNORECASE),
        reported=re.compile(raw["reported"], re.IGNORECASE),
        plainer=tuple((re.compile(wording, re.IGNORECASE), plain) for wording, plain in raw["plainer"]),
        leaning=re.compile(raw["leaning"], re.IGNORECASE),
        controls=frozenset(map(stem, raw["controls"].split())),
        generic=_folded(raw["generic_treatments"]),
        procedures=_folded(raw["procedures"]),
        outcomes=Matcher(
            (name, Entry(OUTCOME, line[0], name if name.isupper() else None)) for line in lines for name in line
        ),
        vague=frozenset(raw["vague_outcomes"]),
        generic_outcomes=_folded(raw["generic_outcomes"]),
        no_outcome=_folded(raw["no_outcome"]),
        comparing=frozenset(raw["comparing"].split()),
    )


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _folded(text: str) -> frozenset[str]:
    return frozenset(word for one in text.split() for word in phrase(one))
