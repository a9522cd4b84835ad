"""Jobs: runs that somebody asked this server for. So many at once; the others wait, and are told their place."""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from evidencegate.errors import InvalidInput
from evidencegate.runs import Event, Ledger, Limits, Run, RunStatus
from evidencegate.web._bells import Bells
from evidencegate.web._doing import do, shown
from evidencegate.web._job import Job, KeyReused, Kind, NotFinished, NotFound, QueueFull
from evidencegate.web._killed import lost
from evidencegate.web._owners import Owned, Owners
from evidencegate.web._requests import digest, prepared, validated
from evidencegate.web._settings import WebSettings
from evidencegate.web._state import LedgerLock, StateLock
from evidencegate.web._worker import Worker

if TYPE_CHECKING:
    from evidencegate.documents import Document

__all__ = ["Job", "Jobs", "KeyReused", "Kind", "NotFinished", "NotFound", "QueueFull"]

_log = logging.getLogger(__name__)

_MOST_MADE = 4
"""Results that are kept for another export; each holds its documents."""

_CANCEL_SECONDS = 10.0
_LONGEST_KEY = 255


class Jobs:
    """The jobs of one server. Open it once (`with jobs:`); every call is safe from any loop and thread."""

    def __init__(self, settings: WebSettings) -> None:
        self.settings = settings
        self.ledger = Ledger(settings.ledger_url())
        self._owners = Owners(self.ledger)
        self._bells = Bells()
        self._worker = Worker(self._work, settle=self._settle, ended=self._ended, most=settings.max_jobs)
        self._entering = threading.Lock()
        self._state = StateLock(settings.directory)
        self._alone = LedgerLock(self.ledger.engine)
        self._made: dict[tuple[str, str | None], Any] = {}
        self._hung_up = False
        self.patience: float | None = None
        """Seconds that a job which computes is waited for when the server stops; as long as it takes where None."""

    def take(self) -> None:
        """Take the state directory and the ledger, if they are not taken yet.

        Raises:
            InvalidInput: another server works in it, or on it.
        """
        self._state.take()
        try:
            self._alone.take()
        except InvalidInput:
            self._state.release()
            raise

    def __enter__(self) -> "Jobs":
        """Take state directory and ledger, find what an earlier server left, and begin to work.

        Raises:
            InvalidInput: as `take`.
        """
        self.take()
        self._hung_up = False
        self._recover()
        self._worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop what works, as a cancellation does; let go of everything."""
        self.hang_up()
        for run in self._worker.stop(self.patience):
            self._end_early(run, "the server stopped")
        self._alone.release()
        self._state.release()
        self.ledger.close()

    def hang_up(self) -> None:
        """Let go of everybody who follows a run, as the server is about to stop; they may call again."""
        self._hung_up = True
        self._bells.ring_all()

    async def submit(
        self,
        kind: Kind,
        inputs: Mapping[str, Any],
        *,
        owner: str,
        key: str | None = None,
        documents: "Sequence[Document]" = (),
    ) -> Job:
        """Ask for a run. `documents`: sources of a check that were read from files of the user.

        The same `key` with the same request gives the same job again.

        Raises:
            InvalidInput: the inputs cannot be worked on; the message says what to do.
            UnknownName: there is no such library, source or model.
            KeyReused: the key stands for another request.
            QueueFull: too many jobs wait.
        """
        return await asyncio.to_thread(self._submit, Kind(kind), inputs, owner, key, tuple(documents))

    async def cancel(self, run: str, *, owner: str) -> Job:
        """Stop a job: its run ends as interrupted, and keeps every step it has done. One that has ended stays so.

        Raises:
            NotFound: there is no such run of this owner.
        """
        await asyncio.to_thread(self._owned, run, owner)
        if self._worker.withdraw(run):
            await asyncio.to_thread(self._end_early, run, "cancelled while it waited")
            self._bells.ring(run)
        elif self._worker.cancel(run):
            async with self._bells.listen(run) as bell:
                deadline = asyncio.get_running_loop().time() + _CANCEL_SECONDS
                while self._worker.knows(run) and await bell.heard(deadline):
                    continue
        return await asyncio.to_thread(self.get, run, owner=owner)

    async def resume(
        self, run: str, *, owner: str, max_seconds: float | None = None, max_money: float | None = None
    ) -> Job:
        """Take up a run that ended early; what it has done is not done again. One at work, or done, stays as it is.

        Its limits hold as they were kept with it, or as they are given here (`Limits.taken_up`).

        Raises:
            NotFound: there is no such run of this owner.
            InvalidInput: its money is used up, and no more was given.
            QueueFull: too many jobs wait.
        """
        given = Limits(max_seconds=max_seconds, max_money=max_money)
        return await asyncio.to_thread(self._resume, run, owner, given)

    def limits(self, run: str, *, owner: str) -> Limits:
        """What a run may take.

        Raises:
            NotFound: there is no such run, or it is another owner's.
        """
        return Limits.of(self.ledger, self._owned(run, owner).run)

    async def replay(self, run: str, *, owner: str) -> Mapping[str, Any]:
        """What a run showed, made again from its ledger alone, as the `--json` object.

        Raises:
            NotFound: there is no such run of this owner.
            NotFinished: it is still at work.
            InvalidInput: it has shown nothing yet.
            EvidenceGateError: what comes out is not what was shown.
        """
        job = await asyncio.to_thread(self.get, run, owner=owner)
        if job.live:
            raise NotFinished(f"run {run} is still {job.state}; wait until it has ended")
        await asyncio.to_thread(self._replayed, run)
        return job.info.result or {}

    async def remade(self, run: str, *, owner: str) -> Any:
        """The `Answer`, `Report`, `CounterReport` or `Checked` of a run, made again from its ledger: for exports.

        The last ones are kept, as who takes one format of a run away often takes another.

        Raises: as `replay`.
        """
        job = await asyncio.to_thread(self.get, run, owner=owner)
        if job.live:
            raise NotFinished(f"run {run} is still {job.state}; wait until it has ended")
        key = (run, job.info.ended_at)
        made = self._made.pop(key, None) or await asyncio.to_thread(self._replayed, run)
        self._made[key] = made
        while len(self._made) > _MOST_MADE:
            self._made.pop(next(iter(self._made)), None)
        return made

    async def diff(self, before: str, after: str, *, owner: str) -> dict[str, Any]:
        """What changed in the evidence between two runs of this owner, as `runs diff --json` shows it.

        Raises:
            NotFound: one of them is not there.
            InvalidInput: they are not of a kind that can be compared, or not finished.
        """
        from evidencegate.report import diff_runs

        for run in (before, after):
            await asyncio.to_thread(self._owned, run, owner)
        changed = (await asyncio.to_thread(diff_runs, self.ledger, before, after)).to_json()
        for side in ("before", "after"):
            changed[side] = {**changed[side], "inputs": self._named(changed[side]["inputs"])}
        return changed

    def get(self, run: str, *, owner: str, result: bool = True) -> Job:
        """One job; without its `result`, which may be large, where that is not wanted.

        Raises:
            NotFound: there is no such run, or it is another owner's.
        """
        return self._job(self._owned(run, owner), result=result)

    def list(self, *, owner: str, limit: int = 50) -> tuple[Job, ...]:
        """An owner's latest jobs, newest first, without their results."""
        return tuple(self._job(owned, result=False) for owned in self._owners.of(owner, limit=limit))

    def load(self) -> tuple[int, int]:
        """How many jobs work, and how many wait."""
        return self._worker.running(), self._worker.waiting()

    def events(self, run: str, *, owner: str, after: int = 0) -> AsyncGenerator[Event, None]:
        """The events of a run from number `after` + 1 on, as they happen; ends when the run, or the server, does.

        Raises:
            NotFound: there is no such run of this owner.
        """
        self._owned(run, owner)
        return self._follow(run, after)

    async def _follow(self, run: str, after: int) -> AsyncGenerator[Event, None]:
        async with self._bells.listen(run) as bell:
            while True:
                live = self._worker.knows(run)  # asked first: what it says last is then read
                for event in await asyncio.to_thread(self._events, run, after):
                    after = event.n
                    yield event
                if not live or self._hung_up:
                    return
                await bell.heard()

    def _events(self, run: str, after: int) -> tuple[Event, ...]:
        return tuple(self.ledger.events(run, after=after))

    def _submit(
        self, kind: Kind, inputs: Mapping[str, Any], owner: str, key: str | None, documents: "tuple[Document, ...]"
    ) -> Job:
        if key is not None and not 1 <= len(key) <= _LONGEST_KEY:
            raise InvalidInput(f"an idempotency key has 1 to {_LONGEST_KEY} characters")
        given = validated(kind, inputs)
        asked = digest(kind, given, documents)
        known = self._again(owner, key, asked)
        if known is not None:
            return known
        made = prepared(given, owner, documents, self.settings)
        with self._entering:  # so that two requests with one key cannot both be new
            known = self._again(owner, key, asked)
            if known is not None:
                return known
            self._check_room()
            run = self.ledger.start(made.command, made.inputs)
            if made.documents:
                asyncio.run(self._keep(run, made.documents))
            if made.limits != Limits():
                made.limits.keep(self.ledger, run)
            owned = Owned(run=run, owner=owner, kind=str(kind), key=key, digest=asked)
            self._owners.add(owned)
            self._enqueue(run, owner)
        return self._job(owned)

    async def _keep(self, run: str, documents: "tuple[Document, ...]") -> None:
        from evidencegate._checking import keep_documents

        await keep_documents(Run.again(self.ledger, run), documents)

    def _again(self, owner: str, key: str | None, asked: str) -> Job | None:
        """The job that was asked for under this key before."""
        owned = None if key is None else self._owners.by_key(owner, key)
        if owned is None:
            return None
        if owned.digest != asked:
            raise KeyReused("this idempotency key was used for another request; take a new one")
        return self._job(owned)

    def _resume(self, run: str, owner: str, given: Limits) -> Job:
        with self._entering:
            job = self._job(self._owned(run, owner))
            if job.resumable:
                self._check_room()
                Limits.renewed(self.ledger, job.info, given)
                self.ledger.reopen(run)
                self.ledger.add_event(run, "resumed", "taken up again", {})
                self._enqueue(run, owner)
        return self.get(run, owner=owner)

    def _check_room(self) -> None:
        if self._worker.waiting() >= self.settings.max_waiting:
            raise QueueFull("the server has more to do than it takes on; try again in a while")

    def _enqueue(self, run: str, owner: str) -> None:
        place = self._worker.enqueue(run, owner)
        if place > 0:
            self.ledger.add_event(run, "queued", f"waiting: place {place} in the queue", {"place": place})

    def _owned(self, run: str, owner: str) -> Owned:
        owned = self._owners.get(run, owner)
        if owned is None:
            raise NotFound(f"there is no run {run!r} of yours")
        return owned

    def _job(self, owned: Owned, *, result: bool = False) -> Job:
        # Asked first: a run that ends meanwhile is shown at work, and its end follows; the other way round it would be
        # shown as ended, with nothing to show for it.
        live, place, cancelling = self._worker.state(owned.run)
        info = self.ledger.get(owned.run, result=result)
        return Job(
            id=owned.run,
            kind=Kind(owned.kind),
            owner=owned.owner,
            info=replace(info, inputs=self._named(info.inputs)),
            live=live,
            place=place,
            cancelling=cancelling,
        )

    def _named(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Inputs as a user gave them: libraries by their names; where things are is nobody's business."""
        names = {place: name for name, place in self.settings.libraries.items()}
        libraries = [names.get(place, "a library that is gone") for place in inputs.get("libraries", ())]
        rest = {name: value for name, value in inputs.items() if name not in ("packs", "base_url")}
        return {**rest, "libraries": libraries}

    async def _work(self, run: str) -> None:
        """Do a run, in the loop of the worker. However it ends, its ledger says so."""
        try:
            self.ledger.add_event(run, "started", "at work", {})
            self._bells.ring(run)
            info = self.ledger.get(run)
            budget = Limits.of(self.ledger, run).budget(info.usage, turn=self.settings.max_seconds)
            await do(Run.again(self.ledger, run, budget=budget, watch=lambda _: self._bells.ring(run)), info)
        except Exception as error:  # noqa: BLE001  (a job that fails must not end the worker)
            self._failed(run, error)

    def _settle(self, run: str) -> None:
        """A run leaves the worker. One that was cancelled says so, even where it had not begun."""
        status = self.ledger.status(run)
        if status in (RunStatus.RUNNING, RunStatus.INTERRUPTED):
            self._end_early(run, "the server stopped" if self._hung_up else "cancelled")

    def _ended(self, run: str) -> None:
        self._bells.ring(run)
        for waiting, place in self._worker.next_in_line():
            self.ledger.add_event(waiting, "queued", f"waiting: place {place} in the queue", {"place": place})
            self._bells.ring(waiting)

    def _failed(self, run: str, error: Exception) -> None:
        from evidencegate.errors import EvidenceGateError

        known = isinstance(error, EvidenceGateError)
        if not known:
            _log.error("run %s failed", run, exc_info=error)
        message = self.settings.conceal(str(error)) if known else "something went wrong inside; see the server's log"
        self.ledger.add_event(run, "failed", message, {"type": type(error).__name__ if known else "InternalError"})
        if self.ledger.get(run).status is RunStatus.RUNNING:
            self.ledger.finish(run, RunStatus.FAILED, None)

    def _end_early(self, run: str, why: str) -> None:
        """Say that a run ended before it was done, with what it had shown by then."""
        info = self.ledger.get(run)
        took = lost(self.ledger.events(run))
        self.ledger.add_event(run, "interrupted", f"{why}; what was done is kept, and can be taken up again", {})
        if info.status is RunStatus.RUNNING:
            self.ledger.finish(run, RunStatus.INTERRUPTED, info.result, took)

    def _recover(self) -> None:
        """Runs that were at work or waiting when an earlier server ended, however it ended, can be taken up."""
        running = frozenset(self.ledger.running())
        for owned in self._owners.all():
            if owned.run in running:
                self._end_early(owned.run, "the server ended while this was at work")

    def _replayed(self, run: str) -> Any:
        return asyncio.run(shown(self.ledger, run))
