"""Language models by their name, as a user writes it."""

from evidencegate.errors import InvalidInput
from evidencegate.models.language._types import LanguageModel

LOCAL = "local"
SCRIPTED = "scripted"


def named(name: str | None, *, base_url: str | None = None) -> LanguageModel | None:
    """The model of that name; None for `local`, which is none.

    `scripted:…` is the model of tests and demonstrations with the behaviours it lists; anything else is
    `provider:model`, reached over the network (extra `llm`), at `base_url` where it is given.

    Raises:
        InvalidInput: it is not a name.
        UnknownName: there is no such provider or behaviour.
        MissingExtra: the extra `llm` is not installed.
    """
    if name is None or name == LOCAL:
        if base_url is not None:
            raise InvalidInput("a base URL needs the model that is served there: --model openai:NAME")
        return None
    kind, _, rest = name.partition(":")
    if kind == SCRIPTED:
        from evidencegate.models.language.scripted import script

        return script(rest)
    if not kind or not rest:
        raise InvalidInput(f"a model is named `provider:model`, for example openai:gpt-5; not {name!r}")
    from evidencegate.models.language.remote import Remote

    return Remote.named(kind, rest, base_url=base_url)
