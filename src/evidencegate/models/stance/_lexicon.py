"""The word lists of the rules, compiled once."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Compiled patterns of `data/lexicon.toml`."""

    cue: re.Pattern[str]
    """Named groups `none`, `noninferior`, `against`, `up`, `down`, `effect`: the first that matches counts."""
    negation: re.Pattern[str]
    negation_excluded: re.Pattern[str]
    negation_stop: re.Pattern[str]
    negation_width: int
    hedge: re.Pattern[str]
    comparison: re.Pattern[str]
    significant: re.Pattern[str]
    populations: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    opposites: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]


def _words(entries: list[str]) -> str:
    return r"(?<!\w)(?:" + "|".join(entries) + r")(?!\w)"


def _pattern(entries: list[str]) -> re.Pattern[str]:
    return re.compile(_words(entries), re.IGNORECASE)


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lists, read from the package."""
    raw = tomllib.loads(files(__package__).joinpath("data/lexicon.toml").read_text("utf-8"))
    direction, negation = raw["direction"], raw["negation"]
    groups = ("noninferior", "none", "against", "up", "down", "effect")
    cue = "|".join(rf"(?P<{name}>{_words(direction[name])})" for name in groups)

    def pairs(entries: list[list[str]]) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
        return tuple((_pattern([left]), _pattern([right])) for left, right in entries)

    return Lexicon(
        cue=re.compile(cue, re.IGNORECASE),
        negation=_pattern(negation["cues"]),
        negation_excluded=_pattern(negation["excluded"]),
        negation_stop=re.compile("|".join(negation["stops"]), re.IGNORECASE),
        negation_width=int(negation["width"]),
        hedge=_pattern(raw["hedge"]["cues"]),
        comparison=_pattern(raw["comparison"]["cues"]),
        significant=_pattern(raw["significance"]["significant"]),
        populations=pairs(raw["population"]["groups"]),
        opposites=pairs(raw["opposites"]["pairs"]),
    )
