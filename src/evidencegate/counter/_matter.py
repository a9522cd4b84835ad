"""Whether two texts speak of the same matter: the same treatments, and an outcome in common."""

import re
from dataclasses import dataclass
from functools import lru_cache

from evidencegate.counter._data import terms
from evidencegate.counter._grammar import grammar
from evidencegate.counter._statements import plain
from evidencegate.counter._verbs import main_verb
from evidencegate.documents import sentences
from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.evidence import content
from evidencegate.question import Question, abbreviations, treatment, understand

_NAME = 2
"""Words of an outcome's name that must all be there; a longer phrase lists several."""
_POPULATION = re.compile(
    r"\s(?:in|among|after|during|for|than|compared|versus|vs|when|following|over|at)\b", re.IGNORECASE
)
_BESIDE = re.compile(rf"{_POPULATION.pattern}|\s(?:with|under|as against|as compared)\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9-]+")
_SHORT = re.compile(r"(?<![\w-])[A-Za-z][\w/&+-]*\w(?![\w-])")


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


@lru_cache(maxsize=512)
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
    first = _POPULATION.split(tail, maxsplit=1)[0]
    # "X was lower with A than with B", "X rose with A": the outcome is the subject.
    lead = _BESIDE.split(tail, maxsplit=1)[0]
    by_subject = verb is not None and (not lead.strip() or (not verb.form.full and _compared(lead)))
    phrases = (subject, tail) if by_subject else (first, tail, subject)
    outcomes = next((found for phrase in phrases if (found := _outcomes(phrase, skipped))), frozenset())
    return Matter(treatments, content(subject), outcomes or _outcomes(core, skipped))


def _compared(phrase: str) -> bool:
    """Whether a phrase only compares: "significantly lower", "not similar"."""
    said = [word.casefold() for word in _WORD.findall(phrase)]
    return bool(said) and said[-1] in terms().comparing


def _outcomes(phrase: str, skipped: frozenset[str]) -> frozenset[str]:
    """The words of a phrase that name an outcome; those that say little of it only where there are no others."""
    words = frozenset(w for w in (word.casefold() for word in _WORD.findall(phrase)) if w not in skipped and content(w))
    return words - terms().generic_outcomes or words


def elsewhere(claim: str, passage: str, context: str = "") -> str | None:
    """Why `passage` speaks of another matter than `claim`; None if it does not.

    Every treatment that the claim compares or joins must be named by the passage or its `context` (the title and
    abstract around it), itself, by its class or by a member of it; of more than two at least half. A passage that
    names treatments names one of these. One word of the claim's predicate, or another name of that outcome, must
    stand in a sentence of the passage that reports something.
    """
    asked = matter(claim)
    passage = _written_out(passage, claim, context)
    whole = f"{context}. {passage}" if context else passage
    wanted = [name for name in asked.treatments if _own_words(name)]
    if wanted:
        missing = [name for name in wanted if not _names(whole, name)]
        allowed = len(wanted) // 2 if len(wanted) > 2 else 0
        if len(missing) > allowed:
            return f"speaks of another treatment: {', '.join(missing)} is not named"
        if _named(passage) and not any(_names(passage, name) for name in wanted):
            return f"speaks of another treatment: {' or '.join(wanted)} is not named"
    elif asked.subject and not asked.subject & content(whole):
        return "does not name what the claim is about"
    if asked.outcomes and not any(_outcome_shared(asked.outcomes, text) for text in _findings(passage)):
        return "speaks of another outcome"
    return None


def _written_out(passage: str, claim: str, context: str) -> str:
    """The passage with the abbreviations that claim or context define written out behind it, sentence by sentence."""
    known = {**abbreviations(claim), **abbreviations(context)}
    if not known:
        return passage

    def long(match: re.Match[str]) -> str:
        return f"{match[0]} ({known[match[0]]})" if match[0] in known else match[0]

    return _SHORT.sub(long, passage)


def _findings(passage: str) -> list[str]:
    """The sentences of a passage that report something; all of them where none is known to."""
    said = [span.of(passage) for span in sentences(passage)]
    return [text for text in said if terms().finding.search(text) and not terms().sentence.search(text)] or said


def _own_words(name: str) -> frozenset[str]:
    """The stems of a treatment's name that are its own: "exercise training" is known by its exercise."""
    return content(name) - terms().generic


def _names(text: str, name: str) -> bool:
    """Whether a text names a treatment: by a word of its own, by its class or by a member of it."""
    return bool(_own_words(name) & content(text)) or any(_same(name, other) for other in _named(text))


@lru_cache(maxsize=4096)
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
    """Whether a text names the outcome: both words of a name of two ("breast cancer"), one of a longer list."""
    held = frozenset(word.casefold() for word in _WORD.findall(text))
    stems, lines = content(text), {terms().outcomes[w] for w in held if w in terms().outcomes}
    named = [w in held or bool(content(w) & stems) or terms().outcomes.get(w) in lines for w in outcomes]
    return all(named) if len(named) <= _NAME else any(named)
