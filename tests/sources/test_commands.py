"""`report`, `check` and `counter` as commands over the simulated services, with faults."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import installed
from evidencegate.cli import _check, _counter, _report  # noqa: F401  # registers them
from evidencegate.cli._app import app
from simulated import ARTICLES, RETRACTED, Fault, LiteratureService, set_to
from simulated._server import NCBI_KEY, OPENALEX_KEY, PERPLEXITY_KEY

TOPIC = "Apixaban or warfarin in atrial fibrillation with severe chronic kidney disease"
CLAIM = "Macrolides interact with statins via CYP3A4, leading to increased statin exposure and myopathy risk."
TRIAL = ARTICLES[0]
TEXT = f"""Apixaban caused less major bleeding than warfarin in severe chronic kidney disease [1].

References
1. Muster AB, Beispiel C. {TRIAL.title}. J Invented Med. 2023. PMID: 90000001
"""
FAULTS = (
    Fault.SERVER_ERROR,
    Fault.TOO_MANY_FOR_LONG,
    Fault.WEB_PAGE,
    Fault.CUT,
    Fault.ERROR_INSIDE_200,
    Fault.KEY_ECHO,
)


class Commands:
    """The commands with a home of their own, turned towards the simulated services: in this process, for speed."""

    def __init__(self, home: Path, service: LiteratureService) -> None:
        own = {"HOME": str(home), "EVIDENCEGATE_DATA_DIR": str(home / "data"), "NO_COLOR": "1"}
        quick = {"EVIDENCEGATE_ATTEMPTS": "2", "EVIDENCEGATE_CACHE_DAYS": "0"}
        self.home = home
        self.variables = {**service.environment(home / "cache"), **own, **quick}

    def __call__(self, *argv: str, codes: tuple[int, ...] = (0,)) -> dict[str, Any]:
        """What `--json` prints; no key is in it or in what is said beside it."""
        done = CliRunner().invoke(app, [*argv, "--json"])
        return self._shown(argv, codes, done.exit_code, done.stdout, done.stderr)

    def installed(self, *argv: str, codes: tuple[int, ...] = (0,)) -> dict[str, Any]:
        """The same by the installed command, in a process of its own."""
        done = subprocess.run(
            [installed.command(), *argv, "--json"],
            cwd=self.home,
            env={**installed.clean_environment(), **self.variables},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        return self._shown(argv, codes, done.returncode, done.stdout, done.stderr)

    def _shown(self, argv: tuple[str, ...], codes: tuple[int, ...], code: int, out: str, err: str) -> dict[str, Any]:
        assert code in codes, f"{argv}: exit {code}\n{out[-1500:]}\n{err[-1500:]}"
        assert "Traceback" not in err
        for key in (NCBI_KEY, OPENALEX_KEY, PERPLEXITY_KEY):
            assert key not in out + err
        fields: dict[str, Any] = json.loads(out)
        return fields


@pytest.fixture
def command(tmp_path: Path, service: LiteratureService, monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    commands = Commands(tmp_path, service)
    monkeypatch.chdir(tmp_path)
    with set_to(monkeypatch, commands.variables):
        yield commands


def statuses(searches: list[dict[str, Any]]) -> dict[str, set[str]]:
    """How the searches of each source ended."""
    found: dict[str, set[str]] = {}
    for search in searches:
        found.setdefault(search["source"], set()).add(search["status"])
    return found


def test_a_report_of_sections_with_one_list_of_references(command: Commands) -> None:
    report = command.installed("report", TOPIC, "--source", "pubmed", "--source", "europe_pmc")
    assert len(report["sections"]) > 1
    numbers = {c["n"] for s in report["sections"] for t in s["sentences"] for c in t["citations"]}
    assert numbers
    assert numbers <= {reference["n"] for reference in report["references"]}
    assert RETRACTED.identifiers.pmid not in [reference["pmid"] for reference in report["references"]]
    by_id = {a.id: a for a in ARTICLES}
    for section in report["sections"]:
        for sentence in section["sentences"]:
            for citation in sentence["citations"]:
                quote = citation["quote"]
                if citation["document"] in by_id:
                    assert by_id[citation["document"]].text[quote["start"] : quote["end"]] == quote["text"]


@pytest.mark.parametrize("fault", FAULTS[:3], ids=lambda fault: fault.name)
def test_a_report_while_a_source_fails(command: Commands, service: LiteratureService, fault: Fault) -> None:
    service.fail("pubmed", fault)
    report = command("report", TOPIC, "--source", "pubmed", "--source", "europe_pmc")
    ended = statuses(report["searches"])
    assert not ended["pubmed"] & {"ok", "empty", "partial"}
    assert "ok" in ended["europe_pmc"]
    assert report["references"]
    assert any("pubmed was not searched" in warning for warning in report["warnings"])


def test_a_report_while_nobody_answers_says_that_it_looked_in_vain(
    command: Commands, service: LiteratureService
) -> None:
    for name in ("pubmed", "europe_pmc", "crossref", "open_i", "perplexity"):
        service.fail(name, Fault.RESET)
    topic = "Colchicine in familial Mediterranean fever"  # no anchor stands in for what is not found
    report = command("report", topic, "--source", "pubmed", "--source", "europe_pmc", codes=(0, 3))
    assert statuses(report["searches"])["pubmed"] == {"unreachable"}
    assert not report["references"]
    assert not any(sentence["citations"] for s in report["sections"] for sentence in s["sentences"])


def test_a_text_by_its_own_citations(command: Commands, tmp_path: Path) -> None:
    (tmp_path / "text.md").write_text(TEXT)
    checked = command.installed("check", "text.md")
    (claim, *_) = [c for c in checked["claims"] if "less major bleeding" in c["text"]]
    assert claim["document"] == TRIAL.id
    assert claim["quote"]["text"] in TRIAL.text


def test_a_retracted_article_makes_no_claim_right(
    command: Commands, tmp_path: Path, service: LiteratureService
) -> None:
    service.articles = tuple(replace(a, notices=RETRACTED.notices) if a.id == TRIAL.id else a for a in ARTICLES)
    (tmp_path / "text.md").write_text(TEXT)
    checked = command("check", "text.md")
    assert all(claim["verdict"] != "correct" for claim in checked["claims"])
    assert "retracted" in json.dumps(checked["warnings"]).lower()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_text_whose_citations_cannot_be_fetched(
    command: Commands, tmp_path: Path, service: LiteratureService, fault: Fault
) -> None:
    for name in ("pubmed", "europe_pmc", "crossref"):
        service.fail(name, fault)
    (tmp_path / "text.md").write_text(TEXT)
    checked = command("check", "text.md", codes=(0, 3))
    assert {claim["verdict"] for claim in checked["claims"]} == {"uncertain"}
    warnings = " ".join(checked["warnings"])
    assert "[1]" in warnings
    assert "no source has a record" not in warnings


def test_a_fault_that_passes_changes_no_verdict(command: Commands, tmp_path: Path, service: LiteratureService) -> None:
    (tmp_path / "text.md").write_text(TEXT)
    calm = command("check", "text.md")
    service.fail("pubmed", Fault.SERVER_ERROR, times=1)
    assert [c["verdict"] for c in command("check", "text.md")["claims"]] == [c["verdict"] for c in calm["claims"]]


def test_the_opposite_of_a_claim(command: Commands) -> None:
    report = command.installed("counter", CLAIM, "--source", "pubmed", "--source", "europe_pmc")
    (claim,) = report["claims"]
    assert [accepted["pmid"] for accepted in claim["accepted"]] == ["90000008"]
    assert {"ok"} <= statuses(claim["searches"])["pubmed"]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_opposite_while_a_source_fails(command: Commands, service: LiteratureService, fault: Fault) -> None:
    service.fail("pubmed", fault)
    report = command("counter", CLAIM, "--source", "pubmed", "--source", "europe_pmc")
    (claim,) = report["claims"]
    assert [accepted["pmid"] for accepted in claim["accepted"]] == ["90000008"]
    assert not statuses(claim["searches"])["pubmed"] & {"ok", "empty", "partial"}


def test_nothing_opposed_because_nobody_answered_is_said_so(command: Commands, service: LiteratureService) -> None:
    service.fail("pubmed", Fault.RESET)
    report = command("counter", CLAIM, "--source", "pubmed", codes=(0, 3))
    (claim,) = report["claims"]
    assert not claim["accepted"]
    assert statuses(claim["searches"]) == {"pubmed": {"unreachable"}}


def test_retracted_work_opposes_nothing(command: Commands, service: LiteratureService) -> None:
    service.articles = tuple(replace(a, notices=RETRACTED.notices) if a.id == "pmid:90000008" else a for a in ARTICLES)
    report = command("counter", CLAIM, "--source", "pubmed")
    assert not report["claims"][0]["accepted"]
