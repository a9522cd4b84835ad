import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp_support import ARTICLES

from evidencegate.settings import load
from simulated import LiteratureService


@pytest.fixture(scope="session")
def shelved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of two invented articles."""
    from evidencegate.library import Library

    place = tmp_path_factory.mktemp("mcp")
    (place / "articles.jsonl").write_text("\n".join(map(json.dumps, ARTICLES)), encoding="utf-8")
    Library(place / "invented").add([place / "articles.jsonl"])
    return place / "invented"


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
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    load.cache_clear()
    yield tmp_path
    load.cache_clear()
