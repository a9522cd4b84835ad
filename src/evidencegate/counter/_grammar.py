"""English as far as turning a claim round needs it: openings, negation, verbs, opposites."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml


@dataclass(frozen=True, slots=True)
class Grammar:
    """The data file, compiled."""

    opening: re.Pattern[str]
    doubted: re.Pattern[str]
    contrast: re.Pattern[str]
    concession: re.Pattern[str]
    no_negation: re.Pattern[str]
    only: re.Pattern[str]
    """The "only" of "only in people who smoke"."""
    seldom: re.Pattern[str]
    countable: frozenset[str]
    be: frozenset[str]
    auxiliaries: frozenset[str]
    modals: frozenset[str]
    duties: frozenset[str]
    reporting: frozenset[str]
    effects: frozenset[str]
    directionless: frozenset[str]
    """Verbs of an effect that do not say in which direction."""
    boundaries: frozenset[str]
    finite: frozenset[str]
    """Words that are finite verbs wherever they stand, and denials."""
    nouns: frozenset[str]
    """Base forms of verbs that are as often nouns."""
    subordinators: frozenset[str]
    attributives: frozenset[str]
    plurals: frozenset[str]
    singulars: frozenset[str]
    """Words that look like plurals: "genetics"."""
    gerunds: frozenset[str]
    """First words of a subject that is one thing, whatever follows them: "taking statins"."""
    many: frozenset[str]
    participles: frozenset[str]
    """Irregular ones: "readings taken by a doctor"."""
    third: dict[str, str]
    """`reduces` to `reduce`."""
    past: dict[str, str]
    """`reduced` to `reduce`."""
    base: frozenset[str]
    forms: dict[str, tuple[str, str]]
    """`reduce` to `reduces`, `reduced`."""
    opposites: dict[str, str]


@cache
def grammar() -> Grammar:
    """The grammar, read once."""
    raw: dict[str, Any] = yaml.safe_load(
        resources.files("evidencegate.counter").joinpath("data/grammar.yaml").read_text("utf-8")
    )

    def words(name: str) -> frozenset[str]:
        value = raw[name]
        return frozenset(value.split() if isinstance(value, str) else value)

    verbs = raw["verbs"].split()
    irregular: dict[str, list[str]] = raw["irregular"]
    forms = {verb: _forms(verb, irregular.get(verb)) for verb in verbs}
    return Grammar(
        opening=re.compile(rf"\s*(?:{'|'.join(raw['openings'])})\s*", re.IGNORECASE),
        doubted=re.compile(rf"^{raw['doubted']}", re.IGNORECASE),
        contrast=re.compile(raw["contrast"], re.IGNORECASE),
        concession=re.compile(raw["concession"], re.IGNORECASE),
        no_negation=re.compile(rf"\b(?:{raw['no_negation']})\b", re.IGNORECASE),
        only=re.compile(rf"\b(?<!not )only (?=(?:in|among) (?:\w+ )?(?:{'|'.join(raw['people'].split())})\b)"),
        seldom=re.compile(rf"\b(?:{'|'.join(raw['seldom'])})\b", re.IGNORECASE),
        countable=words("countable"),
        be=words("be"),
        auxiliaries=words("auxiliaries"),
        modals=words("modals"),
        duties=words("duties"),
        reporting=words("reporting"),
        effects=words("effects"),
        directionless=words("directionless"),
        boundaries=words("boundaries"),
        finite=words("be")
        | words("auxiliaries")
        | words("modals")
        | words("duties")
        | words("past_only")
        | {"not", "no", "cannot"},
        nouns=words("nouns"),
        subordinators=words("subordinators"),
        attributives=words("attributives"),
        plurals=words("plurals"),
        singulars=words("singulars"),
        gerunds=words("gerunds"),
        many=words("many_words"),
        participles=words("participles"),
        third={third: verb for verb, (third, _) in forms.items()},
        past={past: verb for verb, (_, past) in forms.items()},
        base=frozenset(verbs),
        forms=forms,
        opposites=_opposites(raw["opposites"]),
    )


def _opposites(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one, other in pairs:
        found.setdefault(one, other)
        found.setdefault(other, one)
    return found


def _forms(verb: str, irregular: Sequence[str] | None) -> tuple[str, str]:
    return (irregular[0], irregular[1]) if irregular else (third_person(verb), past_tense(verb))


def third_person(verb: str) -> str:
    """`reduces` of a regular `reduce`."""
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeiou" else verb + "s"


def past_tense(verb: str) -> str:
    """`reduced` of a regular `reduce`."""
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ied"
    doubled = verb in ("stop", "permit", "occur", "control", "refer", "transfer", "prefer", "fit", "recur")
    return verb + (verb[-1] if doubled else "") + "ed"


def article(following: str) -> str:
    """`A` or `An`, as what follows begins."""
    return "An" if re.match(r"[aeiou](?!ni|se|ti|ro)", following, re.IGNORECASE) else "A"
