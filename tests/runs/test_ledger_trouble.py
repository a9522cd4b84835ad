"""A ledger that is locked, damaged, only to be read, or none: told in words, and no run is looked for elsewhere."""

import asyncio
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import evidencegate
from evidencegate import aio
from evidencegate._ledger import open_ledger
from evidencegate.errors import InvalidInput, LedgerError, UnknownName
from evidencegate.runs import Ledger, Run, Usage, _ledger
from evidencegate.settings import load

QUESTION = "Does apixaban reduce stroke in atrial fibrillation?"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger with one run in it."""
    place = tmp_path / "runs.db"
    with closing(Ledger(f"sqlite:///{place}")) as ledger:
        Run.start(ledger, "ask", {"question": QUESTION})
    return place


@pytest.fixture
def settings(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("EVIDENCEGATE_LEDGER", f"sqlite:///{path}")
    load.cache_clear()
    yield
    load.cache_clear()


@pytest.fixture
def locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(_ledger, "_BUSY_MILLISECONDS", 50)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        yield


@pytest.mark.parametrize("url", ["garbage", "postgresql+psycopg://user:a-password@host:port/runs", "sqlite:/x?y"])
def test_what_is_no_address_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(InvalidInput, match="EVIDENCEGATE_LEDGER") as caught:
        Ledger(url)
    assert "a-password" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_write_that_has_to_wait_too_long_says_where(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_ledger, "_BUSY_MILLISECONDS", 50)
    with closing(Ledger(f"sqlite:///{path}")) as ledger, closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match=r"runs\.db cannot be used \(database is locked\)") as caught:
            ledger.start("ask", {"question": QUESTION})
    assert "apixaban" not in str(caught.value)


def test_a_ledger_that_is_only_to_be_read_is_read(path: Path) -> None:
    with closing(Ledger(f"sqlite:///file:{path}?mode=ro&uri=true")) as ledger:
        (run,) = ledger.list()
        with pytest.raises(LedgerError, match="readonly"):
            ledger.check_writable()
    assert run.inputs["question"] == QUESTION


def test_what_two_writers_settle_between_them_is_no_trouble(path: Path) -> None:
    with closing(Ledger(f"sqlite:///{path}")) as ledger:
        run = ledger.list()[0].id
        for value in ("first", "second"):
            ledger.keep_step(run, "key", "step", value, Usage())
        assert ledger.step(run, "key") == "first"


@pytest.mark.usefixtures("locked", "settings")
def test_a_new_run_is_kept_in_memory_and_that_is_said(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        answer = evidencegate.ask(QUESTION, offline=True)
    assert answer.references
    assert "kept in memory only" in caplog.text
    assert "locked" in caplog.text


@pytest.mark.usefixtures("settings")
def test_a_run_is_looked_for_nowhere_else(path: Path) -> None:
    with closing(Ledger(f"sqlite:///{path}")) as ledger:
        run = ledger.list()[0].id
    path.write_bytes(b"no database at all, but long enough to be taken for one" * 100)
    for take_up in (aio.resume, aio.replay):
        with pytest.raises(LedgerError):
            asyncio.run(take_up(run))


@pytest.mark.usefixtures("settings")
def test_a_run_that_there_is_not_is_unknown() -> None:
    with open_ledger(kept=True) as ledger, pytest.raises(UnknownName):
        ledger.get("nope")
