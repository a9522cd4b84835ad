"""Examples for the models of questions: what was written for them, with its slots filled, and the labelled questions."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

HERE = Path(__file__).parent
LEARNT = ("questions", *(str(path) for path in sorted(HERE.glob("lots_*.yaml"))))
"""The labelled questions that the recipes learn from: the sixty that are shipped, and lots that stay with the recipes."""
_SLOT = re.compile(r"\{(\w+?)2?\}")
_EITHER = re.compile(r"\[([^\]]+)\]")
_LEADS = re.compile(
    r"(?:does|do|is|are|should|can|could|may|would|which|what|how|for how|when|at what)\b", re.IGNORECASE
)
_THERAPY = "therapy"
_MARK = re.compile(r"\{([*+?-])([^{}|]+)(?:\|([^{}]*))?\}")


@dataclass(frozen=True, slots=True)
class Example:
    """A question with the decisions that must be found and those that may be."""

    source: str
    """The line it was made of, or the question's id; examples of one source are one voice."""
    text: str
    must: frozenset[str]
    may: frozenset[str]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of phrases.txt."""

    text: str
    must: frozenset[str]
    may: frozenset[str]


@dataclass(frozen=True, slots=True)
class Named:
    """A condition that a case names."""

    places: tuple[tuple[int, int], ...]
    """Characters, half-open."""
    must: bool
    may: bool
    primary: bool


@dataclass(frozen=True, slots=True)
class Case:
    """A question with the conditions that it names."""

    text: str
    named: tuple[Named, ...]


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(",") if name.strip())


def lines(path: Path = HERE / "phrases.txt") -> tuple[list[Line], list[Line]]:
    """The questions and the clauses of phrases.txt."""
    questions: list[Line] = []
    clauses: list[Line] = []
    must = may = frozenset[str]()
    into = questions
    for row in path.read_text("utf-8").splitlines():
        if row.startswith("## "):
            head, _, rest = row[3:].partition("(")
            must, may, into = _names(head), _names(rest.rstrip(")")), questions
        elif row.startswith("+ "):
            must, may, into = _names(row[2:]), frozenset(), clauses
        elif row and not row.startswith("#"):
            into.append(Line(row, must, may))
    return questions, clauses


def asked(path: Path = HERE / "asked.txt") -> Iterator[Example]:
    """The questions of asked.txt, each a source of its own."""
    for number, row in enumerate(path.read_text("utf-8").splitlines(), 1):
        if row and not row.startswith("#"):
            must, may, text = row.split("|", 2)
            yield Example(f"asked {number}", text.strip(), _names(must), _names(may))


def marked(path: Path = HERE / "marked.txt") -> Iterator[Case]:
    """The cases of marked.txt. Places with the same usual name and the same sign are one condition."""
    for row in path.read_text("utf-8").splitlines():
        if not row or row.startswith("#"):
            continue
        text = ""
        last = 0
        places: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for mark in _MARK.finditer(row):
            text += row[last : mark.start()]
            sign, words, usual = mark.groups()
            places.setdefault((sign, (usual or words).lower()), []).append((len(text), len(text) + len(words)))
            text += words
            last = mark.end()
        yield Case(
            text + row[last:],
            tuple(Named(tuple(at), sign in "*+", sign == "?", sign == "*") for (sign, _), at in places.items()),
        )


class Filler:
    """Fills slots at random, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        raw = yaml.safe_load((HERE / "lists.yaml").read_text("utf-8"))
        self._lists = {name: [word.strip() for word in words.split(";")] for name, words in raw.items()}

    def fill(self, text: str) -> str:
        """`text` with its alternatives chosen and its slots filled."""
        text = _EITHER.sub(lambda m: self._random.choice(m.group(1).split("/")), text)
        used: list[str] = []

        def one(match: re.Match[str]) -> str:
            name = match.group(0)[1:-1]
            if name in ("n", "m"):
                return str(self._random.choice((2, 3, 4, 5, 6, 8, 10, 12, 14)))
            known = self._lists.get(name) or self._lists[match.group(1)]
            word = self._random.choice(known)
            while word in used and len(known) > 1:
                word = self._random.choice(known)
            used.append(word)
            return word

        while _SLOT.search(text):
            text = _SLOT.sub(one, text)
        return text[:1].upper() + text[1:]

    def lead(self, text: str) -> str:
        """`text`, now and then after "In adults with ..."."""
        if _LEADS.match(text) and self._random.random() < 0.35:
            return f"{self._random.choice(self._lists['before'])} {text[:1].lower()}{text[1:]}"
        return text

    def pick(self, of: list[Line]) -> Line:
        """One of them."""
        return self._random.choice(of)


def made(seed: int = 5, each: int = 3, joined: int = 1200) -> Iterator[Example]:
    """Questions of phrases.txt, `each` several times, and `joined` of them with a clause after them."""
    filler = Filler(seed)
    questions, clauses = lines()
    for place, line in enumerate(questions):
        for _ in range(each):
            yield Example(f"line {place}", filler.fill(filler.lead(line.text)), line.must, line.may)
    asking = [line for line in questions if line.text.endswith("?")]
    for _ in range(joined):
        one, other = filler.pick(asking), filler.pick(clauses)
        must, may = one.must | other.must, one.may | other.may
        if len(must) > 1 and _THERAPY in must:
            # What is asked besides is the narrower; that it is of treating may be said or left.
            must, may = must - {_THERAPY}, may | {_THERAPY}
        text = filler.fill(filler.lead(f"{one.text[:-1]}, {other.text}"))
        yield Example(f"joined {other.text}", text, must, may - must)
