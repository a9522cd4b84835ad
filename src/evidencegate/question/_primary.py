"""Which disease tags a question gets, and which of them is the primary one."""

from collections.abc import Iterable
from dataclasses import dataclass

from evidencegate.question._asked import asked_treatments, restarting
from evidencegate.question._conditions import unknown_conditions
from evidencegate.question._load import language
from evidencegate.question._measures import measured
from evidencegate.question._normal import phrase
from evidencegate.question._reading import Mention, Reading
from evidencegate.question._told import by_the_way, counting, only_an_outcome, past
from evidencegate.question._types import Role, Tag, Tags
from evidencegate.question._vocabulary import DECISION, DISEASE, TREATMENT, Vocabulary

MOST_DISEASES = 8
_BEFORE = 3
_FAR = 6
_CAUSED_WITHIN = 4
_LISTED = frozenset({"and", "or", ","})
_TREATED_AFTER = frozenset(
    {"treatment", "therapy", "management", "screening", "diagnosis", "prevention", "prophylaxis"}
)
_BETWEEN = frozenset("in with among for after on of who from during".split())
# Words with which a case turns from its history to what brings it here.
_NOW = frozenset(
    "present presents presented presenting now admitted develop develops developed new newly who come comes came "
    "referred seen found diagnosed complains reports".split()
)


# What a mention adds to the weight of its tag; the heaviest tag is the primary one. Set on the questions of
# `evaluate/data/questions.yaml`, by reading what the misses had in common, not by a search.
_ASKED = 3.5
_TREATED = 2.0
_FOR = 1.5
_AFTER = 2.0
_POPULATION = 1.2
_GIVEN_FOR = 2.0
_HISTORY = -2.5
_LONG_AGO = -0.8
_TREATED_WITH = -1.0
_EFFECT = -1.5
_SYMPTOM = -2.5
_STOPPED_FOR = 3.0
_AGAIN = 0.3
_ONLY_MEASURED = -1.0


@dataclass(frozen=True, slots=True)
class Conditions:
    """The disease tags of a question, and those among them that are its own."""

    tags: Tags
    own: tuple[Tag, ...] = ()
    focus: frozenset[str] = frozenset()
    """The primary tag and those that the asking part names; the two foremost, where it names none."""


def _effect(reading: Reading, mention: Mention) -> bool:
    """Whether the condition is a consequence: "risk of X", "reduces X", "X risk"."""
    before = next((m for m in reading.diseases if m.end + 1 == mention.start), None)
    if before is not None and reading.folded[before.end] in _LISTED:
        # "the risk of bleeding and infection": what is joined to an effect is one.
        return _effect(reading, before)
    after = reading.tokens[mention.end].folded if mention.end < len(reading.tokens) else ""
    caused = reading.folded[mention.end : mention.end + _CAUSED_WITHIN]
    if mention.asked and {"cause", "causes"} & set(caused):
        return True
    return after == "risk" or reading.before("effect", mention.start, 4, stop=_BETWEEN) is not None


def _population(reading: Reading, mention: Mention) -> bool:
    """Whether the condition says who is treated: "in X", "patients with X"."""
    window = reading.folded[max(0, mention.start - 2) : mention.start]
    if "in" in window or "among" in window:
        return True
    return "with" in window and reading.before("people", mention.start, 6) is not None


def _treated(reading: Reading, mention: Mention) -> float:
    before = reading.folded[max(0, mention.start - _BEFORE) : mention.start]
    if _sought(reading, mention):
        return 0.0
    cue = reading.before("treated", mention.start, _FAR, stop=_BETWEEN)
    # A cue of several words ("found to have") reaches over the details that follow it.
    if cue and (mention.start - cue.end <= _BEFORE or " " in cue.name):
        return _TREATED
    after = reading.tokens[mention.end].folded if mention.end < len(reading.tokens) else ""
    # What somebody takes a drug for is told of them; what is asked for is to be treated.
    what_for = mention.asked and "for" in before and "in" not in before
    return _FOR if what_for or after in _TREATED_AFTER else 0.0


def _follows(reading: Reading, mention: Mention) -> bool:
    """Whether the condition is what the question comes after: "after a stroke", but not "thrombus after a stroke"."""
    if not {"after", "following"} & set(reading.folded[max(0, mention.start - _BEFORE) : mention.start]):
        return False
    return not any(
        mention.start - _FAR <= other.end < mention.start and other.asked and not _effect(reading, other)
        for other in reading.diseases
    )


def _sought(reading: Reading, mention: Mention) -> bool:
    """Whether the condition is only looked for in another: "in diverticulitis, a colonoscopy to look for cancer"."""
    return reading.before("sought", mention.start, 2) is not None and any(
        other.asked and other.end <= mention.start and _population(reading, other) for other in reading.diseases
    )


def _is_symptom(name: str, vocabulary: Vocabulary) -> bool:
    return name in vocabulary.tags and vocabulary.tags[name].specialty == "symptoms"


def _role(name: str, vocabulary: Vocabulary) -> Role:
    return vocabulary.tags[name].role if name in vocabulary.tags else Role.MAIN


def _weight(reading: Reading, mention: Mention, given_for: dict[str, float], vocabulary: Vocabulary) -> float:
    weight = _treated(reading, mention) - mention.start / len(reading.tokens)
    if mention.asked:
        weight += _ASKED
        if _follows(reading, mention):
            weight += _AFTER
    if reading.before("history", mention.start, 8, stop=_NOW):
        weight += _HISTORY
    elif not mention.asked and past(reading, mention):
        weight += _LONG_AGO
    if _effect(reading, mention) or _sought(reading, mention):
        weight += _EFFECT
    if mention.asked and _population(reading, mention):
        weight += _POPULATION
    if reading.folded[mention.start] == "on":
        weight += _TREATED_WITH  # "on dialysis" says whom the question is about
    if _is_symptom(mention.name, vocabulary) and not (mention.asked and _population(reading, mention)):
        weight += _SYMPTOM  # but "in uremic pruritus, ..." is about the symptom
    names = (mention.name, *vocabulary.ancestors.get(mention.name, ()))
    return weight + max(given_for.get(name, 0.0) for name in names)


def _given_for(reading: Reading, vocabulary: Vocabulary) -> dict[str, float]:
    """The conditions that the treatments asked about are given for; the first of a class a little more."""
    found: dict[str, float] = {}
    for mention in asked_treatments(reading):
        for name in vocabulary.treatments[mention.name].classes:
            if name in vocabulary.classes:
                for place, disease in enumerate(vocabulary.classes[name].treats):
                    found[disease] = max(found.get(disease, 0.0), _GIVEN_FOR - 0.1 * min(place, 9))
    return found


def _treated_by(reading: Reading, names: list[str], vocabulary: Vocabulary) -> set[str]:
    """Those of the conditions that the treatments asked about are given for."""
    given = _given_for(reading, vocabulary)
    return {name for name in names if given.keys() & {name, *vocabulary.ancestors.get(name, ())}}


def _with_wider(names: Iterable[str], vocabulary: Vocabulary) -> set[str]:
    """The names, and what each is a kind of."""
    return {one for name in names for one in (name, *vocabulary.ancestors.get(name, ()))}


def _unknown(reading: Reading, *, only_asked: bool) -> list[tuple[Tag, Mention]]:
    kinds = (DISEASE, TREATMENT, DECISION)
    taken = {i for m in reading.matches if m.kind in kinds for i in range(m.start, m.end)}
    return [
        (own, Mention(own.name, start, end, reading.asked[start], False, False))
        for own, start, end in unknown_conditions(reading, taken)
        if not reading.denied[start] and ((reading.asked[start] and not _prevented(reading, start)) or not only_asked)
    ]


def _prevented(reading: Reading, start: int) -> bool:
    """Whether an unknown condition is only what is to be avoided in a known one."""
    if reading.before("effect", start, 4, stop=_BETWEEN):
        return True
    return bool({"prevent", "preventing", "prevention"} & set(reading.folded[max(0, start - 3) : start]))


def _averted(reading: Reading, mentions: list[Mention], vocabulary: Vocabulary) -> set[str]:
    """What a treatment asked about is to avert in another condition of its field: the stroke of "stroke prevention"."""
    averted = language()["averted"]
    fields = {vocabulary.tags[m.name].specialty for m in mentions if m.name in vocabulary.tags.keys() - averted}
    return {
        m.name
        for m in mentions
        if m.asked
        and m.name in averted
        and vocabulary.tags[m.name].specialty in fields
        and (
            reading.folded[m.end : m.end + 1] == ["prevention"]
            or {"prevent", "prevents", "preventing"} & set(reading.folded[max(0, m.start - 2) : m.start])
        )
    }


def _weights(reading: Reading, mentions: list[Mention], vocabulary: Vocabulary) -> dict[str, float]:
    given_for = _given_for(reading, vocabulary)
    weights: dict[str, float] = {}
    for mention in mentions:
        weight = _weight(reading, mention, given_for, vocabulary)
        held = weights.get(mention.name)
        weights[mention.name] = weight if held is None else max(held, weight) + _AGAIN
    there = _with_wider(weights, vocabulary)
    denied = {m.name for m in reading.diseases if m.negated} - weights.keys()
    asked_for = set(measured("\n".join(reading.asks), vocabulary.measures, there))
    for name in measured(reading.text, vocabulary.measures, there):
        if name in denied:
            continue
        general = [weights[up] for up in vocabulary.ancestors[name] if up in weights]
        given = max(given_for.get(one, 0.0) for one in (name, *vocabulary.ancestors[name]))
        # "heart failure ... ejection fraction 62 %": the figure says which heart failure it is.
        alone = _ONLY_MEASURED + given + (_ASKED if name in asked_for else 0.0)
        weights.setdefault(name, max(general, default=alone))
    for name in _averted(reading, mentions, vocabulary):
        weights[name] -= _ASKED
    if restarting(reading, vocabulary):
        for name in weights.keys() & set(language()["stopped_for"]):
            weights[name] += _STOPPED_FOR
    asked = {m.name for m in mentions if m.asked}
    for wider in weights.keys() & language()["kinds_of"]:
        kinds = [n for n in weights if wider in vocabulary.ancestors.get(n, ())]
        if kinds:
            # "the tumor", where the text says which it is: the narrower name takes the weight of the wider.
            kind = max(kinds, key=lambda n: weights[n])
            weights[kind] = max(weights[kind], weights[wider])
            weights[wider] = weights[kind] - 0.01
    for name, weight in tuple(weights.items()):
        known = vocabulary.tags.get(name)
        for wider in (*known.implies, *known.parents) if known else ():
            # What a narrower tag stands for is not ahead of it, unless it is itself asked about.
            if wider in weights and wider not in asked:
                weights[wider] = min(weights[wider], weight - 0.01)
    return weights


def _roles(
    weights: dict[str, float], asked: set[str], treated: set[str], vocabulary: Vocabulary
) -> tuple[dict[str, float], dict[str, Role]]:
    """The weights without what is only a sign or a setting of something else, and the role of each tag."""
    told = language()["only_asked"]
    signs = {n for n in weights if (_is_symptom(n, vocabulary) or n in told) and n not in asked}
    if any(not _is_symptom(name, vocabulary) and _role(name, vocabulary) is Role.MAIN for name in asked):
        signs |= (weights.keys() & language()["passing"]) - asked
        # A symptom beside a condition is what is to get better, where it is not itself what is treated.
        signs |= {n for n in weights if n not in treated and _is_symptom(n, vocabulary)}
    if signs != set(weights):
        weights = {name: weight for name, weight in weights.items() if name not in signs}
    roles = {name: _role(name, vocabulary) for name in weights}
    if any(role is not Role.SETTING for role in roles.values()):
        weights = {name: weight for name, weight in weights.items() if roles[name] is not Role.SETTING}
    return weights, roles


def _without_general(ranked: list[str], vocabulary: Vocabulary) -> list[str]:
    """Without "heart failure" beside a kind of it: both say one thing, and the kind takes the better place."""
    kinds = [name for name in ranked if "HF" in vocabulary.ancestors.get(name, frozenset())]
    if "HF" not in ranked or not kinds:
        return ranked
    return list(dict.fromkeys(kinds[0] if name == "HF" else name for name in ranked))


def conditions(reading: Reading, vocabulary: Vocabulary, *, together: bool) -> Conditions:
    """The disease tags of a question, the primary first; at most eight and what they imply.

    Args:
        reading: the question taken apart.
        vocabulary: the tags.
        together: the question is about drugs given together; a harm it names is then no condition of its own.
    """
    known = counting(reading)
    named = {word for m in known if m.name in vocabulary.tags for word in phrase(vocabulary.tags[m.name].label)}
    # "polymyalgia" beside "polymyalgia rheumatica" is no other condition.
    unknown = [
        (tag, mention)
        for tag, mention in _unknown(reading, only_asked=bool(known))
        if not named.issuperset(phrase(tag.label)) and not (known and only_an_outcome(reading, mention))
    ]
    own = {tag.name: tag for tag, _ in unknown}
    mentions = [*known, *(mention for _, mention in unknown)]
    if together:
        mentions = [m for m in mentions if not _effect(reading, m) or _population(reading, m)]
    asked = {m.name for m in mentions if m.asked}
    treated = {m.name for m in mentions if m.asked and (_population(reading, m) or _treated(reading, m))}
    weights, roles = _roles(_weights(reading, mentions, vocabulary), asked, treated, vocabulary)
    main = sorted((name for name in weights if roles[name] is Role.MAIN), key=lambda name: -weights[name])
    given_for = _treated_by(reading, main, vocabulary)
    told = by_the_way(reading, weights.keys(), asked & weights.keys() or given_for or {*main[:1]}, vocabulary)
    told -= given_for
    kept = sorted(weights.keys() - told, key=lambda name: -weights[name])[:MOST_DISEASES]
    ranked = _without_general(sorted(kept, key=lambda name: roles[name] is not Role.MAIN), vocabulary)
    for name in tuple(ranked):
        if name in vocabulary.tags:
            ranked += [up for up in vocabulary.tags[name].implies if up not in ranked]
    # What is only feared or hoped for ("the risk of cancer with ...") says nothing of the field.
    asked = {m.name for m in mentions if m.asked and not _effect(reading, m)} or asked
    asked |= set(measured("\n".join(reading.asks), vocabulary.measures, _with_wider(weights, vocabulary)))
    focus = {*ranked[:1], *asked} if asked else {*ranked[:2], *_treated_by(reading, ranked, vocabulary)}
    for name in tuple(focus & vocabulary.tags.keys()):
        focus.update(vocabulary.tags[name].implies)
    return Conditions(
        tags=Tags(tuple(ranked)),
        own=tuple(own[name] for name in ranked if name in own),
        focus=frozenset(focus & set(ranked)),
    )
