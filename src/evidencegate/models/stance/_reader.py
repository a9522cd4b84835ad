"""The second reader: the same judgement, asked of a language model.

Pairs are sent a few at a time; an answer is kept under the content of its pair, so that no pair is paid twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from pydantic import BaseModel, Field

from evidencegate.models.language import LanguageModel, ask_model, finish, load_prompt
from evidencegate.models.stance._encoder import FOCUS_WORDS
from evidencegate.models.stance._text import blank, clean_claim, focus
from evidencegate.models.stance._types import Label, Reason, ReasonCode, Stance

_PAIRS_PER_PROMPT = 8
# A language model can be shown more of a passage than the encoder.
_WORDS = 4 * FOCUS_WORDS


class _Answer(BaseModel):
    pair: int
    label: Label
    confidence: float = Field(ge=0.0, le=1.0)
    sentence: str = ""


class _Answers(BaseModel):
    answers: list[_Answer]


@dataclass(slots=True)
class LanguageModelReader:
    """A `StanceModel` over any `LanguageModel`. A pair it gives no usable answer for is neutral and says so."""

    model: LanguageModel
    kept: dict[str, Stance] = field(default_factory=dict)
    """Answers by content; hand the same dictionary to another reader to share it."""

    @property
    def name(self) -> str:
        """The language model's name."""
        return self.model.name

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """One stance a pair (claim, passage), in order.

        Raises `ModelError` when the model cannot be reached or refuses.
        """
        return finish(self.judge_async(pairs))

    async def judge_async(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """`judge` for callers that are asynchronous themselves."""
        keys = [self._key(claim, passage) for claim, passage in pairs]
        missing = list({k: pair for k, pair in zip(keys, pairs, strict=True) if k not in self.kept}.items())
        for key, (claim, passage) in missing:
            for code, text in (
                (ReasonCode.EMPTY_CLAIM, clean_claim(claim)),
                (ReasonCode.EMPTY_PASSAGE, blank(passage)),
            ):
                if not any(character.isalnum() for character in text):
                    reason = Reason(code, "holds nothing to read", Label.NEUTRAL)
                    self.kept[key] = Stance(0.0, 0.0, 1.0, None, (reason,), self.name)
        missing = [(key, pair) for key, pair in missing if key not in self.kept]
        for start in range(0, len(missing), _PAIRS_PER_PROMPT):
            await self._ask(missing[start : start + _PAIRS_PER_PROMPT])
        return [self.kept[key] for key in keys]

    def _key(self, claim: str, passage: str) -> str:
        content = f"{self.name}\0{claim}\0{passage}".encode("utf-8", "replace")
        return sha256(content).hexdigest()

    async def _ask(self, items: Sequence[tuple[str, tuple[str, str]]]) -> None:
        data: dict[str, str] = {}
        for number, (_, (claim, passage)) in enumerate(items, start=1):
            cleaned = clean_claim(claim)
            data[f"claim_{number}"] = cleaned
            data[f"passage_{number}"] = focus(cleaned, blank(passage), _WORDS).text
        prompt = load_prompt("evidencegate.models.stance", "stance", values=None, **data)
        reply = await ask_model(self.model, prompt, _Answers)
        given = {answer.pair: answer for answer in reply.value.answers}
        for number, (key, (_, passage)) in enumerate(items, start=1):
            self.kept[key] = self._stance(given.get(number), passage)

    def _stance(self, answer: _Answer | None, passage: str) -> Stance:
        if answer is None:
            reason = Reason(ReasonCode.READ_BY_LANGUAGE_MODEL, "the model gave no answer for this pair", Label.NEUTRAL)
            return Stance(0.0, 0.0, 1.0, None, (reason,), self.name)
        at = passage.find(answer.sentence) if answer.sentence.strip() else -1
        sentence = (at, at + len(answer.sentence)) if at >= 0 else None
        rest = (1.0 - answer.confidence) / 2
        weights = [answer.confidence if label is answer.label else rest for label in Label]
        reason = Reason(
            ReasonCode.READ_BY_LANGUAGE_MODEL, f"{self.name} reads {answer.label}", answer.label, None, sentence
        )
        return Stance.of(weights, sentence=sentence, reasons=(reason,), reader=self.name)
