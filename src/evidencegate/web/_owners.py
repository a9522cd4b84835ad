"""Whose a run is, and under which key it was asked for: a table of the server beside those of the ledger."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Column, MetaData, String, Table, UniqueConstraint, insert, select

from evidencegate.runs import Ledger

_METADATA = MetaData()
_JOBS = Table(
    "web_jobs",
    _METADATA,
    Column("run", String(40), primary_key=True),
    Column("owner", String(120), nullable=False, index=True),
    Column("kind", String(20), nullable=False),
    Column("key", String(255)),
    Column("digest", String(64), nullable=False),
    UniqueConstraint("owner", "key"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """A run that somebody asked this server for."""

    run: str
    owner: str
    kind: str
    key: str | None
    digest: str
    """Of what was asked, so that a key is known to stand for the same request again."""


class Owners:
    """The table. A row is written last: once it is there, the run was acknowledged."""

    def __init__(self, ledger: Ledger) -> None:
        self._engine = ledger.engine
        ledger.make_tables(_METADATA)

    def add(self, owned: Owned) -> None:
        """Acknowledge a run."""
        with self._engine.begin() as connection:
            connection.execute(
                insert(_JOBS).values(
                    run=owned.run, owner=owned.owner, kind=owned.kind, key=owned.key, digest=owned.digest
                )
            )

    def get(self, run: str, owner: str) -> Owned | None:
        """The run, if it is this owner's."""
        return next(self._rows(_JOBS.c.run == run, _JOBS.c.owner == owner), None)

    def by_key(self, owner: str, key: str) -> Owned | None:
        """The run this owner asked for under that key."""
        return next(self._rows(_JOBS.c.owner == owner, _JOBS.c.key == key), None)

    def of(self, owner: str, *, limit: int) -> tuple[Owned, ...]:
        """An owner's runs, newest first (a run's id sorts by time)."""
        return tuple(self._rows(_JOBS.c.owner == owner, limit=limit))

    def all(self) -> Iterator[Owned]:
        """Everybody's."""
        return self._rows()

    def _rows(self, *conditions: object, limit: int | None = None) -> Iterator[Owned]:
        chosen = select(_JOBS).order_by(_JOBS.c.run.desc()).limit(limit)
        for condition in conditions:
            chosen = chosen.where(condition)  # type: ignore[arg-type]
        with self._engine.connect() as connection:
            rows = connection.execute(chosen).mappings().all()
        for row in rows:
            yield Owned(**row)
