"""What changed in the evidence between two runs: records, notices, references, sentences, sufficiency."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidencegate.documents import Document, RetractionStatus
from evidencegate.errors import InvalidInput
from evidencegate.evidence import merge
from evidencegate.runs import Ledger, RunInfo
from evidencegate.sources.recorded import searches


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeChange:
    """A record that both runs found, and of which they were told different things."""

    document: Document
    before: RetractionStatus
    after: RetractionStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """What only the later run has, and what only the earlier one had, as `--json` shows it."""

    new: tuple[Mapping[str, Any], ...]
    gone: tuple[Mapping[str, Any], ...]

    def __bool__(self) -> bool:
        return bool(self.new or self.gone)

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {"new": [dict(one) for one in self.new], "gone": [dict(one) for one in self.gone]}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDiff:
    """Two runs compared, from the first to the second."""

    before: RunInfo
    after: RunInfo
    records: Sides
    notices: tuple[NoticeChange, ...]
    references: Sides
    sentences: Sides
    contradictory: Sides
    sufficiency: tuple[Mapping[str, Any], Mapping[str, Any]]
    searches: tuple[Mapping[str, Any], ...]
    """Searches that ended otherwise, or that only one of the runs did."""

    @property
    def newly_retracted(self) -> tuple[Document, ...]:
        """Records that stood in the first run and were withdrawn by the second."""
        return tuple(c.document for c in self.notices if c.after is RetractionStatus.RETRACTED)

    @property
    def same(self) -> bool:
        """Whether nothing changed that a reader would see."""
        scores = [side["score"] for side in self.sufficiency]
        sides = (self.records, self.references, self.sentences, self.contradictory)
        return not any(sides) and not self.notices and not self.searches and scores[0] == scores[1]

    def to_json(self) -> dict[str, Any]:
        """The fields of `runs diff --json`."""
        first, second = self.sufficiency
        return {
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "same": self.same,
            "records": {
                **self.records.to_json(),
                "newly_retracted": [_record(document) for document in self.newly_retracted],
                "notices": [
                    {**_record(c.document), "before": str(c.before), "after": str(c.after)} for c in self.notices
                ],
            },
            "references": self.references.to_json(),
            "sentences": self.sentences.to_json(),
            "contradictory": self.contradictory.to_json(),
            "sufficiency": {
                "before": first["score"],
                "after": second["score"],
                "change": round(second["score"] - first["score"], 1),
                "level_before": first["level"],
                "level_after": second["level"],
            },
            "searches": [dict(search) for search in self.searches],
        }


def diff_runs(ledger: Ledger, before: str, after: str) -> RunDiff:
    """Compare what two runs found and showed.

    Records are the same if they share an identifier; those without one, if they share their id.

    Raises:
        UnknownName: there is no such run.
        InvalidInput: one of them showed no answer.
    """
    first, second = ledger.get(before), ledger.get(after)
    shown = [_shown(info) for info in (first, second)]
    found = [_found(ledger, info.id) for info in (first, second)]
    return RunDiff(
        before=first,
        after=second,
        records=_records(*found),
        notices=tuple(_notices(*found)),
        references=_sides(*([_reference(r) for r in result["references"]] for result in shown), key=_article),
        sentences=_sides(*(_said(result["answer"]["sentences"]) for result in shown), key=_text),
        contradictory=_sides(*(_said(result["contradictory"]) for result in shown), key=_text),
        sufficiency=(shown[0]["sufficiency"], shown[1]["sufficiency"]),
        searches=tuple(_searched(*(result["searches"] for result in shown))),
    )


def _shown(info: RunInfo) -> Mapping[str, Any]:
    if info.result is None or "references" not in info.result or "sufficiency" not in info.result:
        raise InvalidInput(f"run {info.id} (`{info.command}`, {info.status}) has no answer that could be compared")
    return info.result


def _found(ledger: Ledger, run: str) -> tuple[Document, ...]:
    return tuple(work.document for work in merge(searches(ledger, run)))


def _keys(document: Document) -> tuple[str, ...]:
    return document.identifiers.keys() or (document.id,)


def _by_key(documents: Iterable[Document]) -> dict[str, Document]:
    return {key: document for document in documents for key in _keys(document)}


def _records(before: Sequence[Document], after: Sequence[Document]) -> Sides:
    had, has = _by_key(before), _by_key(after)
    return Sides(
        new=tuple(_record(d) for d in after if not any(key in had for key in _keys(d))),
        gone=tuple(_record(d) for d in before if not any(key in has for key in _keys(d))),
    )


def _notices(before: Sequence[Document], after: Sequence[Document]) -> Iterator[NoticeChange]:
    had = _by_key(before)
    for document in after:
        earlier = next((had[key] for key in _keys(document) if key in had), None)
        if earlier is not None and earlier.retraction is not document.retraction:
            yield NoticeChange(document=document, before=earlier.retraction, after=document.retraction)


def _record(document: Document) -> dict[str, Any]:
    return {
        "document": document.id,
        "title": document.title,
        "year": document.year,
        "retraction": str(document.retraction),
    }


def _reference(reference: Mapping[str, Any]) -> dict[str, Any]:
    return {name: reference[name] for name in ("document", "title", "year", "url", "retraction")}


def _article(reference: Mapping[str, Any]) -> str:
    return str(reference["url"])


def _said(sentences: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{"text": s["text"], "documents": [c["document"] for c in s["citations"]]} for s in sentences]


def _text(sentence: Mapping[str, Any]) -> str:
    return str(sentence["text"])


def _sides(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]], *, key: Any) -> Sides:
    had, has = {key(one) for one in before}, {key(one) for one in after}
    return Sides(
        new=tuple(one for one in after if key(one) not in had), gone=tuple(one for one in before if key(one) not in has)
    )


def _searched(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    had = {(s["source"], s["query"]): s for s in before}
    has = {(s["source"], s["query"]): s for s in after}
    for source, query in sorted({*had, *has}):
        sides = [
            {"status": s["status"], "records": s["records"]} if s else None
            for s in (had.get((source, query)), has.get((source, query)))
        ]
        if sides[0] != sides[1]:
            yield {"source": source, "query": query, "before": sides[0], "after": sides[1]}
