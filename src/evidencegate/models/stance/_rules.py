"""Rules that compare what a claim and a passage state, as numbers for the calibrated model and as reasons."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evidencegate.documents import Span, sentences
from evidencegate.models.stance._comparisons import Arms, arms, figures_say, turned_round
from evidencegate.models.stance._findings import Direction, Effect, Figure, Reading, read
from evidencegate.models.stance._lexicon import lexicon
from evidencegate.models.stance._text import WORD, blank, content, scores, stem, topics
from evidencegate.models.stance._types import Label, Reason, ReasonCode

FEATURES = (
    "overlap", "overlap_sentence", "subject_missing", "object_missing", "supports", "refutes", "supports_none",
    "refutes_none", "supports_weak", "refutes_weak", "negation_same", "negation_differs", "numbers_agree",
    "numbers_differ", "swapped", "population", "hedged_claim", "hedged_passage", "significant", "not_significant",
    "claim_effect", "claim_none", "claim_superior", "length", "figures_support", "figures_refute", "turned",
    "straight",
)  # fmt: skip
"""Names of the rule features, in the order of the coefficient file."""

# Sentences compared with the claim, those nearest to it first.
_COMPARED = 12
# Characters on either side of a cue in which it is held to speak of the shared terms.
_NEAR = 90
# Two figures agree when they differ by less than this share, or by rounding in the last printed place.
_TOLERANCE = 0.015


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of the rules for one claim and passage."""

    values: tuple[float, ...]
    """In the order of `FEATURES`."""
    reasons: tuple[Reason, ...]
    sentence: tuple[int, int] | None
    """Span of the sentence that the rules look to, in the passage."""


@dataclass(frozen=True, slots=True)
class _Match:
    """One effect of the passage held against the claim's."""

    code: ReasonCode
    toward: Label
    strength: float
    sentence: int
    span: tuple[int, int]


def _head(effects: Sequence[Effect]) -> Effect | None:
    """The effect that a claim is about: no difference before a direction, a direction before *is linked*."""
    for wanted in (
        {Direction.NONINFERIOR},
        {Direction.NONE},
        {Direction.UP, Direction.DOWN},
        {Direction.AGAINST},
        {Direction.EFFECT},
    ):
        for effect in effects:
            if effect.said in wanted:
                return effect
    return None


def _opposed(claim: str, sentence: str) -> bool:
    """Whether claim and sentence speak of contrary outcomes (mortality here, survival there)."""
    for left, right in lexicon().opposites:
        for one, other in ((left, right), (right, left)):
            if one.search(claim) and not other.search(claim) and other.search(sentence) and not one.search(sentence):
                return True
    return False


def _relation(claim: Direction, found: Direction) -> tuple[ReasonCode, Label, float] | None:
    """(reason, label, weight) of a passage's effect for a claim's; None where the two do not bear on each other."""
    directed = {Direction.UP, Direction.DOWN}
    if claim is Direction.NONINFERIOR:
        if found in {Direction.NONINFERIOR, Direction.NONE}:
            return ReasonCode.NONINFERIOR, Label.SUPPORTS, 1.0
        return (ReasonCode.OPPOSITE_DIRECTION, Label.REFUTES, 0.7) if found is Direction.AGAINST else None
    if claim is Direction.NONE:
        if found in {Direction.NONE, Direction.NONINFERIOR}:
            return ReasonCode.BOTH_NO_DIFFERENCE, Label.SUPPORTS, 1.0
        return ReasonCode.EFFECT_FOUND, Label.REFUTES, 1.0 if found in directed else 0.6
    if found in {Direction.NONE, Direction.NONINFERIOR}:
        return ReasonCode.NO_DIFFERENCE_FOUND, Label.REFUTES, 1.0
    if claim in directed and found in directed:
        if claim is found:
            return ReasonCode.SAME_DIRECTION, Label.SUPPORTS, 1.0
        return ReasonCode.OPPOSITE_DIRECTION, Label.REFUTES, 1.0
    if Direction.AGAINST in {claim, found} and claim is not found:
        return ReasonCode.OPPOSITE_DIRECTION, Label.REFUTES, 0.4
    return ReasonCode.SAME_DIRECTION, Label.SUPPORTS, 0.5


def _turned(direction: Direction) -> Direction:
    return {Direction.UP: Direction.DOWN, Direction.DOWN: Direction.UP}.get(direction, direction)


def _arms(text: str, cue: tuple[int, int]) -> tuple[set[str], set[str]]:
    """Stems before and after a comparator cue, without those on both sides."""
    before, after = topics(text[: cue[0]]), topics(text[cue[1] : cue[1] + 80])
    return before - after, after - before


def _swapped(claim: str, claim_reading: Reading, sentence: str, reading: Reading) -> bool:
    """Whether the two arms of the claim's comparison stand the other way round in the sentence."""
    if claim_reading.comparison is None or reading.comparison is None:
        return False
    left, right = _arms(claim, claim_reading.comparison)
    before, after = _arms(sentence, reading.comparison)
    return bool(right & before and left & after) and len(right & before) + len(left & after) > len(left & before) + len(
        right & after
    )


def _agrees(one: Figure, other: Figure) -> bool:
    return one.unit == other.unit and abs(one.value - other.value) <= max(_TOLERANCE * abs(one.value), 1e-9)


@dataclass(slots=True)
class _Work:
    """Collects features and reasons while one pair is compared."""

    values: dict[str, float]
    reasons: list[Reason]

    def say(
        self,
        code: ReasonCode,
        detail: str,
        toward: Label | None = None,
        claim: tuple[int, int] | None = None,
        passage: tuple[int, int] | None = None,
    ) -> None:
        self.reasons.append(Reason(code, detail, toward, claim, passage))


def compare(claim: str, passage: str) -> Comparison:
    """Hold a claim against a passage. Any text; never raises for its content.

    `claim` is one clean statement; spans of the reasons are in `passage` as given.
    """
    text = blank(passage)
    spans = list(sentences(text))
    work = _Work(dict.fromkeys(FEATURES, 0.0), [])
    wanted = set(content(claim))
    if not wanted or not spans:
        return Comparison(tuple(work.values.values()), (), None)
    ranked = scores(claim, [text[span.start : span.end] for span in spans])
    order = sorted(range(len(spans)), key=lambda i: (-ranked[i], i))[:_COMPARED]
    claim_reading = read(claim)
    head = _head(claim_reading.effects)
    everything = topics(text) if len(spans) <= 60 else topics(_joined(text, spans, order))
    _topic(work, claim, wanted, everything, head)
    matches, best = _effects(work, claim, claim_reading, head, text, spans, order, wanted)
    _figures(work, claim, claim_reading, text, spans, order, wanted)
    _sides(work, claim, claim_reading, text, spans, best, everything)
    work.values["length"] = min(1.0, len(spans) / 10)
    if matches:
        best = max(matches, key=lambda m: m.strength).sentence
    span = spans[best]
    order_of = {Label.REFUTES: 0, Label.SUPPORTS: 0, None: 1}
    reasons = sorted(work.reasons, key=lambda reason: order_of.get(reason.toward, 1))
    return Comparison(tuple(work.values[name] for name in FEATURES), tuple(reasons), (span.start, span.end))


def _joined(text: str, spans: Sequence[Span], order: Sequence[int]) -> str:
    return " ".join(text[spans[i].start : spans[i].end] for i in order)


def _topic(work: _Work, claim: str, wanted: set[str], everything: set[str], head: Effect | None) -> None:
    work.values["overlap"] = len(wanted & everything) / len(wanted)
    work.values["claim_effect"] = float(head is not None)
    subject = set(content(claim[: head.start])) if head else wanted
    rest = wanted - subject
    for name, part in (("subject_missing", subject), ("object_missing", rest)):
        missing = part - everything
        work.values[name] = len(missing) / len(part) if part else 0.0
        if part and len(missing) == len(part):
            words = [m.group() for m in WORD.finditer(claim) if stem(m.group()) in missing]
            work.say(ReasonCode.TERM_MISSING, "not named in the passage: " + ", ".join(words[:5]), Label.NEUTRAL)
    if work.values["overlap"] < 0.2:
        share = round(100 * work.values["overlap"])
        work.say(ReasonCode.NO_SHARED_TOPIC, f"{share} % of the claim's terms occur in the passage", Label.NEUTRAL)


def _effects(
    work: _Work,
    claim: str,
    claim_reading: Reading,
    head: Effect | None,
    text: str,
    spans: Sequence[Span],
    order: Sequence[int],
    wanted: set[str],
) -> tuple[list[_Match], int]:
    """Every effect of the nearest sentences against the claim's; returns the matches and the nearest sentence."""
    values = work.values
    said = head.said if head else None
    values["claim_none"] = float(said in {Direction.NONE, Direction.NONINFERIOR})
    values["claim_superior"] = float(bool(re.search(r"\bsuperior\b", claim, re.IGNORECASE)))
    values["hedged_claim"] = float(bool(claim_reading.hedges))
    groups = arms(claim, head, claim_reading) if head else None
    matches: list[_Match] = []
    best, best_share = order[0], -1.0
    for index in order:
        span = spans[index]
        sentence = text[span.start : span.end]
        shared = wanted & topics(sentence)
        share = len(shared) / len(wanted)
        if share > best_share:
            best, best_share = index, share
        if said is None or head is None or not shared:
            continue
        reading = read(sentence)
        around = turned_round(groups, sentence, reading)
        _groups(work, said, groups, sentence, span.start, reading, share, around)
        swapped = _swapped(claim, claim_reading, sentence, reading) if around is None else around
        turned = swapped != _opposed(claim, sentence)
        for effect in reading.effects:
            found = effect.said
            if reading.significant is False and found in {Direction.UP, Direction.DOWN, Direction.EFFECT}:
                found = Direction.NONE
            relation = _relation(said, _turned(found) if turned else found)
            if relation is None:
                continue
            code, toward, weight = relation
            near = topics(sentence[max(0, effect.start - _NEAR) : effect.end + _NEAR]) & wanted
            strength = weight * (0.6 * len(near) / len(wanted) + 0.4 * share)
            where = (span.start + effect.start, span.start + effect.end)
            matches.append(_Match(code, toward, strength, index, where))
        if swapped and share >= values["overlap_sentence"]:
            values["swapped"] = 1.0
    values["overlap_sentence"] = max(0.0, best_share)
    names = {
        ReasonCode.SAME_DIRECTION: "supports", ReasonCode.OPPOSITE_DIRECTION: "refutes",
        ReasonCode.BOTH_NO_DIFFERENCE: "supports_none", ReasonCode.NONINFERIOR: "supports_none",
        ReasonCode.NO_DIFFERENCE_FOUND: "refutes_none", ReasonCode.EFFECT_FOUND: "refutes_none",
    }  # fmt: skip
    for match in matches:
        name = names[match.code]
        values[name] = max(values[name], match.strength)
        weak = "supports_weak" if match.toward is Label.SUPPORTS else "refutes_weak"
        values[weak] += match.strength / len(matches)
    for match in sorted(matches, key=lambda m: -m.strength)[:2]:
        cue = text[match.span[0] : match.span[1]]
        at = (head.start, head.end) if head else None
        detail = f"claim: “{head.cue if head else ''}”; passage: “{cue}”"
        work.say(match.code, detail, match.toward, at, match.span)
    if values["swapped"]:
        work.say(ReasonCode.ARMS_SWAPPED, "the passage compares the two arms the other way round")
    return matches, best


def _groups(
    work: _Work,
    said: Direction,
    groups: Arms | None,
    sentence: str,
    start: int,
    reading: Reading,
    share: float,
    around: bool | None,
) -> None:
    """What the values of the two groups say, and which way round the sentence compares them (`around`)."""
    if around is not None:
        name = "turned" if around else "straight"
        work.values[name] = max(work.values[name], share)
    found = figures_say(sentence, reading, groups)
    if found is None or said not in {Direction.UP, Direction.DOWN, Direction.NONE}:
        return
    toward = Label.SUPPORTS if found.direction is said else Label.REFUTES
    name = "figures_support" if toward is Label.SUPPORTS else "figures_refute"
    work.values[name] = max(work.values[name], share)
    if found.direction is not Direction.NONE:
        code = ReasonCode.SAME_DIRECTION if toward is Label.SUPPORTS else ReasonCode.OPPOSITE_DIRECTION
        detail = f"values of the two groups: {sentence[found.span[0] : found.span[1]]}"
        work.say(code, detail, toward, None, (start + found.span[0], start + found.span[1]))


def _figures(
    work: _Work,
    claim: str,
    claim_reading: Reading,
    text: str,
    spans: Sequence[Span],
    order: Sequence[int],
    wanted: set[str],
) -> None:
    """Figures of the claim that the nearest sentences repeat, or state otherwise in the same unit."""
    asked = [f for f in claim_reading.figures if f.unit or f.value not in {0.0, 1.0, 2.0}]
    if not asked:
        return
    agree = differ = 0
    near = [(spans[i].start, read(text[spans[i].start : spans[i].end])) for i in order[:5]]
    for figure in asked:
        given = [(start, other) for start, reading in near for other in reading.figures]
        same = next(((start, other) for start, other in given if _agrees(figure, other)), None)
        alike = [(start, other) for start, other in given if figure.unit and other.unit == figure.unit]
        at = (figure.start, figure.end)
        if same:
            agree += 1
            place = (same[0] + same[1].start, same[0] + same[1].end)
            work.say(ReasonCode.NUMBERS_AGREE, claim[figure.start : figure.end], Label.SUPPORTS, at, place)
        elif alike:
            differ += 1
            start, other = alike[0]
            place = (start + other.start, start + other.end)
            detail = f"claim {figure.value:g} {figure.unit}, passage {other.value:g} {other.unit}"
            work.say(ReasonCode.NUMBERS_DIFFER, detail, Label.REFUTES, at, place)
    work.values["numbers_agree"] = agree / len(asked)
    work.values["numbers_differ"] = differ / len(asked)


def _sides(
    work: _Work,
    claim: str,
    claim_reading: Reading,
    text: str,
    spans: Sequence[Span],
    best: int,
    everything: set[str],
) -> None:
    """Negation, significance, hedging and population of the nearest sentence."""
    values, span = work.values, spans[best]
    sentence = text[span.start : span.end]
    reading = read(sentence)
    claim_negated, negated = len(claim_reading.negations) % 2 == 1, len(reading.negations) % 2 == 1
    if claim_negated or negated:
        values["negation_same" if claim_negated == negated else "negation_differs"] = values["overlap_sentence"]
    if claim_negated != negated and values["overlap_sentence"] >= 0.5:
        at = claim_reading.negations[0] if claim_negated else None
        place = None if claim_negated else reading.negations[0]
        where = (span.start + place[0], span.start + place[1]) if place else None
        side = "claim" if claim_negated else "passage"
        work.say(ReasonCode.NEGATION_DIFFERS, f"only the {side} is negated", Label.REFUTES, at, where)
    if reading.significant is not None and reading.significance_span is not None:
        name = "significant" if reading.significant else "not_significant"
        values[name] = 1.0
        left, right = reading.significance_span
        code = ReasonCode.SIGNIFICANT if reading.significant else ReasonCode.NOT_SIGNIFICANT
        work.say(code, sentence[left:right], None, None, (span.start + left, span.start + right))
    if reading.hedges:
        values["hedged_passage"] = 1.0
        left, right = reading.hedges[0]
        work.say(ReasonCode.HEDGED, sentence[left:right], None, None, (span.start + left, span.start + right))
    for left_group, right_group in lexicon().populations:
        for one, other in ((left_group, right_group), (right_group, left_group)):
            asked, given = one.search(claim), other.search(text)
            if asked and given and not other.search(claim) and not one.search(text):
                values["population"] = 1.0
                detail = f"claim: {asked.group()}; passage: {given.group()}"
                work.say(ReasonCode.POPULATION_DIFFERS, detail, Label.NEUTRAL, asked.span(), given.span())
