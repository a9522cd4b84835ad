"""The focused searches made of a question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evidencegate.question._chosen import Conditions
from evidencegate.question._types import OF_TOGETHER, PICO, TOGETHER, Category, Role, SubQuery, Tags, TargetEvidence
from evidencegate.question._vocabulary import Vocabulary
from evidencegate.question._words import language

LONG = 100
_NOTE = 50
"""Words up to which a question tells only what bears on what it asks."""
MOST_WORDS = 20
_CUT = 200
_MOST_TREATMENTS = 3

_CORE_EVIDENCE = {
    "diagnosis": TargetEvidence.COHORT,
    "prognosis": TargetEvidence.COHORT,
    "safety": TargetEvidence.SYSTEMATIC_REVIEW,
    "interaction": TargetEvidence.COHORT,
}
_CORE_CATEGORY = {
    "duration": Category.DURATION_MONITORING,
    "monitoring": Category.DURATION_MONITORING,
    "safety": Category.COMPLICATIONS,
    "interaction": Category.COMPLICATIONS,
}
_COMPLICATIONS: Mapping[str, str] = {
    "anticoagulation": "bleeding thromboembolism outcomes",
    "antiplatelet": "bleeding ischemic events outcomes",
    "duration": "recurrence adverse events",
    "diagnosis": "misdiagnosis prognosis outcomes",
    "screening": "harms overdiagnosis mortality",
    "procedure": "complications mortality outcomes",
}
_COUNTERPART: Mapping[str, str] = {
    "diagnosis": "diagnostic accuracy",
    "screening": "screening effectiveness",
    "prognosis": "prognostic factors",
    "procedure": "conservative versus invasive treatment",
}


@dataclass(frozen=True, slots=True)
class _Parts:
    """What sub-queries are put together from; each is a few words."""

    topic: str
    """The primary condition, or the treatments where there is none."""
    beside: tuple[str, ...]
    told: tuple[str, ...]
    """What the story tells besides."""
    treatments: tuple[str, ...]
    comparison: str
    decisions: tuple[str, ...]
    primary: str


def _join(*parts: str) -> str:
    """The parts as one query of at most 20 words, no word twice; the last words go first where it is too long."""
    words: list[str] = []
    for part in parts:
        fresh = [word for word in part.split() if word]
        if fresh and " ".join(fresh).lower() not in " ".join(words).lower():
            words += fresh
    return " ".join(words[:MOST_WORDS])


def _core(parts: _Parts) -> str:
    against = f"versus {parts.comparison}" if parts.comparison else ""
    return _join(parts.topic, *parts.beside, " ".join(parts.treatments), against, *parts.decisions[:2])


def _complications(parts: _Parts) -> str:
    return _join(
        parts.topic,
        *parts.beside[:1],
        *parts.told[:2],
        *parts.treatments[:2],
        _COMPLICATIONS.get(parts.primary, "adverse events safety"),
    )


def _course(parts: _Parts) -> str:
    return _join(parts.topic, *parts.beside[:1], *parts.treatments[:2], "duration monitoring follow-up")


def _alternatives(parts: _Parts) -> str:
    last = _COUNTERPART.get(parts.primary, "alternative treatment comparison")
    return _join(parts.topic, *parts.beside[:1], *parts.treatments[:1], parts.comparison, last)


def _beside(treatments: Sequence[str], found: Conditions, vocabulary: Vocabulary) -> tuple[list[str], list[str]]:
    """The conditions beside the primary one: those that what is asked bears on, and those that are only told.

    Of the first, those that it names lead. Another that only the story names is history, and known to ranking alone;
    but one that changes whether or how a treatment asked about is given is the point of asking, unless it is as usual
    as hypertension, and one that such a treatment is given for may be. A pregnancy says whom all of it is about.
    """
    known, usual = vocabulary.tags, frozenset(language()["usual"])
    implied = {up for name in found.tags.all if name in known for up in known[name].implies}
    bearings = [vocabulary.bearing(term) for term in treatments if term in vocabulary.treatments]
    minded = {name for bearing in bearings for name in bearing.minds} - usual
    given = {name for bearing in bearings for name in bearing.given} - usual
    modifying = {name for name in found.tags.all if name in known and known[name].role is Role.MODIFIER}
    others = [name for name in found.tags.all[1:] if name not in implied]
    named = [name for name in others if name in found.asked]
    borne = [*named, *(name for name in others if name not in named and name in minded | modifying)]
    return borne, [name for name in others if name not in borne and name in given]


def _parts(
    pico: PICO, treatments: Sequence[str], decisions: Tags, found: Conditions, vocabulary: Vocabulary, *, note: bool
) -> _Parts:
    mine = {tag.name: tag.label for tag in found.own}

    def labelled(names: Sequence[str]) -> list[str]:
        return [mine.get(name) or vocabulary.tags[name].label for name in names]

    beside, told = _beside(treatments, found, vocabulary)
    if note:
        beside, told = [*beside, *told], []
    labels = labelled([*found.tags.all[:1], *beside])
    against = (pico.comparison or "").lower()
    own = tuple(t for t in treatments if t.lower() not in against)[:_MOST_TREATMENTS] or tuple(treatments[:1])
    return _Parts(
        topic=labels[0] if labels else " ".join(own),
        beside=tuple(labels[1:3]),
        told=tuple(labelled(told)),
        treatments=own if labels else (),
        comparison=" ".join((pico.comparison or "").replace(",", "").split()[:5]),
        decisions=tuple(vocabulary.decisions[name].label for name in decisions.all),
        primary=decisions.primary or "",
    )


def _second(parts: _Parts, decisions: Tags, first: Category) -> Category:
    """The category of a short question's second search.

    Drugs that may not go together are a matter of their own, whatever else is asked of them; where they come first,
    what else is asked of the condition is.
    """
    if TOGETHER not in decisions:
        return first
    rest = [name for name in decisions.all if name not in OF_TOGETHER]
    if parts.primary != TOGETHER or not rest or not parts.treatments:
        return Category.COMPLICATIONS
    return _CORE_CATEGORY.get(rest[0], Category.ALTERNATIVES)


def sub_queries(
    text: str,
    pico: PICO,
    decisions: Tags,
    treatments: Sequence[str],
    vocabulary: Vocabulary,
    found: Conditions,
) -> tuple[SubQuery, ...]:
    """The searches made of a question.

    A question of more than 100 words becomes four, by category and target evidence, each of at most 20 words with
    the primary condition in it (a treatment, where there is no condition). A shorter one becomes its core query
    and one for another kind of evidence. Where nothing can be put together, the question itself, cut to 200
    characters, is searched.

    Args:
        text: the question.
        pico: what was understood of it.
        decisions: its decision tags.
        treatments: its intervention terms.
        vocabulary: where labels are looked up.
        found: the conditions found, with those that the asking part is about.
    """
    size = len(text.split())
    parts = _parts(pico, treatments, decisions, found, vocabulary, note=size <= _NOTE)
    if not parts.topic:
        return (SubQuery(query=text[:_CUT].strip()),)
    core_evidence = _CORE_EVIDENCE.get(parts.primary, TargetEvidence.GUIDELINE)
    category = _CORE_CATEGORY.get(parts.primary, Category.CORE_DECISION)
    if size > LONG:
        plan: tuple[tuple[Callable[[_Parts], str], Category, TargetEvidence], ...] = (
            (_core, Category.CORE_DECISION, TargetEvidence.GUIDELINE),
            (_complications, Category.COMPLICATIONS, TargetEvidence.COHORT),
            (_course, Category.DURATION_MONITORING, TargetEvidence.TRIAL),
            (_alternatives, Category.ALTERNATIVES, TargetEvidence.SYSTEMATIC_REVIEW),
        )
    else:
        other = (
            TargetEvidence.TRIAL
            if core_evidence is TargetEvidence.SYSTEMATIC_REVIEW
            else TargetEvidence.SYSTEMATIC_REVIEW
        )
        second = _second(parts, decisions, category)
        plan = ((_core, category, core_evidence), (_core, second, other))
        if parts.treatments and core_evidence is TargetEvidence.GUIDELINE:
            plan = (*plan, (_core, category, TargetEvidence.TRIAL))
    return tuple(SubQuery(query=make(parts), category=kind, target_evidence=evidence) for make, kind, evidence in plan)
