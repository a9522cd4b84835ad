"""A model that does what a script says: for tests and demonstrations, without network and always the same.

It can obey, and it can lie, stall, refuse, truncate or break its JSON, on order or by turns. By name it is
`scripted:obey`, `scripted:invent_citations,negate` and so on: the behaviours of its turns, the last one repeated.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from evidencegate.errors import UnknownName
from evidencegate.models.language._author import author
from evidencegate.models.language._lies import Behaviour, bent
from evidencegate.models.language._types import BadReply, ModelRefused, ModelUnreachable, Prompt, Reply, S
from evidencegate.runs import Usage

__all__ = ["Behaviour", "Scripted", "script"]


Answerer = Callable[[Prompt, type[Any]], Any]


@dataclass(slots=True)
class Scripted:
    """Answers with what `answer` returns for a prompt, bent by the next of `behaviours` (the last one repeats)."""

    answer: Answerer = author
    behaviours: Sequence[Behaviour] = (Behaviour.OBEY,)
    name: str = "scripted:demo"
    stall_seconds: float = 30.0
    latency: float = 0.0
    """Seconds every answer takes."""
    asked: list[Prompt] = field(default_factory=list)
    """Every prompt it was given, in order."""

    async def complete(self, prompt: Prompt, schema: type[S]) -> Reply[S]:
        """See `LanguageModel.complete`."""
        behaviour = self.behaviours[min(len(self.asked), len(self.behaviours) - 1)]
        self.asked.append(prompt)
        if self.latency:
            await asyncio.sleep(self.latency)
        if behaviour is Behaviour.REFUSE:
            raise ModelRefused("the model refused")
        if behaviour is Behaviour.UNREACHABLE:
            raise ModelUnreachable("the model cannot be reached")
        if behaviour is Behaviour.STALL:
            await asyncio.sleep(self.stall_seconds)
            raise ModelUnreachable(f"no answer within {self.stall_seconds:g} s")
        answer = self.answer(prompt, schema)
        answer = bent(answer, behaviour, prompt)
        raw = json.dumps(answer, ensure_ascii=False)
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


def script(names: str) -> Scripted:
    """The model `scripted:NAMES`: behaviours with commas between them, one for each turn.

    Raises:
        UnknownName: there is no such behaviour; the message lists them.
    """
    known = {behaviour.value: behaviour for behaviour in Behaviour}
    chosen = [name.strip() for name in names.split(",") if name.strip()] or ["obey"]
    for name in chosen:
        if name not in known:
            raise UnknownName(f"the scripted model has no behaviour {name!r}; it knows: {', '.join(known)}")
    return Scripted(behaviours=tuple(known[name] for name in chosen), name=f"scripted:{','.join(chosen)}")
