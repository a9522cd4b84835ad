"""How much of a question's words a record holds: BM25 in pure Python, brought to [0, 1]."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from evidencegate.documents import Document, Passage, passages
from evidencegate.evidence._function_words import function_words

_WORD = re.compile(r"[^\W\d_]{2,}")
_K1, _B = 1.2, 0.6
_TITLE = 3
"""A word of the title counts as often as this many in the text."""
_LONG = 4000
"""From this many characters on a text is not read as a whole."""
_READ = 4000
"""Characters of a text that are read; a full text's abstract and introduction say what it is about."""


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without its commonest English endings, so that `anticoagulants` meets `anticoagulant`."""
    for ending in (
        "ations",
        "ation",
        "ingly",
        "edly",
        "ities",
        "ness",
        "ments",
        "ment",
        "ings",
        "ing",
        "ies",
        "ed",
        "es",
        "s",
        "y",
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def terms(text: str) -> list[str]:
    """The words of `text` that carry content, stemmed, with repeats."""
    left_out = function_words(in_records=True)
    return [stem(word) for word in _WORD.findall(text.casefold()) if word not in left_out]


def similarities(query: str, documents: Sequence[Document]) -> list[float]:
    """How well each document's title and text match `query`, in [0, 1].

    BM25 (Robertson and Zaragoza 2009; k1 1.2, b 0.6) with the documents themselves as the collection, divided by
    what a document would have that holds every word of the query without end.
    """
    wanted = sorted(set(terms(query)))
    if not wanted or not documents:
        return [0.0] * len(documents)
    counts: list[Counter[str]] = []
    for document in documents:
        count = Counter(terms(document.text[:_READ]))
        for word in terms(document.title):
            count[word] += _TITLE
        counts.append(count)
    lengths = [sum(count.values()) for count in counts]
    mean = (sum(lengths) / len(lengths)) or 1.0
    weight = {}
    for word in wanted:
        held = sum(word in count for count in counts)
        weight[word] = math.log(1.0 + (len(counts) - held + 0.5) / (held + 0.5)) + 0.2
    most = sum(weight.values()) * (_K1 + 1)
    found = []
    for count, length in zip(counts, lengths, strict=True):
        norm = _K1 * (1 - _B + _B * length / mean)
        total = sum(weight[word] * tf * (_K1 + 1) / (tf + norm) for word in wanted if (tf := count.get(word, 0)))
        found.append(min(1.0, total / most))
    return found


def best_passages(query: str, document: Document, most: int = 3) -> tuple[Passage, ...]:
    """The passages of a long text that hold most of the query's words, best first.

    Empty for a text of a few sentences, which is read as a whole anyway.
    """
    if len(document.text) < _LONG:
        return ()
    wanted = frozenset(terms(query))
    windows = list(passages(document))
    held = [wanted.intersection(terms(window.text)) for window in windows]
    counts = Counter(word for words in held for word in words)
    weight = {word: math.log(1.0 + len(windows) / count) for word, count in counts.items()}
    scores = [sum(weight[word] for word in words) for words in held]
    order = sorted(range(len(windows)), key=lambda i: (-scores[i], i))
    chosen: list[int] = []
    for index in order:
        if len(chosen) == most or not scores[index]:
            break
        span = windows[index].span
        if all(span.end <= windows[i].span.start or windows[i].span.end <= span.start for i in chosen):
            chosen.append(index)
    return tuple(windows[index] for index in chosen)
