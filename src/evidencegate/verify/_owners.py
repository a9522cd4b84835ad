"""Which words go with each of several numbers of one sentence: "12% with tavaxin and 15% with placebo"."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from evidencegate.documents import Span
from evidencegate.verify._foreign import labels
from evidencegate.verify._lexicon import pattern, words
from evidencegate.verify._quantities import without_numbers
from evidencegate.verify._units import ASIDE, Quantity
from evidencegate.verify._wording import meanings

OTHER = "the other"
"""The label of a group that has no name but that it is not the one before."""
RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_STRONG = re.compile(r"\b(?:vs\.?|versus|compared (?:with|to)|than|whereas|while|but|against)\b|;", re.IGNORECASE)
_WEAK = re.compile(r"\b(?:and|or)\b|,", re.IGNORECASE)
_OPENED = re.compile(r"[(\[]\s*(?:[nN]\s*=\s*|\d+(?:\.\d+)?\s*[;,/]\s*)?$")
_ONLY_BETWEEN = re.compile(r"[\s%()\[\],/]*(?:\b(?:vs|versus|and|or|compared|with|to)\b[\s%().,]*)*", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")
_BRACKET = re.compile(r"[(\[]")
_FIRST_STRETCH = re.compile(r"[^,;()]*")
_LABEL_WORDS = 5
"""A group is named by at most so many words that carry content."""


def owners(text: str, sentence: Span, numbers: Sequence[Quantity]) -> list[frozenset[str]]:
    """For each of two or more numbers of a sentence, in order, the words that go with it and with no other of them.

    Empty where that cannot be told.
    """
    if len(numbers) == 2 and RESPECTIVELY.search(sentence.of(text)):
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
    ahead = [_name(before[i], last=True, counted=opened[i]) for i in range(len(numbers))]
    names = [_name(stretch) for stretch in after]
    if names[0] and len(set(names)) == 1:  # "59% of scores with tavaxin and 64% of scores with zelfan"
        names = [_words(stretch, counted=False) for stretch in after]
    # "12% with tavaxin and 15% with placebo", or "with tavaxin 12% and with placebo 15%".
    follows = any(names[:-1]) and not any(map(_name, before[1:]))
    # "1 (0.6%) tavaxin versus 15 (8.6%) zelfan": behind the brackets, as nothing but a number stands before them.
    beyond = any(opened[i] and names[i] and not _name(before[i]) for i in range(1, len(numbers)))
    if beyond:  # all that is said behind each: "12 (5%) women slept at home and 20 (9%) at work"
        names = [_words(stretch, counted=False) for stretch in after]
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
        return [frozenset(_name(ahead, last=True)), frozenset([OTHER])]
    return nothing


def _listed(before: str, number: int) -> list[frozenset[str]]:
    """The last so many names of a list ("tavaxin 100 and 300 mg versus placebo"); none where nothing parts them."""
    pieces = re.split(f"{_STRONG.pattern}|{_WEAK.pattern}", before, flags=re.IGNORECASE)[-number:]
    labels: list[tuple[str, ...]] = []
    named: tuple[str, ...] = ()
    for at, piece in enumerate(pieces):
        # Only a figure: another dose of what was named before.
        named = _name(without_numbers(piece), last=at == 0) or named
        labels.append((*named, *figures(piece)))
    told = _distinct(labels)
    return told if len(told) == number and all(told) else []


def _other_group(stretch: str) -> tuple[str, ...]:
    return (OTHER,) if pattern("quantities", "other_group").search(stretch) else ()


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


def _name(text: str, *, last: bool = False, counted: bool = False) -> tuple[str, ...]:
    """The words of `text` that name a group: those after its first preposition, or after its last."""
    chunks = [_words(chunk, counted) for chunk in _PREPOSITION.split(text)]
    named = [chunk for chunk in chunks if chunk]
    if not named:
        return ()
    return named[-1][-_LABEL_WORDS:] if last else named[0][:_LABEL_WORDS]


def _words(text: str, counted: bool) -> tuple[str, ...]:
    said = (word for word in meanings(text) if word not in common() and (counted or not word[0].isdigit()))
    return (*said, *parts(text))


def figures(text: str) -> set[str]:
    """The numbers of a text, as they are compared."""
    return {word for word in meanings(text) if word[0].isdigit()}


def parts(text: str) -> set[str]:
    """The parts of the work that are named: "part b"."""
    return {f"{head} {name}" for head, names in labels(text).items() for name in names}


@cache
def common() -> frozenset[str]:
    """Words that name no group."""
    return frozenset(key for word in words("quantities", "groups", "up", "down") for key in meanings(word))


def _distinct(labels: Sequence[tuple[str, ...]]) -> list[frozenset[str]]:
    """The words of each label that no other one has; a group may have several numbers."""
    sets = [frozenset(label) for label in labels]
    return [one.difference(*(other for other in sets if other != one)) for one in sets]
