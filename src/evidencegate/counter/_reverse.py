"""What a claim says of its subject, turned into its opposite word."""

import re

from evidencegate.counter._grammar import Grammar, article
from evidencegate.counter._verbs import WORD, Verb, plural

_RESULTS = re.compile(r",\s+(?:thereby\s+|thus\s+)?[a-z]+ing\b", re.IGNORECASE)
_COMPARATIVES = frozenset("less fewer more lower higher greater smaller better worse longer shorter".split())
_STOP = re.compile(r"\b(?:that|which|who|whose|by|because|when|if|after|before|since|without)\b|[;:]", re.IGNORECASE)
_COUNTED = re.compile(r"\s(?:than|in|with|of|after|among|during|for|at|are|is|was|were|have|had|go|to)\b|[,;]", re.I)
_LIST = re.compile(r"(?:,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+)(?P<word>[A-Za-z-]+)")


def reversed_(core: str, verb: Verb | None, rules: Grammar) -> str | None:
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
        changed = _exchanged(core, word, opposite, finite=finite)
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


def _exchanged(text: str, word: re.Match[str], opposite: str, *, finite: bool) -> str:
    """One word put for another, its article with it; a finite verb has none ("Drug A reduces")."""
    shown = opposite.capitalize() if word[0][0].isupper() else opposite
    head = text[: word.start()]
    if not finite:
        head = re.sub(r"\b([Aa])n?(\s+)$", rf"\g<1>{article(opposite)[1:]}\g<2>", head)
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
