"""The pages of runs: quotes stand where they are said to stand, exports can be read, nobody sees another's run."""

import io
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import rispy
from docx import Document as Word
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pages_support import ARTICLES, CLAIM, COMPARED, HTML, Page, Site, ended, get, result_of, send, token
from pybtex.database import parse_string
from pypdf import PdfReader
from web_support import MakeClient

from evidencegate.library import Library
from evidencegate.report.export import SUFFIXES

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60)
NASTY = st.sampled_from(
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "{{ 7 * 7 }}",
        "{% raw %}",
        "&lt;b&gt;",
        "'--></style>",
    ]
)
MARKUP = re.compile(r"<(script(?! src=\"/static)|img(?! class=\"flow\")|b\b|style)", re.IGNORECASE)


def main_text(page: Page) -> str:
    return " ".join(page.one("main")[1].split())


def citation_links(page: Page) -> list[str]:
    return [a["href"] for a, _ in page.all("a") if a.get("href", "").startswith("/sources/")]


def test_the_case_against_stands_beside_the_answer_at_the_same_rank(site: Site) -> None:
    page = site.page("ask")
    levels = {
        a["id"]: tag for tag, a, _ in page.elements if tag in ("h2", "h3") and a.get("id") in ("answer", "against")
    }

    assert levels == {"answer": "h2", "against": "h2"}
    against = result_of(site.client, site.runs["ask"])["contradictory"]
    assert against
    assert all(one["text"] in page.one("section", aria_labelledby="against")[1] for one in against)
    assert "Speaks against" in page.one("section", aria_labelledby="against")[1]


@pytest.mark.parametrize("kind", ["ask", "report"])
def test_every_sentence_opens_its_quote_and_every_reference_the_article(site: Site, kind: str) -> None:
    result = result_of(site.client, site.runs[kind])
    page = site.page(kind)
    quotes = [" ".join(text.split()) for _, text in page.all("blockquote")]

    for sentence in [*result["answer"]["sentences"], *result["contradictory"]]:
        for citation in sentence["citations"]:
            assert " ".join(citation["quote"]["text"].split()) in quotes
    links = {a.get("href") for a, _ in page.all("a")}
    assert {reference["url"] for reference in result["references"]} <= links
    assert len(page.all("li", id="ref-1")) == 1


@pytest.mark.parametrize("kind", ["ask", "report", "counter", "check"])
def test_a_citation_leads_to_its_words_marked_in_their_text(site: Site, kind: str) -> None:
    result = result_of(site.client, site.runs[kind])
    texts = {
        "check": [c["quote"]["text"] for c in result.get("claims", []) if c.get("quote")],
        "counter": [p["passage"] for c in result.get("claims", []) for p in c.get("accepted", [])],
    }.get(kind) or [
        c["quote"]["text"] for s in [*result["answer"]["sentences"], *result["contradictory"]] for c in s["citations"]
    ]
    links = list(dict.fromkeys(citation_links(site.page(kind))))
    shown = set()
    for link in links:
        page = get(site.client, link)
        marked = page.one("mark", id="quote")[1]
        assert marked in page.one("div", id="source-text")[1]
        shown |= {text for _, text in page.all("mark")}

    assert links
    assert set(texts) <= shown


def test_a_link_opens_at_the_very_quote_it_names(site: Site) -> None:
    result = result_of(site.client, site.runs["ask"])
    for sentence in result["answer"]["sentences"]:
        for citation in sentence["citations"]:
            quote = citation["quote"]
            link = f"/sources/{result['run']}/{citation['document']}?start={quote['start']}&end={quote['end']}"
            assert get(site.client, link).one("mark", id="quote")[1] == quote["text"]


def test_a_document_that_a_run_does_not_quote_is_not_shown(site: Site) -> None:
    run = site.runs["ask"].rpartition("/")[2]

    get(site.client, f"/sources/{run}/pmid:1", 422)
    get(site.client, f"/sources/{run}/..%2f..%2fetc%2fpasswd", 422)


def test_sufficiency_is_a_meter_that_says_its_figure(site: Site) -> None:
    result = result_of(site.client, site.runs["ask"])["sufficiency"]
    page = site.page("ask")

    assert page.one("p", id="sufficiency-said")[1] == f"{result['score']:.0f} of 100: {result['level']}."
    assert page.one("svg", class_="meter")[0]["aria-labelledby"] == "sufficiency-said"
    assert all(reason in main_text(page) for reason in result["reasons"])


def test_the_search_log_has_every_search_and_the_picture_its_words(site: Site) -> None:
    result = result_of(site.client, site.runs["ask"])
    page = site.page("ask")
    log = page.one("section", aria_labelledby="searches")[1]

    assert all(search["query"] in log for search in result["searches"])
    found = sum(result["flow"]["identified"].values())
    assert f"{found} identified" in page.one("img", class_="flow")[0]["alt"]
    picture = site.client.get(f"{site.runs['ask']}/flow.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")
    assert site.client.get(f"{site.runs['check']}/flow.svg", headers=HTML).status_code == 422


def test_marks_of_a_check_tell_verdicts_by_word_and_shape(site: Site) -> None:
    page = site.page("check")
    result = result_of(site.client, site.runs["check"])

    checked = next(text for a, text in page.all("div") if a.get("class") == "checked")
    assert "HR 0.52" in checked
    assert page.one("mark", class_="here")[1] == "0.52"
    for claim in result["claims"]:
        card = page.one("li", id=f"claim-{claim['id']}")
        assert claim["verdict"] in card[1].lower()
        link = page.one("a", href=f"#claim-{claim['id']}")
        note = page.one("span", id=link[0]["aria-describedby"])[1]
        assert claim["verdict"] in note
        if claim["quote"]:
            assert claim["quote"]["text"] in note
            assert claim["quote"]["text"] in card[1]
    assert "Numbers differ: HR 0.52 in the text, HR 0.62 in the source." in main_text(page)


def test_accepted_and_rejected_passages_stand_side_by_side_with_their_reasons(site: Site) -> None:
    page = site.page("counter")
    (claim,) = result_of(site.client, site.runs["counter"])["claims"]
    accepted = page.one("section", aria_labelledby=f"{claim['id']}-accepted")[1]
    rejected = page.one("section", aria_labelledby=f"{claim['id']}-rejected")[1]

    assert claim["accepted"]
    assert claim["rejected"]
    for passage in claim["accepted"]:
        assert passage["passage"] in accepted
        assert passage["metadata"] in accepted
        assert passage["summary"] in accepted
    assert "Passage (literal)" in accepted
    assert "Summary (our interpretation)" in accepted
    assert all(one["passage"] in rejected and one["reason"][1:] in rejected for one in claim["rejected"])


def test_a_reader_overrules_the_validator_and_it_is_recorded(site: Site) -> None:
    (claim,) = result_of(site.client, site.runs["counter"])["claims"]
    passage = claim["rejected"][0]
    fields = {"claim": claim["id"], "document": passage["document"], "accept": "yes"}
    unsaid = send(site.client, f"{site.runs['counter']}/overrule", {**fields, "note": " "})
    assert unsaid.status_code == 422
    assert "Say why" in Page(unsaid.text).one("div", id="problem")[1]

    path = ended(
        site.client, send(site.client, f"{site.runs['counter']}/overrule", {**fields, "note": "It is <b>close</b>."})
    )
    (again,) = result_of(site.client, path)["claims"]
    assert [one["note"] for one in again["restored"]] == ["It is <b>close</b>."]
    page = get(site.client, path)
    assert "Restored by a reader, not counted" in main_text(page)
    assert page.all("b") == []

    dismissed = {
        "claim": claim["id"],
        "document": claim["accepted"][0]["document"],
        "accept": "no",
        "note": "Too small.",
    }
    path = ended(site.client, send(site.client, f"{path}/overrule", dismissed))
    (last,) = result_of(site.client, path)["claims"]
    assert [one["note"] for one in last["dismissed"]] == ["Too small."]
    assert last["restored"]
    assert "Dismissed by a reader" in main_text(get(site.client, path))


@pytest.mark.parametrize("kind", ["ask", "report"])
def test_every_format_downloads_and_can_be_read(site: Site, kind: str) -> None:
    def export(suffix: str) -> bytes:
        response = site.client.get(f"{site.runs[kind]}/export{suffix}")
        assert response.status_code == 200, response.text[:500]
        assert re.fullmatch(
            rf'attachment; filename="evidencegate-{kind}-[\w-]+{re.escape(suffix)}"',
            (response.headers["content-disposition"]),
        )
        return bytes(response.content)

    fields = json.loads(export(".json"))
    titles = [reference["title"] for reference in fields["references"]]
    assert fields["command"] == kind
    assert export(".md").decode().startswith(f"# {COMPARED}")
    assert Page(export(".html").decode()).one("h1")[1].strip() == COMPARED
    assert "apixaban" in "".join(page.extract_text() for page in PdfReader(io.BytesIO(export(".pdf"))).pages)
    assert Word(io.BytesIO(export(".docx"))).paragraphs[0].text == COMPARED
    assert [row["title"] for row in rispy.loads(export(".ris").decode())] == titles
    assert len(parse_string(export(".bib").decode(), "bibtex").entries) == len(titles)
    assert [row["title"] for row in json.loads(export(".csl.json"))] == titles
    assert export(".searches.md").decode().startswith("| source |")
    assert export(".svg").startswith(b"<svg")
    offered = {a["href"] for a, _ in site.page(kind).all("a", class_="button quiet small") if "download" in a}
    assert offered == {f"{site.runs[kind]}/export{suffix}" for suffix in SUFFIXES}


@pytest.mark.parametrize("kind", ["check", "counter"])
def test_checks_and_searches_for_the_opposite_download_too(site: Site, kind: str) -> None:
    for suffix in (".md", ".html", ".json"):
        response = site.client.get(f"{site.runs[kind]}/export{suffix}")
        assert response.status_code == 200
        assert response.content
    assert site.client.get(f"{site.runs[kind]}/export.pdf", headers=HTML).status_code == 422


def test_a_run_is_replayed_from_its_ledger_and_is_the_same(site: Site) -> None:
    response = send(site.client, f"{site.runs['check']}/replay", {})

    assert "byte for byte" in get(site.client, response.headers["location"]).one("p", class_="said")[1]


def test_two_runs_are_compared(site: Site) -> None:
    a = site.runs["ask"].rpartition("/")[2]
    form = {"question": COMPARED, "read_as": COMPARED, "step": "search", "library": "shelf", "disease": ["AF", "CKD"]}
    form |= {"main_disease": "AF", "decision": ["drug_choice"], "main_decision": "drug_choice"}
    b = ended(site.client, send(site.client, "/", form)).rpartition("/")[2]

    listed = get(site.client, "/runs")
    assert {box["value"] for box, _ in listed.all("input", name="a")} >= {a, b}
    page = get(site.client, f"/runs/compare?a={a}&b={b}")
    assert "What changed in the evidence" in main_text(page)
    assert {x["href"] for x, _ in page.all("a")} >= {f"/runs/{a}", f"/runs/{b}"}
    get(site.client, f"/runs/compare?a={a}&b=nobody", 404)


def test_the_run_of_somebody_else_is_not_there(site: Site) -> None:
    other = TestClient(site.client.app, base_url="http://127.0.0.1:8765")
    fields = {"csrf_token": token(other), "note": "x"}

    for path in site.runs.values():
        run = path.rpartition("/")[2]
        for looked in (path, f"{path}/events", f"{path}/progress", f"{path}/export.json", f"{path}/flow.svg"):
            assert other.get(looked, headers=HTML).status_code == 404, looked
        assert other.get(f"/sources/{run}/pmid:900000001", headers=HTML).status_code == 404
        for act in ("cancel", "resume", "replay", "overrule"):
            assert other.post(f"{path}/{act}", data=fields, headers=HTML).status_code == 404, act
        assert other.get(f"/runs/compare?a={run}&b={run}x", headers=HTML).status_code == 404
    assert "Nothing yet" in main_text(get(other, "/runs"))


def test_progress_is_said_in_words_without_a_script(site: Site) -> None:
    response = site.client.get(f"{site.runs['report']}/progress", headers=HTML)
    page = Page(response.text)

    steps = [text for a, text in page.all("li")]
    assert any("Write and check each section" in step for step in steps)
    assert [text for a, text in page.all("span", class_="sign")] == ["✓"] * 5
    assert "library “shelf”: ok" in response.text
    assert page.one("h2", id="drafts")[1] == "Sections so far"
    assert page.one("h2", id="progress-title")[1] == "It has ended"


def test_events_go_on_from_where_a_reader_was(site: Site) -> None:
    whole = site.client.get(f"{site.runs['ask']}/events").text
    last = re.findall(r"^id: (\d+)$", whole, re.MULTILINE)[-1]
    rest = site.client.get(f"{site.runs['ask']}/events?after={last}").text

    assert "event: progress" in whole
    assert "event: progress" not in rest
    assert "event: end" in rest


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(typed=st.one_of(TEXT, NASTY))
def test_what_anybody_types_is_shown_and_never_markup(site: Site, typed: str) -> None:
    client = site.client
    fresh = token(client)
    for path, field in (("/", "question"), ("/report", "topic"), ("/counter", "text"), ("/check", "text")):
        shown = client.get(path, params={field: typed}, headers=HTML).text
        assert not MARKUP.search(shown)
        assert Page(shown).one("textarea", id=field)[1] == typed
        bad = {
            "csrf_token": fresh,
            field: typed,
            "library": "<i>nobody</i>",
            "step": "write",
            "against": "<i>nobody</i>",
        }
        again = client.post(path, data=bad, headers=HTML)
        if again.status_code == 422:
            assert not MARKUP.search(again.text)
            assert "<i>" not in again.text
            assert Page(again.text).one("textarea", id=field)[1].strip() == typed.strip()


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(said=NASTY, title=NASTY)
def test_texts_and_titles_of_a_run_are_shown_as_they_are_and_never_markup(site: Site, said: str, title: str) -> None:
    claim = f"Zelfaban {said} reduced major bleeding (HR 0.52)."
    source = f"Zelfaban {title} reduced major bleeding (HR 0.62)."
    path = ended(site.client, send(site.client, "/check", {"text": claim, "source_text": source}))
    shown = site.client.get(path, headers=HTML).text

    assert not MARKUP.search(shown)
    (marked,) = (text for a, text in Page(shown).all("div") if a.get("class") == "checked")
    assert said.split(maxsplit=1)[0] in marked
    for link in citation_links(Page(shown)):
        page = site.client.get(link, headers=HTML).text
        assert not MARKUP.search(page)
        assert "reduced major bleeding (HR 0.62)." in Page(page).one("div", id="source-text")[1]


def test_links_stay_within_the_server_or_lead_to_articles(site: Site) -> None:
    for kind in site.runs:
        for attributes, _ in site.page(kind).all("a"):
            address = urlsplit(attributes["href"])
            assert address.scheme in ("", "https"), attributes
            if address.scheme:
                assert attributes["rel"] == "noopener noreferrer"


def test_a_run_waits_is_stopped_and_taken_up_again(make_client: MakeClient) -> None:
    client = make_client(max_jobs=1)
    first = send(
        client, "/report", {"topic": COMPARED, "planned_for": COMPARED, "outline": "Bleeding", "step": "write"}
    )
    second = send(client, "/counter", {"text": CLAIM}).headers["location"]
    waiting = get(client, second)
    if waiting.all("div", id="progress"):  # unless the first was done already
        assert waiting.one("div", id="progress")[0]["data-events"].startswith(f"{second}/events")
        assert waiting.one("p", id="progress-live")[0]["aria-live"] == "polite"
        assert waiting.all("meta", http_equiv="refresh")  # inside noscript: it looks again without a script
    send(client, f"{second}/cancel", {})
    stopped = get(client, second)
    assert stopped.one("form", action=f"{second}/resume")

    ended(client, first)
    assert ended(client, send(client, f"{second}/resume", {})) == second
    assert get(client, second).one("section", aria_labelledby="exports")


def test_what_is_retracted_is_marked_and_cannot_be_restored(make_client: MakeClient, tmp_path: Path) -> None:
    withdrawn = {**ARTICLES[1], "publication_types": ["Retracted Publication"], "retraction": "retracted"}
    (tmp_path / "one.jsonl").write_text(json.dumps(withdrawn), "utf-8")
    Library(tmp_path / "shelf").add(tmp_path / "one.jsonl")
    client = make_client(libraries=[tmp_path / "shelf"])
    path = ended(client, send(client, "/counter", {"text": CLAIM, "library": "shelf"}))
    (claim,) = result_of(client, path)["claims"]
    rejected = get(client, path).one("section", aria_labelledby=f"{claim['id']}-rejected")[1]

    assert claim["rejected"][0]["retraction"] == "retracted"
    assert "RETRACTED" in rejected
    assert "cannot be restored" in rejected
    assert "Restore this passage" not in rejected


def test_a_form_sent_twice_begins_one_run_and_a_changed_one_another(site: Site) -> None:
    page = get(site.client, "/check")
    hidden = {a["name"]: a["value"] for a, _ in page.all("input", type="hidden")}
    fields = {**hidden, "text": "Zelfaban reduced bleeding (HR 0.52).", "source_text": "It did (HR 0.62)."}

    def sent(**changed: str) -> str:
        response = site.client.post("/check", data={**fields, **changed}, headers=HTML, follow_redirects=False)
        return ended(site.client, response)

    first = sent()
    assert sent() == first
    assert sent(text="Zelfaban reduced bleeding (HR 0.62).") != first
