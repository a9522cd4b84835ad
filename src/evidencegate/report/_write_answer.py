"""A direct answer written by a model: the way of a report's section, for a question."""

from collections.abc import Sequence
from dataclasses import dataclass

from evidencegate.errors import BudgetExceeded, ModelError
from evidencegate.evidence import EvidenceItem
from evidencegate.report._draft import Draft
from evidencegate.report._engine import Engine
from evidencegate.report._gate_sentence import Gate, valid
from evidencegate.report._refused import RemovedCitation, Unsupported
from evidencegate.report._writer import Writer, excerpt

_SENTENCES = 5
_HEADING = "Answer"


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """What came of it: sentences that passed (none: the local engine answers), and those that did not."""

    drafts: tuple[Draft, ...] = ()
    refused: tuple[Unsupported, ...] = ()
    removed: tuple[RemovedCitation, ...] = ()
    notes: tuple[str, ...] = ()


async def written_answer(
    question: str, items: Sequence[EvidenceItem], writer: Writer, engine: Engine, *, doses: bool
) -> WrittenAnswer:
    """The model's answer from `items`, gated; a model that fails is said so in `notes`."""
    if not items:
        return WrittenAnswer()
    gate = Gate(_HEADING, valid(items), engine, doses=doses)
    excerpts = {n: excerpt(item) for n, item in gate.items.items()}
    try:
        passed = await writer.section(question, _HEADING, gate, excerpts, most=_SENTENCES, prompt_name="answer")
    except (ModelError, BudgetExceeded) as error:
        return WrittenAnswer(notes=(f"Answered by the local engine, as the model failed: {error}",))
    notes = passed.notes
    if not passed.drafts:
        notes = (*notes, "Nothing that the model wrote is supported; the records' own sentences stand.")
    shown = tuple(
        Unsupported(text=one.text, section=_HEADING, reason=one.reason) for one in passed.refused if one.shown
    )
    hidden = sum(not one.shown for one in passed.refused)
    if shown:
        notes = (*notes, f"{len(shown)} sentences that the model wrote are not supported by what they cite; see below.")
    if hidden:
        notes = (*notes, f"{hidden} sentences that the model wrote were dropped: instructions, prompt or no sentence.")
    return WrittenAnswer(passed.drafts, shown, tuple(gate.removed), notes)
