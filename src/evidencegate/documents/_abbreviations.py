"""The word lists of `data/abbreviations.toml`, by which the sentence splitter judges a full stop."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Words:
    """Each list, with the spellings its words are met in."""

    never_end: frozenset[str]
    may_end: frozenset[str]
    before_number: frozenset[str]
    before_code: frozenset[str]
    names_letter: frozenset[str]
    starters: frozenset[str]
    lower_starters: frozenset[str]
    headings: frozenset[str]
    known: frozenset[str]
    """Every abbreviation."""


@lru_cache(maxsize=1)
def words() -> Words:
    """The lists, read once."""
    raw: dict[str, list[str]] = tomllib.loads(files(__package__).joinpath("data/abbreviations.toml").read_text("utf-8"))

    def spelt(name: str) -> frozenset[str]:
        # What is listed in lower case may stand at the head of a sentence; the shortest would be other words
        # there (`Ca` is calcium, `Al` aluminium).
        capital = (word[0].upper() + word[1:] for word in raw[name] if len(word) > 2)
        return frozenset((*raw[name], *capital))

    def lowered(name: str) -> frozenset[str]:
        return frozenset(word.lower() for word in raw[name])

    never_end, may_end = spelt("never_end"), spelt("may_end")
    before_number = spelt("before_number") | lowered("before_number")
    starters = frozenset(raw["starters"])
    return Words(
        never_end=never_end,
        may_end=may_end,
        before_number=before_number,
        before_code=frozenset(raw["before_code"]) | lowered("before_code"),
        names_letter=frozenset(raw["names_letter"]),
        starters=starters,
        lower_starters=starters - frozenset(raw["not_when_lower"]),
        headings=frozenset(raw["headings"]),
        known=never_end | may_end | before_number,
    )
