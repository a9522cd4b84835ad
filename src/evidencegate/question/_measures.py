"""Findings that say what a patient has: figures, scores, and what names a condition only together."""

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache

from evidencegate.question._data import Fields, shipped, shipped_lines

_THOUSANDS = re.compile(r"[,\s](?=\d{3}(?!\d))")
# Letters that a pattern takes for i, s, k and the micro sign where case does not count, and `lower` does not.
_ALIKE = str.maketrans("İıſKμ", "iiskµ")


@dataclass(frozen=True, slots=True)
class Measure:
    """A finding and the condition it tells: a line of `measures.yaml`, whose fields these are, or of `told.txt.gz`."""

    tag: str
    words: tuple[str, ...]
    pattern: str
    low: float
    high: float
    rise: float
    beside: frozenset[str]
    unless: frozenset[str]
    together: str
    alone: bool

    def within(self, match: re.Match[str]) -> bool:
        """Whether the figures of a match are such as the condition has."""
        figures = [_figure(written) for written in match.groups() if written]
        if not figures:
            return True
        if self.rise:
            return len(figures) > 1 and figures[0] > 0 and figures[1] / figures[0] >= self.rise
        return self.low <= figures[0] <= self.high


def _figure(written: str) -> float:
    """The number written: "1,480" and "1 480" are 1480, "5,6" is 5.6."""
    return float(_THOUSANDS.sub("", written).replace(",", "."))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when it is first tried: of the 3,000 few ever are."""
    return re.compile(pattern, re.IGNORECASE)


def measures() -> tuple[Measure, ...]:
    """All of `measures.yaml` and of `told.txt.gz`, in their order."""
    return (*with_figures(), *without_figures())


def without_figures() -> Iterator[Measure]:
    """Those of `told.txt.gz`: they tell what neither is named nor has a kind that is."""
    for line in shipped_lines("told.txt.gz"):
        tag, words, pattern, *together = line.split("\t")
        yield plain(tag, tuple(words.split(";")), pattern, *together)


def plain(tag: str, words: tuple[str, ...], pattern: str, together: str = "") -> Measure:
    """A finding without figures, told where neither `tag` nor a kind of it is named."""
    return Measure(
        tag=tag,
        words=words,
        pattern=pattern,
        low=0,
        high=0,
        rise=0,
        beside=frozenset(),
        unless=frozenset({tag}),
        together=together,
        alone=False,
    )


def with_figures() -> Iterator[Measure]:
    """Those of `measures.yaml`."""
    for number, value in enumerate(shipped("measures"), 1):
        fields = Fields(f"measures.yaml: {number}", value)
        yield Measure(
            tag=fields.text("tag"),
            words=fields.terms("words"),
            pattern=fields.text("pattern"),
            low=fields.number("low", 0),
            high=fields.number("high", 0),
            rise=fields.number("rise", 0),
            beside=frozenset(fields.terms("with")),
            unless=frozenset(fields.terms("unless")),
            together=fields.text("and"),
            alone=fields.flag("alone"),
        )
        fields.done()


def measured(text: str, known: Iterable[Measure], there: AbstractSet[str]) -> dict[str, tuple[tuple[int, int], ...]]:
    """The tags that findings in `text` speak for, each with the characters from and to which they stand.

    Args:
        text: the question.
        known: the findings.
        there: the tags that are named in words, with what each is a kind of.
    """
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    lowered = text.translate(_ALIKE).lower()
    for measure in known:
        if measure.words and not any(word in lowered for word in measure.words):
            continue
        if (measure.alone and there) or measure.unless & there:
            continue
        if measure.beside and not measure.beside & there:
            continue
        spans = tuple(match.span() for match in _compiled(measure.pattern).finditer(text) if measure.within(match))
        if spans and (not measure.together or _compiled(measure.together).search(text)):
            found[measure.tag] = (*found.get(measure.tag, ()), *spans)
    return found
