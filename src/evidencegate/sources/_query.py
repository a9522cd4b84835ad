"""Queries in each source's own syntax, from a sub-query and the question it belongs to, narrow first.

MeSH terms come from the classification's allowed list only; its excluded terms never become a MeSH field.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from evidencegate.errors import UnknownName
from evidencegate.question import Question, SubQuery, tag

_WORD = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*")
_MAX_WORDS = 6
_LONGEST_PHRASE = 6
_SHORT = 40
"""A question of more words than this tells a story; its own words are not searched for."""
_NAMES = 4


@dataclass(frozen=True, slots=True)
class Step:
    """One query: its parameters as sent, and the same as shown."""

    params: Mapping[str, str]
    shown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Concepts:
    """What a sub-query is about, in searchable terms; every term is words and single spaces only."""

    condition: tuple[str, ...] = ()
    intervention: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    mesh: tuple[str, ...] = ()
    """Allowed MeSH terms, spelled as MeSH does."""

    def __bool__(self) -> bool:
        return bool(self.condition or self.intervention or self.words)

    @property
    def core(self) -> tuple[tuple[str, ...], ...]:
        """Groups of alternatives that all belong to the topic: the condition and an intervention; without a condition
        each intervention, for then it is about how they go together; without either, each word.
        """
        if self.condition:
            return (self.condition, self.intervention) if self.intervention else (self.condition,)
        return tuple((term,) for term in self.intervention or self.words)

    @property
    def other(self) -> tuple[str, ...]:
        """Words besides the core; one of them should be there."""
        return self.words if self.condition or self.intervention else ()


@cache
def _data() -> Mapping[str, object]:
    text = files("evidencegate.sources").joinpath("data/queries.yaml").read_text("utf-8")
    data: Mapping[str, object] = yaml.safe_load(text)
    return data


@cache
def _word_list(name: str) -> frozenset[str]:
    return frozenset(str(_data()[name]).split())


def _filter(source: str, sub_query: SubQuery) -> str:
    filters = _data()["filters"]
    return str(filters[source][sub_query.target_evidence.value]).strip() if isinstance(filters, dict) else ""


def words(text: str) -> tuple[str, ...]:
    """The words of a text, free of anything that is syntax somewhere; hyphens and inner dots stay."""
    return tuple(_WORD.findall(text))


def _term(text: str) -> str:
    return " ".join(words(text))


def _unique(terms: Iterable[str]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for term in terms:
        if term:
            seen.setdefault(term.casefold(), term)
    return tuple(seen.values())


def _occurs(term: str, text: str) -> bool:
    return bool(term) and re.search(rf"(?<!\w){re.escape(term)}(?!\w)", text) is not None


def concepts(sub_query: SubQuery, question: Question) -> Concepts:
    """What `sub_query` is about: the question's condition, its interventions named there, and other words."""
    text = _term(sub_query.query).casefold()
    classification = question.classification
    excluded = {term.casefold() for term in classification.excluded_mesh}
    mesh = _unique(term for term in map(str.strip, classification.allowed_mesh) if term.casefold() not in excluded)
    condition = [_term(question.pico.condition), *map(_term, _names(question.disease_tags.primary, question)[:_NAMES])]
    # A whole sentence is no search phrase; `a fib` finds whatever has an `a` in it.
    condition = [
        term for term in condition if 0 < len(term.split()) <= _LONGEST_PHRASE and min(map(len, term.split())) > 1
    ]
    intervention = [term for term in map(_term, question.intervention_terms) if _occurs(term.casefold(), text)]
    names = (_term(name) for other in question.disease_tags.secondary for name in _names(other, question))
    phrases = [name for name in names if len(name.split()) > 1 and _occurs(name.casefold(), text)]
    covered = " ".join([*condition, *intervention, *phrases]).casefold()
    dropped = _word_list("stop_words") | _word_list("evidence_words")
    # Where no intervention is known, the words that no vocabulary knows say what is asked: "soy", "enteral feeds".
    own = "" if question.intervention_terms or len(question.text.split()) > _SHORT else question.text
    rest = [
        word
        for word in words(f"{sub_query.query} {own}")
        if word.casefold() not in dropped
        and (len(word) > 1 or word.isdigit())
        and not _occurs(word.casefold(), covered)
        # Operators of some syntax; as words they carry no topic either.
        and word.upper() not in ("AND", "OR", "NOT", "NEAR", "AREA", "SEARCH", "RANGE", "MISSING", "ALL")
    ]
    return Concepts(
        condition=_unique(condition),
        intervention=_unique(intervention),
        words=_unique([*phrases, *rest])[:_MAX_WORDS],
        mesh=mesh,
    )


def _names(name: str | None, question: Question) -> tuple[str, ...]:
    """What a disease is called, the usual name first; abbreviations are too short to search for."""
    known = next((own for own in question.own_tags if own.name == name), None)
    if known is None and name is not None:
        with suppress(UnknownName):
            known = tag(name)
    return (known.label, *known.synonyms) if known else ()


def plan(source: str, sub_query: SubQuery, question: Question) -> tuple[Step, ...]:
    """The queries `source` is asked for a sub-query, narrowest first; empty where nothing can be searched for."""
    about = concepts(sub_query, question)
    if not about:
        return ()
    # Searches that found too little end in one query for all kinds of study that the question asks for: it is the
    # same for all of them, and sent once.
    kinds = _unique(_filter(source, other) for other in (sub_query, *question.sub_queries))
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


def _boolean(about: Concepts, phrase: "_Phrase", mesh: str, chosen: str, broad: str) -> list[str]:
    """Boolean queries, narrow to broad, three at most: each costs a request, and some services allow few.

    First everything, with MeSH and the kind of study; then the core alone, which finds what has no MeSH terms yet,
    the newest records; then the condition with the kind of study. With one group of terms the last two are that
    group with the kind of study, and without.
    """
    groups = [_any(map(phrase, group)) for group in about.core]
    other = _any(map(phrase, about.other))
    chosen, broad = (f"({kinds})" if kinds else "" for kinds in (chosen, broad))
    narrow = _all([*groups, other, mesh, chosen])
    if len(groups) == 1:
        return [narrow, _all([*groups, broad]), *groups]
    if about.condition:
        return [narrow, _all(groups), _all([groups[0], broad])]
    return [narrow, _all(groups), _any(groups)]


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
    mesh = _any(f'"{_mesh_name(term)}"[MeSH Terms]' for term in about.mesh)
    return [Step({"term": q}, q) for q in _boolean(about, _Phrase("{}[tiab]"), mesh, chosen, broad)]


def _europe_pmc(about: Concepts, chosen: str, broad: str) -> list[Step]:
    mesh = _any(f'KW:"{_mesh_name(term)}"' for term in about.mesh)
    phrase = _Phrase("(TITLE:{} OR ABSTRACT:{})")
    return [Step({"query": q}, q) for q in _boolean(about, phrase, mesh, chosen, broad)]


def _clinical_trials(about: Concepts, chosen: str, _broad: str) -> list[Step]:
    def step(**values: str) -> Step:
        params = {name.replace("_", "."): value for name, value in values.items() if value}
        return Step(params, " & ".join(f"{name}={value}" for name, value in params.items()))

    quoted = _Phrase("{}")
    condition = _any(map(quoted, about.condition))
    other = _any(map(quoted, about.words))
    intervention = (_any if condition else _all)(map(quoted, about.intervention))
    if not (condition or intervention):
        every = _all(map(quoted, about.words))
        return [step(query_term=every, filter_advanced=chosen), step(query_term=every), step(query_term=other)]
    return [
        step(query_cond=condition, query_intr=intervention, query_term=other, filter_advanced=chosen),
        step(query_cond=condition, query_intr=intervention),
        step(query_cond=condition) if condition else step(query_term=intervention),
    ]


def _openalex(about: Concepts, chosen: str, _broad: str) -> list[Step]:
    quoted = _Phrase("{}")
    required = _all(_any(map(quoted, group)) for group in about.core)
    narrow = _all([required, _any(map(quoted, about.other)), f'"{chosen}"' if chosen else ""])
    plain = " ".join([*about.condition[:1], *about.intervention, *about.words])
    return [Step({"search": q}, q) for q in (narrow, required, plain)]


def _crossref(about: Concepts, chosen: str, _broad: str) -> list[Step]:
    # Ranked by shared words, so that synonyms would only blur it.
    everything = " ".join([*about.condition[:1], *about.intervention, *about.words, chosen]).strip()
    core = " ".join([*about.condition[:1], *about.intervention] or about.words)
    return [Step({"query.bibliographic": q}, q) for q in (everything, core)]


_PLANS = {
    "pubmed": _pubmed,
    "europe_pmc": _europe_pmc,
    "clinical_trials": _clinical_trials,
    "openalex": _openalex,
    "crossref": _crossref,
}
