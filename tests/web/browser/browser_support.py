"""What the browser tests share: invented articles, the server as installed, and how its pages are looked at."""

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

import installed
from invented import COHORT, TRIAL

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE = {"width": 360, "height": 740}
PATIENCE = 90_000
"""Milliseconds: a browser, a server and models share two cores, and nothing here measures them."""

RUNS_AT_ONCE = 2

QUESTION = "Does zelfaban reduce major bleeding compared with warfarin in atrial fibrillation?"
LIVE = "Does apixaban cause less major bleeding than warfarin in atrial fibrillation with chronic kidney disease?"
"""Asked of the simulated services."""
CLAIM = "Zelfaban reduces major bleeding compared with warfarin in patients with atrial fibrillation."
TOPIC = "Anticoagulation in atrial fibrillation with chronic kidney disease"

LONG = " ".join(
    f"Zelfaban reduced major bleeding compared with warfarin (HR 0.{62 + n % 3}) in stratum {n}." for n in range(90)
)
"""More claims than one page shows."""

# Invented: no such drug, trial or person exists.
ARTICLES: tuple[dict[str, Any], ...] = (
    TRIAL,
    {
        **COHORT,
        "abstract": (
            "We followed 9,000 people. Zelfaban did not reduce major bleeding compared with warfarin in patients with "
            "atrial fibrillation (HR 1.01, 95% CI 0.92-1.11)."
        ),
    },
    {
        "pmid": "900000003",
        "title": "Zelfaban <script>alert('a title is text')</script> & stroke: an invented registry",
        "abstract": "In an invented registry of atrial fibrillation, zelfaban and warfarin prevented stroke alike.",
        "authors": ["Invented D"],
        "journal": "Invented Registry Reports",
        "year": 2022,
        "publication_types": ["Observational Study"],
    },
)
ADDED = {
    "pmid": "900000009",
    "title": "Zelfaban in dialysis: an invented trial that came later",
    "abstract": "Zelfaban was not inferior to warfarin in invented patients on dialysis with atrial fibrillation.",
    "authors": ["Invented E"],
    "journal": "Journal of Invented Trials",
    "year": 2025,
}


Visit = Callable[..., Page]
"""Opens a path: `visit(path, cookies=…, **options of a browser context)`."""


@contextmanager
def serving(environment: Mapping[str, str], *options: str | Path) -> Iterator[str]:
    """The address of `evidencegate serve`, as installed, on a free port."""
    port = installed.free_port()
    command = [installed.command(), "serve", "--port", str(port), *map(str, options)]
    with subprocess.Popen(command, env=dict(environment), stdout=subprocess.DEVNULL) as process:
        try:
            while not installed.answers(port):
                assert process.poll() is None, "the server did not start"
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=60)


@dataclass(frozen=True, slots=True)
class Shown:
    """Runs of one visitor, ended, with the cookie that shows them."""

    cookies: Any
    pages: Mapping[str, str]
    """Name to path."""


def ended(page: Page) -> Page:
    """Wait until the run on this page has ended, and its result (or that it was stopped) is shown."""
    page.wait_for_function("() => !document.querySelector('[data-events]') && document.querySelector('h1')")
    return page


def scrolls_sideways(page: Page) -> bool:
    """Whether the page is wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


def sticking_out(page: Page) -> list[str]:
    """The elements that reach beyond the window, where nothing around them scrolls."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('main *')].filter(e => {
            const r = e.getBoundingClientRect();
            return r.width && r.right > document.documentElement.clientWidth + 1 && !e.closest('.scroll, pre, .unseen');
        }).slice(0, 5).map(e => e.outerHTML.slice(0, 120))"""
    )
    return found


def words(text: str) -> str:
    """A text with its white space folded."""
    return re.sub(r"\s+", " ", text).strip()
