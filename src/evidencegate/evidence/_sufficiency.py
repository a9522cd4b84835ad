"""Sufficiency v2: is this enough to answer from? Monotone, explained, versioned.

The score is a sum of counts with ceilings over the relevant items, so adding a relevant item never lowers it:

    anchor guidelines of the scenario   18 each, at most 3; three or more give at least 70
    other guidelines                    14 each, at most 2
    systematic reviews, meta-analyses   14 each, at most 2
    randomised trials                   8 each, at most 4
    other primary studies               4 each, at most 5
    on the very decision                3 each, at most 4
    relevance                           the five best scores, 15 points if all were 100
    recent                              5 if anything is of the last five years

An item counts in full if one of its sentences, read with its title, names every part of what is asked that is known:
the intervention (or what is asked about), the comparison, the outcome; and if it tells of the population. It counts
a quarter if it names some of them, and such items give at most a quarter of what their kind can give. A weak
item (below 25), one that names none of the interventions asked about, or a curated summary that says no more than what
a work is about counts for relevance alone; among the three anchor guidelines that give 70 it counts in full.

A sum is cut where what it counts does not answer: at 49 where no item names every part, and where what was said in
answer does not; at 29 where nothing could be said. Three anchor guidelines give 70 all the same. More items, and more
sentences, can only lift the cut.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from types import MappingProxyType

from evidencegate.evidence._anchors import scope_only
from evidencegate.evidence._asked import Part, asked, best_covered, covered, labels, names_subject, sought
from evidencegate.evidence._design import Level
from evidencegate.evidence._types import EvidenceItem, EvidencePackage, Sufficiency, SufficiencyLevel
from evidencegate.question import Question

VERSION = "sufficiency/2"
ENOUGH = 50.0
"""From here on the fallback is not called (rule 10)."""
FLOOR = 70.0
"""What three anchor guidelines of the scenario give at least."""
UNANSWERED, UNSAID = 49.0, 29.0
"""The most where no record, or no sentence of the answer, names every part of what is asked, and where none is said."""
_ERROR = 40.0
_PART = 0.25
"""What a record counts that does not name all that was asked, and what such records can give of a ceiling."""
_POINTS = {"guidelines": (14.0, 2), "systematic_reviews": (14.0, 2), "trials": (8.0, 4), "other_studies": (4.0, 5)}
"""Points of one, and how many count."""
_CALLED = {
    "guidelines": ("other guideline", "other guidelines"),
    "systematic_reviews": ("systematic review or meta-analysis", "systematic reviews or meta-analyses"),
    "trials": ("randomised trial", "randomised trials"),
    "other_studies": ("other primary study", "other primary studies"),
}
_OFF_TOPIC, _WEAK = 10.0, 25.0
_RECENT_YEARS = 5
_log = logging.getLogger(__name__)

Scorer = Callable[[EvidencePackage, date], Sufficiency]

Said = Sequence[tuple[str, str]]
"""What is said in answer: each sentence, and the title of its record."""


def relevant(package: EvidencePackage) -> tuple[EvidenceItem, ...]:
    """The items that count: on topic, sharing a disease tag where the question names a condition, not retracted."""
    tags = package.question.disease_tags
    return tuple(
        item
        for item in package.items
        if item.score >= _OFF_TOPIC
        and not item.document.retracted
        and (not tags or any(tag in item.disease_tags for tag in tags.all))
    )


def anchor_guidelines(package: EvidencePackage) -> tuple[EvidenceItem, ...]:
    """The relevant items that are current guidelines of the question's scenario."""
    ids = _guideline_ids(package)
    return tuple(item for item in relevant(package) if item.anchor in ids)


def misses_interventions(question: Question, item: EvidenceItem) -> bool:
    """Whether ranking found none of the interventions in it that the question asks about."""
    return bool(sought(question)) and item.components.get("interventions") == 0.0


def answering(question: Question, item: EvidenceItem) -> float:
    """How far a record can answer: 1 in full or where no part asked for is known, a quarter in part, 0 not at all."""
    if misses_interventions(question, item) or not names_subject(question, item):
        return 0.0
    parts = asked(question)
    return 1.0 if len(best_covered(question, item)) == len(parts) else _PART


def _guideline_ids(package: EvidencePackage) -> frozenset[str]:
    return frozenset(anchor.id for anchor in package.anchors if anchor.guideline and anchor.current)


def score(
    package: EvidencePackage, *, now: date | None = None, scorer: Scorer | None = None, said: Said | None = None
) -> Sufficiency:
    """How sufficient the items of `package` are: 0-100 with level, components, reasons and version.

    `now` decides what is recent (by default: today). `said` is what is shown in answer; None before anything is.
    `scorer` may replace the formula; where it fails, the answer is *limited*, which allows the fallback, and says so.
    """
    day = now or date.today()  # noqa: DTZ011  (a calendar year is all that is read of it)
    try:
        return scorer(package, day) if scorer else _v2(package, day, said)
    except Exception as error:  # noqa: BLE001  (a formula of the user's own may fail in any way; the answer goes on)
        _log.warning("sufficiency could not be computed: %s", type(error).__name__)
        return Sufficiency(
            score=_ERROR,
            level=SufficiencyLevel.LIMITED,
            reasons=(f"the score could not be computed ({type(error).__name__}); taken as limited",),
            components=MappingProxyType({"error": _ERROR}),
            version=VERSION,
        )


def _v2(package: EvidencePackage, now: date, said: Said | None) -> Sufficiency:
    question, items, ids = package.question, relevant(package), _guideline_ids(package)
    weight = {item.document.id: answering(question, item) for item in items}
    aside = [item for item in items if not weight[item.document.id] and item.anchor not in ids]
    strong = [
        item for item in items if item.score >= _WEAK and not scope_only(item.document) and weight[item.document.id]
    ]

    def counted(found: Iterable[EvidenceItem], most: int) -> float:
        weights = [weight[item.document.id] for item in found]
        whole, part = sum(w for w in weights if w == 1.0), sum(w for w in weights if w < 1.0)
        return min(float(most), whole + min(part, most * _PART))

    matching = [item for item in items if item.anchor in ids]
    anchored = [item for item in matching if not scope_only(item.document)]
    kinds = {
        "guidelines": [i for i in strong if i.level is Level.GUIDELINE and i.anchor not in ids],
        "systematic_reviews": [i for i in strong if i.level is Level.SYSTEMATIC_REVIEW],
        "trials": [i for i in strong if i.level is Level.RCT],
        "other_studies": [i for i in strong if i.level.primary_study and i.level is not Level.RCT],
    }
    decision = question.decision_tags.primary
    decided = [i for i in strong if decision is not None and decision in i.decision_tags]
    newest = max((i.document.year for i in strong if i.document.year), default=None)
    best = sorted((item.score for item in items), reverse=True)[:5]
    recent = newest is not None and now.year - newest <= _RECENT_YEARS

    components = {
        "anchor_guidelines": 18.0 * min(3, len(anchored)),
        **{name: points * counted(kinds[name], most) for name, (points, most) in _POINTS.items()},
        "on_the_decision": 3.0 * counted(decided, 4),
        "relevance": round(15.0 * sum(best) / 500, 2),
        "recent": 5.0 if recent else 0.0,
    }
    whole = bool(anchored) or any(weight[item.document.id] == 1.0 for item in strong)
    most, why = _cut(question, whole=whole, any_left=bool(strong or anchored), said=said)
    raw = sum(components.values())
    total = min(100.0, raw)
    if total > most:
        components["not_answered"] = most - raw
        total = most
    floor = len(matching) >= 3 and total < FLOOR
    if floor:
        components["floor"] = FLOOR - total
        total = FLOOR
    reasons = [
        _counted(len(anchored), "anchor guideline of the scenario", "anchor guidelines of the scenario"),
        _counted(
            len(matching) - len(anchored),
            "anchor guideline of which only the scope is known here",
            "anchor guidelines of which only the scope is known here",
        ),
        *(_counted(len(kinds[name]), one, many) for name, (one, many) in _CALLED.items()),
    ]
    other = len(strong) - len([i for i in strong if i.anchor in ids]) - sum(map(len, kinds.values()))
    reasons.append(_counted(max(0, other), "record of another or unknown design", "records of other or unknown design"))
    reasons = [reason for reason in reasons if reason] or ["no relevant guideline, review or study"]
    partly = [item for item in strong if weight[item.document.id] < 1.0 and item.anchor not in ids]
    if partly:
        named = labels(question, (one.part for one in asked(question)))
        reasons.append(f"{len(partly)} of {len(strong)} do not name all that was asked ({named}) and count a quarter")
    reasons += [why] if why else []
    if decision is not None and strong:
        called = decision.replace("_", " ")
        reasons.append(f"{len(decided)} of {len(strong)} are about the decision asked for ({called})")
    if newest is not None:
        reasons.append(f"the newest is of {newest}" + ("" if recent else f", older than {_RECENT_YEARS} years"))
    if floor:
        reasons.append("three or more current anchor guidelines match: at least 70")
    if aside:
        terms = ", ".join(sought(question))
        named = (
            f"name none of the interventions asked about ({terms})" if terms else f"do not name {_subject(question)}"
        )
        reasons.append(f"{len(aside)} {named} and count for little")
    ignored = len(package.items) - len(items)
    if ignored:
        reasons.append(f"{ignored} off-topic or retracted records do not count")
    return Sufficiency(
        score=round(total, 2),
        level=SufficiencyLevel.of(round(total, 2)),
        reasons=tuple(reasons),
        components=MappingProxyType(components),
        version=VERSION,
    )


def _cut(question: Question, *, whole: bool, any_left: bool, said: Said | None) -> tuple[float, str]:
    """The most that the score may be, and why in words: whether records, and what is said, name what is asked."""
    parts = frozenset(one.part for one in asked(question))
    # One sentence need not say of whom it speaks.
    sayable = parts - {Part.POPULATION}
    if said is not None and not said:
        return UNSAID, "no sentence that was found answers the question: at most 29"
    if any_left and not whole:
        return UNANSWERED, f"no record names all that was asked, {labels(question, parts)}: at most 49"
    if said:
        best = max((covered(question, text, title) for text, title in said), key=len)
        if missing := sayable - best:
            return UNANSWERED, f"no sentence of the answer names {labels(question, missing)} as well: at most 49"
    return 100.0, ""


def _subject(question: Question) -> str:
    return f"what is asked about ({', '.join(one.label for one in asked(question) if one.part is Part.SUBJECT)})"


def _counted(count: int, one: str, many: str) -> str:
    return "" if not count else f"1 {one}" if count == 1 else f"{count} {many}"
