"""Which tags a question gets, and which of them is the primary one."""

import re
from dataclasses import dataclass
from itertools import pairwise

from evidencegate.question._abbreviations import abbreviations
from evidencegate.question._conditions import unknown_conditions
from evidencegate.question._load import language
from evidencegate.question._normal import BREAKS, phrase
from evidencegate.question._reading import Mention, Reading, decisions_heard
from evidencegate.question._types import Role, Tag, Tags
from evidencegate.question._vocabulary import DECISION, DISEASE, TREATMENT, Vocabulary

MOST_DISEASES = 8
_BESIDE_THE_CLASS = 3.2
_TREATED_AFTER = frozenset({"treatment", "therapy", "management", "screening", "diagnosis"})
# "A for B", "A in B": a treatment that is in no list, most likely.
_JOINED = re.compile(r"\w\s+(?:for|in)\s+\w", re.IGNORECASE)
_COMPARING = frozenset("compare comparing comparison between difference".split())
_HAVING = frozenset("had has have with died of whose".split())
_RESTART = frozenset(
    "restart restarting restarted resume resuming resumed resumption continue continuing continued stop stopping stopped "
    "hold held withhold switch switching switched reinitiate bridge bridging interrupt interrupted interruption "
    "reintroduce discontinue discontinued".split()
)
_BETWEEN = frozenset("in with among for after on of who from during".split())
_TOGETHER = frozenset("together combine combining combined combination mix mixing alongside plus".split())


@dataclass(frozen=True, slots=True)
class Conditions:
    """The disease tags of a question, and those among them that are its own."""

    tags: Tags
    own: tuple[Tag, ...] = ()


def asked_treatments(reading: Reading) -> list[Mention]:
    """Treatments that the decision is about: asked, and not merely the occasion ("after PCI", "on metformin")."""
    asked = [m for m in reading.treatments if m.asked and not m.negated]
    chosen = [m for m in asked if not _occasion(reading, m)]
    # A drug that is both background and topic ("on warfarin: stop warfarin?") is topic.
    return chosen or [m for m in asked if _plain(reading, m)]


def _plain(reading: Reading, mention: Mention) -> bool:
    occasion = reading.before("occasion", mention.start, 1)
    return occasion is None or occasion.name in (
        "on",
        "taking",
        "receiving",
        "takes",
        "take",
        "using",
        "maintained on",
        "while on",
    )


def _occasion(reading: Reading, mention: Mention) -> bool:
    occasion = reading.before("occasion", mention.start, 1)
    if occasion is None:
        return False
    # "evidence on", "effect on": the word before tells these from "a patient on".
    if occasion.name == "on" and occasion.start > 0:
        return reading.tokens[occasion.start - 1].folded not in ("evidence", "guidance", "advice", "data", "effect")
    return True


def _effect(reading: Reading, mention: Mention) -> bool:
    after = reading.tokens[mention.end].folded if mention.end < len(reading.tokens) else ""
    return after == "risk" or reading.before("effect", mention.start, 4, stop=_BETWEEN) is not None


def _population(reading: Reading, mention: Mention) -> bool:
    window = reading.folded[max(0, mention.start - 2) : mention.start]
    if "in" in window or "among" in window:
        return True
    return "with" in window and reading.before("people", mention.start, 6) is not None


def _weight(reading: Reading, mention: Mention, liked: frozenset[str], vocabulary: Vocabulary) -> float:
    tokens = reading.tokens
    weight = -1.0 * mention.start / len(tokens)
    weight += 3.5 if mention.asked else 0.0
    before = reading.folded[max(0, mention.start - 3) : mention.start]
    if reading.before("treated", mention.start, 3, stop=_BETWEEN):
        weight += 2.0
    elif ("for" in before and "in" not in before) or (
        mention.end < len(tokens) and tokens[mention.end].folded in _TREATED_AFTER
    ):
        weight += 1.5
    if reading.before("history", mention.start, 8):
        weight -= 2.5
    if _effect(reading, mention):
        weight -= 1.5
    if _population(reading, mention):
        weight += 1.2
    if mention.asked and {"after", "following"} & set(before[-2:]):
        weight += 2.0
    if _is_symptom(mention.name, vocabulary):
        weight -= 2.5
    if mention.name in liked or vocabulary.ancestors.get(mention.name, frozenset()) & liked:
        weight += 2.0
    return weight


def _is_symptom(name: str, vocabulary: Vocabulary) -> bool:
    return name in vocabulary.tags and vocabulary.tags[name].specialty == "symptoms"


def _liked(reading: Reading, vocabulary: Vocabulary) -> frozenset[str]:
    """The conditions that the treatments asked about are given for."""
    liked: set[str] = set()
    for mention in asked_treatments(reading):
        for name in vocabulary.treatments[mention.name].classes:
            if name in vocabulary.classes:
                liked.update(vocabulary.classes[name].treats)
    return frozenset(liked)


def _mentions(reading: Reading) -> list[Mention]:
    """Disease mentions that count: not denied, not a relative's, not an abbreviation of something else here."""
    defined = abbreviations(reading.text)
    kept = []
    for mention in reading.diseases:
        if mention.negated:
            continue
        written = reading.slice(mention.start, mention.end)
        if mention.short and written in defined:
            named = {m.name for m in reading.diseases if not m.short}
            if mention.name not in named and phrase(defined[written]):
                continue
        kept.append(mention)
    relatives = [m for m in kept if reading.before("family", m.start, 4) or _relative(reading, m)]
    return [m for m in kept if m not in relatives] or kept


def _relative(reading: Reading, mention: Mention) -> bool:
    """Whether the condition is somebody else's: "her aunt had breast cancer"."""
    window = reading.tokens[max(0, mention.start - 6) : mention.start]
    for place, token in enumerate(window):
        if token.text.lower() in language()["relatives"]:
            between = {t.folded for t in window[place + 1 :]}
            if not any(t.text in BREAKS for t in window[place + 1 :]) and between & _HAVING:
                return True
    return False


def _measured(reading: Reading, vocabulary: Vocabulary, there: set[str]) -> list[str]:
    found = []
    for measure in vocabulary.measures:
        if measure.beside and not there & set(measure.beside):
            continue
        if any(measure.low <= float(m.group(1)) <= measure.high for m in measure.pattern.finditer(reading.text)):
            found.append(measure.tag)
    return found


def conditions(reading: Reading, vocabulary: Vocabulary, *, interacting: bool) -> Conditions:
    """The disease tags of a question, the primary first.

    Args:
        reading: the question taken apart.
        vocabulary: the tags.
        interacting: the question is about drugs given together; a harm it names is then no condition of its own.
    """
    mentions = _mentions(reading)
    taken = {i for m in reading.matches if m.kind in (DISEASE, TREATMENT, DECISION) for i in range(m.start, m.end)}
    unknown = [
        (own, Mention(own.name, start, end, reading.asked[start], False, False))
        for own, start, end in unknown_conditions(reading, taken)
        if reading.asked[start] or not mentions
    ]
    own = {tag.name: tag for tag, _ in unknown}
    mentions = [*mentions, *(mention for _, mention in unknown)]
    if interacting:
        mentions = [m for m in mentions if not _effect(reading, m) or _population(reading, m)]
    liked = _liked(reading, vocabulary)
    weights: dict[str, float] = {}
    for mention in mentions:
        weight = _weight(reading, mention, liked, vocabulary)
        held = weights.get(mention.name)
        weights[mention.name] = weight if held is None else max(held, weight) + 0.3
    for name in _measured(reading, vocabulary, set(weights)):
        weights.setdefault(name, -1.0)
    roles = {name: vocabulary.tags[name].role if name in vocabulary.tags else Role.MAIN for name in weights}
    asked = {m.name for m in mentions if m.asked}
    signs = {name for name in weights if _is_symptom(name, vocabulary) and name not in asked}
    if signs != set(weights):
        # The signs by which a case presents are not what it is about, where it has a condition.
        weights = {name: weight for name, weight in weights.items() if name not in signs}
    if any(roles[name] is not Role.SETTING for name in weights):
        weights = {name: weight for name, weight in weights.items() if roles[name] is not Role.SETTING}
    for name in weights:
        if name in vocabulary.tags:
            # What a narrower tag implies is never ahead of it.
            for parent in vocabulary.tags[name].implies:
                if parent in weights and not any(m.asked and m.name == parent for m in mentions):
                    weights[parent] = min(weights[parent], weights[name] - 0.01)
    kept = sorted(weights, key=lambda name: (-weights[name], name))[:MOST_DISEASES]
    ranked = _without_general(sorted(kept, key=lambda name: roles[name] is not Role.MAIN), vocabulary)
    for name in tuple(ranked):
        if name in vocabulary.tags:
            ranked += [up for up in vocabulary.tags[name].implies if up not in ranked]
    return Conditions(Tags(tuple(ranked)), tuple(own[name] for name in ranked if name in own))


def _without_general(ranked: list[str], vocabulary: Vocabulary) -> list[str]:
    """Without "heart failure" beside a kind of it: both say one thing, and the kind takes the better place."""
    kinds = [name for name in ranked if "HF" in vocabulary.ancestors.get(name, frozenset())]
    if "HF" not in ranked or not kinds:
        return ranked
    return list(dict.fromkeys(kinds[0] if name == "HF" else name for name in ranked))


def _asked_text(reading: Reading) -> str:
    return "\n".join(reading.asks)


def interacting(reading: Reading, vocabulary: Vocabulary) -> bool:
    """Whether the question is about two drugs given together."""
    heard = [m for m in decisions_heard(reading) if m.name == "interaction"]
    drugs = {m.name for m in reading.treatments if m.asked and vocabulary.treatments[m.name].drug}
    together = any(
        token.folded in _TOGETHER for token, asked in zip(reading.tokens, reading.asked, strict=True) if asked
    )
    if heard:
        return True
    compared = any(
        True for m in reading.of("compared") if m.name not in ("or", "over", "than") and reading.asked[m.start]
    )
    return together and len(drugs) >= 2 and not compared and not reading.diseases


def decisions(reading: Reading, vocabulary: Vocabulary, diseases: Tags, *, together: bool) -> Tags:
    """The decision tags of a question, the primary first: the most specific of what is asked."""
    first: dict[str, int] = {}
    weak: dict[str, int] = {}
    for cue in decisions_heard(reading):
        if reading.asked[cue.start]:
            (first if cue.kind == DECISION else weak).setdefault(cue.name, cue.start)
    text = _asked_text(reading)
    for decision in vocabulary.decisions.values():
        for pattern in decision.patterns:
            hit = pattern.search(text)
            if hit:
                first.setdefault(decision.name, len(text[: hit.start()].split()))
    treatments = asked_treatments(reading)
    for mention in treatments:
        spoken = vocabulary.treatments[mention.name].decision
        if spoken:
            first.setdefault(spoken, mention.start)
    for name, position in _carried_over(reading, vocabulary, treatments, diseases).items():
        first.setdefault(name, position)
    if _drugs_compared(reading, vocabulary, treatments) or _which(reading, vocabulary, treatments):
        first.setdefault("drug_choice", treatments[0].start)
    if together:
        first.setdefault("interaction", 0)
    if not first:
        first = weak
    if not first and (treatments or not diseases or _JOINED.search(text)):
        first = {"therapy": 0}
    weights = {name: vocabulary.decisions[name].weight for name in first}
    if "antiplatelet" in first and diseases and not _given_for(vocabulary, "antiplatelets", diseases):
        # Aspirin against preeclampsia: a drug of the class, but not a decision on antiplatelet therapy first of all.
        weights["antiplatelet"] = _BESIDE_THE_CLASS
    ranked = sorted(first, key=lambda name: (-weights[name], first[name], name))
    return Tags(tuple(ranked))


def _given_for(vocabulary: Vocabulary, name: str, diseases: Tags) -> bool:
    treats = frozenset(vocabulary.classes[name].treats)
    return any(disease in treats or vocabulary.ancestors.get(disease, frozenset()) & treats for disease in diseases.all)


def _carried_over(reading: Reading, vocabulary: Vocabulary, asked: list[Mention], diseases: Tags) -> dict[str, int]:
    """Decisions about a treatment that was named before it was asked about: "on warfarin ... when to restart?"."""
    words = {token.folded for token, ask in zip(reading.tokens, reading.asked, strict=True) if ask}
    if any(vocabulary.treatments[m.name].drug for m in asked) or not words & _RESTART:
        return {}
    return {
        spoken: m.start
        for m in reading.treatments
        if not m.negated
        and (spoken := vocabulary.treatments[m.name].decision) in ("anticoagulation", "antiplatelet")
        and diseases
    }


def _which(reading: Reading, vocabulary: Vocabulary, treatments: list[Mention]) -> bool:
    """Which of a class is asked: "which potassium binder is best"."""
    for mention in treatments:
        if vocabulary.treatments[mention.name].drug:
            before = reading.folded[max(0, mention.start - 3) : mention.start]
            if {"which", "what"} & set(before) and not {"dose", "is", "are", "be"} & set(before):
                return True
    return False


def _drugs_compared(reading: Reading, vocabulary: Vocabulary, treatments: list[Mention]) -> bool:
    drugs = [m for m in treatments if vocabulary.treatments[m.name].drug]
    for one, other in pairwise(drugs):
        if one.name == other.name or other.start - one.end > 8:
            continue
        if any(one.end <= m.start and m.end <= other.start for m in reading.of("compared")):
            return True
        if _COMPARING & set(reading.folded[max(0, one.start - 4) : one.start]):
            return True
    return False
