"""Finding the phrases of a vocabulary in a text: one pass over its tokens along a tree of words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
    """A set of phrases, compiled. Of phrases of one kind that overlap, the first and longest counts."""

    def __init__(self, entries: Iterable[tuple[str, Entry]]) -> None:
        # Nested dicts, words as keys; the entries that end at a node are under the empty word.
        self._tree: dict[str, Any] = {}
        for text, entry in entries:
            words = phrase(text)
            if not words:
                continue
            node = self._tree
            for word in words:
                node = node.setdefault(word, {})
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
        tree, count = self._tree, len(folded)
        present: frozenset[str] | None = None
        for start, word in enumerate(folded):
            node = tree.get(word)
            if node is None:
                continue
            best: dict[str, list[Match]] = {}
            end = start
            while node is not None:
                end += 1
                for entry in node.get("", ()):
                    if entry.case is not None:
                        written = "-".join(raw[start:end])
                        if written not in (entry.case, f"{entry.case}s"):
                            continue
                        if entry.needs is not None:
                            present = frozenset(folded) if present is None else present
                            if not entry.needs & present:
                                continue
                    match = Match(entry.kind, entry.name, start, end, entry.case is not None)
                    held = best.get(entry.kind)
                    if held and held[0].end == end:
                        held.append(match)
                    else:
                        best[entry.kind] = [match]
                node = node.get(folded[end]) if end < count else None
            for kind, matches in best.items():
                if matches[0].end > taken.get(kind, 0):
                    found.extend(matches)
                    taken[kind] = matches[0].end
        return found
