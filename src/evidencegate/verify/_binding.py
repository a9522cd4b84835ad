"""What a number counts: the words that go with it, and whether evidence gives it to what the claim gives it to."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import cache
from itertools import pairwise

from evidencegate.documents import Span, sentences, tokens
from evidencegate.verify._agree import kin
from evidencegate.verify._foreign import labels
from evidencegate.verify._lexicon import pattern, words
from evidencegate.verify._quantities import without_numbers
from evidencegate.verify._units import ASIDE, Kind, Quantity
from evidencegate.verify._wording import content, denial_of_one, meanings, negates


class Binding(Enum):
    """Whose an equal number of the evidence is."""

    SAME = auto()
    """Of what the claim counts, as far as the words tell."""
    OTHERS = auto()
    """Of another group, beside a number of the group that the claim names."""
    NOTHING = auto()
    """Of something the claim does not speak of."""


_STRONG = re.compile(r"\b(?:vs\.?|versus|compared (?:with|to)|than|whereas|while|but|against)\b|;", re.IGNORECASE)
_WEAK = re.compile(r"\b(?:and|or)\b|,", re.IGNORECASE)
_DASHES = frozenset("-–—−")
_OPENED = re.compile(r"[(\[]\s*(?:[nN]\s*=\s*|\d+(?:\.\d+)?\s*[;,/]\s*)?$")
_ONLY_BETWEEN = re.compile(r"[\s%()\[\],/]*(?:\b(?:vs|versus|and|or|compared|with|to)\b[\s%().,]*)*", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
_BRACKET = re.compile(r"[(\[]")
_FIRST_STRETCH = re.compile(r"[^,;()]*")
_TOTALS = (Kind.COUNT, Kind.NUMBER)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_OF_ONE_GROUP = (Kind.PERCENT, Kind.AMOUNT, Kind.FRACTION)
"""Kinds of number that are told of one group; others may tell groups apart, or be of all."""
_OTHER = "the other"
"""The label of a group that has no name but that it is not the one before."""
_MOST = 16
"""Of more numbers of a kind, in a table that lost its lines, no words tell them apart."""
_LABEL_WORDS = 5
"""A group is named by at most so many words that carry content."""


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
    if claimed.kind in _OF_ONE_GROUP and _of_a_lettered_group(claim, sentence.of(evidence)):
        return Binding.NOTHING
    if at not in here or not 1 < len(here) <= _MOST:
        return Binding.SAME
    theirs = dict(zip(here, owners(evidence, sentence, [found[i] for i in here]), strict=True))
    mine = _own(claim, claimed, all_claimed) | (_figures(claim) - _figures(claimed.text))
    if claimed.kind in _TOTALS:  # the number of all stands beside those of the groups; only of parts it is told apart
        mine = _parts(claim) if len(all_claimed) < 2 else {word for word in mine if " " in word}
    if not theirs[at] and len(here) > 2 and _RESPECTIVELY.search(sentence.of(evidence)):
        # In the order of groups that were named before.
        return Binding.SAME if _RESPECTIVELY.search(claim) else Binding.NOTHING
    if not theirs[at] or mine & theirs[at]:
        return Binding.SAME
    if any(mine & theirs[i] for i in here if found[i].value != found[at].value):
        return Binding.OTHERS
    # "The other group", "group B": a claim that names its group by what was given does not name this one.
    return Binding.NOTHING if _OTHER in theirs[at] or _lettered(theirs[at]) else Binding.SAME


def _lettered(label: Iterable[str]) -> bool:
    return any(word.startswith(("group ", "arm ")) for word in label)


def _of_a_lettered_group(claim: str, said: str) -> bool:
    """Whether a sentence speaks of one group, by its letter or number alone, and the claim names none so."""
    theirs = [part for part in _parts(said) if _lettered([part])]
    return len(theirs) == 1 and not _lettered(_parts(claim))


def _spread(text: str, quantity: Quantity) -> bool:
    """Whether a number only tells how far values lie about the one before it: 3.2 ± 1.1 kg."""
    return text[: quantity.span.start].rstrip().endswith(("±", "+/-"))


def near(claim: str, claimed: Quantity, evidence: str, found: Quantity) -> int:
    """How many words, or names of parts, stand beside both numbers."""
    one, other = _beside(claim, claimed), _beside(evidence, found)
    return len({*content(one), *_parts(one)} & {*content(other), *_parts(other)})


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
    return (_about(claim) - _common()) | _parts(claim)


def _figures(text: str) -> set[str]:
    return {word for word in meanings(text) if word[0].isdigit()}


def _own(claim: str, claimed: Quantity, every: Sequence[Quantity]) -> set[str]:
    """The words of a claim that go with one of its numbers; all of them where it has no other of the kind."""
    alike = [other for other in every if _alike(other, claimed)]
    if not 1 < len(alike) <= _MOST:
        return _context(claim)
    owned = owners(claim, _sentence(claim, claimed), alike)
    others = frozenset[str]().union(*(label for label, other in zip(owned, alike, strict=True) if other is not claimed))
    return set(owned[alike.index(claimed)]) | (_context(claim) - others)


def owners(text: str, sentence: Span, numbers: Sequence[Quantity]) -> list[frozenset[str]]:
    """For each of two or more numbers of a sentence, in order, the words that go with it and with no other of them.

    Empty where that cannot be told.
    """
    if len(numbers) == 2 and _RESPECTIVELY.search(sentence.of(text)):
        return _in_order(text, sentence, numbers)
    beside = [
        bool(_ONLY_BETWEEN.fullmatch(_IN_BRACKETS.sub("", text[a.span.end : b.span.start])))
        for a, b in pairwise(numbers)
    ]
    if any(beside):
        return [label for row in _rows(sentence, numbers, beside) for label in _in_order(text, *row)]
    before: list[str] = []
    after: list[str] = []
    start = sentence.start
    for number in numbers:
        gap = text[start : number.span.start]
        if start == sentence.start:
            before.append(_last_segment(gap))
        else:
            left, right = _parted(gap)
            after.append(left)
            before.append(right)
        start = _behind(text, number)
    after.append(_first_segment(text[start : sentence.end]))
    opened = [
        bool(_OPENED.search(text[max(sentence.start, number.span.start - 24) : number.span.start]))
        for number in numbers
    ]
    ahead = [_name(before[i], last=True, figures=opened[i]) for i in range(len(numbers))]
    names = [_name(stretch) for stretch in after]
    # "12% with tavaxin and 15% with placebo", or "with tavaxin 12% and with placebo 15%".
    follows = any(names[:-1]) and not any(map(_name, before[1:]))
    # "1 (0.6%) tavaxin versus 15 (8.6%) zelfan": behind the brackets, as nothing but a number stands before them.
    beyond = any(opened[i] and names[i] and not _name(before[i]) for i in range(1, len(numbers)))
    return _distinct(
        [names[i] if names[i] and (beyond if opened[i] else follows) else ahead[i] for i in range(len(numbers))]
    )


def _behind(text: str, number: Quantity) -> int:
    """Where a number ends, with its interval and the unit behind that: "8.0 (95% CI 6.9 to 9.1) ng/ml"."""
    aside = ASIDE.match(text, number.span.end)
    return aside.end() if aside and aside["unit"] == number.unit else number.span.end


def _rows(
    sentence: Span, numbers: Sequence[Quantity], beside: Sequence[bool]
) -> Iterator[tuple[Span, Sequence[Quantity]]]:
    """The rows of numbers that stand side by side, each with the stretch from the number before to that behind it."""
    first = 0
    for i in range(len(numbers)):
        if i + 1 == len(numbers) or not beside[i]:
            start = numbers[first - 1].span.end if first else sentence.start
            end = numbers[i + 1].span.start if i + 1 < len(numbers) else sentence.end
            yield Span(start, end), numbers[first : i + 1]
            first = i + 1


def _in_order(text: str, sentence: Span, numbers: Sequence[Quantity]) -> list[frozenset[str]]:
    """Owners of numbers side by side ("12% vs 15%"): as many names, joined in the same way, before or after them."""
    nothing: list[frozenset[str]] = [frozenset() for _ in numbers]
    if len(numbers) > 2:
        return _listed(text[sentence.start : numbers[0].span.start].rstrip(" (["), len(numbers)) or nothing
    if len(numbers) != 2:
        return nothing
    ahead = text[sentence.start : numbers[0].span.start].rstrip(" ([")
    behind = text[numbers[1].span.end : sentence.end].lstrip("%)], ")
    for stretch, near_end in ((ahead, True), (behind, False)):
        for joint in (_STRONG, re.compile(r"\b(?:and|or)\b")):
            cuts = list(joint.finditer(stretch))
            if not cuts:
                continue
            cut = cuts[-1] if near_end else cuts[0]
            first, second = _last_segment(stretch[: cut.start()]), _first_segment(stretch[cut.end() :])
            labels = [_name(first, last=True) or _other_group(first), _name(second) or _other_group(second)]
            if all(_distinct(labels)):
                return _distinct(labels)
    # "fewer in the tavaxin group (12% vs 15%)": the first is of the group that is named.
    between = text[numbers[0].span.end : numbers[1].span.start]
    if _STRONG.search(between) and pattern("quantities", "ends_in_group").search(ahead):
        return [frozenset(_name(ahead, last=True)), frozenset([_OTHER])]
    return nothing


def _listed(before: str, number: int) -> list[frozenset[str]]:
    """The last so many names of a list ("tavaxin 100 and 300 mg versus placebo"); none where nothing parts them."""
    pieces = re.split(f"{_STRONG.pattern}|{_WEAK.pattern}", before, flags=re.IGNORECASE)[-number:]
    labels: list[tuple[str, ...]] = []
    named: tuple[str, ...] = ()
    for at, piece in enumerate(pieces):
        # Only a figure: another dose of what was named before.
        named = _name(without_numbers(piece), last=at == 0) or named
        labels.append((*named, *_figures(piece)))
    told = _distinct(labels)
    return told if len(told) == number and all(told) else []


def _other_group(stretch: str) -> tuple[str, ...]:
    return (_OTHER,) if pattern("quantities", "other_group").search(stretch) else ()


def _parted(gap: str) -> tuple[str, str]:
    """What between two numbers goes with the first, and what with the second."""
    closed = gap.find(")")
    opened = gap.rfind("(")
    if 0 <= closed < opened:
        behind = _FIRST_STRETCH.match(gap, closed + 1)
        cut = _joint(behind[0]) if behind else None
        left = behind[0][: cut.start() if cut else None] if behind else ""
        return left, _last_segment(gap[:opened].rstrip()[closed + 1 :]) + gap[opened:]
    cut = _joint(gap)
    return (gap[: cut.start()], gap[cut.end() :]) if cut else ("", "")


def _joint(gap: str) -> re.Match[str] | None:
    """What parts two names: the first word that sets against, else the last that only joins."""
    weak = list(_WEAK.finditer(gap))
    return _STRONG.search(gap) or (weak[-1] if weak else None)


def _last_segment(text: str) -> str:
    body = text.rstrip(" ,;(")
    tail = text[len(body) :]
    cuts = [c.end() for joint in (_STRONG, _WEAK) for c in joint.finditer(body)]
    kept = body[max(cuts, default=0) :]
    return (kept if meanings(kept) else body) + tail


def _first_segment(text: str) -> str:
    body = text.lstrip(" %)]")
    cuts = [c.start() for stop in (_STRONG, _WEAK, _BRACKET) for c in stop.finditer(body)]
    return body[: min(cuts, default=len(body))]


_PREPOSITION = re.compile(
    r"\b(?:in|with|on|for|among|by|under|of|to|at|after|from|during|the|receiving|given|taking|assigned|treated|had|was|were)\b",
    re.IGNORECASE,
)


def _name(text: str, *, last: bool = False, figures: bool = False) -> tuple[str, ...]:
    """The words of `text` that name a group: those after its first preposition, or after its last."""
    chunks = [_words(chunk, figures) for chunk in _PREPOSITION.split(text)]
    named = [chunk for chunk in chunks if chunk]
    if not named:
        return ()
    return named[-1][-_LABEL_WORDS:] if last else named[0][:_LABEL_WORDS]


def _words(text: str, figures: bool) -> tuple[str, ...]:
    said = (word for word in meanings(text) if word not in _common() and (figures or not word[0].isdigit()))
    return (*said, *_parts(text))


def _parts(text: str) -> set[str]:
    """The parts of the work that are named: "part b"."""
    return {f"{head} {name}" for head, names in labels(text).items() for name in names}


@cache
def _people() -> frozenset[str]:
    return frozenset(key for word in words("quantities", "groups") for key in meanings(word))


@cache
def _common() -> frozenset[str]:
    """Words that name no group."""
    return frozenset(key for word in words("quantities", "groups", "up", "down") for key in meanings(word))


def _distinct(labels: Sequence[tuple[str, ...]]) -> list[frozenset[str]]:
    """The words of each label that no other one has; a group may have several numbers."""
    sets = [frozenset(label) for label in labels]
    return [one.difference(*(other for other in sets if other != one)) for one in sets]
