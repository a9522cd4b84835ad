"""Images: when they may be shown beside an answer, how they are searched, which are taken."""

import logging
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files

import yaml

from evidencegate.evidence._direct_url import why_not_direct
from evidencegate.question import Question, load_vocabulary

_log = logging.getLogger(__name__)
_QUERIES, _SHOWN = 3, 4

Names = Callable[[str], Sequence[str]]
"""The terms of a tag, the usual one first."""


class ImagePolicy(StrEnum):
    """Which images a question may have."""

    ALGORITHM_ONLY = "algorithm_only"
    """A question of management: only a decision algorithm that fits both a disease and a decision."""
    STANDARD = "standard"
    """Images of the disease, with source and licence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """One image, with where it is from and on what terms it may be shown."""

    title: str
    url: str
    """The address of the article or page it belongs to."""
    source: str
    licence: str
    image_url: str = ""
    """The picture itself, where it may be linked."""
    caption: str = ""
    disease_tags: frozenset[str] = frozenset()
    decision_tags: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not self.title.strip() or not self.source.strip() or not self.licence.strip():
            raise ValueError("an image has a title, a source and a licence")
        reason = why_not_direct(self.url)
        if reason:
            raise ValueError(f"the address of an image opens its page ({reason}): {self.url[:200]!r}")

    def to_json(self) -> dict[str, object]:
        """All fields as plain values."""
        return {
            "title": self.title,
            "url": self.url,
            "source": self.source,
            "licence": self.licence,
            "image_url": self.image_url or None,
            "caption": self.caption,
        }


Fetch = Callable[[str], Awaitable[Sequence[Image]]]
"""Searches images by a query."""


class _Rules:
    __slots__ = ("algorithm", "imaging", "management", "teaching")

    def __init__(self) -> None:
        raw = yaml.safe_load(files("evidencegate.evidence").joinpath("data", "images.yaml").read_text("utf-8"))
        self.management = frozenset(raw["management_decisions"])
        self.imaging = _any_of(raw["imaging_terms"])
        self.algorithm = _any_of(raw["algorithm_terms"])
        self.teaching = _any_of(raw["teaching_terms"])


def _any_of(terms: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(terms, key=len, reverse=True)))})(?!\w)", re.I)


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    return _Rules()


def image_policy(question: Question) -> ImagePolicy:
    """Which images the question may have: of management without an imaging term only algorithms, else any."""
    rules = _rules()
    management = any(tag in rules.management for tag in question.decision_tags.all)
    if management and not rules.imaging.search(question.text):
        return ImagePolicy.ALGORITHM_ONLY
    return ImagePolicy.STANDARD


def tag_terms(name: str) -> tuple[str, ...]:
    """The terms of a disease or decision tag, as clinicians say them; empty for a tag of a question's own."""
    vocabulary = load_vocabulary()
    if name in vocabulary.tags:
        tag = vocabulary.tags[name]
        return tuple(dict.fromkeys((tag.label, *tag.synonyms)))
    return (vocabulary.decisions[name].label,) if name in vocabulary.decisions else ()


def image_queries(question: Question, names: Names = tag_terms) -> tuple[str, ...]:
    """What to search images by: each query has a term of a disease and, where there is one, of a decision.

    `names` gives the terms of a tag, the usual one first (`evidencegate.question.terms`). No query at all where the
    question names no disease.
    """
    diseases = [_term(tag, names) for tag in question.disease_tags.all[:_QUERIES]]
    decisions = [_term(tag, names) for tag in question.decision_tags.all[:1]]
    algorithm = " algorithm" if image_policy(question) is ImagePolicy.ALGORITHM_ONLY else ""
    return tuple(dict.fromkeys(" ".join((disease, *decisions)) + algorithm for disease in diseases))


def _term(tag: str, names: Names) -> str:
    known = names(tag)
    return known[0] if known else tag.replace("_", " ")


def select_images(question: Question, candidates: Sequence[Image], names: Names = tag_terms) -> tuple[Image, ...]:
    """The candidates that may be shown, in their order, at most four.

    For a question of management only decision algorithms whose title names both a disease and a decision of the
    question, and no generic teaching image; for others whatever names a disease of the question.
    """
    rules = _rules()
    strict = image_policy(question) is ImagePolicy.ALGORITHM_ONLY
    chosen = []
    for image in candidates:
        title = image.title
        disease = _named(question.disease_tags.all, title, names)
        if strict:
            decision = _named(question.decision_tags.all, title, names)
            fits = disease and decision and rules.algorithm.search(title) and not rules.teaching.search(title)
        else:
            fits = disease or any(tag in question.disease_tags for tag in image.disease_tags)
        if fits:
            chosen.append(image)
    return tuple(chosen[:_SHOWN])


def _named(tags: Collection[str], title: str, names: Names) -> bool:
    return any(_any_of([tag.replace("_", " "), *names(tag)]).search(title) for tag in tags)


async def find_images(
    question: Question,
    fetch: Fetch,
    names: Names = tag_terms,
) -> tuple[Image, ...]:
    """Search images and take those that may be shown; empty on any error of the search, never generic ones."""
    found: list[Image] = []
    for query in image_queries(question, names):
        try:
            found += await fetch(query)
        except Exception as error:  # noqa: BLE001  (whatever the search does, the answer goes on without images)
            _log.warning("image search failed: %s", type(error).__name__)
            return ()
    return select_images(question, list(dict.fromkeys(found)), names)
