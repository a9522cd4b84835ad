"""Turning a plain claim round: denied, affirmed, reversed, its difference nil, its comparator ahead."""

import re
from collections.abc import Iterator

from evidencegate.counter._affirm import undenied
from evidencegate.counter._directions import directions
from evidencegate.counter._grammar import Grammar
from evidencegate.counter._quantity import quantified
from evidencegate.counter._reverse import reversed_
from evidencegate.counter._types import Opposite
from evidencegate.counter._verbs import PREPOSITIONS, WORD, Form, Verb, main_verb, plural

_COMPARED = re.compile(
    r"\s*,?\s*\b(?:compared (?:with|to)|in comparison (?:with|to)|relative to|versus|vs\.?|than)\s+(?P<other>[^,;.]+)",
    re.IGNORECASE,
)
_SUPERIOR = re.compile(
    r"^(?P<one>.+?)\s+(?P<be>is|are|was|were)\s+(?P<how>(?:[a-z]+ly )?(?:(?:superior|inferior|non-?inferior|preferable)"
    r" to|(?:more|less) [\w-]+ than|better than|worse than|safer than))\s+(?P<other>[^,;]+?)"
    r"(?P<rest>(?:\s+(?:even )?(?:in|for|with regard to|at|among|as|on|after|during)\b.*)?)$",
    re.IGNORECASE,
)
_ASSOCIATED = re.compile(
    r"\s+(?:been\s+)?(?:[\w-]+ly\s+(?:(?:but|and|or|yet)\s+[\w-]+ly\s+)?)*"
    r"(?P<how>associated|correlated|linked|related)\s+(?:with|to)\s+(?P<other>.+)$",
    re.IGNORECASE,
)
_RESULTING = re.compile(
    r",?\s+(?P<verb>leading|resulting|causing|increasing|reducing|decreasing|improving|preventing|raising|lowering)\b"
    r"(?P<tail>\s+(?:to|in)\b)?",
    re.IGNORECASE,
)
_LEANING = re.compile(r"^\s+(?:also|even|still|possibly|potentially|probably|likely|perhaps|therefore|thus)\b", re.I)
_ADVERB = re.compile(r"\s+(?P<adverb>[a-z]+ly|also|always|often)\s+$")
_SEEMING = re.compile(r"^\s+to\s+(?P<be>be\b)?", re.IGNORECASE)
_CORRELATIVE = re.compile(r"The (?:more|less|fewer|higher|lower|greater|longer|earlier)\b[^,]*, the \w+", re.IGNORECASE)
_OWN_DENIAL = re.compile(
    r",?\s+(?:and|but)\s+(?=(?:(?:does|do|did|is|are|was|were|has|have|had|can|could|may|might|will|would)\s+not|cannot"
    r"|(?:has|have|had|carries|carry|poses|pose|makes|shows|offers)\s+no)\b)"
)


def opposites(core: str, rules: Grammar) -> Iterator[tuple[str, Opposite]]:
    """Each way to turn `core` (a plain claim, no full stop) round, the plainest first."""
    doubted = rules.doubted.match(core)
    if doubted and core[doubted.end() :].strip():
        yield core[doubted.end() :], Opposite.AFFIRMATION
        return
    verb = main_verb(core, rules)
    counted = list(quantified(core, verb, rules))
    if counted:
        yield from counted
        return
    joined = _OWN_DENIAL.search(core, verb.end) if verb is not None else None
    if joined and verb is not None:  # "is safe and does not cause X": either part may be wrong
        yield from opposites(core[: joined.start()], rules)
        yield from opposites(_ADVERB.sub(" ", core[: verb.start]) + core[joined.end() :], rules)
        return
    affirmed = undenied(core, verb, rules)
    if affirmed is not None:
        yield affirmed, Opposite.AFFIRMATION
        yield from ((text, Opposite.REVERSAL) for text in directions(core, affirmed, rules))
        return
    if verb is not None and not _CORRELATIVE.match(core):
        yield _negated(core, verb, rules), Opposite.NEGATION
        level = _no_difference(core, verb, rules)
        if level:
            yield level, Opposite.NO_DIFFERENCE
    swapped = _swapped(core, verb)
    if swapped:
        yield swapped, Opposite.COMPARATOR
    levels = list(directions(core, "", rules))
    turned = None if levels else reversed_(core, verb, rules)
    yield from ((text, Opposite.REVERSAL) for text in ([turned] if turned else levels))


def _swapped(core: str, verb: Verb | None) -> str | None:
    """ "A is superior to B" with B ahead."""
    found = _SUPERIOR.match(core)
    if found is None or verb is None or found.start("be") != verb.start:
        return None
    one = found["one"][0].lower() + found["one"][1:] if found["one"][1:2].islower() else found["one"]
    return f"{found['other']} {found['be']} {found['how']} {one}{found['rest']}"


def _negated(core: str, verb: Verb, rules: Grammar) -> str:
    head, tail = core[: verb.start], core[verb.end :]
    many = plural(head, rules)
    negated, tail = _denial(verb, tail, rules, many=many)
    adverb = _ADVERB.search(head)
    if adverb and verb.form.full:  # "significantly changed": "did not significantly change"
        head = head[: adverb.start()] + " "
        *auxiliary, base = negated.split(" ")
        negated = " ".join((*auxiliary, adverb["adverb"], base)) if len(auxiliary) > 1 else negated
    # "significantly but modestly associated": only one adverb can be denied with the verb.
    tail = re.sub(r"^(\s+[a-z]+ly)\s+(?:but|yet)\s+[a-z]+ly\b", r"\1", tail)
    return head + negated + _shared_verbs(tail, negated, rules, many=many)


def _denial(verb: Verb, tail: str, rules: Grammar, *, many: bool) -> tuple[str, str]:
    """The verb denied, and what is left of the text after it."""
    does, is_, has = ("do not", "are not", "have not") if many else ("does not", "is not", "has not")
    match verb.form:
        case Form.BE | Form.AUXILIARY | Form.DUTY:
            return f"{verb.word} not", tail
        case Form.MODAL:
            return _denied_modal(verb.word.lower(), _LEANING.sub("", tail), does, is_, has)
        case Form.THIRD | Form.BASE | Form.PAST if verb.base in ("seem", "appear") and _SEEMING.match(tail):
            seeming = _SEEMING.match(tail)
            past = verb.form is Form.PAST
            be = ("were not" if many else "was not") if past else is_
            do = "did not" if past else does
            end = seeming.end() if seeming else 0
            return (be, tail[end:]) if seeming and seeming["be"] else (do, " " + tail[end:].lstrip())
        case Form.THIRD:
            return f"does not {verb.base}", tail
        case Form.PAST:
            return f"did not {verb.base}", tail
        case _:
            return f"do not {verb.base}", tail


def _denied_modal(modal: str, tail: str, does: str, is_: str, has: str) -> tuple[str, str]:
    be = re.match(r"\s+be\b", tail)
    have = re.match(r"\s+have\b(?=\s+(?:[a-z]+ly\s+)?(?:been|[a-z]+ed|[a-z]+en|had|led)\b)", tail)
    if modal in ("will", "would"):
        return f"{modal} not", tail
    if be and modal in ("can", "could") and re.match(r"\s+(?:[a-z]+ly\s+)?[a-z]+(?:ed|en|ne)\b", tail[be.end() :]):
        return f"{modal}not" if modal == "can" else "could not", tail
    if be:
        return is_, tail[be.end() :]
    if have:
        return has, tail[have.end() :]
    return ("cannot" if modal in ("can", "could") else does), tail


def _shared_verbs(tail: str, negated: str, rules: Grammar, *, many: bool) -> str:
    """Verbs that share the subject are denied with it: "and causes …", "and may …", ", leading to …"."""
    does = "do not" if many else "does not"

    def coordinated(match: re.Match[str]) -> str:
        word = match["verb"].lower()
        if word in rules.modals:
            be = "are not" if many else "is not"
            return f"{match['and']}{be if match['next'] == 'be' else f'{does} ' + (match['next'] or '')}"
        said = match["verb"] + (f" {match['next']}" if match["next"] else "")
        rest = f" {match['next']}" if match["next"] else ""
        if word in rules.be:
            return match["and"] + word + " not" + rest
        for auxiliary, table, nouns in (("does not", rules.third, rules.nouns), ("did not", rules.past, frozenset())):
            # A noun after "and" ("diet and changes in …") is no verb; nor is a participle that qualifies one.
            sure = word in table and table[word] not in nouns and match["next"] not in PREPOSITIONS | {None}
            finite = negated.startswith(auxiliary) or negated in ("is not", "are not", "was not", "were not")
            if sure and finite and not (auxiliary == "did not" and negated.endswith(" not")):
                return f"{match['and']}{auxiliary} {table[word]}{rest}"
        return match["and"] + said

    tail = re.sub(r"(?P<and>,?\s+and\s+)(?P<verb>[a-z]+)\b(?:\s+(?P<next>[a-z]+)\b)?", coordinated, tail)

    def resulting(match: re.Match[str]) -> str:
        irregular = {"leading": "lead", "resulting": "result", "causing": "cause", "raising": "raise"}
        word = match["verb"].lower()
        # "effective in reducing": after a preposition or a verb of its own it shares nothing.
        before = WORD.findall(tail[: match.start()])
        comma = match[0].startswith(",")
        if not comma and (not before or before[-1].lower() in PREPOSITIONS | rules.be | {"and", "or", "at"}):
            return match[0]
        if not comma:
            return match[0]
        stem = word.removesuffix("ing")
        base = irregular.get(word) or next((b for b in (stem, stem + "e", stem[:-1]) if b in rules.base), None)
        return match[0] if base is None else f" and {does} {base}{match['tail'] or ''}"

    return _RESULTING.sub(resulting, tail)


def _no_difference(core: str, verb: Verb, rules: Grammar) -> str | None:
    """The claim's comparison or effect, found to be nil."""
    subject = _ADVERB.sub("", core[: verb.start]).strip(" ,")
    target = core[verb.end :].strip()
    if verb.form in (Form.BE, Form.AUXILIARY):
        associated = _ASSOCIATED.match(core[verb.end :])
        if associated is None or verb.word.lower() in ("do", "does", "did"):
            return None
        return f"There is no significant association between {_lower(subject)} and {associated['other']}"
    if not verb.form.full or verb.base not in rules.effects:
        return None
    compared = _COMPARED.search(target)
    if compared:
        outcome = (target[: compared.start()] + target[compared.end() :]).strip(" ,")
        return (
            f"There is no significant difference in {outcome} between {_lower(subject)} and {compared['other']}"
            if outcome
            else None
        )
    first = target.split(" ")[0].lower() if target else ""
    if not first or first in PREPOSITIONS or re.search(r"\b(?:and|or) [a-z]+(?:s|ed)\b", target):
        return None
    return f"{subject} {'have' if plural(subject, rules) else 'has'} no significant effect on {target}"


def _lower(text: str) -> str:
    """A subject within a sentence: its capital goes, unless the word has its own."""
    first = text.split(" ", maxsplit=1)[0]
    return text if len(first) > 1 and not first[1:].islower() else text[:1].lower() + text[1:]
