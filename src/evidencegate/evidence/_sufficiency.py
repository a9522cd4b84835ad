"""Sufficiency v1: is this enough to answer from? Monotone, explained, versioned.

The score is a sum of counts with ceilings over the relevant items, so adding a relevant item never lowers it:

    anchor guidelines of the scenario   18 each, at most 3; three or more give at least 70
    other guidelines                    14 each, at most 2
    systematic reviews, meta-analyses   14 each, at most 2
    randomised trials                   8 each, at most 4
    other primary studies               3 each, at most 3
    on the very decision                3 each, at most 4
    relevance                           the five best scores, 15 points if all were 100
    recent                              5 if anything is of the last five years

A weak item (below 25), one that names none of the interventions asked about, or a curated summary that says no more
than what a work is about counts for relevance alone; among the three anchor guidelines that give 70 it counts in full.
"""

import logging
from collections.abc import Callable
from datetime import date
from types import MappingProxyType

from evidencegate.evidence._anchors import scope_only
from evidencegate.evidence._design import Level
from evidencegate.evidence._types import EvidenceItem, EvidencePackage, Sufficiency, SufficiencyLevel
from evidencegate.question import Question

VERSION = "sufficiency/1"
ENOUGH = 50.0
"""From here on the fallback is not called (rule 10)."""
FLOOR = 70.0
"""What three anchor guidelines of the scenario give at least."""
_ERROR = 40.0
_OFF_TOPIC, _WEAK = 10.0, 25.0
_RECENT_YEARS = 5
_log = logging.getLogger(__name__)

Scorer = Callable[[EvidencePackage, date], Sufficiency]


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
    return bool(question.intervention_terms) and item.components.get("interventions") == 0.0


def _guideline_ids(package: EvidencePackage) -> frozenset[str]:
    return frozenset(anchor.id for anchor in package.anchors if anchor.guideline and anchor.current)


def score(package: EvidencePackage, *, now: date | None = None, scorer: Scorer | None = None) -> Sufficiency:
    """How sufficient the items of `package` are: 0-100 with level, components, reasons and version.

    `now` decides what is recent (by default: today). `scorer` may replace the formula; where it fails, the answer
    is *limited*, which allows the fallback, and says so.
    """
    day = now or date.today()  # noqa: DTZ011  (a calendar year is all that is read of it)
    try:
        return (scorer or _v1)(package, day)
    except Exception as error:  # noqa: BLE001  (a formula of the user's own may fail in any way; the answer goes on)
        _log.warning("sufficiency could not be computed: %s", type(error).__name__)
        return Sufficiency(
            score=_ERROR,
            level=SufficiencyLevel.LIMITED,
            reasons=(f"the score could not be computed ({type(error).__name__}); taken as limited",),
            components=MappingProxyType({"error": _ERROR}),
            version=VERSION,
        )


def _v1(package: EvidencePackage, now: date) -> Sufficiency:
    items = relevant(package)
    aside = [item for item in items if misses_interventions(package.question, item)]
    strong = [
        item
        for item in items
        if item.score >= _WEAK and not scope_only(item.document) and not misses_interventions(package.question, item)
    ]
    ids = _guideline_ids(package)
    matching = [item for item in items if item.anchor in ids]
    anchored = [item for item in matching if not scope_only(item.document)]
    reviews = [item for item in strong if item.level is Level.SYSTEMATIC_REVIEW]
    trials = [item for item in strong if item.level is Level.RCT]
    others = [item for item in strong if item.level.primary_study and item.level is not Level.RCT]
    guidelines = [i for i in strong if i.level is Level.GUIDELINE and i.anchor not in ids]
    decision = package.question.decision_tags.primary
    decided = [i for i in strong if decision is not None and decision in i.decision_tags]
    newest = max((i.document.year for i in strong if i.document.year), default=None)
    best = sorted((item.score for item in items), reverse=True)[:5]
    recent = newest is not None and now.year - newest <= _RECENT_YEARS

    components = {
        "anchor_guidelines": 18.0 * min(3, len(anchored)),
        "guidelines": 14.0 * min(2, len(guidelines)),
        "systematic_reviews": 14.0 * min(2, len(reviews)),
        "trials": 8.0 * min(4, len(trials)),
        "other_studies": 3.0 * min(3, len(others)),
        "on_the_decision": 3.0 * min(4, len(decided)),
        "relevance": round(15.0 * sum(best) / 500, 2),
        "recent": 5.0 if recent else 0.0,
    }
    total = min(100.0, sum(components.values()))
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
        _counted(len(guidelines), "other guideline", "other guidelines"),
        _counted(len(reviews), "systematic review or meta-analysis", "systematic reviews or meta-analyses"),
        _counted(len(trials), "randomised trial", "randomised trials"),
        _counted(len(others), "other primary study", "other primary studies"),
    ]
    reasons = [reason for reason in reasons if reason] or ["no relevant guideline, review or study"]
    if decision is not None and strong:
        reasons.append(f"{len(decided)} of {len(strong)} are about the decision asked for ({decision})")
    if newest is not None:
        reasons.append(f"the newest is of {newest}" + ("" if recent else f", older than {_RECENT_YEARS} years"))
    if floor:
        reasons.append("three or more current anchor guidelines match: at least 70")
    if aside:
        asked = ", ".join(package.question.intervention_terms)
        reasons.append(f"{len(aside)} name none of the interventions asked about ({asked}) and count for little")
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


def _counted(count: int, one: str, many: str) -> str:
    return "" if not count else f"1 {one}" if count == 1 else f"{count} {many}"
