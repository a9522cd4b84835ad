"""Files into the library: read, resolve, cut, embed, commit; batch by batch, in constant memory."""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evidencegate._extras import require
from evidencegate.documents import Document
from evidencegate.documents.readers import Deleted, Skipped, read
from evidencegate.errors import EvidenceGateError
from evidencegate.library import _schema as schema
from evidencegate.library._chunks import TARGET_WORDS, Chunk, chunks
from evidencegate.library._files import Given, digest, files
from evidencegate.library._merge import identity_keys, merge
from evidencegate.library._resolve import Entry, Resolver
from evidencegate.library._store import Store
from evidencegate.library._types import Embedder, Progress, Rejected
from evidencegate.library._upkeep import due, upkeep

if TYPE_CHECKING:
    pass

BATCH_CHUNKS = 256
"""Chunks committed together, about: seconds of work, which is what a kill can cost."""
_CHARACTERS = TARGET_WORDS * 7
"""Of a chunk, roughly; only to know when a batch is full."""

Paths = Iterable[str | os.PathLike[str]]


@dataclass(slots=True)
class Batch:
    """What is committed together, in the order in which it was read."""

    items: list[Document | Deleted] = field(default_factory=list)
    finished: dict[str, str] = field(default_factory=dict)
    """Files (digest to path) that are in the library whole once this batch is."""
    weight: int = 0

    def put(self, item: Document | Deleted) -> None:
        """One more record."""
        self.items.append(item)
        self.weight += 1 + (len(item.text) // _CHARACTERS if isinstance(item, Document) else 0)

    @property
    def full(self) -> bool:
        """Whether it is time to commit."""
        return self.weight >= BATCH_CHUNKS


@dataclass(slots=True)
class Tally:
    """What has been done so far."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    deleted: int = 0
    files_unchanged: int = 0
    skipped: list[Rejected] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Change:
    """A document to write, the stored ones it takes the place of, and the digest of what came in."""

    document: Document
    replaced: tuple[str, ...]
    digest: str


def ingest(store: Store, embedder: Embedder, batches: Iterable[Batch], tally: Tally, progress: Progress | None) -> None:
    """Put batches in, as they come. The caller holds the writer's lock.

    Reading goes on in this thread while the batch before is embedded and committed in another.
    """
    done = 0
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="evidencegate-add") as pool:
        running: Future[int] | None = None
        for batch in batches:
            if running is not None:
                done = _report(running, done, progress)
            running = pool.submit(write, store, embedder, batch, tally)
        if running is not None:
            _report(running, done, progress)
    upkeep(store)


def of_documents(documents: Iterable[Document]) -> Iterator[Batch]:
    """Batches of documents that are in memory already."""
    batch = Batch()
    for document in documents:
        batch.put(document)
        if batch.full:
            yield batch
            batch = Batch()
    if batch.items:
        yield batch


def of_files(store: Store, paths: Paths, tally: Tally) -> Iterator[Batch]:
    """Batches of everything in files that did not go in whole before; what cannot be read is tallied."""
    known, batch = store.finished(), Batch()
    for file in files(paths, outside=store.directory):
        if isinstance(file, Rejected):
            tally.skipped.append(file)
            continue
        try:
            name = digest(file.path)
        except OSError as error:
            tally.skipped.append(Rejected(path=str(file.path), reason=f"cannot be read ({error.strerror})"))
            continue
        if name in known:
            tally.files_unchanged += 1
            continue
        whole = True
        for item in _items(file):
            if isinstance(item, Rejected):
                tally.skipped.append(item)
                whole = False
                continue
            batch.put(item)
            if batch.full:
                yield batch
                batch = Batch()
        if whole:
            known.add(name)
            batch.finished[name] = str(file.path)
    if batch.items or batch.finished:
        yield batch


def _items(file: Given) -> Iterator[Document | Deleted | Rejected]:
    """What a file holds; that it vanished or failed meanwhile is told like anything else that cannot be read."""
    try:
        for item in read(file.path, chosen=file.chosen):
            yield Rejected(path=item.path, reason=item.reason) if isinstance(item, Skipped) else item
    except (EvidenceGateError, OSError) as error:
        yield Rejected(path=str(file.path), reason=str(error))


def write(store: Store, embedder: Embedder, batch: Batch, tally: Tally) -> int:
    """Commit one batch; the number of records it held."""
    if batch.items:
        resolver = Resolver(store.lookup(_keys(batch.items)))
        for item in batch.items:
            if isinstance(item, Deleted):
                resolver.delete(item.id)
            else:
                resolver.add(item)
        changes, gone = _changes(store, resolver, tally)
        rows = _rows(store, embedder, changes)
        replaced = dict.fromkeys(name for change in changes for name in change.replaced)
        store.commit(rows, [*replaced, *gone])
        if due(store):
            upkeep(store)
    store.finish(batch.finished)
    return len(batch.items)


def _report(running: "Future[int]", done: int, progress: Progress | None) -> int:
    done += running.result()
    if progress is not None:
        progress(done)
    return done


def _keys(items: Sequence[Document | Deleted]) -> list[str]:
    keys: dict[str, None] = {}
    for item in items:
        if isinstance(item, Deleted):
            keys[item.id] = None
        else:
            keys.update(dict.fromkeys(identity_keys(item.identifiers.keys(), item.id)))
    return list(keys)


def _changes(store: Store, resolver: Resolver, tally: Tally) -> tuple[list[Change], list[str]]:
    """What has to be written, and the stored documents that go without one in their place."""
    changes: list[Change] = []
    gone: list[str] = []
    pending: list[tuple[Entry, Document, str]] = []
    for entry in resolver:
        if entry.incoming is None:
            gone += [known.document for known in entry.stored]
            tally.deleted += bool(entry.stored)
            continue
        name = schema.digest_of(entry.incoming)
        if not entry.deleted and len(entry.stored) == 1 and entry.stored[0].digest == name:
            tally.unchanged += 1
        else:
            pending.append((entry, entry.incoming, name))
    older = store.records(known.document for entry, _, _ in pending if not entry.deleted for known in entry.stored)
    for entry, document, name in pending:
        replaced = tuple(known.document for known in entry.stored)
        before = [older[known] for known in replaced if known in older]
        for record in before:
            document = merge(record, document)  # noqa: PLW2901
        if before == [document]:
            tally.unchanged += 1
            continue
        tally.updated += bool(replaced)
        tally.added += not replaced
        changes.append(Change(document, replaced, name))
    return changes, gone


def _rows(store: Store, embedder: Embedder, changes: Sequence[Change]) -> list[dict[str, Any]]:
    """The rows of the changed documents. Only text that the library has not embedded already is embedded."""
    np = require("library", "numpy")
    cut: list[tuple[Change, tuple[Chunk, ...]]] = [(change, chunks(change.document)) for change in changes]
    known = store.vectors(name for change in changes for name in change.replaced)
    wanted = dict.fromkeys(
        text for _, pieces in cut for piece in pieces if (text := schema.storable(piece.text)) not in known
    )
    if wanted:
        known |= zip(wanted, embedder.embed(list(wanted)), strict=True)
    rows: list[dict[str, Any]] = []
    for change, pieces in cut:
        vectors = np.asarray([known[schema.storable(piece.text)] for piece in pieces], dtype=np.float32)
        rows += schema.rows(change.document, pieces, vectors, change.digest)
    return rows
