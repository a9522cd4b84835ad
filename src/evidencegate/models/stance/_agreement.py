"""How far two readers agree on the same pairs."""

from collections.abc import Sequence
from dataclasses import dataclass

from evidencegate.models.stance._types import Label, Stance


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two readers.

    `kappa` is Cohen's kappa (agreement beyond what the two label distributions give by chance; 1.0 where both
    readers only ever use one and the same label). `table[a][b]` counts pairs that the first reader calls `a`
    and the second `b`. `disagreements` are indices, the pairs on which both are surest first.
    """

    n: int
    share: float
    kappa: float
    table: dict[Label, dict[Label, int]]
    disagreements: tuple[int, ...]


def agreement(first: Sequence[Stance], second: Sequence[Stance]) -> Agreement:
    """Compare two readers' stances on the same pairs in the same order.

    Raises `ValueError` when the two lists differ in length.
    """
    if len(first) != len(second):
        raise ValueError(f"the readers judged different pairs: {len(first)} and {len(second)}")
    n = len(first)
    table = {a: dict.fromkeys(Label, 0) for a in Label}
    for one, other in zip(first, second, strict=True):
        table[one.label][other.label] += 1
    share = sum(table[label][label] for label in Label) / n if n else 0.0
    chance = sum(sum(table[label].values()) * sum(table[a][label] for a in Label) for label in Label) / (n * n or 1)
    kappa = (share - chance) / (1 - chance) if chance < 1 else 1.0
    apart = [i for i in range(n) if first[i].label is not second[i].label]
    apart.sort(key=lambda i: (-min(first[i].confidence, second[i].confidence), i))
    return Agreement(n, share, kappa, table, tuple(apart))
