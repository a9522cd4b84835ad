"""Which of the conditions that a question names are its tags, and which of them is the primary one.

What speaks for each (`_traits`) is weighed by `data/condition_weights.json.gz`, fitted by
`training/question/choose.py`, and by the trained reader of questions where it is installed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from evidencegate.models.questions import QuestionReader, Weight, averaged
from evidencegate.question._beside import Beside, beside
from evidencegate.question._candidates import Candidate, candidates
from evidencegate.question._data import packed
from evidencegate.question._reading import Reading
from evidencegate.question._stands import is_effect
from evidencegate.question._traits import traits
from evidencegate.question._types import Role, Tag, Tags
from evidencegate.question._vocabulary import Vocabulary

MOST_DISEASES = 8
# Log-odds that a condition must pass to count, and below which even the likeliest is not taken.
LEAST, _FAINT = 1.0, -6.0
# How much the trained reader counts beside the table, the log-odds beyond which neither is surer, and how much the
# reader's score as the primary one counts. With a share of 0.3, bounds from 0.8 to 1.2 differ by two lists of 420
# questions that neither had learnt from, and lower or higher ones are worse: the middle.
_SHARE, _SUREST, _LEADS = 0.3, 5.0, 0.35


@dataclass(frozen=True, slots=True)
class Conditions:
    """The disease tags of a question, and those among them that are its own."""

    tags: Tags
    own: tuple[Tag, ...] = ()
    focus: frozenset[str] = frozenset()
    """The primary tag and those that the asking part names; the two foremost, where it names none."""
    asked: frozenset[str] = frozenset()
    """Those that the asking part names or gives findings of."""


_NONE = Weight(0.0, 0.0)


@lru_cache(maxsize=1)
def weights() -> Mapping[str, Weight]:
    """What each feature adds to the log-odds that a condition counts, and to its score as the primary one."""
    return MappingProxyType({feature: Weight(*row) for feature, row in packed("condition_weights").items()})


def weighed(features: Iterable[str]) -> Weight:
    """The two sums over `features`."""
    model = weights()
    rows = [model.get(feature, _NONE) for feature in sorted(features)]
    return Weight(sum(row.counts for row in rows), sum(row.primary for row in rows))


def _together(table: Weight, read: Weight | None) -> Weight:
    """What the table and the reader say together; what is not read is the table's."""
    if read is None:
        return table
    return Weight(
        averaged(table.counts, read.counts, share=_SHARE, surest=_SUREST),
        (1 - _LEADS) * table.primary + _LEADS * read.primary,
    )


def _without_general(ranked: list[str], vocabulary: Vocabulary) -> list[str]:
    """Without "heart failure" beside a kind of it: both say one thing, and the kind takes the better place."""
    kinds = [name for name in ranked if "HF" in vocabulary.ancestors.get(name, frozenset())]
    if "HF" not in ranked or not kinds:
        return ranked
    return list(dict.fromkeys(kinds[0] if name == "HF" else name for name in ranked))


def with_implied(names: Iterable[str], vocabulary: Vocabulary) -> list[str]:
    """`names`, and after them what they imply: a question on breast cancer is one on cancer."""
    chosen = list(names)
    wider = [up for name in chosen if name in vocabulary.tags for up in vocabulary.tags[name].implies]
    return list(dict.fromkeys((*chosen, *wider)))


def _chosen(found: Iterable[Candidate], weight: Mapping[str, Weight], vocabulary: Vocabulary) -> list[str]:
    """Names of those that count, the primary first; tags that are never primary beside others last."""
    likeliest = sorted((one.name for one in found), key=lambda name: (-weight[name].counts, name))
    counting = [name for name in likeliest if weight[name].counts > LEAST] or [
        name for name in likeliest[:1] if weight[name].counts > _FAINT
    ]
    known = vocabulary.tags

    def rank(name: str) -> tuple[bool, float, str]:
        return name in known and known[name].role is not Role.MAIN, -weight[name].primary, name

    return sorted(counting[:MOST_DISEASES], key=rank)


def _asked(ranked: Iterable[str], found: Iterable[Candidate], reading: Reading) -> frozenset[str]:
    """The conditions that what is asked names, or gives findings of."""
    # What is only feared or hoped for ("the risk of cancer with ...") says nothing of the field.
    asked = {one.name for one in found if any(m.asked and not is_effect(reading, m) for m in one.mentions)}
    asked = asked or {one.name for one in found if one.asked}
    return frozenset(ranked) & (asked | {one.name for one in found if one.measured_asked})


def _focus(ranked: list[str], asked: frozenset[str], among: Beside) -> frozenset[str]:
    """The conditions that the decision is about."""
    treated = {name for name in ranked if among.place(name, among.given) is not None}
    focus = {*ranked[:1], *asked} if asked else {*ranked[:2], *treated}
    known = among.vocabulary.tags
    for name in tuple(focus & known.keys()):
        focus.update(known[name].implies)
    return frozenset(focus & set(ranked))


def conditions(
    reading: Reading, vocabulary: Vocabulary, reader: QuestionReader | None, *, together: bool
) -> Conditions:
    """The disease tags of a question, the primary first; at most eight and what they imply.

    Args:
        reading: the question taken apart.
        vocabulary: the tags.
        reader: the trained reader, heard beside the table; None to go by the table alone.
        together: the question is about drugs given together; a harm it names is then hardly a condition of its own.
    """
    found = candidates(reading, vocabulary)
    among = beside(found, reading, vocabulary, together=together)
    told = traits(found, among)
    weight = {one.name: weighed(features) for one, features in zip(found, told, strict=True)}
    if reader and found:
        read = reader.conditions(reading.text, reading.asking, [one.places(reading) for one in found])
        weight = {name: _together(weight[name], said) for name, said in zip(weight, read, strict=True)}
    ranked = _without_general(_chosen(found, weight, vocabulary), vocabulary)
    ranked = with_implied(ranked, vocabulary)
    own = {one.name: one.own for one in found if one.own is not None}
    asked = _asked(ranked, found, reading)
    return Conditions(
        tags=Tags(tuple(ranked)),
        own=tuple(own[name] for name in ranked if name in own),
        focus=_focus(ranked, asked, among),
        asked=asked,
    )
