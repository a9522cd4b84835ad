"""Opposites of a claim that says of how many, or how often, something holds."""

import re
from collections.abc import Iterator

from evidencegate.counter._grammar import Grammar
from evidencegate.counter._types import Opposite
from evidencegate.counter._verbs import Verb

_EVERY = re.compile(r"(?:Every|All)\s")
_MORE = re.compile(r"(?P<more>More|Fewer|Less)\b(?=.*\bthan\b)")


def quantified(core: str, verb: Verb | None, rules: Grammar) -> Iterator[tuple[str, Opposite]]:
    """Nothing of a claim that does not say "only in", "hardly ever", "every" or "more ... than" of its subject."""
    if rules.only.search(core):
        yield rules.only.sub("not only ", core), Opposite.AFFIRMATION
        return
    if verb is None:
        return
    seldom = rules.seldom.search(core, 0, verb.start)
    more = _MORE.match(core)
    if seldom:
        yield f"{core[: seldom.start()]}often{core[seldom.end() :]}", Opposite.AFFIRMATION
    elif _EVERY.match(core):
        yield f"Not {core[:1].lower()}{core[1:]}", Opposite.NEGATION
    elif more:
        yield f"No {more['more'].lower()}{core[more.end() :]}", Opposite.NEGATION
        yield f"{'Fewer' if more['more'] == 'More' else 'More'}{core[more.end() :]}", Opposite.REVERSAL
