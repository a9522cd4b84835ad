"""Abstract, discussion and conclusion: they say what sections say, and cite only what sections cite (rule 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evidencegate.errors import BudgetExceeded, ModelError
from evidencegate.report._draft import Draft, fresh, quoted
from evidencegate.report._engine import Engine
from evidencegate.report._extract import Candidate
from evidencegate.report._gate_sentence import Gate, valid
from evidencegate.report._refused import RemovedCitation, Unsupported
from evidencegate.report._worth import Part, part_of
from evidencegate.report._writer import Passed, Writer

PARTS = {"abstract": "Abstract", "discussion": "Discussion", "conclusion": "Conclusion"}
_ABSTRACT = 4
_CONCLUSION = 2


@dataclass(frozen=True, slots=True)
class Closings:
    """The sentences of the closing parts, by part, and what came of writing them."""

    drafts: Mapping[str, tuple[Draft, ...]]
    refused: tuple[Unsupported, ...] = ()
    removed: tuple[RemovedCitation, ...] = ()
    hidden: int = 0
    notes: tuple[str, ...] = field(default=())


def local_closings(leads: Sequence[Draft], shown: Sequence[Draft], candidates: Sequence[Candidate]) -> Closings:
    """The `leads` of the sections as abstract; as conclusion what cited records conclude and no section says."""
    cited = {name for draft in shown for name in draft.documents}
    concluding = sorted(
        (
            candidate
            for candidate in candidates
            if candidate.item.document.id in cited
            and part_of(candidate.quote.document, candidate.quote.span) is Part.CONCLUSION
        ),
        key=lambda c: (-c.value, c.item.document.id, c.quote.span),
    )
    return Closings(
        {
            "abstract": tuple(fresh(leads, ())[:_ABSTRACT]),
            "discussion": (),
            "conclusion": tuple(fresh(map(quoted, concluding), shown)[:_CONCLUSION]),
        }
    )


async def close(
    local: Closings,
    topic: str,
    sections: Sequence[tuple[str, Sequence[Draft]]],
    writer: Writer,
    engine: Engine,
    *,
    doses: bool,
) -> Closings:
    """The closing parts as the model writes them, gated; a part of which nothing passes stays as it was."""
    items = {s.item.document.id: s.item for _, drafts in sections for draft in drafts for s in draft.support}
    numbered = valid(list(items.values()))
    gates = {name: Gate(heading, numbered, engine, doses=doses) for name, heading in PARTS.items()}
    try:
        passed = await writer.closing(topic, sections, gates)
    except (ModelError, BudgetExceeded) as error:
        note = f"Abstract, discussion and conclusion: by the local engine, as the model failed: {error}"
        return Closings(local.drafts, notes=(note,))
    nothing = Passed()
    return Closings(
        {name: passed.get(name, nothing).drafts or local.drafts[name] for name in PARTS},
        tuple(
            Unsupported(text=one.text, section=heading, reason=one.reason)
            for name, heading in PARTS.items()
            for one in passed.get(name, nothing).refused
            if one.shown
        ),
        tuple(gone for gate in gates.values() for gone in gate.removed),
        sum(not one.shown for part in passed.values() for one in part.refused),
    )
