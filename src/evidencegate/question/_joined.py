"""Conditions that share a word with one beside them: "aortic aneurysm or dissection", "breast and ovarian cancer"."""

from collections.abc import Iterator, Sequence

from evidencegate.question._matcher import Match
from evidencegate.question._normal import Token
from evidencegate.question._vocabulary import DISEASE, TREATMENT, Vocabulary

_JOINTS = frozenset({"or", "and", "versus", "vs", ","})
# Words of a part that a joint leaves over: "ovarian", "non small cell".
_MOST = 3
# What stands by itself as well: "urinary retention and infection" is no urinary infection.
_BY_ITSELF = frozenset({"infection", "pain", "injury", "disease", "bleeding"})


def _named(tokens: Sequence[Token], vocabulary: Vocabulary) -> str | None:
    """The condition that exactly these tokens name."""
    found = vocabulary.questions.find([t.text for t in tokens], [t.folded for t in tokens])
    return next((m.name for m in found if m.kind == DISEASE and m.name and m.end - m.start == len(tokens)), None)


def _joint(tokens: Sequence[Token], place: int) -> bool:
    return 0 <= place < len(tokens) and tokens[place].folded in _JOINTS


def _after(tokens: Sequence[Token], match: Match, taken: set[int], vocabulary: Vocabulary) -> Match | None:
    """The dissection of "aortic aneurysm or dissection": it begins with words of the name before the joint."""
    place = match.end + 1
    if not _joint(tokens, match.end) or place in taken or (place < len(tokens) and tokens[place].folded in _BY_ITSELF):
        return None
    for end in range(min(place + _MOST, len(tokens)), place, -1):
        if any(i in taken for i in range(place, end)):
            continue
        for kept in range(match.end - match.start - 1, 0, -1):
            name = _named([*tokens[match.start : match.start + kept], *tokens[place:end]], vocabulary)
            if name and name != match.name:
                return Match(DISEASE, name, place, end)
    return None


def _before(tokens: Sequence[Token], match: Match, taken: set[int], vocabulary: Vocabulary) -> Iterator[Match]:
    """The breast of "breast, lung and ovarian cancer": it ends with words of the name after the joint."""
    end = match.start - 1
    while _joint(tokens, end):
        while _joint(tokens, end - 1):
            end -= 1  # ", and"
        found = None
        for start in range(max(end - _MOST, 0), end):
            if any(i in taken for i in range(start, end)):
                continue
            for left in range(match.start + 1, match.end):
                name = _named([*tokens[start:end], *tokens[left : match.end]], vocabulary)
                if name and name != match.name:
                    found = Match(DISEASE, name, start, end)
                    break
            if found:
                break
        if found is None:
            return
        yield found
        end = found.start - 1


def joined(tokens: Sequence[Token], matches: Sequence[Match], vocabulary: Vocabulary) -> list[Match]:
    """Further conditions that the vocabulary names only together with words of a condition beside them.

    Args:
        tokens: the question's.
        matches: what was found in them; a word within a condition or a treatment begins no further one.
        vocabulary: where the names stand.
    """
    taken = {i for m in matches if m.kind in (DISEASE, TREATMENT) for i in range(m.start, m.end)}
    found: list[Match] = []
    for match in matches:
        if match.kind != DISEASE or not match.name or match.end - match.start < 2:
            continue
        after = _after(tokens, match, taken, vocabulary)
        found += [*([after] if after else ()), *_before(tokens, match, taken, vocabulary)]
    return found
