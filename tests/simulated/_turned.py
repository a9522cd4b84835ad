"""This process, turned towards what is simulated."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from evidencegate.settings import load
from simulated._server import LiteratureService


@contextmanager
def set_to(patch: pytest.MonkeyPatch, variables: Mapping[str, str]) -> Iterator[None]:
    """These variables in `patch`, and the settings read anew: with them now, without them afterwards."""
    for name, value in variables.items():
        patch.setenv(name, value)
    load.cache_clear()
    yield
    load.cache_clear()


@contextmanager
def turned_to(service: LiteratureService, folder: Path, patch: pytest.MonkeyPatch) -> Iterator[LiteratureService]:
    """Every service asked is `service`, and what is kept is kept in `folder`."""
    own = {"EVIDENCEGATE_DATA_DIR": str(folder / "data")}
    with set_to(patch, {**service.environment(folder / "cache"), **own}):
        yield service
