"""What the cues of a question and the treatments it names speak for, before other words are weighed with them."""

import re
from dataclasses import dataclass

from evidencegate.question._asked import (
    RESTART,
    THINNING,
    asked_treatments,
    asked_words,
    beside,
    drugs_compared,
    occasion,
    which_of_a_class,
)
from evidencegate.question._figures import set_against
from evidencegate.question._hints import given_for, hints
from evidencegate.question._matcher import Match
from evidencegate.question._normal import BREAKS
from evidencegate.question._reading import Mention, Reading, decisions_heard
from evidencegate.question._types import Tags
from evidencegate.question._vocabulary import DECISION, WEAK, Vocabulary
from evidencegate.question._words import language

_DEFAULT = "therapy"
_MEANT_FOR = frozenset({"for", "during", "in", "undergoing", "at"})
_ABOUT_A_DRUG = frozenset({"duration", "de-escalation", "dose"})
# "A for B", "A in B": a treatment that is in no list, most likely.
_JOINED = re.compile(r"\w\s+(?:for|in|after|against|to)\s+\w", re.IGNORECASE)
_TESTS = frozenset({"diagnosis", "screening"})
_RESULT_WITHIN = 3
_CHANGED = frozenset("improve improves preserve preserves lower lowers raise raises reduce reduces normalize".split())
# What says by itself what is to be decided, so that a drug somebody already takes does not.
_SETTLED = frozenset({"therapy", "drug_choice"})
_AVERTED = "prevention"
_STOPPED = "de-escalation"
_FEWER = frozenset({"reduce", "reduces", "lower", "lowers", "decrease", "decreases", "less", "fewer"})
_FEWER_WITHIN = 2
# "Reduce stroke mortality" prevents no stroke.
_ASPECTS = frozenset(
    "mortality severity symptom pain activity death progression duration burden hospitalization".split()
)
_VERBS = frozenset({"treat", "treated", "treating", "manage", "managed"})
_MEASURED = re.compile(
    r"\b(?:how (?:long|many|much|often|soon|fast|far)|(?:what|which) (?:dose|length|duration|target)|until when)\b",
    re.IGNORECASE,
)
_ACTION = re.compile(r"\W*(?:how (?:should|do|can|would|to|soon|fast)|should|must|would)\b", re.IGNORECASE)


_IT_AGAIN = re.compile(
    r"\b(?:stop|pause|hold|continue|restart|resume|interrupt|skip|come off)(?:ping|ped|ing|ed)?\s+(?:taking\s+)?"
    r"(?:it|them|this)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Heard:
    """Decisions with the place of their first cue: those that stand by themselves, and those that do not."""

    sure: dict[str, int]
    weak: dict[str, int]


def _only_a_verb(reading: Reading, cue: Match) -> bool:
    """Whether "treated" is only what is measured: "for how many days should she be treated?"."""
    if cue.name != _DEFAULT or cue.kind != DECISION or reading.tokens[cue.end - 1].folded not in _VERBS:
        return False
    first = cue.start
    while first > 0 and reading.tokens[first - 1].text not in BREAKS:
        first -= 1
    words = reading.text[reading.tokens[first].start : reading.tokens[cue.start].start]
    return _MEASURED.search(words) is not None


def _event(reading: Reading, start: int) -> bool:
    """Whether what follows is something that happens to people, and itself what is to be fewer."""
    events = language()["events"]
    for mention in reading.diseases:
        if start <= mention.start <= start + _FEWER_WITHIN and mention.name in events:
            after = reading.folded[mention.end] if mention.end < len(reading.tokens) else ""
            return after not in _ASPECTS
    return False


def _heard(reading: Reading) -> _Heard:
    heard = _Heard({}, {})
    for cue in decisions_heard(reading):
        if reading.asked[cue.start] and not _only_a_verb(reading, cue):
            name = cue.name
            if name == _STOPPED and any(mention.start == cue.end for mention in reading.diseases):
                name = _AVERTED  # "effective in stopping syphilis": an illness is not withdrawn
            (heard.sure if cue.kind == DECISION else heard.weak).setdefault(name, cue.start)
    for name in set_against("\n".join(reading.asks)):
        heard.sure.setdefault(name, 0)
    for cue in reading.of(WEAK):
        if (
            reading.asked[cue.start]
            and reading.slice(cue.start, cue.end).lower() in _FEWER
            and _event(reading, cue.end)
        ):
            heard.sure.setdefault(_AVERTED, cue.start)
    return heard


def _value(reading: Reading, mention: Mention) -> bool:
    """Whether a test is told with its result."""
    after = reading.folded[mention.end : mention.end + _RESULT_WITHIN]
    return any(word[:1].isdigit() for word in after)


def _spoken(reading: Reading, vocabulary: Vocabulary, heard: dict[str, int]) -> dict[str, int]:
    """Decisions that a mention of a treatment speaks for."""
    found: dict[str, int] = {}
    asked = asked_treatments(reading)
    drugs = any(vocabulary.treatments[m.name].drug for m in asked)
    for mention in asked:
        decision = vocabulary.treatments[mention.name].decision
        before = set(reading.folded[max(0, mention.start - 2) : mention.start])
        # "ketamine for intubation": the procedure is what the drug is for.
        if decision is None or (decision == "procedure" and drugs and before & _MEANT_FOR):
            continue
        # "PSA 312", "preserve C-peptide", "what ECG monitoring": a finding, an outcome, and a test that watches over
        # a treatment.
        if decision in _TESTS and (_value(reading, mention) or before & _CHANGED or "monitoring" in heard):
            continue
        # "gout in a patient on warfarin, how is it managed?": the decision is another one.
        if not (heard.keys() & _SETTLED and occasion(reading, mention)):
            found.setdefault(decision, mention.start)
    if len({*found, *heard}) > 1 and _DEFAULT not in heard:
        found.pop(_DEFAULT, None)
    return found


def _carried_over(reading: Reading, vocabulary: Vocabulary, diseases: Tags, heard: dict[str, int]) -> dict[str, int]:
    """Decisions about a treatment that was named before it was asked about: "on warfarin ... when to restart?"."""
    asked: list[Mention] = asked_treatments(reading)
    if any(vocabulary.treatments[m.name].drug for m in asked) and not _IT_AGAIN.search("\n".join(reading.asks)):
        return {}
    again = bool(asked_words(reading) & RESTART)
    found: dict[str, int] = {}
    for mention in reading.treatments:
        treatment = vocabulary.treatments[mention.name]
        if mention.negated or treatment.decision is None or treatment.decision not in THINNING:
            continue
        # Without such a word: where how long or how much is asked, and the drug is given for what the case has.
        if again or (heard.keys() & _ABOUT_A_DRUG and given_for(vocabulary, treatment.classes[-1], diseases)):
            found.setdefault(treatment.decision, mention.start)
    return found


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the cues of a question and the treatments it names speak for, one by one."""

    tags: dict[str, int]
    """Decisions with the place of what speaks for them."""
    features: frozenset[str]
    """The same as features of the model that weighs them."""
    compared: bool


def ruled(reading: Reading, vocabulary: Vocabulary, diseases: Tags, *, together: bool) -> Ruled:
    """What cues and treatments speak for, before it is weighed together with the other words.

    Args:
        reading: the question taken apart.
        vocabulary: the decisions with their cues.
        diseases: the disease tags found.
        together: the question is about drugs given together.
    """
    heard = _heard(reading)
    spoken = _spoken(reading, vocabulary, heard.sure)
    first = {**spoken, **heard.sure}
    first = {**_carried_over(reading, vocabulary, diseases, {**heard.weak, **first}), **first}
    compared = drugs_compared(reading, vocabulary, together=together)
    if compared or which_of_a_class(reading, vocabulary):
        first.setdefault("drug_choice", 0)
    if together:
        first.setdefault("interaction", 0)
    asked = {m.name for m in asked_treatments(reading)}
    drugs = {name for name in asked if vocabulary.treatments[name].drug}
    if not first.keys() - {_DEFAULT}:
        # "superior to", "better than": a choice of drug only where there are drugs.
        first = {**{name: at for name, at in heard.weak.items() if drugs or name != "drug_choice"}, **first}
    if first.keys() & _TESTS and not asked:
        # "Does screening help?": of looking, nothing of treating.
        first.pop(_DEFAULT, None)
    text = "\n".join(reading.asks)
    # Nothing is heard: that is no word for treatment, only the best guess where the other words say nothing either.
    guessed = not first and bool(asked or not diseases or _JOINED.search(text) or _ACTION.match(text))
    named = {m.name for m in reading.diseases if m.asked}
    features = {
        *(f"@rule {name}" for name in first),
        *(f"@cue {name}" for name in heard.sure),
        *(f"@weak {name}" for name in heard.weak),
        *(f"@named {name}" for name in spoken),
        *hints(reading, vocabulary, diseases),
        f"@drugs {min(len(drugs), 3)}",
        f"@asked {min(len(asked), 3)}",
        f"@conditions {min(len(named), 2)}",
        *(("@compared",) if compared else ()),
        *(("@beside",) if beside(reading, vocabulary) else ()),
        *(("@guessed",) if guessed else ()),
    }
    return Ruled({_DEFAULT: 0} if guessed else first, frozenset(features), compared)
