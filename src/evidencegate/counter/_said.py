"""What a text names, by word and by concept: outcomes under all their names, conditions, treatments."""

import re
from functools import lru_cache
from typing import NamedTuple

from evidencegate.counter._data import terms
from evidencegate.errors import UnknownName
from evidencegate.evidence import content
from evidencegate.models.stance import stem
from evidencegate.question import abbreviations, common_abbreviations, named_in, phrase, treatment

_CODE = 2
"""Letters of a word that only numbers a name: the D of vitamin D."""
_SHORT = re.compile(r"(?<![\w-])[A-Za-z][\w/&+-]*\w(?![\w-])")
_LIST = re.compile(
    r"\b(?P<first>[a-z]{3,}(?:, [a-z]{3,}){0,6})(?P<and>,? (?:and/or|and|or) )"
    r"(?P<last>[a-z]{3,}) (?P<head>[a-z]{3,})\b",
    re.IGNORECASE,
)


class Said(NamedTuple):
    """What a text names. Words are compared in one spelling and singular, stems without their endings: no prefixes."""

    words: tuple[str, ...]
    stems: frozenset[str]
    outcomes: frozenset[str]
    """Lines of outcomes, each by its first name."""
    conditions: frozenset[str]
    """Tags, with their parents."""
    treatments: frozenset[str]
    given: tuple[str, ...]
    """Its words without substances that are only measured ("insulin resistance")."""

    def holds(self, name: tuple[str, ...]) -> bool:
        """Whether a name's folded words stand in the text, one after the other."""
        return _within(name, self.words)

    def gives(self, name: tuple[str, ...]) -> bool:
        """The same, of something that is given and not measured; "vitamins C and E" hold "vitamin E"."""
        return _within(name, self.given) or (len(name) > 1 and _listed(name, self.given))


def _within(name: tuple[str, ...], words: tuple[str, ...]) -> bool:
    n = len(name)
    return any(words[at : at + n] == name for at in range(len(words) - n + 1))


def _listed(name: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether a name that ends in a letter or number stands in a list of such."""
    *first, last = name
    if len(last) > _CODE:
        return False
    for at in range(len(words) - len(first)):
        if list(words[at : at + len(first)]) == first:
            for word in words[at + len(first) :]:
                if word == last:
                    return True
                if len(word) > _CODE and word not in ("and", "plus"):
                    break
    return False


@lru_cache(maxsize=16_384)
def said(text: str) -> Said:
    """What `text` names; phrases that hold a name and mean something else are not looked at."""
    cleaned = apart(terms().other_meanings.sub(" , ", text))
    named, given = named_in(cleaned), named_in(terms().measured.sub(" , ", cleaned))
    found = terms().outcomes.find(named.raw, named.words)
    return Said(
        named.words,
        frozenset(map(root, named.words)),
        frozenset(match.name for match in found),
        named.conditions,
        given.treatments,
        given.words,
    )


@lru_cache(maxsize=65_536)
def root(word: str) -> str:
    """What all forms of a word begin with: its stem, taken until nothing more comes off ("delay", "delayed")."""
    shorter = stem(word)
    return shorter if shorter == word else root(shorter)


def apart(text: str) -> str:
    """`text` with the conditions of a list that share their last word each written out: "breast cancer or ovarian
    cancer" for "breast or ovarian cancer"."""

    def each(match: re.Match[str]) -> str:
        head = match["head"]
        plain = named_in(head).conditions
        known = [
            f"{word} {head}" if named_in(f"{word} {head}").conditions > plain else word
            for word in match["first"].split(", ")
        ]
        return f"{', '.join(known)}{match['and']}{match['last']} {head}"

    return _LIST.sub(each, text)


def names(text: Said, name: str) -> bool:
    """Whether a text names a treatment: itself, its class or a member of it, or those who take it ("vegetarians")."""
    own = frozenset(phrase(name)) - terms().generic
    if len(own) == 1 and root(*own) in map(root, text.given):
        return True
    return text.gives(phrase(name)) or any(_same(name, other) for other in text.treatments)


def _same(one: str, other: str) -> bool:
    """Whether two names are one treatment, or one is the class of the other."""
    return one.casefold() == other.casefold() or other in _classes(one) or one in _classes(other)


@lru_cache(maxsize=4096)
def _classes(name: str) -> tuple[str, ...]:
    try:
        return treatment(name).classes
    except UnknownName:
        return ()


@lru_cache(maxsize=256)
def defined(text: str) -> dict[str, str]:
    """The abbreviations that a text defines."""
    return abbreviations(text)


def in_plain_words(text: str, context: str, claim: str) -> str:
    """`text` as one reads it who knows its document: what the claim names and `text` has only as an abbreviation that
    `context` defines stands in full, and what readers misunderstand in a plainer wording ("inversely associated
    with" as "associated with lower")."""
    wanted = frozenset(map(root, phrase(claim)))
    inside = defined(text)
    known = {
        short: long
        for short, long in defined(context).items()
        if short not in inside and any(content(word) and root(word) in wanted for word in phrase(long))
    }
    if known:
        text = _SHORT.sub(lambda match: known.get(match[0], match[0]), text)
    for wording, plain in terms().plainer:
        text = wording.sub(plain, text)
    return text


def written_out(text: str, *around: str) -> str:
    """`text` with its abbreviations written out behind them: those that it, or what stands around it, defines, and
    those with one meaning. What stands nearer goes first."""
    known = dict(common_abbreviations())
    for defining in (*reversed(around), text):
        known.update(defined(defining))

    def long(match: re.Match[str]) -> str:
        return f"{match[0]} ({known[match[0]]})" if match[0] in known else match[0]

    return _SHORT.sub(long, text)
