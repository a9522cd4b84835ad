"""The one protocol for language models. A model proposes; nothing it says is shown before a gate has passed it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from evidencegate.errors import ModelError
from evidencegate.runs import Usage

S = TypeVar("S", bound=BaseModel)


class ModelUnreachable(ModelError):
    """The model's server cannot be reached, is overloaded, or took too long."""


class ModelRefused(ModelError):
    """The server refused the credentials, or the model refused the task."""


class BadReply(ModelError):
    """The reply is not what the schema asks for; `raw` holds it for the trace."""

    def __init__(self, message: str, raw: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.raw = raw
        self.usage = usage or Usage(requests=1)
        """What it has cost all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a model is asked: our instructions, and text from outside, kept apart (rule 13)."""

    name: str
    """The prompt file; part of the key under which a reply is kept."""
    instructions: str
    data: tuple[tuple[str, str], ...] = ()
    """Labelled text from outside: questions, abstracts, drafts. Never instructions."""

    def user_text(self) -> str:
        """The data, each piece fenced by tags that its own text cannot close."""
        return "\n\n".join(f"<{label}>\n{_defused(text)}\n</{label}>" for label, text in self.data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Generic[S]):
    """An answer in the schema it was asked in, with its cost."""

    value: S
    usage: Usage
    raw: str


class LanguageModel(Protocol):
    """A language model: text in, a typed value out."""

    @property
    def name(self) -> str:
        """`provider:model`, or `scripted:…`."""
        ...

    async def complete(self, prompt: Prompt, schema: type[S]) -> Reply[S]:
        """Answer in `schema`.

        Raises:
            ModelUnreachable: no answer came.
            ModelRefused: credentials or content were refused.
            BadReply: an answer came that is not in the schema.
        """
        ...


def load_prompt(package: str, name: str, *, values: Mapping[str, str] | None = None, **data: str) -> Prompt:
    """The prompt file `prompts/<name>.md` of `package`, with our own `values` filled in and `data` beside it."""
    text = _read(package, name)
    for key, value in (values or {}).items():
        text = text.replace("{{" + key + "}}", value)
    return Prompt(name=f"{package}/{name}", instructions=text, data=tuple(data.items()))


@cache
def _read(package: str, name: str) -> str:
    return resources.files(package).joinpath(f"prompts/{name}.md").read_text("utf-8")


def _defused(text: str) -> str:
    """Text that cannot end the fence it stands in."""
    return text.replace("</", "<\u200b/")
