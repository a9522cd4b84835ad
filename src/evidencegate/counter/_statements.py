"""What a paper would say if a claim were wrong: counterfactual statements, by rules."""

import re
from collections.abc import Sequence

from evidencegate.counter._grammar import Grammar, grammar
from evidencegate.counter._turn import opposites
from evidencegate.counter._types import Statement
from evidencegate.counter._verbs import main_verb
from evidencegate.models.stance import Label, StanceModel

_CITED = re.compile(r"\s*(?:\[[\d\s,;–-]+\]|\(\s*(?:[A-Z][\w-]+(?: et al\.?)?,? \d{4}[a-z]?;?\s*)+\))")
_CONTRACTED = re.compile(r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should)n['’]t\b", re.IGNORECASE)
_NOT_ONLY = re.compile(r"\bnot only\s+", re.IGNORECASE)
_BUT_ALSO = re.compile(r",?\s+but(?:\s+also)?\s+", re.IGNORECASE)
_MAX_WORDS = 70
_LEAST_WORDS = 3
_SAME = 0.8
"""A statement that the claim supports so surely has not been turned round."""
_REPORTERS = 15
"""Words that may stand before "show that"; a longer stretch is part of what is claimed."""
_REPORTED = re.compile(
    r"^it\b[^,]{0,60}?\b(?:shown|concluded|demonstrated|suggested|found|confirmed|clear|likely|known|evident|noted)\b"
    r"[^,]{0,60}?\bthat\s+",
    re.IGNORECASE,
)


def statements(claim: str) -> tuple[Statement, ...]:
    """The opposites of `claim` by grammar alone, the plainest first; empty where no rule applies."""
    rules = grammar()
    core = plain(claim)
    if not _LEAST_WORDS <= len(core.split()) <= _MAX_WORDS:
        return ()
    found: dict[str, Statement] = {}
    for text, opposite in opposites(core, rules):
        sentence = _sentence(text)
        if sentence.casefold() != _sentence(core).casefold():
            found.setdefault(sentence.casefold(), Statement(sentence, opposite))
    return tuple(found.values())


def opposing(claim: str, made: Sequence[Statement], model: StanceModel) -> tuple[Statement, ...]:
    """Those of `made` that a stance model does not surely read as saying the same as `claim`.

    The others keep their order; those that it leans to reading so come last.
    """
    return opposing_all([(claim, made)], model)[0]


def opposing_all(drafts: Sequence[tuple[str, Sequence[Statement]]], model: StanceModel) -> list[tuple[Statement, ...]]:
    """`opposing` for many claims with their statements, read in one batch."""
    pairs = [(plain(claim), statement.text) for claim, made in drafts for statement in made]
    judged = iter(model.judge(pairs))
    found = []
    for _, made in drafts:
        read = [(next(judged), statement) for statement in made]
        kept = [(stance.label is Label.SUPPORTS, s) for stance, s in read if stance.supports < _SAME]
        found.append(tuple(statement for _, statement in sorted(kept, key=lambda pair: pair[0])))
    return found


def plain(claim: str) -> str:
    """The claim itself: no citations, no "these results suggest that", no concession, no full stop."""
    rules = grammar()
    text = _CONTRACTED.sub(r"\1 not", _CITED.sub("", claim).replace("can't", "cannot").replace("can’t", "cannot"))
    text = _BUT_ALSO.sub(" and ", text) if _NOT_ONLY.search(text) else text
    text = " ".join(_NOT_ONLY.sub("", text).split()).strip(" :").rstrip(".;:!")
    for _ in range(4):
        shorter = _without_opening(text, rules)
        if shorter == text:
            break
        text = shorter
    text = _without_concession(text, rules)
    cut = rules.contrast.search(text)
    if cut and main_verb(text[: cut.start()], rules) is not None:
        text = text[: cut.start()].rstrip(" ,;")
    return text[:1].upper() + text[1:]


def _without_opening(text: str, rules: Grammar) -> str:
    for match in (rules.opening.match(text), _REPORTED.match(text)):
        if match is not None and match.end() and text[match.end() :].strip() and " not " not in match[0]:
            return text[match.end() :].lstrip(" ,:")
    for that in re.finditer(r"\b([a-z]+)\s+that\s+", text):
        verb = rules.third.get(that[1]) or rules.past.get(that[1]) or that[1]
        said = text[: that.start()].lower().split()
        if verb in rules.reporting and len(said) <= _REPORTERS and not rules.finite.intersection(said):
            return text[that.end() :]
    return text


def _without_concession(text: str, rules: Grammar) -> str:
    conceded = rules.concession.match(text)
    if conceded and main_verb(text[conceded.end() :], rules) is not None:
        return text[conceded.end() :]
    return text


def _sentence(text: str) -> str:
    text = " ".join(text.split()).strip(" ,;:.")
    return text[:1].upper() + text[1:] + "."
