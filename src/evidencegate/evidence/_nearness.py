"""How near texts are to a query: embeddings where the models are installed, shared words else."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from evidencegate.documents import Kind, tokens
from evidencegate.errors import MissingExtra
from evidencegate.evidence._function_words import function_words

_REMEMBERED = 20_000
"""Vectors that are kept, 1.5 kB each."""
_STEM = 6  # a shared beginning of six letters is the same word: reduce, reduced, reduction


class Nearness(Protocol):
    """Judges texts against a query."""

    def __call__(self, query: str, sentences: Sequence[str]) -> list[float]:
        """One number in [0, 1] for each text."""
        ...


def default_nearness() -> Nearness:
    """Shared words and embeddings together; shared words alone without the extra `models`.

    Every text is embedded once: the sections of a report ask of the same sentences how near they are to each section.
    """
    from evidencegate.models.embedding import default_embedder

    try:
        embedder = default_embedder()
    except MissingExtra:
        return shared_words
    import numpy as np

    known: dict[str, Any] = {}

    def nearness(query: str, sentences: Sequence[str]) -> list[float]:
        if not sentences:
            return []
        texts = (query, *sentences)
        if len(known) > _REMEMBERED:
            known.clear()
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        known.update(zip(missing, embedder.embed(missing), strict=True))
        vectors = np.stack([known[text] for text in texts])
        near = [max(0.0, float(value)) for value in vectors[1:] @ vectors[0]]
        return [0.7 * a + 0.3 * b for a, b in zip(near, shared_words(query, sentences), strict=True)]

    return nearness


def content(text: str) -> frozenset[str]:
    """The stems of the words and numbers that carry content."""
    return frozenset(
        token.folded[:_STEM]
        for token in tokens(text)
        if token.kind is Kind.NUMBER or (token.kind is Kind.WORD and token.folded not in function_words())
    )


def shared_words(query: str, sentences: Sequence[str]) -> list[float]:
    """The share of the query's words that a text holds, rare words (within the texts) weighing more."""
    wanted = content(query)
    held = [content(sentence) for sentence in sentences]
    counts = Counter(word for words in held for word in words & wanted)
    weight = {word: math.log(1 + (len(held) + 1) / (counts[word] + 0.5)) for word in wanted}
    total = sum(weight.values()) or 1.0
    return [sum(weight[word] for word in words & wanted) / total for words in held]
