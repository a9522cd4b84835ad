"""A claim with several facts, cut into statements that can be judged one by one."""

import re

_AUXILIARY = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|may|might|will|would|should)"
# "... and do not increase ...", "... but was safe": a second predicate of the same subject.
_PREDICATE = re.compile(rf",?\s+(?:and|but)\s+(?=(?:also\s+)?{_AUXILIARY}\b)", re.IGNORECASE)
# "...; it also ...", "..., whereas placebo ...": a clause with its own subject.
_CLAUSE = re.compile(r";\s+(?:and\s+|but\s+|however,?\s+)?|,\s+(?:whereas|while)\s+", re.IGNORECASE)
_SUBJECT = re.compile(rf"^(.{{2,120}}?)\s+(?={_AUXILIARY}\b)", re.IGNORECASE)
MOST_PARTS = 4
_SHORTEST = 3


def split_claim(claim: str) -> tuple[str, ...]:
    """The facts of a clean claim: itself alone, or two to four parts that each read as a sentence.

    Cuts at semicolons, at *whereas*, and at a second auxiliary verb with the same subject, which is repeated:
    "A does not raise B and does not cause C" gives "A does not raise B", "A does not cause C".
    """
    parts: list[str] = []
    for clause in _CLAUSE.split(claim):
        pieces = _PREDICATE.split(clause)
        subject = _SUBJECT.match(pieces[0])
        if len(pieces) == 1 or subject is None:
            parts.append(clause)
            continue
        parts += [pieces[0], *(f"{subject[1]} {piece}" for piece in pieces[1:])]
    parts = [part.strip(" .,;") for part in parts]
    if not 2 <= len(parts) <= MOST_PARTS or any(len(part.split()) < _SHORTEST for part in parts):
        return (claim,)
    return tuple(parts)
