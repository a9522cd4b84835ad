"""What a text tells that is no condition of its question: a relative's, an outcome, long ago, or by the way."""

import re
from collections.abc import Set as AbstractSet

from evidencegate.question._abbreviations import abbreviations
from evidencegate.question._asked import sentence_has_break
from evidencegate.question._load import language
from evidencegate.question._normal import phrase
from evidencegate.question._reading import Mention, Reading
from evidencegate.question._vocabulary import Vocabulary

_FAR = 6
_A_CASE = 60
"""Tokens from which on a question is a case, which tells more than it asks."""
_HAVING = frozenset("had has have is was with died of whose on".split())


def past(reading: Reading, mention: Mention) -> bool:
    """Whether the text puts the condition into the past: "a thrombosis of the leg four years ago"."""
    return any(
        0 <= cue.start - mention.end <= _FAR and not sentence_has_break(reading, mention.end, cue.start)
        for cue in reading.of("past")
    )


def _relative(reading: Reading, mention: Mention) -> bool:
    """Whether the condition is somebody else's: "her aunt had breast cancer", "family history of"."""
    if reading.before("family", mention.start, 4):
        return True
    if _about_a_relative(reading):
        return False
    if mention.end < len(reading.tokens) and reading.tokens[mention.end].text.lower() in language()["relatives"]:
        return True  # "the carer of an autistic son"
    first = max(0, mention.start - 6)
    for place in range(first, mention.start):
        if reading.tokens[place].text.lower() not in language()["relatives"]:
            continue
        between = set(reading.folded[place + 1 : mention.start])
        if between & _HAVING and not sentence_has_break(reading, place, mention.start):
            return True
    return False


# "O: stroke, death" in a question set out as PICO.
_OUTCOMES = re.compile(r"\b(?:O|Outcomes?|Endpoints?)\s*[:=](?:(?!\b(?:[PICT]|\w+)\s*[:=])[^\n])*")
_MINE = re.compile(r"\b(?:my|our)\s+(?:\w+\s+)?(\w+)", re.IGNORECASE)
_THIRD = re.compile(r"\b(?:he|she|him|her|his|they|them)\b", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:i|me|myself)\b", re.IGNORECASE)


def _about_a_relative(reading: Reading) -> bool:
    """Whether a relative of the writer is the patient: "my mother is 58 ... would it lower her risk?"."""
    relatives = language()["relatives"]
    asks = " ".join(reading.asks)
    mine = any(match.group(1).lower() in relatives for match in _MINE.finditer(reading.text))
    return mine and _THIRD.search(asks) is not None and _FIRST.search(asks) is None


def counting(reading: Reading) -> list[Mention]:
    """Disease mentions that count: not denied, not a relative's, not an abbreviation of something else here."""
    defined = abbreviations(reading.text)
    plain = {m.name for m in reading.diseases if not m.short}
    kept = []
    for mention in reading.diseases:
        if mention.negated:
            continue
        written = reading.slice(mention.start, mention.end)
        if mention.short and mention.name not in plain and phrase(defined.get(written, "")):
            continue
        kept.append(mention)
    kept = [m for m in kept if not _short_for(reading, m, kept)]
    ends = [match.span() for match in _OUTCOMES.finditer(reading.text)]
    kept = [m for m in kept if not any(a <= reading.tokens[m.start].start < b for a, b in ends)] or kept
    return [m for m in kept if not _relative(reading, m)] or kept


def _short_for(reading: Reading, mention: Mention, others: list[Mention]) -> bool:
    """Whether a name is what the text calls another condition for short: the reflux of "vesicoureteral reflux"."""
    words = reading.folded[mention.start : mention.end]
    return not mention.asked and any(
        other.asked
        and other.name != mention.name
        and other.end - other.start > len(words)
        and reading.folded[other.end - len(words) : other.end] == words
        for other in others
    )


def by_the_way(reading: Reading, names: AbstractSet[str], about: set[str], vocabulary: Vocabulary) -> set[str]:
    """What a long case tells besides: of other fields than what it asks about, and seldom of weight beside it.

    Args:
        reading: the question.
        names: its conditions.
        about: those that it asks about, or that what it asks about is given for.
        vocabulary: the tags.
    """
    if len(reading.tokens) < _A_CASE:
        return set()
    kin = about.union(*(vocabulary.ancestors.get(name, ()) for name in about))
    fields = {vocabulary.tags[name].specialty for name in about if name in vocabulary.tags}
    gone = {m.name for m in reading.diseases if past(reading, m)}
    words = language()
    return {
        name
        for name in names & vocabulary.tags.keys()
        if vocabulary.tags[name].specialty in {*words["by_the_way"], *words["minor"]} - fields
        and not {name, *vocabulary.ancestors.get(name, ())} & kin
        and (name in gone or name not in words["weighty"])
    }
