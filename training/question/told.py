"""Keep of written findings those that are right on the labelled questions.

    python training/question/told.py written.txt ... --out src/evidencegate/question/data/told.txt.gz

A line of a written file is `TAG ~ pattern`, or `TAG ~ pattern ~~ second pattern`. One is kept where it is found in a labelled
question and the tag was among those to be found or that may be (or what these are kinds of) in at least 85 of 100; and where
neither the tag nor a kind of it is named besides, in at least 80 of 100. Of one that is not kept its alternatives are tried
one by one. Lines of the file written to are judged again beside the others.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from examples import LEARNT
from needed import lines_of, needed, write_lines

from evidencegate.evaluate.question import questions
from evidencegate.question._candidates import with_wider
from evidencegate.question._measures import measured, plain, with_figures
from evidencegate.question._read import read
from evidencegate.question._vocabulary import load_vocabulary

EVERYWHERE, NEWLY = 0.85, 0.8
_ONE_GROUP = re.compile(r"((?:\(\?<!\\bno\w* \))*\\b)\(\?:(.*)\)(\\b)", re.DOTALL)

Told = tuple[str, ...]
"""A tag, a pattern, and perhaps a second one."""


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled question, and what is named in it."""

    text: str
    labels: frozenset[str]
    wider: frozenset[str]
    """The labels, and what they are kinds of."""
    there: frozenset[str]


def cases() -> Iterator[Case]:
    """The labelled questions that the recipes learn from."""
    known = load_vocabulary()
    figures = tuple(with_figures())
    for question in (question for name in LEARNT for question in questions(name)):
        there = with_wider({m.name for m in read(question.text, known).diseases if not m.negated}, known)
        there |= measured(question.text, figures, there).keys()
        labels = frozenset((*question.diseases, *question.diseases_also))
        wider = frozenset(with_wider(labels, known))
        yield Case(question.text, labels, wider, frozenset(there))


def written(path: Path) -> Iterator[Told]:
    """The findings of a file: as people write them, or as they are kept."""
    for line in lines_of(path):
        if "\t" in line:
            tag, _, *parts = line.split("\t")
            yield (tag, *parts)
        elif " ~ " in line:
            tag, rest = line.split(" ~ ", 1)
            yield (tag, *(part.strip() for part in rest.split(" ~~ ")))


def usable(told: Told) -> bool:
    """Whether the tag is there and the patterns can be tried: no groups, and a first one that has words of its own."""
    tag, *parts = told
    try:
        found = [re.compile(part, re.IGNORECASE) for part in parts]
    except re.error:
        return False
    single = all(not one.groups for one in found) and len(found) <= 2
    return tag in load_vocabulary().tags and single and bool(needed(parts[0]))


def right(told: Told, among: Iterable[Case]) -> bool:
    """Whether a finding is to be kept."""
    tag, pattern, *second = told
    finding = replace(plain(tag, needed(pattern), pattern, *second), unless=frozenset())
    found = [case for case in among if measured(case.text, (finding,), frozenset())]
    new = [case for case in found if tag not in case.there]
    return (
        bool(found)
        and sum(tag in case.wider for case in found) >= EVERYWHERE * len(found)
        and sum(tag in case.labels for case in new) >= NEWLY * len(new)
    )


def alternatives(pattern: str) -> list[str]:
    """The alternatives of a pattern, and those of a group between word boundaries that is all of one."""
    found = []
    for one in _parted(pattern):
        group = _ONE_GROUP.fullmatch(one)
        inner = _parted(group.group(2)) if group else []
        found += (
            [f"{group.group(1)}(?:{part}){group.group(3)}" for part in inner] if group and len(inner) > 1 else [one]
        )
    return found


def _parted(pattern: str) -> list[str]:
    """`pattern` parted at each bar outside groups and sets; [] where a group ends that did not begin in it."""
    parts, depth, inside, at = [""], 0, False, 0
    while at < len(pattern):
        size = 2 if pattern[at] == "\\" else 1
        letter = pattern[at : at + size]
        if size == 1 and not inside:
            depth += (letter == "(") - (letter == ")")
            if depth < 0:
                return []
        if size == 1 and letter in "[]":
            inside = letter == "["
        if letter == "|" and not depth and not inside:
            parts.append("")
        else:
            parts[-1] += letter
        at += size
    return parts


def kept(lines: Sequence[Told]) -> Iterator[Told]:
    """The findings that are right, each once."""
    known = tuple(cases())
    for told in lines:
        if right(told, known):
            yield told
            continue
        tag, pattern, *second = told
        parts = [(tag, part, *second) for part in alternatives(pattern)]
        good = [part[1] for part in parts if len(parts) > 1 and usable(part) and right(part, known)]
        if good:
            yield (tag, "|".join(good), *second)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    head = [line for line in lines_of(arguments.out) if line.startswith("#")]
    lines = [told for path in (arguments.out, *arguments.files) for told in written(path) if usable(told)]
    found = sorted(dict.fromkeys(kept(list(dict.fromkeys(lines)))))
    print(f"{len(found)} of {len(lines)} kept")
    rows = ["\t".join((tag, ";".join(needed(pattern)), pattern, *second)) for tag, pattern, *second in found]
    write_lines(arguments.out, (*head, *rows))


if __name__ == "__main__":
    main()
