"""Misspelt names of conditions and treatments: read as meant where only one long name can be meant, and said so."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

from evidencegate.question._matcher import Matcher
from evidencegate.question._normal import BREAKS, fold, phrase, tokenize
from evidencegate.question._speak import weights
from evidencegate.question._types import Spelling
from evidencegate.question._vocabulary import Vocabulary
from evidencegate.question._words import language

# A name this short has too many neighbours; one of nine letters may have two slips.
_SHORTEST, _SHORTEST_NAME, _LONG = 6, 7, 9
_SHORTEST_SUGGESTED = 5
_SAME_BEGINNING, _SAME_END = 3, 4
_MOST_SUGGESTED = 3
# Endings by which a word is only another form of a name: "anticoagulated", "cirrhotic", "diabetics".
_FORMS = (
    "ed",
    "ing",
    "ly",
    "al",
    "ic",
    "ous",
    "er",
    "or",
    "ist",
    "ity",
    "able",
    "ive",
    "ian",
    "y",
    "ized",
    "ation",
    "s",
)
# "Choking", "snoring": too many plain words are near them.
_VERBS = ("ing", "ed")


@dataclass(frozen=True, slots=True)
class _Names:
    """The long names of one word, and where to look for those that are nearly a given word."""

    known: frozenset[str]
    """All words that mean something as they are written."""
    near: Mapping[str, tuple[str, ...]]
    """The names by their first three, and by their first and their last four letters."""


def _near_keys(word: str) -> tuple[str, str]:
    return word[:_SAME_BEGINNING], f"{word[:1]}-{word[-_SAME_END:]}"


_names_of: WeakKeyDictionary[Matcher, _Names] = WeakKeyDictionary()


def _names(vocabulary: Vocabulary) -> _Names:
    found = _names_of.get(vocabulary.questions)
    if found is None:
        found = _names_of[vocabulary.questions] = _build(vocabulary)
    return found


def _build(vocabulary: Vocabulary) -> _Names:
    tags = (text for tag in vocabulary.tags.values() for text in (tag.label, *tag.synonyms))
    drugs = (text for one in vocabulary.treatments.values() if one.drug for text in (one.term, *one.synonyms))
    alone = {words[0] for text in (*tags, *drugs) if len(words := phrase(text)) == 1}
    near: dict[str, list[str]] = {}
    for word in sorted(alone | {fold(word) for word in language()["misspelt"]}):
        if len(word) >= _SHORTEST_NAME and word.isalpha() and not word.endswith(_VERBS):
            for key in _near_keys(word):
                near.setdefault(key, []).append(word)
    known = frozenset((*vocabulary.questions.words(), *weights().words, *_other_words()))
    return _Names(known, {key: tuple(found) for key, found in near.items()})


@lru_cache(maxsize=1)
def _other_words() -> frozenset[str]:
    """Words of the language's own lists, and those near a name that mean something else."""
    lists = language()
    return frozenset(
        fold(word) for name in ("english", "medical", "not_misspelt", "not_treatments") for word in lists[name]
    )


def slips(one: str, other: str, most: int) -> int:
    """The fewest letters to put in, leave out, replace or swap with the next to make `other` of `one`.

    Optimal string alignment distance; more than `most` is given as `most + 1`.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row, before, last = [i], row, before
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def _a_form(word: str, name: str) -> bool:
    """Whether a word is a name in another form: it begins as the name does and ends as words do."""
    shared = next((i for i, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), min(len(word), len(name)))
    ends = [end for end in _FORMS if word.endswith(end) and len(word) - len(end) <= shared]
    return bool(ends) and not any(name.endswith(end) for end in ends)


def _another(word: str, name: str) -> bool:
    """Whether two words differ by what stands before them, and so in meaning: premenopausal, perimenopausal."""
    before = language()["prefixes"]
    rests = [{w.removeprefix(prefix) for prefix in before if w.startswith(prefix)} for w in (word, name)]
    return not rests[0].isdisjoint(rests[1])


@lru_cache(maxsize=4096)
def _nearest(word: str, near: tuple[str, ...]) -> tuple[str, ...]:
    """The names that need the fewest slips, none where all need too many."""
    best: dict[str, int] = {}
    for name in near:
        most = 2 if min(len(name), len(word)) >= _LONG else 1
        count = slips(word, name, most)
        if 0 < count <= most and not _a_form(word, name) and not _another(word, name):
            best[name] = count
    fewest = min(best.values(), default=0)
    return tuple(name for name, count in best.items() if count == fewest)


def _candidates(word: str, names: _Names) -> tuple[str, ...]:
    return tuple(sorted({name for key in _near_keys(word) for name in names.near.get(key, ())}))


def _treatment_by_stem(word: str, vocabulary: Vocabulary) -> bool:
    return any(stem.pattern.fullmatch(word) for stem in vocabulary.stems)


def _strange(text: str, vocabulary: Vocabulary) -> Iterator[tuple[str, int, int]]:
    """The words of `text` that nothing knows, folded, with their places; names of people and places are none."""
    known = _names(vocabulary).known
    first = True
    for token in tokenize(text):
        if token.text in BREAKS:
            first = True
            continue
        word = token.folded
        proper = token.text[:1].isupper() and not first
        first = False
        if len(word) >= _SHORTEST and word.isascii() and word.isalpha() and word not in known and not proper:
            yield word, token.start, token.end


def spelled(text: str, vocabulary: Vocabulary) -> tuple[str, tuple[Spelling, ...]]:
    """`text` with misspelt names as they are meant, and which words were read so.

    A word is taken for a misspelt name only where nothing knows it, the name has seven letters or more, one slip (two
    from nine letters on) makes it of the word, and no other name is as near. Where several are, the word stays, and
    what it may mean is told. What looks like a drug that no list knows stays too.

    Args:
        text: a question.
        vocabulary: the names.
    """
    names = _names(vocabulary)
    found: dict[str, Spelling] = {}
    parts, done = [], 0
    for word, start, end in _strange(text, vocabulary):
        meant = _nearest(word, _candidates(word, names))
        if not meant:
            continue
        read = len(meant) == 1 and not _treatment_by_stem(word, vocabulary)
        written = text[start:end]
        found.setdefault(word, Spelling(written=written, meant=meant[:_MOST_SUGGESTED], read=read))
        if read:
            parts += [text[done:start], meant[0]]
            done = end
    return "".join((*parts, text[done:])), tuple(found.values())


def suggestions(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Names that the words of a text that was not understood may have meant; the likeliest first."""
    from difflib import get_close_matches  # only where a question is refused

    names: Iterable[str] = sorted({word for words in _names(vocabulary).near.values() for word in words})
    found: list[str] = []
    for token in tokenize(text):
        if len(token.folded) >= _SHORTEST_SUGGESTED and token.folded.isalpha():
            found += get_close_matches(token.folded, names, n=1, cutoff=0.78)
    return tuple(dict.fromkeys(found))[:_MOST_SUGGESTED]
