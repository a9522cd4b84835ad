"""What a reader changed of how a question was understood, before anything is searched."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from evidencegate.errors import InvalidInput
from evidencegate.question._chosen import MOST_DISEASES, Conditions, with_implied
from evidencegate.question._normal import fold, phrase
from evidencegate.question._read import read
from evidencegate.question._types import PICO, Tag, Tags
from evidencegate.question._vocabulary import Vocabulary, tag_name

_LONGEST = 300
_MOST_DECISIONS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """A reader's word against the rules'; None leaves a part as it was read.

    Field, scenario and searches are made anew of what stands here, by the same rules.
    """

    pico: PICO | None = None
    disease_tags: tuple[str, ...] | None = None
    """Names or labels of the vocabulary's, or a condition in plain words, which becomes a tag of its own."""
    decision_tags: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        said = [*asdict(self.pico).values()] if self.pico else []
        if any(len(text or "") > _LONGEST for text in [*said, *(self.disease_tags or ()), *(self.decision_tags or ())]):
            raise InvalidInput(f"A part of the question has more than {_LONGEST} characters; a few words are enough")

    @classmethod
    def from_json(cls, kept: Mapping[str, Any] | None) -> "Edits | None":
        """What `to_json` wrote, or a caller of the API.

        Raises:
            InvalidInput: it has another shape.
        """
        if kept is None:
            return None
        try:
            pico, diseases, decisions = kept.get("pico"), kept.get("disease_tags"), kept.get("decision_tags")
            return cls(
                pico=None if pico is None else _pico(pico),
                disease_tags=None if diseases is None else _names(diseases),
                decision_tags=None if decisions is None else _names(decisions),
            )
        except (AttributeError, TypeError) as error:
            raise InvalidInput(
                "An edited question is {pico: {patient, intervention, comparison, outcome, condition}, "
                "disease_tags: [...], decision_tags: [...]}, each of them text"
            ) from error

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "pico": None if self.pico is None else asdict(self.pico),
            "disease_tags": None if self.disease_tags is None else list(self.disease_tags),
            "decision_tags": None if self.decision_tags is None else list(self.decision_tags),
        }


def _pico(fields: Mapping[str, object]) -> PICO:
    said = {name: _said(value) for name, value in fields.items() if value is not None}
    comparison = said.pop("comparison", "") or None
    return PICO(**said, comparison=comparison)


def _names(values: object) -> tuple[str, ...]:
    if not isinstance(values, list | tuple):
        raise TypeError("names are a list")
    return tuple(map(_said, values))


def _said(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text was expected, not {type(value).__name__}")
    return " ".join(value.split())


def chosen_conditions(found: Conditions, names: tuple[str, ...], vocabulary: Vocabulary) -> Conditions:
    """The conditions that a reader chose, the first as the primary one, and what they imply; all are asked about.

    Raises:
        InvalidInput: there are more than a question can be about.
    """
    known = {fold(label): name for name, tag in vocabulary.tags.items() for label in (tag.label, *tag.synonyms)}
    mine = {tag.name: tag for tag in found.own}
    chosen: list[str] = []
    for said in names:
        name = said if said in vocabulary.tags or said in mine else known.get(fold(said), tag_name(said))
        if not name or name in chosen:
            continue
        if name not in vocabulary.tags and name not in mine:
            mine[name] = Tag(name=name, label=said, synonyms=(said,))
        chosen.append(name)
    if len(chosen) > MOST_DISEASES:
        raise InvalidInput(f"A question has at most {MOST_DISEASES} conditions, not {len(chosen)}")
    every = with_implied(chosen, vocabulary)
    return replace(
        found,
        tags=Tags(tuple(every)),
        own=tuple(mine[name] for name in chosen if name in mine),
        focus=frozenset(every),
        asked=frozenset(every),
    )


def chosen_decisions(names: tuple[str, ...], vocabulary: Vocabulary) -> Tags:
    """The decisions that a reader chose, the first as the primary one.

    Raises:
        InvalidInput: one of them is none of the vocabulary's.
    """
    chosen = tuple(dict.fromkeys(name for name in names if name))
    unknown = [name for name in chosen if name not in vocabulary.decisions]
    if unknown:
        known = ", ".join(sorted(vocabulary.decisions))
        raise InvalidInput(f"There is no decision tag {unknown[0]!r}; there are: {known}")
    if len(chosen) > _MOST_DECISIONS:
        raise InvalidInput(f"A question has at most {_MOST_DECISIONS} decisions, not {len(chosen)}")
    return Tags(chosen)


def named_treatments(pico: PICO, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The treatments of an edited intervention that the vocabulary knows, in order."""
    if not phrase(pico.intervention):
        return ()
    mentions = sorted(read(pico.intervention, vocabulary).treatments, key=lambda m: m.start)
    return tuple(dict.fromkeys(mention.name for mention in mentions if not mention.negated))
