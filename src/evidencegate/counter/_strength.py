"""How strong the case against a claim is: independent studies by their design, not citations."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from types import MappingProxyType

from evidencegate.counter._types import Accepted, Rejected, Scored, Strength, StrengthLevel
from evidencegate.evidence import WEIGHTS, Level

_TRIAL = re.compile(r"\bNCT\d{8}\b|\bISRCTN\d{8}\b|\bACTRN\d{14}\b|\bEUDRACT\s*\d{4}-\d{6}-\d{2}\b", re.IGNORECASE)
_ACRONYM = re.compile(r"\b(?:the )?([A-Z][A-Z0-9-]{3,})(?: \d)? (?:trial|study|investigators)\b")
_STRONG, _MODERATE = 7.0, 3.5
"""Sums of design weights (5 for a systematic review, 4 for a trial, 2 for a cohort); the marks are ours."""
_CONFIDENCE = {
    StrengthLevel.WEAK: "slightly lowered",
    StrengthLevel.MODERATE: "lowered",
    StrengthLevel.STRONG: "much lowered",
}


def strength(accepted: Sequence[Accepted], rejected: Sequence[Rejected] = (), *, searched: bool = True) -> Strength:
    """The strength of what was accepted, and what it does to the confidence in the claim.

    Each independent study weighs what its design does times the best confidence among its passages, half where the
    record also supports the claim. Strong needs two studies, one of them a trial, a systematic review or a guideline.
    """
    against = _studies([a.record for a in accepted])
    supporting = len(set(_studies([r.record for r in rejected if r.supports_claim])) - set(against))
    if not accepted:
        level = StrengthLevel.NONE_FOUND if searched else StrengthLevel.NOT_SEARCHED
        why = "no passage was proved to contradict the claim" if searched else "no source could be searched"
        return Strength(
            level=level,
            supporting=supporting,
            confidence="unchanged",
            reasoning=f"{why}; this reports a search and is no support of the claim",
        )
    weight = 0.0
    designs: Counter[Level] = Counter()
    for records in against.values():
        mine = [a for a in accepted if a.record.document.id in records]
        best = max(mine, key=lambda a: (WEIGHTS[a.record.level], a.confidence))
        sure = max(a.confidence for a in mine)
        mixed = 0.5 if all(a.also_supports_claim for a in mine) else 1.0
        weight += max(0.5, WEIGHTS[best.record.level]) * sure * mixed
        designs[best.record.level] += 1
    high = sum(designs[level] for level in (Level.GUIDELINE, Level.SYSTEMATIC_REVIEW, Level.RCT))
    level = StrengthLevel.WEAK
    if weight >= _STRONG and len(against) > 1 and high:
        level = StrengthLevel.STRONG
    elif weight >= _MODERATE:
        level = StrengthLevel.MODERATE
    listed = ", ".join(
        f"{n} {_words(design, n)}" for design, n in sorted(designs.items(), key=lambda d: -WEIGHTS[d[0]])
    )
    other = f"; {supporting} of the studies read support the claim" if supporting else ""
    mixed_records = sum(a.also_supports_claim for a in accepted)
    note = "; a record that also supports the claim counts half" if mixed_records else ""
    return Strength(
        level=level,
        studies=len(against),
        designs=MappingProxyType(dict(sorted(designs.items()))),
        weight=round(weight, 2),
        supporting=supporting,
        confidence=_CONFIDENCE[level],
        reasoning=f"{len(against)} independent {'study' if len(against) == 1 else 'studies'} against it "
        f"({listed}){note}{other}",
    )


def _studies(records: Iterable[Scored]) -> dict[frozenset[str], frozenset[str]]:
    """Independent studies: the trial's names (else the record's id), and the ids of the records that report it."""
    groups: list[tuple[set[str], set[str]]] = []
    for record in records:
        names, ids = _names(record), {record.document.id}
        for group in [group for group in groups if group[0] & names]:
            names, ids = names | group[0], ids | group[1]
            groups.remove(group)
        groups.append((names, ids))
    return {frozenset(names): frozenset(ids) for names, ids in groups}


def _names(record: Scored) -> set[str]:
    document = record.document
    names = {document.id}
    if record.level in (Level.SYSTEMATIC_REVIEW, Level.GUIDELINE, Level.REVIEW):
        return names  # a review names the trials it pools; it is none of them
    names |= {name.upper().replace(" ", "") for name in _TRIAL.findall(document.text)}
    names |= {f"acronym:{name}" for name in _ACRONYM.findall(document.title)}
    if document.identifiers.nct:
        names.add(document.identifiers.nct)
    return names


def _words(level: Level, n: int) -> str:
    names = {
        Level.RCT: ("randomised trial", "randomised trials"),
        Level.COHORT: ("cohort", "cohorts"),
        Level.CASE_SERIES: ("case series", "case series"),
        Level.CASE_CONTROL: ("case-control study", "case-control studies"),
        Level.OTHER: ("record of unknown design", "records of unknown design"),
    }
    plain = level.value.replace("_", " ")
    return names.get(level, (plain, plain + "s"))[n > 1]
