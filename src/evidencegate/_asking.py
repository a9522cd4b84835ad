"""A question through a run: asked, taken up again after a kill, or done again from the ledger alone."""

import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from evidencegate import aio
from evidencegate._taking_up import closing
from evidencegate.errors import ModelError

if TYPE_CHECKING:
    from evidencegate.documents import Document
    from evidencegate.evidence import Packs
    from evidencegate.library import Library
    from evidencegate.models.language import LanguageModel, Prompt, Reply
    from evidencegate.models.language._types import S
    from evidencegate.question import Edits, Question, SubQuery
    from evidencegate.report import Answer, Outside
    from evidencegate.runs import Run
    from evidencegate.sources import NoticeCheck, Picture, SearchResult, Source, Unavailable

__all__ = [
    "COMMAND",
    "Asked",
    "answer_in",
    "model_of",
    "places",
]

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
        libraries: "Sequence[str | Path | Library]",
        sources: Sequence[str] | None,
        offline: bool,
        fresh: bool,
        audience: str,
        packs: Path | None,
        model: str | None = None,
        base_url: str | None = None,
        edits: "Edits | None" = None,
        full_text: bool = False,
    ) -> Self:
        """From what a caller gave; places become absolute, so that the run can be taken up from anywhere."""
        return cls(
            question=question,
            libraries=tuple(_absolute(str(getattr(library, "path", library))) for library in libraries),
            sources=None if sources is None else tuple(sources),
            offline=offline,
            fresh=fresh,
            audience=str(audience),
            packs=None if packs is None else _absolute(str(packs)),
            model=model,
            base_url=base_url,
            edits=edits,
            full_text=full_text,
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
    from evidencegate.report import Audience, Engine, answer_json, ask
    from evidencegate.runs import Mode, RunStatus

    with closing(run):
        async with places(run, asked, libraries) as (searched, outside, not_asked):
            answer = await ask(
                asked.question,
                sources=searched,
                not_asked=not_asked,
                packs=await _packs(run, asked.packs),
                run=run,
                engine=Engine.local(),
                audience=Audience(asked.audience),
                outside=outside,
                model=model or model_of(asked.model, asked.base_url, replay=run.mode is Mode.REPLAY),
                edits=asked.edits,
                full_text=asked.full_text,
            )
    run.finish(answer_json(answer), RunStatus.PARTIAL if run.short else RunStatus.DONE)
    return answer


@asynccontextmanager
async def places(
    run: "Run", asked: Asked, libraries: "Sequence[str | Path | Library] | None"
) -> "AsyncIterator[tuple[tuple[Source, ...], Outside | None, Mapping[str, str]]]":
    """What `run` searches and what else it may ask, open; and why others are not asked.

    `libraries` are those of `asked`, already open. A replay opens nothing and asks nobody.
    """
    from evidencegate.runs import Mode

    names, not_asked = aio._plan(bool(asked.libraries), asked.sources, asked.offline)
    given = libraries if libraries is not None else asked.libraries
    async with _remembered(run) if run.mode is Mode.REPLAY else _open(given, names, run, asked) as (searched, outside):
        yield searched, outside, not_asked


async def _packs(run: "Run", directory: str | None) -> "Packs":
    """The anchor packs; those of the user as they were when the run began, wherever they are now."""
    from evidencegate.evidence import load_packs

    if directory is None:
        return load_packs(None)

    async def read() -> dict[str, Any]:
        load_packs(Path(directory))  # says what is wrong with them, where they lie
        return _pack_files(Path(directory))

    texts = await run.step("packs", [directory], read, dump=_same, load=_same, free=True)
    return _packs_of(texts)


def _pack_files(directory: Path) -> dict[str, str]:
    return {p.name: p.read_text("utf-8") for p in directory.iterdir() if p.suffix in (".yaml", ".yml")}


def _packs_of(texts: Mapping[str, str]) -> "Packs":
    from evidencegate.evidence import load_packs

    with TemporaryDirectory(prefix="evidencegate-packs-") as folder:
        for name, text in texts.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        return load_packs(Path(folder))


def _same(value: dict[str, Any]) -> dict[str, Any]:
    return value


@asynccontextmanager
async def _open(
    libraries: "Sequence[str | Path | Library]", names: Sequence[str], run: "Run", asked: Asked
) -> "AsyncIterator[tuple[tuple[Source, ...], Outside | None]]":
    """The libraries and live sources, open, and their names kept."""
    async with aio._sources(libraries, names, offline=asked.offline, fresh=asked.fresh) as (
        searched,
        outside,
    ):
        await _keep_names(run, searched, outside)
        yield searched, outside


async def _keep_names(run: "Run", sources: "Sequence[Source]", outside: "Outside | None") -> None:
    """Keep who is asked, so that a replay need not open anybody to know their names."""

    async def names() -> dict[str, Any]:
        return {
            "sources": [source.name for source in sources],
            "fallback": None if outside is None else outside.fallback.name,
        }

    await run.step("sources", [], names, dump=_same, load=_same, free=True)


@asynccontextmanager
async def _remembered(run: "Run") -> "AsyncIterator[tuple[tuple[Source, ...], Outside | None]]":
    """Those a run asked, by name alone."""

    async def unknown() -> dict[str, Any]:
        raise AssertionError("a replay computes no step")

    kept = await run.step("sources", [], unknown, dump=_same, load=_same, free=True)
    fallback = kept["fallback"]
    yield tuple(map(_Absent, kept["sources"])), None if fallback is None else _Nobody(_Absent(fallback))


@dataclass(frozen=True, slots=True)
class _Absent:
    """A source that a replay knows the name of. Its searches are in the ledger, or nowhere."""

    name: str

    async def search(self, sub_query: "SubQuery", question: "Question", *, limit: int) -> "SearchResult":
        raise AssertionError(f"a replay asked {self.name}")


@dataclass(frozen=True, slots=True)
class _Nobody:
    """What a replay has in place of the outside."""

    fallback: _Absent

    async def notices(self, documents: "Sequence[Document]") -> "NoticeCheck":
        raise AssertionError("a replay asked for notices")

    async def pictures(self, query: str) -> "tuple[Picture, ...]":
        raise AssertionError("a replay asked for pictures")

    async def full_text(self, document: "Document") -> "Document | Unavailable":
        raise AssertionError("a replay asked for a full text")


def model_of(name: str | None, base_url: str | None, *, replay: bool) -> "LanguageModel | None":
    """The model of a run; in a replay only its name, under which the ledger has its replies.

    Raises:
        UserError: there is no such model; the message says what to do.
    """
    from evidencegate.models.language import named

    if name is None or not replay:
        return named(name, base_url=base_url)
    return _Mute(name)


@dataclass(frozen=True, slots=True)
class _Mute:
    """A model that a replay knows the name of. Its replies are in the ledger, or nowhere."""

    name: str

    async def complete(self, prompt: "Prompt", schema: "type[S]") -> "Reply[S]":
        raise ModelError(f"a replay asked {self.name}")
