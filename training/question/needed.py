"""Write beside each finding of `measures.yaml` or `told.txt.gz` the words of which one stands in whatever its pattern finds.

    python training/question/needed.py src/evidencegate/question/data/measures.yaml

A pattern is only compiled and tried where the text has one of its words, in any case: most of the 3,000 are not. A
finding without words is always tried.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections.abc import Iterable
from pathlib import Path
from re import _constants as kind  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

import yaml

LEAST = 2
"""Characters: a single letter stands in every text."""
MOST, SPELLINGS = 60, 12
"""Words of a list, and spellings of one word: more save too little."""

_PARTS = ";"
"""Parts the words of a list, so that none has it."""

Words = frozenset[str]


def _worth(words: Words) -> tuple[int, int]:
    """How seldom one of these is in a text: by its shortest, then by how few they are."""
    return min(map(len, words)), -len(words)


def _better(one: Words | None, other: Words | None) -> Words | None:
    known = [words for words in (one, other) if words and min(map(len, words)) >= LEAST and len(words) <= MOST]
    return max(known, key=_worth, default=None)


def _each(options: list[Words | None]) -> Words | None:
    """Words for whichever option is taken: all of them must have some."""
    return frozenset[str]().union(*filter(None, options)) if all(options) else None


def _among(items: list[tuple[object, object]]) -> list[str]:
    """The characters of a small set: [ae] but no range."""
    if any(what is not kind.LITERAL or chr(code) == _PARTS for what, code in items):  # type: ignore[arg-type]
        return []
    return sorted({chr(code).lower() for _, code in items})  # type: ignore[arg-type]


def _of(sequence: object) -> Words | None:
    """Words of which one stands in whatever `sequence`, a pattern taken apart, finds; None where there are none."""
    best: Words | None = None
    runs = [""]  # what stands side by side, in all its spellings

    def ended() -> None:
        nonlocal best, runs
        best = _better(best, frozenset(runs) if all(runs) else None)
        runs = [""]

    def read(part: object) -> None:
        nonlocal best, runs
        for what, value in part:  # type: ignore[attr-defined]
            letters: list[str] = []
            if what is kind.LITERAL:
                letters = [chr(value).lower()] if chr(value) != _PARTS else []
            elif what is kind.IN:
                letters = _among(value)
            elif what is kind.AT or what in (kind.ASSERT, kind.ASSERT_NOT):
                if what is kind.AT:
                    continue  # \b takes no room
            elif what is kind.SUBPATTERN:
                inner = value[3]
                if all(w in (kind.LITERAL, kind.IN, kind.AT, kind.SUBPATTERN) for w, _ in inner):
                    read(inner)
                    continue
                ended()
                best = _better(best, _of(inner))
                continue
            elif what is kind.BRANCH:
                options = [_of(option) for option in value[1]]
                ended()
                best = _better(best, _each(options))
                continue
            elif what in (kind.MAX_REPEAT, kind.MIN_REPEAT) and value[0] >= 1:
                ended()
                best = _better(best, _of(value[2]))
                continue
            if letters and len(runs) * len(letters) <= SPELLINGS:
                runs = [run + letter for run in runs for letter in letters]
            else:
                ended()

    read(sequence)
    ended()
    return best


def needed(pattern: str) -> tuple[str, ...]:
    """Words in small letters of which at least one stands in whatever `pattern`, in any case, finds; () if none is sure."""
    found = _of(parser.parse(pattern, re.IGNORECASE))
    return tuple(sorted(word for word in found if not any(o != word and o in word for o in found))) if found else ()


def lines_of(path: Path) -> list[str]:
    """The lines of a text file, packed if its name ends in .gz."""
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8").splitlines()


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Writes such a file; the same lines give the same bytes."""
    content = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def with_words(line: str) -> str:
    """A line of `measures.yaml` or `told.txt.gz` with the words of its pattern; what is no finding stays."""
    if "\t" in line:
        tag, _, pattern, *second = line.split("\t")
        return "\t".join((tag, ";".join(needed(pattern)), pattern, *second))
    if not line.startswith("- {"):
        return line
    (entry,) = yaml.safe_load(line)
    words = "; ".join(needed(entry["pattern"])).replace("'", "''")
    tag, rest = re.sub(r", words: '(?:[^']|'')*'", "", line).split(", ", 1)
    return f"{tag}, words: '{words}', {rest}" if words else f"{tag}, {rest}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("file", type=Path)
    path: Path = arguments.parse_args().file
    write_lines(path, map(with_words, lines_of(path)))


if __name__ == "__main__":
    main()
