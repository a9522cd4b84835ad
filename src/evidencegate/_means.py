"""What an answer and a report are alike made with: everything their run may ask, opened for it."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypedDict

from evidencegate._in_replay import Mute
from evidencegate._places import places
from evidencegate._taking_up import closing, kept_step

if TYPE_CHECKING:
    from evidencegate._asking import Asked
    from evidencegate.evidence import Packs
    from evidencegate.library import Library
    from evidencegate.models.language import LanguageModel
    from evidencegate.question import Edits
    from evidencegate.report import Audience, Engine, Outside
    from evidencegate.runs import Run
    from evidencegate.sources import Source

__all__ = ["Means", "means", "model_of", "packs_of"]


class Means(TypedDict):
    """What `evidencegate.report.ask` and `write_report` both take, by the names they take it under."""

    sources: "Sequence[Source]"
    not_asked: Mapping[str, str]
    packs: "Packs"
    run: "Run"
    engine: "Engine"
    audience: "Audience"
    outside: "Outside | None"
    model: "LanguageModel | None"
    edits: "Edits | None"
    full_text: bool


@asynccontextmanager
async def means(
    run: "Run", asked: "Asked", libraries: "Sequence[str | Path | Library] | None", model: "LanguageModel | None"
) -> AsyncIterator[Means]:
    """What `asked` is worked on with in `run`, which is closed where that does not come to its end.

    `libraries` and `model` are those of `asked`, already open. A replay opens nothing and asks nobody.
    """
    from evidencegate.report import Audience, Engine
    from evidencegate.runs import Mode

    with closing(run):
        async with places(run, asked, libraries) as (searched, outside, not_asked):
            yield Means(
                sources=searched,
                not_asked=not_asked,
                packs=await packs_of(run, asked.packs),
                run=run,
                engine=Engine.local(),
                audience=Audience(asked.audience),
                outside=outside,
                model=model
                or model_of(asked.model, asked.base_url, offline=asked.offline, replay=run.mode is Mode.REPLAY),
                edits=asked.edits,
                full_text=asked.full_text,
            )


def model_of(
    model: "str | LanguageModel | None", base_url: str | None, *, offline: bool = False, replay: bool = False
) -> "LanguageModel | None":
    """The model of that name, or the one that is given; in a replay only its name: the ledger has its replies.

    Raises:
        UserError: there is no such model, or none that may be asked `offline`; the message says what to do.
    """
    from evidencegate.models.language import named

    if model is None or isinstance(model, str):
        return Mute(model) if replay and model is not None else named(model, base_url=base_url, offline=offline)
    return model


async def packs_of(run: "Run", directory: str | None) -> "Packs":
    """The anchor packs; those of the user as they were when the run began, wherever they are now."""
    from evidencegate.evidence import load_packs

    if directory is None:
        return load_packs(None)

    async def read() -> dict[str, str]:
        load_packs(Path(directory))  # says what is wrong with them, where they lie
        return _texts(Path(directory))

    return _loaded(await kept_step(run, "packs", [directory], read))


def _texts(directory: Path) -> dict[str, str]:
    return {p.name: p.read_text("utf-8") for p in directory.iterdir() if p.suffix in (".yaml", ".yml")}


def _loaded(texts: Mapping[str, str]) -> "Packs":
    from evidencegate.evidence import load_packs

    with TemporaryDirectory(prefix="evidencegate-packs-") as folder:
        for name, text in texts.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        return load_packs(Path(folder))
