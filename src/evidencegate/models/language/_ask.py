"""Asking a model, with one more try for a reply that does not parse."""

from evidencegate.errors import ModelError
from evidencegate.models.language._types import BadReply, LanguageModel, ModelUnreachable, Prompt, Reply, S
from evidencegate.runs import Run, Usage

_TRIES = 2


async def ask_model(model: LanguageModel, prompt: Prompt, schema: type[S], *, run: Run | None = None) -> Reply[S]:
    """The model's answer in `schema`; a reply that does not parse is asked for once more.

    With `run`, a paid answer is kept under the content of the prompt, and the budget is checked first.

    Raises:
        ModelError: no usable answer; the caller goes on with the local engine and says so.
    """
    if run is None:
        return await _persist(model, prompt, schema)

    def load(kept: dict[str, str]) -> Reply[S]:
        return Reply(value=schema.model_validate_json(kept["value"]), usage=Usage(), raw=kept["raw"])

    return await run.step(
        f"model {prompt.name}",
        [model.name, prompt.instructions, prompt.data, schema.__name__],
        lambda: _persist(model, prompt, schema),
        dump=lambda reply: {"value": reply.value.model_dump_json(), "raw": reply.raw},
        load=load,
        cost=lambda reply: reply.usage,
    )


async def _persist(model: LanguageModel, prompt: Prompt, schema: type[S]) -> Reply[S]:
    last: ModelError = ModelUnreachable(f"{model.name} was not asked")
    for _ in range(_TRIES):
        try:
            return await model.complete(prompt, schema)
        except BadReply as error:
            last = error
    raise last
