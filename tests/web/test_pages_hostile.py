"""Whatever a model, an article or a user put into a result: the page shows it as text, and lists what was refused."""

import copy
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pages_support import HTML, Page, Site, get, result_of

from evidencegate.runs import RunStatus
from evidencegate.web._owners import Owned

KINDS = ("ask", "check", "counter", "report")
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</mark></div><h1>Owned</h1>",
    "{{ 7 * 7 }}{% include 'base.html.j2' %}",
    "javascript:alert(1)",
    "\u202e\u0000<b>",
)
# Chosen by code, never by anybody outside: names of states, and addresses that a `DirectUrl` has checked.
OURS = frozenset(
    "status verdict severity stance level retraction kind agreement identity label gate_reason id document claim url "
    "asked_at version run source strategy publication_date label_raw label_final priority".split()
)
MARKUP = re.compile(r"<(script(?! src=\"/static)|img(?! class=\"flow\")|b>|h1>Owned)", re.IGNORECASE)


def poisoned(value: Any, said: str, key: str = "") -> Any:
    """The result with `said` in front of every text that comes from outside."""
    if isinstance(value, dict):
        return {name: poisoned(inner, said, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [poisoned(inner, said, key) for inner in value]
    return f"{said} {value}" if isinstance(value, str) and key not in OURS else value


def shown_as(site: Site, kind: str, result: dict[str, Any], status: RunStatus = RunStatus.DONE) -> str:
    """The path of a run of that kind, of the same owner, that showed `result`."""
    jobs = site.client.app.state.jobs  # type: ignore[attr-defined]
    first = next(row for row in jobs._owners.all() if row.run == site.runs[kind].rpartition("/")[2])
    run = jobs.ledger.start(kind, jobs.ledger.get(first.run).inputs)
    jobs.ledger.finish(run, status, result)
    jobs._owners.add(Owned(run=run, owner=first.owner, kind=kind, key=None, digest=""))
    return f"/runs/{run}"


@settings(max_examples=16, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(kind=st.sampled_from(KINDS), said=st.sampled_from(HOSTILE))
def test_no_text_of_a_result_is_ever_markup(site: Site, kind: str, said: str) -> None:
    result = {name: value for name, value in result_of(site.client, site.runs[kind]).items() if name != "flow"}
    path = shown_as(site, kind, {**poisoned(result, said), "flow": result_of(site.client, site.runs[kind]).get("flow")})
    response = site.client.get(path, headers=HTML)
    page = Page(response.text)

    assert response.status_code == 200
    assert not MARKUP.search(response.text)
    assert page.unclosed == []
    assert len(page.all("h1")) == 1
    assert said.split(maxsplit=1)[0].replace("\u0000", "\ufffd") in page.one("main")[1].replace("\u0000", "\ufffd")
    assert not [a for a, _ in page.all("a") if not a["href"].startswith(("/", "#", "https://"))]


@pytest.mark.parametrize("kind", ["ask", "report"])
def test_what_was_refused_removed_and_withdrawn_is_listed(site: Site, kind: str) -> None:
    result = copy.deepcopy(result_of(site.client, site.runs[kind]))
    result["not_supported"] = [{"text": "Zelfaban cures all.", "section": "Bleeding", "reason": "nothing supports it"}]
    result["removed_citations"] = [{"text": "[99]", "section": "Bleeding", "reason": "no such reference"}]
    result["references"][0]["retraction"] = "expression_of_concern"
    result["warnings"] = ["Partial: the budget of this run was used up.", *result["warnings"]]
    result["partial"] = True
    page = get(site.client, shown_as(site, kind, result, RunStatus.PARTIAL))

    assert "Zelfaban cures all." in page.one("section", aria_labelledby="not-supported")[1]
    assert "nothing supports it" in page.one("section", aria_labelledby="not-supported")[1]
    assert "[99]" in page.one("section", aria_labelledby="removed-citations")[1]
    assert "EXPRESSION OF CONCERN" in page.one("li", id="ref-1")[1]
    assert "budget of this run" in page.one("section", aria_labelledby="warnings")[1]
    assert "Partial:" in page.one("p", class_="said")[1]
    assert page.one("form", action=f"{_path(page)}/resume")


def _path(page: Page) -> str:
    return next(a["action"].removesuffix("/resume") for a, _ in page.all("form") if a["action"].endswith("/resume"))


@pytest.mark.parametrize("kind", ["ask", "counter"])
def test_absence_is_told_as_a_search(site: Site, kind: str) -> None:
    result = copy.deepcopy(result_of(site.client, site.runs[kind]))
    if kind == "ask":
        result |= {"contradictory": [], "absence": "No record among the 4 read from shelf opposes it."}
    else:
        result["claims"][0] |= {"accepted": [], "absence": "Searched: shelf, 4 records. This reports a search."}
    page = get(site.client, shown_as(site, kind, result))
    said = page.one("main")[1]

    assert (
        "No record among the 4 read from shelf opposes it." if kind == "ask" else "Searched: shelf, 4 records."
    ) in said


def test_a_text_that_is_not_in_the_ledger_any_more_is_said_to_be_gone(site: Site) -> None:
    result = copy.deepcopy(result_of(site.client, site.runs["ask"]))
    path = shown_as(site, "ask", result)  # of a run that made no search
    sources = [a["href"] for a, _ in get(site.client, path).all("a") if a["href"].startswith("/sources/")]
    searched = next(href for href in sources if "pmid" in href)

    assert "not in the ledger of this run any more" in get(site.client, searched, 422).one("main")[1]


def test_a_record_without_a_title_goes_by_its_number(site: Site) -> None:
    result = copy.deepcopy(result_of(site.client, site.runs["counter"]))
    for passage in [*result["claims"][0]["accepted"], *result["claims"][0]["rejected"]]:
        passage["title"] = ""
    page = get(site.client, shown_as(site, "counter", result))

    assert page.all("h4")
    assert all(text.startswith("pmid:") for _, text in page.all("h4"))
