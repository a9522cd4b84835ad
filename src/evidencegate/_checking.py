"""A check through a run: done, taken up again after a kill, or done again from the ledger alone."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from threading import Event
from typing import TYPE_CHECKING, Any

from evidencegate._means import model_of
from evidencegate._taking_up import closing, finish, kept_step
from evidencegate.documents import Document, Identifiers, Passage, Span
from evidencegate.documents._serial import from_json, to_json
from evidencegate.errors import BudgetExceeded, EvidenceGateError, SourceError, UnknownName

if TYPE_CHECKING:
    from evidencegate.library import Library
    from evidencegate.models.language import LanguageModel, Prompt, Reply, S
    from evidencegate.models.stance import Stance
    from evidencegate.runs import Run
    from evidencegate.verify import Checked

__all__ = ["COMMAND", "Checking", "check_in", "keep_documents"]

COMMAND = "check"
_GIVEN = "documents"
_PARTIAL = "partial: the budget of this run was used up before everything was fetched or asked"
_READ_AT_ONCE = 256
"""Pairs of claim and passage: a second or two."""
_MODEL_SECONDS = 100.0
"""For one answer of a model: less than what `verify` waits, so that what comes of it is always kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checking:
    """What a check depends on, as it is kept with its run. Documents given in full are a step of it."""

    text: str
    against: tuple[str, ...] = ()
    """Identifiers; with no source of any kind the text is checked against what it cites."""
    documents: tuple[Mapping[str, str], ...] = ()
    """Of those given in full: `id`, `title` and the `digest` of the text."""
    libraries: tuple[str, ...] = ()
    offline: bool = False
    model: str | None = None
    base_url: str | None = None

    @classmethod
    def of(
        cls,
        text: str,
        *,
        against: Sequence[str] = (),
        documents: Sequence[Document] = (),
        libraries: Sequence[str] = (),
        offline: bool = False,
        model: str | None = None,
        base_url: str | None = None,
    ) -> "Checking":
        """From what a caller gave.

        Raises:
            UnknownName: something to check against is no identifier.
        """
        for word in against:
            _identifiers(word)
        return cls(
            text=text,
            against=tuple(against),
            documents=tuple(
                {"id": d.id, "title": d.title, "digest": hashlib.sha256(d.text.encode("utf-8", "replace")).hexdigest()}
                for d in documents
            ),
            libraries=tuple(libraries),
            offline=offline,
            model=model,
            base_url=base_url,
        )

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Checking":
        """The inputs that `to_json` wrote."""
        return cls(
            text=kept["text"],
            against=tuple(kept["against"]),
            documents=tuple(kept["documents"]),
            libraries=tuple(kept["libraries"]),
            offline=kept["offline"],
            model=kept.get("model"),
            base_url=kept.get("base_url"),
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "text": self.text,
            "against": list(self.against),
            "documents": [dict(one) for one in self.documents],
            "libraries": list(self.libraries),
            "offline": self.offline,
            "model": self.model,
            "base_url": self.base_url,
        }

    @property
    def own_citations(self) -> bool:
        """Whether nothing was given to check against but the text itself."""
        return not (self.against or self.documents or self.libraries)


async def keep_documents(run: "Run", documents: Iterable[Document]) -> None:
    """Keep the documents that were given in full, so that the run can be taken up and replayed."""

    async def given() -> list[dict[str, Any]]:
        return [to_json(document) for document in documents]

    await kept_step(run, _GIVEN, [], given)


async def check_in(run: "Run", checking: Checking) -> "Checked":
    """Check in `run`, which is new, taken up again, or a replay; close it as it ended.

    Every record that is fetched, every search of a library and every answer of a model is a step of the run: done once,
    read back by a resumed run and a replay.
    """
    from evidencegate.runs import Mode
    from evidencegate.verify import checked_json

    stopped = Event()
    replay = run.mode is Mode.REPLAY
    with closing(run), _stopping(stopped):
        model = model_of(checking.model, checking.base_url, offline=checking.offline, replay=replay)
        given = await kept_step(run, _GIVEN, [], _nothing)
        async with _fetcher(run, offline=checking.offline) as fetch:
            inside = _Inside(run, asyncio.get_running_loop(), stopped, fetch)
            sources = [
                *map(from_json, given),
                *map(_identifiers, checking.against),
                *(_Shelf(place, inside) for place in checking.libraries),
            ]
            run.event("check", "reading claims and their sources")
            against = None if checking.own_citations else sources
            checked = await asyncio.to_thread(_check, checking.text, against, inside, model)

    async def measured() -> dict[str, float]:
        return dict(checked.usage)

    # A step, for the seconds of it are shown, and a replay shows the same.
    checked = replace(checked, usage=await kept_step(run, "usage", [], measured))
    counts = ", ".join(f"{n} {verdict}" for verdict, n in _counted(checked).items())
    run.event("checked", f"{len(checked.claims)} claims: {counts}" if counts else "no claims")
    if run.short:
        checked = replace(checked, warnings=(_PARTIAL, *checked.warnings))
    finish(run, checked_json(checked))
    return checked


@contextmanager
def _stopping(stopped: Event) -> "Iterator[None]":
    """Tells the thread that checks to stop where the run is interrupted."""
    try:
        yield
    except (asyncio.CancelledError, KeyboardInterrupt):
        stopped.set()
        raise


def _check(text: str, against: Sequence[Any] | None, inside: "_Inside", model: "LanguageModel | None") -> "Checked":
    from evidencegate import verify

    asked = None if model is None else _Kept(model, inside)
    return verify.check(text, against, resolve=inside.resolve, reader=inside.read, model=asked)


def _identifiers(word: str) -> Identifiers:
    from evidencegate.verify import identifiers

    found = Identifiers() if "://" in word else identifiers(word)
    if not found:
        raise UnknownName(
            f"{word!r} is not a PMID, PMCID, DOI or NCT number. Addresses are not fetched: give the number, or the "
            "text itself"
        )
    return found


def _counted(checked: "Checked") -> dict[str, int]:
    counts: dict[str, int] = {}
    for claim in checked.claims:
        counts[str(claim.verdict)] = counts.get(str(claim.verdict), 0) + 1
    return counts


class _Stopped(Exception):
    """Nobody waits for this check any more."""


_Fetch = Callable[[Identifiers], Any]


@dataclass(frozen=True, slots=True)
class _Inside:
    """What the thread of a check reaches outside through: the steps of its run, in the loop of the run."""

    run: "Run"
    loop: asyncio.AbstractEventLoop
    stopped: Event
    fetch: _Fetch

    def step(
        self, name: str, inputs: Any, compute: Callable[[], Any], *, unpaid: Callable[[BudgetExceeded], Any] | None
    ) -> Any:
        """The JSON value of a step, waited for; one without `unpaid` needs no budget."""
        self.go_on()
        step = kept_step(self.run, name, inputs, compute, unpaid=unpaid)
        return asyncio.run_coroutine_threadsafe(step, self.loop).result()

    def go_on(self) -> None:
        """Leave where the run was cancelled."""
        if self.stopped.is_set():
            raise _Stopped

    def resolve(self, wanted: Identifiers) -> Document | None:
        """The record behind identifiers; None where nobody has it.

        Raises:
            SourceError: nobody who was asked could answer.
        """

        async def fetched() -> dict[str, Any]:
            self.run.event("fetch", f"fetching {wanted.keys()[0]}")
            return await self.fetch(wanted)  # type: ignore[no-any-return]

        kept = self.step("record", list(wanted.keys()), fetched, unpaid=_not_fetched)
        if kept["reason"] is not None:
            raise SourceError(kept["reason"])
        return None if kept["document"] is None else from_json(kept["document"])

    def read(self, pairs: Sequence[tuple[str, str]]) -> "Sequence[Stance]":
        """Stances by the default reader, some at a time, so that a long reading can be left."""
        from evidencegate.verify import default_reader

        read = default_reader()
        stances: list[Stance] = []
        for start in range(0, len(pairs), _READ_AT_ONCE):
            self.go_on()
            stances.extend(read(pairs[start : start + _READ_AT_ONCE]))
        return stances


@dataclass(frozen=True, slots=True)
class _Kept:
    """A model whose answers are steps, those that could not be used as well."""

    model: "LanguageModel"
    inside: _Inside

    @property
    def name(self) -> str:
        return self.model.name

    async def complete(self, prompt: "Prompt", schema: "type[S]") -> "Reply[S]":
        from evidencegate.models.language import ask_model

        self.inside.go_on()
        asked = ask_model(self.model, prompt, schema, run=self.inside.run, seconds=_MODEL_SECONDS)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(asked, self.inside.loop))


@dataclass(frozen=True, slots=True)
class _Found:
    passage: Passage


@dataclass(slots=True)
class _Shelf:
    """A library whose searches are steps; opened when the first one is done."""

    place: str
    inside: _Inside
    _library: "Library | None" = None

    def search(self, query: str, *, limit: int = 10) -> Sequence[_Found]:
        """Hits with their passages, best first."""

        async def searched() -> list[dict[str, Any]]:
            return await asyncio.to_thread(self._search, query, limit)

        kept = self.inside.step("library", [self.place, query, limit], searched, unpaid=None)
        return [
            _Found(Passage(from_json(hit["document"]), tuple(Span(start, end) for start, end in hit["sentences"])))
            for hit in kept
        ]

    def _search(self, query: str, limit: int) -> list[dict[str, Any]]:
        from evidencegate.library import Library

        if self._library is None:
            self._library = Library(self.place, create=False)
        return [
            {
                "document": to_json(hit.passage.document),
                "sentences": [[span.start, span.end] for span in hit.passage.sentences],
            }
            for hit in self._library.search(query, limit=limit)
            if hit.passage is not None
        ]


@asynccontextmanager
async def _fetcher(run: "Run", *, offline: bool) -> AsyncIterator[_Fetch]:
    """How a record is fetched for `run`: `{document, reason}` as JSON. A replay fetches nothing."""
    from evidencegate.runs import Mode as RunMode

    if run.mode is RunMode.REPLAY:
        yield _unknown
        return
    from evidencegate.sources import Client, Mode, Status, fetch

    async with Client(mode=Mode.OFFLINE if offline else Mode.NORMAL) as client:
        run.sent = lambda: client.traffic.requests

        async def fetched(wanted: Identifiers) -> dict[str, Any]:
            try:
                got = await fetch(wanted, client)
            except EvidenceGateError as error:
                return {"document": None, "reason": str(error)}
            if isinstance(got, Document):
                return {"document": to_json(got), "reason": None}
            return {"document": None, "reason": None if got.status is Status.EMPTY else got.reason}

        yield fetched


def _not_fetched(error: BudgetExceeded) -> dict[str, Any]:
    return {"document": None, "reason": str(error)}


async def _unknown(wanted: Identifiers) -> dict[str, Any]:
    raise AssertionError(f"a replay asked for {wanted.keys()[0]}")


async def _nothing() -> list[dict[str, Any]]:
    return []
