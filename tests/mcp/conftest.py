from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp_support import ARTICLES

from invented import make_library
from simulated import LiteratureService, set_to


@pytest.fixture(scope="session")
def shelved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of two invented articles."""
    return make_library(tmp_path_factory.mktemp("mcp") / "invented", *ARTICLES)


@pytest.fixture
def service() -> Iterator[LiteratureService]:
    with LiteratureService() as service:
        yield service


@pytest.fixture
def environment(tmp_path: Path, service: LiteratureService) -> dict[str, str]:
    """A home of its own, with every service on this machine."""
    own = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "NO_COLOR": "1"}
    return {**service.environment(tmp_path / "cache"), **own, "EVIDENCEGATE_ATTEMPTS": "1"}


@pytest.fixture
def home(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """This process in that home."""
    with set_to(monkeypatch, environment):
        yield tmp_path
