"""Whether a sentence tells of another work than a claim, or of another part of the same one."""

import re

from evidencegate.documents import Passage, tokens
from evidencegate.verify._effects import directed
from evidencegate.verify._lexicon import pattern

_ET_AL = re.compile(r"\bet al\b")
_NUMERALS = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5"}


def of_other_work(claim: str, said: str) -> bool:
    """Whether a sentence may speak of what others found and the claim does not, or of different others."""
    others, cited = pattern("wording", "others"), pattern("wording", "cited")
    mine, theirs = (bool(by_others(text) or cited.search(text)) for text in (claim, said))
    if theirs and mine:
        names, named = _names(said), _names(claim)
        return bool(names and named) and not names & named
    return theirs or others.search(claim) is not None


def by_others(text: str) -> bool:
    """Whether a text says that others than its authors found what it tells."""
    return pattern("wording", "others").search(text) is not None or _ET_AL.search(text) is not None


def told_of_others(claim: str, said: str, passage: Passage) -> bool:
    """Whether a claim tells what came out "in this trial", and a sentence of a passage what came out elsewhere.

    A sentence does so that names by their numbers the works that it rests on, or that leads in to its own work.
    """
    if directed(claim) is None or not pattern("wording", "own_work").search(claim) or by_others(claim):
        return False
    return pattern("wording", "numbered_citation").search(said) is not None or _leads_in(passage)


def _leads_in(passage: Passage) -> bool:
    section = passage.document.section_at(passage.span.start)
    return section is not None and pattern("wording", "leading_in").search(section.label) is not None


def _names(text: str) -> set[str]:
    return {token.folded for token in tokens(text) if token.text[:1].isupper() and token.start > 0}


def another_label(claim: str, said: str) -> bool:
    """Whether both name parts of one kind, and no part is the same: part B against part A, type 1 against type 2."""
    mine, theirs = labels(claim), labels(said)
    return any(theirs.get(head) and not theirs[head] & named for head, named in mine.items())


def labels(text: str) -> dict[str, set[str]]:
    """What the parts, phases, types and groups of a text are called, by what they are."""
    found: dict[str, set[str]] = {}
    for match in pattern("wording", "labelled").finditer(text):
        for name in re.split(r"\W+(?:(?:and|or|to)\W+)?", match["names"].casefold()):
            found.setdefault(match["head"].casefold().removesuffix("s"), set()).add(_NUMERALS.get(name, name))
    return found
