"""What interventions.yaml says of the treatments of a question, and how right those are that were chosen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import yaml
from examples import HERE

from evidencegate.question import Vocabulary, named_in


def labels() -> Mapping[str, Mapping[str, list[str]]]:
    """For each labelled question, by its id, the names of what it is about (`asked`) and of the rest (`background`)."""
    found: dict[str, dict[str, list[str]]] = yaml.safe_load((HERE / "interventions.yaml").read_text("utf-8"))
    return found


def known(names: Iterable[str]) -> frozenset[str]:
    """The treatments of the vocabulary that `names` name."""
    return frozenset().union(*(named_in(name).treatments for name in names))


def akin(name: str, others: Iterable[str], vocabulary: Vocabulary) -> bool:
    """Whether a treatment is one of `others`, a member of one that is a class, or a class of one."""

    def line(one: str) -> tuple[str, ...]:
        return vocabulary.treatments[one].classes if one in vocabulary.treatments else ()

    return any(name == other or other in line(name) or name in line(other) for other in others)


def measured(must: Sequence[bool], chosen: Sequence[bool], whose: Sequence[int]) -> str:
    """Precision, recall and their harmonic mean over treatments, and the share of questions with all right.

    Args:
        must: whether each treatment is asked about.
        chosen: whether each was taken as such.
        whose: the question of each.
    """
    right = sum(a and b for a, b in zip(must, chosen, strict=True))
    wrong = {question for question, a, b in zip(whose, must, chosen, strict=True) if a != b}
    whole = 1 - len(wrong) / len(set(whose))
    precision, recall = right / sum(chosen), right / sum(must)
    mean = 2 * precision * recall / (precision + recall)
    return f"precision {precision:.3f}, recall {recall:.3f}, F1 {mean:.3f}, whole questions {whole:.3f}"
