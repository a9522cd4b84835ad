"""Nearness that does not hear orders."""

from collections.abc import Sequence

from evidencegate.documents import without_orders
from evidencegate.report._relevance import Relevance


def deaf(relevance: Relevance) -> Relevance:
    """`relevance` that does not hear orders: a record is as near as the rest of its text is."""

    def near(query: str, sentences: Sequence[str]) -> list[float]:
        return relevance(query, [without_orders(text) for text in sentences])

    return near
