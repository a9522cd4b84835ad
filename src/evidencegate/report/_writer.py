"""A language model as the writer of a section. It proposes sentences; the gate keeps what its citations prove."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from evidencegate.errors import BudgetExceeded, ModelError
from evidencegate.evidence import EvidenceItem
from evidencegate.models.language import LanguageModel, Prompt, Reply, S, ask_model, load_prompt
from evidencegate.report._draft import Draft, fresh
from evidencegate.report._gate_sentence import Gate, Refused, Written
from evidencegate.runs import Run

MOST_SENTENCES = 10
"""Asked of a model for one section; what it writes beyond twice as many is not read."""
_RECORD_CHARACTERS = 2_400
"""Of one record in a prompt: an abstract is given whole, a full text where the search found it."""
_SECTIONS_CHARACTERS = 24_000
_PACKAGE = "evidencegate.report"


class CitationReply(BaseModel):
    """A citation as a model gives it."""

    n: int
    quote: str = ""


class SentenceReply(BaseModel):
    """A sentence as a model gives it."""

    text: str
    citations: list[CitationReply] = Field(default_factory=list)
    replaces: int = 0


class SentencesReply(BaseModel):
    """A section as a model gives it."""

    sentences: list[SentenceReply]


class ClosingReply(BaseModel):
    """The closing parts as a model gives them."""

    abstract: list[SentenceReply] = Field(default_factory=list)
    discussion: list[SentenceReply] = Field(default_factory=list)
    conclusion: list[SentenceReply] = Field(default_factory=list)


class OutlineReply(BaseModel):
    """An outline as a model gives it."""

    sections: list[str]


@dataclass(frozen=True, slots=True)
class Passed:
    """What came of one written part."""

    drafts: tuple[Draft, ...] = ()
    refused: tuple[Refused, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """A model with the run it is asked in, and how long it may take."""

    model: LanguageModel
    run: Run
    seconds: float = 120.0

    async def ask(self, prompt: Prompt, schema: type[S]) -> Reply[S]:
        """The model's answer, in time and within the budget.

        Raises:
            ModelError: there is none that can be used.
            BudgetExceeded: there is nothing left to ask with.
        """
        return await ask_model(self.model, prompt, schema, run=self.run, seconds=self.seconds)

    async def outline(self, topic: str, *, least: int, most: int) -> list[str]:
        """Section headings for a topic."""
        limits = {"least": str(least), "most": str(most)}
        reply = await self.ask(load_prompt(_PACKAGE, "outline", values=limits, topic=topic), OutlineReply)
        return [clean for heading in reply.value.sections if (clean := " ".join(heading.split()))][:most]

    async def section(
        self,
        topic: str,
        heading: str,
        gate: Gate,
        excerpts: Mapping[int, str],
        *,
        most: int = MOST_SENTENCES,
        prompt_name: str = "section",
    ) -> Passed:
        """A section, written, gated, and its failures rewritten once.

        Raises:
            ModelError, BudgetExceeded: it was not written; the caller goes on with the local engine and says so.
        """
        values = {"citations": ", ".join(f"[{n}]" for n in gate.items), "most": str(most)}
        records = {f"record_{n}": _record(item, excerpts[n]) for n, item in gate.items.items()}
        prompt = load_prompt(_PACKAGE, prompt_name, values=values, topic=topic, section=heading, **records)
        gate = replace(gate, instructions=prompt.instructions, removed=gate.removed)
        reply = await self.ask(prompt, SentencesReply)
        entries = reply.value.sentences[: 2 * most]
        judged = await asyncio.to_thread(_judged, gate, _written(entries))
        passed = await self._rewritten(gate, judged, records)
        notes = list(passed.notes)
        if gate.false_quotes:
            notes.append(
                f"{heading}: {gate.false_quotes} quotes that the model gave are not in the records they were given "
                "for; what those sentences say was looked for in the records themselves."
            )
        return replace(passed, drafts=passed.drafts[:most], notes=tuple(notes))

    async def _rewritten(self, gate: Gate, judged: Sequence[Draft | Refused], records: Mapping[str, str]) -> Passed:
        failed = {k: one for k, one in enumerate(judged) if isinstance(one, Refused) and one.shown}
        notes: list[str] = []
        better: dict[int, Draft] = {}
        if failed:
            asked = dict(enumerate(failed.values(), start=1))
            data = {f"sentence_{k}": one.text for k, one in asked.items()}
            data |= {f"reason_{k}": one.reason for k, one in asked.items()}
            values = {"citations": ", ".join(f"[{n}]" for n in gate.items)}
            prompt = load_prompt(_PACKAGE, "rewrite", values=values, **data, **records)
            try:
                reply = await self.ask(prompt, SentencesReply)
            except (ModelError, BudgetExceeded) as error:
                notes.append(f"{gate.section}: sentences that did not pass were not written anew: {error}")
            else:
                again = replace(gate, instructions=prompt.instructions, removed=gate.removed)
                places = dict(zip(asked, failed, strict=True))
                better = await asyncio.to_thread(_replaced, again, reply.value.sentences[: len(asked)], places)
        drafts = [better.get(k, one) for k, one in enumerate(judged)]
        shown = fresh([one for one in drafts if isinstance(one, Draft)], ())
        refused = {one.text: one for one in drafts if isinstance(one, Refused)}
        return Passed(tuple(shown), tuple(refused.values()), tuple(notes))

    async def closing(
        self, topic: str, sections: Sequence[tuple[str, Sequence[Draft]]], gates: Mapping[str, Gate]
    ) -> dict[str, Passed]:
        """Abstract, discussion and conclusion from the finished sections, by name; gated like any other sentence.

        Raises:
            ModelError, BudgetExceeded: they were not written.
        """
        items = next(iter(gates.values())).items
        numbers = {item.document.id: n for n, item in items.items()}
        values = {"citations": ", ".join(f"[{n}]" for n in items)}
        # Of a long report each section gives its first sentences, so that all are heard within the model's context.
        share = _SECTIONS_CHARACTERS // max(1, len(sections))
        data = {
            f"section_{k}": _told(heading, drafts, numbers, share) for k, (heading, drafts) in enumerate(sections, 1)
        }
        quotes = {
            f"record_{n}": _record(item, "\n\n".join(_quotes(item, sections)))[:share] for n, item in items.items()
        }
        prompt = load_prompt(_PACKAGE, "closing", values=values, topic=topic, **data, **quotes)
        reply = await self.ask(prompt, ClosingReply)
        found: dict[str, Passed] = {}
        shown: list[Draft] = []
        for name, most in (("abstract", 4), ("discussion", 3), ("conclusion", 2)):
            gate = replace(gates[name], instructions=prompt.instructions, removed=gates[name].removed)
            entries: list[SentenceReply] = getattr(reply.value, name)[: 2 * most]
            judged = await asyncio.to_thread(_judged, gate, _written(entries))
            drafts = fresh([one for one in judged if isinstance(one, Draft)], shown)[:most]
            shown += drafts
            found[name] = Passed(tuple(drafts), tuple(one for one in judged if isinstance(one, Refused)))
        return found


def _written(entries: Sequence[SentenceReply]) -> list[Written]:
    return [Written(e.text, tuple((c.n, c.quote) for c in e.citations)) for e in entries]


def _judged(gate: Gate, entries: Sequence[Written]) -> list[Draft | Refused]:
    """Each different sentence, judged once."""
    pieces = {piece.text.casefold(): piece for entry in entries for piece in gate.pieces(entry)}
    return [gate.judge(piece) for piece in list(pieces.values())[: 2 * MOST_SENTENCES]]


def _replaced(gate: Gate, entries: Sequence[SentenceReply], places: Mapping[int, int]) -> dict[int, Draft]:
    """The sentences that were written anew and passed, by the place of those they replace."""
    better: dict[int, Draft] = {}
    for entry in entries:
        place = places.get(entry.replaces)
        if place is None or place in better:
            continue
        pieces = gate.pieces(_written([entry])[0])
        judged = gate.judge(pieces[0]) if len(pieces) == 1 else None
        if isinstance(judged, Draft):
            better[place] = judged
    return better


def _record(item: EvidenceItem, excerpt: str) -> str:
    document = item.document
    return f"{document.title}\n{item.level.replace('_', ' ')}, {document.year or 'no year'}\n{excerpt}"


def excerpt(item: EvidenceItem) -> str:
    """What a prompt shows of a record: its abstract; of a full text the passages where the search found it."""
    text = _closed_up(item.document.text)
    if len(text) <= _RECORD_CHARACTERS:
        return text
    found = [_closed_up(passage.text) for passage in item.passages]
    return "\n[…]\n".join([*found, text])[:_RECORD_CHARACTERS]


def _closed_up(text: str) -> str:
    """Without the gaps that blanked sentences leave."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def _told(heading: str, drafts: Sequence[Draft], numbers: Mapping[str, int], share: int) -> str:
    lines = [heading]
    for draft in drafts:
        lines.append(f"{draft.text} {''.join(f'[{numbers[name]}]' for name in draft.documents)}")
    return "\n".join(lines)[:share]


def _quotes(item: EvidenceItem, sections: Sequence[tuple[str, Sequence[Draft]]]) -> list[str]:
    return list(
        dict.fromkeys(
            support.quote.text
            for _, drafts in sections
            for draft in drafts
            for support in draft.support
            if support.item.document.id == item.document.id
        )
    )
