"""A statement as wording alone has it: its words, what changes, what is compared, and under which conditions."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

import yaml

from evidencegate.documents import Kind, Token, tokens
from evidencegate.models.stance import Direction, Effect, read
from evidencegate.verify import lexicon, stem
from evidencegate.verify import words as verifier_words

_ALIKE = 0.75
"""Words that share this much of their beginning are forms of one word: *exacerbations*, *exacerbated*."""
_LEAST_ALIKE = 6
_SPELLINGS = (
    (re.compile("ae|oe"), "e"),
    (re.compile("our(?=s?$|ed$|ing$)"), "or"),
    (re.compile("is(?=(?:ed?|ation|ing)s?$)"), "iz"),
)
_COUNTED = (Direction.UP, Direction.DOWN, Direction.NONE, Direction.AGAINST, Direction.NONINFERIOR)
_MARK = re.compile(r"[,;:()\[\]]")
_AGENT = re.compile(r"\b(?:with|by|on|under|during|after)\b", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(?:was|were|is|are|been|be|remained|became)\s+(?:\w+ly\s+|not\s+|no\s+)*$", re.IGNORECASE)


@cache
def listed(*names: str) -> frozenset[str]:
    """The words of lists in `data/faithful.yaml`."""
    return frozenset(str(word) for name in names for word in _data()[name])


@cache
def _data() -> dict[str, list[str] | list[list[str]]]:
    raw = resources.files("evidencegate.report").joinpath("data/faithful.yaml").read_text("utf-8")
    loaded: dict[str, list[str] | list[list[str]]] = yaml.safe_load(raw)
    return loaded


@cache
def _rows() -> dict[str, str]:
    """For every stem that has synonyms the name of its row; rows that share a word are one."""
    table: dict[str, str] = {}
    for group in (*lexicon("wording")["synonyms"], *_data()["same"]):
        stems = {stem(_spelled(str(word))) for word in group}
        shared = {table[one] for one in stems if one in table}
        name = min(shared, default=f"={min(stems)}")
        table = {one: name if row in shared else row for one, row in table.items()} | dict.fromkeys(stems, name)
    return table


@lru_cache(maxsize=16384)
def _spelled(word: str) -> str:
    for pattern, instead in _SPELLINGS:
        word = pattern.sub(instead, word)
    return word


@dataclass(frozen=True, slots=True)
class Word:
    """A word or number of a statement."""

    token: Token
    key: str
    """What it is compared by: its row of synonyms, its stem, or the value of a number."""

    @property
    def folded(self) -> str:
        """As it is looked up in lists."""
        return self.token.folded

    @property
    def number(self) -> bool:
        """Whether it is a number, in digits or letters."""
        return self.key[0].isdigit()

    @property
    def telling(self) -> bool:
        """Whether it is a word that names something."""
        return not self.number and self.folded not in listed("light")

    def held(self, others: "Iterable[Word]") -> bool:
        """Whether it, a form or a synonym of it is among `others`."""
        return any(self.key == other.key or _alike(self.folded, other.folded) for other in others)


def _alike(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _LEAST_ALIKE or not (one.isalpha() and other.isalpha()):
        return False
    shortest = min(len(one), len(other))
    same = next((i for i in range(shortest) if one[i] != other[i]), shortest)
    return same >= _ALIKE * max(len(one), len(other))


def _key(token: Token) -> str:
    if token.kind is Kind.NUMBER:
        digits = token.folded.replace(",", "")
        return f"{float(digits):.12g}" if digits.count(".") < 2 else digits
    value = lexicon("quantities")["words"].get(token.folded)
    if value is not None:
        return str(value)
    root = stem(_spelled(token.folded))
    return _rows().get(root, root)


@dataclass(frozen=True, slots=True)
class Sides:
    """What stands before and after the first effect that a statement tells of."""

    before: tuple[Word, ...]
    after: tuple[Word, ...]
    passive: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its unit, and the words that say what it is a number of."""

    key: str
    labels: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, read."""

    text: str
    words: tuple[Word, ...]
    effects: tuple[Effect, ...]
    """What happens in it, in order."""

    @property
    def folded(self) -> frozenset[str]:
        """Its words as they are looked up in lists."""
        return frozenset(word.folded for word in self.words)

    @property
    def telling(self) -> tuple[Word, ...]:
        """The words that name something."""
        return tuple(word for word in self.words if word.telling)

    @property
    def denied(self) -> bool:
        """Whether it denies anything."""
        return bool(self.folded & verifier_words("wording", "negations"))

    @property
    def changes(self) -> tuple[Effect, ...]:
        """The effects that have a direction, or none."""
        return tuple(effect for effect in self.effects if effect.said in _COUNTED)

    @property
    def directions(self) -> frozenset[Direction]:
        """All its directions, negation applied."""
        return frozenset(effect.said for effect in self.changes)

    def changed(self) -> dict[str, frozenset[Direction]]:
        """What it says has changed, by key: the words after the cue up to the next preposition, else those before."""
        found: dict[str, set[Direction]] = {}
        for effect in self.changes:
            after = self._until(effect.end, listed("breaks"))
            before = [w for w in self.words if w.token.end <= effect.start and w.telling][-2:]
            for word in [w for w in after if w.telling] or before:
                found.setdefault(word.key, set()).add(effect.said)
        return {key: frozenset(directions) for key, directions in found.items()}

    def compared(self) -> tuple[Word, ...]:
        """The words that name what it compares with."""
        found: list[Word] = []
        for place, word in enumerate(self.words):
            if word.folded in listed("comparators") and not self._counts(place):
                found += self._until(word.token.end, listed("breaks") - listed("comparators") - {"with", "to"})
        return tuple(word for word in found if word.telling)

    def conditions(self) -> Iterator[tuple[Word, ...]]:
        """The phrases that say in whom, when or on what condition; of several joined by *or* none but the first."""
        ends = listed("comparators", "contrasts", "finite")
        for place, word in enumerate(self.words):
            following = self.words[place + 1] if place + 1 < len(self.words) else None
            opens = word.folded in listed("conditions") or (
                word.folded in listed("people") and following is not None and following.folded in listed("modifiers")
            )
            joined = place and self.words[place - 1].folded in listed("comparators", "joints")
            if opens and not joined:
                phrase = tuple(self._until(word.token.end, ends))
                yield phrase

    def heads(self) -> Iterator[tuple[Word, Word]]:
        """Each noun that belongs to another: *withdrawal* of *blockers*."""
        for place, word in enumerate(self.words):
            if word.folded != "of" or not place:
                continue
            owner = next((w for w in self._until(word.token.end, listed("breaks") - {"of"}) if w.telling), None)
            if owner is not None and self.words[place - 1].telling:
                yield self.words[place - 1], owner

    def sides(self) -> Sides | None:
        """What stands on either side of its first effect; None where it has none."""
        if not self.effects:
            return None
        cue = self.effects[0]
        besides = {*self.compared(), *(word for phrase in self.conditions() for word in phrase)}
        main = [word for word in self.telling if word not in besides]
        after = tuple(w for w in main if w.token.start >= cue.end)
        agent = after and _AGENT.search(self.text, cue.end, after[0].token.start)
        passive = _PASSIVE.search(self.text, 0, cue.start) is not None or bool(agent)
        return Sides(tuple(w for w in main if w.token.end <= cue.start), after, passive)

    def figures(self) -> list[Figure]:
        """Its numbers, each with the words that go with it: those between the conjunctions and marks around it."""
        found: list[Figure] = []
        loose: list[Word] = []  # words of a stretch without a number: they go with the number before, else the next
        labels: list[Word] = []
        keys: list[str] = []
        end = 0
        for place, word in enumerate((*self.words, None)):
            between = self.text[end : word.token.start] if word else ";"
            hard = ";" in between or (word is not None and word.folded in listed("contrasts"))
            cut = hard or _MARK.search(between) or (word and word.folded in listed("joints", "comparators"))
            if cut and not (word and self._counts(place)):
                if keys:
                    found += [Figure(key, (*loose, *labels)) for key in keys]
                    loose = []
                elif found and not hard:
                    found[-1] = Figure(found[-1].key, (*found[-1].labels, *labels))
                else:
                    loose += labels
                labels, keys = [], []
                loose = [] if hard else loose
            if word is None:
                break
            end = word.token.end
            if word.number:
                keys.append(f"{word.key} {self._unit(place)}")
            elif word.telling:
                labels.append(word)
        return found

    def _unit(self, place: int) -> str:
        after = self.text[self.words[place].token.end :].lstrip()[:1]
        following = self.words[place + 1] if place + 1 < len(self.words) else None
        timed = following is not None and following.folded in listed("times")
        return following.key if following and timed else after if after == "%" else ""

    def unchanged(self) -> frozenset[Word]:
        """The words by which it says that nothing changed."""
        cues = [effect for effect in self.effects if effect.said is Direction.NONE]
        return frozenset(w for w in self.words if any(c.start <= w.token.start < c.end for c in cues))

    def _until(self, start: int, ends: frozenset[str]) -> Iterator[Word]:
        """The words from `start` on up to one of `ends`, a bracket or a comma."""
        for place, word in enumerate(self.words):
            if word.token.start < start:
                continue
            if _MARK.search(self.text, start, word.token.start) or (word.folded in ends and not self._counts(place)):
                return
            start = word.token.end
            yield word

    def _counts(self, place: int) -> bool:
        """Whether a word compares with a number (*older than 75*, *over 24 months*), not with a group."""
        following = self.words[place + 1] if place + 1 < len(self.words) else None
        return self.words[place].folded in ("than", "over") and following is not None and following.number


@lru_cache(maxsize=4096)
def statement(text: str) -> Statement:
    """Read a statement: a sentence or a part of one."""
    inside = tuple(Word(token, _key(token)) for token in tokens(text) if token.kind is not Kind.SYMBOL)
    return Statement(text, inside, read(text).effects)
