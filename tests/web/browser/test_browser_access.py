"""The pages for everybody: by rules (axe), by keyboard, without a script, on a phone, on paper, and after a pause."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_support import (
    ARTICLES,
    CHROMIUM,
    FLAGS,
    LIVE,
    PATIENCE,
    PHONE,
    QUESTION,
    Shown,
    Visit,
    ended,
    scrolls_sideways,
    sticking_out,
    words,
)
from playwright.sync_api import Page, Playwright, expect

from simulated import Fault, LiteratureService

FORMS = {
    "ask": "/",
    "ask filled": f"/?question={QUESTION}",
    "check": "/check",
    "check filled": "/check?example=yes",
    "counter": "/counter",
    "report": "/report",
    "libraries": "/libraries",
    "library": "/libraries/invented?q=bleeding",
    "library, nothing found": "/libraries/invented?q=",
    "anchors": "/anchors",
    "anchor pack": "/anchors/af_ckd_anticoagulation",
    "api": "/api",
    "no such page": "/nowhere",
    "no runs yet": "/runs",
}
RUNS = ("ask", "again", "live", "check", "counter", "report")
EVERYWHERE = [
    *FORMS,
    "understood",
    "outline",
    "refused",
    "runs",
    "compare",
    "source",
    "part of a long check",
    *(f"run {name}" for name in RUNS),
]


def open_named(name: str, visit: Visit, shown: Shown, **options: object) -> Page:
    """A page by its name here, as a visitor meets it; with everything that opens, open."""
    if name in FORMS:
        return visit(FORMS[name], **options)
    if name == "understood":
        page = visit(f"/?question={QUESTION}", **options)
        page.get_by_role("button", name="Read my question").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Is this what you ask?")
        return page
    if name == "outline":
        page = visit("/report?topic=Anticoagulation in atrial fibrillation", **options)
        page.get_by_role("button", name="Plan the sections").click()
        expect(page.get_by_label("Outline")).to_be_visible()
        return page
    if name == "refused":
        page = visit("/?question=What is the best pizza in Naples?", **options)
        page.get_by_role("button", name="Read my question").click()
        expect(page.get_by_role("alert")).to_be_visible()
        return page
    run = {key: path.rpartition("/")[2] for key, path in shown.pages.items()}
    paths = {
        "runs": "/runs",
        "compare": f"/runs/compare?a={run['ask']}&b={run['again']}",
        "source": f"/sources/{run['ask']}/pmid:900000001",
        "part of a long check": f"{shown.pages['long']}?part=2",
        **{f"run {key}": path for key, path in shown.pages.items()},
    }
    return visit(paths[name], cookies=shown.cookies, **options)


def findings(page: Page) -> str:
    """What axe has against a page; empty where it has nothing."""
    found = Axe().run(page)
    return str(found.generate_report()) if found.violations_count else ""


def open_everything(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")


@pytest.mark.parametrize("name", EVERYWHERE)
def test_a_page_is_for_everybody(name: str, visit: Visit, shown: Shown) -> None:
    page = open_named(name, visit, shown, reduced_motion="reduce")
    open_everything(page)

    # By the rules of WCAG, in light and in dark.
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert findings(page) == "", f"{name}, {scheme}"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(253, 253, 251)"  # dark is dark
    # On a phone, nothing scrolls sideways.
    page.set_viewport_size(PHONE)
    assert not scrolls_sideways(page), sticking_out(page)
    # On paper, there is nothing to press.
    page.emulate_media(media="print", color_scheme="light")
    controls = page.locator("button, input:not([type=hidden]), select, textarea, nav").all()
    assert [control.evaluate("e => e.outerHTML") for control in controls if control.is_visible()] == []
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    # For who hears it: one title, headings that go down by one, names that are unique, no word of the machine.
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(e => +e.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels)), levels
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids)), sorted(i for i in ids if ids.count(i) > 1)
    told = "\n".join(page.locator("h1, h2, h3, dd, td, .soft").all_inner_texts())
    assert re.findall(r"\b(?:undefined|None|NaN|Traceback)\b|\[object|\{\{|\}\}", told) == []


def _tab_to(page: Page, wanted: str, most: int = 80) -> None:
    """Press Tab until what has the focus matches a selector; every stop on the way can be seen."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", wanted):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", f"the focus on {wanted} cannot be seen"
            return
    raise AssertionError(f"{wanted} is not reached by {most} presses of Tab")


def test_from_the_question_to_the_highlighted_quote_by_keyboard_alone(visit: Visit) -> None:
    page = visit("/", reduced_motion="reduce")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    _tab_to(page, "#question")
    page.keyboard.type(QUESTION)
    _tab_to(page, "button[value=read]")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Is this what you ask?")
    _tab_to(page, "input[name=offline]")
    page.keyboard.press("Space")
    _tab_to(page, "button[value=search]")
    page.keyboard.press("Enter")

    ended(page)
    _tab_to(page, "details.cite > summary")
    page.keyboard.press("Enter")
    opened = page.locator("details.cite[open]")
    quote = words(opened.locator("blockquote").inner_text())
    _tab_to(page, "details.cite[open] figcaption a", most=1)
    page.keyboard.press("Enter")
    mark = page.locator("mark#quote")
    expect(mark).to_be_in_viewport()
    assert words(mark.inner_text()) == quote


def test_without_a_script_a_question_is_asked_and_read(visit: Visit) -> None:
    page = visit("/", java_script_enabled=False)
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("button", name="Read my question").click()
    page.get_by_label("Ask nobody").check()
    page.get_by_role("button", name="Search the evidence").click()

    expect(page.get_by_role("heading", name="Answer", exact=True)).to_be_visible()
    citation = page.locator("details.cite").filter(has_text="Invented").first
    citation.locator("summary").click()
    citation.get_by_role("link", name="Show it in its text").click()
    expect(page.locator("mark#quote")).to_be_visible()
    assert words(page.locator("mark#quote").inner_text()) in {
        part for article in ARTICLES for part in _sentences(words(str(article["abstract"])))
    }


def _sentences(text: str) -> Iterator[str]:
    ends = [0, *(match.end() for match in re.finditer(r"\.\s", text)), len(text)]
    yield from (text[a:b].strip() for i, a in enumerate(ends) for b in ends[i + 1 :])


def test_without_a_script_a_working_run_says_what_happened_and_looks_again(
    visit: Visit, service: LiteratureService
) -> None:
    service.fail("pubmed", Fault.SILENCE)
    page = visit(f"/?question={LIVE}", java_script_enabled=False)
    page.get_by_role("button", name="Read my question").click()
    page.get_by_role("button", name="Search the evidence").click()

    expect(page.get_by_role("list", name="Steps")).to_contain_text("Europe PMC: ok", ignore_case=True)
    expect(page.get_by_role("link", name="Look now")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("heading", name="It was stopped")).to_be_visible()


def test_a_browser_closed_in_the_middle_of_a_run_finds_it_when_it_is_opened_again(
    playwright: Playwright, address: str, service: LiteratureService, tmp_path_factory: pytest.TempPathFactory
) -> None:
    service.fail("pubmed", Fault.SILENCE)
    profile = tmp_path_factory.mktemp("profile")

    def opened() -> tuple[object, Page]:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=FLAGS, base_url=address
        )
        context.set_default_timeout(PATIENCE)
        return context, context.new_page()

    context, page = opened()
    page.goto(f"/?question={LIVE}")
    page.get_by_role("button", name="Read my question").click()
    page.get_by_role("button", name="Search the evidence").click()
    expect(page.get_by_role("heading", name="At work")).to_be_visible()
    context.close()

    context, page = opened()
    page.goto("/runs")
    page.get_by_role("link", name=LIVE).click()
    expect(page.get_by_role("heading", name="At work")).to_be_visible()
    expect(page.get_by_role("list", name="Steps")).to_contain_text("Europe PMC")
    service.recover()
    ended(page)
    expect(page.get_by_role("heading", name="Answer", exact=True)).to_be_visible()
    context.close()


def test_progress_is_told_to_who_cannot_see_it(visit: Visit, service: LiteratureService) -> None:
    service.fail("pubmed", Fault.SILENCE)
    page = visit(f"/?question={LIVE}")
    page.get_by_role("button", name="Read my question").click()
    page.get_by_role("button", name="Search the evidence").click()

    live = page.get_by_role("status")
    expect(live).to_have_attribute("aria-live", "polite")
    expect(live).not_to_be_empty()
    assert findings(page) == ""
    page.get_by_role("button", name="Stop").click()
    ended(page)
    assert findings(page) == ""


def test_a_long_check_is_read_part_by_part_without_a_script(visit: Visit, shown: Shown) -> None:
    page = visit(shown.pages["long"], cookies=shown.cookies, java_script_enabled=False)
    parts = page.get_by_role("navigation", name=re.compile("^Part 1 of 3"))
    expect(parts.get_by_role("link", name=re.compile("^Part 1 "))).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("heading", name=re.compile("^Claims 1 to "))).to_be_visible()

    page.get_by_role("link", name="Go on with part 2").click()
    expect(page.get_by_role("heading", name="Part 2 of 3")).to_be_in_viewport()
    first = page.locator(".checked .claim > a").first
    wanted = first.get_attribute("href") or ""
    first.click()
    expect(page.locator(f"{wanted}:target")).to_be_in_viewport()
    page.locator(wanted).get_by_role("link", name="Show it in its text").click()
    expect(page.locator("mark#quote")).to_be_in_viewport()
    page.get_by_role("link", name="Back to the run").click()
    expect(page.get_by_role("heading", name="Part 2 of 3")).to_be_visible()

    page.get_by_role("navigation", name=re.compile("^Part 2 of 3")).get_by_role("link", name="Sources").click()
    expect(page.get_by_role("heading", name="Checked against")).to_be_visible()
    expect(page.get_by_role("link", name="Go on with")).to_have_count(0)
