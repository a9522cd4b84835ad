"""From a question to ranked evidence: the first half of the way to an answer, for those who read the records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidencegate.evidence import EvidenceItem, EvidencePackage, Packs, Sufficiency, score
from evidencegate.question import question_json, understand
from evidencegate.report._ask import PARTIAL, evidence_warnings, search_all
from evidencegate.report._assembler import Assembler
from evidencegate.report._engine import Engine
from evidencegate.report._json import reference_json, sufficiency_json
from evidencegate.report._references import reference_list
from evidencegate.report._types import Reference
from evidencegate.runs import Run
from evidencegate.sources import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the sources have on a question, ranked."""

    package: EvidencePackage
    sufficiency: Sufficiency
    references: tuple[Reference, ...]
    """The records that can be cited, best first."""
    run: str
    partial: bool = False


async def find(
    text: str, *, sources: Sequence[Source], not_asked: Mapping[str, str], packs: Packs, run: Run, engine: Engine
) -> Found:
    """Search the sources for a question and rank what they have. Nothing is written, and no fallback is asked.

    Raises:
        InvalidInput: the text is not a question that can be worked on.
    """
    question = understand(text)
    run.event("question", f"understood as {question.classification.name}")
    results = await search_all(question, sources, run)
    assembler = Assembler.of(run, engine, packs, not_asked)
    package = assembler(question, results)
    sufficiency = score(package)
    references, _ = reference_list(package.items, now=assembler.day)
    run.event("evidence", f"{len(references)} records, sufficiency {sufficiency.score:.0f} of 100")
    return Found(package=package, sufficiency=sufficiency, references=references, run=run.id, partial=run.short)


def found_json(found: Found, *, limit: int) -> dict[str, Any]:
    """The fields that are shown, with the best `limit` records."""
    package = found.package
    items = {item.document.id: item for item in package.items}
    shown = found.references[:limit]
    return {
        "question": question_json(package.question),
        "records": [{**reference_json(one), **_read(items[one.document.id])} for one in shown],
        "found": len(found.references),
        "sufficiency": sufficiency_json(found.sufficiency),
        "searches": [record.to_json() for record in package.searches],
        "excluded": len(package.excluded),
        "duplicates": package.duplicates,
        "warnings": [*([PARTIAL] if found.partial else []), *evidence_warnings(package, shown)],
        "run": found.run,
        "partial": found.partial,
    }


def _read(item: EvidenceItem) -> dict[str, Any]:
    """Score, design, and what to read of a record: the best passages of a long text, a short one whole."""
    text = item.document.text
    spans = [passage.span for passage in item.passages] or item.document.paragraphs()
    return {
        "score": round(item.score, 1),
        "level": str(item.level),
        "passages": [{"text": span.of(text), "start": span.start, "end": span.end} for span in spans],
    }
