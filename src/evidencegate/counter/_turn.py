"""Turning a plain claim round: denied, affirmed, reversed, its difference nil, its comparator ahead."""

import re
from collections.abc import Iterator

from evidencegate.counter._directions import directions
from evidencegate.counter._grammar import Grammar, past_tense, third_person
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
_DENIED_VERB = re.compile(r"^\s+(?:[a-z]+ly\s+|also\s+|therefore\s+)?(?P<not>not|never)\b(?!\s+only)", re.IGNORECASE)
_DENIED_BOTH = re.compile(r"\bneither\s+(?P<one>[a-z]+)\s+nor\s+(?P<other>[a-z]+)\b")
_DENIED_SUBJECT = re.compile(r"^(?:(?:none or )?almost no|no|none of|neither|hardly any)\s", re.IGNORECASE)
_DENIED_OBJECT = re.compile(
    r"^(?P<between>\s+(?:[a-z]+ly\s+|been\s+|to\s+)?(?:(?:show|have|find|be|of|associated with|reveal)(?:n|ed)?\s+)?)"
    r"(?P<no>no|little or no)\s+(?P<what>(?:(?:statistically |clinically |)?significant |[a-z]+ly |[a-z]+ )?)"
    r"(?P<noun>[a-z]+)",
    re.IGNORECASE,
)
_ADVERB = re.compile(r"\s+(?P<adverb>[a-z]+ly|also|always|often)\s+$")
_HARDLY = re.compile(r"\b(?:hardly ever|almost never|rarely|seldom)\b", re.IGNORECASE)
_NOTHING = re.compile(r"\s+nothing to\s+(?P<verb>[a-z-]+)")
_SEEMING = re.compile(r"^\s+to\s+(?P<be>be\b)?", re.IGNORECASE)
_RESULTS = re.compile(r",\s+(?:thereby\s+|thus\s+)?[a-z]+ing\b", re.IGNORECASE)
_COMPARATIVES = frozenset("less fewer more lower higher greater smaller better worse longer shorter".split())
_STOP = re.compile(r"\b(?:that|which|who|whose|by|because|when|if|after|before|since|without)\b|[;:]", re.IGNORECASE)
_COUNTED = re.compile(r"\s(?:than|in|with|of|after|among|during|for|at|are|is|was|were|have|had|go|to)\b|[,;]", re.I)
_ONLY = re.compile(
    r"\b(?<!not )only (?=(?:in|among) (?:\w+ )?"
    r"(?:people|patients|those|adults|children|women|men|persons|individuals)\b)"
)
_EVERY = re.compile(r"(?:Every|All)\s")
_CORRELATIVE = re.compile(r"The (?:more|less|fewer|higher|lower|greater|longer|earlier)\b[^,]*, the \w+", re.IGNORECASE)
_MORE = re.compile(r"(?P<more>More|Fewer|Less)\b(?=.*\bthan\b)")
_OWN_DENIAL = re.compile(
    r",?\s+(?:and|but)\s+(?=(?:(?:does|do|did|is|are|was|were|has|have|had|can|could|may|might|will|would)\s+not|cannot"
    r"|(?:has|have|had|carries|carry|poses|pose|makes|shows|offers)\s+no)\b)"
)
_LIST = re.compile(r"(?:,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+)(?P<word>[A-Za-z-]+)")


def opposites(core: str, rules: Grammar) -> Iterator[tuple[str, Opposite]]:
    """Each way to turn `core` (a plain claim, no full stop) round, the plainest first."""
    doubted = rules.doubted.match(core)
    if doubted and core[doubted.end() :].strip():
        yield core[doubted.end() :], Opposite.AFFIRMATION
        return
    if _ONLY.search(core):
        yield _ONLY.sub("not only ", core), Opposite.AFFIRMATION
        return
    verb = main_verb(core, rules)
    joined = _OWN_DENIAL.search(core, verb.end) if verb is not None else None
    if joined and verb is not None:  # "is safe and does not cause X": either part may be wrong
        yield from opposites(core[: joined.start()], rules)
        yield from opposites(_ADVERB.sub(" ", core[: verb.start]) + core[joined.end() :], rules)
        return
    hardly = _HARDLY.search(core, 0, verb.start) if verb is not None else None
    if hardly:
        yield f"{core[: hardly.start()]}often{core[hardly.end() :]}", Opposite.AFFIRMATION
        return
    every = _EVERY.match(core)
    if every and verb is not None:
        yield f"Not {core[:1].lower()}{core[1:]}", Opposite.NEGATION
        return
    more = _MORE.match(core)
    if more:
        yield f"No {more['more'].lower()}{core[more.end() :]}", Opposite.NEGATION
        yield f"{'Fewer' if more['more'] == 'More' else 'More'}{core[more.end() :]}", Opposite.REVERSAL
        return
    affirmed = _affirmed(core, verb, rules)
    if affirmed is not None:
        yield affirmed, Opposite.AFFIRMATION
        yield from ((text, Opposite.REVERSAL) for text in directions(core, affirmed, rules))
    elif verb is not None and not _CORRELATIVE.match(core):
        yield _negated(core, verb, rules), Opposite.NEGATION
        level = _no_difference(core, verb, rules)
        if level:
            yield level, Opposite.NO_DIFFERENCE
    if affirmed is None:
        swapped = _SUPERIOR.match(core)
        if swapped and verb is not None and swapped.start("be") == verb.start:
            one = swapped["one"][0].lower() + swapped["one"][1:] if swapped["one"][1:2].islower() else swapped["one"]
            yield (
                f"{swapped['other']} {swapped['be']} {swapped['how']} {one}{swapped['rest']}",
                Opposite.COMPARATOR,
            )
        levels = list(directions(core, "", rules))
        yield from ((text, Opposite.REVERSAL) for text in levels)
        reversed_ = None if levels else _reversed(core, verb, rules)
        if reversed_:
            yield reversed_, Opposite.REVERSAL


def _affirmed(core: str, verb: Verb | None, rules: Grammar) -> str | None:
    """The claim with its own denial taken away; None where its main clause denies nothing."""
    if _DENIED_SUBJECT.match(core) and not rules.no_negation.match(core):
        return _affirmed_subject(core, rules)
    both = _DENIED_BOTH.search(core)
    if both:  # "neither increased nor decreased the dose"
        return f"{core[: both.start()]}{both['one']} or {both['other']}{core[both.end() :]}"
    if verb is None:
        return None
    head, tail = core[: verb.start], core[verb.end :]
    if verb.word.lower() == "cannot":
        return f"{head}can{tail}"
    nothing = _NOTHING.match(tail) if verb.word.lower() in ("does", "do", "did") else None
    if nothing:
        return f"{head}{_said(verb, nothing['verb'], rules)}{tail[nothing.end() :]}"
    denied = _DENIED_VERB.match(tail)
    if denied and not rules.no_negation.match(tail, denied.start("not")):
        rest = tail[: denied.start("not")].rstrip() + re.sub(r"\s+at all\b", "", tail[denied.end() :])
        return _with_emphasis_gone(head, verb, rest, rules)
    if verb.base == "fail":
        return _failed(head, verb, tail, rules)
    absent = _DENIED_OBJECT.match(tail)
    if absent and not rules.no_negation.match(tail, absent.start("no")):
        return head + verb.word + _with_something(absent, tail, rules)
    return None


def _affirmed_subject(core: str, rules: Grammar) -> str:
    neither = re.match(r"neither\s+(?P<list>.+?\snor\s.+)$", core, re.IGNORECASE)
    if neither:
        return " or ".join(re.split(r"\s+nor\s+", neither["list"]))
    none = re.match(r"none of\s+", core, re.IGNORECASE)
    if none:
        return "Some of " + core[none.end() :]
    hardly = re.match(r"(?:(?:none or )?almost no|hardly any)\s+", core, re.IGNORECASE)
    if hardly:
        return "Many " + core[hardly.end() :]
    rest = core[3:]
    noun = re.match(r"(?:(?:statistically |clinically )?significant )?(?P<noun>[a-z]+)", rest)
    single = noun is not None and noun["noun"] in rules.countable
    return f"{_article(rest)} {rest}" if single else f"Some {rest}"


def _with_emphasis_gone(head: str, verb: Verb, rest: str, rules: Grammar) -> str:
    """ "did not reduce" without its *not* is "reduced", not "did reduce"."""
    if verb.word.lower() in ("did", "does", "do"):
        base = re.match(r"\s+(?P<adverb>[a-z]+ly\s+)?(?P<verb>[a-z-]+)", rest)
        if base:
            return f"{head}{base['adverb'] or ''}{_said(verb, base['verb'], rules)}{rest[base.end() :]}"
    return f"{head}{verb.word}{rest}"


def _said(verb: Verb, base: str, rules: Grammar) -> str:
    """A verb in the form of the "does", "do" or "did" before it."""
    third, past = rules.forms.get(base, (third_person(base), past_tense(base)))
    return {"did": past, "does": third, "do": base}[verb.word.lower()]


def _failed(head: str, verb: Verb, tail: str, rules: Grammar) -> str | None:
    to = re.match(r"\s+to\s+(?P<verb>[a-z-]+)", tail)
    if to is None:
        return None
    third, past = rules.forms.get(to["verb"], (third_person(to["verb"]), past_tense(to["verb"])))
    said = {Form.PAST: past, Form.THIRD: third}.get(verb.form, to["verb"])
    return f"{head}{said}{tail[to.end() :]}"


def _with_something(absent: re.Match[str], tail: str, rules: Grammar) -> str:
    noun = absent["noun"].lower()
    rest = absent["what"] + absent["noun"]
    single = noun in rules.countable or absent["what"].strip().lower() in rules.countable
    article = f"{_article(rest)} ".lower() if single else ""
    return f"{absent['between']}{article}{rest}{tail[absent.end() :]}"


def _article(following: str) -> str:
    return "An" if re.match(r"[aeiou](?!ni|se|ti|ro)", following, re.IGNORECASE) else "A"


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


def _reversed(core: str, verb: Verb | None, rules: Grammar) -> str | None:
    """What the claim says of its subject, turned into its opposite word; the subject itself stays."""
    start = verb.start if verb is not None else 0
    resulting = _RESULTS.search(core, verb.end if verb is not None else 0)
    core = core[: resulting.start()] if resulting else core  # what follows from it cannot stay as it was
    stop = _STOP.search(core, verb.end if verb is not None else 0)
    end = stop.start() if stop else len(core)
    for word in WORD.finditer(core, start, end):
        finite = verb is not None and word.start() == verb.start
        opposite = _opposite(core, word, rules, finite=finite)
        after = WORD.search(core, word.end())
        if after and after[0].lower() in _COMPARATIVES:
            continue  # "causes less": the comparative is what turns
        if opposite is None or (finite and verb is not None and not verb.form.full):
            continue
        changed = _exchanged(core, word, opposite, article=not finite)
        at = word.start() + len(opposite) + (len(changed) - len(core) - (len(opposite) - len(word[0])))
        return _listed(changed, at, rules)
    return None


def _opposite(core: str, word: re.Match[str], rules: Grammar, *, finite: bool) -> str | None:
    """The opposite of a word as it is used where it stands; None where it has none there."""
    said = word[0].lower()
    before = [found[0].lower() for found in WORD.finditer(core, 0, word.start())][-1:]
    joined = finite or not before or before[0] in ("and", "or", "to", "not") or before[0] in rules.modals
    if before[:1] == ["too"]:
        return None  # "too unreliable to replace"
    if said == "lower" and not joined:
        return "higher"
    if said in ("more", "less"):
        what = WORD.findall(_COUNTED.split(core[word.end() :], maxsplit=1)[0])
        counted = bool(what) and plural(what[-1], rules)
        return "more" if said == "less" else "fewer" if counted else "less"
    opposite = rules.opposites.get(said)
    noun, other = rules.third.get(said, said), rules.third.get(opposite or "", opposite or "")
    if noun in rules.nouns and other not in rules.nouns and not (joined or before[0].endswith("ly")):
        return None  # "the main causes of" a disease
    return opposite


def _exchanged(text: str, word: re.Match[str], opposite: str, *, article: bool) -> str:
    """One word put for another, its article with it; a finite verb has none ("Drug A reduces")."""
    shown = opposite.capitalize() if word[0][0].isupper() else opposite
    head = text[: word.start()]
    if article:
        head = re.sub(r"\b([Aa])n?(\s+)$", rf"\g<1>{_article(opposite)[1:]}\g<2>", head)
    return head + shown + text[word.end() :]


def _listed(text: str, at: int, rules: Grammar) -> str:
    """ "safe and effective" is turned as a whole."""
    while listed := _LIST.match(text, at):
        opposite = rules.opposites.get(listed["word"].lower())
        if opposite is None:
            break
        text = text[: listed.start("word")] + opposite + text[listed.end("word") :]
        at = listed.start("word") + len(opposite)
    return text


def _lower(text: str) -> str:
    """A subject within a sentence: its capital goes, unless the word has its own."""
    first = text.split(" ", maxsplit=1)[0]
    return text if len(first) > 1 and not first[1:].islower() else text[:1].lower() + text[1:]
