"""Evaluates Boolean queries in the syntaxes of PubMed, Europe PMC and ClinicalTrials.gov over documents."""

import re
from collections.abc import Callable

from evidencegate.documents import Document

Predicate = Callable[[Document], bool]
_TOKEN = re.compile(
    r"""\s*(?:(?P<paren>[()])|(?P<op>AND|OR|NOT)\b|AREA\[(?P<area>\w+)\](?P<value>\w+)
    |(?P<field>[A-Z_]+):(?:"(?P<fphrase>[^"]*)"|(?P<fword>[^\s()]+))
    |"(?P<phrase>[^"]*)"(?:\[(?P<ptag>[^\]]+)\])?
    |(?P<words>[^\s()\[\]"]+(?:\s+(?!(?:AND|OR|NOT)\b)[^\s()\[\]"]+)*)(?:\[(?P<wtag>[^\]]+)\])?)""",
    re.VERBOSE,
)


class NotUnderstood(ValueError):
    """The query is not in the syntax."""


def _within(term: str, text: str) -> bool:
    pattern = re.escape(term.casefold().rstrip("*")).replace(r"\ ", r"\W+")
    end = "" if term.endswith("*") else r"(?!\w)"
    return re.search(rf"(?<!\w){pattern}{end}", text.casefold()) is not None


def _one_of(term: str, values: tuple[str, ...]) -> bool:
    return term.casefold() in {value.casefold() for value in values}


def _predicate(term: str, field: str) -> Predicate:
    field = field.casefold()
    if field in ("ti", "title"):
        return lambda d: _within(term, d.title)
    if field == "abstract":
        return lambda d: _within(term, d.text)
    if field in ("pt", "pub_type"):
        return lambda d: _one_of(term, d.publication_types)
    if field in ("mesh terms", "kw"):
        return lambda d: _one_of(term, (*d.mesh, *d.keywords))
    if field == "sb":
        return lambda d: term == "systematic" and _one_of("systematic review", d.publication_types)
    if field in ("doi", "pmcid"):
        return lambda d: (getattr(d.identifiers, field) or "").casefold() == term.casefold()
    if field == "ext_id":
        return lambda d: d.identifiers.pmid == term
    if field == "src":
        return lambda d: d.identifiers.pmid is not None
    if field == "studytype":
        kind = "Observational Study" if term == "OBSERVATIONAL" else "Randomized Controlled Trial"
        return lambda d: kind in d.publication_types
    if not field and re.fullmatch(r"PMC\d+", term):
        return lambda d: d.identifiers.pmcid == term
    if field in ("tiab", ""):
        return lambda d: _within(term, " ".join((d.title, d.text, *d.keywords)))
    raise NotUnderstood(f"unknown field {field!r}")


def compile_query(query: str) -> Predicate:
    """The query as a predicate.

    Raises:
        NotUnderstood: unknown fields, unbalanced parentheses, operators without operands.
    """
    tokens: list[str | Predicate] = []
    place = 0
    while place < len(query.rstrip()):
        found = _TOKEN.match(query, place)
        if not found:
            raise NotUnderstood(f"cannot read {query[place : place + 20]!r}")
        group = found.groupdict()
        if group["paren"] or group["op"]:
            tokens.append(group["paren"] or group["op"])
        elif group["area"]:
            tokens.append(_predicate(group["value"], group["area"]))
        elif group["field"]:
            tokens.append(
                _predicate(group["fphrase"] if group["fphrase"] is not None else group["fword"], group["field"])
            )
        elif group["phrase"] is not None:
            tokens.append(_predicate(group["phrase"], group["ptag"] or ""))
        elif group["wtag"]:
            tokens.append(_predicate(group["words"], group["wtag"]))
        else:
            every = [_predicate(word, "") for word in group["words"].split()]
            tokens.append(lambda d, every=every: all(test(d) for test in every))
        place = found.end()
    predicate, rest = _or(tokens)
    if rest:
        raise NotUnderstood("unbalanced parentheses")
    return predicate


def _or(tokens: list[str | Predicate]) -> tuple[Predicate, list[str | Predicate]]:
    first, tokens = _and(tokens)
    alternatives = [first]
    while tokens and tokens[0] == "OR":
        following, tokens = _and(tokens[1:])
        alternatives.append(following)
    return lambda d: any(test(d) for test in alternatives), tokens


def _and(tokens: list[str | Predicate]) -> tuple[Predicate, list[str | Predicate]]:
    first, tokens = _unit(tokens)
    tests = [first]
    while tokens and tokens[0] not in ("OR", ")"):
        if tokens[0] == "AND":
            tokens = tokens[1:]
        negated = bool(tokens) and tokens[0] == "NOT"
        following, tokens = _unit(tokens[1:] if negated else tokens)
        tests.append((lambda d, test=following: not test(d)) if negated else following)
    return lambda d: all(test(d) for test in tests), tokens


def _unit(tokens: list[str | Predicate]) -> tuple[Predicate, list[str | Predicate]]:
    if not tokens or (isinstance(tokens[0], str) and tokens[0] != "("):
        raise NotUnderstood("an operator without an operand")
    head, *rest = tokens
    if not isinstance(head, str):
        return head, rest
    inner, rest = _or(rest)
    if not rest or rest[0] != ")":
        raise NotUnderstood("unbalanced parentheses")
    return inner, rest[1:]
