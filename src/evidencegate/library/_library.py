"""`Library`: a local collection of documents, indexed for hybrid search."""

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from evidencegate.documents import Document, Identifiers
from evidencegate.errors import InvalidInput
from evidencegate.library import _search, _upkeep
from evidencegate.library._engine import engine, engine_errors, steady
from evidencegate.library._ingest import Batch, Tally, ingest, of_documents, of_files
from evidencegate.library._lock import writing
from evidencegate.library._merge import contradict, identity_keys
from evidencegate.library._schema import storable
from evidencegate.library._store import KEYS_AT_ONCE, Store, create_store, exists, open_store
from evidencegate.library._types import Added, Embedder, Filters, Hit, Info, Mode, Progress, Rerank
from evidencegate.models import embedding

LOCK_SECONDS = 10.0
"""How long a writer waits for another one."""
MOST_HITS = 1000


class Library:
    """A directory, or an object-store URI, that holds documents, their BM25 index and their vectors.

        library = Library("trials")
        library.add(["articles.tar.gz", "pubmed25n0001.xml.gz"])
        for hit in library.search("apixaban in dialysis"):
            print(hit.score, hit.document.title, hit.passage.text)

    Reading takes no lock and sees what is committed, at once, whoever writes. One process writes at a time.

    Args:
        path: the directory, or a URI of an object store (`s3://…`, `gs://…`, `az://…`).
        create: make the library where there is none; else its absence is an error.
        embedder: what turns text into vectors; the one inside the package where not given. A library is
            always opened with the embedder it was made with.
        storage_options: for an object store, what LanceDB needs to reach it.

    Raises:
        InvalidInput: there is no library and `create` is False, or a file is in its place.
        LibraryBroken: the directory holds something else, or is damaged.
        LibraryVersion: made by another format, or with another embedder.
        MissingExtra: the extra `library` is not installed.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        embedder: Embedder | None = None,
        storage_options: Mapping[str, str] | None = None,
    ) -> None:
        self._store: Store
        self.path = os.fspath(path)
        self._given = embedder
        name = embedder.name if embedder else embedding.packaged_name()
        if not exists(self.path, storage_options):
            if not create:
                raise InvalidInput(
                    f"There is no library at {self.path}. Make one with: evidencegate library add FILES "
                    f"--library {self.path}"
                )
            engine()  # so that a missing extra is told before anything is made
            with writing(self.path, LOCK_SECONDS):
                if not exists(self.path, storage_options):  # another process was faster
                    self._store = create_store(
                        self.path, storage_options, embedder=name, dimensions=self._embedder.dimensions
                    )
                    _upkeep.upkeep(self._store)
                    return
        self._store = open_store(self.path, storage_options, embedder=name)

    def __repr__(self) -> str:
        return f"Library({self.path!r})"

    def __len__(self) -> int:
        """Number of documents."""
        return self._store.count("ordinal = 0")

    @property
    def _embedder(self) -> Embedder:
        return self._given or embedding.default_embedder()

    def add(
        self,
        paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        *,
        progress: Progress | None = None,
        wait: float = LOCK_SECONDS,
    ) -> Added:
        """Add or update everything in files and folders: PubMed XML, JATS, JSONL, PDF and what else is read.

        A record that is there already, by any identifier, is brought up to date; one that has not changed is
        left alone, and so is a file that went in whole before. What was committed stays, however the process
        ends; run again, it goes on from there. What cannot be read is in `skipped`, the rest goes in.

        Args:
            paths: files or folders, or one of them.
            progress: called with the number of records dealt with so far, after every commit.
            wait: seconds to wait for another writer.

        Raises:
            LibraryLocked: another process still writes after `wait` seconds.
            LibraryError: no space is left, or the engine failed; what was committed before is in.
        """
        given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        tally = Tally()
        return self._ingest(of_files(self._store, given, tally), tally, progress, wait)

    def add_documents(
        self, documents: Iterable[Document], *, progress: Progress | None = None, wait: float = LOCK_SECONDS
    ) -> Added:
        """Add or update documents that are in memory already; else as `add`."""
        return self._ingest(of_documents(documents), Tally(), progress, wait)

    def _ingest(self, batches: Iterator[Batch], tally: Tally, progress: Progress | None, wait: float) -> Added:
        started = time.perf_counter()
        with writing(self.path, wait):
            ingest(self._store, self._embedder, batches, tally, progress)
            documents = len(self)
        return Added(
            added=tally.added,
            updated=tally.updated,
            unchanged=tally.unchanged,
            deleted=tally.deleted,
            skipped=tuple(tally.skipped),
            files_unchanged=tally.files_unchanged,
            documents=documents,
            seconds=time.perf_counter() - started,
        )

    def delete(self, ids: str | Iterable[str], *, wait: float = LOCK_SECONDS) -> int:
        """Take documents out, by id or identifier (`pmid:…`, `doi:…`); the number that were there.

        A later `add` of their files brings them back.
        """
        given = [ids] if isinstance(ids, str) else list(ids)
        with writing(self.path, wait):
            names = [stored.document for stored in self._store.lookup(given)] if given else []
            if names:
                self._store.forget_files()
                self._store.commit([], names)
                _upkeep.upkeep(self._store)
        return len(names)

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        mode: Mode | str = Mode.HYBRID,
        filters: Filters | None = None,
        rerank: Rerank | None = None,
    ) -> tuple[Hit, ...]:
        """The documents that answer a query best, best first, each with the passage that does.

        The query is plain text: quotation marks, operators and field names in it are words like others.

        Args:
            query: a question or keywords. What lies beyond 512 distinct words is not looked for by BM25, what
                lies beyond the embedder's reach not by vectors.
            limit: how many documents at most, 1 to 1,000.
            mode: `hybrid` (both rankings, fused), `bm25` or `vector`.
            filters: only documents that meet them are ranked.
            rerank: a second reader; the hits come back in the order of its scores.

        Raises:
            InvalidInput: an empty query, an unknown mode, a limit out of range.
        """
        query = storable(query)
        if not query.strip():
            raise InvalidInput("The query is empty: give a question or some keywords.")
        if not 1 <= limit <= MOST_HITS:
            raise InvalidInput(f"The limit is {limit}; it is a number from 1 to {MOST_HITS}.")
        try:
            chosen = Mode(mode)
        except ValueError:
            raise InvalidInput(f"There is no mode {mode!r}; it is one of {', '.join(Mode)}.") from None
        where = _search.condition(filters or Filters())
        ranked = _search.ranked(self._store, self._embedder, query, chosen, where, limit)
        found = _search.hits(self._store, query, ranked)
        return _search.reranked(query, found, rerank) if rerank else found

    def get(self, key: str) -> Document | None:
        """The document with that id or identifier (`pmid:…`, `pmcid:…`, `doi:…`, `nct:…`); None if there is none."""
        stored = self._store.lookup([key])
        # Of an id and an identifier that are the same text, the id is meant.
        stored.sort(key=lambda known: known.document != key)
        return self._store.records([stored[0].document]).get(stored[0].document) if stored else None

    def find(self, identifiers: Identifiers) -> Document | None:
        """The document that has one of the identifiers and contradicts none; None if there is none."""
        keys = identity_keys(identifiers.keys())
        documents = self._store.records(known.document for known in self._store.lookup(keys)) if keys else {}
        fitting = [d for d in documents.values() if not contradict(d.identifiers, identifiers)]
        return min(fitting, key=lambda d: _rank(d, keys), default=None)

    def iterate(self) -> Iterator[Document]:
        """Every document that is there now; those deleted while it runs are left out."""
        page: list[str] = []
        for name in self._store.ids():
            page.append(name)
            if len(page) == KEYS_AT_ONCE:
                yield from self._store.records(page).values()
                page = []
        if page:
            yield from self._store.records(page).values()

    def info(self) -> Info:
        """What is in the library, and in what state."""
        store = self._store
        with engine_errors(self.path, "reading"):
            columns = ["year", "source", "full_text", "retraction"]
            first = steady(lambda: store.chunks.query().where("ordinal = 0").select(columns).to_arrow())
        years = [year for year in first["year"].to_pylist() if year is not None]
        sources = {pair["values"]: pair["counts"] for pair in first["source"].value_counts().to_pylist()}
        return Info(
            path=self.path,
            documents=len(first),
            chunks=store.count(),
            full_texts=sum(first["full_text"].to_pylist()),
            retracted=first["retraction"].to_pylist().count("retracted"),
            year_from=min(years, default=None),
            year_to=max(years, default=None),
            sources=dict(sorted(sources.items())),
            embedder=store.header.embedder,
            dimensions=store.header.dimensions,
            format=store.header.format,
            created=store.header.created,
            bytes=_size(store.directory) if store.directory else None,
            unindexed=_upkeep.coverage(store)[1],
        )


def _rank(document: Document, keys: tuple[str, ...]) -> int:
    """The place of the first of `keys` that the document has."""
    own = set(document.identifiers.keys())
    return next((place for place, key in enumerate(keys) if key in own), len(keys))


def _size(directory: Path) -> int:
    total = 0
    for path in directory.rglob("*"):
        with suppress(FileNotFoundError):  # a writer's upkeep may take it away
            total += path.lstat().st_size
    return total
