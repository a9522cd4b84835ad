"""What a replay has in place of everybody a run asked: their names. What they said is in the ledger, or nowhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidencegate.errors import ModelError

if TYPE_CHECKING:
    from evidencegate.documents import Document
    from evidencegate.models.language import Prompt, Reply, S
    from evidencegate.question import Question, SubQuery
    from evidencegate.sources import NoticeCheck, Picture, SearchResult, Unavailable

__all__ = ["Absent", "Mute", "Nobody"]


@dataclass(frozen=True, slots=True)
class Absent:
    """A source that was searched."""

    name: str

    async def search(self, sub_query: "SubQuery", question: "Question", *, limit: int) -> "SearchResult":
        """Never asked for."""
        raise AssertionError(f"a replay asked {self.name}")


@dataclass(frozen=True, slots=True)
class Nobody:
    """What was asked outside the sources."""

    fallback: Absent

    async def notices(self, documents: "Sequence[Document]") -> "NoticeCheck":
        """Never asked for."""
        raise AssertionError("a replay asked for notices")

    async def pictures(self, query: str) -> "tuple[Picture, ...]":
        """Never asked for."""
        raise AssertionError("a replay asked for pictures")

    async def full_text(self, document: "Document") -> "Document | Unavailable":
        """Never asked for."""
        raise AssertionError("a replay asked for a full text")


@dataclass(frozen=True, slots=True)
class Mute:
    """A model that wrote or read."""

    name: str

    async def complete(self, prompt: "Prompt", schema: "type[S]") -> "Reply[S]":
        """Only where it never answered, which is what is said again."""
        raise ModelError(f"a replay asked {self.name}")
