"""Sentence spans, by rules made for biomedical text. Time is linear in the length of the text."""

import re
from collections.abc import Iterator
from functools import lru_cache

from evidencegate.documents._abbreviations import Words, words
from evidencegate.documents._span import Span
from evidencegate.documents._stops import LOOK_BACK, STOP, sentence_end

# Atomic, so that the two halves of `\r\n` are never taken for two line ends.
_NEWLINE = r"(?>\r\n|[\n\r\x0b\x0c\x85\u2028\u2029])"
_INDENT = r"[^\S\n\r\x0b\x0c\x85\u2028\u2029]*"
_BLANK = re.compile(rf"{_NEWLINE}{_INDENT}{_NEWLINE}|[\x0c\u2029]")
_LINE_START = re.compile(rf"{_NEWLINE}{_INDENT}(?=\S)")
_SPACE = re.compile(r"\s*")
_BULLET = re.compile(r"[-*+•‣◦▪●○■□–]\s")
_ITEM = re.compile(r"(?:\d{1,3}|[ivx]{1,4}|[a-zA-Z])[.)]\s|\([\da-z]{1,3}\)\s")
_HEADING = re.compile(r"#{1,6}\s|\||={3,}|-{3,}|\*\*[^*\n]{1,80}\*\*:?\s*(?=[\r\n]|$)")
_LABEL = re.compile(r"[A-Za-z][A-Za-z ]{2,30}:?(?=[^\S\n\r]*[\r\n]|[^\S\n\r]*$)")
# What no stop inside it ends: addresses and DOIs.
_ADDRESS = re.compile(r"(?:https?://|ftp://|www\.|\b10\.\d{4,9}/)\S+")


@lru_cache(maxsize=64)
def sentences(text: str) -> tuple[Span, ...]:
    """Half-open spans of the sentences of `text`: ordered, disjoint, covering every character but space.

    Blank lines, list items, table rows and headings always part sentences; a stop does where neither what
    stands before it (abbreviations, initials, decimals) nor what follows (lower case, a comma) speaks against.
    Citations, quotation marks and brackets right after a stop belong to the sentence it ends.
    """
    found: list[Span] = []
    for block in _blocks(text):
        start = block.start
        for end in _ends(text, block):
            _append(found, text, start, end)
            start = end
        _append(found, text, start, block.end)
    return tuple(found)


def _append(found: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        left = start + len(piece) - len(piece.lstrip())
        found.append(Span(left, left + len(stripped)))


def _blocks(text: str) -> Iterator[Span]:
    """Stretches that no sentence crosses: between blank lines, list items, headings and table rows."""
    start = 0
    for blank in _BLANK.finditer(text):
        yield from _lines(text, start, blank.start())
        start = blank.end()
    yield from _lines(text, start, len(text))


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    """Parts one paragraph at its list items, headings and table rows."""
    lists = words()
    at = _SPACE.match(text, start, end).end()  # type: ignore[union-attr]
    part_start, alone, item = start, _stands_alone(text, at, end, lists), bool(_ITEM.match(text, at, end))
    for line in _LINE_START.finditer(text, start, end):
        at = line.end()
        now_alone = _stands_alone(text, at, end, lists)
        now_item = False
        if _ITEM.match(text, at, end):
            # A wrapped line may begin with a number that ends a sentence ("... in group\n2. The"): only after
            # a stop, a colon or another item is it the head of an item.
            last = text[max(part_start, line.start() - LOOK_BACK) : line.start()].rstrip()[-1:]
            now_item = item or alone or last in ".!?:;"
        if alone or now_alone or now_item or _BULLET.match(text, at, end):
            yield Span(part_start, line.start())
            part_start, item = line.start(), now_item
        alone = now_alone
    yield Span(part_start, end)


def _stands_alone(text: str, at: int, end: int, lists: Words) -> bool:
    """Whether the line at `at` is a heading or table row: parted from what is before and after it."""
    if _HEADING.match(text, at, end):
        return True
    label = _LABEL.match(text, at, end)
    return label is not None and label[0].rstrip(": ").lower() in lists.headings


def _ends(text: str, block: Span) -> Iterator[int]:
    """Where sentences end inside `block`, in order, without the end of the block itself."""
    addresses = _ADDRESS.finditer(text, block.start, block.end)
    address = next(addresses, None)
    start = block.start
    for stop in STOP.finditer(text, block.start, block.end):
        while address and _trimmed_end(address) <= stop.start():
            address = next(addresses, None)
        if address and address.start() <= stop.start():
            continue
        end = sentence_end(text, start, stop, block.end)
        if end is not None and end < block.end:
            start = end
            yield end


def _trimmed_end(address: re.Match[str]) -> int:
    """Where an address ends: the punctuation of the sentence around it is no part of it."""
    return address.start() + len(address[0].rstrip(".,;:!?)]}>\"'”’"))
