"""Where a quote may begin and end: nowhere that cuts off what gives its first or last token its meaning."""

import unicodedata
from collections.abc import Sequence

from evidencegate.documents._tokens import Kind, Token

_NEGATIONS = frozenset("no not non nor neither never none without cannot hardly barely scarcely".split())
# Before a number these words are comparators: "less than 5" is not "5".
_COMPARING = frozenset("than least most under over below above minus exceeding".split())
_COMPARATORS = frozenset("<>≤≥=±~≈≠+-")
# A number loses its meaning without what stands before it ("<0.05", "-0.3", "10^6", "5/10", ".05") ...
_BEFORE_NUMBER = _COMPARATORS | frozenset("^×*/:.·")
_BEFORE_NUMBER_APART = _COMPARATORS | frozenset("×^")
# ... or after it ("5%", "5-10", "120/80", "10^6", "1.5×10").
_AFTER_NUMBER = frozenset("%‰°")
_JOINS_NUMBERS = frozenset("-/:^×*·±")
_JOINS_UNITS = frozenset("/·^")
# Parts of a compound that turn its meaning: "non-inferior", "symptom-free".
_PREFIXES = frozenset(
    "non un in im ir il anti contra counter de dis mis pre post sub super hyper hypo pseudo quasi semi ex no not "
    "never near".split()
)
_SUFFIXES = frozenset("free less negative naive naïve resistant refractory intolerant sparing deficient".split())


def starts_whole(tokens: Sequence[Token], first: int) -> bool:
    """Whether a quote may begin at `tokens[first]`, given what stands before."""
    if first == 0:
        return True
    head, before = tokens[first], tokens[first - 1]
    earlier = tokens[first - 2] if first > 1 else None
    adjoins = before.end == head.start
    if before.folded in _NEGATIONS or _contracted(before, earlier):
        return False
    if head.kind is Kind.NUMBER:
        if before.folded in _COMPARING or (adjoins and before.folded in _BEFORE_NUMBER):
            return False
        # A comparator keeps its number across one space; a dash or sign too, where none can tell which it is.
        if before.folded in _BEFORE_NUMBER_APART and before.end >= head.start - 1:
            return False
        return not _thousands(before, head)
    if head.kind is Kind.SYMBOL:
        return not (adjoins and head.folded in _COMPARATORS and before.folded in _COMPARATORS | {"/"})
    # A word after a hyphen, or an exponent.
    if adjoins and _raised(head):
        return False
    compound = adjoins and before.folded == "-" and earlier is not None and earlier.end == before.start
    return not (compound and earlier is not None and (earlier.kind is Kind.NUMBER or earlier.folded in _PREFIXES))


def ends_whole(tokens: Sequence[Token], end: int) -> bool:
    """Whether a quote may end before `tokens[end]`."""
    if end >= len(tokens):
        return True
    last, after = tokens[end - 1], tokens[end]
    later = tokens[end + 1] if end + 1 < len(tokens) else None
    adjoins = after.start == last.end
    if adjoins and _raised(after):
        return False
    if last.kind is Kind.NUMBER:
        if after.folded in _AFTER_NUMBER and after.start <= last.end + 1:
            return False
        joined = after.folded in _JOINS_NUMBERS and after.start <= last.end + 1
        if joined and later is not None and later.kind is Kind.NUMBER and later.start <= after.end + 1:
            return False
        if adjoins and after.folded in _JOINS_NUMBERS and later is not None and later.start == after.end:
            return False
        # `p<0. 05`: a space that typesetting left inside a decimal.
        parted = last.folded == "0" and adjoins and after.folded == "." and later is not None
        if parted and later is not None and later.kind is Kind.NUMBER and later.start <= after.end + 1:
            return False
        return not _thousands(last, after)
    if last.kind is Kind.SYMBOL:
        return not (adjoins and last.folded in _COMPARATORS and after.folded in _COMPARATORS)
    if adjoins and after.folded in _JOINS_UNITS and end > 1 and tokens[end - 2].kind is Kind.NUMBER:
        return False
    suffixed = adjoins and after.folded == "-" and later is not None and later.start == after.end
    return not (suffixed and later is not None and later.folded in _SUFFIXES)


def _contracted(before: Token, earlier: Token | None) -> bool:
    """Whether the word before is the end of `didn't`, `wasn't` and the like."""
    return before.folded == "t" and earlier is not None and earlier.folded == "'" and earlier.end == before.start


def _thousands(left: Token, right: Token) -> bool:
    """Whether two numbers are one, its thousands set apart by a space: `1 000`."""
    return (
        left.kind is Kind.NUMBER
        and right.kind is Kind.NUMBER
        and right.start == left.end + 1
        and len(left.text) <= 3
        and left.text.isdigit()
        and len(right.text.replace(".", ",").split(",", 1)[0]) == 3
    )


def _raised(token: Token) -> bool:
    """Whether a token is an exponent, index or fraction (`10⁶`, `2½`), which belongs to what it adjoins."""
    return all(unicodedata.category(char) == "No" or char in "⁺⁻₊₋" for char in token.text)
