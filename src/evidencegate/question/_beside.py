"""What the conditions of a question have in common, against which each of them is weighed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evidencegate.question._asked import asked_treatments, restarting
from evidencegate.question._candidates import Candidate
from evidencegate.question._reading import Reading
from evidencegate.question._vocabulary import Vocabulary
from evidencegate.question._words import language

UNLISTED = "own"
"""The field of a condition that no list knows."""


@dataclass(frozen=True, slots=True)
class Beside:
    """The candidates of a question taken together."""

    reading: Reading
    vocabulary: Vocabulary
    together: bool
    """The question is about drugs given together."""
    names: frozenset[str]
    wider: frozenset[str]
    """What one of them is a kind of."""
    implied: frozenset[str]
    """What one of them stands for as well."""
    asked_fields: frozenset[str]
    given: Mapping[str, int]
    """What the treatments asked about are given for, each with its best place in the list of one."""
    given_fields: frozenset[str]
    foremost: int | None
    """The best place that one of the candidates has there."""
    told_for: frozenset[str]
    """What treatments that are told, and not asked about, are given for."""
    minded: Mapping[str, int]
    """What changes whether or how the treatments asked about are given, each with its best place in the list of one."""
    restarting: bool
    """It is asked when to go on with a treatment that thins the blood."""
    ends: Mapping[str, str]
    """The candidates that are named first and last, in the text and in what is asked."""

    def place(self, name: str, among: Mapping[str, int]) -> int | None:
        """The place of a condition, or of what it is a kind of, in `given` or `minded`; None if it has none."""
        line = (name, *self.vocabulary.ancestors.get(name, ()))
        return min((among[one] for one in line if one in among), default=None)


@lru_cache(maxsize=1)
def _same() -> Mapping[str, frozenset[str]]:
    """For each field itself, and the groups or fields that say the same."""
    found: dict[str, frozenset[str]] = {}
    for pair in language()["same_field"]:
        group, _, names = pair.partition("=")
        found[group] = frozenset({group, *names.split()})
        found |= {name: frozenset({name, group}) for name in names.split()}
    return found


def field_of(candidate: Candidate, vocabulary: Vocabulary) -> str:
    """The clinical field of a condition."""
    known = vocabulary.tags.get(candidate.name)
    return known.specialty if known else UNLISTED


def _fields(found: Sequence[Candidate], vocabulary: Vocabulary) -> frozenset[str]:
    names = {field_of(one, vocabulary) for one in found}
    return frozenset().union(*(_same().get(name, frozenset({name})) for name in names))


def _best_places(lists: Iterable[Sequence[str]]) -> Mapping[str, int]:
    """For each name its smallest place in one of the lists."""
    found: dict[str, int] = {}
    for one in lists:
        for place, name in enumerate(one):
            found[name] = min(found.get(name, place), place)
    return found


def _ends(found: Sequence[Candidate]) -> Mapping[str, str]:
    places = sorted((m.start, one.name, m.asked) for one in found for m in one.mentions)
    asked = [name for _, name, asks in places if asks]
    ends = {"first": places[0][1], "last": places[-1][1]} if places else {}
    return ends | ({"first asked": asked[0], "last asked": asked[-1]} if asked else {})


def beside(found: Sequence[Candidate], reading: Reading, vocabulary: Vocabulary, *, together: bool) -> Beside:
    """The candidates `found` in `reading`, taken together."""
    names = frozenset(one.name for one in found)
    asked = {mention.name for mention in asked_treatments(reading)}
    given = _best_places(vocabulary.bearing(name).given for name in sorted(asked))
    told = {m.name for m in reading.treatments if not m.negated} - asked
    line = {one.name: {one.name, *vocabulary.ancestors.get(one.name, ())} for one in found}
    treated = [one for one in found if line[one.name] & given.keys()]
    return Beside(
        reading=reading,
        vocabulary=vocabulary,
        together=together,
        names=names,
        wider=frozenset(up for name in names for up in vocabulary.ancestors.get(name, ())),
        implied=frozenset(up for name in names & vocabulary.tags.keys() for up in vocabulary.tags[name].implies),
        asked_fields=_fields([one for one in found if one.asked], vocabulary),
        given=given,
        given_fields=_fields(treated, vocabulary),
        foremost=min((given[up] for one in treated for up in line[one.name] & given.keys()), default=None),
        told_for=frozenset(disease for name in told for disease in vocabulary.bearing(name).given),
        minded=_best_places(vocabulary.bearing(name).minds for name in sorted(asked)),
        restarting=restarting(reading, vocabulary),
        ends=_ends(found),
    )
