"""Which sentences of a passage can decide about a claim: those that report, of its own matter, in people."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from evidencegate.counter._data import terms
from evidencegate.counter._matter import Matter, matter, named_outcome
from evidencegate.counter._said import Said, names, said, written_out
from evidencegate.counter._types import Ground
from evidencegate.documents import sentences
from evidencegate.evidence import content
from evidencegate.question import fold, tags_in

_TOKEN = re.compile(r"[^\W_]+")
_CODE = re.compile(r"^.$|[0-9]|.[A-Z]")
"""A number, or the name of a group: RM, A, G2."""
_TWICE = 2
"""Sentences of a text's beginning that name what the text is about."""


@dataclass(frozen=True, slots=True)
class Telling:
    """The sentences of a passage that can decide about a claim, or why there are none."""

    sentences: tuple[str, ...] = ()
    ground: Ground | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        if bool(self.sentences) == (self.ground is not None) or (self.ground is None) == bool(self.reason):
            raise ValueError("a passage has sentences that can decide, or a reason why not")

    @property
    def text(self) -> str:
        """The sentences as one text."""
        return " ".join(self.sentences)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a passage, read."""

    text: str
    said: Said
    silent: Ground | None

    @property
    def reports(self) -> bool:
        return self.silent is None and terms().finding.search(self.text) is not None


def telling(claim: str, passage: str, context: str = "") -> Telling:
    """The sentences of `passage` that can decide about `claim`.

    `context` is what stands around a passage and defines its abbreviations: its title and, each after a blank line,
    the beginning of its text and further definitions. Every treatment that the claim compares or joins must be named
    by the passage, by the title or by two sentences of that beginning: itself, by its class or by a member; of more
    than two at least half. What it is compared with must be named, and one of the conditions it speaks of.

    A sentence that decides reports something: neither aim, method, background nor open question. It names an outcome
    of the claim; where it names treatments or whose effect it tells, these are the claim's, and so are the groups
    between which it finds a difference or none. Where the claim is about people, so is the sentence.
    """
    asked = matter(claim)
    read = [_read(span.of(passage), claim, context) for span in sentences(passage)]
    around = _Around.of(claim, [one.said for one in read], context)
    away = _away(asked, around)
    if away is not None:
        return Telling((), *away)
    able = [one for one in read if _of_outcome(asked, one, around)]
    if not able:
        return Telling((), Ground.OTHER_OUTCOME, "speaks of another outcome")
    loud = [one for one in able if one.silent is None]
    if not loud:
        kind = able[0].silent or Ground.BACKGROUND
        return Telling((), kind, _SILENT[kind])
    loud = [one for one in loud if one.reports] or loud
    own = [one for one in loud if _own_treatment(asked, one) and _refers(asked, one)]
    if not own:
        return Telling((), Ground.OTHER_TREATMENT, "says this of another treatment")
    alike = [one for one in own if _own_comparison(asked, one, around)]
    if not alike:
        return Telling((), Ground.OTHER_COMPARISON, "says this of another comparison")
    if _of_animals(claim, [one.text for one in alike], passage, context):
        return Telling((), Ground.OTHER_SPECIES, "speaks of animals or cells, the claim of people")
    return Telling(tuple(one.text for one in _with_neighbours(read, alike)))


def _with_neighbours(read: Sequence[_Sentence], deciding: Sequence[_Sentence]) -> list[_Sentence]:
    """The sentences that decide, each with the one before it where it leans on that ("These reduced mortality"), and
    with the next one where that only says how its groups compare ("No difference was observed between groups")."""
    kept = [one in deciding for one in read]
    for at in range(len(read) - 1):
        one, after = read[at], read[at + 1]
        if after in deciding and one.silent is None and terms().leaning.match(after.text):
            kept[at] = True
        alone = not after.said.outcomes and not after.said.conditions
        if kept[at] and after.reports and alone and terms().sides.search(after.text):
            kept[at + 1] = True
    return [one for one, keep in zip(read, kept, strict=True) if keep]


_SILENT = {
    Ground.AIM: "says what was to be found, not what was found",
    Ground.METHOD: "says what was done, not what was found",
    Ground.BACKGROUND: "says what was known before, not what was found",
    Ground.OPEN_QUESTION: "says that this is not known",
}


def elsewhere(claim: str, passage: str, context: str = "") -> str | None:
    """Why no sentence of `passage` can decide about `claim` (see `telling`); None if one can."""
    return telling(claim, passage, context).reason or None


def on_matter(claim: str, text: str, title: str = "") -> bool:
    """Whether a text with its title names what `claim` compares or joins, and its condition."""
    return _away(matter(claim), _Around.of(claim, [said(written_out(text, claim))], title)) is None


@dataclass(frozen=True, slots=True)
class _Around:
    """What names things for a sentence that does not name them itself."""

    passage: tuple[Said, ...]
    heading: str
    """The title as it is written."""
    title: tuple[Said, ...]
    opening: tuple[Said, ...]
    """The beginning of the text, sentence by sentence."""

    @classmethod
    def of(cls, claim: str, passage: Sequence[Said], context: str) -> "_Around":
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


@lru_cache(maxsize=8192)
def _read(text: str, claim: str, context: str) -> _Sentence:
    silent = next((ground for ground, pattern in terms().silent if pattern.search(text)), None)
    return _Sentence(text, said(written_out(text, context, claim)), silent)


def _away(asked: Matter, around: _Around) -> tuple[Ground, str] | None:
    """Why the passage, with what stands around it, speaks of another treatment, comparison or condition."""
    missing = [name for name in asked.treatments if not around.names(name)]
    if len(missing) > (len(asked.treatments) // 2 if len(asked.treatments) > 2 else 0):
        return Ground.OTHER_TREATMENT, f"speaks of another treatment: {', '.join(missing)} is not named"
    others = any(text.treatments - asked.mentioned for text in around.passage)
    if asked.treatments and others and not any(_of_claim(asked, text) for text in around.passage):
        wanted = " or ".join(asked.treatments)
        return Ground.OTHER_TREATMENT, f"speaks of another treatment: {wanted} is not named"
    stems = around.stems
    if not _mostly(asked.subject, stems):
        return Ground.OTHER_TREATMENT, "does not name what the claim is about"
    if not _mostly(asked.compared, stems):
        return Ground.OTHER_COMPARISON, "makes another comparison"
    if asked.conditions and (not asked.conditions & around.conditions or around.denies(asked.conditions)):
        return Ground.OTHER_CONDITION, "speaks of another condition"
    if asked.absent & tags_in(around.heading).disease:
        return Ground.OTHER_CONDITION, "speaks of another condition"
    return None


def _mostly(wanted: Sequence[str], stems: frozenset[str]) -> bool:
    """Whether the words of a name are there: of two both, of more two thirds."""
    held = sum(word in stems for word in wanted)
    return held >= (len(wanted) if len(wanted) < 3 else -(-2 * len(wanted) // 3))


def _of_outcome(asked: Matter, one: _Sentence, around: _Around) -> bool:
    if not asked.outcomes:
        return True
    if not named_outcome(asked, one.said, around.conditions):
        return False
    # Who has a disease may die of it: that is not whether one gets it.
    return not (asked.arises and one.said.outcomes & terms().course and not terms().arising.search(one.text))


def _own_treatment(asked: Matter, sentence: _Sentence) -> bool:
    """Whether a sentence that names treatments, or whose effect it tells, names what the claim is about."""
    if not asked.treatments and not asked.subject:
        return True
    if asked.treatments and sentence.said.treatments - asked.mentioned and not _of_claim(asked, sentence.said):
        return False
    agent = terms().agent.search(sentence.text)
    return agent is None or _meant(asked, agent["agent"])


def _refers(asked: Matter, sentence: _Sentence) -> bool:
    """Whether a sentence names what the claim is about, or reports as one that refers to what stands around it."""
    unnamed = not asked.treatments and not asked.subject
    return (
        unnamed
        or _of_claim(asked, sentence.said)
        or terms().reported.search(sentence.text) is not None
        or bool(terms().leaning.match(sentence.text))
    )


def _own_comparison(asked: Matter, sentence: _Sentence, around: "_Around") -> bool:
    """Whether a sentence compares what the claim compares: its treatments, or groups that it does not name."""
    for pair in terms().pair.finditer(sentence.text):
        one, other = (part for part in pair.groups() if part is not None)
        if not _meant(asked, one) and not _meant(asked, other):
            return False
    here = frozenset[str]().union(sentence.said.stems, *(text.stems for text in around.title))
    return _mostly(asked.compared, here) or terms().sides.search(sentence.text) is not None


def _meant(asked: Matter, text: str) -> bool:
    """Whether a phrase names what the claim is about, or a group without a name ("the control group", "group RM")."""
    if _of_claim(asked, said(text)):
        return True
    words = [word for word in _TOKEN.findall(text) if content(word) and not _CODE.search(word)]
    return set(map(fold, words)) <= (terms().groups | terms().generic | terms().no_outcome) - terms().kinds_of_people


def _of_claim(asked: Matter, text: Said) -> bool:
    return any(names(text, name) for name in asked.treatments) or bool(
        frozenset((*asked.subject, *asked.compared)) & text.stems
    )


def _of_animals(claim: str, own: Sequence[str], passage: str, context: str) -> bool:
    """Whether it is animals or cells that a claim about people would be decided by."""
    species, people = terms().other_species, terms().people
    if species.search(claim):
        return False
    if all(species.search(text) and not people.search(text) for text in own):
        return True
    around = f"{context} {passage}"
    return bool(species.search(around)) and not people.search(around)
