"""Edits that turn a finding into another one: direction, negation, figures, words.

Each returns None where there is nothing to edit. All are symmetric (an edit is as likely to add *not* as to
take it away, to say *higher* as *lower*), and the callers put each edited claim under every label.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

_LONG_WORD = re.compile(r"\b[A-Za-z]{6,}\b")
_PAIRS = """increased decreased|increases decreases|increase decrease|increasing decreasing|higher lower|
greater smaller|improved worsened|improves worsens|improve worsen|improvement worsening|improvements declines|
reduced increased|reduces increases|reduce increase|reduction increase|reductions increases|raised lowered|
elevated reduced|longer shorter|better worse|superior inferior|positively negatively|positive negative|
enhanced impaired|enhances impairs|enhance impair|promotes inhibits|promoted inhibited|promote inhibit|
upregulated downregulated|up-regulated down-regulated|beneficial harmful|protective harmful|effective ineffective|
stronger weaker|faster slower|more less|activates suppresses|gain loss|rose fell|
activation inhibition|safe unsafe|common rare|frequently rarely"""

_TABLE: dict[str, str] = {}
for _pair in _PAIRS.replace("\n", "").split("|"):
    _left, _right = _pair.split()
    _TABLE.setdefault(_left, _right)
    _TABLE.setdefault(_right, _left)
_DIRECTION = re.compile(r"\b(" + "|".join(sorted(map(re.escape, _TABLE), key=len, reverse=True)) + r")\b", re.I)

#: (positive, negative) phrasings; tried in order, the first that occurs is edited.
_NEGATIONS = [
    (
        re.compile(
            r"\bno (statistically )?(significant )?(differences?|changes?|effects?|associations?|benefits?)\b", re.I
        ),
        lambda m: f"a {m[1] or ''}significant {m[3].rstrip('s') if m[3].lower() != 'differences' else 'difference'}",
    ),
    (
        re.compile(r"\ba (statistically )?significant (difference|change|effect|association|benefit)\b", re.I),
        lambda m: f"no {m[1] or ''}significant {m[2]}",
    ),
    (re.compile(r"\bnot significantly\b", re.I), lambda m: "significantly"),
    (
        re.compile(r"\b(was|were|is|are|can|could|does|do|did|has|have|had|will) not\b", re.I),
        lambda m: m[1],
    ),
    (re.compile(r"\b(was|were|is|are|can|could|has|have|had|will)\b(?! not\b)", re.I), lambda m: f"{m[1]} not"),
    (re.compile(r"\bfailed to (\w+)", re.I), lambda m: f"was able to {m[1]}"),
]
_VERBS = re.compile(
    r"\b(increas|decreas|reduc|improv|enhanc|inhibit|promot|induc|prevent|suppress|activat|impair)(ed|es|s)\b", re.I
)
_NUMBER = re.compile(
    r"(?<![\w.])(\d+(?:\.\d+)?)(?=\s?(?:%|mg|g|kg|ml|weeks?|months?|days?|years?|patients|percent|fold|times)\b|%)"
)


def _match_case(source: str, target: str) -> str:
    if source.isupper():
        return target.upper()
    return target.capitalize() if source[:1].isupper() else target


def flip_direction(text: str, *, every: bool = False) -> str | None:
    """Direction words exchanged with their opposites: the first one, or every one."""
    flipped, count = _DIRECTION.subn(lambda m: _match_case(m[1], _TABLE[m[1].lower()]), text, count=0 if every else 1)
    return flipped if count else None


def flip_negation(text: str) -> str | None:
    """One negation taken away or put in."""
    for pattern, replace in _NEGATIONS:
        found = pattern.search(text)
        if found:
            return text[: found.start()] + str(replace(found)) + text[found.end() :]
    found = _VERBS.search(text)
    if found:
        stemmed = found[1] + ("" if found[1].lower() in {"inhibit", "prevent", "suppress", "impair"} else "e")
        if stemmed.lower().endswith(("ssse",)):
            return None
        auxiliary = "did not" if found[2] == "ed" else "does not"
        return f"{text[: found.start()]}{auxiliary} {stemmed}{text[found.end() :]}"
    return None


def change_number(text: str, generator: np.random.Generator) -> str | None:
    """One figure with a unit changed by a factor between 1.3 and 3, up or down."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return None
    chosen = found[int(generator.integers(len(found)))]
    value = float(chosen[1])
    factor = float(generator.uniform(1.3, 3.0))
    new = value * factor if generator.random() < 0.5 else value / factor
    places = len(chosen[1].split(".")[1]) if "." in chosen[1] else 0
    written = f"{new:.{places}f}"
    if written == chosen[1] or float(written) == 0:
        return None
    return text[: chosen.start()] + written + text[chosen.end() :]


_COMPARISON = re.compile(r"\b(?:compared with|compared to|versus|vs\.?|than)\b", re.I)


def has_comparison(text: str) -> bool:
    return bool(_COMPARISON.search(text))


def has_direction(text: str) -> bool:
    return bool(_DIRECTION.search(text))


def exchange_word(text: str, vocabulary: Mapping[str, Sequence[str]], generator: np.random.Generator) -> str | None:
    """One longer word exchanged for another of the field with the same ending: another drug, disease or measure.

    `vocabulary` maps an ending of three letters to words that have it.
    """
    places = [m for m in _LONG_WORD.finditer(text) if len(vocabulary.get(m[0][-3:], ())) >= 5]
    if not places:
        return None
    place = places[int(generator.integers(len(places)))]
    words = vocabulary[place[0][-3:]]
    other = words[int(generator.integers(len(words)))]
    if other.lower()[:5] == place[0].lower()[:5]:
        return None
    # The same word elsewhere in the sentence changes with it.
    return re.sub(rf"\b{place[0]}\b", other, text)
