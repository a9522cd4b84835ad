"""A model that does what a script says: for tests and demonstrations, without network and always the same.

It can obey, and it can lie, stall, refuse, truncate or break its JSON, on order or by turns.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import ValidationError

from evidencegate.models.language._types import BadReply, ModelRefused, ModelUnreachable, Prompt, Reply, S
from evidencegate.runs import Usage

__all__ = ["Behaviour", "Scripted"]


class Behaviour(StrEnum):
    """What the model does with the answer the script has for it."""

    OBEY = "obey"
    BREAK_JSON = "break_json"
    TRUNCATE = "truncate"
    WRONG_SCHEMA = "wrong_schema"
    REFUSE = "refuse"
    STALL = "stall"
    UNREACHABLE = "unreachable"


Answerer = Callable[[Prompt, type[Any]], Any]


@dataclass(slots=True)
class Scripted:
    """Answers with what `answer` returns for a prompt, bent by the next of `behaviours` (the last one repeats)."""

    answer: Answerer
    behaviours: Sequence[Behaviour] = (Behaviour.OBEY,)
    name: str = "scripted:demo"
    stall_seconds: float = 30.0
    asked: list[Prompt] = field(default_factory=list)
    """Every prompt it was given, in order."""

    async def complete(self, prompt: Prompt, schema: type[S]) -> Reply[S]:
        """See `LanguageModel.complete`."""
        behaviour = self.behaviours[min(len(self.asked), len(self.behaviours) - 1)]
        self.asked.append(prompt)
        if behaviour is Behaviour.REFUSE:
            raise ModelRefused("the model refused")
        if behaviour is Behaviour.UNREACHABLE:
            raise ModelUnreachable("the model cannot be reached")
        if behaviour is Behaviour.STALL:
            await asyncio.sleep(self.stall_seconds)
            raise ModelUnreachable(f"no answer within {self.stall_seconds:g} s")
        raw = json.dumps(self.answer(prompt, schema), ensure_ascii=False)
        if behaviour is Behaviour.BREAK_JSON:
            raw = raw[:-1] + ",,}"
        elif behaviour is Behaviour.TRUNCATE:
            raw = raw[: len(raw) // 2]
        elif behaviour is Behaviour.WRONG_SCHEMA:
            raw = json.dumps({"unexpected": raw})
        try:
            value = schema.model_validate_json(raw)
        except ValidationError as error:
            raise BadReply(f"not the schema {schema.__name__}: {error.error_count()} errors", raw) from error
        words = len(prompt.instructions.split()) + len(prompt.user_text().split())
        return Reply(value=value, usage=Usage(requests=1, input_tokens=words, output_tokens=len(raw.split())), raw=raw)
