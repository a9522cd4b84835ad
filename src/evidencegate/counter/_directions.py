"""Where a claim says that nothing changes or differs: the two directions that would contradict it."""

import re
from collections.abc import Iterator

from evidencegate.counter._grammar import Grammar

_NO_DIFFERENCE = re.compile(
    r"^(?:there (?:is|was|are|were) )?no (?:statistically |clinically )?(?:significant |relevant |important )?"
    r"differences? (?:(?:is|was|were|are) )?(?:found |observed |seen |noted |detected )?(?:in|for|of|regarding) "
    r"(?P<what>.+?)(?: (?:is|was|were|are) (?:found|observed|seen|noted|detected))? "
    r"between (?P<one>.+?) and (?P<other>.+)$",
    re.IGNORECASE,
)
_NOT_DIFFERENT = re.compile(
    r"^(?P<what>.+?) (?:(?:did|does|do) not (?:[a-z]+ly )?differ(?: [a-z]+ly)? (?:between|among)"
    r"|(?:is|was|are|were) (?:[a-z]+ly )?(?:similar|comparable|the same|equal|not (?:[a-z]+ly )?different)"
    r" (?:with|in|between|among|for)) (?P<one>.+?) and (?:with |in |for )?(?P<other>.+)$",
    re.IGNORECASE,
)
_NO_EFFECT = re.compile(
    r"\b(?P<has>has|have|had) an? (?:statistically |clinically )?(?:significant |relevant |major |important )?"
    r"(?:effect|impact|influence) (?:on|upon)\b",
    re.IGNORECASE,
)
_FORMS = {"has": 0, "have": 1, "had": 2}
_DIRECTIONS = (("increases", "increase", "increased"), ("reduces", "reduce", "reduced"))
_LEVELS = ("higher", "lower")


def directions(core: str, affirmed: str, rules: Grammar) -> Iterator[str]:
    """`affirmed` is `core` without its denial. Nothing where the claim denies something that has a direction.

    "A does not affect B" is contradicted by "A increases B" and by "A reduces B"; "B was similar with A and C" by
    "B was higher with A than with C" and by "B was lower with A than with C".
    """
    same = _NO_DIFFERENCE.match(core) or _NOT_DIFFERENT.match(core)
    if same:
        what = same["what"][0].upper() + same["what"][1:]
        yield from (f"{what} was {level} with {same['one']} than with {same['other']}" for level in _LEVELS)
        return
    effect = _NO_EFFECT.search(affirmed)
    if effect:
        form = _FORMS[effect["has"].lower()]
        yield from (affirmed[: effect.start()] + verb[form] + affirmed[effect.end() :] for verb in _DIRECTIONS)
        return
    for word in re.finditer(r"[a-z]+", affirmed):
        said = word[0]
        base = rules.third.get(said) or rules.past.get(said) or said
        if base in rules.directionless:
            form = 0 if said in rules.third else 2 if said in rules.past else 1
            yield from (affirmed[: word.start()] + verb[form] + affirmed[word.end() :] for verb in _DIRECTIONS)
            return
