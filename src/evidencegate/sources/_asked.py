"""Which interventions a search is for: those asked about, and those told of where the question points to them."""

from dataclasses import dataclass

from evidencegate.question import Question, load_vocabulary, named_in
from evidencegate.sources._names import Group, names_of_treatment, occurs, one_of, term

_ABOUT_A_DRUG = frozenset(
    "anticoagulation antiplatelet de-escalation dose drug_choice duration interaction monitoring safety".split()
)
_TOGETHER = "interaction"
_MOST_TOLD = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """The interventions of a sub-query."""

    here: tuple[Group, ...]
    """Those that it names."""
    every: tuple[Group, ...]
    """All that the question is about."""
    together: bool = False
    """Whether they are two sides of an interaction: the drug that does not go together with most, and the others."""


def told_by_drugs(question: Question) -> frozenset[str]:
    """Conditions that only a drug tells of: "benralizumab for urticaria" is not about asthma."""
    vocabulary = load_vocabulary()
    drugs = (drug for drug in question.intervention_terms if drug in vocabulary.treatments)
    usual = {tag for drug in drugs for tag in vocabulary.bearing(drug).given}
    return frozenset(usual.intersection(question.disease_tags.all) - named_in(question.text).conditions)


def asked(question: Question, text: str) -> Asked:
    """The interventions that a sub-query, its text in one case, is for."""
    terms = _terms(question)
    sides = _sides(terms) if _TOGETHER in question.decision_tags else ()
    if sides:
        groups = tuple(one_of(names_of_treatment(one, question) for one in side) for side in sides)
        return Asked(groups, groups, together=True)
    kinds = {
        one: one_of(names_of_treatment(kind, question) for kind in (one, *_members_told(one, question)))
        for one in terms
    }
    told = frozenset(terms) - frozenset(question.intervention_terms)
    here = [kinds[one] for one in terms if one in told or occurs(term(one).casefold(), text)]
    return Asked(tuple(filter(None, here)), tuple(filter(None, kinds.values())))


def _terms(question: Question) -> tuple[str, ...]:
    """The interventions asked about, and where the question points back to drugs those told of.

    "Do I let her stop?": drugs that are given for the condition, where none is asked about. "May he have it with the
    tablets he is on?": those that do not go together with one that is.
    """
    terms = question.intervention_terms
    vocabulary = load_vocabulary()
    if not _ABOUT_A_DRUG.intersection(question.decision_tags.all):
        return terms
    told = [name for name in sorted(named_in(question.text).treatments) if name not in terms]
    if _TOGETHER in question.decision_tags:
        known = [name for name in (*terms, *told) if name in vocabulary.treatments]
        return (*terms, *(one for one in told if any(vocabulary.interact(one, other) for other in known)))
    if any(vocabulary.treatments[name].drug for name in terms if name in vocabulary.treatments):
        return terms
    tags = set(question.disease_tags.all)
    given = [one for one in told if vocabulary.treatments[one].drug and tags & set(vocabulary.bearing(one).given)]
    return (*terms, *given[:_MOST_TOLD])


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


def _members_told(name: str, question: Question) -> tuple[str, ...]:
    """Drugs of a class asked about that the question names elsewhere: the apixaban of "stay on a DOAC"."""
    vocabulary = load_vocabulary()
    told = sorted(named_in(question.text).treatments - set(question.intervention_terms))
    return tuple(one for one in told if one != name and name in vocabulary.treatments[one].classes)[:_MOST_TOLD]
