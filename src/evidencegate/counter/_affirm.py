"""A claim that denies something, with its denial taken away."""

import re

from evidencegate.counter._grammar import Grammar, article, past_tense, third_person
from evidencegate.counter._verbs import Form, Verb

_DENIED_VERB = re.compile(r"^\s+(?:[a-z]+ly\s+|also\s+|therefore\s+)?(?P<not>not|never)\b(?!\s+only)", re.IGNORECASE)
_DENIED_BOTH = re.compile(r"\bneither\s+(?P<one>[a-z]+)\s+nor\s+(?P<other>[a-z]+)\b")
_DENIED_SUBJECT = re.compile(r"^(?:(?:none or )?almost no|no|none of|neither|hardly any)\s", re.IGNORECASE)
_DENIED_OBJECT = re.compile(
    r"^(?P<between>\s+(?:[a-z]+ly\s+|been\s+|to\s+)?(?:(?:show|have|find|be|of|associated with|reveal)(?:n|ed)?\s+)?)"
    r"(?P<no>no|little or no)\s+(?P<what>(?:(?:statistically |clinically |)?significant |[a-z]+ly |[a-z]+ )?)"
    r"(?P<noun>[a-z]+)",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\s+nothing to\s+(?P<verb>[a-z-]+)")


def undenied(core: str, verb: Verb | None, rules: Grammar) -> str | None:
    """The claim with its own denial taken away; None where its main clause denies nothing."""
    if _DENIED_SUBJECT.match(core) and not rules.no_negation.match(core):
        return _affirmed_subject(core, rules)
    both = _DENIED_BOTH.search(core)
    if both:  # "neither increased nor decreased the dose"
        return f"{core[: both.start()]}{both['one']} or {both['other']}{core[both.end() :]}"
    if verb is None:
        return None
    head, tail = core[: verb.start], core[verb.end :]
    if verb.word.lower() == "cannot":
        return f"{head}can{tail}"
    nothing = _NOTHING.match(tail) if verb.word.lower() in ("does", "do", "did") else None
    if nothing:
        return f"{head}{_said(verb, nothing['verb'], rules)}{tail[nothing.end() :]}"
    denied = _DENIED_VERB.match(tail)
    if denied and not rules.no_negation.match(tail, denied.start("not")):
        rest = tail[: denied.start("not")].rstrip() + re.sub(r"\s+at all\b", "", tail[denied.end() :])
        return _with_emphasis_gone(head, verb, rest, rules)
    if verb.base == "fail":
        return _failed(head, verb, tail, rules)
    absent = _DENIED_OBJECT.match(tail)
    if absent and not rules.no_negation.match(tail, absent.start("no")):
        return head + verb.word + _with_something(absent, tail, rules)
    return None


def _affirmed_subject(core: str, rules: Grammar) -> str:
    neither = re.match(r"neither\s+(?P<list>.+?\snor\s.+)$", core, re.IGNORECASE)
    if neither:
        return " or ".join(re.split(r"\s+nor\s+", neither["list"]))
    none = re.match(r"none of\s+", core, re.IGNORECASE)
    if none:
        return "Some of " + core[none.end() :]
    hardly = re.match(r"(?:(?:none or )?almost no|hardly any)\s+", core, re.IGNORECASE)
    if hardly:
        return "Many " + core[hardly.end() :]
    rest = core[3:]
    noun = re.match(r"(?:(?:statistically |clinically )?significant )?(?P<noun>[a-z]+)", rest)
    single = noun is not None and noun["noun"] in rules.countable
    return f"{article(rest)} {rest}" if single else f"Some {rest}"


def _with_emphasis_gone(head: str, verb: Verb, rest: str, rules: Grammar) -> str:
    """ "did not reduce" without its *not* is "reduced", not "did reduce"."""
    if verb.word.lower() in ("did", "does", "do"):
        base = re.match(r"\s+(?P<adverb>[a-z]+ly\s+)?(?P<verb>[a-z-]+)", rest)
        if base:
            return f"{head}{base['adverb'] or ''}{_said(verb, base['verb'], rules)}{rest[base.end() :]}"
    return f"{head}{verb.word}{rest}"


def _said(verb: Verb, base: str, rules: Grammar) -> str:
    """A verb in the form of the "does", "do" or "did" before it."""
    third, past = rules.forms.get(base, (third_person(base), past_tense(base)))
    return {"did": past, "does": third, "do": base}[verb.word.lower()]


def _failed(head: str, verb: Verb, tail: str, rules: Grammar) -> str | None:
    to = re.match(r"\s+to\s+(?P<verb>[a-z-]+)", tail)
    if to is None:
        return None
    third, past = rules.forms.get(to["verb"], (third_person(to["verb"]), past_tense(to["verb"])))
    said = {Form.PAST: past, Form.THIRD: third}.get(verb.form, to["verb"])
    return f"{head}{said}{tail[to.end() :]}"


def _with_something(absent: re.Match[str], tail: str, rules: Grammar) -> str:
    noun = absent["noun"].lower()
    rest = absent["what"] + absent["noun"]
    single = noun in rules.countable or absent["what"].strip().lower() in rules.countable
    before = f"{article(rest)} ".lower() if single else ""
    return f"{absent['between']}{before}{rest}{tail[absent.end() :]}"
