"""What a text tells that is no condition of its question: a relative's, an outcome, or long ago."""

import re

from evidencegate.question._abbreviations import abbreviations
from evidencegate.question._asked import sentence_has_break
from evidencegate.question._normal import phrase
from evidencegate.question._reading import Mention, Reading
from evidencegate.question._words import language

_FAR = 6
_IN_A_YEAR = re.compile(r"[\s,]*(?:\bin\s+|\()(?:19|20)\d\d\b")
_HAVING = frozenset("had has have is was with died of whose on".split())
_RELATIVE_WITHIN = 9
_COUNTED = 2
"""Tokens before "years ago" that say how many, with the end of the sentence before them."""
_WHOSE = frozenset("her his my their your our whose the patient".split())
_MOTHERS = frozenset({"PREGNANCY", "BREASTFEEDING", "LABOR"})


def _begins(reading: Reading, start: int, end: int) -> bool:
    """Whether what stands at token `start` begins the sentence of token `end`: "Twenty years ago she had an ulcer"."""
    first = max(0, start - _COUNTED)
    begins = start <= _COUNTED or sentence_has_break(reading, first, start)
    return begins and not sentence_has_break(reading, start, end)


def past(reading: Reading, mention: Mention) -> bool:
    """Whether the text puts the condition into the past: "a thrombosis of the leg four years ago", "stroke in 2015"."""
    if mention.end < len(reading.tokens) and _IN_A_YEAR.match(reading.text, reading.tokens[mention.end - 1].end):
        return True
    return any(
        (0 <= cue.start - mention.end <= _FAR and not sentence_has_break(reading, mention.end, cue.start))
        or (0 <= mention.start - cue.end <= _FAR and _begins(reading, cue.start, mention.start))
        for cue in reading.of("past")
    )


def of_a_relative(reading: Reading, start: int, end: int) -> bool:
    """Whether tokens `start` to `end` tell of somebody else: "her aunt had breast cancer", "family history of"."""
    told = reading.before("family", start, 4)
    if told and not _is_patient(reading, told.start):
        return True
    if _about_a_relative(reading):
        return False
    if end < len(reading.tokens) and reading.tokens[end].text.lower() in language()["relatives"]:
        return True  # "the carer of an autistic son"
    for place in range(max(0, start - _RELATIVE_WITHIN), start):
        word = reading.tokens[place].text.lower()
        if word.removesuffix("'s").removesuffix("’s") not in language()["relatives"] or _is_patient(reading, place):
            continue
        # The name's own first word as well: "her mother | had falls".
        between = set(reading.folded[place + 1 : start + 1])
        if between & _HAVING and not sentence_has_break(reading, place, start):
            return True
    return False


def _is_patient(reading: Reading, place: int) -> bool:
    """Whether a relative is the patient herself: the mother of "mother with migraine, fully breastfeeding"."""
    if reading.tokens[place].folded != "mother" or reading.tokens[max(0, place - 1)].folded in _WHOSE:
        return False
    return any(m.name in _MOTHERS and not m.negated for m in reading.diseases)


# "O: stroke, death" in a question set out as PICO.
_OUTCOMES = re.compile(r"\b(?:O|Outcomes?|Endpoints?)\s*[:=](?:(?!\b(?:[PICT]|\w+)\s*[:=])[^\n])*")
_MINE = re.compile(r"\b(?:my|our)\s+(\w+)(?:\s+(\w+))?", re.IGNORECASE)
# "Mum is 74 and has ...", "Father, 81, on dialysis": the case begins with whom it is about.
_OPENS = re.compile(
    r"\W*(?:relative|daughter|son|carer|nurse)?\W*(\w+)\W+(?:is\W+|now\W+|aged\W+|has just turned\W+)?\d", re.IGNORECASE
)
_THIRD = re.compile(r"\b(?:he|she|him|her|his|they|them)\b", re.IGNORECASE)
# "Tell me whether he ..." asks nothing for oneself.
_FIRST = re.compile(
    r"\b(?:i|(?<!tell )(?<!let )(?<!help )(?<!advise )(?<!inform )(?<!give )(?<!remind )me|myself)\b", re.IGNORECASE
)


def _about_a_relative(reading: Reading) -> bool:
    """Whether a relative of the writer is the patient: "my mother is 58 ... would it lower her risk?"."""
    relatives = language()["relatives"]
    asks = " ".join(reading.asks)
    opens = _OPENS.match(reading.text)
    words = [word for match in _MINE.finditer(reading.text) for word in match.groups() if word]
    mine = any(word.lower() in relatives for word in (*words, *(opens.groups() if opens else ())))
    return mine and _THIRD.search(reading.text) is not None and _FIRST.search(asks) is None


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
    return [m for m in kept if not of_a_relative(reading, m.start, m.end)] or kept


def only_an_outcome(reading: Reading, mention: Mention) -> bool:
    """Whether a question set out as PICO names the condition among its outcomes."""
    place = reading.tokens[mention.start].start
    return any(match.start() <= place < match.end() for match in _OUTCOMES.finditer(reading.text))


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
