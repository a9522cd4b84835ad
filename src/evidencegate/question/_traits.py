"""What speaks for or against a condition being one of a question's: the features that its weights are of."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from evidencegate.question._beside import Beside, field_of
from evidencegate.question._candidates import Candidate
from evidencegate.question._reading import Mention, Reading
from evidencegate.question._stands import (
    is_averted,
    is_effect,
    is_followed,
    is_history,
    is_population,
    is_prevented,
    is_purpose,
    is_sought,
    is_treated,
)
from evidencegate.question._told import only_an_outcome, past
from evidencegate.question._types import Role
from evidencegate.question._words import language

_A_CASE = 60
"""Tokens from which on a question is a case, which tells more than it asks."""
_EARLY, _LATE = 0.25, 0.6
_TWO, _MANY, _OFTEN = 2, 6, 3
_WEIGHTIEST = 3
_SYMPTOMS = "symptoms"

_ALL: dict[str, Callable[[Reading, Mention], bool]] = {
    "outcome": only_an_outcome,
    "effect": is_effect,
    "history": is_history,
    "past": past,
}
"""Kinds that hold for a condition where they hold for every place that names it."""
_ANY: dict[str, Callable[[Reading, Mention], bool]] = {
    "people": is_population,
    "people asked": lambda reading, mention: mention.asked and is_population(reading, mention),
    "treated": is_treated,
    "purpose": is_purpose,
    "followed": is_followed,
    "sought": is_sought,
    "short": lambda _, mention: mention.short,
}
"""Kinds that hold where they hold for one of them."""


def _of_places(mentions: Sequence[Mention], among: Beside) -> Iterator[str]:
    """How the text names it."""
    reading = among.reading
    yield from (kind for kind, holds in _ALL.items() if all(holds(reading, m) for m in mentions))
    yield from (kind for kind, holds in _ANY.items() if any(holds(reading, m) for m in mentions))
    if any(is_averted(reading, m, among.vocabulary) for m in mentions):
        yield "averted"
    if reading.folded[mentions[0].start] == "on":
        yield "on"  # "on dialysis" says whom the question is about
    if len(mentions) > 1:
        yield "again"
    if len(mentions) >= _OFTEN:
        yield "often"
    at = [m.start / len(reading.tokens) for m in mentions]
    if min(at) < _EARLY:
        yield "early"
    elif max(at) < _LATE:
        yield "middle"


def _of_name(candidate: Candidate, among: Beside) -> Iterator[str]:
    """What is known of the condition."""
    known = among.vocabulary.tags.get(candidate.name)
    if known is None:
        yield "unlisted"
        if any(is_prevented(among.reading, m.start) for m in candidate.mentions):
            yield "prevented"
    elif known.role is not Role.MAIN:
        yield str(known.role)
    field = field_of(candidate, among.vocabulary)
    if field == _SYMPTOMS:
        yield "symptom"


def _of_bearing(name: str, field: str, among: Beside) -> Iterator[str]:
    """How it goes with the other conditions, and with the treatments."""
    up = among.vocabulary.ancestors.get(name, frozenset())
    line = {name, *up}
    place, minded = among.place(name, among.given), among.place(name, among.minded)
    holds = {
        "wider": name in among.wider,
        "implied": name in among.implied,
        "narrower": bool(up & among.names),
        "field asked": field in among.asked_fields,
        "field treated": field in among.given_fields,
        "given": place is not None,
        "given first": place is not None and place == among.foremost,
        "has its treatment": bool(line & among.told_for),
        "minded": minded is not None,
        "minded first": minded is not None and minded < _WEIGHTIEST,
        "stopped for": among.restarting and name in language()["stopped_for"],
    }
    yield from (kind for kind, so in holds.items() if so)


def _of_question(candidate: Candidate, among: Beside) -> Iterator[str]:
    """Where it stands among the others."""
    count = len(among.names)
    holds = {
        "only": count == 1,
        "two": count == _TWO,
        "many": count >= _MANY,
        "none asked": "first asked" not in among.ends,
        "together": among.together,
        "measured": candidate.measured and not candidate.mentions,
        "measured and named": candidate.measured and bool(candidate.mentions),
        "measured asked": candidate.measured_asked,
    }
    yield from (kind for kind, so in holds.items() if so)
    yield from (end for end, name in among.ends.items() if name == candidate.name)


def _features(candidate: Candidate, among: Beside) -> frozenset[str]:
    reading = among.reading
    name, field = candidate.name, field_of(candidate, among.vocabulary)
    kinds = [
        *(_of_places(candidate.mentions, among) if candidate.mentions else ()),
        *_of_name(candidate, among),
        *_of_bearing(name, field, among),
        *_of_question(candidate, among),
    ]
    asked = "?" if candidate.asked or candidate.measured_asked else "."
    long = "case" if len(reading.tokens) > _A_CASE else "short"
    said = {" ".join(reading.folded[m.start : m.end]) for m in candidate.mentions}
    features = {"", asked, f"{asked} {long}", *kinds}
    features.update(f"{kind} {asked}" for kind in kinds)
    features.update(f"{kind} {asked} {long}" for kind in kinds)
    features.update(f"{one} & {other}" for one, other in combinations(sorted(kinds), 2))
    features.update((f"= {field}", f"= {field} {asked}", f"# {name}", f"# {name} {asked}"))
    features.update(f'" {words}' for words in said)
    if not candidate.mentions:
        features.add(f"# {name} measured")
    return frozenset(features)


def traits(found: Sequence[Candidate], among: Beside) -> list[frozenset[str]]:
    """The features of each of `found`, in their order.

    A kind (`treated`, `people`, `given`) stands alone, with whether what is asked names the condition (`?` or `.`),
    with whether the question is a case, and with each other kind; `=` begins a field, `#` a tag, `"` the words that
    name it.

    Args:
        found: the conditions that the question names.
        among: the same taken together.
    """
    return [_features(candidate, among) for candidate in found]
