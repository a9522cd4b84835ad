"""What a paper would say if a claim were wrong: counterfactual statements, by rules."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from evidencegate.counter._grammar import Grammar, grammar

_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_CITED = re.compile(r"\s*(?:\[[\d\s,;–-]+\]|\(\s*(?:[A-Z][\w-]+(?: et al\.?)?,? \d{4}[a-z]?;?\s*)+\))")
_COMPARED = re.compile(
    r"\s*,?\s*\b(?:compared (?:with|to)|in comparison (?:with|to)|relative to|versus|vs\.?|than)\s+(?P<other>[^,;.]+)",
    re.IGNORECASE,
)
_SUPERIOR = re.compile(
    r"^(?P<one>.+?)\s+(?P<be>is|are|was|were)\s+(?P<how>(?:not )?(?:superior|inferior|non-?inferior|preferable) to"
    r"|(?:more|less) [\w-]+ than|better than|worse than|safer than)\s+(?P<other>[^,;]+?)"
    r"(?P<rest>(?:\s+(?:in|for|with regard to|at|among|as)\b.*)?)$",
    re.IGNORECASE,
)
_ASSOCIATED = re.compile(
    r"^(?P<one>.+?)\s+(?:(?:is|are|was|were|has been|have been)\s+)?(?:[\w-]+ly\s+)?"
    r"(?P<how>associated|correlated|linked|related)\s+(?:with|to)\s+(?P<other>.+)$",
    re.IGNORECASE,
)
_RESULTING = re.compile(
    r",?\s+(?P<verb>leading|resulting|causing|increasing|reducing|decreasing|improving|preventing|raising|lowering)\b"
    r"(?P<tail>\s+(?:to|in)\b)?",
    re.IGNORECASE,
)
_PREPOSITIONS = frozenset("with by in to at for from of on as into through during after before than".split())
_MAX_WORDS = 70


class Opposite(StrEnum):
    """How a statement opposes its claim."""

    NEGATION = "negation"
    AFFIRMATION = "affirmation"
    """The claim denies something; this asserts it."""
    REVERSAL = "reversal"
    NO_DIFFERENCE = "no_difference"
    COMPARATOR = "comparator"


@dataclass(frozen=True, slots=True)
class Statement:
    """A declarative sentence that contradicts the claim it was made of."""

    text: str
    opposite: Opposite


def statements(claim: str) -> tuple[Statement, ...]:
    """The opposites of `claim`, the plainest first; empty where no rule applies."""
    core = plain(claim)
    if not core or len(core.split()) > _MAX_WORDS:
        return ()
    found: dict[str, Statement] = {}
    for text, opposite in _opposites(core):
        sentence = _sentence(text)
        if sentence.casefold() != _sentence(core).casefold():
            found.setdefault(sentence.casefold(), Statement(sentence, opposite))
    return tuple(found.values())


def plain(claim: str) -> str:
    """The claim itself: without citations, without "these results suggest that", without its full stop."""
    text = " ".join(_CITED.sub("", claim).split()).strip().rstrip(".;:!")
    for _ in range(4):
        match = grammar().opening.match(text)
        if match is None or match.end() == 0 or not text[match.end() :].strip():
            break
        text = text[match.end() :].lstrip(" ,:")
    return text[:1].upper() + text[1:]


def _opposites(core: str) -> Iterator[tuple[str, Opposite]]:
    rules = grammar()
    for pattern, to in rules.unnegate:
        affirmed, count = pattern.subn(to, core, count=1)
        if count:
            yield affirmed, Opposite.AFFIRMATION
            break
    else:
        verb = _main_verb(core, rules)
        if verb is not None:
            yield _negated(core, verb, rules), Opposite.NEGATION
            level = _no_difference(core, verb)
            if level:
                yield level, Opposite.NO_DIFFERENCE
    swapped = _SUPERIOR.match(core)
    if swapped and "not" not in swapped["how"].casefold():
        yield (
            f"{swapped['other']} {swapped['be']} {swapped['how']} {swapped['one'][0].lower()}{swapped['one'][1:]}"
            f"{swapped['rest']}",
            Opposite.COMPARATOR,
        )
    reversed_ = _reversed(core, rules)
    if reversed_:
        yield reversed_, Opposite.REVERSAL


@dataclass(frozen=True, slots=True)
class _Verb:
    start: int
    end: int
    word: str
    base: str
    """Empty for an auxiliary or modal."""
    kind: str
    """`auxiliary`, `modal`, `duty`, `third`, `past`, `base`."""


def _main_verb(core: str, rules: Grammar) -> _Verb | None:
    """The finite verb of the main clause: the surest candidate, the first of equals."""
    words = list(_WORD.finditer(core))
    first = _after_opening_clause(core, words, rules)
    best: tuple[int, _Verb] | None = None
    pending = 0  # verbs still owed to clauses that "who", "which" or "when" opened
    for i in range(first, len(words)):
        word = words[i][0].lower()
        before = words[i - 1][0].lower() if i > first else ""
        after = words[i + 1][0].lower() if i + 1 < len(words) else ""
        if word in rules.subordinators and i > first:
            pending += 1
            continue
        sureness, verb = _as_verb(words[i], word, before, after, rules)
        if verb is None:
            continue
        if pending:
            pending -= 1
            continue
        if best is None or sureness > best[0]:
            best = (sureness, verb)
        if sureness >= 3:
            break
    return best[1] if best else None


def _after_opening_clause(core: str, words: list[re.Match[str]], rules: Grammar) -> int:
    """Where the main clause begins: past "In patients with …," or "Although …,"."""
    comma = core.find(", ")
    if not words or comma < 0:
        return 0
    opening = words[0][0].lower()
    if opening not in rules.subordinators and opening not in _PREPOSITIONS | {"among", "compared", "given", "despite"}:
        return 0
    return next((i for i, word in enumerate(words) if word.start() > comma), 0)


def _as_verb(match: re.Match[str], word: str, before: str, after: str, rules: Grammar) -> tuple[int, _Verb | None]:
    """How sure it is (1-3) that a word is the finite verb, and the verb."""

    def verb(kind: str, base: str = "") -> _Verb:
        return _Verb(match.start(), match.end(), match[0], base, kind)

    if before == "to":
        return 0, None
    if word in rules.modals:
        return 3, verb("modal")
    if word in rules.duties:
        return 3, verb("duty")
    if word in ("has", "have", "had") and not (after in rules.past or after == "been" or after.endswith(("ed", "en"))):
        return 3, verb({"has": "third", "have": "base", "had": "past"}[word], "have")
    if word in rules.auxiliaries:
        return 3, verb("auxiliary")
    if before in rules.attributives:
        return 0, None
    if word in rules.third:
        return 3, verb("third", rules.third[word])
    if word in rules.past:
        return (1 if after in _PREPOSITIONS else 2), verb("past", rules.past[word])
    if word in rules.base:
        plural = before.endswith("s") and not before.endswith(("ss", "us", "is"))
        return (3 if plural else 1), verb("base", word)
    return 0, None


def _negated(core: str, verb: _Verb, rules: Grammar) -> str:
    head, tail = core[: verb.start], core[verb.end :]
    many = _plural(head)
    match verb.kind:
        case "auxiliary" | "duty":
            negated = f"{verb.word} not"
        case "modal":
            be = re.match(r"\s+be\b", tail)
            if be:
                negated, tail = ("are not" if many else "is not"), tail[be.end() :]
            else:
                negated = "do not" if many else "does not"
        case "third":
            negated = f"does not {verb.base}"
        case "past":
            negated = f"did not {verb.base}"
        case _:
            negated = f"do not {verb.base}"
    return head + negated + _negated_rest(tail, negated, many=many, rules=rules)


def _negated_rest(tail: str, negated: str, *, many: bool, rules: Grammar) -> str:
    """Verbs that share the subject are denied with it: "and causes …", ", leading to …"."""

    def coordinated(match: re.Match[str]) -> str:
        word = match["verb"].lower()
        forms = (("does not", rules.third), ("did not", rules.past))
        for auxiliary, table in forms:
            if word in table and negated.startswith((auxiliary, "is not", "are not", "was not", "were not")):
                return f"{match['and']}{auxiliary} {table[word]}"
        return match[0]

    tail = re.sub(r"(?P<and>,?\s+and\s+)(?P<verb>[a-z]+)\b", coordinated, tail)

    def resulting(match: re.Match[str]) -> str:
        base = {"leading": "lead", "resulting": "result", "causing": "cause", "raising": "raise"}.get(
            match["verb"].lower()
        )
        if base is None:
            stem = match["verb"].lower().removesuffix("ing")
            base = next((b for b in (stem, stem + "e", stem[:-1]) if b in rules.base), None)
        return match[0] if base is None else f" and {'do' if many else 'does'} not {base}{match['tail'] or ''}"

    return _RESULTING.sub(resulting, tail)


def _plural(subject: str) -> bool:
    words = _WORD.findall(subject.rsplit(",", maxsplit=1)[-1])
    if not words:
        return False
    head = subject.split(" of ", maxsplit=1)[0].split(" in ", maxsplit=1)[0].split(" with ", maxsplit=1)[0]
    last = (_WORD.findall(head) or words)[-1].lower()
    return " and " in head or (last.endswith("s") and not last.endswith(("ss", "us", "is")))


def _no_difference(core: str, verb: _Verb) -> str | None:
    """The claim's comparison or effect, found to be nil."""
    associated = _ASSOCIATED.match(core)
    if associated:
        return f"There is no significant association between {_lower(associated['one'])} and {associated['other']}"
    effective = verb.kind in ("third", "past", "base") and verb.base not in ("be", "have", "remain", "represent")
    if not effective:
        return None
    subject = core[: verb.start].strip(" ,")
    target = core[verb.end :].strip()
    compared = _COMPARED.search(target)
    if compared:
        outcome = (target[: compared.start()] + target[compared.end() :]).strip(" ,")
        if outcome:
            return f"There is no significant difference in {outcome} between {_lower(subject)} and {compared['other']}"
    first = target.split(" ")[0].lower() if target else ""
    if not first or first in _PREPOSITIONS:
        return None
    return f"{subject} {'have' if _plural(subject) else 'has'} no significant effect on {target}"


def _reversed(core: str, rules: Grammar) -> str | None:
    for word in _WORD.finditer(core):
        opposite = rules.opposites.get(word[0].lower())
        if opposite:
            shown = opposite.capitalize() if word[0][0].isupper() else opposite
            return core[: word.start()] + shown + core[word.end() :]
    return None


def _lower(text: str) -> str:
    """A subject within a sentence: its capital goes, unless the word has its own."""
    first = text.split(" ", maxsplit=1)[0]
    return text if len(first) > 1 and not first[1:].islower() else text[:1].lower() + text[1:]


def _sentence(text: str) -> str:
    text = " ".join(text.split()).strip(" ,;:.")
    return text[:1].upper() + text[1:] + "."
