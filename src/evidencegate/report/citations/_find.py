"""Where citations stand in a Markdown text: in its prose, not in its code, links, addresses or definitions."""

import re
from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib import resources

from markdown_it import MarkdownIt
from markdown_it.token import Token

from evidencegate.documents import Span

_LINE_END = re.compile(r"\r\n?|\n")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LIST = r"\^?\d{1,4}(?:\s*[-–—,;]\s*\^?\d{1,4})*"
_BRACKET = re.compile(rf"\[\s*(?P<list>{_LIST})\s*\]")
_PAREN = re.compile(r"(?<=[^\W\d_])\s*\((?P<list>\d{1,3}(?:\s*[-–—,;]\s*\d{1,3})*)\)(?=\s*(?:[.!?](?:\s|$)|$))")
_TAGGED = re.compile(rf"<sup>\s*\[?(?P<list>{_LIST})\]?\s*</sup>", re.IGNORECASE)
_RAISED = re.compile(r"(?P<list>[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,⁻˒][⁰¹²³⁴⁵⁶⁷⁸⁹]+)*)")
# `m²` and `χ²` are no citations, nor is `10⁶`: a raised number cites after a longer word or a stop.
_RAISED_AFTER = re.compile(r"(?:[^\W\d_]{4,}|[.,;:!?)\]”\"'*_])$")
_UNITS = frozenset({"ångström"})
# What is not prose within a line: code, links, images, addresses, tags other than <sup>.
_NOT_PROSE = re.compile(
    r"(?P<ticks>`+)(?:.*?[^`])?(?P=ticks)(?!`)"
    r"|!?\[(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*\]\((?:[^()\\\s]|\\.|\([^()]*\)|\s+[\"'(][^\n]*?[\"')])*\)"
    r"|<(?:https?|mailto|ftp):[^<>\s]*>"
    r"|https?://[^\s<>]*[^\s<>.,;:!?)\]'\"]"
    r"|<(?!/?sup\b)/?[A-Za-z][^<>]*>"
    r"|\\\[",
    re.DOTALL,
)


class Style(StrEnum):
    """How a citation is written."""

    BRACKET = "bracket"
    PAREN = "paren"
    TAGGED = "tagged"
    RAISED = "raised"
    PLACEHOLDER = "placeholder"


@dataclass(frozen=True, slots=True)
class Part:
    """One number of a citation, or the two ends of a range, as written."""

    first: int
    last: int

    def numbers(self) -> range:
        """What it cites."""
        return range(self.first, self.last + 1)


@dataclass(frozen=True, slots=True)
class Mention:
    """One citation as it stands in the text."""

    span: Span
    style: Style
    text: str
    parts: tuple[Part, ...] = ()
    """Empty for a placeholder."""


@dataclass(slots=True)
class _Taken:
    """Disjoint spans in order: a text of many citations is read in time that grows with their number."""

    spans: list[Span] = field(default_factory=list)

    def add(self, span: Span) -> None:
        insort(self.spans, span)

    def free(self, span: Span) -> bool:
        at = bisect_left(self.spans, span)
        return not any(other.overlaps(span) for other in self.spans[max(0, at - 1) : at + 1])


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


@cache
def _placeholders() -> re.Pattern[str]:
    raw = resources.files("evidencegate.report.citations").joinpath("data/placeholders.txt").read_text("utf-8")
    lines = [line for line in raw.splitlines() if line and not line.startswith("#")]
    return re.compile("|".join(f"(?:{line})" for line in lines), re.IGNORECASE)


def blocks(text: str) -> list[Token]:
    """The block tokens of a Markdown text."""
    return _markdown().parse(text)


def line_starts(text: str) -> list[int]:
    """Where each line begins as Markdown counts lines, and where the text ends: other separators end no line there."""
    return [0, *(found.end() for found in _LINE_END.finditer(text)), len(text)]


def mentions(text: str) -> tuple[Mention, ...]:
    """Every citation in the prose of `text`, in order and disjoint."""
    prose = list(_prose(text))
    found = [m for piece in prose for m in _in_prose(text, piece)]
    if not any(mention.style is Style.BRACKET for mention in found):
        # A number in brackets of this shape counts patients as often as it cites; it cites only in a text that
        # has no square brackets at all.
        taken = _Taken()
        for mention in found:
            taken.add(mention.span)
        found += [m for piece in prose for m in _parens(text, piece) if taken.free(m.span)]
    return tuple(sorted(found, key=lambda mention: mention.span))


def _prose(text: str) -> Iterator[Span]:
    """Stretches of running text: inline content of the block tokens, less what is not prose within it."""
    starts = line_starts(text)
    seen: set[tuple[int, int]] = set()
    for token in blocks(text):
        if token.type != "inline" or token.map is None or (token.map[0], token.map[1]) in seen:
            continue
        seen.add((token.map[0], token.map[1]))
        yield from _without_code(text, Span(starts[token.map[0]], starts[min(token.map[1], len(starts) - 1)]))


def _without_code(text: str, block: Span) -> Iterator[Span]:
    start = block.start
    for match in _NOT_PROSE.finditer(text, block.start, block.end):
        if _BRACKET.match(match[0]) and "](" not in match[0]:
            continue
        if match.start() > start:
            yield Span(start, match.start())
        start = match.end()
    if block.end > start:
        yield Span(start, block.end)


def _in_prose(text: str, piece: Span) -> Iterator[Mention]:
    taken = _Taken()
    for match in _placeholders().finditer(text, piece.start, piece.end):
        span = Span(*match.span())
        taken.add(span)
        yield Mention(span, Style.PLACEHOLDER, match[0])
    for style, pattern in ((Style.BRACKET, _BRACKET), (Style.TAGGED, _TAGGED), (Style.RAISED, _RAISED)):
        for match in pattern.finditer(text, piece.start, piece.end):
            span = Span(*match.span())
            if not taken.free(span) or (style is Style.RAISED and not _raised_cites(text, span.start)):
                continue
            if style is Style.BRACKET and text[span.end : span.end + 1] in (":", "("):
                continue  # a definition, or a link whose text is a number
            parts = _parts(match["list"].translate(_DIGITS).replace("⁻", "-").replace("˒", ","))
            if parts:
                taken.add(span)
                yield Mention(span, style, match[0], parts)


def _parens(text: str, piece: Span) -> Iterator[Mention]:
    for match in _PAREN.finditer(text, piece.start, piece.end):
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        parts = _parts(match["list"])
        if parts:
            yield Mention(Span(start, match.end()), Style.PAREN, text[start : match.end()], parts)


def _raised_cites(text: str, position: int) -> bool:
    before = _RAISED_AFTER.search(text, max(0, position - 40), position)
    return before is not None and before[0].casefold() not in _UNITS


def _parts(written: str) -> tuple[Part, ...]:
    """`1, 3-5` as its parts; empty where a range runs backwards or is too wide to be one."""
    parts: list[Part] = []
    for piece in re.split(r"[,;]", written):
        ends = [int(n.strip().lstrip("^")) for n in re.split(r"[-–—]", piece)]
        if len(ends) > 2 or ends[-1] < ends[0]:
            return ()
        parts.append(Part(ends[0], ends[-1]))
    return tuple(parts)
