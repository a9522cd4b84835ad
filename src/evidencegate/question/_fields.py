"""The clinical field of a question, from its tags alone, by the rules of `fields.yaml`."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from evidencegate.question._data import Fields, shipped
from evidencegate.question._types import Classification, Tag
from evidencegate.question._vocabulary import Vocabulary, load_vocabulary

GENERAL = "general"
_SURE, _LIKELY, _GENERAL_SURE, _UNSURE = 0.95, 0.8, 0.6, 0.3
_MOST_MESH = 12


@dataclass(frozen=True, slots=True)
class _Rule:
    field: str
    diseases: tuple[str, ...]
    no_disease: bool
    focus: bool
    mostly: bool
    without: tuple[str, ...]
    decisions: tuple[str, ...]
    unless: tuple[str, ...]
    allowed: tuple[str, ...]
    excluded: tuple[str, ...]
    when: Mapping[str, tuple[str, ...]]
    tags_mesh: bool


@lru_cache(maxsize=1)
def _rules() -> tuple[_Rule, ...]:
    found = []
    for number, value in enumerate(shipped("fields"), 1):
        fields = Fields(f"fields.yaml: {number}", value)
        diseases = fields.terms("diseases")
        found.append(
            _Rule(
                field=fields.text("field"),
                diseases=diseases,
                no_disease=fields.flag("no_disease"),
                focus=fields.flag("focus"),
                mostly=fields.flag("mostly"),
                without=fields.terms("without"),
                decisions=fields.terms("decisions"),
                unless=fields.terms("unless"),
                allowed=fields.terms("allowed"),
                excluded=fields.terms("excluded"),
                when=fields.lists("when"),
                tags_mesh=fields.flag("tags_mesh"),
            )
        )
        fields.done()
    return tuple(found)


def _fits(rule: _Rule, diseases: Collection[str], decisions: Collection[str], focus: Collection[str] | None) -> bool:
    topical = sum(name in rule.diseases for name in diseases)
    topic = topical > 0 if diseases else rule.no_disease
    if rule.focus and focus is not None and not any(name in rule.diseases for name in focus):
        return False
    if rule.mostly and 2 * topical < len(diseases):
        return False
    return (
        topic
        and not any(name in rule.without for name in diseases)
        and any(name in rule.decisions for name in decisions)
        and not any(name in rule.unless for name in decisions)
    )


def _mesh(
    diseases: Collection[str], decisions: Collection[str], vocabulary: Vocabulary, own: Collection[Tag]
) -> list[str]:
    mine = {tag.name: tag for tag in own}
    found: list[str] = []
    for name in sorted(diseases):
        tag = mine.get(name) or vocabulary.tags.get(name)
        if tag:
            found += tag.mesh
    for name in sorted(decisions):
        if name in ("anticoagulation", "antiplatelet", "interaction") and name in vocabulary.decisions:
            found += vocabulary.decisions[name].mesh
    return list(dict.fromkeys(found))[:_MOST_MESH]


def classify(
    disease_tags: Collection[str],
    decision_tags: Collection[str],
    *,
    focus: Collection[str] | None = None,
    own: Collection[Tag] = (),
    vocabulary: Vocabulary | None = None,
) -> Classification:
    """The field of a question with these tags. Order does not matter: the same sets give the same field.

    Args:
        disease_tags: names of disease tags, of the vocabulary or the question's own.
        decision_tags: names of decision tags.
        focus: those disease tags that the decision is about, where the others are known to be history only.
        own: the definitions of the question's own tags, for their MeSH.
        vocabulary: other than the one shipped.
    """
    vocabulary = vocabulary or load_vocabulary()
    tags_mesh = _mesh(disease_tags, decision_tags, vocabulary, own)
    for rule in _rules():
        if not _fits(rule, disease_tags, decision_tags, focus):
            continue
        allowed = [*(tags_mesh if rule.tags_mesh else ()), *rule.allowed]
        for name in sorted(disease_tags):
            allowed += rule.when.get(name, ())
        topical = sum(name in rule.diseases for name in disease_tags)
        return Classification(
            name=rule.field,
            allowed_mesh=tuple(term for term in dict.fromkeys(allowed) if term not in rule.excluded),
            excluded_mesh=tuple(term for term in rule.excluded),
            # Several conditions of other fields beside it make the field less sure.
            confidence=_SURE if 2 * topical >= len(disease_tags) else _LIKELY,
        )
    return Classification(
        name=GENERAL,
        allowed_mesh=tuple(tags_mesh),
        confidence=_GENERAL_SURE if disease_tags and decision_tags else _UNSURE,
    )
