"""Fixtures of the web door."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pages_support import Site, opened_site
from web_support import MakeClient

from evidencegate.web import WebSettings, create_app
from simulated import LiteratureService, turned_to


@pytest.fixture
def make_client(tmp_path: Path) -> Iterator[MakeClient]:
    """Clients of applications that ask nothing over the network, each in a state directory of its own."""
    with ExitStack() as stack:

        def make(**settings: Any) -> TestClient:
            number = len(list(tmp_path.glob("state-*")))
            given = {"state_dir": tmp_path / f"state-{number}", "offline": True, **settings}
            client = TestClient(create_app(WebSettings.of(**given)), base_url="http://127.0.0.1:8765")
            return stack.enter_context(client)

        yield make


@pytest.fixture
def client(make_client: MakeClient) -> TestClient:
    """A client of an application that asks nothing over the network."""
    return make_client()


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiteratureService]:
    """This process, turned towards the simulated services."""
    with LiteratureService() as running, turned_to(running, tmp_path, monkeypatch):
        yield running


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with a small library and a run of every kind, made once."""
    with opened_site(tmp_path_factory.mktemp("site")) as opened:
        yield opened
