"""Finding the phrases of a vocabulary in a text: one pass over its tokens along a tree of words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from evidencegate.question._normal import phrase


class Entry(NamedTuple):
    """What a phrase stands for."""

    kind: str
    name: str
    case: str | None = None
    """The one spelling that counts, for an abbreviation."""
    needs: frozenset[str] | None = None
    """Folded words of which one must stand in the text too, for an abbreviation with several meanings."""

    def stands(self, written: Sequence[str], present: frozenset[str]) -> bool:
        """Whether words written so are this entry, in a text of the folded words `present`."""
        if self.case is None:
            return True
        spelled = "-".join(written)
        return spelled in (self.case, f"{self.case}s") and (self.needs is None or not self.needs.isdisjoint(present))


@dataclass(frozen=True, slots=True)
class Match:
    """An entry found in tokens `start` to `end` (half-open)."""

    kind: str
    name: str
    start: int
    end: int
    short: bool = False
    """Found by an abbreviation whose case counts."""


class Matcher:
    """A set of phrases, compiled. Of phrases of one kind that overlap, the first and longest counts.

    Args:
        entries: the phrases.
        alike: folded words that are read as another: "her" as "the".
    """

    def __init__(self, entries: Iterable[tuple[str, Entry]], alike: Mapping[str, str] = MappingProxyType({})) -> None:
        self._alike = alike
        # Nested dicts, words as keys; the entries that end at a node are under the empty word.
        self._tree: dict[str, Any] = {}
        for text, entry in entries:
            words = phrase(text)
            if not words:
                continue
            node = self._tree
            for word in words:
                node = node.setdefault(alike.get(word, word), {})
            held: list[Entry] = node.setdefault("", [])
            if entry not in held:
                held.append(entry)

    def words(self) -> frozenset[str]:
        """All words of the phrases, folded."""
        found: set[str] = set()
        nodes = [self._tree]
        while nodes:
            node = nodes.pop()
            found.update(word for word in node if word)
            nodes += [below for word, below in node.items() if word]
        return frozenset(found)

    def find(self, raw: Sequence[str], folded: Sequence[str]) -> list[Match]:
        """All matches, in order of their first token.

        Args:
            raw: the tokens as written, for abbreviations.
            folded: the same tokens, folded.
        """
        found: list[Match] = []
        taken: dict[str, int] = {}
        if self._alike:
            folded = [self._alike.get(word, word) for word in folded]
        present = frozenset(folded)
        for start in range(len(folded)):
            for kind, matches in self._longest(start, raw, folded, present).items():
                if matches[0].end > taken.get(kind, 0):
                    found.extend(matches)
                    taken[kind] = matches[0].end
        return found

    def _longest(
        self, start: int, raw: Sequence[str], folded: Sequence[str], present: frozenset[str]
    ) -> dict[str, list[Match]]:
        """The longest matches of each kind that begin at token `start`."""
        best: dict[str, list[Match]] = {}
        node, end = self._tree.get(folded[start]), start
        while node is not None:
            end += 1
            for entry in node.get("", ()):
                if not entry.stands(raw[start:end], present):
                    continue
                match = Match(entry.kind, entry.name, start, end, entry.case is not None)
                held = best.get(entry.kind)
                if held and held[0].end == end:
                    held.append(match)
                else:
                    best[entry.kind] = [match]
            node = node.get(folded[end]) if end < len(folded) else None
        return best
