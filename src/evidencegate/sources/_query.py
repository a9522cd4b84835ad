"""Queries in each source's own syntax, from a sub-query and the question it belongs to, narrow first."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evidencegate.question import Question, SubQuery
from evidencegate.sources._concepts import Concepts, concepts
from evidencegate.sources._names import Group, data, forms, unique


@dataclass(frozen=True, slots=True)
class Step:
    """One query: its parameters as sent, and the same as shown."""

    params: Mapping[str, str]
    shown: str


def _filter(source: str, sub_query: SubQuery) -> str:
    filters = data()["filters"]
    assert isinstance(filters, dict)
    return str(filters[source][sub_query.target_evidence.value]).strip()


def plan(source: str, sub_query: SubQuery, question: Question) -> tuple[Step, ...]:
    """The queries `source` is asked for a sub-query, narrowest first; empty where nothing can be searched for."""
    about = concepts(sub_query, question)
    if not about:
        return ()
    # Searches that found too little end in one query for all kinds of study that the question asks for: it is the
    # same for all of them, and sent once.
    kinds = unique(_filter(source, other) for other in (sub_query, *question.sub_queries))
    broad = _any(f"({kind})" for kind in sorted(kinds)) if len(kinds) > 1 else "".join(kinds)
    steps = _PLANS[source](about, _filter(source, sub_query), broad)
    seen: dict[str, Step] = {}
    for step in steps:
        seen.setdefault(step.shown, step)
    return tuple(seen.values())


def _any(terms: Iterable[str]) -> str:
    listed = list(terms)
    return f"({' OR '.join(listed)})" if len(listed) > 1 else "".join(listed)


def _all(groups: Iterable[str]) -> str:
    return " AND ".join(group for group in groups if group)


def _boolean(about: Concepts, phrase: "_Phrase", heading: "_Phrase", chosen: str, broad: str) -> list[str]:
    """Boolean queries, narrow to broad, three at most: each costs a request, and some services allow few.

    First everything, with the kind of decision and of study; then the condition, an intervention of the question's and
    the other conditions; then the same without the other conditions, or, where there are none, the condition with the
    kind of study. Without a condition the last is the interventions alone, or, where nothing else was asked for, the
    first of them with the kind of decision or of study. With one group of terms the last two are that group with the
    kind of study, and without. A heading of MeSH stands beside the names of what it means, so that records which have
    none yet are found as well.
    """

    def any_of(group: Group) -> str:
        return _any([*map(phrase, forms(group.names)), *(heading(_mesh_name(one)) for one in group.mesh)])

    groups = [any_of(group) for group in about.core]
    chosen, broad = (f"({kinds})" if kinds else "" for kinds in (chosen, broad))
    narrow = _all([*groups, _any(map(phrase, about.other)), chosen])
    if len(groups) == 1:
        return [narrow, _all([*groups, broad]), *groups]
    if about.condition:
        treated = about.intervention or about.own
        return [narrow, _all(groups), _all(groups[:-1] if treated and about.beside else [groups[0], broad])]
    essential = groups[: len(about.interventions)]
    if not essential:
        return [narrow, _all(groups), _any(groups)]
    aspects = _any(map(phrase, about.other))
    last = [groups[0], aspects or broad] if len(essential) == len(groups) else essential
    return [narrow, _all(groups), _all(last)]


class _Phrase:
    """Writes a term as a phrase in one or more fields of a Boolean syntax."""

    def __init__(self, template: str) -> None:
        self._template = template

    def __call__(self, term: str) -> str:
        """The term, quoted, in its fields."""
        return self._template.replace("{}", f'"{term}"')


def _mesh_name(term: str) -> str:
    """A MeSH heading as it can stand in quotes; commas belong to headings (`Kidney Failure, Chronic`)."""
    return re.sub(r'["\[\]()]', "", term)


def _pubmed(about: Concepts, chosen: str, broad: str) -> list[Step]:
    queries = _boolean(about, _Phrase("{}[tiab]"), _Phrase("{}[MeSH Terms]"), chosen, broad)
    return [Step({"term": q}, q) for q in queries]


def _europe_pmc(about: Concepts, chosen: str, broad: str) -> list[Step]:
    queries = _boolean(about, _Phrase("(TITLE:{} OR ABSTRACT:{})"), _Phrase("KW:{}"), chosen, broad)
    return [Step({"query": q}, q) for q in queries]


def _clinical_trials(about: Concepts, chosen: str, _broad: str) -> list[Step]:
    def step(**values: str) -> Step:
        params = {name.replace("_", "."): value for name, value in values.items() if value}
        return Step(params, " & ".join(f"{name}={value}" for name, value in params.items()))

    quoted = _Phrase("{}")
    condition = _any(map(quoted, about.condition.names))
    other = _any(map(quoted, about.beside.names or about.own.names or about.other or about.words))
    each = (_any(map(quoted, group.names)) for group in about.interventions)
    intervention = _any(map(quoted, about.intervention.names)) if condition else _all(each)
    if not (condition or intervention):
        every = _all(map(quoted, about.own.names or about.words))
        return [step(query_term=every, filter_advanced=chosen), step(query_term=every), step(query_term=other)]
    return [
        step(query_cond=condition, query_intr=intervention, query_term=other, filter_advanced=chosen),
        step(query_cond=condition, query_intr=intervention),
        step(query_cond=condition) if condition else step(query_term=intervention),
    ]


def _openalex(about: Concepts, chosen: str, _broad: str) -> list[Step]:
    quoted = _Phrase("{}")
    required = _all(_any(map(quoted, group.names)) for group in about.core)
    narrow = _all([required, _any(map(quoted, about.other)), f'"{chosen}"' if chosen else ""])
    return [Step({"search": q}, q) for q in (narrow, required, about.plain)]


def _crossref(about: Concepts, chosen: str, _broad: str) -> list[Step]:
    # Ranked by shared words, so that synonyms would only blur it.
    core = [group.names[0] for group in (about.condition, *about.interventions) if group]
    return [
        Step({"query.bibliographic": q}, q)
        for q in (f"{about.plain} {chosen}".strip(), " ".join(core or about.own.names or about.words))
    ]


_PLANS = {
    "pubmed": _pubmed,
    "europe_pmc": _europe_pmc,
    "clinical_trials": _clinical_trials,
    "openalex": _openalex,
    "crossref": _crossref,
}
