"""What a claim is about: the treatments it compares or joins, its outcomes, and the people it speaks of."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from evidencegate.counter._data import OUTCOME, terms
from evidencegate.counter._grammar import grammar
from evidencegate.counter._said import Said, apart, names, root, said, written_out
from evidencegate.counter._statements import plain
from evidencegate.counter._verbs import Form, Verb, main_verb
from evidencegate.errors import InvalidInput
from evidencegate.evidence import content
from evidencegate.question import Question, fold, load_vocabulary, named_in, phrase, tags_in, understand

_NAME = 2
"""Terms of an outcome's name that must all be there; of a longer one two thirds."""
_POPULATION = re.compile(
    r"\s(?:in|among|after|during|for|than|compared|relative to|as against|versus|vs|when|following|over|at|around)"
    r"\b(?!-)|\sof(?= (?:[\w-]+ ){0,3}"
    r"(?:patients|residents|people|children|women|men|adults|infants|persons|survivors)\b)",
    re.IGNORECASE,
)
_BESIDE = re.compile(rf"{_POPULATION.pattern}|\s(?:with|under|as against|as compared)\b", re.IGNORECASE)
_AGAINST = re.compile(
    r"\s(?:than(?: with| after| under| in)?|compared (?:with|to)|versus|vs\.?|as against|relative to"
    r"|in comparison (?:with|to)|(?:(?<=superior )|(?<=inferior )|(?<=preferable )|(?<=equivalent )|(?<=similar )"
    r"|(?<=comparable )|(?<=equal )|(?<=identical ))to)\s+(?P<other>[^,;.()]+)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\b(?:relation(?:ship)?|association|link|correlation|connection)s? between (?P<one>.+?) and (?P<other>.+)$",
    re.IGNORECASE,
)
_BETTER = re.compile(
    r"\s+(?:been (?:shown|found|proven) to (?:be|work) )?(?:[a-z]+ly |far |much )?"
    r"(?:(?:superior|inferior|preferable) to\b|(?:better|worse) than\b(?! (?:with|after|under|in)\b))",
    re.IGNORECASE,
)
_AT_RISK = re.compile(r"^\s*at (?:an? |the )?(?:[\w-]+ ){0,3}risk (?:of|for)\b", re.IGNORECASE)
_MEANS = re.compile(r"\s(?:on|by|using|via)\s", re.IGNORECASE)
_PARTS = re.compile(r"[,;/]|\b(?:and|or|as well as)\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9-]+")
_TOKEN = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that an outcome's name names."""

    outcomes: frozenset[str] = frozenset()
    conditions: frozenset[str] = frozenset()
    name: tuple[str, ...] = ()
    """Its folded words, where it is a concept; else one stem."""

    @property
    def concept(self) -> bool:
        """Whether a vocabulary knows it."""
        return bool(self.outcomes or self.conditions)

    def named(self, text: Said) -> bool:
        """Whether a text names it; of what only says that something works, whether it names any outcome."""
        if self.outcomes and self.outcomes <= terms().vague:
            return bool(text.outcomes)
        if self.outcomes & text.outcomes or self.conditions & text.conditions:
            return True
        if self.conditions:  # "hip fracture" has a tag of its own
            return text.holds(self.name)
        return not self.concept and self.name[0] in text.stems


@dataclass(frozen=True, slots=True)
class Matter:
    """What a claim is about."""

    treatments: tuple[str, ...]
    subject: tuple[str, ...]
    """Stems of what stands before its main verb and is no treatment that the vocabulary knows."""
    compared: tuple[str, ...]
    """Stems of what it is compared with; none where that is no treatment or the usual one."""
    outcomes: tuple[tuple[Term, ...], ...]
    """What stands after its main verb, each outcome as its terms; a text names one of them."""
    conditions: frozenset[str]
    """Tags of whom it speaks of, beside its outcomes."""
    absent: frozenset[str]
    """Tags of what those have not whom it speaks of: "people without diabetes"."""
    mentioned: frozenset[str]
    """Treatments that it names anywhere: "analgesia" may be its outcome."""
    arises: bool
    """Whether it speaks of getting a disease, not of what becomes of it."""

    @property
    def vague(self) -> bool:
        """Whether it only says that something works."""
        return all(term.outcomes and term.outcomes <= terms().vague for one in self.outcomes for term in one)


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
    treatments = _treatments(core)
    verb = main_verb(core, grammar())
    subject, tail = _parted(core, verb)
    tail = _AT_RISK.sub(" ", _uncompared(tail))
    first, *others = _POPULATION.split(tail)
    by_subject = _by_subject(core, verb, subject, tail, treatments)
    outcomes = _measured(core, verb, (subject, tail), treatments, by_subject=by_subject)
    measured = frozenset(tag for one in outcomes for term in one for tag in term.conditions)
    conditions = _mains(subject, first, *others) - measured
    own = () if by_subject else _unlisted(subject, tail, treatments)
    compared = _other(core, treatments)
    if not (treatments or own or conditions or compared):
        own = _own(" ".join(others))  # "More births occur around the full moon"
    present = tags_in(core).disease
    return Matter(
        treatments,
        own,
        compared,
        outcomes,
        conditions & present,
        conditions - present,
        said(core).treatments,
        bool(terms().arising_claim.search(core)) and all(len(one) == 1 and one[0].conditions for one in outcomes),
    )


def _treatments(core: str) -> tuple[str, ...]:
    """The treatments that a claim names; "insulin resistance" names none, whatever a question makes of it."""
    question = understood(core)
    asked = question.intervention_terms if question else ()
    return tuple(name for name in asked if set(phrase(name)) - terms().generic and names(said(core), name))


def _words(treatments: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for name in treatments for word in phrase(name))


def _parted(core: str, verb: Verb | None) -> tuple[str, str]:
    """What a claim speaks of, and what it says of that."""
    head, tail = (core[: verb.start], _predicate(core, verb)) if verb else (core, "")
    if head.strip().casefold() not in ("there", "it", "we", ""):
        return head, tail
    # "There was no difference in X between A and B": the whole of it names the matter.
    between = _BETWEEN.search(tail)
    return (between["one"], between["other"]) if between else ("", tail)


def _by_subject(core: str, verb: Verb | None, subject: str, tail: str, treatments: tuple[str, ...]) -> bool:
    """Whether a claim's subject is its outcome: "X was lower with A than with B", "X rose with A"."""
    if verb is None or _judged(core, verb, subject, treatments):
        return False
    lead = _BESIDE.split(tail, maxsplit=1)[0]
    return not lead.strip() or _compared(lead, alone=verb.form.full)


def _judged(core: str, verb: Verb | None, subject: str, treatments: tuple[str, ...]) -> bool:
    """Whether a claim only says that its subject is better or worse than something else."""
    if verb is None or not _BETTER.match(core[verb.end :]):
        return False
    return not any(term.concept for one in _outcomes(subject, _words(treatments)) for term in one)


def _measured(
    core: str, verb: Verb | None, parts: tuple[str, str], treatments: tuple[str, ...], *, by_subject: bool
) -> tuple[tuple[Term, ...], ...]:
    """The outcomes that a claim names, of its `parts` (subject, tail) in the one that has them."""
    subject, tail = parts
    if _judged(core, verb, subject, treatments):
        return ((Term(terms().vague, name=("effective",)),),)
    told = _POPULATION.split(tail)
    phrases = (*_POPULATION.split(subject), *told) if by_subject else (*told, subject)
    named = _words(treatments)
    outcomes = next((found for one in phrases if (found := _outcomes(one, named))), ())
    return outcomes or _outcomes(core, named) or _outcomes(tail, frozenset())


def _unlisted(subject: str, tail: str, treatments: tuple[str, ...]) -> tuple[str, ...]:
    """The stems of a subject that no vocabulary knows as a treatment; none where a treatment is named beside it."""
    front, *means = _MEANS.split(subject, maxsplit=1)
    if not any(names(said(" ".join(means)), name) for name in treatments):
        front = subject  # "Atrophy on magnetic resonance imaging", not "Cutting down on salt"
    return () if any(names(said(f"{front} {tail}"), name) for name in treatments) else _own(front)


def _predicate(core: str, verb: Verb) -> str:
    """What stands after a verb; after "does" or "may" also without the verb that follows ("does not predict X")."""
    rest = core[verb.end :]
    if verb.form not in (Form.AUXILIARY, Form.MODAL):
        return rest
    after = next((word for word in _WORD.finditer(rest) if not _between(word[0].lower())), None)
    return rest[after.end() :] if after is not None and after[0].lower() in grammar().base else rest


def _between(word: str) -> bool:
    """Whether a word may stand between an auxiliary and its verb."""
    return word in ("not", "also", "still") or word.endswith("ly")


def _compared(phrase_: str, *, alone: bool) -> bool:
    """Whether a phrase ends with a comparison ("significantly lower"); or is one alone ("the same")."""
    words = [word.casefold() for word in _WORD.findall(phrase_)]
    if not words or words[-1] not in terms().comparing:
        return False
    return not alone or all(word in terms().comparing or not content(word) for word in words)


def _mains(*texts: str) -> frozenset[str]:
    """The conditions that texts name, without those that a narrower one of them implies."""
    found = frozenset[str]().union(*(named_in(text).conditions for text in texts))
    up = load_vocabulary().ancestors
    return found - frozenset(parent for tag in found for parent in up.get(tag, frozenset()) if parent != tag)


def _own(subject: str) -> tuple[str, ...]:
    """The stems by which a subject is known: no condition and no generic word, unless it has nothing else."""
    words = [word for word in phrase(subject) if content(word) and not word[0].isdigit()]
    own = [w for w in words if w not in terms().generic and w not in terms().no_outcome and not _adverb(w)]
    conditions = {word for found in _spans(subject) for word in found}
    kinds = terms().generic_outcomes if conditions else frozenset()  # the "disease" of "periodontal disease"
    telling = [w for w in own if w not in conditions | kinds] or [w for w in words if w in terms().procedures]
    return tuple(dict.fromkeys(map(root, telling)))


def _spans(text: str) -> Iterable[tuple[str, ...]]:
    """The folded words of the conditions in a text."""
    for part in _PARTS.split(text):
        words = tuple(_TOKEN.findall(part))
        found = _narrowed(words)
        if found:
            start, end = found
            yield tuple(map(fold, words[start:end]))


def _narrowed(words: tuple[str, ...]) -> tuple[int, int] | None:
    """The shortest stretch of `words` that names all conditions that the whole of them names."""
    whole = _mains(" ".join(words))
    if not whole:
        return None
    start, end = 0, len(words)
    while start < end - 1 and _mains(" ".join(words[start + 1 : end])) == whole:
        start += 1
    while end > start + 1 and _mains(" ".join(words[start : end - 1])) == whole:
        end -= 1
    return start, end


def _other(core: str, treatments: tuple[str, ...]) -> tuple[str, ...]:
    """The stems of what a claim is compared with, where it is named in words of its own."""
    found = _AGAINST.search(core)
    if found is None:
        return ()
    other = _POPULATION.split(f" {found['other']}", maxsplit=1)[0]
    known = {word for name in treatments for word in phrase(name)}
    words = [
        w
        for w in phrase(other)
        if content(w) and not w[0].isdigit() and w not in terms().generic | terms().no_outcome | known
    ]
    return tuple(dict.fromkeys(map(root, words)))


def _uncompared(tail: str) -> str:
    """What stands after a verb, without what something is compared with: that is no outcome."""
    found = _AGAINST.search(tail)
    if found is None:
        return tail
    other = _POPULATION.split(f" {found['other']}", maxsplit=1)[0]
    return f"{tail[: found.start()]} {tail[found.start('other') + len(other) - 1 :]}"


def _outcomes(text: str, named: frozenset[str]) -> tuple[tuple[Term, ...], ...]:
    """The outcomes that a phrase lists; of generic words only where there are no others."""
    parts = [part for one in _PARTS.split(apart(written_out(text))) if (part := _terms(one, named))]
    telling = [part for one in parts if (part := tuple(t for t in one if not _generic(t)))]
    return tuple(telling or parts)


def _adverb(word: str) -> bool:
    return word.endswith("ly") and not word.endswith(("maly", "mily", "mbly", "pply"))


def _generic(term: Term) -> bool:
    return not term.concept and any(root(word) == term.name[0] for word in terms().generic_outcomes)


def _terms(part: str, named: frozenset[str]) -> tuple[Term, ...]:
    """The concepts and words of one outcome's name, in order."""
    raw = tuple(_TOKEN.findall(part))
    folded = tuple(map(fold, raw))
    place = _narrowed(raw)
    lines = [m for m in terms().outcomes.find(raw, folded) if m.kind == OUTCOME]
    found: list[tuple[int, Term]] = []
    taken: set[int] = set()
    if place is not None and not set(folded[place[0] : place[1]]) <= named:
        start, end = place
        taken.update(range(start, end))
        same = frozenset(m.name for m in lines if (m.start, m.end) == place)
        found.append((start, Term(same, _mains(" ".join(raw[start:end])), folded[start:end])))
    for match in lines:
        if taken.isdisjoint(range(match.start, match.end)) and folded[match.start] not in named:
            taken.update(range(match.start, match.end))
            same = frozenset(m.name for m in lines if (m.start, m.end) == (match.start, match.end))
            found.append((match.start, Term(same, frozenset(), folded[match.start : match.end])))
    skipped = terms().no_outcome | named
    for at, word in enumerate(folded):
        if at in taken or word in skipped or _adverb(word) or not content(word):
            continue
        if not word[0].isdigit() and len(word) > 1:
            found.append((at, Term(name=(root(word),))))
    return tuple(term for _, term in sorted(found, key=lambda pair: pair[0]))


def named_outcome(asked: Matter, sentence: Said, conditions: frozenset[str], stems: frozenset[str]) -> bool:
    """Whether a sentence names one of a claim's outcomes.

    Of a name of two terms both, of a longer one two thirds. What only qualifies ("breast cancer" of its mortality,
    "colonic" of diverticulosis) may stand in the `conditions` and `stems` named around the sentence.
    """
    if asked.vague:
        return bool(sentence.outcomes or asked.conditions & sentence.conditions) or root("effect") in sentence.stems
    return any(_held(one, sentence, conditions, stems) for one in asked.outcomes)


def _held(outcome: tuple[Term, ...], sentence: Said, conditions: frozenset[str], stems: frozenset[str]) -> bool:
    here = [term.named(sentence) for term in outcome]
    if not any(here):
        return False
    held = here.count(True)
    for term, is_here in zip(outcome[:-1], here[:-1], strict=True):
        by_condition = bool(term.conditions) and term.conditions <= conditions
        by_word = here[-1] and not term.concept and term.name[0] in stems
        held += not is_here and (by_condition or by_word)
    needed = len(outcome) if len(outcome) <= _NAME else -(-2 * len(outcome) // 3)
    return held >= needed
