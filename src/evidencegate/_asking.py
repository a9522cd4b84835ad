"""A question through a run: asked, taken up again after a kill, or done again from the ledger alone."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from evidencegate._means import means
from evidencegate._taking_up import finish

if TYPE_CHECKING:
    from evidencegate.library import Library
    from evidencegate.models.language import LanguageModel
    from evidencegate.question import Edits
    from evidencegate.report import Answer, Audience
    from evidencegate.runs import Run

__all__ = ["COMMAND", "Asked", "answer_in"]

COMMAND = "ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What an answer depends on, as it is kept with its run."""

    question: str
    libraries: tuple[str, ...] = ()
    sources: tuple[str, ...] | None = None
    offline: bool = False
    fresh: bool = False
    audience: str = "professional"
    packs: str | None = None
    model: str | None = None
    base_url: str | None = None
    edits: "Edits | None" = None
    """What the asker changed of how the question was understood."""
    full_text: bool = False
    """Whether open articles are read as a whole."""

    @classmethod
    def of(
        cls,
        question: str,
        *,
        libraries: "Sequence[str | Path | Library]" = (),
        sources: Sequence[str] | None = None,
        offline: bool = False,
        fresh: bool = False,
        audience: "str | Audience" = "professional",
        packs: Path | None = None,
        model: "str | LanguageModel | None" = None,
        base_url: str | None = None,
        edits: "Edits | None" = None,
        full_text: bool | None = False,
    ) -> Self:
        """From what a caller gave; places become absolute, so that the run can be taken up from anywhere.

        A `full_text` of None is as the settings have it. One library or source may stand for a list of one.

        Raises:
            UnknownName: there is no such source.
            InvalidInput: there is no such audience.
        """
        from evidencegate._places import each
        from evidencegate.errors import InvalidInput
        from evidencegate.report import Audience
        from evidencegate.settings import load

        if str(audience) not in list(Audience):
            raise InvalidInput(f"There is no audience {str(audience)!r}: it is one of {', '.join(Audience)}.")

        return cls(
            question=question,
            libraries=tuple(_absolute(str(getattr(library, "path", library))) for library in each(libraries)),
            sources=None if sources is None else _named(sources),
            offline=offline,
            fresh=fresh,
            audience=str(audience),
            packs=None if packs is None else _absolute(str(packs)),
            model=model if model is None or isinstance(model, str) else model.name,
            base_url=base_url,
            edits=edits,
            full_text=load().full_text if full_text is None else full_text,
        )

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Self:
        """The inputs that `to_json` wrote."""
        from evidencegate.question import Edits

        sources = kept["sources"]
        return cls(
            question=kept["question"],
            libraries=tuple(kept["libraries"]),
            sources=None if sources is None else tuple(sources),
            offline=kept["offline"],
            fresh=kept.get("fresh", False),
            audience=kept["audience"],
            packs=kept["packs"],
            model=kept.get("model"),
            base_url=kept.get("base_url"),
            edits=Edits.from_json(kept.get("edits")),
            full_text=kept.get("full_text", False),
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "question": self.question,
            "libraries": list(self.libraries),
            "sources": None if self.sources is None else list(self.sources),
            "offline": self.offline,
            "fresh": self.fresh,
            "audience": self.audience,
            "packs": self.packs,
            "model": self.model,
            "base_url": self.base_url,
            "edits": None if self.edits is None else self.edits.to_json(),
            "full_text": self.full_text,
        }


def _named(sources: Sequence[str]) -> tuple[str, ...]:
    from evidencegate.sources import source_name

    return tuple(dict.fromkeys(map(source_name, [sources] if isinstance(sources, str) else sources)))


def _absolute(place: str) -> str:
    return place if "://" in place else os.path.abspath(place)  # noqa: PTH100  (`Path` would fold a URI's slashes)


async def answer_in(
    run: "Run",
    asked: Asked,
    libraries: "Sequence[str | Path | Library] | None" = None,
    model: "LanguageModel | None" = None,
) -> "Answer":
    """Answer in `run`, which is new, taken up again, or a replay; close it as it ended.

    `libraries` and `model` are those of `asked`, already open. A replay opens nothing and asks nobody.
    """
    from evidencegate.report import answer_json, ask

    async with means(run, asked, libraries, model) as given:
        answer = await ask(asked.question, **given)
    finish(run, answer_json(answer))
    return answer
