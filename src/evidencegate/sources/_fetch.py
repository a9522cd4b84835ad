"""One record by its identifier, from whoever has it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Thread

from evidencegate.documents import Document, Identifiers
from evidencegate.errors import SourceError
from evidencegate.settings import Settings
from evidencegate.sources._cache import Mode
from evidencegate.sources._failure import Failure
from evidencegate.sources._http import Client, within
from evidencegate.sources._types import Status, Unavailable
from evidencegate.sources.clinical_trials import ClinicalTrials
from evidencegate.sources.crossref import Crossref
from evidencegate.sources.europe_pmc import EuropePMC
from evidencegate.sources.pubmed import PubMed

# Seconds that a request which was given up has to end.
_GIVEN_UP = 5.0
_Find = Callable[[Identifiers], Awaitable[Document | None]]


async def fetch(wanted: Identifiers, client: Client) -> Document | Unavailable:
    """The record behind identifiers: from PubMed, else Europe PMC, else Crossref; trials from their registry.

    A source that has no such record, or does not answer, passes the question on. Retraction notices are those of
    the source that had the record; `current_notices` asks all.
    """
    if not wanted:
        return Unavailable(identifier="", status=Status.BAD_QUERY, reason="no identifier was given")
    failures: list[Failure] = []
    with within(client.settings.source_seconds):
        for find in _finders(wanted, client):
            try:
                document = await find(wanted)
            except Failure as failure:
                failures.append(failure)
                continue
            if document is not None:
                return document
    unanswered = [failure for failure in failures if failure.status is not Status.EMPTY]
    name = wanted.keys()[0]
    if unanswered:
        reasons = "; ".join(failure.reason for failure in unanswered)
        return Unavailable(identifier=name, status=unanswered[0].status, reason=reasons)
    return Unavailable(identifier=name, status=Status.EMPTY, reason=f"no source has a record of {name}")


def _finders(wanted: Identifiers, client: Client) -> Sequence[_Find]:
    if wanted.pmid or wanted.pmcid or wanted.doi:
        finders: list[_Find] = [PubMed(client).find, EuropePMC(client).find]
        return [*finders, Crossref(client).find] if wanted.doi else finders
    return [ClinicalTrials(client).find]


@contextmanager
def resolver(
    settings: Settings | None = None, *, mode: Mode = Mode.NORMAL
) -> Iterator[Callable[[Identifiers], Document | None]]:
    """`fetch` for synchronous callers: a function from identifiers to the record, or None where nobody has one.

    It keeps one client, in a thread of its own, so that limits and connections hold across calls.

    Raises:
        SourceError: (the function) nobody who was asked could answer.
    """
    client, loop = Client(settings, mode=mode), asyncio.new_event_loop()
    # A daemon: whoever is interrupted while it begins must not wait for it at the end.
    thread = Thread(target=loop.run_forever, name="evidencegate-resolver", daemon=True)
    under_way: set[Future[Document | Unavailable]] = set()

    def resolve(wanted: Identifiers) -> Document | None:
        asked = asyncio.run_coroutine_threadsafe(fetch(wanted, client), loop)
        under_way.add(asked)
        asked.add_done_callback(under_way.discard)
        got = asked.result()
        if isinstance(got, Document):
            return got
        if got.status is Status.EMPTY:
            return None
        raise SourceError(got.reason)

    thread.start()
    try:
        yield resolve
    finally:
        for asked in tuple(under_way):  # by whoever: nobody reads the answers any more
            asked.cancel()
        asyncio.run_coroutine_threadsafe(_closed(client), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _closed(client: Client) -> None:
    """Close `client`, and see what was given up to its end."""
    await client.aclose()
    given_up = asyncio.all_tasks() - {asyncio.current_task()}
    if given_up:
        await asyncio.wait(given_up, timeout=_GIVEN_UP)


async def fetch_all(wanted: Sequence[Identifiers], client: Client) -> tuple[Document | Unavailable, ...]:
    """`fetch` for many, side by side, in their order."""
    return tuple(await asyncio.gather(*(fetch(identifiers, client) for identifiers in wanted)))
