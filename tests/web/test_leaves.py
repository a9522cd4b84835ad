"""A long check goes over several light pages: nothing is left out, nothing is shown twice, and each has its way on."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from pages_support import Page, get, result_of
from web_support import MakeClient

from evidencegate.web import WebSettings, create_app
from evidencegate.web._pages._leaves import Leaf, leaves

SHORT = st.text(max_size=40)


def claim(n: int, start: int, end: int, text: str) -> dict[str, Any]:
    verdict = ("correct", "incorrect", "uncertain")[n % 3]
    told = {"verdict": verdict, "quote": None, "numbers": [], "document": None, "trace": {}}
    return {"id": f"c{n}", "start": start, "end": end, "text": text[start:end], **told}


@st.composite
def checks(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    text = draw(st.text(min_size=1, max_size=400)) * draw(st.integers(1, 60))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=40)))
    spans = [(a, b) for a, b in pairwise(cuts) if a < b]
    overlap = draw(st.lists(st.sampled_from(spans), max_size=3)) if spans else []
    claims = [claim(n, a, b, text) for n, (a, b) in enumerate([*spans, *overlap])]
    return text, {
        "claims": claims,
        "issue_spans": [],
        "citations": draw(st.lists(st.builds(lambda label: {"label": label}, SHORT), max_size=8)),
        "references": draw(st.none() | st.lists(st.text("ab ", min_size=1).filter(str.strip)).map("\n".join)),
        "documents": draw(st.lists(st.builds(lambda title: {"id": "d", "title": title}, SHORT), max_size=8)),
        "warnings": draw(st.lists(SHORT, max_size=4)),
    }


@given(checked=checks(), most=st.sampled_from([1, 3_000, 20_000, 10**9]))
def test_pages_hold_the_whole_check_once_and_in_order(checked: tuple[str, dict[str, Any]], most: int) -> None:
    text, result = checked
    made = leaves(text, result, most=most)

    assert "".join(part.text for leaf in made for part in leaf.parts) == text
    shown = [c["id"] for leaf in made for c in leaf.claims]
    assert sorted(shown) == sorted(c["id"] for c in result["claims"])
    for kind in ("citations", "documents", "warnings"):
        assert [row for leaf in made for row in getattr(leaf, kind)] == result[kind]
    lines = [line for leaf in made for line in leaf.references]
    assert lines == [line for line in (result["references"] or "").split("\n") if line.strip()]
    before = 0
    for leaf in made:
        assert leaf.before == before
        before += len(leaf.claims)
        assert {part.claim["id"] for part in leaf.parts if part.claim} <= {c["id"] for c in leaf.claims}
        assert leaf != Leaf()
    if most == 10**9:
        assert len(made) == 1
    if most == 1:
        assert all(len(leaf.parts) <= 1 for leaf in made)


@pytest.mark.parametrize("joint", ["\n\n", "\n", ". ", " ", ""])
def test_plain_text_is_parted_where_a_reader_would_stop(joint: str) -> None:
    text = joint.join(["word" * 60] * 400)
    names = ("claims", "issue_spans", "citations", "references", "documents", "warnings")
    made = leaves(text, {name: [] for name in names}, most=20_000)

    assert len(made) > 1
    for leaf in made[:-1]:
        assert leaf.parts[-1].text.endswith(joint)


NAMES = ("zelfaban", "orvaban", "mirtaban", "teliban", "quoraban")
SOURCE = " ".join(
    f"In this invented trial, {name} reduced major bleeding compared with warfarin (HR 0.{50 + n}, 95% CI 0.48-0.80)."
    for n, name in enumerate(NAMES)
)


def long_text() -> str:
    """150 claims, true and false ones by turns, with marks that must be escaped."""
    said = []
    for n in range(30):
        said += [
            f"{name.title()} reduced major bleeding compared with warfarin (HR 0.{50 + (n + m) % 7}) in stratum {n} "
            "<b>& more</b>."
            for m, name in enumerate(NAMES)
        ]
        said.append("\n\n")
    return " ".join(said)


def checked(client: TestClient, text: str) -> str:
    """The path of the finished check, asked for by whoever looks at its pages."""
    get(client, "/")
    inputs = {"text": text, "texts": [{"name": "An invented trial", "text": SOURCE}]}
    done = client.post("/api/v1/check", json=inputs, headers={"Prefer": "wait=60"})
    assert done.status_code == 200, done.text[:500]
    return "/runs/" + done.headers["content-location"].split("/")[-2]


@pytest.fixture(scope="module")
def long_check(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, str]]:
    """Somebody who looks at the pages of a long check, and where they begin."""
    settings = WebSettings(state_dir=tmp_path_factory.mktemp("long"), offline=True)
    with TestClient(create_app(settings), base_url="http://127.0.0.1:8765") as client:
        yield client, checked(client, long_text())


def test_every_page_of_a_long_check_is_light_and_leads_on(long_check: tuple[TestClient, str]) -> None:
    client, path = long_check
    result = result_of(client, path)
    assert len(result["claims"]) == 150
    shared = sum(len(client.get(f"/static/{name}").content) for name in ("page.css", "page.js", "mark.svg"))

    seen: list[str] = []
    text = ""
    address: str | None = path
    pages = 0
    while address is not None:
        response = client.get(address, headers={"accept": "text/html"})
        assert len(response.content) + shared < 200_000, address
        page = Page(response.text)
        assert page.unclosed == []
        pages += 1
        assert page.one("h2", id="parts")[1].startswith(f"Part {pages} of ")
        (current,) = [a for a, _ in page.all("a", aria_current="page") if "part=" in a["href"]]
        assert f"part={pages}#" in current["href"]
        seen += [a["id"].removeprefix("claim-") for a, _ in page.all("li") if a.get("id", "").startswith("claim-")]
        text += "".join(said for a, said in page.all("div") if a.get("class") == "checked")
        for attributes, _ in page.all("a"):
            if attributes["href"].startswith("#"):
                assert attributes["href"][1:] in page.ids()
            if attributes["href"].startswith("/sources/") and pages > 1:
                assert f"part={pages}" in attributes["href"]
        following = [a["href"] for a, _ in page.all("a", rel="next")]
        address = following[0].partition("#")[0] if following else None
    assert pages > 3
    assert seen == [c["id"] for c in result["claims"]]
    assert all(line.strip() in text for line in ("Zelfaban reduced", "in stratum 29 <b>& more</b>."))

    last = get(client, f"{path}?part={pages}")
    assert "An invented trial" in last.one("section", aria_labelledby="documents")[1]
    for wrong in ("0", "-1", "x", "999999", "9" * 40):
        assert len(get(client, f"{path}?part={wrong}").all("h2", id="parts")) == 1


def test_a_quote_leads_back_to_its_part(long_check: tuple[TestClient, str]) -> None:
    client, path = long_check
    page = get(client, f"{path}?part=2")
    link = next(a["href"] for a, _ in page.all("a") if a["href"].startswith("/sources/"))

    back = [a["href"] for a, said in get(client, link).all("a") if said == "Back to the run"]
    assert back == [f"{path}?part=2"]


def test_a_short_check_is_one_page(make_client: MakeClient) -> None:
    client = make_client()
    page = get(client, checked(client, "Zelfaban reduced major bleeding compared with warfarin (HR 0.50)."))

    assert page.all("nav", aria_labelledby="parts") == []
    assert page.one("h2", id="claims")[1] == "Every claim"
    assert page.all("section", aria_labelledby="documents")
