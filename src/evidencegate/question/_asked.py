"""Which treatments a question is about, and which it only mentions."""

import re
from itertools import pairwise

from evidencegate.question._normal import BREAKS
from evidencegate.question._reading import Mention, Reading, decisions_heard
from evidencegate.question._vocabulary import Vocabulary

THINNING = frozenset({"anticoagulation", "antiplatelet"})
RESTART = frozenset(
    "restart restarting restarted resume resuming resumed resumption continue continuing continued stop stopping "
    "stopped hold held withhold switch switching switched reinitiate bridge bridging interrupt interrupted "
    "interruption reintroduce discontinue discontinued".split()
)
_TOGETHER = frozenset(
    "together combine combining combined combination mix mixing alongside plus with added adding add takes taking "
    "coadministered".split()
)
_COMPARING = frozenset("compare comparing comparison difference".split())
# Words between two drugs that are compared; more where one does it "longer than" the other.
_NEAR, _FAR_APART = 8, 12
_JOINING = frozenset({"and", "with", "plus"})
_TWO_NAMES = 7
_TAKING = frozenset("take taken give given prescribe prescribed add added use used start started have".split())
# Words after which a treatment may still be the topic: "on warfarin: should warfarin be stopped?".
_USED = frozenset({"on", "taking", "receiving", "takes", "take", "using", "maintained on", "while on"})
# "Can he take colchicine", "is it safe to use a statin": it is asked about.
_TAKEN = frozenset({"take", "use", "using", "taking", "have", "on", "receive", "receiving"})
_MAY = frozenset("can could may should safe ok okay allowed able must".split())
_SAID_WITHIN = 3
# "Protect the stomach from ibuprofen"; but "switch from warfarin".
_AWAY = frozenset({"from", "against"})
_LEFT = frozenset(
    "switch switching switched change changing changed convert converting move moving moved step stepping transition "
    "go going weaned wean taper tapering away withdraw withdrawal benefit evidence refrain".split()
)
# "evidence on", "effect on": the word before tells these from "a patient on".
_ABOUT = frozenset({"evidence", "guidance", "advice", "data", "effect", "information"})
# "benzodiazepine-refractory seizures": the drug is no subject any more.
_QUALIFIED = frozenset(
    "refractory resistant resistance naive induced associated intolerant intolerance allergic allergy dependent "
    "experienced treated exposed failure ineligible unsuitable".split()
)
# "What dose of apixaban": one of a class is not asked for.
_MEASURES = frozenset("dose dosage amount length duration level is are be role effect risk evidence benefit".split())
_QUALITIES = frozenset("resistance intolerance allergy failure refractory naive".split())


_POINTING = re.compile(
    r"\b(?:which (?:one|of (?:the )?(?:two|them|these|those))|either|neither|both|it|them|the (?:two|other|drug|"
    r"tablets?|medicine|infusion|injections?|treatment)|this (?:drug|medicine|treatment|agent))\b",
    re.IGNORECASE,
)
_SENTENCES_BACK = 2


def asked_words(reading: Reading) -> frozenset[str]:
    """The folded words of what is asked."""
    return frozenset(token.folded for token, asked in zip(reading.tokens, reading.asked, strict=True) if asked)


def qualifies(reading: Reading, mention: Mention) -> bool:
    """Whether a treatment only says of what kind something is: "benzodiazepine-refractory", "statin intolerance"."""
    if mention.end >= len(reading.tokens):
        return False
    after = reading.tokens[mention.end]
    hyphen = reading.text[after.start - 1 : after.start] in ("-", "‑", "–")
    return after.folded in _QUALITIES or (hyphen and after.folded in _QUALIFIED)


def occasion(reading: Reading, mention: Mention) -> bool:
    """Whether a treatment is the occasion of the question, not its subject: "after PCI", "on metformin"."""
    if qualifies(reading, mention):
        return True
    found = reading.before("occasion", mention.start, 1)
    if found is None:
        return False
    before = set(reading.folded[max(0, found.start - _SAID_WITHIN) : found.start])
    if found.name in _TAKEN and before & _MAY:
        return False  # "can he take colchicine"
    if found.name in _AWAY:
        return not before & _LEFT
    return not (found.name == "on" and found.start > 0 and reading.tokens[found.start - 1].folded in _ABOUT)


def points_back(asks: str) -> bool:
    """Whether what is asked means a treatment that was told before: "which one", "either", "the tablets"."""
    return _POINTING.search(asks) is not None


def asked_treatments(reading: Reading) -> list[Mention]:
    """Treatments that the decision is about; where there are none, those that are said to be used."""
    asked = [m for m in reading.treatments if m.asked and not m.negated]
    chosen = [m for m in asked if not occasion(reading, m)]
    return chosen or [m for m in asked if _used(reading, m)] or _pointed_at(reading)


def _pointed_at(reading: Reading) -> list[Mention]:
    """The treatments of the nearest sentences told before, where what is asked points back to some: "which one"."""
    if not points_back(" ".join(reading.asks)):
        return []
    first = next((place for place, asked in enumerate(reading.asked) if asked), 0)
    told = [m for m in reading.treatments if m.end <= first and not m.negated]
    if not told:
        return []
    place = told[-1].start
    return [
        m
        for m in told
        if sum(token.text in BREAKS for token in reading.tokens[m.end : first]) <= _SENTENCES_BACK
        and not sentence_has_break(reading, m.end, place)
    ]


def _used(reading: Reading, mention: Mention) -> bool:
    found = reading.before("occasion", mention.start, 1)
    return not qualifies(reading, mention) and (found is None or found.name in _USED)


def restarting(reading: Reading, vocabulary: Vocabulary) -> bool:
    """Whether it is asked when to go on with a treatment that thins the blood."""
    return bool(asked_words(reading) & RESTART) and any(
        vocabulary.treatments[m.name].decision in THINNING for m in reading.treatments
    )


def interacting(reading: Reading, vocabulary: Vocabulary) -> bool:
    """Whether the question is about drugs given together."""
    drugs = {m.name for m in reading.treatments if m.asked and vocabulary.treatments[m.name].drug}
    if any(m.name == "interaction" and reading.asked[m.start] for m in decisions_heard(reading)):
        # An enzyme alone ("CYP2D6 and breast cancer") makes no question on drugs given together.
        return len(drugs) >= 2 or not reading.diseases
    if not reading.diseases and (beside(reading, vocabulary) or _two_names(reading)):
        return True
    compared = any(m.name not in ("or", "over", "than") and reading.asked[m.start] for m in reading.of("compared"))
    return len(drugs) >= 2 and bool(asked_words(reading) & _TOGETHER) and not compared and not reading.diseases


def _two_names(reading: Reading) -> bool:
    """Whether the question is two treatments and no more: "St John's wort and tacrolimus"."""
    names = {m.name for m in reading.treatments}
    return len(names) == 2 and len(reading.tokens) <= _TWO_NAMES and bool(asked_words(reading) & _JOINING)


def beside(reading: Reading, vocabulary: Vocabulary) -> bool:
    """Whether a drug is asked about for somebody on another: "can a patient on simvastatin take clarithromycin"."""
    if not asked_words(reading) & _TAKING:
        return False
    drugs = [m for m in reading.treatments if m.asked and not m.negated and vocabulary.treatments[m.name].drug]
    held = {m.name for m in drugs if occasion(reading, m)}
    return bool(held) and any(m.name not in held for m in drugs)


def drugs_compared(reading: Reading, vocabulary: Vocabulary, *, together: bool) -> bool:
    """Whether one drug is weighed against another.

    Args:
        reading: the question.
        vocabulary: what is a drug.
        together: the question is about drugs given together; "between" then compares nothing.
    """
    drugs = [m for m in asked_treatments(reading) if vocabulary.treatments[m.name].drug]
    for one, other in pairwise(drugs):
        if one.name == other.name or other.start - one.end > _FAR_APART:
            continue
        between = [m.name for m in reading.of("compared") if one.end <= m.start and m.end <= other.start]
        if between and (other.start - one.end <= _NEAR or "than" in between):
            return True
        if other.start - one.end > _NEAR:
            continue
        if not together and _COMPARING & set(reading.folded[max(0, one.start - 4) : one.start]):
            return True
    return False


def which_of_a_class(reading: Reading, vocabulary: Vocabulary) -> bool:
    """Whether one of a class is asked for: "which potassium binder is best"."""
    for mention in asked_treatments(reading):
        if vocabulary.treatments[mention.name].drug:
            before = set(reading.folded[max(0, mention.start - 3) : mention.start])
            if before & {"which", "what"} and not before & _MEASURES:
                return True
    return False


def sentence_has_break(reading: Reading, start: int, end: int) -> bool:
    """Whether a sentence ends between tokens `start` and `end`."""
    return any(token.text in BREAKS for token in reading.tokens[start:end])
