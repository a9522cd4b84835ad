"""Asking a model, with one more try for a reply that does not parse, within its time and budget."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Generic

from evidencegate.errors import BudgetExceeded, ModelError
from evidencegate.models.language._types import (
    BadReply,
    LanguageModel,
    ModelRefused,
    ModelUnreachable,
    Prompt,
    Reply,
    S,
)
from evidencegate.runs import Run, Usage

_TRIES = 2


async def ask_model(
    model: LanguageModel, prompt: Prompt, schema: type[S], *, run: Run | None = None, seconds: float | None = None
) -> Reply[S]:
    """The model's answer in `schema`; a reply that does not parse is asked for once more.

    With `run`, what came of it is kept under the content of the prompt, a failure too, so that a run that is taken
    up again or replayed goes the same way; and the budget is checked first. `seconds` is for all tries together.

    Raises:
        ModelError: no usable answer; the caller goes on with the local engine and says so.
        BudgetExceeded: nothing is left of the run's budget.
    """
    if run is None:
        return (await _persist(model, prompt, schema, seconds)).reply()

    def load(kept: dict[str, Any]) -> _Outcome[S]:
        if "failed" in kept:
            return _Outcome(error=_error(kept["failed"], kept["message"], kept["raw"]))
        return _Outcome(Reply(value=schema.model_validate_json(kept["value"]), usage=Usage(), raw=kept["raw"]))

    outcome = await run.step(
        f"model {prompt.name}",
        [model.name, prompt.instructions, prompt.data, schema.__name__],
        lambda: _persist(model, prompt, schema, seconds),
        dump=_dump,
        load=load,
        cost=lambda done: done.usage,
        unpaid=lambda error: _Outcome(error=error),
    )
    return outcome.reply()


@dataclass(frozen=True, slots=True)
class _Outcome(Generic[S]):
    """A reply, or why there is none; and what either has cost."""

    answer: Reply[S] | None = None
    error: ModelError | BudgetExceeded | None = None
    usage: Usage = field(default_factory=Usage)

    def reply(self) -> Reply[S]:
        if self.answer is None:
            raise self.error or ModelUnreachable("no answer")
        return self.answer


async def _persist(model: LanguageModel, prompt: Prompt, schema: type[S], seconds: float | None) -> _Outcome[S]:
    spent = Usage()
    last: ModelError = ModelUnreachable(f"{model.name} was not asked")
    try:
        async with asyncio.timeout(seconds):
            for _ in range(_TRIES):
                try:
                    reply = await model.complete(prompt, schema)
                except BadReply as error:
                    last, spent = error, spent + error.usage
                else:
                    return _Outcome(reply, usage=spent + reply.usage)
    except TimeoutError:
        last, spent = ModelUnreachable(f"{model.name} did not answer in time ({seconds} s)"), spent + Usage(requests=1)
    except ModelError as error:
        last, spent = error, spent + Usage(requests=1)
    return _Outcome(error=last, usage=spent)


_KINDS: dict[str, type[ModelError | BudgetExceeded]] = {
    kind.__name__: kind for kind in (ModelUnreachable, ModelRefused, BudgetExceeded)
}


def _dump(outcome: _Outcome[S]) -> dict[str, Any]:
    if outcome.answer is not None:
        return {"value": outcome.answer.value.model_dump_json(), "raw": outcome.answer.raw}
    error = outcome.error
    return {"failed": type(error).__name__, "message": str(error), "raw": getattr(error, "raw", "")}


def _error(kind: str, message: str, raw: str) -> ModelError | BudgetExceeded:
    return BadReply(message, raw) if kind == BadReply.__name__ else _KINDS.get(kind, ModelError)(message)
