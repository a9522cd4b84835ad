"""Population, intervention, comparison, outcome and condition, by rules."""

import re
from collections.abc import Collection
from itertools import pairwise

from evidencegate.question._asked import asked_treatments
from evidencegate.question._normal import BREAKS, fold, phrase
from evidencegate.question._reading import Mention, Reading
from evidencegate.question._types import PICO, Tag, Tags
from evidencegate.question._vocabulary import TREATMENT, Vocabulary
from evidencegate.question._words import stop_words

_LONGEST_PATIENT = 220
_MOST_BEFORE = 4
_DESCRIBING = frozenset(
    fold(word)
    for word in (
        "adult older young acute chronic severe mild moderate early late advanced stable unstable symptomatic "
        "asymptomatic hospitalized hospitalised admitted treated newly diagnosed recurrent refractory pregnant male "
        "female infant high low active recent primary"
    ).split()
)
_PERSON = (
    r"(?:man|woman|male|female|boy|girl|patient|infant|child|adolescent|newborn|neonate|gentleman|lady|person|"
    r"teenager|toddler|adult|smoker|baby|M\b|F\b|yo\b|y/o|primigravida)"
)
_AGED = re.compile(
    rf"\b(?:(?:an?|my|the|this|our)\s+)?(?:[a-z]+\s+)?"
    rf"(?:\d{{1,3}}(?:\.\d)?[\s-]*(?:(?:years?|yrs?|y|months?|mo|weeks?|wk|days?)[\s-]*(?:old|of age)|y/?o|[MF]\b)"
    rf"|\d{{1,3}}[\s-]*(?:years?|yrs?)[\s-])"
    rf"(?:[\s,-]*(?:[\w-]+\s+){{0,3}}?{_PERSON})?",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:what|which|how|does|do|is|are|should|can|could|would|the|a|an|in|for|of|among|to|with|best|safe|effective|"
    r"recommended|optimal|treatment|therapy|management|drug|most|and|or|than|be|used|given|treated|long|some|all|these|"
    r"benefit|reduce|improve|treat|manage|i|we|our|my|when|who|not)\s+)+",
    re.IGNORECASE,
)
_PATIENT_END = re.compile(
    r"[?;]|\.(?=\s|$)|,\s*(?:what|which|should|how|when|does|do|is|are|can|could|would|will|compared)\b|"
    r"\b(?:compared (?:with|to)|versus|vs\.?|instead of|rather than|after which|treated with|receiving|receive|take|"
    r"undergo|undergoing treatment|should|does|do|is|are|was|were|what|which|how|be|can|could|would|has|have|had|"
    r"presents?|presented|benefit|reduces?|improves?|to (?:reduce|prevent|improve))\b",
    re.IGNORECASE,
)


_DANGLING = re.compile(r"(?:\s+(?:who|that|which|and|or|with|of|in|on|for|to|the|an?|cannot|not))+$", re.IGNORECASE)


def _tidy(text: str) -> str:
    return _DANGLING.sub("", re.sub(r"\s+", " ", text).strip(" \t\n,.;:?-"))


_SENTENCE_END = re.compile(r"[?]|\.(?=\s|$)|;|:(?=\s)")
_THEN_ASKS = re.compile(r",?\s+(?:should|what|which|how|is it|when|does|can)\b", re.IGNORECASE)


def _vignette(reading: Reading) -> str:
    """The first description of one person, to the end of its sentence or to what is asked about it."""
    text = reading.text
    for match in _AGED.finditer(text):
        end = _SENTENCE_END.search(text, match.end())
        stop = end.start() if end else len(text)
        for mention in asked_treatments(reading):
            start = reading.tokens[mention.start].start
            # "a man with AF and CKD, apixaban or warfarin?": the treatments are no part of the man.
            if match.end() < start < stop and text[match.end() : start].rstrip().endswith(","):
                stop = start
        whole = text[match.start() : stop]
        cut = _THEN_ASKS.search(whole)
        whole = whole[: cut.start()] if cut else whole
        if len(whole) > _LONGEST_PATIENT:
            whole = whole[:_LONGEST_PATIENT].rsplit(" ", 1)[0]
        return _tidy(whole)
    return ""


def _group(reading: Reading) -> str:
    """The group of people asked about, with what describes them before and what they have after."""
    stops = stop_words()
    for match in reading.of("people"):
        start = match.start
        while start > 0 and match.start - start < _MOST_BEFORE:
            left = reading.tokens[start - 1]
            if left.text in BREAKS or left.text == ",":
                break
            within = any(m.start < start <= m.end for m in reading.diseases)
            if left.folded in stops and left.folded not in _DESCRIBING and not within:
                break
            start -= 1
        rest = reading.text[reading.tokens[match.end - 1].end :]
        end = _PATIENT_END.search(rest)
        tail = rest[: end.start() if end else len(rest)]
        found = _tidy(reading.slice(start, match.end) + tail)
        if len(found) > _LONGEST_PATIENT:
            found = found[:_LONGEST_PATIENT].rsplit(" ", 1)[0]
        return found
    return ""


def _names(tags: Tags, own: tuple[Tag, ...], vocabulary: Vocabulary) -> list[str]:
    mine = {tag.name: tag.label for tag in own}
    implied = {up for name in tags.all if name in vocabulary.tags for up in vocabulary.tags[name].implies}
    return [
        mine.get(name) or vocabulary.tags[name].label for name in tags.all if name not in implied or len(tags.all) == 1
    ]


def _written(reading: Reading, mention: Mention) -> str:
    return reading.slice(mention.start, mention.end)


def _unique(reading: Reading, mentions: list[Mention]) -> list[str]:
    """The mentions as written, each treatment once."""
    seen: dict[str, str] = {}
    for mention in mentions:
        seen.setdefault(mention.name, _written(reading, mention))
    return list(dict.fromkeys(seen.values()))


def _compared(reading: Reading, mentions: list[Mention]) -> tuple[list[Mention], list[Mention]]:
    """Treatments on either side of the first comparing word that stands between two of them."""
    for position, (one, other) in enumerate(pairwise(mentions), 1):
        for word in reading.of("compared"):
            near = word.start >= one.end and word.end <= other.start and other.start - one.end <= 10
            if near and one.name != other.name:
                return mentions[:position], mentions[position:]
    return mentions, []


_PLAIN_COMPARISON = re.compile(
    r"\b(?:versus|vs\.?|compared (?:with|to)|instead of|rather than|as opposed to)\s+"
    r"([\w/-]+(?:\s+[\w/-]+){0,5}?)(?=\s+(?:in|for|on|to|among|with|after|during|reduce|improve|when)\b|[?.,;]|$)",
    re.IGNORECASE,
)
_PLAIN_INTERVENTION = re.compile(
    r"((?:[\w/-]+\s+){1,4}?)(?:versus|vs\.?|compared (?:with|to)|instead of|rather than|as opposed to)\s", re.IGNORECASE
)


def _names_condition(reading: Reading, text: str) -> bool:
    """Whether what is compared is a condition ("MI versus stroke"), not a treatment."""
    return any(phrase(reading.slice(m.start, m.end)) == phrase(text)[: m.end - m.start] for m in reading.diseases)


def _about(reading: Reading, terms: Collection[str]) -> list[Mention]:
    """Where the treatments that a question is about are named: in what is asked, or else first in what is told."""
    asked = [m for m in asked_treatments(reading) if m.name in terms]
    there = {m.name for m in asked}
    told: dict[str, Mention] = {}
    for mention in reading.treatments:
        if mention.name in terms and mention.name not in there:
            told.setdefault(mention.name, mention)
    return sorted([*asked, *told.values()], key=lambda m: (not m.asked, m.start))


def _sides(reading: Reading, terms: Collection[str]) -> tuple[str, str | None]:
    mentions = _about(reading, terms)
    ones, others = _compared(reading, mentions)
    asked = " ".join(reading.asks)
    comparison = ", ".join(_unique(reading, [m for m in others if m.name not in {o.name for o in ones}])) or None
    plain = _PLAIN_COMPARISON.search(asked)
    if comparison is None and plain and not _names_condition(reading, plain.group(1)):
        comparison = _tidy(plain.group(1)) or None
    intervention = ", ".join(_unique(reading, ones))
    if not intervention:
        # "amyloidosis treated with tafamidis": what is given is the intervention, though not the decision.
        intervention = ", ".join(_unique(reading, [m for m in reading.treatments if m.asked and not m.negated][:2]))
    if comparison and (not intervention or phrase(intervention) == phrase(comparison)):
        before = _PLAIN_INTERVENTION.search(asked)
        intervention = _tidy(_LEAD.sub("", before.group(1))) if before else ""
    return intervention, comparison


def _outcome(reading: Reading) -> str:
    """Outcomes as written, those asked about; not those that are the name of a condition or a treatment."""
    names = {(m.start, m.end) for m in reading.matches if m.kind == TREATMENT}
    found: list[str] = []
    for match in reading.of("outcome"):
        if not reading.asked[match.start] or (match.start, match.end) in names:
            continue
        covering = [
            m
            for m in reading.diseases
            if m.start <= match.start
            and m.end >= match.end
            and not reading.before("effect", m.start, 4)
            and not reading.before("compared", m.start, 1)
        ]
        after = reading.tokens[match.end].text if match.end < len(reading.tokens) else ""
        # "with eGFR 22" tells of the patient.
        if covering or after.isdigit():
            continue
        written = reading.slice(match.start, match.end)
        if not any(phrase(written) == phrase(other) for other in found):
            found.append(written)
    return ", ".join(found[:5])


def pico(reading: Reading, tags: Tags, own: tuple[Tag, ...], terms: Collection[str], vocabulary: Vocabulary) -> PICO:
    """The question's PICO; what was not said is empty, and a population known by its conditions is named by them.

    `terms` are the treatments that the question is about.
    """
    names = _names(tags, own, vocabulary)
    patient = _vignette(reading) or _group(reading)
    if names and not patient:
        patient = "people with " + " and ".join(names[:3])
    intervention, comparison = _sides(reading, terms)
    return PICO(
        patient=patient,
        intervention=intervention,
        comparison=comparison,
        outcome=_outcome(reading),
        condition=names[0] if names else "",
    )
