"""How well questions are understood: accuracy per field on questions with expected tags."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from evidencegate.errors import InvalidInput
from evidencegate.question import Question, Vocabulary, scenarios, understand

SHIPPED = "questions"
"""The name of the sixty that are part of the package."""
_TEXTS = ("id", "text", "classification")
_LISTS = (
    "diseases",
    "diseases_also",
    "primary_also",
    "decisions",
    "decisions_also",
    "primary_decision_also",
    "classification_also",
    "anchors",
)
_OPTIONAL = ("specialty", "primary", "primary_decision", "scenario")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A question with what a clinician would say it is about."""

    id: str
    text: str
    specialty: str = ""
    diseases: tuple[str, ...]
    diseases_also: tuple[str, ...] = ()
    """Conditions that the text names too, and which may be found."""
    primary: str | None = None
    primary_also: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    decisions_also: tuple[str, ...] = ()
    primary_decision: str | None = None
    primary_decision_also: tuple[str, ...] = ()
    classification: str
    classification_also: tuple[str, ...] = ()
    scenario: str | None = None
    anchors: tuple[str, ...] = ()
    """Anchors that an answer must hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """One field of one question that came out otherwise."""

    id: str
    field: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionScores:
    """Accuracy per field, in [0, 1], and every miss."""

    n: int
    fields: dict[str, float]
    all_fields: float
    """The share of questions with every field right."""
    misses: tuple[Miss, ...]

    def as_json(self) -> dict[str, Any]:
        """The documented fields of `evaluate question --json`."""
        return {
            "n": self.n,
            "fields": self.fields,
            "all_fields": self.all_fields,
            "misses": [{"id": m.id, "field": m.field, "expected": m.expected, "found": m.found} for m in self.misses],
        }


def _expected(where: str, value: object) -> Expected:
    if not isinstance(value, dict):
        raise InvalidInput(f"{where} must hold a list of questions with fields")
    unknown = set(value) - {*_TEXTS, *_LISTS, *_OPTIONAL}
    if unknown:
        raise InvalidInput(f"{where}: unknown field {sorted(unknown)[0]!r}")
    where = f"{where}: {value.get('id')}"
    for name in _TEXTS:
        if not isinstance(value.get(name), str) or not value[name].strip():
            raise InvalidInput(f"{where}: `{name}` must be given")
    lists: dict[str, tuple[str, ...]] = {}
    for name in _LISTS:
        given = value.get(name) or []
        if not isinstance(given, list) or not all(isinstance(v, str) for v in given):
            raise InvalidInput(f"{where}: `{name}` must be a list of names")
        lists[name] = tuple(given)
    scenario = value.get("scenario")
    if scenario is not None and scenario not in scenarios():
        raise InvalidInput(f"{where}: there is no scenario {scenario!r}")
    return Expected(
        id=value["id"],
        text=value["text"].strip(),
        specialty=str(value.get("specialty") or ""),
        primary=value.get("primary"),
        primary_decision=value.get("primary_decision"),
        classification=value["classification"],
        scenario=scenario,
        **lists,
    )


def questions(source: str | Path = SHIPPED) -> tuple[Expected, ...]:
    """Questions with expected tags.

    Args:
        source: `SHIPPED`, or a YAML file of the same form.

    Raises:
        evidencegate.errors.InvalidInput: no such file, or a mistake in it; names the question and the field.
    """
    import yaml  # only where an evaluation is run

    if source == SHIPPED:
        content = files(__package__).joinpath(f"data/{SHIPPED}.yaml").read_text("utf-8")
    else:
        try:
            content = Path(source).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{source} cannot be read: {error}") from error
    try:
        raw = yaml.safe_load(content)
    except yaml.YAMLError as error:
        raise InvalidInput(f"{source} is not valid YAML: {error}") from error
    if not isinstance(raw, list) or not raw:
        raise InvalidInput(f"{source} must hold a list of questions")
    return tuple(_expected(str(source), value) for value in raw)


def _within(found: Iterable[str], must: tuple[str, ...], may: tuple[str, ...]) -> bool:
    names = set(found)
    return set(must) <= names <= {*must, *may}


_CHECKS: dict[
    str, tuple[Callable[[Expected, Question], bool], Callable[[Expected], object], Callable[[Question], object]]
] = {
    "disease_tags": (
        lambda e, q: _within(q.disease_tags.all, e.diseases, e.diseases_also),
        lambda e: (*e.diseases, *(f"({name})" for name in e.diseases_also)),
        lambda q: q.disease_tags.all,
    ),
    "primary_disease_tag": (
        lambda e, q: q.disease_tags.primary in (e.primary, *e.primary_also),
        lambda e: e.primary,
        lambda q: q.disease_tags.primary,
    ),
    "decision_tags": (
        lambda e, q: _within(q.decision_tags.all, e.decisions, e.decisions_also),
        lambda e: (*e.decisions, *(f"({name})" for name in e.decisions_also)),
        lambda q: q.decision_tags.all,
    ),
    "primary_decision_tag": (
        lambda e, q: q.decision_tags.primary in (e.primary_decision, *e.primary_decision_also),
        lambda e: e.primary_decision,
        lambda q: q.decision_tags.primary,
    ),
    "classification": (
        lambda e, q: q.classification.name in (e.classification, *e.classification_also),
        lambda e: e.classification,
        lambda q: q.classification.name,
    ),
    "anchor_scenario": (
        lambda e, q: q.anchor_scenario == e.scenario,
        lambda e: e.scenario,
        lambda q: q.anchor_scenario,
    ),
}


def evaluate_questions(
    expected: Iterable[Expected] | None = None, *, vocabulary: Vocabulary | None = None
) -> QuestionScores:
    """Understands each question and compares it with what is expected.

    A field of tags is right where all that must be found are found and nothing is found but what may be. Of a question
    that is refused no field is right.

    Args:
        expected: the questions; the sixty shipped ones where none are given.
        vocabulary: other than the one shipped.
    """
    cases = tuple(expected) if expected is not None else questions()
    if not cases:
        raise InvalidInput("There is no question to evaluate")
    misses: list[Miss] = []
    for case in cases:
        try:
            question = understand(case.text, vocabulary=vocabulary)
        except InvalidInput as error:
            misses += [
                Miss(id=case.id, field=name, expected=str(wanted(case)), found=f"refused: {error}")
                for name, (_, wanted, _) in _CHECKS.items()
            ]
            continue
        for name, (right, wanted, got) in _CHECKS.items():
            if not right(case, question):
                misses.append(Miss(id=case.id, field=name, expected=str(wanted(case)), found=str(got(question))))
    wrong = {miss.id for miss in misses}
    return QuestionScores(
        n=len(cases),
        fields={name: (len(cases) - sum(m.field == name for m in misses)) / len(cases) for name in _CHECKS},
        all_fields=(len(cases) - len(wrong)) / len(cases),
        misses=tuple(misses),
    )
