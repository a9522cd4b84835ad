"""Searches as steps of a run: kept when done, so that nobody is asked twice for one run."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from evidencegate.documents import Document, Passage, Span, from_json, to_json
from evidencegate.question import Question, SubQuery
from evidencegate.runs import Ledger, Run
from evidencegate.sources._types import Found, SearchRecord, SearchResult, Source, Status

__all__ = ["Recorded", "once", "searches"]

_STEP = "search "


async def once(
    run: Run,
    source: str,
    sub_query: SubQuery,
    question: Question,
    limit: int,
    ask: Callable[[], Awaitable[SearchResult]],
) -> SearchResult:
    """What the ledger holds of this search, else what `ask()` brings now; where the budget ends, why it was not asked.

    A search that failed is done too: taking the run up again does not repeat it.
    """
    return await run.step(
        f"{_STEP}{source}",
        [sub_query.query, sub_query.category, sub_query.target_evidence, question.text, limit],
        ask,
        dump=_dump,
        load=_load,
        unpaid=lambda error: SearchResult(
            record=SearchRecord(
                source=source,
                query="",
                status=Status.NOT_ASKED,
                reason=f"not asked to the end: {error}",
                asked_at=run.started_at,
                sub_query=sub_query.query,
            )
        ),
    )


@dataclass(frozen=True, slots=True)
class Recorded:
    """`source`, asked through `run`."""

    source: Source
    run: Run

    @property
    def name(self) -> str:
        """The source's own name."""
        return self.source.name

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        """What the ledger holds of this search, else what the source says now."""

        async def ask() -> SearchResult:
            return await self.source.search(sub_query, question, limit=limit)

        return await once(self.run, self.name, sub_query, question, limit, ask)


def searches(ledger: Ledger, run: str) -> Iterator[SearchResult]:
    """Every search that a run did, from its ledger."""
    for _, kept in ledger.steps(run, _STEP):
        yield _load(kept)


def _dump(result: SearchResult) -> dict[str, Any]:
    found = [
        {
            "document": to_json(f.document),
            "position": f.position,
            "score": f.score,
            "passages": [[[s.start, s.end] for s in passage.sentences] for passage in f.passages],
        }
        for f in result.found
    ]
    return {"record": asdict(result.record), "found": found}


def _load(kept: dict[str, Any]) -> SearchResult:
    record = kept["record"]
    return SearchResult(
        record=SearchRecord(
            **{**record, "status": Status(record["status"]), "narrower": tuple(record.get("narrower", ()))}
        ),
        found=tuple(_found(row, from_json(row["document"])) for row in kept["found"]),
    )


def _found(row: dict[str, Any], document: Document) -> Found:
    passages = tuple(Passage(document, tuple(Span(*s) for s in sentences)) for sentences in row["passages"])
    return Found(document=document, position=row["position"], score=row["score"], passages=passages)
