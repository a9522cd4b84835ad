"""What stands around a sentence and names things for it: its passage, its title, the beginning of its text."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from evidencegate.counter._data import terms
from evidencegate.counter._grammar import grammar
from evidencegate.counter._matter import Matter
from evidencegate.counter._said import Said, names, root, said, written_out
from evidencegate.counter._types import Ground
from evidencegate.counter._verbs import Form, main_verb
from evidencegate.documents import sentences
from evidencegate.evidence import content
from evidencegate.question import fold, phrase, tags_in

_TOKEN = re.compile(r"[^\W_]+")
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_CODE = re.compile(r"^.$|[0-9]|.[A-Z]")
"""A number, or the name of a group: RM, A, G2."""
_TWICE = 2
"""Sentences of a text's beginning that name what the text is about."""


@dataclass(frozen=True, slots=True)
class Around:
    """What names things for a sentence that does not name them itself."""

    passage: tuple[Said, ...]
    heading: str
    """The title as it is written."""
    title: tuple[Said, ...]
    opening: tuple[Said, ...]
    """The beginning of the text, sentence by sentence."""

    @classmethod
    def of(cls, claim: str, passage: Sequence[Said], context: str) -> "Around":
        title, opening = (*context.split("\n\n"), "")[:2]
        heading = (said(written_out(title, context, claim)),) if title.strip() else ()
        return cls(tuple(passage), title, heading, _opening(opening, claim))

    def names(self, name: str) -> bool:
        """Whether passage or title name a treatment, or two sentences of the opening."""
        if any(names(text, name) for text in (*self.passage, *self.title)):
            return True
        return sum(names(text, name) for text in self.opening) >= _TWICE

    def denies(self, conditions: frozenset[str]) -> bool:
        """Whether the title names these conditions only to say that they are absent: "women without diabetes"."""
        named = any(conditions & text.conditions for text in self.title)
        return named and not conditions & tags_in(self.heading).disease

    @property
    def stems(self) -> frozenset[str]:
        """Those of passage and title, and those that stand in two sentences of the opening."""
        said_often = Counter(stem for text in self.opening for stem in text.stems)
        often = frozenset(stem for stem, times in said_often.items() if times >= _TWICE)
        return often.union(*(text.stems for text in (*self.passage, *self.title)))

    @property
    def conditions(self) -> frozenset[str]:
        """Every condition named anywhere around."""
        return frozenset[str]().union(*(t.conditions for t in (*self.passage, *self.title, *self.opening)))


@lru_cache(maxsize=64)
def _opening(text: str, claim: str) -> tuple[Said, ...]:
    return tuple(said(written_out(span.of(text), text, claim)) for span in sentences(text))


def away(asked: Matter, around: Around) -> tuple[Ground, str] | None:
    """Why the passage, with what stands around it, speaks of another treatment, comparison or condition."""
    missing = [name for name in asked.treatments if not around.names(name)]
    if len(missing) > (len(asked.treatments) // 2 if len(asked.treatments) > 2 else 0):
        return Ground.OTHER_TREATMENT, f"speaks of another treatment: {', '.join(missing)} is not named"
    others = any(text.treatments - asked.mentioned for text in around.passage)
    if asked.treatments and others and not any(of_claim(asked, text) for text in around.passage):
        wanted = " or ".join(asked.treatments)
        return Ground.OTHER_TREATMENT, f"speaks of another treatment: {wanted} is not named"
    stems = around.stems
    if not mostly(asked.subject, stems):
        return Ground.OTHER_TREATMENT, "does not name what the claim is about"
    if not mostly(asked.compared, stems):
        return Ground.OTHER_COMPARISON, "makes another comparison"
    if asked.conditions and (not asked.conditions <= around.conditions or around.denies(asked.conditions)):
        return Ground.OTHER_CONDITION, "speaks of another condition"
    if asked.absent & tags_in(around.heading).disease:
        return Ground.OTHER_CONDITION, "speaks of another condition"
    if not _own_title(asked, around.heading):
        return Ground.OTHER_TREATMENT, "is of a study of something else, by its title"
    return None


def mostly(wanted: Sequence[str], stems: frozenset[str]) -> bool:
    """Whether the words of a name are there: of two both, of more two thirds."""
    held = sum(word in stems for word in wanted)
    return held >= (len(wanted) if len(wanted) < 3 else -(-2 * len(wanted) // 3))


@lru_cache(maxsize=8192)
def _own_title(asked: Matter, heading: str) -> bool:
    """Whether a title that tells whose effect was studied ("Effects of earplugs on sleep", "Diet promotes sleep") names
    what the claim is about."""
    if not asked.treatments and not asked.subject:
        return True
    title = " ".join(_ASIDE.sub(" ", heading).split())
    agent = terms().agent.search(title) or terms().use.search(title)
    if agent is not None and not meant(asked, agent["agent"]) and not _in_words(asked, agent["agent"]):
        return False
    verb = main_verb(title, grammar())
    if verb is None or verb.base not in grammar().effects or verb.form not in (Form.THIRD, Form.BASE):
        return True
    return meant(asked, title[: verb.start])


def rival(asked: Matter, heading: str) -> bool:
    """Whether a title tells of a comparison with another treatment ("Ginger versus vitamin B6")."""
    found = terms().against.search(heading)
    if found is None or len(asked.treatments) > 1:
        return False
    one, other = meant(asked, found["one"] or found["first"]), meant(asked, found["other"])
    return one != other


def _in_words(asked: Matter, text: str) -> bool:
    """Whether the words of a treatment stand in a phrase one by one ("epidural lidocaine analgesia")."""
    stems = said(text).stems
    return any(all(root(word) in stems for word in phrase(name)) for name in asked.treatments)


def meant(asked: Matter, text: str) -> bool:
    """Whether a phrase names what the claim is about, or a group without a name ("the control group", "group RM")."""
    if of_claim(asked, said(text)):
        return True
    words = [word for word in _TOKEN.findall(text) if content(word) and not _CODE.search(word)]
    return set(map(fold, words)) <= (terms().groups | terms().generic | terms().no_outcome) - terms().kinds_of_people


def of_claim(asked: Matter, text: Said) -> bool:
    """Whether a text names a treatment or subject of the claim, or, where it has none, its condition."""
    if not asked.treatments and not asked.subject and asked.conditions & text.conditions:
        return True
    return any(names(text, name) for name in asked.treatments) or bool(
        frozenset((*asked.subject, *asked.compared)) & text.stems
    )
