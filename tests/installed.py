"""The command as it is installed, for tests that meet it as a user does: in a process of its own."""

import os
import shutil
import socket
import sys
from pathlib import Path

import pytest


def command() -> str:
    """Where `evidencegate` is: beside the Python that runs the tests, else on the path."""
    script = Path(sys.executable).parent / "evidencegate"
    found = str(script) if script.exists() else shutil.which("evidencegate")
    if found is None:
        pytest.fail('the command `evidencegate` is not installed; pip install ".[dev]"')
    return found


def clean_environment() -> dict[str, str]:
    """The variables of this process without those that set EvidenceGate."""
    return {name: value for name, value in os.environ.items() if not name.startswith("EVIDENCEGATE_")}


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def answers(port: int) -> bool:
    """Whether somebody listens on that port of this machine."""
    with socket.socket() as knocking:
        return knocking.connect_ex(("127.0.0.1", port)) == 0
