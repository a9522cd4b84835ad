"""Language models by their name, as a user writes it."""

import ipaddress
from urllib.parse import urlsplit

from evidencegate.errors import InvalidInput
from evidencegate.models.language._types import LanguageModel

LOCAL = "local"
SCRIPTED = "scripted"


def named(name: str | None, *, base_url: str | None = None, offline: bool = False) -> LanguageModel | None:
    """The model of that name; None for `local`, which is none.

    `scripted:…` is the model of tests and demonstrations with the behaviours it lists; anything else is
    `provider:model`, reached over the network (extra `llm`), at `base_url` where it is given. `offline` allows only
    what is served on this machine: what is asked does not leave it.

    Raises:
        InvalidInput: it is not a name, or not on this machine where it has to be.
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
    if offline and not _on_this_machine(base_url):
        raise InvalidInput(
            f"offline nobody is asked over the network, and {name} would be: leave out one of the two, or name a model "
            "on this machine (--model openai:NAME --base-url http://localhost:PORT/v1)"
        )
    from evidencegate.models.language.remote import Remote

    return Remote.named(kind, rest, at=base_url)


def _on_this_machine(base_url: str | None) -> bool:
    try:
        host = urlsplit(base_url or "").hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name, or no address at all
        return False
