"""The values of this room: what is asked of a library, and what it says."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from evidencegate.documents import Document, Passage
from evidencegate.errors import InvalidInput

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Embedder(Protocol):
    """Texts to vectors. `evidencegate.models.embedding` has the one used by default."""

    @property
    def name(self) -> str:
        """Names the weights: two embedders of one name give the same vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Width of a vector."""
        ...

    def embed(self, texts: Sequence[str], /) -> "npt.NDArray[np.float32]":
        """One L2-normalised row a text, shape (n, dimensions)."""
        ...


class Mode(StrEnum):
    """Which index is asked."""

    HYBRID = "hybrid"
    BM25 = "bm25"
    VECTOR = "vector"


_LAST_YEAR = 9999


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which documents a search may return. All that is given must hold; of several names, any."""

    year_from: int | None = None
    year_to: int | None = None
    publication_types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """MeSH headings, keywords, disease and decision tags (`AF`, `anticoagulation`): as the record names them."""
    source: str | None = None

    def __post_init__(self) -> None:
        for year in (self.year_from, self.year_to):
            if year is not None and not 0 <= year <= _LAST_YEAR:
                raise InvalidInput(f"{year} is no year: use one from 0 to {_LAST_YEAR}.")
        if self.year_from is not None and self.year_to is not None and self.year_from > self.year_to:
            raise InvalidInput(f"The years end before they begin: {self.year_from} to {self.year_to}.")
        for name in ("publication_types", "tags"):
            if isinstance(getattr(self, name), str):
                raise InvalidInput(f"`{name}` takes several names, not one text.")

    def __bool__(self) -> bool:
        return self != Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One document found, with the place in it that answers best."""

    document: Document
    score: float
    """In [0, 1], relative to the other candidates of the same search."""
    passage: Passage | None
    """None only for a record that has a title and no text."""
    components: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """`bm25` (engine's score, 0 where no word matches) and `cosine`, of the best chunk each, as far as known."""

    def __post_init__(self) -> None:
        if not 0.0 <= self.score <= 1.0:
            raise ValueError(f"a score is in [0, 1]: {self.score}")

    def to_json(self) -> dict[str, Any]:
        """The fields of a hit in `library search --json`."""
        document, identifiers = self.document, self.document.identifiers
        span = self.passage.span if self.passage else None
        return {
            "id": document.id,
            "pmid": identifiers.pmid,
            "pmcid": identifiers.pmcid,
            "doi": identifiers.doi,
            "title": document.title,
            "year": document.year,
            "score": round(self.score, 6),
            "passage": self.passage.text if self.passage else "",
            "start": span.start if span else None,
            "end": span.end if span else None,
            "section": self._section(),
            "url": document.url,
            "retraction": document.retraction.value,
            "components": {name: round(value, 6) for name, value in self.components.items()},
        }

    def _section(self) -> str:
        section = self.document.section_at(self.passage.span.start) if self.passage else None
        return section.label if section else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A file or record that did not go in, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What an `add` did."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    """Records that were in the library already, word for word."""
    deleted: int = 0
    skipped: tuple[Rejected, ...] = ()
    files_unchanged: int = 0
    """Files that went in whole before and were not read again."""
    documents: int = 0
    """Documents in the library afterwards."""
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The fields of `library add --json`."""
        return {
            "added": self.added,
            "updated": self.updated,
            "unchanged": self.unchanged,
            "deleted": self.deleted,
            "skipped": [{"path": item.path, "reason": item.reason} for item in self.skipped],
            "files_unchanged": self.files_unchanged,
            "documents": self.documents,
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """What is in a library, and in what state."""

    path: str
    documents: int
    chunks: int
    full_texts: int
    retracted: int
    year_from: int | None
    year_to: int | None
    sources: Mapping[str, int]
    embedder: str
    dimensions: int
    format: int
    created: str
    bytes: int | None
    """On disk; None for an object store."""
    unindexed: int
    """Chunks that wait for the next upkeep: found all the same, but more slowly."""

    def to_json(self) -> dict[str, Any]:
        """The fields of `library info --json`."""
        return {
            "path": self.path,
            "documents": self.documents,
            "chunks": self.chunks,
            "full_texts": self.full_texts,
            "retracted": self.retracted,
            "year_from": self.year_from,
            "year_to": self.year_to,
            "sources": dict(self.sources),
            "embedder": self.embedder,
            "dimensions": self.dimensions,
            "format": self.format,
            "created": self.created,
            "bytes": self.bytes,
            "unindexed": self.unindexed,
        }


Progress = Callable[[int], None]
"""Called with the number of documents dealt with so far."""

Rerank = Callable[[str, Sequence[Hit]], Sequence[float]]
"""A second reader: query and hits in, one score in [0, 1] a hit out."""
