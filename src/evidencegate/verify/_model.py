"""A language model as proposer: of the claims of a text, and of a verdict on each. The gate decides on what it says.

Several sentences or claims go into one prompt, several prompts are under way at once, and what was said of a sentence
or a claim is kept under its content, so that nothing is paid for twice.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeVar

from pydantic import BaseModel, Field

from evidencegate.documents import Passage
from evidencegate.errors import BudgetExceeded, ModelError
from evidencegate.models.language import BadReply, LanguageModel, Prompt, ask_model, finish, load_prompt
from evidencegate.models.stance import Stance
from evidencegate.runs import Usage
from evidencegate.verify._gate import Proposal
from evidencegate.verify._types import Decision, Verdict

_SENTENCES = 12
"""Sentences of one prompt."""
_CLAIMS = 6
"""Claims of one prompt, each with its passages."""
_BEFORE = 2
"""Sentences before one that may give the name for its pronouns."""
_AT_ONCE = 4
"""Prompts under way."""
_SECONDS = 120.0
"""For one prompt, its second try included."""
_LONGEST = 4_000
"""Characters of a sentence, a claim or a passage that are shown."""

Asked = tuple[str, Sequence[Passage]]
"""A claim with the passages offered for it."""
S = TypeVar("S", bound=BaseModel)


class _Stated(BaseModel):
    sentence: int
    claims: list[str] = Field(default_factory=list)


class _Statements(BaseModel):
    sentences: list[_Stated]


class _Judged(BaseModel):
    claim: int
    label: str
    passage: int = 0
    quote: str = ""
    confidence: float = 0.0
    why: str = ""


class _Verdicts(BaseModel):
    verdicts: list[_Judged]


@dataclass(slots=True)
class ModelProposals:
    """What a language model says about a text. It raises for nothing that the model does.

    Where no usable answer came there is none, and `warnings` says why. After a model that cannot be reached or refuses,
    nothing more is asked of it.
    """

    model: LanguageModel
    seconds: float = _SECONDS
    spent: Usage = field(default_factory=Usage)
    """What the answers have cost."""
    _stated: dict[str, list[str]] = field(default_factory=dict)
    _judged: dict[str, Proposal] = field(default_factory=dict)
    _failures: list[str] = field(default_factory=list)
    _silent: bool = False

    @property
    def warnings(self) -> tuple[str, ...]:
        """What did not come, each reason once."""
        return tuple(dict.fromkeys(self._failures))

    def __call__(self, sentences: Sequence[str]) -> list[list[str]]:
        """The claims of each sentence (see `Proposer`), in order; an empty list where none came."""
        keys = [self._key("claims", *sentences[max(0, i - _BEFORE) : i + 1]) for i in range(len(sentences))]
        batches = list(_batches([i for i in _first(keys) if keys[i] not in self._stated], _SENTENCES))
        prompts = [
            load_prompt(
                "evidencegate.verify",
                "claims",
                values=None,
                **{f"sentence_{n}": sentences[i][:_LONGEST] for n, i in enumerate(batch, start=1)},
            )
            for batch in batches
        ]
        for batch, reply in zip(batches, finish(self._ask_all(prompts, _Statements)), strict=True):
            for stated in reply.sentences if reply else ():
                if 1 <= stated.sentence <= len(batch):
                    self._stated.setdefault(keys[batch[stated.sentence - 1]], []).extend(stated.claims)
        return [list(self._stated.get(key, ())) for key in keys]

    def verdicts(self, asked: Sequence[Asked]) -> list[Proposal | None]:
        """A proposal for each claim, in order; None where the model gave none, or two that differ."""
        keys = [self._key("verdict", claim, *(p.text for p in passages)) for claim, passages in asked]
        batches = list(_batches([i for i in _first(keys) if keys[i] not in self._judged], _CLAIMS))
        prompts = [_verdict_prompt([asked[i] for i in batch]) for batch in batches]
        for batch, reply in zip(batches, finish(self._ask_all(prompts, _Verdicts)), strict=True):
            for n, i in enumerate(batch, start=1):
                said = [one for one in (reply.verdicts if reply else ()) if one.claim == n]
                if len({(one.label, one.passage) for one in said}) == 1:
                    self._judged[keys[i]] = self._proposal(said[0])
        given = [self._judged.get(key) for key in keys]
        if None in given:
            self._failures.append(
                f"{self.model.name} gave no verdict on {given.count(None)} claims: those are the local engine's."
            )
        return given

    def _proposal(self, said: _Judged) -> Proposal:
        return Proposal(
            label=said.label,
            index=said.passage - 1,
            quote=said.quote,
            confidence=said.confidence,
            selection_reason=f"{self.model.name}: {' '.join(said.why.split())[:500]}",
            raw=said.model_dump_json(),
        )

    def _key(self, *content: str) -> str:
        return sha256("\0".join([self.model.name, *content]).encode("utf-8", "replace")).hexdigest()

    async def _ask_all(self, prompts: Sequence[Prompt], schema: type[S]) -> list[S | None]:
        """The answer to each prompt, None where none came."""
        room = asyncio.Semaphore(_AT_ONCE)

        async def one(prompt: Prompt) -> S | None:
            async with room:
                return None if self._silent else await self._ask(prompt, schema)

        return await asyncio.gather(*(one(prompt) for prompt in prompts))

    async def _ask(self, prompt: Prompt, schema: type[S]) -> S | None:
        try:
            reply = await ask_model(self.model, prompt, schema, seconds=self.seconds)
        except BadReply as error:
            self._failures.append(f"{self.model.name} gave a reply that could not be read: {error}.")
            return None
        except (ModelError, BudgetExceeded) as error:
            self._silent = True
            partial = "partial: " if isinstance(error, BudgetExceeded) else ""
            self._failures.append(
                f"{partial}{error}; {self.model.name} was asked no more, the local engine did the rest."
            )
            return None
        self.spent += reply.usage
        return reply.value


def stance_of(decision: Decision, reader: str) -> Stance:
    """What the gate's decision on a model's word is worth as a stance; what is not proved supports nothing."""
    rest = (1.0 - decision.confidence) / 2
    at = list(Verdict).index(decision.verdict)
    return Stance.of([decision.confidence if i == at else rest for i in range(len(Verdict))], reader=reader)


def _verdict_prompt(asked: Sequence[Asked]) -> Prompt:
    data: dict[str, str] = {}
    for n, (claim, passages) in enumerate(asked, start=1):
        data[f"claim_{n}"] = claim[:_LONGEST]
        data |= {f"passage_{n}_{m}": passage.text[:_LONGEST] for m, passage in enumerate(passages, start=1)}
    return load_prompt("evidencegate.verify", "verdicts", values=None, **data)


def _first(keys: Sequence[str]) -> list[int]:
    """Where each content stands first."""
    return sorted({key: i for i, key in reversed(list(enumerate(keys)))}.values())


def _batches(places: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    return (places[start : start + size] for start in range(0, len(places), size))
