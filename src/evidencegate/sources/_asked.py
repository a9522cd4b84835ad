"""Which interventions a search is for, and whether they are two sides of an interaction."""

from dataclasses import dataclass

from evidencegate.question import OF_TOGETHER, TOGETHER, Category, Question, SubQuery, load_vocabulary, named_in
from evidencegate.sources._names import Group, names_of_treatment, occurs, one_of, term


@dataclass(frozen=True, slots=True)
class Asked:
    """The interventions of a sub-query."""

    here: tuple[Group, ...]
    """Those that it names; the sides, where they are such."""
    every: tuple[Group, ...]
    """All that the question is about, but for those `apart`."""
    apart: tuple[Group, ...] = ()
    """Drugs that the search leaves out: they only may not go together with one that the condition has."""
    together: bool = False
    """Whether they are two sides of an interaction: the drug that does not go together with most, and the others."""


def told_by_drugs(question: Question) -> frozenset[str]:
    """Conditions that only a drug tells of: "benralizumab for urticaria" is not about asthma."""
    vocabulary = load_vocabulary()
    drugs = (drug for drug in question.intervention_terms if drug in vocabulary.treatments)
    usual = {tag for drug in drugs for tag in vocabulary.bearing(drug).given}
    return frozenset(usual.intersection(question.disease_tags.all) - named_in(question.text).conditions)


def asked(sub_query: SubQuery, question: Question) -> Asked:
    """The interventions that a sub-query is for: two sides where it is on how drugs go together.

    Each sub-query is where nothing else is asked, or no condition is named; else the one for complications, and where
    that is what is asked in the first place the one for the decision itself.
    """
    terms, text = question.intervention_terms, term(sub_query.query).casefold()
    decisions = question.decision_tags
    of_them = TOGETHER in decisions and (
        sub_query.category is Category.COMPLICATIONS
        or (sub_query.category is Category.CORE_DECISION and decisions.primary == TOGETHER)
        or not question.disease_tags
        or OF_TOGETHER.issuperset(decisions.all)
    )
    sides = _sides(terms) if of_them else ()
    if sides:
        groups = tuple(one_of(names_of_treatment(one, question) for one in side) for side in sides)
        return Asked(groups, groups, together=True)
    named = {one: names_of_treatment(one, question) for one in terms}
    without = _apart(question) if TOGETHER in decisions else frozenset()
    every, apart = ([named[one] for one in terms if (one in without) is out] for out in (False, True))
    here = [named[one] for one in terms if one not in without and occurs(term(one).casefold(), text)]
    return Asked(tuple(filter(None, here)), tuple(filter(None, every)), tuple(filter(None, apart)))


def _apart(question: Question) -> frozenset[str]:
    """Drugs that are not given for the primary condition, and do not go together with one that is.

    The simvastatin that does not go with the clarithromycin has nothing to do with how long a pneumonia is treated.
    """
    vocabulary, condition = load_vocabulary(), question.disease_tags.primary
    known = [one for one in question.intervention_terms if one in vocabulary.treatments]
    given = [one for one in known if condition in vocabulary.bearing(one).given]
    return frozenset(one for one in known if one not in given and any(vocabulary.interact(one, it) for it in given))


def _sides(terms: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Drugs given together as two sides; none where there are fewer than two drugs."""
    vocabulary = load_vocabulary()
    # A class stands for its members: "simvastatin ... the statin" is one drug.
    line = {one: vocabulary.treatments[one].classes if one in vocabulary.treatments else () for one in terms}
    drugs = [one for one in terms if not any(one in line[other] for other in terms if other != one)]
    if len(drugs) < 2:
        return ()

    def partners(one: str) -> int:
        known = one in vocabulary.treatments
        others = (other for other in drugs if other in vocabulary.treatments)
        return sum(vocabulary.interact(one, other) for other in others) if known else 0

    hub = max(drugs, key=partners)
    mine = (hub, *(one for one in terms if one in line[hub] and one != hub))
    return mine, tuple(one for one in terms if one not in mine)
