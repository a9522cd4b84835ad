"""A source whose searches are steps of a run: kept when done, so that nobody is asked twice for one run."""

from dataclasses import asdict, dataclass
from typing import Any

from evidencegate.documents import Document, Passage, Span, from_json, to_json
from evidencegate.question import Question, SubQuery
from evidencegate.runs import Run
from evidencegate.sources._types import Found, SearchRecord, SearchResult, Source, Status

__all__ = ["Recorded"]


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
        return await self.run.step(
            f"search {self.name}",
            [sub_query.query, sub_query.category, sub_query.target_evidence, question.text, limit],
            lambda: self.source.search(sub_query, question, limit=limit),
            dump=_dump,
            load=_load,
        )


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
