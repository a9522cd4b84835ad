"""What a condition or a treatment is searched for by: its names, in both spellings and both numbers.

No service that takes phrases reads "haemorrhage" as "hemorrhage" or "antibiotics" as "antibiotic"; what is not
written out is not found.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

import yaml

from evidencegate.errors import UnknownName
from evidencegate.question import Question, Tag, load_vocabulary, named_in, phrase, tag, treatment

_WORD = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*")
MOST_NAMES = 5
"""Names that one condition or treatment is searched for by, besides their other forms."""
LONGEST = 8
"""Words of a name; a whole sentence is no search phrase."""
_ARTICLES = frozenset({"a", "i"})
"""An article and a pronoun, where they are no letters."""
_SHORTEST = 4
"""Letters of a name."""
_CUT = 3
"""Letters that a name cut short lacks; cyclosporin lacks one of cyclosporine and is a name."""


@dataclass(frozen=True, slots=True)
class Group:
    """Alternatives, one of which must be there."""

    names: tuple[str, ...] = ()
    """Words and single spaces only."""
    mesh: tuple[str, ...] = ()
    """Headings for the same, spelled as MeSH does."""

    def __bool__(self) -> bool:
        return bool(self.names)

    def __or__(self, other: "Group") -> "Group":
        return Group(unique((*self.names, *other.names)), unique((*self.mesh, *other.mesh)))


@dataclass(frozen=True, slots=True)
class Searched:
    """What a condition is searched for by."""

    names: tuple[str, ...]
    """The best first."""
    headings: bool = True
    """Whether its MeSH headings stand for it; what lies below some is mostly something else."""


def one_of(groups: Iterable[Group]) -> Group:
    """The alternatives of all groups as one."""
    whole = Group()
    for group in groups:
        whole |= group
    return whole


@cache
def data() -> Mapping[str, object]:
    """`data/queries.yaml`."""
    text = files("evidencegate.sources").joinpath("data/queries.yaml").read_text("utf-8")
    found: Mapping[str, object] = yaml.safe_load(text)
    return found


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of a list of `data/queries.yaml`."""
    return frozenset(str(data()[name]).split())


def words(text: str) -> tuple[str, ...]:
    """The words of a text, free of anything that is syntax somewhere; hyphens and inner dots stay."""
    return tuple(_WORD.findall(text))


def term(text: str) -> str:
    """A text as a search term: words and single spaces only."""
    return " ".join(words(text))


def unique(terms: Iterable[str]) -> tuple[str, ...]:
    """The terms once each, whatever their case, without empty ones."""
    seen: dict[str, str] = {}
    for one in terms:
        if one:
            seen.setdefault(one.casefold(), one)
    return tuple(seen.values())


def occurs(name: str, text: str) -> bool:
    """Whether a term stands in a text as whole words; both in one case."""
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


@cache
def _said_so(whose: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    table = data()[whose]
    assert isinstance(table, dict)
    return tuple((tuple(said.split("; ")), tuple(names)) for said, names in table.items())


def told_of(whose: str, text: str) -> tuple[str, ...]:
    """The names by which what `text` tells is searched for.

    Args:
        whose: a table of `data/queries.yaml` that says how things are told and what they are searched for by.
        text: a question, or a part of it.
    """
    folded = f" {' '.join(named_in(text).words)} "
    rows = _said_so(whose)
    return unique(name for said, names in rows if any(_stands_in(one, folded) for one in said) for name in names)


@cache
def _labels() -> Mapping[tuple[str, ...], str]:
    return {phrase(tag.label): tag.name for tag in load_vocabulary().tags.values()}


def _known(name: str, question: Question) -> Tag | None:
    own = next((own for own in question.own_tags if own.name == name), None)
    if own is None:
        with suppress(UnknownName):
            return tag(name)
    return own


def label_of(name: str, question: Question) -> str:
    """The usual name of a condition of the question, as a term; empty where nobody knows the tag."""
    known = _known(name, question)
    return term(known.label) if known else ""


def _lines(name: str) -> Iterator[str]:
    """The lines of `data/<name>` that are no comments."""
    text = files("evidencegate.sources").joinpath(f"data/{name}").read_text("utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def _searched() -> Mapping[str, Searched]:
    """By tag, what conditions are searched for by whose synonyms are made for reading (`data/searched.txt`)."""
    found = {}
    for line in _lines("searched.txt"):
        tag, listed, *no_heading = (part.strip() for part in line.split("|"))
        found[tag] = Searched(tuple(name.strip() for name in listed.split(";")), not no_heading)
    return found


def names_of_condition(name: str, question: Question) -> Group:
    """What a condition is searched for by: first as the question names it, then its usual name, then others."""
    known = _known(name, question)
    if known is None:
        return Group()
    vocabulary = load_vocabulary()
    tags = vocabulary.tags
    # A heading of another condition would bring all of that: Atrial Fibrillation for episodes that a device finds.
    wider = {heading for parent in known.implies if parent in tags for heading in tags[parent].mesh}
    mesh = tuple(h for h in known.mesh if h not in wider and _labels().get(phrase(h), name) == name)
    read = (known.label, *filter(_searchable, known.synonyms))
    # A user's own tag says itself what it is searched for by.
    searched = Searched(read) if name in vocabulary.own else _searched().get(name, Searched(read))
    return Group(_chosen(searched.names, read, question.text), mesh if searched.headings else ())


@cache
def _same() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Names of procedures and tests, folded, with all that abstracts call the same (`data/same.txt`)."""
    groups = (tuple(name.strip() for name in line.split(" = ")) for line in _lines("same.txt"))
    return {phrase(name): group for group in groups for name in group}


def names_of_treatment(name: str, question: Question) -> Group:
    """What a treatment is searched for by, in the same order; a name the vocabulary does not know is its only one."""
    try:
        known = treatment(name)
    except UnknownName:
        return Group(unique([term(name)]))
    same = unique(other for one in (known.term, *known.synonyms) for other in _same().get(phrase(one), ()))
    usable = (name for name in known.synonyms if _searchable(name) and not _cut_short(name, known.term))
    every = (known.term, *same, *usable)
    # "toe" finds toes; the echocardiography is found by its whole name.
    names = tuple(one for one in every if one.casefold() not in word_list("spelled_out")) or every
    return Group(_chosen(names, names, question.text), tuple(known.mesh))


def _chosen(names: Sequence[str], read: Iterable[str], text: str) -> tuple[str, ...]:
    """Of `names`, the best first, so many as are searched for; before them those of `read` that the text has."""
    asked = f" {' '.join(named_in(text).words)} "
    said = sorted((name for name in unique((*names, *read)) if _stands_in(name, asked)), key=len, reverse=True)
    kept: list[str] = []
    for name in (*said, *names):
        # What has a kept name within it is found with that: "oral antibiotics" with "antibiotics".
        if phrase(name) and not any(_stands_in(one, f" {' '.join(phrase(name))} ") for one in kept):
            kept.append(term(name))
    # Where the question says which of a kind it means, others of the kind are further off.
    return tuple(kept[: MOST_NAMES - 1 if said and said[0] != names[0] else MOST_NAMES])


def _stands_in(name: str, folded: str) -> bool:
    return f" {' '.join(phrase(name))} " in folded


def is_phrase(name: str) -> bool:
    """Whether a name can be looked for as a phrase: not a whole sentence, and no article in it.

    The a of "a fib" finds whatever has an a in it; that of "hepatitis A" is a letter.
    """
    parts = [part.casefold() for part in words(name)]
    lettered = word_list("lettered")
    letters = ((before, part) for before, part in pairwise(["", *parts]) if part in _ARTICLES)
    return 0 < len(parts) <= LONGEST and all(before in lettered for before, _ in letters)


def _searchable(name: str) -> bool:
    """Whether a name can be searched for: `and thrombosis` is only read by."""
    parts = words(name)
    idle = (word_list("stop_words") | word_list("read_by")) - _ARTICLES
    return (
        is_phrase(name) and len("".join(parts)) >= _SHORTEST and not {parts[0].casefold(), parts[-1].casefold()} & idle
    )


def _cut_short(name: str, whole: str) -> bool:
    """Whether a name is only the beginning of another, which doctors write and articles do not: `apix` for apixaban."""
    first = whole.split(maxsplit=1)[0]
    return first.startswith(name) and len(first) - len(name) >= _CUT


@cache
def _spellings(whose: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = data()[whose]
    assert isinstance(rows, list)
    return tuple((re.compile(pattern, re.IGNORECASE), into) for pattern, into in rows)


def _respelled(name: str, whose: str) -> str:
    for pattern, into in _spellings(whose):
        name = pattern.sub(into, name)
    return name


def other_spelling(name: str) -> str:
    """The name as it is written across the Atlantic; itself where that is the same."""
    british = _respelled(name, "british")
    return british if british != name else _respelled(name, "american")


def other_number(name: str) -> str:
    """The name with its last word in the plural, or in the singular where it stands in the plural.

    Only words that are listed: diabetes has no singular, and metformin no plural that anybody would write.
    """
    place = max(name.rfind(" "), name.rfind("-")) + 1
    last = name[place:]
    counted = word_list("counted")
    one = f"{last[:-3]}y" if last.endswith("ies") else last[:-1]
    if last.endswith("s") and one in counted:
        last = one
    elif last in counted:
        last = f"{last[:-1]}ies" if last.endswith("y") else f"{last}s"
    return name[:place] + last


def forms(names: Iterable[str]) -> tuple[str, ...]:
    """Names with their other spelling and number, for services that look for phrases letter by letter."""
    return unique(
        form for name in names for one in unique([name, other_spelling(name)]) for form in (one, other_number(one))
    )
