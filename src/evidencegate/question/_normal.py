"""Words as the vocabulary compares them: one spelling, one number, one typography; places in the text are kept."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# A stop ends a sentence only after a word of two letters, so that "H. pylori" stays one phrase.
_TOKEN = re.compile(r"[^\W_]+(?:['’]s\b)?|(?<=\w\w)[.;:?!](?=\s|$)|(?<=[)\]%])[.;:?!](?=\s|$)|,")
BREAKS = frozenset(".;:?!")

_SPELLING = tuple(
    (re.compile(pattern), into)
    for pattern, into in (
        ("aem", "em"),
        ("paed", "ped"),
        ("phaeo", "pheo"),
        ("oed", "ed"),
        ("oes(?=[ot])", "es"),
        ("coel", "cel"),
        ("rrhoe", "rrhe"),
        ("pnoe", "pne"),
        ("our$", "or"),
        ("our(?=s$|al|ed$|ing$)", "or"),
        ("gynaec", "gynec"),
        ("caesar", "cesar"),
        ("anaest", "anest"),
        ("fibre", "fiber"),
        ("foet", "fet"),
        ("sulph", "sulf"),
        ("faec", "fec"),
        ("paenia", "penia"),
        ("tre$", "ter"),
        ("yse(?=$|d$|s$)", "yze"),
        ("is(?=e$|ed$|es$|ing$|ation)", "iz"),
        ("manoeuv", "maneuv"),
        ("programme", "program"),
        ("haem", "hem"),
    )
)
# Most words have none of these; one search spares them twenty.
_BRITISH = re.compile("|".join(pattern.pattern for pattern, _ in _SPELLING))
_PLURALS = {
    "metastases": "metastasis",
    "crises": "crisis",
    "analyses": "analysis",
    "doses": "dose",
    "overdoses": "overdose",
    "feet": "foot",
    "children": "child",
    "women": "woman",
    "men": "man",
    "emboli": "embolus",
    "testes": "testis",
}
_OSES = re.compile(r"(?<=.{3})oses$")


_GREEK = {"α": "alpha", "β": "beta", "ß": "beta", "γ": "gamma", "δ": "delta", "κ": "kappa", "ω": "omega"}


def _letters(word: str) -> str:
    if word.isascii():
        return word
    plain = (c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    # "β-carotene" and "ω-3" are what others write out.
    return _GREEK.get(word) or "".join(plain)


def fold(word: str) -> str:
    """One token in the form that is compared: lower case, no accents, American spelling, singular."""
    word = _letters(word.lower())
    if word.endswith(("'s", "’s")):
        word = word[:-2]
    if len(word) < 4:
        return word
    if _BRITISH.search(word):
        for pattern, into in _SPELLING:
            word = pattern.sub(into, word)
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        if _OSES.search(word):
            return word[:-2] + "is"
        return word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
    return word


class _Folded(dict[str, str]):
    """Folded tokens, each worked out once. Emptied when a flood of text has filled it."""

    def __missing__(self, token: str) -> str:
        if len(self) > 300_000:
            self.clear()
        folded = self[token] = fold(token)
        return folded


_folded = _Folded()


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a text with its half-open span."""

    text: str
    folded: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """Words, commas and sentence-ending marks of `text`, with their places."""
    return [Token(m.group(), _folded[m.group()], m.start(), m.end()) for m in _TOKEN.finditer(text)]


def words(text: str) -> tuple[list[str], list[str]]:
    """The tokens of `text` as written and folded, without places: for many texts at once."""
    raw = _TOKEN.findall(text)
    return raw, [_folded[token] for token in raw]


@lru_cache(maxsize=20_000)
def phrase(text: str) -> tuple[str, ...]:
    """The folded words of a phrase of the vocabulary; marks are left out."""
    return tuple(_folded[t] for t in _TOKEN.findall(text) if t not in BREAKS and t != ",")
