"""The sections of a report: as given, or by rules from what was understood of the topic."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

import yaml

from evidencegate.errors import InvalidInput, UnknownName
from evidencegate.evidence import Part, asked, outcomes_named
from evidencegate.question import Category, Question, SubQuery, TargetEvidence, load_vocabulary, tag, understand
from evidencegate.report._relevance import content

MOST_SECTIONS = 12
_MOST_WORDS = 20
_LONGEST_HEADING = 160
_PLACE = re.compile(r"\{\w+\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A section to be written: its heading, and the question its own search asks."""

    heading: str
    query: str
    question: Question
    topic: str
    """What the whole report is about."""
    cues: str = ""
    """A regular expression: what a sentence about the topic has that belongs here."""

    @property
    def outcomes(self) -> frozenset[str]:
        """The outcomes that its heading names and the topic does not: what is told under it is told of one of them."""
        return outcomes_named(self.heading) - outcomes_named(self.topic)

    def about(self, text: str) -> bool:
        """Whether the words of a sentence about the topic say that it belongs here."""
        own = content(self.heading) - content(self.topic)
        if not own and not self.cues:
            return True
        if self.outcomes & outcomes_named(text):
            return True
        return bool(content(text) & own or (self.cues and _cue(self.cues).search(text)))


def outline(question: Question) -> tuple[Planned, ...]:
    """The sections for a topic, by rules: its sub-questions where it has several, else the aspects of its decision."""
    asked = {s.query: s for s in question.sub_queries}
    if len(asked) > 2:
        headings = _by_category()
        return _distinct(
            [
                _planned(question, headings[s.category], s.query, s.category, (s.target_evidence,))
                for s in asked.values()
            ]
        )
    words = _words(question)
    plans: list[Planned] = []
    for row in _rows():
        if question.decision_tags.primary in row.get("not", ()):
            continue
        if "only" in row and question.decision_tags.primary not in row["only"]:
            continue
        for beside in _beside(question) if row.get("each") == "beside" else ("",):
            named = {**words, "beside": beside}
            plans.append(
                _planned(
                    question,
                    row["heading"].format(**named),
                    row["query"].format(**named),
                    Category(row["category"]),
                    [TargetEvidence(name) for name in row["evidence"]],
                    row["cues"],
                )
            )
    return _distinct(plans)


def given(question: Question, headings: Sequence[str]) -> tuple[Planned, ...]:
    """The sections that a user or a model named; each is searched for under the topic.

    Raises:
        InvalidInput: there is none, or there are more than `MOST_SECTIONS`.
    """
    cleaned = [clean for heading in headings if (clean := " ".join(heading.split()).strip("#*- ")[:_LONGEST_HEADING])]
    if not 0 < len(cleaned) <= MOST_SECTIONS:
        raise InvalidInput(f"an outline has 1 to {MOST_SECTIONS} headings, not {len(cleaned)}")
    words = _words(question)
    topic = f"{words['topic']} {words['treatments']}".strip()
    evidence = (TargetEvidence.GUIDELINE, TargetEvidence.SYSTEMATIC_REVIEW)
    return _distinct(
        [_planned(question, h, f"{topic} {h}", Category.CORE_DECISION, evidence, _cues(h, question)) for h in cleaned]
    )


def _cues(heading: str, question: Question) -> str:
    """What belongs under a heading that names one of the aspects that rules know."""
    own = content(heading) - content(question.text)
    known = (row for row in _rows() if own & content(_PLACE.sub("", f"{row['heading']} {row['query']}")))
    return "|".join(f"(?:{row['cues']})" for row in known)


def _planned(
    question: Question,
    heading: str,
    query: str,
    category: Category,
    evidence: Sequence[TargetEvidence],
    cues: str = "",
) -> Planned:
    short = _folded(query)
    return Planned(
        heading=heading[:1].upper() + heading[1:],
        query=short,
        topic=question.text,
        cues=cues,
        # The topic's tags stay: a section cannot wander off to another disease (rule 11).
        question=replace(
            question,
            text=short,
            sub_queries=tuple(SubQuery(query=short, category=category, target_evidence=kind) for kind in evidence),
            decision_tags=_decisions(question, short),
        ),
    )


def _decisions(question: Question, query: str) -> Any:
    """The decisions that the section's own query is about; the topic's where none is."""
    try:
        own = understand(query).decision_tags
    except InvalidInput:
        return question.decision_tags
    return own or question.decision_tags


def _words(question: Question) -> dict[str, str]:
    """What the rules' queries are put together from."""
    labels = [_label(question, name) for name in question.disease_tags.all]
    # What no vocabulary knows as a treatment ("soy") is searched for by the topic's own words.
    subject = next((one.label.replace(",", "") for one in asked(question) if one.part is Part.SUBJECT), "")
    treatments = " ".join(question.intervention_terms[:3]) or subject
    decision = question.decision_tags.primary
    named = load_vocabulary().decisions[decision].label if decision else "management"
    core = question.sub_queries[0].query
    return {
        "topic": labels[0] if labels else treatments or core,
        "treatments": treatments if labels else "",
        "decision": named,
        "Decision": named[:1].upper() + named[1:],
    }


def _beside(question: Question) -> tuple[str, ...]:
    """The further conditions of a topic; what is only a wider word for its first one is none."""
    primary = question.disease_tags.primary
    known = load_vocabulary().tags
    wider = known[primary].parents + known[primary].implies if primary is not None and primary in known else ()
    return tuple(_label(question, name) for name in question.disease_tags.secondary if name not in wider)[:3]


def _label(question: Question, name: str) -> str:
    own = next((tag.label for tag in question.own_tags if tag.name == name), None)
    if own is not None:
        return own
    try:
        return tag(name).label
    except UnknownName:
        return name.replace("_", " ").lower()


def _folded(query: str) -> str:
    """At most 20 words, none twice."""
    return " ".join(list(dict.fromkeys(query.split()))[:_MOST_WORDS])


def _distinct(plans: Sequence[Planned]) -> tuple[Planned, ...]:
    """No heading and no query twice; the first stays."""
    by_query = {plan.query.casefold(): plan for plan in reversed(plans)}
    kept = {plan.heading.casefold(): plan for plan in reversed([p for p in plans if p in by_query.values()])}
    return tuple(plan for plan in plans if plan in kept.values())[:MOST_SECTIONS]


@cache
def _cue(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


@cache
def _rows() -> tuple[dict[str, Any], ...]:
    raw = resources.files("evidencegate.report").joinpath("data/outline.yaml").read_text("utf-8")
    return tuple(yaml.safe_load(raw)["sections"])


def belongs(category: Category, text: str) -> bool:
    """Whether a sentence near to a sub-question says anything of its aspect; of the decision itself any does."""
    cues = "|".join(f"(?:{row['cues']})" for row in _rows() if row["category"] == category and "each" not in row)
    return category is Category.CORE_DECISION or not cues or _cue(cues).search(text) is not None


def _by_category() -> dict[Category, str]:
    return {
        Category.CORE_DECISION: "The decision itself",
        Category.COMPLICATIONS: "Complications and safety",
        Category.DURATION_MONITORING: "Duration and monitoring",
        Category.ALTERNATIVES: "Alternatives",
    }
