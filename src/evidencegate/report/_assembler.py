"""How the records that were found become a package of evidence: for a question, and for each section of a report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import Self

from evidencegate.documents import Notice
from evidencegate.evidence import EvidencePackage, Packs, assemble
from evidencegate.question import Question
from evidencegate.report._engine import Engine
from evidencegate.report._relevance import Relevance
from evidencegate.runs import Run
from evidencegate.sources import SearchRecord, SearchResult, Status

_NO_NOTICES: Mapping[str, tuple[Notice, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembler:
    """What is the same for every package of a run."""

    packs: Packs
    relevance: Relevance
    day: date
    """When the run began: "now" for everything in it."""
    not_asked: tuple[SearchResult, ...]
    """Whom the log names as not asked, and why (rule 6)."""

    @classmethod
    def of(cls, run: Run, engine: Engine, packs: Packs, not_asked: Mapping[str, str]) -> Self:
        """The one of `run`; `not_asked` is why, by source."""
        return cls(
            packs=packs,
            relevance=engine.relevance,
            day=datetime.fromisoformat(run.started_at).date(),
            not_asked=tuple(
                SearchResult(
                    record=SearchRecord(
                        source=name, query="", status=Status.NOT_ASKED, reason=reason, asked_at=run.started_at
                    )
                )
                for name, reason in not_asked.items()
            ),
        )

    def __call__(
        self,
        question: Question,
        found: Sequence[SearchResult],
        notices: Mapping[str, tuple[Notice, ...]] = _NO_NOTICES,
    ) -> EvidencePackage:
        """What was found for `question`, merged and ranked; `notices` is what became of records since."""
        return assemble(
            question,
            [*found, *self.not_asked],
            packs=self.packs,
            now=self.day,
            relevance=self.relevance,
            notices=notices,
        )
