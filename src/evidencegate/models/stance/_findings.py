"""What one sentence states: effects with direction and negation, figures with units, significance, hedges."""

import re
from dataclasses import dataclass
from enum import IntEnum

from evidencegate.models.stance._lexicon import lexicon
from evidencegate.models.stance._text import WORD

_P_VALUE = re.compile(
    r"\bp(?:[- ]?values?)?(?:\s*for\s[\w\s]{1,24})?\s*(=|<|>|≤|≥|&lt;|&gt;|was|of)\s*(0?[.·]\s?\d+|[01]\b)",
    re.IGNORECASE,
)
_NOT_SIGNIFICANT = re.compile(r"\bp\s*=\s*n\.?s\b\.?|(?<![\w.])(?:n\.s\.|NS|ns)(?![\w.])")
_INTERVAL = re.compile(
    r"(?:CI|confidence interval|credible interval|CrI)s?[\s:,=(\[]{0,4}"
    r"(?:95\s?%[\s:,=(\[]{0,3})?(?:of|was|from|,|:|=|\[|\()?\s*"
    r"([-−–]?\d+(?:[.·]\d+)?)\s?%?\s*(?:to|-|–|—|−|,|;|and)\s*([-−–]?\d+(?:[.·]\d+)?)",
    re.IGNORECASE,
)
_RATIO = re.compile(r"\b(?:RR|OR|HR|IRR|SHR|aHR|aOR|aRR|(?:odds|risk|hazards?|rate) ratios?|relative risk)\b")
_NUMBER = re.compile(
    r"(?<![\w.,])([-−]?\d{1,3}(?:,\d{3})+|[-−]?\d+(?:[.·]\d+)?)\s?"
    r"(%|percent|per ?cent|mg/dl|mmol/l|mg/kg|mg|µg|μg|mcg|kg/m2|kg|g|ml|l|mmhg|mm hg|cm|mm|"
    r"weeks?|months?|days?|years?|hours?|minutes?|"
    r"patients|participants|people|subjects|women|men|children|cases|trials|studies|fold|times|points?)?(?![\w])",
    re.IGNORECASE,
)
_UNITS = {
    "percent": "%", "per cent": "%", "mcg": "µg", "μg": "µg", "mm hg": "mmhg", "participants": "patients",
    "people": "patients", "subjects": "patients", "cases": "patients", "times": "fold", "studies": "trials",
}  # fmt: skip


# Characters between two negations that cancel one another.
_TOGETHER = 12


class Direction(IntEnum):
    """Where an effect points. `EFFECT` is an effect whose direction is not said (it works, it is linked)."""

    DOWN = -1
    NONE = 0
    UP = 1
    EFFECT = 2
    AGAINST = 3
    """It is worse, harmful, ineffective."""
    NONINFERIOR = 4


@dataclass(frozen=True, slots=True)
class Effect:
    """One direction cue in a text, read with its negation; spans are half-open, in characters of that text."""

    direction: Direction
    negated: bool
    start: int
    end: int
    cue: str

    @property
    def said(self) -> Direction:
        """The direction with the negation applied: a negated effect is no effect."""
        if not self.negated:
            return self.direction
        return Direction.EFFECT if self.direction is Direction.NONE else Direction.NONE


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its unit ("" where none is written)."""

    value: float
    unit: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything the rules take from one text."""

    effects: tuple[Effect, ...]
    figures: tuple[Figure, ...]
    significant: bool | None
    """By p-value or confidence interval where one is printed, else by the word; None where nothing is said."""
    significance_span: tuple[int, int] | None
    hedges: tuple[tuple[int, int], ...]
    negations: tuple[tuple[int, int], ...]
    comparison: tuple[int, int] | None
    """The first comparator cue (*than*, *compared with*)."""


def _float(text: str) -> float:
    return float(text.replace("−", "-").replace("–", "-").replace("·", ".").replace(" ", "").replace(",", ""))


def negation_scopes(text: str) -> list[tuple[int, int, int]]:
    """(start of cue, end of cue, end of what it reaches) for each negation, in order."""
    lists = lexicon()
    excluded = [found.span() for found in lists.negation_excluded.finditer(text)]
    scopes: list[tuple[int, int, int]] = []
    for found in lists.negation.finditer(text):
        start, end = found.span()
        if any(left <= start < right for left, right in excluded):
            continue
        stop = lists.negation_stop.search(text, end)
        reach = stop.start() if stop else len(text)
        words = [match.end() for match in WORD.finditer(text, end, reach)]
        if len(words) > lists.negation_width:
            reach = words[lists.negation_width - 1]
        scopes.append((start, end, max(reach, end)))
    # A later negation takes over, save where the two stand together ("not without benefit").
    return [
        (start, end, min(reach, after[0]) if after[0] - end > _TOGETHER else reach)
        for (start, end, reach), after in zip(scopes, [*scopes[1:], (len(text) + 99, 0, 0)], strict=False)
    ]


def _significance(text: str) -> tuple[bool | None, tuple[int, int] | None]:
    found = _P_VALUE.search(text)
    if found:
        value, sign = _float(found[2]), found[1]
        if sign in {">", "≥", "&gt;"}:
            return value < 0.05 and None, found.span()  # p > 0.001 says nothing
        if sign in {"<", "≤", "&lt;"}:
            return (True if value <= 0.05 else None), found.span()
        return value < 0.05, found.span()
    unmarked = _NOT_SIGNIFICANT.search(text)
    if unmarked:
        return False, unmarked.span()
    interval = _INTERVAL.search(text)
    if interval:
        low, high = _float(interval[1]), _float(interval[2])
        if low > high:
            high = abs(high)  # "0.95-1.09" read with its dash as a minus sign
        before = text[max(0, interval.start() - 90) : interval.start()]
        null = 1.0 if _RATIO.search(before) else 0.0
        if _RATIO.search(before) or low <= 0:
            return not low <= null <= high, interval.span()
    return None, None


def read(text: str) -> Reading:
    """Read one sentence or clause. Linear in its length; any text is accepted."""
    lists = lexicon()
    scopes = negation_scopes(text)
    effects: list[Effect] = []
    for found in lists.cue.finditer(text):
        kind = found.lastgroup
        start, end = found.span()
        direction = {
            "up": Direction.UP, "down": Direction.DOWN, "effect": Direction.EFFECT, "none": Direction.NONE,
            "against": Direction.AGAINST, "noninferior": Direction.NONINFERIOR,
        }[kind or "effect"]  # fmt: skip
        inside = [scope for scope in scopes if scope[0] < start < scope[2] and end > scope[1]]
        # "not ... without" cancels; "no difference" is one negation, "no significant effect" too.
        effects.append(Effect(direction, len({s[0] for s in inside}) % 2 == 1, start, end, found.group()))
    significant, span = _significance(text)
    word = lists.significant.search(text)
    if significant is None and word:
        negated = any(scope[1] <= word.start() < scope[2] for scope in scopes)
        significant, span = not negated, word.span()
    comparison = lists.comparison.search(text)
    return Reading(
        effects=tuple(effects),
        figures=tuple(_figures(text)),
        significant=significant,
        significance_span=span,
        hedges=tuple(found.span() for found in lists.hedge.finditer(text)),
        negations=tuple((scope[0], scope[1]) for scope in scopes),
        comparison=comparison.span() if comparison else None,
    )


def _figures(text: str) -> list[Figure]:
    figures = []
    for found in _NUMBER.finditer(text):
        unit = (found[2] or "").lower()
        unit = _UNITS.get(unit, unit)
        if unit.endswith("s") and unit[:-1] in {"week", "month", "day", "year", "hour", "minute", "point"}:
            unit = unit[:-1]
        figures.append(Figure(_float(found[1]), unit, *found.span(1)))
    return figures
