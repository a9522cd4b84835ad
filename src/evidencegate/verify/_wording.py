"""Words of a sentence in the form in which two sentences are compared, and one sentence laid along another."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from evidencegate.documents import Kind, Token, tokens
from evidencegate.verify._lexicon import lexicon, words

_GOVERNED = 2
"""Words after a denial that it surely governs."""
# Longest first: a suffix is cut only where a stem of at least three letters remains.
_SUFFIX = re.compile(r"(?<=\w{3})(?:isation|ization|ically|ations?|ments?|ingly|edly|ness|ing|ied|ies|ed|es|ly|s|e)$")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A folded word without its inflection; numbers and short words stay as they are."""
    if len(word) < 5 or not word.isalpha():
        return word[:-1] if len(word) == 4 and word.endswith("s") and not word.endswith("ss") else word
    return _SUFFIX.sub("", word)


@lru_cache(maxsize=16384)
def content(text: str) -> tuple[str, ...]:
    """Stems of the words and numbers of `text` that carry its content, in order."""
    return tuple(
        stem(token.folded)
        for token in tokens(text)
        if token.kind is not Kind.SYMBOL and token.folded not in words("wording", "stop")
    )


@lru_cache(maxsize=16384)
def meanings(text: str) -> tuple[str, ...]:
    """`content` with one key for all words that mean the same."""
    return tuple(_key(root) for root in content(text))


def _key(root: str) -> str:
    row = _synonyms().get(root)
    return root if row is None else f"\x00{row}"


@cache
def _synonyms() -> dict[str, int]:
    return {stem(str(word)): row for row, group in enumerate(lexicon("wording")["synonyms"]) for word in group}


@cache
def _antonyms() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for left, right in lexicon("wording")["antonyms"]:
        for word in left:
            table.setdefault(word, set()).update(right)
        for word in right:
            table.setdefault(word, set()).update(left)
    return {word: frozenset(others) for word, others in table.items()}


def opposed(left: str, right: str) -> bool:
    """Whether two folded words turn a statement round."""
    return right in _antonyms().get(left, frozenset()) or (
        negates(left) != negates(right) and (left.removeprefix("non") == right or right.removeprefix("non") == left)
    )


def negates(word: str) -> bool:
    """Whether a folded word denies what follows it."""
    return word in words("wording", "negations")


def denials(text: str) -> int:
    """How often a text denies something; "neither A nor B" does once."""
    found = [token.folded for token in tokens(text) if negates(token.folded)]
    return len(found) - ("neither" in found) * found.count("nor")


def denial_of_one(denying: str, stating: str) -> bool:
    """Whether one text denies what the other states, which denies nothing."""
    if any(negates(token.folded) for token in tokens(stating)):
        return False
    held = set(meanings(stating))
    for token in tokens(denying):
        if negates(token.folded):
            after = " ".join(denying[token.end :].split()[:_GOVERNED])
            if held.intersection(meanings(after)):
                return True
    return False


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim laid along one sentence: what both have in the same order, and what only one has."""

    matched: int
    """Content tokens of the claim that stand in the sentence too, in order."""
    missing: tuple[Token, ...]
    """Content tokens of the claim without a counterpart."""
    extra: tuple[Token, ...]
    """Content tokens of the sentence, within the aligned stretch, that the claim leaves out."""
    turned: tuple[tuple[Token | None, Token | None], ...]
    """Where claim and sentence oppose each other: antonyms, or a negation that only one has."""
    softened: bool
    """Whether one side hedges, restricts or denies something that the other does not."""

    @property
    def share(self) -> float:
        """Part of the claim's content that is matched or turned, in [0, 1]."""
        flipped = sum(claimed is not None and not negates(claimed.folded) for claimed, _ in self.turned)
        total = self.matched + len(self.missing) + flipped
        return (self.matched + flipped) / total if total else 0.0

    @property
    def faithful(self) -> bool:
        """Whether the claim says what the sentence says, with no more than inflection and synonyms changed."""
        return (
            not (self.missing or self.turned or self.softened)
            and self.matched >= 3
            and len(self.extra) <= max(3, self.matched // 2)
        )

    @property
    def reversed(self) -> bool:
        """Whether the claim is the sentence turned round: one place opposed, all else the same."""
        denied = any(token is not None and negates(token.folded) for token in self.turned[0]) if self.turned else False
        return (
            len(self.turned) == 1
            and not self.softened
            and (len(self.extra) <= 1 or not denied)
            and self.matched >= 3
            and len(self.missing) <= self.matched // 8
            and len(self.extra) <= self.matched // 4
        )


_LONGEST = 300
_NEITHER = re.compile(r"\bneither\b", re.IGNORECASE)


def align(claim: str, sentence: str) -> Alignment:
    """Lay `claim` along `sentence`; time grows with the product of their lengths, of which 300 words each are read."""
    left, right = _telling(claim)[:_LONGEST], _telling(sentence)[:_LONGEST]
    pairs = _common(left, right)
    taken_left, taken_right = {i for i, _ in pairs}, {j for _, j in pairs}
    low, high = (pairs[0][1], pairs[-1][1]) if pairs else (0, -1)
    missing = [token for i, token in enumerate(left) if i not in taken_left]
    extra = [token for j, token in enumerate(right) if j not in taken_right and low - 2 <= j <= high + 2]
    inner = [token for token in extra if low <= right.index(token) <= high]
    turned: list[tuple[Token | None, Token | None]] = []
    for token in list(missing):
        other = next((o for o in extra if opposed(token.folded, o.folded)), None)
        if other is not None:
            turned.append((token, other))
            missing.remove(token)
            extra.remove(other)
            if other in inner:
                inner.remove(other)
    # A negation that only one side has turns the statement round, where what it governs is on both sides.
    denied_left = [t for i, t in enumerate(left) if t in missing and negates(t.folded) and i + 1 in taken_left]
    denied_right = [t for j, t in enumerate(right) if t in extra and negates(t.folded) and j + 1 in taken_right]
    if len(denied_left) % 2 != len(denied_right) % 2:
        turned.append((denied_left[0] if denied_left else None, denied_right[0] if denied_right else None))
    stray = [t for t in (*missing, *extra) if negates(t.folded) and t not in (*denied_left, *denied_right)]
    missing = [token for token in missing if not negates(token.folded)]
    soft = words("wording", "hedges", "restrictors")
    hedged = any(token.folded in soft for token in extra) and not any(token.folded in soft for token in left)
    # "activity rose in the one and fell in the other" does not say that it fell in the one.
    opposite = any(opposed(one.folded, left[i].folded) for one in inner for i in taken_left)
    telling = tuple(token for token in inner if not negates(token.folded))
    return Alignment(len(pairs), tuple(missing), telling, tuple(turned), bool(stray) or hedged or opposite)


@lru_cache(maxsize=16384)
def _telling(text: str) -> tuple[Token, ...]:
    """Tokens that carry content, negations, hedges and signs of comparison."""
    stop = words("wording", "stop") | ({"nor"} if _NEITHER.search(text) else frozenset())
    decisive = words("wording", "negations", "hedges", "restrictors") | _antonyms().keys()
    decisive -= stop & {"nor"}  # "neither A nor B" denies once
    signs = "<>≤≥%"
    return tuple(
        token
        for token in tokens(text)
        if (token.kind is Kind.SYMBOL and token.text in signs)
        or (token.kind is not Kind.SYMBOL and (token.folded in decisive - {"with"} or token.folded not in stop))
    )


def _common(left: Sequence[Token], right: Sequence[Token]) -> list[tuple[int, int]]:
    """Index pairs of a longest common subsequence, by meaning."""
    keys_left, keys_right = _keys(left), _keys(right)
    rows = len(keys_left)
    columns = len(keys_right)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        row, below, key = best[i], best[i + 1], keys_left[i]
        for j in range(columns - 1, -1, -1):
            row[j] = below[j + 1] + 1 if key == keys_right[j] else max(below[j], row[j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        if keys_left[i] == keys_right[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _keys(found: Iterable[Token]) -> list[str]:
    """One key for all words that mean the same."""
    return [_key(stem(token.folded)) for token in found]
