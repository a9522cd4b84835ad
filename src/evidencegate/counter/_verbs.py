"""The finite verb of a claim's main clause, found without a parser: what may be a verb, and which of them is it."""

import re
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from evidencegate.counter._grammar import Grammar

WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
PREPOSITIONS = frozenset(
    "with by in to at for from of on as into through during after before than using within without among"
    " between".split()
)
_PARENTHESES = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_OPENERS = PREPOSITIONS | {"among", "compared", "given", "when", "if", "once", "where", "because", "since", "unlike"}


class Form(StrEnum):
    """What kind of verb form it is."""

    BE = "be"
    AUXILIARY = "auxiliary"
    MODAL = "modal"
    DUTY = "duty"
    THIRD = "third"
    PAST = "past"
    BASE = "base"

    @property
    def full(self) -> bool:
        """Whether it carries the meaning itself."""
        return self in (Form.THIRD, Form.PAST, Form.BASE)


@dataclass(frozen=True, slots=True)
class Verb:
    """A finite verb, half-open in the characters of its claim."""

    start: int
    end: int
    word: str
    base: str
    """Empty for an auxiliary or modal."""
    form: Form


class _Sure(IntEnum):
    """How sure it is that a word is the finite verb."""

    HARDLY = 1
    EITHER = 2
    """As well a noun or a participle."""
    QUITE = 3
    WHOLLY = 4


@dataclass(frozen=True, slots=True)
class _Candidate:
    verb: Verb
    sure: _Sure
    stretch: int
    """Which stretch between boundary words it stands in."""


_LEADING = frozenset({("led", "to"), ("resulted", "in"), ("contributed", "to")})
"""Past forms that have a preposition after them and are the verb all the same."""


def main_verb(core: str, rules: Grammar) -> Verb | None:
    """The finite verb of the main clause; None where no word can be it.

    The first stretch of the clause that has a sure candidate decides; within it the surest, of equals the first, so
    that in "a low-dose extended regimen is safe" the auxiliary goes before the participle.
    """
    core = _PARENTHESES.sub(lambda found: " " * len(found[0]), core)  # what stands in them is no main clause
    words = list(WORD.finditer(core))
    weak: list[_Candidate] = []
    for first in dict.fromkeys((_main_clause(core, words), 0)):
        found = _candidates(core, words, first, rules)
        for stretch in sorted({candidate.stretch for candidate in found}):
            best = max((c for c in found if c.stretch == stretch), key=lambda c: c.sure)
            if best.sure >= _Sure.QUITE:
                return best.verb
        weak += found
    return max(weak, key=lambda c: c.sure).verb if weak else None


def _candidates(core: str, words: list[re.Match[str]], first: int, rules: Grammar) -> list[_Candidate]:
    found: list[_Candidate] = []
    stretch = pending = 0  # pending: verbs still owed to clauses that "who", "which" or "when" opened
    group = 0  # the last word of such a verb: "who have had"
    for i in range(first + 1, len(words)):
        word = words[i][0].lower()
        between = core[words[i - 1].end() : words[i].start()]
        if word in rules.boundaries or "," in between or ";" in between or ":" in between:
            stretch += 1
        if word in rules.subordinators or (word == "that" and _clause_follows(words, i, rules)):
            if word == "who" and i + 1 < len(words) and not words[i + 1][0].lower().endswith("ly"):
                group = _group(words, i + 1, rules)  # its verb follows at once, known or not
            else:
                pending += 1
            continue
        if not _verbal(word, rules):
            continue
        if "," in between and word in rules.auxiliaries | rules.modals:
            pending = 0  # "X, which was given to all, may reduce …"
        if i <= group:
            continue
        if pending:
            if not _leaning(words, i, first, rules):
                pending -= 1
                group = _group(words, i, rules)
            continue
        candidate = _as_verb(words, i, first, rules)
        if candidate is not None:
            found.append(_Candidate(candidate[1], candidate[0], stretch))
    return found


def _group(words: list[re.Match[str]], i: int, rules: Grammar) -> int:
    """The last word of the verb that begins with word `i`: "have had", "were not treated"."""
    if words[i][0].lower() not in rules.auxiliaries | rules.modals:
        return i
    last, j = i, i + 1
    while j < len(words) and words[i].string[words[j - 1].end() : words[j].start()].isspace():
        word = words[j][0].lower()
        if word in rules.past or word in ("be", "been", "have", "had"):
            last = j
        elif word not in ("not", "also", "ever", "never", "previously", "already") and not word.endswith("ly"):
            break
        j += 1
    return last


def _main_clause(core: str, words: list[re.Match[str]]) -> int:
    """Index of the first word of the main clause: past "In patients with …,"."""
    comma = core.find(", ")
    if not words or comma < 0 or words[0][0].lower() not in _OPENERS:
        return 0
    return next((i for i, word in enumerate(words) if word.start() > comma), 0)


def _clause_follows(words: list[re.Match[str]], i: int, rules: Grammar) -> bool:
    """Whether "that" opens a clause: "patients that had", "the finding that drug A reduces B"."""
    after = words[i + 1][0].lower() if i + 1 < len(words) else ""
    before = words[i - 1][0].lower()
    if before in PREPOSITIONS or before in ("and", "or"):
        return False
    return _verbal(after, rules) or not _verbal(before, rules)


def _verbal(word: str, rules: Grammar) -> bool:
    return (
        word in rules.modals
        or word in rules.duties
        or word in rules.auxiliaries
        or word in rules.third
        or word in rules.past
        or word in rules.base
    )


def _leaning(words: list[re.Match[str]], i: int, first: int, rules: Grammar) -> bool:
    """Whether a word only looks like a verb: an adjective or noun after an article or preposition."""
    if words[i][0].lower() in rules.auxiliaries | rules.modals or words[i - 1][0].lower() == "that":
        return False  # "an ovary that looks black"
    return _before(words, i, first) in rules.attributives


def _before(words: list[re.Match[str]], i: int, first: int) -> str:
    """The word before, adverbs and "not" left out; nothing where a figure stands between."""
    if i and any(c.isdigit() for c in words[i].string[words[i - 1].end() : words[i].start()]):
        return ""
    j = i - 1
    while j > first and (words[j][0].lower().endswith("ly") or words[j][0].lower() in ("also", "not", "still")):
        j -= 1
    return words[j][0].lower() if j >= first else ""


def _as_verb(words: list[re.Match[str]], i: int, first: int, rules: Grammar) -> tuple[_Sure, Verb] | None:
    match, word = words[i], words[i][0].lower()
    before = _before(words, i, first)
    after = words[i + 1][0].lower() if i + 1 < len(words) else ""

    def verb(form: Form, base: str = "") -> Verb:
        return Verb(match.start(), match.end(), match[0], base, form)

    if before == "to" or (word in rules.modals and match[0][0].isupper()):
        return None  # "May" is a month
    if word in rules.modals:
        return _Sure.WHOLLY, verb(Form.MODAL)
    if word in rules.duties:
        return _Sure.WHOLLY, verb(Form.DUTY)
    if word in ("has", "have", "had") and not _participle(after, words, i, rules):
        return _Sure.WHOLLY, verb({"has": Form.THIRD, "have": Form.BASE, "had": Form.PAST}[word], "have")
    if word in rules.be:
        return _Sure.WHOLLY, verb(Form.BE)
    if word in rules.auxiliaries:
        return _Sure.WHOLLY, verb(Form.AUXILIARY)
    joining = ("and", "or", "some", "all", "many", "most", "both")
    # "Drug A reduces" has a name and no article; at its beginning "A reduces" has, "A reduced" may not.
    named = words[i - 1][0] == "A" and (i - 1 > first or rules.third.get(word, "") not in rules.nouns | {""})
    if before in rules.subordinators or (before in rules.attributives and before not in joining and not named):
        return None
    object_follows = bool(after) and not (
        after in PREPOSITIONS | rules.boundaries or _verbal(after, rules) or "," in match.string[match.end() :][:1]
    )
    if word in rules.third:
        base = rules.third[word]
        either = base in rules.nouns and not object_follows
        return (_Sure.EITHER if either else _Sure.WHOLLY), verb(Form.THIRD, base)
    figure = not before and i > first  # "32 confirmed cases"
    if word in rules.past and before not in ("and", "or") and not figure:
        if before.endswith("ing"):
            # "exercise training reduced scores" has its verb, "with training reduced by half" has none.
            return (_Sure.EITHER, verb(Form.PAST, rules.past[word])) if object_follows and i - 1 > first else None
        reduced = (after in PREPOSITIONS or not after) and (word, after) not in _LEADING and word not in rules.finite
        return (_Sure.HARDLY if reduced else _Sure.QUITE), verb(Form.PAST, rules.past[word])
    if word in rules.base and before not in ("and", "or"):
        many = plural(" ".join(w[0] for w in words[first:i]), rules)
        if word in rules.nouns and not (many and object_follows):
            return (_Sure.EITHER if many else _Sure.HARDLY), verb(Form.BASE, word)
        return (_Sure.QUITE if many else _Sure.EITHER), verb(Form.BASE, word)
    return None


def _participle(after: str, words: list[re.Match[str]], i: int, rules: Grammar) -> bool:
    """Whether "has" is followed by a participle, past adverbs."""
    j = i + 1
    while j + 1 < len(words) and (words[j][0].lower().endswith("ly") or words[j][0].lower() in ("also", "not")):
        j += 1
    after = words[j][0].lower() if j < len(words) else after
    follows = words[j + 1][0].lower() if j + 1 < len(words) else ""
    if after == "been":
        return True
    # "has increased the risk" is a perfect; "had increased risk" and "has reduced mortality" are not sure to be.
    return (after in rules.past and follows in rules.attributives | PREPOSITIONS | {"over", "since"}) or after in (
        "shown",
        "become",
        "led",
    )


def plural(subject: str, rules: Grammar) -> bool:
    """Whether the verb of this subject is a plural's."""
    subject = subject.rstrip(" ,").rsplit(",", maxsplit=1)[-1]
    words = WORD.findall(subject)
    if not words:
        return False
    head = re.split(r"\s(?:of|in|with|for|from|to|among|between|on|at|by|during|after|who|that|which)\s", subject)[0]
    listed = WORD.findall(head) or words
    while len(listed) > 1 and (listed[-1].lower() in rules.past or listed[-1].lower() in rules.participles):
        listed.pop()  # "readings taken" by a doctor
    last = listed[-1].lower()
    if listed[0].lower() in rules.gerunds and len(listed) > 1:
        return False  # "Eating nuts lowers"
    return (
        re.search(r"\band\b", head) is not None
        or last in rules.plurals
        or listed[0].lower() in rules.many
        or (last.endswith("s") and not last.endswith(("ss", "us", "is")) and last not in rules.singulars)
    )
