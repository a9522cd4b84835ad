"""What every test shares: the fuse against the network, and the way to the shared data."""

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("evidencegate", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("evidencegate")

_LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(autouse=True)
def _fuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every connection that leaves this machine fail."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and not str(address[0]).startswith(_LOOPBACK):
            raise AssertionError(f"a test tried to reach {address!r}; tests stay on loopback")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    return


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real articles, labelled sets and recorded replies: not ours to ship, so absent on most machines."""
    default = Path(__file__).parents[2] / "shared" / "data"
    path = Path(os.environ.get("EVIDENCEGATE_DATA", default))
    if not path.is_dir():
        pytest.skip(f"no shared data at {path}; set EVIDENCEGATE_DATA to the folder that holds it")
    return path


@pytest.fixture
def heeding_interrupts() -> Iterator[None]:
    """A shell lets what it starts in the background ignore interrupts, and whatever that starts in its turn."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
