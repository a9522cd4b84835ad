"""Which sentences of a passage can decide about a claim: those that report, of its own matter, in people."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from evidencegate.counter._around import Around, away, meant, mostly, of_claim, rival
from evidencegate.counter._data import terms
from evidencegate.counter._matter import Matter, matter, named_outcome
from evidencegate.counter._said import Said, said, written_out
from evidencegate.counter._types import Ground
from evidencegate.documents import sentences

_EXCLUDED = re.compile(r"\bnon-?([a-z]{4,})", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]{4,}")
_KNOWN, _LONG = 2, 5
"""Sentences at the beginning of a text that tell what was known, in a text of more than so many."""


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
    around = Around.of(claim, [one.said for one in read], context)
    other = away(asked, around)
    if other is not None:
        return Telling((), *other)
    operated = terms().operated
    if operated.search(claim) and not operated.search(f"{context} {passage}"):
        return Telling((), Ground.OTHER_CONDITION, "speaks of others than those who had an operation")
    able = [one for one in read if _of_outcome(asked, one, around)]
    if not able:
        return Telling((), Ground.OTHER_OUTCOME, "speaks of another outcome")
    able = [one for one in able if not _of_others(claim, one.text)]
    if not able:
        return Telling((), Ground.OTHER_CONDITION, "speaks of those whom the claim does not speak of")
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
    return away(matter(claim), Around.of(claim, [said(written_out(text, claim))], title)) is None


@lru_cache(maxsize=8192)
def _read(text: str, claim: str, context: str) -> _Sentence:
    silent = next((ground for ground, pattern in terms().silent if pattern.search(text)), None)
    if silent is None and " ".join(text.split()) in _first(context) and terms().surveyed.search(text) is None:
        silent = Ground.BACKGROUND
    return _Sentence(text, said(written_out(text, context, claim)), silent)


@lru_cache(maxsize=64)
def _first(context: str) -> frozenset[str]:
    """The sentences with which a text begins that is long enough to have told first what was known."""
    opening = (*context.split("\n\n"), "")[1]
    spans = sentences(opening)
    return frozenset(span.of(opening) for span in spans[:_KNOWN]) if len(spans) > _LONG else frozenset()


def _of_outcome(asked: Matter, one: _Sentence, around: Around) -> bool:
    if not asked.outcomes:
        return True
    if not named_outcome(asked, one.said, around.conditions, around.stems):
        return False
    # Who has a disease may die of it: that is not whether one gets it.
    return not (asked.arises and one.said.outcomes & terms().course and not terms().arising.search(one.text))


def _of_others(claim: str, sentence: str) -> bool:
    """Whether a sentence names a word of the claim only to exclude it: "non-Western countries"."""
    excluded = {word.casefold() for word in _EXCLUDED.findall(sentence)} - {
        w.casefold() for w in _EXCLUDED.findall(claim)
    }
    words = {word.casefold() for word in _WORD.findall(claim)}
    plain = {word.casefold() for word in _WORD.findall(_EXCLUDED.sub(" ", sentence))}
    return any(word in words and word not in plain for word in excluded)


def _own_treatment(asked: Matter, sentence: _Sentence) -> bool:
    """Whether a sentence that names treatments, or whose effect it tells, names what the claim is about."""
    if not asked.treatments and not asked.subject:
        return True
    if asked.treatments and sentence.said.treatments - asked.mentioned and not of_claim(asked, sentence.said):
        return False
    agent = terms().agent.search(sentence.text)
    return agent is None or meant(asked, agent["agent"])


def _refers(asked: Matter, sentence: _Sentence) -> bool:
    """Whether a sentence names what the claim is about, or reports as one that refers to what stands around it."""
    unnamed = not asked.treatments and not asked.subject
    return (
        unnamed
        or of_claim(asked, sentence.said)
        or terms().reported.search(sentence.text) is not None
        or bool(terms().leaning.match(sentence.text))
    )


def _own_comparison(asked: Matter, sentence: _Sentence, around: Around) -> bool:
    """Whether a sentence compares what the claim compares: its treatments, or groups that it does not name."""
    for pair in terms().pair.finditer(sentence.text):
        one, other = (part for part in pair.groups() if part is not None)
        if not meant(asked, one) and not meant(asked, other):
            return False
    if not asked.compared and terms().alike.search(sentence.text) and not terms().controls & sentence.said.stems:
        others = sentence.said.treatments - asked.mentioned
        if any(not meant(asked, name) for name in others) or rival(asked, around.heading):
            return False  # as good as another treatment: that says nothing of what it does
    here = frozenset[str]().union(sentence.said.stems, *(text.stems for text in around.title))
    return mostly(asked.compared, here) or terms().sides.search(sentence.text) is not None


def _of_animals(claim: str, own: Sequence[str], passage: str, context: str) -> bool:
    """Whether it is animals or cells that a claim about people would be decided by."""
    species, people = terms().other_species, terms().people
    if species.search(claim):
        return False
    if all(species.search(text) and not people.search(text) for text in own):
        return True
    around = f"{context} {passage}"
    return bool(species.search(around)) and not people.search(around)
