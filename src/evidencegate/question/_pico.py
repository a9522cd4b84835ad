"""Population, intervention, comparison, outcome and condition, by rules."""

import re

from evidencegate.question._normal import phrase
from evidencegate.question._decide import asked_treatments
from evidencegate.question._reading import Mention, Reading
from evidencegate.question._types import PICO, Tag, Tags
from evidencegate.question._vocabulary import TREATMENT, Vocabulary

_LONGEST_PATIENT = 220
_PERSON = (
    r"(?:man|woman|male|female|boy|girl|patient|infant|child|adolescent|newborn|neonate|gentleman|lady|person|"
    r"teenager|toddler|adult|smoker|baby|M\b|F\b|yo\b|y/o|primigravida)"
)
_AGED = re.compile(
    rf"\b(?:(?:an?|my|the|this|our)\s+)?(?:\d{{1,3}}|[a-z]+(?:-[a-z]+)?)[\s-]*(?:years?|yrs?|months?|weeks?|days?|y)?[\s-]*"
    rf"(?:old|of age|yo|y/o|yo\b)?[\s,-]*(?:[\w-]+\s+){{0,2}}?{_PERSON}",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\d{1,3}\s?(?:[\s-]*(?:year|yr|month|week|day|y)|[MF]\b|yo\b)", re.IGNORECASE)
_GROUP = re.compile(
    r"\b(?:in|among|for|of|to)?\s*((?:(?:older|elderly|young|younger|adult|hospitali[sz]ed|critically ill|pregnant|"
    r"postmenopausal|pediatric|paediatric|preterm|ambulatory|frail|high-risk|low-risk|healthy|obese|diabetic|septic|"
    r"cirrhotic|mechanically ventilated|nonsmoking|overweight|term|asymptomatic|symptomatic|treated|untreated|"
    r"immunocompromised|kidney transplant|renal transplant|transplant|dialysis|hemodialysis|cancer|[\w-]+)\s+){0,3}"
    r"(?:patients?|adults?|children|women|men|people|individuals|infants|neonates|newborns|adolescents|survivors|"
    r"recipients|outpatients|inpatients|toddlers|athletes|smokers|persons|elderly))\b",
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
    r"\b(?:compared (?:with|to)|versus|vs\.?|should|does|do|is|are|was|were|who should|what|which|how|instead of|rather than|"
    r"be|treated with|receiving|can|could|would|undergoing treatment|to (?:reduce|prevent|improve)|presents?|presented|"
    r"benefit|reduces?|improves?|after which|has|have|had)\b",
    re.IGNORECASE,
)


def _tidy(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" \t\n,.;:?-")


def _vignette(text: str) -> str:
    """The first description of one person, to the end of its sentence."""
    for match in _AGED.finditer(text):
        if not _NUMBERED.search(match.group()):
            continue
        end = re.compile(r"[?]|\.(?=\s|$)|;").search(text, match.end())
        whole = text[match.start() : end.start() if end else len(text)]
        cut = re.search(r",?\s+(?:should|what|which|how|is it|when|does|can)\b", whole, re.IGNORECASE)
        whole = whole[: cut.start()] if cut else whole
        if len(whole) > _LONGEST_PATIENT:
            whole = whole[:_LONGEST_PATIENT].rsplit(" ", 1)[0]
        return _tidy(whole)
    return ""


def _group(text: str) -> str:
    """The group of people asked about, with what they have."""
    for match in _GROUP.finditer(text):
        start = match.start(1)
        lead = _LEAD.match(text[start : match.end()])
        if lead:
            start += lead.end()
        rest = text[match.end() :]
        end = _PATIENT_END.search(rest)
        tail = rest[: end.start() if end else len(rest)]
        found = _tidy(text[start : match.end()] + tail)
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
    for position, (one, other) in enumerate(zip(mentions, mentions[1:], strict=False), 1):
        for word in reading.of("compared"):
            near = word.start >= one.end and word.end <= other.start and other.start - one.end <= 10
            if near and one.name != other.name:
                return mentions[:position], mentions[position:]
    return mentions, []


_PLAIN_COMPARISON = re.compile(
    r"\b(?:versus|vs\.?|compared (?:with|to)|instead of|rather than|as opposed to)\s+"
    r"((?:[\w/-]+\s*){1,6}?)(?=\s+(?:in|for|on|to|among|with|after|during|reduce|improve|when)\b|[?.,;]|$)",
    re.IGNORECASE,
)
_PLAIN_INTERVENTION = re.compile(
    r"((?:[\w/-]+\s+){1,4}?)(?:versus|vs\.?|compared (?:with|to)|instead of|rather than|as opposed to)\s", re.IGNORECASE
)


def _sides(reading: Reading, vocabulary: Vocabulary) -> tuple[str, str | None]:
    mentions = sorted(asked_treatments(reading), key=lambda m: m.start)
    if not mentions:
        mentions = [m for m in reading.treatments if not m.negated and not any(d.asked for d in reading.treatments)]
        mentions = [
            m for m in mentions if vocabulary.treatments[m.name].decision in ("anticoagulation", "antiplatelet")
        ]
    ones, others = _compared(reading, mentions)
    asked = " ".join(reading.asks)
    comparison = ", ".join(_unique(reading, [m for m in others if m.name not in {o.name for o in ones}])) or None
    plain = _PLAIN_COMPARISON.search(asked)
    if comparison is None and plain:
        comparison = _tidy(plain.group(1)) or None
    intervention = ", ".join(_unique(reading, ones))
    if not intervention and comparison:
        before = _PLAIN_INTERVENTION.search(asked)
        if before:
            intervention = _tidy(_LEAD.sub("", before.group(1)))
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
        if covering:
            continue
        written = reading.slice(match.start, match.end)
        if not any(phrase(written) == phrase(other) for other in found):
            found.append(written)
    return ", ".join(found[:5])


def pico(reading: Reading, tags: Tags, own: tuple[Tag, ...], vocabulary: Vocabulary) -> PICO:
    """The question's PICO; what was not said is empty, and a population known by its conditions is named by them."""
    names = _names(tags, own, vocabulary)
    patient = _vignette(reading.text) or _group(reading.text)
    if names and not patient:
        patient = "people with " + " and ".join(names[:3])
    intervention, comparison = _sides(reading, vocabulary)
    return PICO(
        patient=patient,
        intervention=intervention,
        comparison=comparison,
        outcome=_outcome(reading),
        condition=names[0] if names else "",
    )
