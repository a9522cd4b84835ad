"""English as far as turning a claim round needs it: openings, negation, the main verb, opposites."""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml


@dataclass(frozen=True, slots=True)
class Grammar:
    """The data file, compiled."""

    opening: re.Pattern[str]
    unnegate: tuple[tuple[re.Pattern[str], str], ...]
    auxiliaries: frozenset[str]
    modals: frozenset[str]
    duties: frozenset[str]
    subordinators: frozenset[str]
    attributives: frozenset[str]
    third: dict[str, str]
    """`reduces` to `reduce`."""
    past: dict[str, str]
    """`reduced` to `reduce`."""
    base: frozenset[str]
    opposites: dict[str, str]


@cache
def grammar() -> Grammar:
    """The grammar, read once."""
    raw: dict[str, Any] = yaml.safe_load(
        resources.files("evidencegate.counter").joinpath("data/grammar.yaml").read_text("utf-8")
    )
    verbs = raw["verbs"].split()
    irregular: dict[str, list[str]] = raw["irregular"]
    forms = {verb: irregular.get(verb) or [_third(verb), _past(verb)] for verb in verbs}
    opposites: dict[str, str] = {}
    for one, other in raw["opposites"]:
        opposites.setdefault(one, other)
        opposites.setdefault(other, one)
    return Grammar(
        opening=re.compile(rf"\s*(?:{'|'.join(raw['openings'])})\s*", re.IGNORECASE),
        unnegate=tuple((re.compile(pattern, re.IGNORECASE), to) for pattern, to in raw["unnegate"]),
        auxiliaries=frozenset(raw["auxiliaries"]),
        modals=frozenset(raw["modals"]),
        duties=frozenset(raw["duties"]),
        subordinators=frozenset(raw["subordinators"]),
        attributives=frozenset(raw["attributives"]),
        third={third: verb for verb, (third, _) in forms.items()},
        past={past: verb for verb, (_, past) in forms.items()},
        base=frozenset(verbs),
        opposites=opposites,
    )


def _third(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    doubled = verb in ("stop", "permit", "occur", "control", "refer", "transfer", "prefer")
    return verb + (verb[-1] if doubled else "") + "ed"
