"""The tables of a library on disk or in an object store: opening, looking up, committing."""

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from evidencegate._extras import require
from evidencegate.documents import Document
from evidencegate.errors import InvalidInput, LibraryBroken, LibraryVersion
from evidencegate.library import _schema as schema
from evidencegate.library._engine import ENGINE_ERRORS, engine, engine_errors, first_line, quoted, settled, steady

KEYS_AT_ONCE = 500
"""Values in one `IN (…)`, and documents in one page of an iteration."""
# A request to an object store for every search would double its time; on a disk it costs nothing.
REMOTE_FRESHNESS = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Stored:
    """What is known of a document in the library without reading it."""

    document: str
    keys: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Store:
    """The open tables. Reads see the newest commit, whoever made it."""

    uri: str
    header: schema.Header
    chunks: Any
    files: Any

    @property
    def directory(self) -> Path | None:
        """Where it is on disk; None for an object store."""
        return None if "://" in self.uri else Path(self.uri)

    def lookup(self, keys: Sequence[str]) -> list[Stored]:
        """The documents that have one of the identity keys."""
        conditions = []
        values: dict[str, list[str]] = {}
        for key in keys:
            name, _, value = key.partition(":")
            values.setdefault(name, []).append(value)
        for name in ("pmid", "pmcid", "doi", "nct"):
            if name in values:
                conditions.append(f"{name} IN {quoted(values[name])}")
        conditions.append(f"document IN {quoted(keys)}")
        columns = ["document", "pmid", "pmcid", "doi", "nct", "digest"]
        found = self.select(f"ordinal = 0 AND ({' OR '.join(conditions)})", columns)
        return [
            Stored(
                row["document"],
                tuple(f"{name}:{row[name]}" for name in ("pmid", "pmcid", "doi", "nct") if row[name]),
                row["digest"],
            )
            for row in found
        ]

    def records(self, documents: Iterable[str]) -> dict[str, Document]:
        """The documents of those ids, in no order; ids that are not there are left out."""
        ids = list(documents)
        found: dict[str, Document] = {}
        for start in range(0, len(ids), KEYS_AT_ONCE):
            condition = f"ordinal = 0 AND document IN {quoted(ids[start : start + KEYS_AT_ONCE])}"
            for row in self.select(condition, ["document", "record"]):
                found[row["document"]] = self.decode(row["record"])
        return found

    def vectors(self, documents: Iterable[str]) -> dict[str, Any]:
        """Indexed text to vector of the documents' chunks: what need not be embedded again."""
        ids = list(documents)
        if not ids:
            return {}
        rows = self.select(f"document IN {quoted(ids)}", ["text", "vector"])
        return {row["text"]: row["vector"] for row in rows}

    def ids(self) -> Iterator[str]:
        """Ids of all documents, as they are at this moment."""
        with engine_errors(self.uri, "listing documents"):
            table = steady(lambda: self.chunks.query().where("ordinal = 0").select(["document"]).to_arrow())
        for value in table["document"]:
            yield value.as_py()

    def select(self, condition: str, columns: Sequence[str]) -> list[dict[str, Any]]:
        """Rows that meet an SQL condition."""
        with engine_errors(self.uri, "reading"):
            table = steady(lambda: self.chunks.query().where(condition).select(list(columns)).to_arrow())
        return table.to_pylist()  # type: ignore[no-any-return]

    def at(self, places: Mapping[str, int], columns: Sequence[str]) -> list[dict[str, Any]]:
        """The rows of those keys, which a search has just found at those places.

        Much faster than looking for the keys. A place holds only until the next upkeep of a writer: where a key is
        not at its place any more, all are looked for.
        """
        wanted = ["key", *columns]
        try:
            table = steady(lambda: self.chunks.take_row_ids(list(places.values())).select(wanted).to_arrow())
        except ENGINE_ERRORS:
            table = None
        if table is not None and set(table["key"].to_pylist()) == set(places):
            return table.to_pylist()  # type: ignore[no-any-return]
        return self.select(f"key IN {quoted(places)}", wanted) if places else []

    def count(self, condition: str | None = None) -> int:
        """Rows that meet an SQL condition."""
        with engine_errors(self.uri, "counting"):
            return int(steady(lambda: self.chunks.count_rows(condition)))

    def decode(self, record: bytes) -> Document:
        """A stored document; a `LibraryBroken` where the bytes are none."""
        try:
            return schema.decode(record)
        except Exception as error:  # zlib, JSON and the checks of the types each have their own
            raise LibraryBroken(
                f"A record of the library {self.uri} cannot be read ({first_line(error)}). Restore the library "
                "from a copy, or delete the directory and add the documents again."
            ) from error

    def commit(self, rows: Sequence[Mapping[str, Any]], replaced: Sequence[str]) -> None:
        """Put rows in, in one commit, in place of all rows of the documents `replaced`."""
        pa = require("library", "pyarrow")
        with engine_errors(self.uri, "writing"):
            if not rows:
                if replaced:
                    settled(lambda: self.chunks.delete(f"document IN {quoted(replaced)}"))
                return
            table = pa.Table.from_pylist(list(rows), schema=schema.chunk_schema(self.header))
            if not replaced:
                settled(lambda: self.chunks.add(table))
                return
            change = (
                self.chunks.merge_insert("key")
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .when_not_matched_by_source_delete(f"document IN {quoted(replaced)}")
            )
            settled(lambda: change.execute(table))

    def finished(self) -> set[str]:
        """The files, named by their digest, that went in whole."""
        with engine_errors(self.uri, "reading"):
            return set(steady(lambda: self.files.query().select(["digest"]).to_arrow())["digest"].to_pylist())

    def finish(self, files: Mapping[str, str]) -> None:
        """Note files (digest to path) as in the library whole."""
        if not files:
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [{"digest": digest, "path": path, "finished": now} for digest, path in files.items()]
        pa = require("library", "pyarrow")
        with engine_errors(self.uri, "writing"):
            settled(lambda: self.files.add(pa.Table.from_pylist(rows, schema=schema.file_schema())))

    def forget_files(self) -> None:
        """Read every file again at the next `add`: what was deleted by hand can come back."""
        with engine_errors(self.uri, "writing"):
            settled(lambda: self.files.delete("true"))


def exists(uri: str, storage_options: Mapping[str, str] | None) -> bool:
    """Whether there is a library at `uri`.

    Raises:
        InvalidInput: a file is in its place.
        LibraryBroken: the directory holds something else, or a library without its tables.
    """
    if "://" in uri:
        database = _connect(uri, storage_options)
        with engine_errors(uri, "being opened"):
            return schema.CHUNKS in steady(database.list_tables).tables
    path = Path(uri)
    if path.exists() and not path.is_dir():
        raise InvalidInput(f"{uri} is a file, not a library: give a directory.")
    if not path.exists():
        return False
    inside = {entry.name for entry in path.iterdir() if not entry.name.startswith(".")}
    table = path / f"{schema.CHUNKS}.lance"
    if table.is_dir() and any((table / "_versions").glob("*.manifest")):
        return True
    if any((table / "data").glob("*")) or inside - {table.name, f"{schema.FILES}.lance"}:
        raise LibraryBroken(
            f"{uri} is not a library: it holds other files and no table of documents. Give an empty or a new "
            "directory, or restore the library from a copy."
        )
    return False


def open_store(uri: str, storage_options: Mapping[str, str] | None, *, embedder: str) -> Store:
    """Open the library at `uri`, which exists.

    Raises:
        LibraryBroken: it cannot be read as a library.
        LibraryVersion: another format, or vectors of another embedder.
    """
    try:
        database = _connect(uri, storage_options)
        chunks = steady(lambda: database.open_table(schema.CHUNKS))
        files = steady(lambda: database.open_table(schema.FILES))
        arrow = steady(chunks.schema)
        steady(
            lambda: chunks.count_rows("ordinal < 0")
        )  # reads a column of every fragment: a missing file shows here, not later
    except ENGINE_ERRORS as error:
        raise LibraryBroken(
            f"The library {uri} cannot be opened ({first_line(error)}). Restore it from a copy, or delete the "
            "directory and add the documents again."
        ) from error
    header = schema.Header.of(arrow)
    if header is None:
        raise LibraryBroken(f"{uri} is a LanceDB database, but not made by `evidencegate library add`.")
    if header.format != schema.FORMAT:
        raise LibraryVersion(
            f"The library {uri} has format {header.format}; this version of evidencegate reads format "
            f"{schema.FORMAT}. Install the version it was made with, or add its documents to a new library."
        )
    if header.embedder != embedder:
        raise LibraryVersion(
            f"The library {uri} was indexed with the embedder {header.embedder}; here it is {embedder}, and their "
            "vectors cannot be compared. Install the version of evidencegate it was made with, or add its "
            "documents to a new library."
        )
    if arrow.names != schema.chunk_schema(header).names:
        raise LibraryBroken(f"The library {uri} lacks columns of its format. Restore it from a copy.")
    return Store(uri, header, chunks, files)


def create_store(uri: str, storage_options: Mapping[str, str] | None, *, embedder: str, dimensions: int) -> Store:
    """Make an empty library at `uri`, where there is none. The caller holds the writer's lock."""
    header = schema.Header(
        format=schema.FORMAT,
        embedder=embedder,
        dimensions=dimensions,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    if "://" not in uri:
        # What a process leaves that was killed before its first commit: no version, so nothing to lose.
        shutil.rmtree(Path(uri) / f"{schema.CHUNKS}.lance", ignore_errors=True)
    with engine_errors(uri, "being made"):
        database = _connect(uri, storage_options)
        # The table of documents last: with it, the library is there.
        files = steady(lambda: database.create_table(schema.FILES, schema=schema.file_schema(), exist_ok=True))
        chunks = steady(lambda: database.create_table(schema.CHUNKS, schema=schema.chunk_schema(header)))
    return Store(uri, header, chunks, files)


def _connect(uri: str, storage_options: Mapping[str, str] | None) -> Any:
    lancedb = engine()
    freshness = REMOTE_FRESHNESS if "://" in uri else timedelta(0)
    options = dict(storage_options) if storage_options else None
    with engine_errors(uri, "being opened"):
        return steady(lambda: lancedb.connect_async(uri, read_consistency_interval=freshness, storage_options=options))
