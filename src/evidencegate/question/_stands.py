"""How a condition stands in a question: as what is treated, as whom it is about, as a consequence, or only sought."""

from evidencegate.question._reading import Mention, Reading
from evidencegate.question._vocabulary import Vocabulary
from evidencegate.question._words import language

_BEFORE = 3
_FAR = 6
_CAUSED_WITHIN = 4
_LISTED = frozenset({"and", "or", ","})
_TREATED_AFTER = frozenset(
    {"treatment", "therapy", "management", "screening", "diagnosis", "prevention", "prophylaxis"}
)
_BETWEEN = frozenset("in with among for after on of who from during".split())
_PREVENTED = frozenset({"prevent", "prevents", "preventing"})
# Words with which a case turns from its history to what brings it here.
_NOW = frozenset(
    "present presents presented presenting now admitted develop develops developed new newly who come comes came "
    "referred seen found diagnosed complains reports".split()
)


def is_effect(reading: Reading, mention: Mention) -> bool:
    """Whether the condition is a consequence: "risk of X", "reduces X", "X risk"."""
    before = next((m for m in reading.diseases if m.end + 1 == mention.start), None)
    if before is not None and reading.folded[before.end] in _LISTED:
        # "the risk of bleeding and infection": what is joined to an effect is one.
        return is_effect(reading, before)
    after = reading.tokens[mention.end].folded if mention.end < len(reading.tokens) else ""
    caused = reading.folded[mention.end : mention.end + _CAUSED_WITHIN]
    if mention.asked and {"cause", "causes"} & set(caused):
        return True
    return after == "risk" or reading.before("effect", mention.start, 4, stop=_BETWEEN) is not None


def is_population(reading: Reading, mention: Mention) -> bool:
    """Whether the condition says who is treated: "in X", "patients with X"."""
    window = reading.folded[max(0, mention.start - 2) : mention.start]
    if "in" in window or "among" in window:
        return True
    return "with" in window and reading.before("people", mention.start, 6) is not None


def is_treated(reading: Reading, mention: Mention) -> bool:
    """Whether the text says of the condition that it is treated, came, or is what brings somebody here."""
    if is_sought(reading, mention):
        return False
    cue = reading.before("treated", mention.start, _FAR, stop=_BETWEEN)
    # A cue of several words ("found to have") reaches over the details that follow it.
    return cue is not None and (mention.start - cue.end <= _BEFORE or " " in cue.name)


def is_purpose(reading: Reading, mention: Mention) -> bool:
    """Whether something is asked about for the condition: "colchicine for X", "X treatment"."""
    if is_sought(reading, mention):
        return False
    before = reading.folded[max(0, mention.start - _BEFORE) : mention.start]
    after = reading.tokens[mention.end].folded if mention.end < len(reading.tokens) else ""
    # What somebody takes a drug for is told of them; what is asked for is to be treated.
    return (mention.asked and "for" in before and "in" not in before) or after in _TREATED_AFTER


def is_followed(reading: Reading, mention: Mention) -> bool:
    """Whether the condition is what the question comes after: "after a stroke", but not "thrombus after a stroke"."""
    if not {"after", "following"} & set(reading.folded[max(0, mention.start - _BEFORE) : mention.start]):
        return False
    return not any(
        mention.start - _FAR <= other.end < mention.start and other.asked and not is_effect(reading, other)
        for other in reading.diseases
    )


def is_sought(reading: Reading, mention: Mention) -> bool:
    """Whether the condition is only looked for in another: "in diverticulitis, a colonoscopy to look for cancer"."""
    return reading.before("sought", mention.start, 2) is not None and any(
        other.asked and other.end <= mention.start and is_population(reading, other) for other in reading.diseases
    )


def is_history(reading: Reading, mention: Mention) -> bool:
    """Whether the condition is told as history: "a background of X"."""
    return reading.before("history", mention.start, 8, stop=_NOW) is not None


def is_prevented(reading: Reading, start: int) -> bool:
    """Whether an unknown condition, which begins at token `start`, is only what is to be avoided in a known one."""
    if reading.before("effect", start, 4, stop=_BETWEEN):
        return True
    return bool({"prevent", "preventing", "prevention"} & set(reading.folded[max(0, start - 3) : start]))


def is_averted(reading: Reading, mention: Mention, vocabulary: Vocabulary) -> bool:
    """Whether a treatment asked about is to avert it in another condition of its field: "stroke prevention in AF"."""
    averted = language()["averted"]
    if not mention.asked or mention.name not in averted:
        return False
    field = vocabulary.tags[mention.name].specialty
    if not any(
        m.name not in averted and m.name in vocabulary.tags and vocabulary.tags[m.name].specialty == field
        for m in reading.diseases
        if not m.negated
    ):
        return False
    before = reading.folded[max(0, mention.start - 2) : mention.start]
    return reading.folded[mention.end : mention.end + 1] == ["prevention"] or bool(_PREVENTED & set(before))
