"""Sentences that speak to whoever processes them. They are no findings, whoever wrote them (rule 13)."""

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources

from evidencegate.documents import sentences as split
from evidencegate.models.stance._text import without_instructions
from evidencegate.report._relevance import Relevance


def is_order(text: str) -> bool:
    """Whether a text tells its reader what to do with it."""
    return without_instructions(text) != text or _orders().search(text) is not None


def deaf(relevance: Relevance) -> Relevance:
    """`relevance` that does not hear orders: a record is as near as the rest of its text is."""

    def near(query: str, sentences: Sequence[str]) -> list[float]:
        return relevance(query, [_without_orders(text) for text in sentences])

    return near


def _without_orders(text: str) -> str:
    if not is_order(text):
        return text
    kept = [span.of(text) for span in split(text)]
    return " ".join(sentence for sentence in kept if not is_order(sentence))


@cache
def _orders() -> re.Pattern[str]:
    raw = resources.files("evidencegate.report").joinpath("data/orders.txt").read_text("utf-8")
    patterns = [line for line in raw.splitlines() if line and not line.startswith("#")]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE | re.DOTALL)
