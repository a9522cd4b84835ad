"""What a number counts: the words that go with it, and whether evidence gives it to what the claim gives it to."""

import re
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from functools import cache

from evidencegate.documents import Span, sentences, tokens
from evidencegate.verify._agree import kin
from evidencegate.verify._lexicon import pattern, words
from evidencegate.verify._owners import OTHER, RESPECTIVELY, common, figures, owners, parts
from evidencegate.verify._quantities import without_numbers
from evidencegate.verify._units import Kind, Quantity
from evidencegate.verify._wording import content, denial_of_one, meanings, negates


class Binding(Enum):
    """Whose an equal number of the evidence is."""

    SAME = auto()
    """Of what the claim counts, as far as the words tell."""
    OTHERS = auto()
    """Of another group, beside a number of the group that the claim names."""
    NOTHING = auto()
    """Of something the claim does not speak of."""


_DASHES = frozenset("-–—−")
_TOTALS = (Kind.COUNT, Kind.NUMBER)
_OF_ONE_GROUP = (Kind.PERCENT, Kind.AMOUNT, Kind.FRACTION)
"""Kinds of number that are told of one group; others may tell groups apart, or be of all."""
_MOST = 16
"""Of more numbers of a kind, in a table that lost its lines, no words tell them apart."""


def binding(claim: str, claimed: Quantity, all_claimed: Sequence[Quantity], evidence: str, found: Sequence[Quantity],
            at: int) -> Binding:  # fmt: skip
    """Whether the number at `at` of those `found` in the evidence counts what the claimed number, equal to it, counts.

    Told from the words that go with each number of its kind in its sentence: "12% with tavaxin and 15% with placebo",
    "placebo (15%)", "in tavaxin and placebo (12% vs 15%)".
    """
    sentence = _sentence(evidence, found[at])
    if found[at].kind is Kind.YEAR:
        return Binding.SAME
    about = _about(claim)
    if about and not about & set(meanings(sentence.of(evidence))):
        return Binding.NOTHING
    if denial_of_one(sentence.of(evidence), claim):
        return Binding.NOTHING
    quantity, other = claimed, found[at]
    if quantity.kind is not other.kind and Kind.NUMBER in (quantity.kind, other.kind) and Kind.YEAR not in (
        quantity.kind, other.kind
    ) and not near(claim, quantity, evidence, other):  # fmt: skip
        return Binding.NOTHING
    if pattern("quantities", "other_side").search(claim) or any(negates(t.folded) for t in tokens(claim)):
        return Binding.SAME
    if range_end(claim, claimed):
        return Binding.SAME
    here = [
        i
        for i, other in enumerate(found)
        if _alike(other, found[at]) and sentence.overlaps(other.span) and not _spread(evidence, other)
    ]
    alike = [i for i in here if found[i].kind is found[at].kind]
    here = alike if len(alike) > 1 else here
    if claimed.kind in _OF_ONE_GROUP and _of_a_lettered_group(claim, sentence.of(evidence)):
        return Binding.NOTHING
    if at not in here or not 1 < len(here) <= _MOST:
        return Binding.SAME
    theirs = dict(zip(here, owners(evidence, sentence, [found[i] for i in here]), strict=True))
    mine = _own(claim, claimed, all_claimed) | (figures(claim) - figures(claimed.text))
    if claimed.kind in _TOTALS:  # the number of all stands beside those of the groups; only of parts it is told apart
        mine = parts(claim) if len(all_claimed) < 2 else {word for word in mine if " " in word}
    if not theirs[at] and len(here) > 2 and RESPECTIVELY.search(sentence.of(evidence)):
        # In the order of groups that were named before.
        return Binding.SAME if RESPECTIVELY.search(claim) else Binding.NOTHING
    if not theirs[at] or mine & theirs[at]:
        return Binding.SAME
    if any(mine & theirs[i] for i in here if found[i].value != found[at].value):
        return Binding.OTHERS
    # "The other group", "group B": a claim that names its group by what was given does not name this one.
    return Binding.NOTHING if OTHER in theirs[at] or _lettered(theirs[at]) else Binding.SAME


def _lettered(label: Iterable[str]) -> bool:
    return any(word.startswith(("group ", "arm ")) for word in label)


def _of_a_lettered_group(claim: str, said: str) -> bool:
    """Whether a sentence speaks of one group, by its letter or number alone, and the claim names none so."""
    theirs = [part for part in parts(said) if _lettered([part])]
    return len(theirs) == 1 and not _lettered(parts(claim))


def _spread(text: str, quantity: Quantity) -> bool:
    """Whether a number only tells how far values lie about the one before it: 3.2 ± 1.1 kg."""
    return text[: quantity.span.start].rstrip().endswith(("±", "+/-"))


def near(claim: str, claimed: Quantity, evidence: str, found: Quantity) -> int:
    """How many words, or names of parts, stand beside both numbers."""
    one, other = _beside(claim, claimed), _beside(evidence, found)
    return len({*content(one), *parts(one)} & {*content(other), *parts(other)})


def _beside(text: str, quantity: Quantity) -> str:
    """Six words or so on either side of a number."""
    start, end = quantity.span.start, quantity.span.end
    return text[max(0, start - 45) : start] + " " + text[end : end + 45]


# The other end of a range, before or after a number; "from 15% to 12%" is a change and no range.
_RANGE_AFTER = re.compile(r"\s*%?\s*(?:[-–—−]|to)\s*\d", re.IGNORECASE)
_RANGE_BEFORE = re.compile(r"(?P<from>\bfrom\s+)?\d[\d.,]*\s*%?\s*(?:(?P<dash>[-–—−])|to)\s*$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)


def range_end(text: str, quantity: Quantity) -> bool:
    """Whether a number is one end of a range: `72-80 years`, `(3% to 28%)`."""
    if quantity.kind is Kind.INTERVAL:
        return False
    before, after = text[: quantity.number.start], text[quantity.number.end :]
    ahead = _RANGE_BEFORE.search(before[-40:])
    if ahead:
        return bool(ahead["dash"]) or not ahead["from"]
    if _RANGE_AFTER.match(after):
        return not _FROM.search(before)
    return before.rstrip()[-1:] in _DASHES and before.strip() != ""


def _sentence(text: str, quantity: Quantity) -> Span:
    return next((s for s in sentences(text) if s.overlaps(quantity.span)), Span(0, len(text)))


def _alike(one: Quantity, other: Quantity) -> bool:
    return kin(one, other) and (one.kind is other.kind or Kind.NUMBER not in (one.kind, other.kind)) and (
        one.name == other.name or not (one.unit and other.unit)
    )  # fmt: skip


def _about(claim: str) -> set[str]:
    """What a claim speaks of: its words without numbers and words for people."""
    return {word for word in meanings(without_numbers(claim)) if word not in _people() and not word[0].isdigit()}


def _context(claim: str) -> set[str]:
    """The words of a claim that may name a group."""
    return (_about(claim) - common()) | parts(claim)


def _own(claim: str, claimed: Quantity, every: Sequence[Quantity]) -> set[str]:
    """The words of a claim that go with one of its numbers; all of them where it has no other of the kind."""
    alike = [other for other in every if _alike(other, claimed)]
    if not 1 < len(alike) <= _MOST:
        return _context(claim)
    owned = owners(claim, _sentence(claim, claimed), alike)[alike.index(claimed)]
    return set(owned) or _context(claim)


@cache
def _people() -> frozenset[str]:
    return frozenset(key for word in words("quantities", "groups") for key in meanings(word))
