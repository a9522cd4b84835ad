"""Citations that resolve stay, all others go, and the text closes up behind them (rule 3)."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from evidencegate.documents import Span
from evidencegate.report.citations._find import Mention, Part, Style, blocks, line_starts, mentions

_CLOSERS = frozenset(".,;:!?)]}|*_~’”'\"")
_RAISE = str.maketrans("0123456789-,", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻˒")
# What would turn the rest of a line into another block once a citation no longer stands before it.
_BLOCK = re.compile(r"(?:#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|\d{1,9}[.)](?:\s|$)|```|~~~|={2,}|-{2,}|\|)")


class Numbered(Protocol):
    """A reference, as far as a citation needs it."""

    @property
    def n(self) -> int:
        """Its number in the list."""
        ...


@dataclass(frozen=True, slots=True)
class Removal:
    """One citation that was taken out."""

    text: str
    """What was removed: the whole citation, or the numbers of it that do not resolve."""
    start: int
    """Where it stood in the text as given."""
    reason: str
    section: str = ""
    """The heading it stood under."""


@dataclass(frozen=True, slots=True)
class Enforced:
    """A text in which every citation resolves, and what was taken out of it."""

    text: str
    removed: tuple[Removal, ...]


def enforce_citations(
    markdown: str, references: Iterable[Numbered | int], *, renumber: Mapping[int, int] | None = None
) -> Enforced:
    """Remove from `markdown` every citation that is not in `references`.

    `references` is the list, or just its valid numbers. Reads `[3]`, `[1,2]`, `[1-4]`, `[1][2]`, `[^3]`, `(1)`,
    `<sup>1</sup>`, raised digits, and placeholders such as `[citation needed]`. Of a citation that names several
    the valid ones stay. Code, links, tables, headings and white space stay as they were; nothing is ever added.
    Applying it twice changes nothing more. With `renumber` (old number to new), what stays is given its new number.
    """
    valid = {reference if isinstance(reference, int) else reference.n for reference in references}
    headings = _headings(markdown)
    begins = [start for start, _ in headings]
    removed: list[Removal] = []
    edits: list[tuple[Span, str]] = []
    for mention in mentions(markdown):
        kept, lost = _sift(mention, valid)
        if lost:
            reason = (
                "a placeholder, not a citation"
                if mention.style is Style.PLACEHOLDER
                else f"not in the reference list: {', '.join(map(str, lost))}"
            )
            under = bisect_right(begins, mention.span.start)
            section = headings[under - 1][1] if under else ""
            removed.append(Removal(mention.text, mention.span.start, reason, section))
        if kept:
            new = _written(mention, kept, renumber or {})
            if lost or renumber:
                edits.append((mention.span, new))
        else:
            edits.append((mention.span, ""))
    return Enforced(_apply(markdown, edits), tuple(removed))


def _sift(mention: Mention, valid: Collection[int]) -> tuple[list[int], list[int | str]]:
    """The numbers of a mention that resolve, and what does not."""
    if mention.style is Style.PLACEHOLDER:
        return [], [mention.text]
    numbers = list(dict.fromkeys(n for part in mention.parts for n in part.numbers()))
    return [n for n in numbers if n in valid], [n for n in numbers if n not in valid]


def _written(mention: Mention, kept: list[int], renumber: Mapping[int, int]) -> str:
    """What stays of a mention, in the style in which it was written."""
    numbers = sorted({renumber.get(n, n) for n in kept}) if renumber else kept
    ranged = any(part.first != part.last for part in mention.parts)
    caret = "^" if "^" in mention.text else ""
    listed = ",".join(f"{caret}{part}" for part in (_ranges(numbers) if ranged else map(str, numbers)))
    match mention.style:
        case Style.PAREN:
            return f"({listed})"
        case Style.TAGGED:
            return f"<sup>{listed}</sup>"
        case Style.RAISED:
            return listed.translate(_RAISE)
        case _:
            return f"[{listed}]"


def _ranges(numbers: list[int]) -> list[str]:
    """`1, 2, 3, 5` as `1-3`, `5`."""
    parts: list[Part] = []
    for n in numbers:
        if parts and n == parts[-1].last + 1:
            parts[-1] = Part(parts[-1].first, n)
        else:
            parts.append(Part(n, n))
    return [str(p.first) if p.first == p.last else f"{p.first}-{p.last}" for p in parts]


def _apply(text: str, edits: list[tuple[Span, str]]) -> str:
    out: list[str] = []
    position = 0
    for span, new in _joined(text, edits):
        before = text[position : span.start]
        position = span.end
        if new:
            out += [before, new]
            continue
        line = ("".join(out[-2:]) + before).rpartition("\n")[2]
        after = text[position : position + 1]
        if line.strip(" \t>-*+|") == "":
            rest = re.compile(r"[ \t]*").match(text, position)
            position = rest.end() if rest else position
            if line.strip() == "" and before.endswith("\n") and text[position : position + 1] == "\n":
                position += 1  # an empty line would part the paragraph
            # What follows must stay the paragraph it was.
            out += [before, "\\" if "#" not in line and _BLOCK.match(text, position) else ""]
        elif not after or after.isspace() or after in _CLOSERS:
            out.append(before.rstrip(" \t"))
        else:
            out.append(before)
    return "".join(out) + text[position:]


def _joined(text: str, edits: list[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """Removals that stand side by side as one, so that the text closes up once."""
    joined: list[tuple[Span, str]] = []
    for span, new in edits:
        if joined and not new and not joined[-1][1] and not text[joined[-1][0].end : span.start].strip(" \t,;"):
            span = Span(joined.pop()[0].start, span.end)  # noqa: PLW2901
        joined.append((span, new))
    return joined


def _headings(markdown: str) -> list[tuple[int, str]]:
    """Where each heading begins, and its text."""
    starts = line_starts(markdown)
    tokens = blocks(markdown)
    return [
        (starts[token.map[0]], tokens[i + 1].content)
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.map
    ]
