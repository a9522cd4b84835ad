"""The pages and their forms: landmarks, labels, tokens; what is wrong is said in place, and nothing typed is lost."""

import re

import pytest
from fastapi.testclient import TestClient
from pages_support import COMPARED, HTML, Page, Site, get, send, token, understood
from web_support import MakeClient

from evidencegate.settings import load
from simulated import LiteratureService

PATHS = ("/", "/check", "/counter", "/report", "/runs", "/runs/compare", "/libraries", "/libraries/shelf", "/anchors")
MORE = ("/anchors/af_ckd_anticoagulation", "/api", "/sign-in", "/libraries/shelf?q=apixaban+bleeding", "/runs/nobody")
EVERY = (*PATHS, *MORE)


def every_page(site: Site) -> list[tuple[str, Page]]:
    """Every page of the site with its path."""
    paths = [*EVERY, *site.runs.values()]
    return [(path, Page(site.client.get(path, headers=HTML).text)) for path in paths]


@pytest.mark.parametrize("path", [*PATHS, *MORE[:-1]])
def test_every_page_is_there_with_its_landmarks(site: Site, path: str) -> None:
    page = get(site.client, path, 422 if path == "/runs/compare" else 200)

    assert page.unclosed == []
    assert len(page.all("h1")) == 1
    assert page.one("main")[0]["id"] == "main"
    assert page.all("a", class_="skip")[0][0]["href"] == "#main"
    assert page.one("nav", aria_label="Main")[1].split() == (
        ["Ask", "Check", "Counter", "Report", "Runs", "Libraries", "Anchors"]
    )
    assert page.one("html")[0]["lang"] == "en"
    assert page.one("title")[1].endswith("· EvidenceGate")
    assert len(page.all("p", id="notice")) == 1  # the notice, once


def test_ids_are_given_once_and_what_refers_to_them_finds_them(site: Site) -> None:
    for path, page in every_page(site):
        ids = page.ids()
        assert len(ids) == len(set(ids)), path
        for _, attributes, _ in page.elements:
            for name in ("for", "aria-labelledby", "aria-describedby"):
                for wanted in attributes.get(name, "").split():
                    assert wanted in ids, (path, name, wanted)
            href = attributes.get("href", "")
            if href.startswith("#"):
                assert href[1:] in ids, (path, href)


def test_every_field_has_a_label_and_every_form_that_changes_something_a_token(site: Site) -> None:
    for path, page in every_page(site):
        labelled = {attributes.get("for") for attributes, _ in page.all("label")}
        wrapped = _wrapped(page)
        for n, (tag, attributes, _) in enumerate(page.elements):
            if tag in ("textarea", "select") or (tag == "input" and attributes.get("type") != "hidden"):
                assert attributes.get("id") in labelled or n in wrapped, (path, attributes)
        posts = [a for a, _ in page.all("form") if a.get("method") == "post"]
        assert len(page.all("input", name="csrf_token")) == len(posts), path


def _wrapped(page: Page) -> set[int]:
    """Fields that stand inside a label: it is the element just before them."""
    return {n for n in range(1, len(page.elements)) if page.elements[n - 1][0] == "label"}


def test_nothing_is_inline_and_nothing_comes_from_elsewhere(site: Site) -> None:
    for path, page in every_page(site):
        assert page.all("style") == [], path
        for tag, attributes, text in page.elements:
            assert "style" not in attributes, (path, tag)
            assert not [name for name in attributes if name.startswith("on")], (path, tag)
            if tag in ("script", "link", "img"):
                assert attributes.get("src", attributes.get("href", "")).startswith("/"), (path, tag)
            if tag == "script":
                assert "".join(text).strip() == "", path


def test_a_whole_page_is_light(site: Site) -> None:
    shared = sum(len(site.client.get(f"/static/{name}").content) for name in ("page.css", "page.js", "mark.svg"))

    assert max(len(site.client.get(path, headers=HTML).content) for path in (*EVERY, *site.runs.values())) + shared < (
        200_000
    )


def test_a_question_is_shown_as_it_is_understood_before_anything_is_searched(client: TestClient) -> None:
    page = Page(send(client, "/", {"question": COMPARED, "step": "read"}).text)

    assert page.one("textarea", id="question")[1] == COMPARED
    assert page.one("input", id="pico-intervention")[0]["value"] == "apixaban"
    assert page.one("input", id="pico-comparison")[0]["value"] == "warfarin"
    assert {a["value"] for a, _ in page.all("input", name="disease") if "checked" in a} == {"AF", "CKD"}
    assert "apixaban versus warfarin" in page.one("section", aria_labelledby="will-search")[1]
    assert get(client, "/runs").one("h1")[1] == "Your runs"
    assert "Nothing yet" in get(client, "/runs").one("main")[1]


def test_what_a_reader_changes_is_searched_for_and_kept(client: TestClient) -> None:
    form = understood(client, COMPARED) | {"intervention": "edoxaban", "add_disease": "stroke", "disease": ["AF"]}
    again = Page(send(client, "/", {**form, "step": "read"}).text)
    assert "edoxaban" in again.one("section", aria_labelledby="will-search")[1]

    response = send(client, "/", {**form, "step": "search"})
    run = response.headers["location"].rpartition("/")[2]
    edits = client.app.state.jobs.ledger.get(run).inputs["edits"]  # type: ignore[attr-defined]

    assert edits["pico"]["intervention"] == "edoxaban"
    assert edits["disease_tags"] == ["AF", "stroke"]
    assert edits["decision_tags"] is None


def test_a_question_that_nobody_changed_is_asked_as_from_the_command_line(site: Site) -> None:
    run = site.runs["ask"].rpartition("/")[2]

    assert site.client.app.state.jobs.ledger.get(run).inputs["edits"] is None  # type: ignore[attr-defined]


def test_a_question_that_was_changed_after_it_was_read_is_read_anew(client: TestClient) -> None:
    form = understood(client, COMPARED) | {"question": "Is 5 days of antibiotics enough for pneumonia?"}
    response = send(client, "/", {**form, "step": "search"})
    page = Page(response.text)

    assert response.status_code == 200
    assert "read anew" in page.one("p", class_="said")[1]
    assert "CAP" in {a["value"] for a, _ in page.all("input", name="disease")}


@pytest.mark.parametrize(
    ("path", "fields", "said", "kept"),
    [
        (
            "/",
            {"question": "Wie spät ist es in Buxtehude und warum?", "step": "read"},
            "English",
            ("textarea", "question"),
        ),
        ("/", {"question": " ", "step": "read"}, "empty", ("textarea", "question")),
        ("/check", {"text": "", "against": "12345678"}, "paste one", ("textarea", "against")),
        ("/check", {"text": "A claim.", "against": "http://127.0.0.1/secret"}, "not fetched", ("textarea", "text")),
        ("/counter", {"text": " ", "statement": "The opposite."}, "empty", ("input", "statement")),
        ("/report", {"topic": "", "step": "plan"}, "empty", ("textarea", "topic")),
        (
            "/report",
            {"topic": COMPARED, "planned_for": COMPARED, "outline": " \n", "step": "write"},
            "one heading",
            None,
        ),
        ("/counter", {"text": "A.", "library": "../../etc"}, "no library", ("textarea", "text")),
        ("/counter", {"text": "A.", "model": "nobody:nothing"}, "no model", ("textarea", "text")),
    ],
)
def test_what_is_wrong_is_said_in_place_and_what_was_typed_is_kept(
    client: TestClient, path: str, fields: dict[str, str], said: str, kept: tuple[str, str] | None
) -> None:
    response = send(client, path, fields)
    page = Page(response.text)

    assert response.status_code == 422
    message = page.one("div", id="problem")
    assert message[0]["role"] == "alert"
    assert said in message[1]
    if kept is not None:
        attributes, text = page.one(kept[0], id=kept[1])
        assert (text or attributes.get("value", "")) == fields[kept[1]].strip("\n").strip() or fields[kept[1]].isspace()


def test_the_seconds_of_a_question_are_a_number(client: TestClient) -> None:
    form = understood(client, COMPARED) | {"max_seconds": "soon", "step": "search"}
    page = Page(send(client, "/", form).text)

    assert "number of seconds" in page.one("div", id="problem")[1]
    assert page.one("input", id="max_seconds")[0]["value"] == "soon"


@pytest.mark.parametrize("ticked", [True, False])
def test_whether_open_articles_are_read_as_a_whole_is_kept_with_the_run(
    make_client: MakeClient, service: LiteratureService, monkeypatch: pytest.MonkeyPatch, ticked: bool
) -> None:
    monkeypatch.setenv("EVIDENCEGATE_FULL_TEXT", "true")
    load.cache_clear()
    client = make_client(offline=False)
    for path in ("/", "/report"):
        box, _ = get(client, path).one("input", name="full_text")
        assert "checked" in box  # as the settings have it, until somebody decides
    assert get(client, "/counter").all("input", name="full_text") == []
    choice = {"full_text": "yes"} if ticked else {}
    asked = send(client, "/", {**understood(client, COMPARED, **choice), "offline": "yes", **choice, "step": "search"})
    plan = {"topic": COMPARED, "planned_for": COMPARED, "outline": "Bleeding", "offline": "yes", "step": "write"}
    for begun in (asked, send(client, "/report", {**plan, **choice})):
        run = begun.headers["location"].rpartition("/")[2]
        assert client.app.state.jobs.ledger.get(run).inputs["full_text"] is ticked  # type: ignore[attr-defined]


def test_a_server_that_asks_nobody_does_not_offer_to_fetch_articles(client: TestClient) -> None:
    assert get(client, "/").all("input", name="full_text") == []


def test_a_form_without_its_token_is_turned_away_with_a_page(client: TestClient) -> None:
    get(client, "/")
    response = client.post("/", data={"question": COMPARED, "step": "read"}, headers=HTML)

    assert response.status_code == 403
    assert "Load the page again" in Page(response.text).one("main")[1]


def test_a_report_is_planned_before_it_is_written(client: TestClient) -> None:
    page = Page(send(client, "/report", {"topic": COMPARED, "step": "plan"}).text)
    headings = page.one("textarea", id="outline")[1].split("\n")

    assert len(headings) > 2
    assert all(heading.strip() for heading in headings)


def test_a_file_is_checked_in_place_of_pasted_text(client: TestClient) -> None:
    files = {"text_file": ("../../draft.txt", b"Zelfaban reduced bleeding (HR 0.52).", "text/plain")}
    response = send(client, "/check", {"source_text": "Zelfaban reduced bleeding (HR 0.62)."}, files=files)
    assert response.status_code == 303

    both = Page(send(client, "/check", {"text": "Pasted as well."}, files=files).text)
    assert "leave one of them empty" in both.one("div", id="problem")[1]
    assert both.one("textarea", id="text")[1] == "Pasted as well."


def test_a_file_that_cannot_be_read_is_named(client: TestClient) -> None:
    files = {"source_file": ("broken.pdf", b"%PDF-1.7 nothing", "application/pdf")}
    response = send(client, "/check", {"text": "Zelfaban reduced bleeding."}, files=files)

    assert response.status_code == 422
    assert "broken.pdf" in Page(response.text).one("div", id="problem")[1]


def test_articles_are_added_to_a_library_and_found_there(site: Site) -> None:
    record = (
        b'{"id": "z", "pmid": "900000009", "title": "Zorblatt and sleep: an invented survey", '
        b'"abstract": "Zorblatt improved sleep in this invented survey."}'
    )
    response = send(site.client, "/libraries/shelf", {}, files={"file": ("more.jsonl", record, "application/jsonl")})
    assert "1 added" in Page(response.text).one("section", aria_labelledby="added")[1]

    found = get(site.client, "/libraries/shelf?q=zorblatt+sleep")
    assert "Zorblatt and sleep" in found.one("section", aria_labelledby="hits")[1]
    nothing = send(site.client, "/libraries/shelf", {})
    assert "at least one file" in Page(nothing.text).one("div", id="problem")[1]


def test_examples_are_links_that_fill_the_form(client: TestClient) -> None:
    for path, field in (("/", "question"), ("/counter", "text"), ("/report", "topic"), ("/check", "text")):
        links = [a["href"] for a, _ in get(client, path).all("a") if re.match(rf"{path}\?", a.get("href", ""))]
        assert links, path
        for link in links:
            assert get(client, link).one("textarea", id=field)[1]


def test_a_shared_server_asks_who_is_there(make_client: MakeClient) -> None:
    client: TestClient = make_client(tokens=["ann: a-long-enough-token-of-ann"])
    away = client.get("/runs", headers=HTML, follow_redirects=False)
    assert (away.status_code, away.headers["location"]) == (303, "/sign-in?next=/runs")

    page = get(client, "/sign-in?next=/runs")
    form = {"csrf_token": page.one("input", name="csrf_token")[0]["value"], "next": "/runs"}
    wrong = client.post("/sign-in", data={**form, "token": "somebody-elses-token"}, headers=HTML)
    assert wrong.status_code == 422
    assert "no token of this server" in Page(wrong.text).one("div", id="problem")[1]

    right = client.post("/sign-in", data={**form, "token": "a-long-enough-token-of-ann"}, headers=HTML)
    assert "signed in as ann" in Page(right.text).one("footer")[1]
    assert token(client)
    out = client.post("/sign-out", data={"csrf_token": token(client)}, headers=HTML)
    assert Page(out.text).one("h1")[1] == "Sign in"


@pytest.mark.parametrize("path", ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)"])
def test_signing_in_leads_nowhere_else(make_client: MakeClient, path: str) -> None:
    client: TestClient = make_client(tokens=["ann: a-long-enough-token-of-ann"])
    page = get(client, f"/sign-in?next={path}")

    assert page.one("input", name="next")[0]["value"] == "/"


def test_a_model_of_the_server_may_read_a_check(make_client: MakeClient) -> None:
    client: TestClient = make_client(models=("scripted:obey",))
    page = get(client, "/check")
    assert [text for _, text in page.all("option")][1:] == ["scripted:obey"]

    form = {
        "csrf_token": token(client),
        "text": "Zelfaban reduced bleeding.",
        "source_text": "Zelfaban reduced bleeding.",
    }
    sent = client.post("/check", data={**form, "model": "scripted:obey"}, headers=HTML, follow_redirects=False)
    assert sent.status_code == 303
    run = client.get(f"/api/v1{sent.headers['location']}?brief=true").json()["run"]
    assert run["inputs"]["model"] == "scripted:obey"
    refused = client.post("/check", data={**form, "model": "openai:gpt-5"}, headers=HTML)
    assert refused.status_code == 422
