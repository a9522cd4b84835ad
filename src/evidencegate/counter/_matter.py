"""Whether two texts speak of the same matter: the same treatments, and an outcome in common."""

import re
from dataclasses import dataclass

from evidencegate.counter._data import terms
from evidencegate.counter._grammar import grammar
from evidencegate.counter._statements import plain
from evidencegate.counter._verbs import main_verb
from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.evidence import content
from evidencegate.question import Question, treatment, understand

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9-]+")


@dataclass(frozen=True, slots=True)
class Matter:
    """What a claim is about."""

    treatments: tuple[str, ...]
    subject: frozenset[str]
    """Stems of what stands before its main verb."""
    outcomes: frozenset[str]
    """Words of what stands after it that name an outcome, folded."""


def understood(text: str) -> Question | None:
    """The text as a question; None where it is no medical English."""
    try:
        return understand(text)
    except InvalidInput:
        return None


def matter(claim: str) -> Matter:
    """What `claim` is about."""
    core = plain(claim)
    question = understood(core)
    treatments = question.intervention_terms if question else ()
    verb = main_verb(core, grammar())
    head, tail = (core[: verb.start], core[verb.end :]) if verb else (core, "")
    # "There was no difference in X between A and B": the whole of it names the matter.
    subject = "" if head.strip().casefold() in ("there", "it", "we", "") else head
    named = {word.casefold() for name in treatments for word in _WORD.findall(name)}
    skipped = terms().no_outcome | named
    outcomes = frozenset(
        w.casefold() for w in _WORD.findall(tail or core) if w.casefold() not in skipped and content(w)
    )
    return Matter(treatments, content(subject), outcomes)


def elsewhere(claim: str, passage: str, context: str = "") -> str | None:
    """Why `passage` speaks of another matter than `claim`; None if it does not.

    Every treatment that the claim compares or joins must be named by the passage or its `context` (the title and
    abstract around it), itself, by its class or by a member of it; of more than two at least half. What the passage
    itself names must be among them. One word of the claim's predicate, or another name of that outcome, must stand
    in the passage.
    """
    asked = matter(claim)
    whole = f"{context}. {passage}" if context else passage
    if asked.treatments:
        given = _named(whole)
        missing = [name for name in asked.treatments if not any(_same(name, other) for other in given)]
        allowed = len(asked.treatments) // 2 if len(asked.treatments) > 2 else 0
        here = _named(passage)
        if here and not any(_same(name, other) for name in asked.treatments for other in here):
            return f"speaks of another treatment: {' or '.join(asked.treatments)} is not named"
        # A text that names no known treatment at all may call them by other names: the words decide then.
        if given and len(missing) > allowed:
            return f"speaks of another treatment: {', '.join(missing)} is not named"
        if not given and not (content(" ".join(asked.treatments)) | asked.subject) & content(whole):
            return f"does not name {' or '.join(asked.treatments)}"
    elif asked.subject and not asked.subject & content(whole):
        return "does not name what the claim is about"
    if asked.outcomes and not _outcome_shared(asked.outcomes, passage):
        return "speaks of another outcome"
    return None


def _named(text: str) -> tuple[str, ...]:
    question = understood(text)
    return question.intervention_terms if question else ()


def _same(one: str, other: str) -> bool:
    """Whether two names are one treatment, or one is the class of the other."""
    if one.casefold() == other.casefold():
        return True
    return other in _classes(one) or one in _classes(other)


def _classes(name: str) -> tuple[str, ...]:
    try:
        return treatment(name).classes
    except UnknownName:
        return ()


def _outcome_shared(outcomes: frozenset[str], text: str) -> bool:
    held = {word.casefold() for word in _WORD.findall(text)}
    if outcomes & held or content(" ".join(outcomes)) & content(text):
        return True
    lines = terms().outcomes
    return bool({lines[w] for w in outcomes if w in lines} & {lines[w] for w in held if w in lines})
