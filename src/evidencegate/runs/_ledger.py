"""The ledger: one database of runs, their events, steps and usage. SQLite (WAL) by default, PostgreSQL by URL."""

import json
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    false,
    func,
    insert,
    null,
    select,
    update,
)
from sqlalchemy.engine import Connection, Engine, ExceptionContext, RowMapping
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.schema import CreateIndex, CreateTable

from evidencegate.errors import InvalidInput, LedgerError, UnknownName
from evidencegate.runs._types import Event, RunInfo, RunStatus, Usage

_METADATA = MetaData()
_RUNS = Table(
    "runs",
    _METADATA,
    Column("id", String(40), primary_key=True),
    Column("command", String(40), nullable=False),
    Column("inputs", Text, nullable=False),
    Column("status", String(20), nullable=False),
    Column("started_at", String(40), nullable=False, index=True),
    Column("ended_at", String(40)),
    Column("result", Text),
)
_EVENTS = Table(
    "events",
    _METADATA,
    Column("run", String(40), ForeignKey("runs.id"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("at", String(40), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("message", Text, nullable=False),
    Column("data", Text, nullable=False),
)
_STEPS = Table(
    "steps",
    _METADATA,
    Column("run", String(40), ForeignKey("runs.id"), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("value", Text, nullable=False),
)
_USAGE = Table(
    "usage",
    _METADATA,
    Column("n", Integer, primary_key=True, autoincrement=True),
    Column("run", String(40), ForeignKey("runs.id"), nullable=False, index=True),
    *(Column(f.name, Integer if f.type is int else Float, nullable=False) for f in fields(Usage)),
)
_SPENT = [func.coalesce(func.sum(_USAGE.c[f.name]), 0) for f in fields(Usage)]
_BUSY_MILLISECONDS = 30_000
_MAKING = 0x0E71DE9CE
"""Our key among the advisory locks of a PostgreSQL database."""


def now() -> str:
    """The present moment, ISO 8601 in UTC to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Ledger:
    """Runs kept in one database, written by any number of processes.

    Every call is its own transaction: what it acknowledged survives a kill.
    """

    def __init__(self, url: str) -> None:
        """`url`: `sqlite:///path`, `sqlite://` (in memory), or a PostgreSQL URL; tables are made when missing.

        Raises:
            InvalidInput: `url` is no database URL.
            LedgerError: the database cannot be opened.
        """
        try:
            # A database server may have been started anew since a connection was last used: it is tried before.
            self._engine: Engine = create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
            if self._engine.dialect.name == "sqlite":
                event.listen(self._engine, "connect", _configure_sqlite)
            self.make_tables(_METADATA)
        except (DBAPIError, NoSuchModuleError, ImportError) as error:
            shown = url.rpartition("@")[2]  # never the password
            raise LedgerError(f"the run ledger at {shown} cannot be opened: {type(error).__name__}") from error
        except (ArgumentError, ValueError):
            # `from None`: the original may repeat a password.
            raise InvalidInput(
                "the run ledger (EVIDENCEGATE_LEDGER) is named by a database URL, as in sqlite:////directory/runs.db "
                "or postgresql+psycopg://user@host:5432/database"
            ) from None
        self._shown = self._engine.url.render_as_string()
        event.listen(self._engine, "handle_error", self._told)

    def _told(self, context: ExceptionContext) -> None:
        """What the database refuses, without the statement and what was to be written; some errors are awaited."""
        if context.is_pre_ping or isinstance(context.sqlalchemy_exception, IntegrityError):
            return
        lines = str(context.original_exception).splitlines() or [type(context.original_exception).__name__]
        raise LedgerError(
            f"the run ledger at {self._shown} cannot be used ({lines[0]}): see that it is whole and free and may be "
            "written to, or name another with EVIDENCEGATE_LEDGER"
        ) from context.original_exception

    def check_writable(self) -> None:
        """Whether something could be written now; nothing is.

        Raises:
            LedgerError: it cannot be: the database is locked, damaged, or only to be read.
        """
        with self._engine.begin() as connection:
            connection.execute(delete(_STEPS).where(false()))

    @property
    def engine(self) -> Engine:
        """The database, for who keeps tables of its own beside these."""
        return self._engine

    def make_tables(self, metadata: MetaData) -> None:
        """Make what is missing. Several may open a new ledger at once: the table that another made first will do."""
        with self._engine.begin() as connection:
            if self._engine.dialect.name == "postgresql":  # whose IF NOT EXISTS fails where two do it at once
                connection.execute(select(func.pg_advisory_xact_lock(_MAKING)))
            for table in metadata.sorted_tables:
                connection.execute(CreateTable(table, if_not_exists=True))
                for index in table.indexes:
                    connection.execute(CreateIndex(index, if_not_exists=True))

    def close(self) -> None:
        """Give back the connections."""
        self._engine.dispose()

    def start(self, command: str, inputs: Mapping[str, Any]) -> str:
        """Enter a new run; its id sorts by time."""
        run = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
        with self._engine.begin() as connection:
            connection.execute(
                insert(_RUNS).values(
                    id=run,
                    command=command,
                    inputs=_dump(inputs),
                    status=RunStatus.RUNNING,
                    started_at=now(),
                )
            )
        return run

    def get(self, run: str, *, result: bool = True) -> RunInfo:
        """One run; raises `UnknownName` where there is none. What it showed is left out without `result`."""
        columns = [column if result or column is not _RUNS.c.result else null().label("result") for column in _RUNS.c]
        with self._engine.connect() as connection:
            row = connection.execute(select(*columns).where(_RUNS.c.id == run)).mappings().first()
        if row is None:
            raise UnknownName(f"there is no run {run!r}; `evidencegate runs list` shows what there is")
        return self._info(row)

    def status(self, run: str) -> RunStatus | None:
        """How a run stands, without reading what it showed; None where there is none."""
        with self._engine.connect() as connection:
            status = connection.execute(select(_RUNS.c.status).where(_RUNS.c.id == run)).scalar()
        return None if status is None else RunStatus(status)

    def running(self) -> tuple[str, ...]:
        """The ids of the runs that are at work, or were killed."""
        with self._engine.connect() as connection:
            return tuple(connection.execute(select(_RUNS.c.id).where(_RUNS.c.status == RunStatus.RUNNING)).scalars())

    def list(self, *, limit: int = 50) -> tuple[RunInfo, ...]:
        """The latest runs, newest first."""
        with self._engine.connect() as connection:
            newest = select(_RUNS).order_by(_RUNS.c.started_at.desc(), _RUNS.c.id.desc()).limit(limit)
            rows = connection.execute(newest).mappings().all()
        return tuple(self._info(row) for row in rows)

    def reopen(self, run: str) -> None:
        """Mark a run as running again; what it showed before stays until it shows something else."""
        with self._engine.begin() as connection:
            values = {"status": RunStatus.RUNNING, "ended_at": None}
            connection.execute(update(_RUNS).where(_RUNS.c.id == run).values(**values))

    def finish(self, run: str, status: RunStatus, result: Mapping[str, Any] | None, usage: Usage | None = None) -> None:
        """Close a run with what was shown, and with what it cost besides its steps."""
        values = {"status": status, "ended_at": now(), "result": None if result is None else _dump(result)}
        with self._engine.begin() as connection:
            connection.execute(update(_RUNS).where(_RUNS.c.id == run).values(**values))
            _spend(connection, run, usage or Usage())

    def add_event(self, run: str, kind: str, message: str, data: Mapping[str, Any]) -> None:
        """Append an event; events of one run are numbered from 1 without gaps."""
        while True:
            try:
                with self._engine.begin() as connection:
                    last = connection.execute(select(func.max(_EVENTS.c.n)).where(_EVENTS.c.run == run)).scalar()
                    row = {"run": run, "n": (last or 0) + 1, "at": now(), "kind": kind, "message": _text(message)}
                    connection.execute(insert(_EVENTS).values(**row, data=_dump(data)))
                return
            except IntegrityError:
                continue  # another writer took the number

    def events(self, run: str, *, after: int = 0) -> Iterator[Event]:
        """The events of a run, in order, from number `after` + 1."""
        with self._engine.connect() as connection:
            chosen = select(_EVENTS).where(_EVENTS.c.run == run, _EVENTS.c.n > after).order_by(_EVENTS.c.n)
            rows = connection.execute(chosen).mappings().all()
        for row in rows:
            yield Event(
                n=row["n"], at=row["at"], kind=row["kind"], message=row["message"], data=json.loads(row["data"])
            )

    def step(self, run: str, key: str) -> Any | None:
        """The value of a step that was done, or None."""
        with self._engine.connect() as connection:
            chosen = select(_STEPS.c.value).where(_STEPS.c.run == run, _STEPS.c.key == key)
            value = connection.execute(chosen).scalar()
        return None if value is None else json.loads(value)

    def steps(self, run: str, name: str = "") -> Iterator[tuple[str, Any]]:
        """Name and value of every step that was done, by name; of those whose name begins with `name`."""
        with self._engine.connect() as connection:
            chosen = select(_STEPS).where(_STEPS.c.run == run, _STEPS.c.name.startswith(name, autoescape=True))
            rows = connection.execute(chosen.order_by(_STEPS.c.name, _STEPS.c.key)).mappings().all()
        for row in rows:
            yield row["name"], json.loads(row["value"])

    def step_names(self, run: str) -> tuple[str, ...]:
        """The names of the steps that were done, as `steps` has them, without their values."""
        with self._engine.connect() as connection:
            names = select(_STEPS.c.name).where(_STEPS.c.run == run).order_by(_STEPS.c.name, _STEPS.c.key)
            return tuple(connection.execute(names).scalars())

    def keep_step(self, run: str, key: str, name: str, value: Any, usage: Usage, *, replace: bool = False) -> None:
        """Keep a step with its cost, together or not at all; in place of what is kept only with `replace`."""
        try:
            with self._engine.begin() as connection:
                if replace:
                    connection.execute(delete(_STEPS).where(_STEPS.c.run == run, _STEPS.c.key == key))
                connection.execute(insert(_STEPS).values(run=run, key=key, name=_text(name), value=_dump(value)))
                _spend(connection, run, usage)
        except IntegrityError:
            return  # two tasks did the same step; the first one stands

    def usage(self, run: str) -> Usage:
        """All that a run has cost so far."""
        with self._engine.connect() as connection:
            row = connection.execute(select(*_SPENT).where(_USAGE.c.run == run)).one()
        return Usage(**{f.name: value for f, value in zip(fields(Usage), row, strict=True)})

    def _info(self, row: RowMapping) -> RunInfo:
        return RunInfo(
            id=row["id"],
            command=row["command"],
            inputs=json.loads(row["inputs"]),
            status=RunStatus(row["status"]),
            started_at=row["started_at"],
            ended_at=row["ended_at"],
            usage=self.usage(row["id"]),
            result=None if row["result"] is None else json.loads(row["result"]),
        )


def _spend(connection: Connection, run: str, usage: Usage) -> None:
    if usage != Usage():
        connection.execute(insert(_USAGE).values(run=run, **{f.name: getattr(usage, f.name) for f in fields(usage)}))


def _dump(value: Any) -> str:
    # ASCII: half of a surrogate pair in some reply is JSON, but no text that a database takes.
    return json.dumps(value, separators=(",", ":"))


def _text(said: str) -> str:
    """As every database takes it: no half of a surrogate pair, and no NUL, which PostgreSQL refuses."""
    return said.encode("utf-8", "replace").decode().replace("\0", "�")


def _configure_sqlite(connection: Any, _record: object) -> None:
    connection.execute(f"PRAGMA busy_timeout={_BUSY_MILLISECONDS}")
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA foreign_keys=ON")


def _write_ahead(connection: Any) -> None:
    """Turn to write-ahead logging. SQLite does not wait for others here, whatever `busy_timeout` says: so we do."""
    until = time.monotonic() + _BUSY_MILLISECONDS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
