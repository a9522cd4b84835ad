"""Which of the conditions that a question names are its tags, and which of them is the primary one.

What speaks for each (`_traits`) is weighed by `data/condition_weights.json`, fitted by `training/question/choose.py`.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

from evidencegate.question._beside import Beside, beside
from evidencegate.question._candidates import Candidate, candidates
from evidencegate.question._reading import Reading
from evidencegate.question._stands import is_effect
from evidencegate.question._traits import traits
from evidencegate.question._types import Role, Tag, Tags
from evidencegate.question._vocabulary import Vocabulary

MOST_DISEASES = 8
# Log-odds that a condition must pass to count, and below which even the likeliest is not taken. Bounds from -0.3 to 0.6
# differed by three points at most on 300 questions held out from an earlier fit; from 0 to 0.7 by three of 560 seen.
LEAST, _FAINT = 0.3, -6.0


@dataclass(frozen=True, slots=True)
class Conditions:
    """The disease tags of a question, and those among them that are its own."""

    tags: Tags
    own: tuple[Tag, ...] = ()
    focus: frozenset[str] = frozenset()
    """The primary tag and those that the asking part names; the two foremost, where it names none."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What a feature adds to the log-odds that a condition counts, and to its score as the primary one."""

    counts: float
    primary: float


_NONE = Weight(0.0, 0.0)


@lru_cache(maxsize=1)
def weights() -> Mapping[str, Weight]:
    """The shipped model."""
    raw = json.loads(files(__package__).joinpath("data/condition_weights.json").read_text("utf-8"))
    return MappingProxyType({feature: Weight(*row) for feature, row in raw.items()})


def weighed(features: Iterable[str]) -> Weight:
    """The two sums over `features`."""
    model = weights()
    rows = [model.get(feature, _NONE) for feature in sorted(features)]
    return Weight(sum(row.counts for row in rows), sum(row.primary for row in rows))


def _without_general(ranked: list[str], vocabulary: Vocabulary) -> list[str]:
    """Without "heart failure" beside a kind of it: both say one thing, and the kind takes the better place."""
    kinds = [name for name in ranked if "HF" in vocabulary.ancestors.get(name, frozenset())]
    if "HF" not in ranked or not kinds:
        return ranked
    return list(dict.fromkeys(kinds[0] if name == "HF" else name for name in ranked))


def _chosen(found: Iterable[Candidate], weight: Mapping[str, Weight], vocabulary: Vocabulary) -> list[str]:
    """Names of those that count, the primary first; tags that are never primary beside others last."""
    likeliest = sorted((one.name for one in found), key=lambda name: (-weight[name].counts, name))
    counting = [name for name in likeliest if weight[name].counts > LEAST] or [
        name for name in likeliest[:1] if weight[name].counts > _FAINT
    ]
    known = vocabulary.tags

    def rank(name: str) -> tuple[bool, float, str]:
        return name in known and known[name].role is not Role.MAIN, -weight[name].primary, name

    return sorted(counting[:MOST_DISEASES], key=rank)


def _focus(ranked: list[str], found: Iterable[Candidate], among: Beside) -> frozenset[str]:
    """The conditions that the decision is about."""
    # What is only feared or hoped for ("the risk of cancer with ...") says nothing of the field.
    asked = {one.name for one in found if any(m.asked and not is_effect(among.reading, m) for m in one.mentions)}
    asked = asked or {one.name for one in found if one.asked}
    asked |= {one.name for one in found if one.measured_asked}
    asked &= set(ranked)
    treated = {name for name in ranked if among.place(name, among.given) is not None}
    focus = {*ranked[:1], *asked} if asked else {*ranked[:2], *treated}
    known = among.vocabulary.tags
    for name in tuple(focus & known.keys()):
        focus.update(known[name].implies)
    return frozenset(focus & set(ranked))


def conditions(reading: Reading, vocabulary: Vocabulary, *, together: bool) -> Conditions:
    """The disease tags of a question, the primary first; at most eight and what they imply.

    Args:
        reading: the question taken apart.
        vocabulary: the tags.
        together: the question is about drugs given together; a harm it names is then hardly a condition of its own.
    """
    found = candidates(reading, vocabulary)
    among = beside(found, reading, vocabulary, together=together)
    told = traits(found, among)
    weight = {one.name: weighed(features) for one, features in zip(found, told, strict=True)}
    ranked = _without_general(_chosen(found, weight, vocabulary), vocabulary)
    for name in tuple(ranked):
        if name in vocabulary.tags:
            ranked += [up for up in vocabulary.tags[name].implies if up not in ranked]
    own = {one.name: one.own for one in found if one.own is not None}
    return Conditions(
        tags=Tags(tuple(ranked)),
        own=tuple(own[name] for name in ranked if name in own),
        focus=_focus(ranked, found, among),
    )
