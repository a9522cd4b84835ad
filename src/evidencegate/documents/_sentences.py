"""Sentence spans."""

import re

from evidencegate.documents._span import Span

_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z(\[\"“])|\n\s*\n")


def sentences(text: str) -> tuple[Span, ...]:
    """Half-open spans of the sentences of `text`: ordered, disjoint, covering every character but space."""
    spans: list[Span] = []
    start = 0
    for end in [*(m.start() for m in _END.finditer(text)), len(text)]:
        piece = text[start:end]
        if piece.strip():
            left = start + len(piece) - len(piece.lstrip())
            spans.append(Span(left, left + len(piece.strip())))
        start = end
    return tuple(spans)
