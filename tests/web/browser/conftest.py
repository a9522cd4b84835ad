"""One browser and one server for all tests of the pages. Nothing leaves this machine."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import installed
from simulated import LiteratureService

pytest.importorskip("playwright", reason='the browser tests drive a browser: pip install ".[dev]"')

from browser_support import (
    ADDED,
    ARTICLES,
    CHROMIUM,
    CLAIM,
    FLAGS,
    LIVE,
    LONG,
    PATIENCE,
    QUESTION,
    RUNS_AT_ONCE,
    TOPIC,
    Shown,
    Visit,
    serving,
)
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from invented import make_library

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage


expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests in a browser last: Playwright keeps a loop running in this thread, in which no other can run."""
    here = Path(__file__).parent
    items.sort(key=lambda item: here in item.path.parents)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    if CHROMIUM is None:
        pytest.skip("no chromium, chromium-browser or google-chrome here; apt-get install chromium")
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def literature() -> Iterator[LiteratureService]:
    with LiteratureService() as service:
        yield service


@pytest.fixture
def service(literature: LiteratureService) -> Iterator[LiteratureService]:
    """The simulated services, well again after each test."""
    yield literature
    literature.recover()


@pytest.fixture(scope="session")
def address(literature: LiteratureService, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("browser")
    invented = make_library(home / "invented", *ARTICLES)
    growing = make_library(home / "growing", ADDED | {"pmid": "900000008", "title": "Zelfaban in children, invented"})
    own = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "EVIDENCEGATE_CACHE_DAYS": "0"}
    # A service that falls silent keeps a run at work long enough, and is asked again soon after it is well.
    own |= {"EVIDENCEGATE_READ_SECONDS": "5", "EVIDENCEGATE_ATTEMPTS": "10", "EVIDENCEGATE_SOURCE_SECONDS": "300"}
    environment = {**installed.clean_environment(), **literature.environment(home / "cache"), **own}
    options = ("--library", invented, "--library", growing, "--state", home / "state", "--max-jobs", str(RUNS_AT_ONCE))
    with serving(environment, *options) as address:
        yield address


@pytest.fixture(scope="session")
def shown(browser: Browser, address: str) -> Shown:
    """One run of each kind, asked for as programs do, by a visitor with a cookie of their own."""
    context = browser.new_context(base_url=address)
    ask = context.request
    ask.get("/")
    library = {"libraries": ["invented"], "sources": [], "offline": True}
    wanted: dict[str, tuple[str, dict[str, Any]]] = {
        "ask": ("ask", {"question": QUESTION, **library}),
        "again": ("ask", {"question": QUESTION, "offline": True}),
        "live": ("ask", {"question": LIVE}),
        "check": (
            "check",
            {
                "text": "Zelfaban reduced major bleeding (HR 0.26). It did not change stroke. Patients liked it.",
                "texts": [{"name": "An invented trial", "text": ARTICLES[0]["abstract"]}],
                "offline": True,
            },
        ),
        "long": ("check", {"text": LONG, "texts": [{"name": "An invented trial", "text": ARTICLES[0]["abstract"]}]}),
        "counter": ("counter", {"text": CLAIM, **library}),
        "report": ("report", {"topic": TOPIC, "outline": ["Efficacy", "Safety"], "offline": True}),
    }
    begun = {
        name: ask.post(f"/api/v1/{call}", data=inputs).json()["run"]["id"] for name, (call, inputs) in wanted.items()
    }
    for name, run in begun.items():
        while (told := ask.get(f"/api/v1/runs/{run}").json()["run"])["status"] in ("queued", "running"):
            time.sleep(0.2)
        assert told["status"] == "done", (name, told)
    pages = {name: f"/runs/{run}" for name, run in begun.items()}
    state = context.storage_state()
    context.close()
    return Shown(cookies=state, pages=pages)


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Opens pages as a new visitor, or as the one with `cookies`; what goes wrong on a page fails the test."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def open_page(path: str = "/", *, cookies: Any = None, **options: Any) -> Page:
        context = browser.new_context(base_url=address, storage_state=cookies, accept_downloads=True, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        watch(page, address, wrong)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def watch(page: Page, address: str, wrong: list[str]) -> None:
    """Note scripts that fail, policies that are broken, and requests that would leave the server."""

    def said(message: "ConsoleMessage") -> None:
        # A page that says 404 or 422 is told as a failure to load; what it loads itself must be there.
        own = message.text.startswith("Failed to load") and message.location["url"] == page.url
        if message.type in ("error", "warning") and not own:
            wrong.append(f"{page.url}: {message.text}")

    page.on("console", said)
    page.on("pageerror", lambda error: wrong.append(f"{page.url}: {error}"))
    page.on("dialog", lambda dialog: wrong.append(f"{page.url}: a dialog, {dialog.message}"))
    page.on(
        "request",
        lambda request: None if request.url.startswith((address, "data:")) else wrong.append(f"asked {request.url}"),
    )


@pytest.fixture
def downloads(tmp_path: Path) -> Path:
    place = tmp_path / "downloads"
    place.mkdir()
    return place
