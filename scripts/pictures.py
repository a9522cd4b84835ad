"""Takes the pictures of docs/doors.md: the main pages, light and dark, wide and on a phone.

    python3 -m pip install ".[dev]" pillow && python3 scripts/pictures.py

Needs Chromium of the system's packages. The articles are invented and say so; nothing is asked over the network.
"""

import io
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import APIRequestContext, Browser, Page, sync_playwright

OUT = Path(__file__).parents[1] / "docs" / "pictures"
MOST_BYTES = 150_000
WIDE = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 780}
_PATIENCE = 120_000

QUESTION = "Zelfaban versus warfarin in atrial fibrillation: which causes less major bleeding?"
CLAIM = "Macrolides interact with statins via CYP3A4, leading to increased statin exposure and myopathy risk."
TOPIC = "Anticoagulation in atrial fibrillation with chronic kidney disease"
TEXT = (
    "Zelfaban reduced major bleeding compared with warfarin in patients with atrial fibrillation (HR 0.26). Stroke did "
    "not differ between the groups. Most patients preferred zelfaban."
)

# Nobody wrote these, and nothing in them was ever measured.
ARTICLES: tuple[dict[str, Any], ...] = (
    {
        "pmid": "900000001",
        "title": "Zelfaban or warfarin in atrial fibrillation: an invented randomised trial",
        "abstract": (
            "Patients with atrial fibrillation were randomised to zelfaban or warfarin. Zelfaban reduced major "
            "bleeding compared with warfarin in patients with atrial fibrillation (HR 0.62, 95% CI 0.48-0.80; "
            "p<0.001). Stroke did not differ between the groups (HR 0.97, 95% CI 0.80-1.18)."
        ),
        "authors": ["Invented A", "Invented B", "Invented C"],
        "journal": "Journal of Invented Trials",
        "year": 2025,
        "publication_types": ["Randomized Controlled Trial"],
    },
    {
        "pmid": "900000002",
        "title": "Zelfaban and warfarin in atrial fibrillation: an invented systematic review",
        "abstract": (
            "Six invented trials with 9,120 patients were included. Zelfaban was associated with less major bleeding "
            "than warfarin in atrial fibrillation (RR 0.70, 95% CI 0.58-0.85; I2=18%)."
        ),
        "authors": ["Invented D"],
        "journal": "Invented Systematic Reviews",
        "year": 2026,
        "publication_types": ["Systematic Review", "Meta-Analysis"],
    },
    {
        "pmid": "900000003",
        "title": "Bleeding with zelfaban in everyday care: an invented cohort with atrial fibrillation",
        "abstract": (
            "We followed 9,000 people. Zelfaban did not reduce major bleeding compared with warfarin in patients with "
            "atrial fibrillation (HR 1.01, 95% CI 0.92-1.11)."
        ),
        "authors": ["Invented E", "Invented F"],
        "journal": "Annals of Invented Cohorts",
        "year": 2024,
        "publication_types": ["Observational Study"],
    },
    {
        "pmid": "900000004",
        "title": "Azithromycin with statins: an invented cohort study",
        "abstract": (
            "In our large cohort study, azithromycin co-prescription with statins showed no significant increase in "
            "myopathy risk (RR 1.02, 95% CI 0.95-1.09)."
        ),
        "authors": ["Invented G"],
        "journal": "Annals of Invented Cohorts",
        "year": 2023,
        "publication_types": ["Observational Study"],
    },
    {
        "pmid": "900000005",
        "title": "Clarithromycin and simvastatin: an invented series of cases",
        "abstract": "Clarithromycin increases simvastatin exposure >5-fold and caused rhabdomyolysis in 14 cases.",
        "authors": ["Invented H"],
        "journal": "Invented Case Reports",
        "year": 2021,
        "publication_types": ["Case Reports"],
    },
)
_LIBRARY = {"libraries": ["invented"], "sources": [], "offline": True}
RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "ask": ("ask", {"question": QUESTION, **_LIBRARY}),
    "check": (
        "check",
        {
            "text": TEXT,
            "texts": [{"name": ARTICLES[0]["title"], "text": ARTICLES[0]["abstract"]}],
            "offline": True,
        },
    ),
    "counter": ("counter", {"text": CLAIM, **_LIBRARY}),
    "report": ("report", {"topic": TOPIC, "offline": True}),
}


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: which page, in which light, how wide, and what is done to it first."""

    name: str
    page: str
    """A path; `{ask}` and the like stand for the id of that run."""
    scheme: Literal["light", "dark"] = "light"
    phone: bool = False
    focus: str = ""
    """What has the focus."""
    open: str = ""
    """What is opened by a press."""
    to: str = ""
    """What the picture begins with."""


PICTURES = (
    Picture("question", f"/?question={QUESTION}", open="button[value=read]"),
    Picture("answer", "/runs/{ask}", open="details.cite summary"),
    Picture("answer-dark", "/runs/{ask}", "dark", open="details.cite summary"),
    Picture("answer-phone", "/runs/{ask}", phone=True, open="details.cite summary"),
    Picture("references", "/runs/{ask}", to="#references"),
    Picture("source", "/sources/{ask}/pmid:900000001"),
    Picture("check", "/runs/{check}", focus=".claim.incorrect > a, .claim.uncertain > a"),
    Picture("check-phone-dark", "/runs/{check}", "dark", phone=True),
    Picture("counter", "/runs/{counter}"),
    Picture("counter-dark", "/runs/{counter}", "dark"),
    Picture("report", "/runs/{report}"),
    Picture("runs-phone", "/runs", phone=True),
)


def main() -> None:
    """Take every picture anew."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        sys.exit("no Chromium here; install it with: apt-get install chromium")
    OUT.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="evidencegate-pictures-") as home, sync_playwright() as playwright:
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-lcd-text", "--hide-scrollbars"]
        browser = playwright.chromium.launch(executable_path=chromium, args=flags)
        with serving(Path(home)) as address:
            context = browser.new_context(base_url=address)
            runs = ended_runs(context.request)
            cookies: Any = context.storage_state()
            for picture in PICTURES:
                size = save(take(browser, address, cookies, picture, runs), OUT / f"{picture.name}.png")
                sys.stdout.write(f"{picture.name}.png {size:,} bytes\n")
        browser.close()


@contextmanager
def serving(home: Path) -> Iterator[str]:
    """The address of a server over a library of the invented articles."""
    command = str(Path(sys.executable).parent / "evidencegate")
    own = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CACHE_HOME": str(home / "cache")}
    environment = {**os.environ, **own}
    (home / "articles.jsonl").write_text("\n".join(map(json.dumps, ARTICLES)), encoding="utf-8")
    add = [command, "library", "add", "articles.jsonl", "--library", "invented"]
    subprocess.run(add, cwd=home, env=environment, check=True, stdout=subprocess.DEVNULL)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    serve = [command, "serve", "--offline", "--library", "invented", "--port", str(port)]
    with subprocess.Popen(serve, cwd=home, env=environment) as process:
        try:
            while process.poll() is None and not _answers(port):
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _answers(port: int) -> bool:
    with socket.socket() as knocking:
        return knocking.connect_ex(("127.0.0.1", port)) == 0


def ended_runs(client: APIRequestContext) -> dict[str, str]:
    """One run of each kind, asked for by the visitor whose cookie `client` has, and ended: kind to id."""
    client.get("/")
    begun = {}
    for kind, (call, inputs) in RUNS.items():
        begun[kind] = client.post(f"/api/v1/{call}", data=inputs).json()["run"]["id"]
    for kind, run in begun.items():
        while (status := client.get(f"/api/v1/runs/{run}").json()["run"]["status"]) in ("queued", "running"):
            time.sleep(0.3)
        if status != "done":
            sys.exit(f"the run of {kind} is {status}: there is nothing to take a picture of")
    return begun


def take(browser: Browser, address: str, cookies: Any, picture: Picture, runs: dict[str, str]) -> bytes:
    """The first screen of a page, or the one that begins at `picture.to`, as PNG."""
    context = browser.new_context(
        base_url=address,
        storage_state=cookies,
        color_scheme=picture.scheme,
        reduced_motion="reduce",
        viewport=PHONE if picture.phone else WIDE,  # type: ignore[arg-type]  # a plain dict will do
        device_scale_factor=2 if picture.phone else 1,
    )
    context.set_default_timeout(_PATIENCE)
    page: Page = context.new_page()
    page.goto(picture.page.format(**runs))
    if picture.open:
        page.locator(picture.open).first.click()
        page.wait_for_load_state()
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur()")
    if picture.focus:
        page.locator(picture.focus).first.focus()
    if picture.to:
        page.locator(picture.to).first.evaluate("one => one.scrollIntoView()")
    # A short page is shown as short as it is.
    height = min(page.viewport_size["height"], page.evaluate("document.body.offsetHeight"))  # type: ignore[index]
    width = page.viewport_size["width"]  # type: ignore[index]
    taken = page.screenshot(clip={"x": 0, "y": 0, "width": width, "height": height})
    context.close()
    return taken


def save(png: bytes, place: Path) -> int:
    """Write a picture with as many colours as fit, and say how large it is."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    for colours in (256, 128, 64, 32, 16):
        image.quantize(colours, dither=Image.Dither.NONE).save(place, optimize=True)
        if place.stat().st_size <= MOST_BYTES:
            return place.stat().st_size
    sys.exit(f"{place.name} stays above {MOST_BYTES:,} bytes; take a smaller part of the page")


if __name__ == "__main__":
    main()
