"""What a search brings back. Failures are values here, never exceptions."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from evidencegate.documents import Document, Passage
from evidencegate.question import Question, SubQuery


class Status(StrEnum):
    """How one search ended."""

    OK = "ok"
    EMPTY = "empty"
    PARTIAL = "partial"
    UNREACHABLE = "unreachable"
    RATE_LIMITED = "rate_limited"
    REFUSED = "refused"
    BAD_QUERY = "bad_query"
    MALFORMED = "malformed"
    NOT_ASKED = "not_asked"

    @property
    def answered(self) -> bool:
        """Whether the source really looked: only then does "nothing found" mean something (rule 6)."""
        return self in (Status.OK, Status.EMPTY, Status.PARTIAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRecord:
    """One search, as it is logged and shown: who was asked, exactly what, when, and what came of it."""

    source: str
    query: str
    """Exactly as sent, in the source's own syntax."""
    status: Status
    records: int = 0
    """Records read."""
    total: int | None = None
    """Records the source says it has for the query."""
    reason: str = ""
    """Why it failed or is partial, in words for a reader; holds no key."""
    asked_at: str = ""
    """ISO 8601, UTC."""
    sub_query: str = ""
    """What was to be found out, in plain words."""
    narrower: tuple[str, ...] = ()
    """Queries sent before this one that brought nothing, narrowest first."""

    def __post_init__(self) -> None:
        if self.records and not self.status.answered:
            raise ValueError(f"a search that ended {self.status} has no records")
        if not self.status.answered and not self.reason:
            raise ValueError("a search that failed says why")

    def to_json(self) -> dict[str, Any]:
        """One line of the search log, as every result shows it."""
        return {
            "source": self.source,
            "query": self.query,
            "status": str(self.status),
            "records": self.records,
            "total": self.total,
            "reason": self.reason,
            "asked_at": self.asked_at,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One record of a search, with its place in the result (from 1)."""

    document: Document
    position: int
    score: float | None = None
    """The source's own relevance in [0, 1], where it gives one."""
    passages: tuple[Passage, ...] = ()
    """Where in a long text the source found it (a library does), best first."""

    def __post_init__(self) -> None:
        if any(passage.document != self.document for passage in self.passages):
            raise ValueError("passages are of the document that was found")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A search and what it found."""

    record: SearchRecord
    found: tuple[Found, ...] = ()

    def __post_init__(self) -> None:
        if len(self.found) != self.record.records:
            raise ValueError("the log counts what was found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unavailable:
    """A record that was asked for by identifier and could not be had."""

    identifier: str
    """`pmid:…`, `pmcid:…`, `doi:…`, `nct:…`, or what was given instead of one."""
    status: Status
    """`empty`: every source asked has no such record. Else the worst that happened."""
    reason: str

    def __post_init__(self) -> None:
        if not self.reason:
            raise ValueError("what could not be had says why")


class Source(Protocol):
    """Somewhere that is searched."""

    @property
    def name(self) -> str:
        """The name users give: `pubmed`, `europe_pmc`, `library:path`, …"""
        ...

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        """Search for one sub-query of a question; never raises for what the source did."""
        ...
