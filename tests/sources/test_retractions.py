"""Rule 9 from end to end: what is withdrawn supports nothing, whoever found it and whenever it was withdrawn."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import evidencegate
from evidencegate.documents import Document, Notice, RetractionStatus
from evidencegate.evidence import anchor_document, load_packs
from evidencegate.report import Answer, Report
from simulated import ARTICLES, RETRACTED, LiteratureService, turned_to
from simulated._articles import article

AF = "Is apixaban safer than warfarin in atrial fibrillation with severe chronic kidney disease?"
DEVICE = "Should edoxaban be given for device-detected atrial high-rate episodes?"
NOAH = load_packs(None).anchor("noah_afnet6")
SUMMARY = anchor_document(NOAH).text
WITHDRAWN = RETRACTED.notices
CONCERN = (Notice(status=RetractionStatus.CONCERN, source="pubmed", reference="J Invented Med. 2025;1:9"),)


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiteratureService]:
    with LiteratureService() as service, turned_to(service, tmp_path, monkeypatch):
        yield service


def registered(*notices: Notice) -> Document:
    """The anchor's record as PubMed has it: found by its number, by no search."""
    found = article(int(NOAH.identifiers.pmid or 0), "A record that no search finds", {"": "Nothing."}, doi=False)
    return replace(found, notices=notices)


def cited(answer: Answer | Report) -> set[str]:
    """Of every citation and reference, the record."""
    everywhere = {c.quote.document.id for s in answer.sentences() for c in s.citations if c.quote}
    return everywhere | {reference.document.id for reference in answer.references}


def works(command: str) -> "Answer | Report":
    return getattr(evidencegate, command)(DEVICE, sources=["pubmed"])  # type: ignore[no-any-return]


@pytest.mark.parametrize("command", ["ask", "report"])
def test_a_curated_summary_supports_nothing_once_its_article_is_retracted(
    live: LiteratureService, command: str
) -> None:
    live.articles = ()
    before = works(command)
    assert f"anchor:{NOAH.id}" in cited(before)

    live.articles = (registered(*WITHDRAWN),)
    after = works(command)
    assert f"anchor:{NOAH.id}" not in cited(after)
    shown = " ".join(sentence.text for sentence in after.sentences())
    assert not any(sentence in shown for sentence in NOAH.summary)
    assert any("Left out, retracted" in warning and NOAH.title in warning for warning in after.warnings)
    assert any("retracted since our summary" in warning for warning in after.warnings)
    excluded = {entry.document.id: entry.reason for entry in after.package.excluded}
    assert "retracted" in excluded[f"anchor:{NOAH.id}"]


@pytest.mark.parametrize("command", ["ask", "report"])
def test_a_concern_about_a_curated_work_stands_beside_its_citation(live: LiteratureService, command: str) -> None:
    live.articles = (registered(*CONCERN),)
    answer = works(command)
    (reference,) = [r for r in answer.references if r.document.id == f"anchor:{NOAH.id}"]
    assert reference.retraction is RetractionStatus.CONCERN
    assert any(f"[{reference.n}] carries a notice: expression of concern" in warning for warning in answer.warnings)


@pytest.mark.parametrize("command", ["ask", "report"])
@pytest.mark.parametrize("first", range(4))
def test_what_is_retracted_is_cited_nowhere(live: LiteratureService, command: str, first: int) -> None:
    """Any two of the records that would answer are withdrawn."""
    gone = {ARTICLES[first].id, ARTICLES[(first + 1) % 4].id}
    live.articles = tuple(replace(a, notices=WITHDRAWN) if a.id in gone else a for a in ARTICLES)
    answer = getattr(evidencegate, command)(AF, sources=["pubmed", "europe_pmc"])
    assert not cited(answer) & {*gone, RETRACTED.id}
    assert cited(answer)
    for contradiction in answer.contradictory:
        assert not {c.quote.document.id for c in contradiction.sentence.citations if c.quote} & gone


def test_who_takes_the_place_of_a_retracted_record_is_asked_about_too(live: LiteratureService) -> None:
    """Eleven trials, ten of which can be chosen. One is withdrawn after the search, and so is the one that moves up."""
    question = "Does colchicine prevent attacks of familial Mediterranean fever?"
    trials = [
        article(
            92000001 + n,
            f"Colchicine in familial Mediterranean fever: a randomised trial, part {n + 1}",
            {"": f"Colchicine prevented attacks of familial Mediterranean fever in {30 + n} of 50 patients."},
            types=("Journal Article", "Randomized Controlled Trial"),
            year=2000 + n,
        )
        for n in range(11)
    ]
    live.articles = tuple(trials)
    before = evidencegate.ask(question, sources=["europe_pmc"])
    chosen = {item.document.id for item in before.package.items[:10]}
    (waiting,) = {trial.id for trial in trials} - chosen
    withdrawn = {before.package.items[0].document.id, waiting}
    # Europe PMC's replies are kept from before; PubMed has the notices by now.
    live.articles = tuple(replace(t, notices=WITHDRAWN) if t.id in withdrawn else t for t in trials)
    after = evidencegate.ask(question, sources=["europe_pmc"])
    assert not cited(after) & withdrawn
    excluded = {entry.document.id for entry in after.package.excluded if "retracted" in entry.reason}
    assert excluded == withdrawn


def test_a_report_asks_about_what_only_a_section_may_cite(live: LiteratureService) -> None:
    """More records than the ten chosen for the whole topic: those that only a section chooses are asked about too."""
    topic = "Colchicine in familial Mediterranean fever"
    live.articles = tuple(
        article(
            92000001 + n,
            f"Colchicine {word} in familial Mediterranean fever: a randomised trial",
            {"": f"Colchicine changed {word} in {30 + n} of 50 patients with familial Mediterranean fever."},
            types=("Journal Article", "Randomized Controlled Trial"),
            year=2000 + n,
        )
        for n, word in enumerate(
            "attacks fever pain amyloidosis adherence safety diarrhoea duration dose growth".split()
        )
    )
    report = evidencegate.report(topic, sources=["europe_pmc"], outline=["Safety", "Dose", "Duration of treatment"])
    asked = {pmid for seen in live.seen if seen.path == "/efetch.fcgi" for pmid in seen.params["id"].split(",")}
    assert cited(report)
    assert {pmid.removeprefix("pmid:") for pmid in cited(report)} <= asked
