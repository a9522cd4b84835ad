"""Whether the external fallback may be called (rule 10)."""

import logging
from dataclasses import dataclass

from evidencegate.evidence._anchors import Packs
from evidencegate.evidence._sufficiency import ENOUGH
from evidencegate.evidence._types import Sufficiency
from evidencegate.question import Question

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallback:
    """Whether the external fallback was called, and why or why not."""

    called: bool
    reason: str


def fallback_decision(sufficiency: Sufficiency, question: Question | str | None, packs: Packs) -> Fallback:
    """Whether the fallback is to be called: only below 50, and only where no current anchor pack matches.

    `question` may be the question or just the name of its scenario. The decision is logged with the score.
    """
    scenario = question.anchor_scenario if isinstance(question, Question) else question
    pack = packs.for_scenario(scenario) if scenario else None
    score = f"sufficiency {sufficiency.score:.0f} ({sufficiency.level})"
    if sufficiency.score >= ENOUGH:
        decision = Fallback(called=False, reason=f"skipped: {score} is at least {ENOUGH:.0f}")
    elif pack is not None and any(anchor.current for anchor in pack.anchors):
        decision = Fallback(called=False, reason=f"skipped: {score}, but the anchor pack {pack.scenario} matches")
    else:
        decision = Fallback(called=True, reason=f"called: {score} is below {ENOUGH:.0f} and no anchor pack matches")
    _log.info("fallback %s", decision.reason)
    return decision
