"""A PostgreSQL server of the tests' own, on loopback, where the machine has one installed."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

_CLUSTER = ("--username=tests", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8")
_QUICK = "-c fsync=off -c full_page_writes=off -c unix_socket_directories='' -c listen_addresses=127.0.0.1"


def _program(name: str) -> str:
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))  # Debian keeps them off the PATH
    found = shutil.which(name) or (str(installed[-1]) if installed else None)
    if found is None:
        pytest.skip(f"no {name} here: apt-get install postgresql")
    return found


def _user() -> dict[str, Any]:
    """Whose the server is: it refuses to be root's."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = known.get("postgres") or known["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


class Postgres:
    """A running server, and how to get a new database of it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._made = 0

    def url(self, database: str = "postgres") -> str:
        return f"postgresql+psycopg://tests@127.0.0.1:{self._port}/{database}"

    def database(self) -> str:
        """The URL of a new, empty database."""
        self._made += 1
        name = f"ledger_{self._made}"
        engine = create_engine(self.url(), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        engine.dispose()
        return self.url(name)


@contextmanager
def running() -> Iterator[Postgres]:
    """The server, while inside."""
    pytest.importorskip("psycopg", reason='a ledger on PostgreSQL needs psycopg: pip install ".[dev]"')
    initdb, control = _program("initdb"), _program("pg_ctl")
    user = _user()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Not a folder of pytest's: those are closed to the server's user.
    with tempfile.TemporaryDirectory(prefix="evidencegate-postgres-") as folder:
        if user:
            os.chown(folder, user["user"], user["group"])
        place, log = Path(folder, "data"), Path(folder, "log")

        def call(*command: str) -> None:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, **user)
            assert done.returncode == 0, (done.stdout, done.stderr, log.read_text() if log.exists() else "")

        call(initdb, f"--pgdata={place}", *_CLUSTER)
        with (Path(folder) / "said").open("w") as said:  # a pipe would stay open in the server it starts
            start = [control, f"--pgdata={place}", f"--log={log}", "--wait", f"--options=-p {port} {_QUICK}", "start"]
            done = subprocess.run(start, cwd=folder, stdout=said, stderr=said, check=False, **user)
        assert done.returncode == 0, log.read_text()
        try:
            yield Postgres(port)
        finally:
            call(control, f"--pgdata={place}", "--mode=immediate", "stop")
