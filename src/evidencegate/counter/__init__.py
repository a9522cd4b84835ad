"""Counterfactuals: what the literature would say if a claim were wrong, and whether it does.

The module can itself be called: `evidencegate.counter("Aspirin prevents cancer", libraries=["lib"])`.
"""

from evidencegate._callable import make_callable
from evidencegate.counter._claims import MOST_CLAIMS, counterfactual, main_claims
from evidencegate.counter._data import terms
from evidencegate.counter._examine import Readers, examine
from evidencegate.counter._grammar import grammar
from evidencegate.counter._html import html
from evidencegate.counter._json import counter_json
from evidencegate.counter._markdown import markdown
from evidencegate.counter._said import in_plain_words
from evidencegate.counter._statements import opposing, opposing_all, statements
from evidencegate.counter._strength import strength
from evidencegate.counter._telling import Telling, elsewhere, telling
from evidencegate.counter._types import (
    NO_STATEMENT,
    Accepted,
    Counterfactual,
    CounterReport,
    Examined,
    Ground,
    Opposite,
    Overrule,
    Priority,
    Rejected,
    Restored,
    Scored,
    Search,
    Statement,
    Strategy,
    Strength,
    StrengthLevel,
    Way,
)
from evidencegate.counter._validate import Verdict, judged, validate
from evidencegate.counter._verbs import main_verb

__all__ = [
    # values
    "Accepted",
    "CounterReport",
    "Counterfactual",
    "Examined",
    "Ground",
    "NO_STATEMENT",
    "Opposite",
    "Overrule",
    "Priority",
    "Rejected",
    "Restored",
    "Scored",
    "Search",
    "Statement",
    "Strategy",
    "Strength",
    "StrengthLevel",
    "Telling",
    "Verdict",
    "Way",
    # claims and statements
    "MOST_CLAIMS",
    "counterfactual",
    "main_claims",
    "opposing",
    "opposing_all",
    "statements",
    # proof
    "elsewhere",
    "judged",
    "strength",
    "telling",
    "validate",
    # the words of a finding and the verb of a sentence
    "grammar",
    "in_plain_words",
    "main_verb",
    "terms",
    # the whole way
    "Readers",
    "counter_json",
    "examine",
    "html",
    "markdown",
]

make_callable(__name__, "counter")
