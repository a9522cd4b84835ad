"""The effects that a claim or a sentence tells of."""

from functools import lru_cache

from evidencegate.models.stance import Direction, Effect, Reading, read
from evidencegate.verify._lexicon import pattern

_DIRECTED = (Direction.UP, Direction.DOWN, Direction.AGAINST, Direction.EFFECT)


@lru_cache(maxsize=16384)
def reading(text: str) -> Reading:
    """What the stance rules read in a text; the "lower" of "lower limb" is no effect. Places are in `text`."""
    return read(pattern("wording", "no_effect").sub(lambda name: "_" * len(name[0]), text))


def directed(text: str) -> Effect | None:
    """The first effect that a text states and does not deny."""
    return next((effect for effect in reading(text).effects if effect.said in _DIRECTED), None)
