"""The installed command, in a fresh directory, as a user meets it."""

import gzip
import json
import re
import subprocess
import tarfile
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import installed
from evidencegate.settings import Settings
from invented import COHORT, TRIAL, write_records

ARTICLES = ({"id": "a", **TRIAL}, {"id": "b", **COHORT})

QUESTIONS = [
    "Does exercise training improve symptoms of depression?",
    "Are statins associated with a lower risk of breast cancer?",
    "Does dietary fibre or a plant-based diet improve glycaemic control in type 2 diabetes?",
    "Do brief interventions by phone help smokers to quit?",
    "Does soy intake reduce breast cancer recurrence?",
]


@pytest.fixture
def command(tmp_path: Path) -> Any:
    """Runs `evidencegate …` in an empty directory with nothing of the user's in reach."""
    # The fuse of conftest does not reach into another process: there every service is a closed port of this machine.
    closed = {
        f"EVIDENCEGATE_{name.upper()}": "http://127.0.0.1:9" for name in Settings.model_fields if name.endswith("_url")
    }
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_DATA_HOME": str(tmp_path / "data")}
    env = {**installed.clean_environment(), **closed, **home, "NO_COLOR": "1"}

    def run(*argv: str | Path, code: int = 0, timeout: float = 300) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [installed.command(), *map(str, argv)],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        assert done.returncode == code, f"{argv}: exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        return done

    return run


def _check_contract(answer: dict[str, Any]) -> None:
    """What holds for every answer, whatever was asked (rules 3, 6, 7)."""
    assert answer["schema"] == "evidencegate/1"
    numbers = [reference["n"] for reference in answer["references"]]
    sentences = [*answer["answer"]["sentences"], *answer["contradictory"]]
    cited = {citation["n"] for sentence in sentences for citation in sentence["citations"]}
    assert numbers == list(range(1, len(numbers) + 1))
    assert cited == set(numbers)
    assert all(sentence["supported"] for sentence in sentences)
    direct = re.compile(
        r"https://(pubmed\.ncbi\.nlm\.nih\.gov|pmc\.ncbi\.nlm\.nih\.gov|doi\.org|clinicaltrials\.gov)/\S+"
    )
    for reference in answer["references"]:
        assert all(reference[field] for field in ("title", "authors", "journal", "year", "source_badge"))
        assert direct.fullmatch(reference["url"])
    for search in answer["searches"]:
        assert search["records"] == 0 or search["status"] in ("ok", "partial")
        assert search["reason"] or search["status"] in ("ok", "empty", "partial")
    assert "not a medical device" in answer["answer"]["markdown"]


def test_without_library_and_network_the_anchor_packs_answer(command: Any) -> None:
    question = "Which anticoagulant for atrial fibrillation in a patient with chronic kidney disease?"
    answer = json.loads(command("ask", question, "--offline", "--json").stdout)

    _check_contract(answer)
    assert answer["answer"]["sentences"]
    assert all(c["curated"] for s in answer["answer"]["sentences"] for c in s["citations"])
    assert {s["status"] for s in answer["searches"]} == {"not_asked"}
    assert answer["fallback"]["called"] is False
    assert answer["run"]


def test_unreachable_sources_are_named_and_the_packs_still_answer(command: Any) -> None:
    question = "How long should dual antiplatelet therapy last after PCI in a patient at high bleeding risk?"
    answer = json.loads(command("ask", question, "--json").stdout)

    _check_contract(answer)
    assert answer["answer"]["sentences"]
    assert {s["source"] for s in answer["searches"]} == {"pubmed", "europe_pmc", "clinical_trials"}
    assert {s["status"] for s in answer["searches"]} == {"unreachable"}
    for source in ("pubmed", "europe_pmc", "clinical_trials"):
        assert any(source in warning for warning in answer["warnings"])


def test_an_answer_from_a_library_shows_both_sides(command: Any, tmp_path: Path) -> None:
    write_records(tmp_path / "articles.jsonl", *ARTICLES)
    added = json.loads(command("library", "add", "articles.jsonl", "--library", "lib", "--json").stdout)
    assert (added["added"], added["skipped"]) == (2, [])

    question = "Does zelfaban reduce major bleeding compared with warfarin in atrial fibrillation?"
    done = command("ask", question, "--library", "lib", "--json", "--output", "answer.html")
    answer = json.loads(done.stdout)

    _check_contract(answer)
    abstracts = {
        f"pmid:{row['pmid']}": row["abstract"]
        for row in map(json.loads, (tmp_path / "articles.jsonl").read_text("utf-8").splitlines())
    }
    sentences = [*answer["answer"]["sentences"], *answer["contradictory"]]
    quotes = [c for s in sentences for c in s["citations"] if not c["curated"]]
    assert {c["document"] for c in quotes} == set(abstracts)
    for citation in quotes:
        quote = citation["quote"]
        assert abstracts[citation["document"]][quote["start"] : quote["end"]] == quote["text"]
    page = (tmp_path / "answer.html").read_text("utf-8")
    assert "<mark" in page
    assert "<script" not in page


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["ask", ""], "empty"),
        (["ask", "   \n "], "empty"),
        (["ask", "aspirin " * 5_000], "long"),
        (["ask", "¿Qué anticoagulante se recomienda para un paciente con fibrilación auricular?"], "English"),
        (["ask", "What is the best pizza in Naples?"], "medical"),
        (["ask", "Does aspirin help?", "--library", "nowhere"], "library add"),
        (["library", "search", "aspirin", "--library", "nowhere"], "library add"),
        (["library", "add", "missing.jsonl", "--library", "lib"], "missing.jsonl"),
        (["anchors", "show", "nonsense"], "nonsense"),
        (["ask", "Does aspirin prevent stroke?", "--output", "answer.xyz"], ".html"),
    ],
)
def test_bad_input_says_what_to_do(command: Any, argv: list[str], says: str) -> None:
    done = command(*argv, code=2)

    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_json_errors_are_json(command: Any) -> None:
    failed = json.loads(command("question", "", "--json", code=2).stdout)

    assert failed["error"]["type"] == "InvalidInput"


def test_the_rest_of_a_bad_batch_goes_in(command: Any, tmp_path: Path) -> None:
    write_records(tmp_path / "good.jsonl", *ARTICLES)
    (tmp_path / "bad.xml").write_text("<PubmedArticleSet><PubmedArticle>")
    (tmp_path / "bad.jsonl.gz").write_bytes(gzip.compress(b'{"title": "x"}')[:-6])
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 no more")
    (tmp_path / "empty.txt").write_bytes(b"")

    added = json.loads(command("library", "add", ".", "--library", "lib", "--json", code=3).stdout)

    assert added["documents"] >= 2
    assert {Path(s["path"]).name.split(":")[0] for s in added["skipped"]} >= {"bad.xml", "bad.pdf"}
    assert all(s["reason"] for s in added["skipped"])


def test_every_quote_of_five_answers_stands_in_its_source(command: Any, tmp_path: Path, shared_data: Path) -> None:
    """Real articles, read here by other means than the package's."""
    folder = tmp_path / "articles"
    folder.mkdir()
    with tarfile.open(shared_data / "corpora/pmc_rct_fulltext.tar.gz") as archive:
        members = [m for m in archive if m.isfile()][:60]
        for member in members:
            content = archive.extractfile(member)
            assert content is not None
            (folder / Path(member.name).name).write_bytes(content.read())
    with gzip.open(shared_data / "retrieval/nfcorpus/corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [line for _, line in zip(range(800), lines, strict=False)]
    (folder / "abstracts.jsonl").write_text("".join(rows), encoding="utf-8")
    command("library", "add", folder, "--library", "lib", timeout=600)

    sources = _independent(folder)
    for question in QUESTIONS:
        answer = json.loads(command("ask", question, "--library", "lib", "--json").stdout)
        _check_contract(answer)
        assert answer["answer"]["sentences"]
        for sentence in [*answer["answer"]["sentences"], *answer["contradictory"]]:
            for citation in sentence["citations"]:
                if not citation["curated"]:
                    identity = citation["document"]
                    assert _flat(citation["quote"]["text"]) in sources[identity], identity


def _flat(text: str) -> str:
    return " ".join(text.split())


def _independent(folder: Path) -> dict[str, str]:
    """The text behind each id, read with the standard library alone."""
    texts: dict[str, str] = {}
    for line in (folder / "abstracts.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        pmid, pmcid = re.search(r"/pubmed/(\d+)", line), re.search(r"/(PMC\d+)", line)
        key = f"pmid:{pmid[1]}" if pmid else f"pmcid:{pmcid[1]}" if pmcid else f"local:{row['_id']}"
        texts[key] = _flat(row["text"])
    for path in folder.glob("*.nxml"):
        root = ET.parse(path).getroot()
        text = _flat(
            " ".join("".join(element.itertext()) for element in root.iter() if _tag(element) in ("abstract", "p"))
        )
        ids = {e.get("pub-id-type"): (e.text or "").strip() for e in root.iter() if _tag(e) == "article-id"}
        for kind, value in ids.items():
            key = {"pmid": "pmid", "pmc": "pmcid", "pmcid": "pmcid", "doi": "doi"}.get(kind or "")
            if key:
                shown = f"PMC{value.removeprefix('PMC')}" if key == "pmcid" else value.lower()
                texts[f"{key}:{shown}"] = text
    return texts


def _tag(element: ET.Element) -> str:
    return str(element.tag).rpartition("}")[2]
