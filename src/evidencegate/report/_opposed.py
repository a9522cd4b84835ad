"""Whether two findings can contradict each other by what they say: one outcome, and directions that exclude each other.

A reader of stances judges whether one sentence refutes the other; wording and figures must allow it too. Two findings
that point the same way agree, however sure each of them is, and a wide interval around the other's estimate excludes
nothing.
"""

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import yaml

from evidencegate.evidence import outcomes_named
from evidencegate.models.stance import Direction, Effect, Reading, arms, read
from evidencegate.report._worth import uneven

_WITHIN_NULL = 1.1
"""A ratio nearer to one than this, either way, leans to no side."""
_TURNED = {Direction.UP: Direction.DOWN, Direction.DOWN: Direction.UP}
_WORKS = frozenset({Direction.UP, Direction.DOWN, Direction.EFFECT})


@dataclass(frozen=True, slots=True)
class _Words:
    """`data/opposed.yaml`, compiled."""

    ratio: re.Pattern[str]
    denied: re.Pattern[str]
    nothing: re.Pattern[str]
    advice: re.Pattern[str]
    survival: re.Pattern[str]
    death: re.Pattern[str]
    kinds: frozenset[str]
    ends: frozenset[str]


@cache
def words() -> _Words:
    """The word lists of this module."""
    text = files("evidencegate.report").joinpath("data", "opposed.yaml").read_text("utf-8")
    raw: dict[str, Any] = yaml.safe_load(text)
    return _Words(
        ratio=re.compile(raw["ratio"], re.IGNORECASE),
        kinds=frozenset(raw["kinds"].split()),
        ends=frozenset(raw["ends"].split()),
        **{
            name: re.compile("|".join(raw[name]), re.IGNORECASE)
            for name in ("denied", "nothing", "advice", "survival", "death")
        },
    )


@dataclass(frozen=True, slots=True)
class _Ratio:
    """A ratio with its interval, where one is printed."""

    point: float
    low: float | None
    high: float | None

    @property
    def leans(self) -> Direction:
        """To which side of one the estimate lies."""
        if 1 / _WITHIN_NULL < self.point < _WITHIN_NULL:
            return Direction.NONE
        return Direction.UP if self.point > 1 else Direction.DOWN

    def excludes(self, point: float) -> bool:
        """Whether its interval rules out an estimate."""
        return self.low is not None and self.high is not None and not self.low <= point <= self.high


@dataclass(frozen=True, slots=True)
class _Told:
    """What a sentence tells of one outcome."""

    said: Direction
    ratio: _Ratio | None
    denies: Direction | None = None
    """The one way that is denied, where it is no more: "did not reduce" leaves room for a rise."""

    @property
    def turned(self) -> "_Told":
        """The same of the opposite outcome, or of the groups the other way round."""
        denies = None if self.denies is None else _TURNED[self.denies]
        return replace(self, said=_TURNED.get(self.said, self.said), denies=denies)


def can_oppose(one: str, other: str, *, one_outcome: bool = False) -> bool:
    """Whether `other` may contradict `one`: both name the same outcome, and what they tell of it cannot both hold.

    With `one_outcome` it is known that both name one that the list of outcomes does not have, or has beside others;
    what became of patients is told apart all the same. False wherever it is not plain: what is shown as a
    contradiction is proved (rule 5).
    """
    named = outcomes_named(one), outcomes_named(other)
    if not _one_outcome(*named) and not (one_outcome and not (named[0] | named[1]) & words().kinds):
        return False
    first, second = _told(one), _told(other)
    if first is None or second is None:
        return False
    turned = _survival(one) != _survival(other)
    turned = turned != _arms_turned(one, other)
    return _exclude(first, second.turned if turned else second) and not (not turned and _compatible(first, second))


def _one_outcome(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = one & other
    kinds = words().kinds
    if (one | other) & kinds:
        return bool(shared & (kinds | words().ends))
    return bool(shared) or not (one | other)


def _exclude(first: _Told, second: _Told) -> bool:
    pair = {first.said, second.said}
    for one, other in ((first, second), (second, first)):
        if one.said is Direction.NONE and one.denies is not None and other.said in _WORKS:
            return other.said is one.denies
    if pair == {Direction.UP, Direction.DOWN}:
        return True
    if Direction.NONE in pair:
        return bool(pair & _WORKS)
    if Direction.AGAINST in pair:
        return bool(pair & (_WORKS | {Direction.NONINFERIOR}))
    return False


def _compatible(first: _Told, second: _Told) -> bool:
    """Whether the figures of two findings allow each other: one way, and neither interval excludes the other.

    Where only the one that finds nothing has figures, it leans the way of the other and does not exclude it.
    """
    if first.ratio and second.ratio:
        one_way = (first.ratio.point - 1) * (second.ratio.point - 1) > 0
        apart = first.ratio.excludes(second.ratio.point) and second.ratio.excludes(first.ratio.point)
        return one_way and not apart and not (_known_null(first) or _known_null(second))
    null, effect = (first, second) if first.said is Direction.NONE else (second, first)
    return null.said is Direction.NONE and null.ratio is not None and null.ratio.leans is effect.said


def _known_null(told: _Told) -> bool:
    return told.said is Direction.NONE and told.ratio is not None and told.ratio.leans is Direction.NONE


@lru_cache(maxsize=4096)
def _told(text: str) -> _Told | None:
    """What a sentence tells; None where it tells of no effect."""
    if uneven(text) or words().advice.search(text):
        return None
    reading, ratio = read(text), _ratio(text)
    denied = words().denied.search(text)
    effects = [e for e in reading.effects if e.direction is not Direction.EFFECT] or list(reading.effects)
    if not effects:
        if denied or words().nothing.search(text):
            return _Told(Direction.NONE, ratio)
        if ratio is None:
            return None
        return _Told(Direction.NONE if reading.significant is not True else ratio.leans, ratio)
    said = {_said(effect, denied) for effect in effects}
    if reading.significant is False and said <= {Direction.UP, Direction.DOWN}:
        return _Told(Direction.NONE, ratio)
    if len(said) > 1:
        # Several things are told of; where both ways are, it is not plain which of what.
        return None if {Direction.UP, Direction.DOWN} <= said else _Told(_said(effects[0], denied), ratio)
    return _Told(said.pop(), ratio, _denied_way(reading))


def _denied_way(reading: Reading) -> Direction | None:
    """The one way that a sentence denies; None where it tells of something or denies all effect."""
    ways = {effect.direction for effect in reading.effects}
    return ways.pop() if len(ways) == 1 and ways <= set(_TURNED) and reading.significant is None else None


def _said(effect: Effect, denied: re.Match[str] | None) -> Direction:
    return Direction.NONE if denied and denied.start() < effect.start else effect.said


def _ratio(text: str) -> _Ratio | None:
    found = words().ratio.search(text)
    if found is None:
        return None
    point, low, high = (
        None if found[n] is None else float(found[n].replace("·", ".")) for n in ("point", "low", "high")
    )
    return None if point is None else _Ratio(point, low, high)


def _survival(text: str) -> bool:
    """Whether it counts those who live: what raises that lowers deaths."""
    return bool(words().survival.search(text)) and not words().death.search(text)


def _arms_turned(one: str, other: str) -> bool:
    """Whether the second sentence compares the same two groups the other way round."""
    first, second = _arms(one, read(one)), _arms(other, read(other))
    if first is None or second is None:
        return False
    same = len(first[0] & second[0]) + len(first[1] & second[1])
    return len(first[0] & second[1]) + len(first[1] & second[0]) > same


def _arms(text: str, reading: Reading) -> tuple[frozenset[str], frozenset[str]] | None:
    found = arms(text, reading.effects[0], reading) if reading.effects else None
    return None if found is None else (found.first, found.second)
