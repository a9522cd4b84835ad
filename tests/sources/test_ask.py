"""`ask` from end to end over the simulated services: what is said, shown, left out, and when it fails."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import evidencegate
from evidencegate.report import answer_json, export
from evidencegate.settings import load
from evidencegate.sources import NAMES
from simulated import ARTICLES, RETRACTED, Fault, LiteratureService, turned_to
from simulated._articles import article
from simulated._server import NCBI_KEY, OPENALEX_KEY, PERPLEXITY_KEY

AF = "Is apixaban safer than warfarin in atrial fibrillation with severe chronic kidney disease?"
RARE = "Does colchicine prevent attacks of familial Mediterranean fever?"
FEVER = tuple(
    article(
        92000001 + n,
        f"Colchicine in familial Mediterranean fever: a randomised trial, part {n + 1}",
        {"": f"Colchicine prevented attacks of familial Mediterranean fever in {40 + n} of 50 patients (p<0.001)."},
        types=("Journal Article", "Randomized Controlled Trial"),
    )
    for n in range(2)
)


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiteratureService]:
    with LiteratureService((*ARTICLES, *FEVER)) as service, turned_to(service, tmp_path, monkeypatch):
        yield service


def ask(text: str, **options: Any) -> dict[str, Any]:
    answer = answer_json(evidencegate.ask(text, **options))
    whole = json.dumps(answer)
    for key in (NCBI_KEY, OPENALEX_KEY, PERPLEXITY_KEY):
        assert key not in whole
    return answer


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One answer from all sources."""
    folder = tmp_path_factory.mktemp("everything")
    with pytest.MonkeyPatch.context() as patch, LiteratureService() as service, turned_to(service, folder, patch):
        return ask(AF, sources=NAMES)


def test_an_answer_from_all_sources(everything: dict[str, Any]) -> None:
    assert everything["answer"]["sentences"]
    assert {search["source"] for search in everything["searches"]} >= set(NAMES)
    assert all(search["status"] in ("ok", "empty", "partial") for search in everything["searches"])
    assert all(search["query"] for search in everything["searches"])
    pmids = [reference["pmid"] for reference in everything["references"]]
    # Five sources have it, under three kinds of identifier; it is one record.
    assert pmids.count("90000001") == 1
    assert not everything["fallback"]["called"]


def test_the_flow_of_records_adds_up(everything: dict[str, Any]) -> None:
    flow = everything["flow"]
    assert flow["screened"] == flow["included"] + flow["not_cited"] + sum(flow["excluded"].values())
    assert flow["included"] == len(everything["references"])
    assert flow["duplicates"] > 0


def test_retracted_work_supports_nothing(everything: dict[str, Any]) -> None:
    assert RETRACTED.identifiers.pmid not in [reference["pmid"] for reference in everything["references"]]
    excluded = {entry["document"]: entry["reason"] for entry in everything["excluded"]}
    assert "retract" in excluded[RETRACTED.id]


def test_a_question_of_management_gets_no_teaching_images(everything: dict[str, Any]) -> None:
    assert everything["images"] == []


def test_every_reference_opens_the_article(everything: dict[str, Any]) -> None:
    assert everything["references"]
    for reference in everything["references"]:
        assert reference["url"].startswith("https://")
        assert reference["title"]
        assert "search" not in reference["url"]


def test_what_is_retracted_between_search_and_answer_is_left_out(live: LiteratureService) -> None:
    before = ask(RARE, sources=["europe_pmc"])
    assert "92000002" in [reference["pmid"] for reference in before["references"]]
    # Europe PMC's reply is kept from before; PubMed has the notice by now.
    live.articles = (FEVER[0], replace(FEVER[1], notices=RETRACTED.notices))
    after = ask(RARE, sources=["europe_pmc"])
    assert [reference["pmid"] for reference in after["references"]] == ["92000001"]
    assert any("Left out, retracted" in warning for warning in after["warnings"])


def test_one_source_down_is_told_and_fails_nothing(live: LiteratureService) -> None:
    live.fail("pubmed", Fault.SERVER_ERROR)
    answer = ask(RARE, sources=["pubmed", "europe_pmc"])
    assert answer["answer"]["sentences"]
    status = {search["source"]: search["status"] for search in answer["searches"]}
    assert status["pubmed"] == "unreachable"
    assert status["europe_pmc"] == "ok"
    assert any("pubmed was not searched" in warning for warning in answer["warnings"])
    assert any("Retractions could not be checked" in warning for warning in answer["warnings"])


def test_everything_down_is_no_evidence_of_absence(live: LiteratureService) -> None:
    for name in (*NAMES, "perplexity", "open_i"):
        live.fail(name, Fault.RESET)
    answer = ask(RARE, sources=["pubmed", "europe_pmc", "clinical_trials"])
    assert all(search["status"] == "unreachable" for search in answer["searches"] if search["source"] in NAMES)
    assert not answer["answer"]["sentences"]
    assert "cut the connection" in " ".join(search["reason"] for search in answer["searches"])


def test_the_fallback_gives_records_that_nobody_else_found(live: LiteratureService) -> None:
    live.perplexity = [
        {"title": FEVER[0].title, "url": "https://pubmed.ncbi.nlm.nih.gov/92000001/"},
        {"title": "Something else altogether", "url": "https://pubmed.ncbi.nlm.nih.gov/92000002/"},
    ]
    answer = ask(RARE, sources=["clinical_trials"])
    assert answer["fallback"]["called"]
    assert "1 records passed the identity check" in answer["fallback"]["reason"]
    assert [reference["pmid"] for reference in answer["references"]] == ["92000001"]
    assert "Bleach" not in json.dumps(answer)


def test_the_fallback_without_a_key_is_said_not_to_be_called(
    live: LiteratureService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVIDENCEGATE_PERPLEXITY_API_KEY")
    load.cache_clear()
    answer = ask(RARE, sources=["clinical_trials"])
    assert not answer["fallback"]["called"]
    assert "EVIDENCEGATE_PERPLEXITY_API_KEY" in answer["fallback"]["reason"]
    assert not any(seen.service == "perplexity" for seen in live.seen)


def test_offline_leaves_the_machine_for_nothing(live: LiteratureService) -> None:
    answer = ask(RARE, offline=True)
    assert not live.seen
    assert all(search["status"] == "not_asked" for search in answer["searches"])
    assert not answer["fallback"]["called"]


def test_offline_answers_from_what_is_kept_and_fresh_asks_again(live: LiteratureService) -> None:
    online = ask(RARE, sources=["pubmed"])
    requests = len(live.seen)
    offline = ask(RARE, sources=["pubmed"], offline=True)
    assert len(live.seen) == requests
    assert offline["references"] == online["references"]
    live.articles = (FEVER[0],)
    assert ask(RARE, sources=["pubmed"])["references"] == online["references"]
    fresh = ask(RARE, sources=["pubmed"], fresh=True)
    assert [reference["pmid"] for reference in fresh["references"]] == ["92000001"]


def test_images_come_with_article_licence_and_source(live: LiteratureService) -> None:
    live.articles = (
        article(
            92000009,
            "Magnetic resonance imaging in the diagnosis of multiple sclerosis",
            {"": "Lesions seen in the imaging diagnosis of multiple sclerosis lie beside the ventricles."},
        ),
    )
    answer = ask("Which MRI findings support the diagnosis of multiple sclerosis?", sources=["pubmed"])
    assert any(seen.service == "open_i" for seen in live.seen)
    (image,) = answer["images"]
    assert image["url"] == "https://pubmed.ncbi.nlm.nih.gov/92000009/"
    assert image["licence"] == "http://creativecommons.org/licenses/by/4.0/"
    assert image["source"] == "Open-i"


def test_without_the_image_search_there_is_an_answer_without_images(live: LiteratureService) -> None:
    live.fail("open_i", Fault.KEY_ECHO)
    answer = ask("Which MRI findings support the diagnosis of familial Mediterranean fever?", sources=["pubmed"])
    assert answer["images"] == []


def test_the_search_log_is_written_as_tables_and_as_a_picture(live: LiteratureService, tmp_path: Path) -> None:
    answer = evidencegate.ask(RARE, sources=["pubmed"])
    for name in ("log.searches.md", "flow.svg"):
        export.write(answer, tmp_path / name)
    log = (tmp_path / "log.searches.md").read_text("utf-8")
    assert all(record.query in log for record in answer.package.searches)
    assert f"| included | {len(answer.references)} |" in log
    assert f"Included in the answer: {len(answer.references)}" in (tmp_path / "flow.svg").read_text("utf-8")
