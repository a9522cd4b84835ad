"""Is the record behind an identifier the work that was meant? (rule 8)

An identifier that a model or a user wrote may be well-formed and belong to something else. So the record is
fetched and compared with everything else that was said about the work.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from evidencegate.documents import Document
from evidencegate.sources._types import Unavailable

_WORD = re.compile(r"[^\W_]+")
# Words whose presence or absence does not make another title.
_LIGHT = frozenset("a an the of in on for and or with to by from at as vs versus v".split())
_ET_AL = re.compile(r"\bet\s+al\b\.?", re.IGNORECASE)
_SUBTITLE = re.compile(r"\s*(?:[:?;(]|\.\s|\s[-–—]\s)")
_SPELLINGS = tuple(
    (re.compile(pattern), spelling)
    for pattern, spelling in (
        (r"[ao]e", "e"),
        (r"is(?=(?:e[ds]?|ing|ation|ations)$)", "iz"),
        (r"our", "or"),
        (r"(?<=[bt])re$", "er"),
        (r"ll(?=(?:ed|ing)$)", "l"),
        (r"(?<=[^s])s$", ""),
    )
)
_SLIP_LENGTH = 7
_SHORTEST_MAIN_TITLE = 4


class Identity(StrEnum):
    """The outcome of a comparison."""

    VERIFIED = "verified"
    MISMATCH = "mismatch"
    COULD_NOT_CHECK = "could_not_check"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """What was said about a work. Empty where nothing was said."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    journal: str = ""

    def __bool__(self) -> bool:
        return bool(self.title.strip() or self.authors or self.year or self.journal.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityCheck:
    """The comparison of what was said with the record."""

    identity: Identity
    differences: tuple[str, ...] = ()
    """What differs, in words: for a mismatch at least one."""
    reason: str = ""
    """Why it could not be checked."""

    def __post_init__(self) -> None:
        if (self.identity is Identity.MISMATCH) != bool(self.differences):
            raise ValueError("a mismatch says what differs, and nothing else does")
        if (self.identity is Identity.COULD_NOT_CHECK) != bool(self.reason):
            raise ValueError("what could not be checked says why, and nothing else does")


def compare(claimed: Claimed, record: Document | Unavailable) -> IdentityCheck:
    """Compare what was said about a work with the record behind its identifier.

    Titles match if they differ in spelling, small words or a missing subtitle only: one other drug or disease is
    another work. The first author must be among the record's authors; the year may differ by one (online first);
    journals match as full names, abbreviations and acronyms. What either side leaves out is not compared.
    """
    if isinstance(record, Unavailable):
        return IdentityCheck(identity=Identity.COULD_NOT_CHECK, reason=record.reason)
    if not claimed:
        nothing = "nothing but the identifier was given to compare with"
        return IdentityCheck(identity=Identity.COULD_NOT_CHECK, reason=nothing)
    differences = tuple(_differences(claimed, record))
    if differences:
        return IdentityCheck(identity=Identity.MISMATCH, differences=differences)
    compared = (
        claimed.title and record.title,
        _families(claimed.authors) and record.authors,
        claimed.year and record.year,
        claimed.journal and record.journal,
    )
    if not any(compared):
        reason = "the record says nothing of what was given to compare with"
        return IdentityCheck(identity=Identity.COULD_NOT_CHECK, reason=reason)
    return IdentityCheck(identity=Identity.VERIFIED)


def _differences(claimed: Claimed, record: Document) -> Iterator[str]:
    if claimed.title.strip() and record.title and not same_title(claimed.title, record.title):
        yield f"title: “{claimed.title.strip()}” was said, the record is “{record.title}”"
    families = _families(claimed.authors)
    if families and record.authors:
        known = {word for name in record.authors for word in _words(name)}
        if not set(_words(families[0])) & known:
            yield f"authors: {families[0]} was said, the record has {', '.join(record.authors[:3])}"
    if claimed.year and record.year and abs(claimed.year - record.year) > 1:
        yield f"year: {claimed.year} was said, the record has {record.year}"
    if claimed.journal.strip() and record.journal and not same_journal(claimed.journal, record.journal):
        yield f"journal: {claimed.journal.strip()} was said, the record has {record.journal}"


def _words(text: str) -> list[str]:
    """Words without case and accents."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return _WORD.findall(bare.casefold())


def _families(authors: tuple[str, ...]) -> list[str]:
    """Family names: what is left of a name without `et al.` and initials."""
    names = []
    for author in authors:
        name = _ET_AL.sub("", author).strip(" ,.")
        if "," in name:
            name = name.split(",")[0]
        kept = [word for word in name.split() if not re.fullmatch(r"(?:[A-Z]\.?-?){1,4}", word)]
        if kept or name:
            names.append(" ".join(kept) or name)
    return names


def same_title(one: str, other: str) -> bool:
    """Whether two titles are of one work, but for spelling, small words and a subtitle that one of them leaves out."""
    (left, left_main), (right, right_main) = (_title(title) for title in (one, other))
    return _aligned(left, right) or _aligned(left, right_main) or _aligned(left_main, right)


def _title(title: str) -> tuple[list[str], list[str]]:
    """The words of a title that count, and those before its subtitle if they are enough to name a work."""
    main = _SUBTITLE.split(title.strip(), maxsplit=1)[0]
    whole, short = ([word for word in _words(part) if word not in _LIGHT] for part in (title, main))
    return whole, short if len(short) >= _SHORTEST_MAIN_TITLE else []


def _aligned(one: list[str], other: list[str]) -> bool:
    return bool(one) and len(one) == len(other) and all(map(_same_word, one, other))


def _same_word(one: str, other: str) -> bool:
    """Whether two words are one in British and American spelling, in singular and plural, or but for one slip."""
    for pattern, spelling in _SPELLINGS:
        one, other = pattern.sub(spelling, one), pattern.sub(spelling, other)
    if one == other:
        return True
    # One letter is a slip only in a long word and after its beginning: abduction is not adduction, and hyper-
    # and hypotension are two letters apart. Figures have no slips.
    if min(len(one), len(other)) < _SLIP_LENGTH or one[:2] != other[:2] or any(map(str.isdigit, one + other)):
        return False
    shorter, longer = sorted((one, other), key=len)
    first = next((n for n, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    if len(shorter) == len(longer):
        swapped = longer[:first] + longer[first + 1 : first + 2] + longer[first] + longer[first + 2 :]
        return shorter[first + 1 :] == longer[first + 1 :] or shorter == swapped
    return len(longer) - len(shorter) == 1 and shorter[first:] == longer[first + 1 :]


def same_journal(one: str, other: str) -> bool:
    """Whether two names are of one journal: alike, abbreviated word by word, or by first letters."""
    left, right = (_journal_words(name) for name in (one, other))
    if not left or not right:
        return False
    if len(left) == len(right) and all(a.startswith(b) or b.startswith(a) for a, b in zip(left, right, strict=True)):
        return True
    shorter, longer = sorted((left, right), key=len)
    # `Lancet Oncol` is not `Lancet`, but `BMJ Open` and `BMJ` are told apart the same way.
    return len(shorter) == 1 and len(longer) > 1 and shorter[0] == "".join(word[0] for word in longer)


def _journal_words(name: str) -> list[str]:
    """The words that count: no place of publication in brackets, no subtitle, no small words."""
    main = re.split(r"\s*[(:=;]", name.strip(), maxsplit=1)[0]
    return [word for word in _words(main) if word not in _LIGHT]
