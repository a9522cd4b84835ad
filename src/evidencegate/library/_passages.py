"""Which two or three sentences of a chunk to show for a query."""

import math
import re
from collections.abc import Sequence

from evidencegate.documents import Document, Passage, Span

WINDOW = 3
_WORD = re.compile(r"\w{2,}")
STEM = 6
"""Words that begin alike in so many letters count as one: enough to join `reduces` and `reduction`."""


def best_passage(document: Document, sentences: Sequence[Span], query: str) -> Passage | None:
    """The window of up to three sentences that shares most with the query; None where there is no sentence.

    A word counts the more, the fewer sentences of the chunk have it; of equal windows the later is shown, as
    abstracts and paragraphs end with what they found. Windows stay within paragraphs.
    """
    if not sentences:
        return None
    text = document.text
    words = [_stems(span.of(text)) for span in sentences]
    asked = _stems(query)
    weights = {
        word: math.log(1 + len(words) / number) for word in asked if (number := sum(word in inside for inside in words))
    }
    best, best_score = (0, 1), -1.0
    for first in range(len(sentences)):
        last = first + 1
        while last < len(sentences) and last - first < WINDOW and _adjoin(text, sentences[last - 1], sentences[last]):
            last += 1
        if first and last - first < WINDOW and _adjoin(text, sentences[first - 1], sentences[first]):
            continue  # the tail of the window before
        shared = set().union(*words[first:last]) & weights.keys()
        score = sum(weights[word] for word in shared)
        if score >= best_score:
            best, best_score = (first, last), score
    return Passage(document, tuple(sentences[best[0] : best[1]]))


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in _WORD.findall(text.casefold())}


def _adjoin(text: str, left: Span, right: Span) -> bool:
    return "\n\n" not in text[left.end : right.start]
