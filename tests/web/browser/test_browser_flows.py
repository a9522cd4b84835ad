"""Every page and every flow, in a real browser."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

from browser_support import ADDED, ARTICLES, CLAIM, LIVE, QUESTION, RUNS_AT_ONCE, TOPIC, Shown, Visit, ended, words
from playwright.sync_api import Page, expect

from simulated import Fault, LiteratureService


def _only_library(page: Page, name: str = "invented") -> None:
    for box in page.get_by_role("group", name="Where to look").get_by_role("checkbox").all():
        label = words(box.evaluate("e => e.parentElement.textContent"))
        box.set_checked(label == name)


def test_a_question_is_read_corrected_searched_and_proved(visit: Visit, downloads: Path) -> None:
    page = visit("/")
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("button", name="Read my question").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Is this what you ask?")
    expect(page.get_by_label("Intervention", exact=True)).to_have_value(re.compile("zelfaban", re.IGNORECASE))
    page.get_by_label("Population").fill("invented adults with atrial fibrillation")
    page.get_by_label("Add a condition").fill("chronic kidney disease")
    page.get_by_role("button", name="Read it again with my changes").click()
    expect(page.get_by_label("Population")).to_have_value("invented adults with atrial fibrillation")
    expect(page.get_by_role("checkbox", name=re.compile("kidney", re.IGNORECASE)).first).to_be_checked()
    _only_library(page)
    page.get_by_role("button", name="Search the evidence").click()

    ended(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTION)
    expect(page.get_by_role("heading", name="What contradicts this")).to_be_visible()
    assert "Changed by you" in page.locator("main").inner_text()
    citation = page.locator("details.cite").filter(has_text="Invented A").first
    citation.locator("summary").click()
    quote = words(citation.locator("blockquote").inner_text())
    assert quote in words(str(ARTICLES[0]["abstract"]))
    citation.get_by_role("link", name="Show it in its text").click()
    mark = page.locator("mark#quote")
    expect(mark).to_be_in_viewport()
    assert words(mark.inner_text()) == quote
    assert words(page.locator("#source-text").inner_text()) == words(str(ARTICLES[0]["abstract"]))
    page.get_by_role("link", name="Back to the run").click()

    for name, holds in (("JSON", "evidencegate/1"), ("Markdown", QUESTION), ("RIS", "TY  -")):
        with page.expect_download() as started:
            page.get_by_role("link", name=name, exact=False).first.click()
        saved = downloads / started.value.suggested_filename
        started.value.save_as(saved)
        assert holds in saved.read_text("utf-8")


def test_a_title_from_outside_is_text(visit: Visit, shown: Shown) -> None:
    page = visit(shown.pages["ask"], cookies=shown.cookies)

    page.goto("/libraries/invented?q=zelfaban stroke registry")

    expect(page.get_by_text("<script>alert('a title is text')</script>", exact=False)).to_be_visible()


def test_a_text_is_checked_with_its_marks_in_place(visit: Visit) -> None:
    page = visit("/check")
    page.get_by_role("region", name="For example").get_by_role("link").click()
    page.get_by_role("button", name="Check the text").click()

    ended(page)
    claims = page.locator(".checked .claim > a")
    expect(claims.first).to_be_visible()
    wrong = page.locator(".checked .claim.incorrect > a, .checked .claim.uncertain > a").first
    wrong.focus()
    shown = page.locator(".claim > a:focus + .pop")
    expect(shown).to_be_visible()
    expect(shown).to_contain_text(re.compile("incorrect|uncertain", re.IGNORECASE))
    expect(page.locator("main")).to_contain_text("0.62")
    wrong.press("Enter")
    expect(page.locator(".cards > li:target")).to_be_in_viewport()


def test_a_file_is_checked_against_a_file(visit: Visit, tmp_path: Path) -> None:
    text, source = tmp_path / "text.md", tmp_path / "source.txt"
    text.write_text("Zelfaban reduced major bleeding compared with warfarin (HR 0.26).", "utf-8")
    source.write_text(str(ARTICLES[0]["abstract"]), "utf-8")
    page = visit("/check")
    page.get_by_label("Or a file").set_input_files(text)
    page.get_by_label("Source files").set_input_files(source)
    page.get_by_role("button", name="Check the text").click()

    ended(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("1 claim")
    expect(page.locator("main")).to_contain_text("0.62")


def test_a_passage_is_dismissed_by_a_reader_and_the_reason_is_shown(visit: Visit) -> None:
    page = visit("/counter")
    page.get_by_label("Claim, or a text that makes some").fill(CLAIM)
    _only_library(page)
    page.get_by_role("button", name="Search for the opposite").click()

    ended(page)
    accepted = page.get_by_role("region", name=re.compile("^Accepted"))
    passage = accepted.get_by_role("article").filter(has_text="Annals of Invented Cohorts").first
    expect(passage).to_contain_text("Passage (literal)")
    expect(passage).to_contain_text("Summary (our interpretation)")
    assert "Zelfaban did not reduce major bleeding" in words(passage.locator("blockquote").inner_text())
    rejected = page.get_by_role("region", name=re.compile("^Rejected"))
    expect(rejected).to_contain_text("Why it was rejected")
    first = page.url
    passage.locator("details.overrule summary").click()
    passage.get_by_role("textbox").fill("It is a cohort, and confounded.")
    passage.get_by_role("button", name="Dismiss").click()

    ended(page)
    assert page.url != first
    expect(page.get_by_role("status")).to_contain_text("Your decision is recorded")
    expect(page.get_by_role("heading", name="Dismissed by a reader")).to_be_visible()
    expect(page.locator("main")).to_contain_text("It is a cohort, and confounded.")


def test_a_report_has_the_sections_of_its_edited_outline(visit: Visit) -> None:
    page = visit("/report")
    page.get_by_label("Topic or question").fill(TOPIC)
    page.get_by_role("button", name="Plan the sections").click()
    outline = page.get_by_label("Outline")
    expect(outline).to_have_value(re.compile(r"\S"))
    page.get_by_label("Outline").fill("Stroke and systemic embolism\nMajor bleeding")
    page.get_by_label("Ask nobody").check()
    for source in ("PubMed", "Europe PMC", "ClinicalTrials.gov"):
        page.get_by_label(source, exact=True).uncheck()
    page.get_by_role("button", name="Write the report").click()

    ended(page)
    contents = page.get_by_role("navigation", name="Contents")
    expect(contents.get_by_role("link", name="1. Stroke and systemic embolism")).to_be_visible()
    contents.get_by_role("link", name="2. Major bleeding").click()
    expect(page.get_by_role("heading", name="2. Major bleeding")).to_be_in_viewport()
    for heading in ("Abstract", "What contradicts this", "Limitations", "References"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()


def test_a_run_is_stopped_and_taken_up_again(visit: Visit, service: LiteratureService) -> None:
    service.fail("pubmed", Fault.SILENCE)
    page = visit(f"/?question={LIVE}")
    page.get_by_role("button", name="Read my question").click()
    page.get_by_role("button", name="Search the evidence").click()

    expect(page.get_by_role("heading", name="At work")).to_be_visible()
    expect(page.get_by_role("list", name="Steps")).to_contain_text("Europe PMC")
    expect(page.locator("#progress-live")).not_to_be_empty()
    page.get_by_role("button", name="Stop").click()
    ended(page)
    expect(page.get_by_role("heading", name="It was stopped")).to_be_visible()

    service.recover()
    page.get_by_role("button", name="Take it up again").click()
    ended(page)
    expect(page.get_by_role("heading", name="Answer", exact=True)).to_be_visible()
    expect(page.locator("main")).to_contain_text("PubMed")


def test_a_run_that_waits_says_so_and_says_when_it_begins(visit: Visit, service: LiteratureService) -> None:
    service.fail("pubmed", Fault.SILENCE)
    pages = []
    for _ in range(RUNS_AT_ONCE + 1):
        page = visit(f"/?question={LIVE}")
        page.get_by_role("button", name="Read my question").click()
        page.get_by_role("button", name="Search the evidence").click()
        pages.append(page)
    *working, waiting = pages
    expect(working[0].get_by_role("heading", name="At work")).to_be_visible()
    expect(waiting.get_by_role("heading", name="Waiting in the queue")).to_be_visible()

    working[0].get_by_role("button", name="Stop").click()

    expect(waiting.get_by_role("heading", name="At work")).to_be_visible()
    for page in (*working[1:], waiting):
        page.get_by_role("button", name="Stop").click()
        ended(page)


def test_open_articles_are_read_as_a_whole_where_that_is_ticked(visit: Visit) -> None:
    page = visit(f"/?question={LIVE}")
    page.get_by_role("button", name="Read my question").click()
    whole = page.get_by_role("checkbox", name="Read open articles as a whole")
    expect(whole).not_to_be_checked()
    expect(whole).to_have_accessible_description(re.compile("up to five that are open .* takes longer"))
    whole.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Read it again with my changes").click()
    expect(whole).to_be_checked()
    page.get_by_role("button", name="Search the evidence").click()

    ended(page)
    expect(page.get_by_role("region", name="This run")).to_contain_text("read as a whole")
    kept = page.request.get(f"/api/v1{urlsplit(page.url).path}?brief=true").json()
    assert kept["run"]["inputs"]["full_text"] is True


def test_two_runs_are_compared_and_one_is_replayed(visit: Visit, shown: Shown) -> None:
    page = visit("/runs", cookies=shown.cookies)
    page.locator(f"input[name=a][value='{shown.pages['ask'].rpartition('/')[2]}']").check()
    page.locator(f"input[name=b][value='{shown.pages['again'].rpartition('/')[2]}']").check()
    page.get_by_role("button", name="Compare the two chosen").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("What changed in the evidence")
    expect(page.get_by_role("region", name="References")).to_contain_text("Gone:")

    page.goto(shown.pages["ask"])
    page.get_by_role("button", name="Replay from the ledger").click()
    expect(page.get_by_role("status")).to_contain_text("byte for byte")


def test_comparing_nothing_says_what_to_choose(visit: Visit, shown: Shown) -> None:
    page = visit("/runs", cookies=shown.cookies)
    response = page.request.get("/runs/compare")
    assert response.status == 422
    assert "Choose two runs" in response.text()


def test_a_library_is_searched_and_grows(visit: Visit, tmp_path: Path) -> None:
    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps(ADDED), "utf-8")
    page = visit("/libraries")
    page.get_by_role("link", name="growing").click()
    page.get_by_label("Files").set_input_files(more)
    page.get_by_role("button", name="Add to the library").click()
    expect(page.get_by_role("status")).to_contain_text("1 added")

    page.get_by_label("Search it").fill("zelfaban in dialysis")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("link", name=str(ADDED["title"]))).to_be_visible()


def test_anchor_packs_tell_how_they_were_confirmed(visit: Visit) -> None:
    page = visit("/anchors")
    page.get_by_role("rowheader").get_by_role("link").first.click()

    expect(page.get_by_text("Curated summary (our words)").first).to_be_visible()
    expect(page.locator("main")).to_contain_text("Confirmation")


def test_what_cannot_be_worked_on_is_said_beside_what_was_typed(visit: Visit) -> None:
    page = visit("/?question=What+is+the+best+pizza+in+Naples%3F")
    page.get_by_role("button", name="Read my question").click()

    expect(page.get_by_role("alert")).to_contain_text("medical")
    expect(page.get_by_label("Question")).to_have_value("What is the best pizza in Naples?")
    expect(page.get_by_label("Question")).to_have_attribute("aria-invalid", "true")
