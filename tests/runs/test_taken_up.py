"""A question asked through a run that is killed, cut short, replayed and compared."""

import asyncio
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import evidencegate
from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.errors import InvalidInput
from evidencegate.evidence import Packs
from evidencegate.models.stance import RulesModel
from evidencegate.question import Question, SubQuery
from evidencegate.report import Answer, Engine, answer_json, ask, diff_runs
from evidencegate.report._relevance import shared_words
from evidencegate.runs import Budget, Ledger, Mode, Run, RunStatus, Usage
from evidencegate.sources import Found, SearchRecord, SearchResult, Status
from simulated import KILLED, Mortal, in_a_process_that_may_die

ENGINE = Engine(relevance=shared_words, stance=RulesModel())
QUESTION = "Does zelfaban reduce stroke or major bleeding in atrial fibrillation?"


@dataclass(frozen=True)
class Paid:
    """A source that writes down every call, as a service would on its bill; or is slow, or breaks."""

    name: str
    bill: Path
    documents: tuple[Document, ...] = ()
    seconds: float = 0.0
    breaks: bool = False

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        with self.bill.open("a") as bill:
            bill.write(f"{self.name}: {sub_query.query} ({sub_query.target_evidence})\n")
        if self.seconds:
            await asyncio.sleep(self.seconds)
        if self.breaks:
            raise RuntimeError("a defect")
        found = tuple(Found(document=d, position=i) for i, d in enumerate(self.documents, start=1))
        status = Status.OK if found else Status.EMPTY
        return SearchResult(
            record=SearchRecord(source=self.name, query=sub_query.query, status=status, records=len(found)),
            found=found,
        )


_OUTCOMES = ("stroke", "mortality", "major bleeding")


def record(n: int, outcome: str = "reduced", *, retracted: bool = False) -> Document:
    """An invented article."""
    pmid = str(90_000_000 + n)
    return Document(
        id=f"pmid:{pmid}",
        title=f"Zelfaban in atrial fibrillation: invented study {n}",
        text=f"Zelfaban {outcome} {_OUTCOMES[n % 3]} compared with warfarin in atrial fibrillation (n={n}00).",
        identifiers=Identifiers(pmid=pmid),
        authors=("Invented A",),
        journal="Journal of Invented Trials",
        year=2024,
        publication_types=("Randomized Controlled Trial",),
        notices=(Notice(status=RetractionStatus.RETRACTED, source="pubmed"),) if retracted else (),
    )


def sources(bill: Path, *, seconds: float = 0.0) -> tuple[Paid, ...]:
    """Three places that know different things; the last one is the slow one."""
    return (
        Paid("shelf", bill, (record(1), record(2))),
        Paid("desk", bill, (record(2), record(3, "increased"))),
        Paid("attic", bill, (record(4),), seconds),
    )


def answered(run: Run, searched: tuple[Paid, ...]) -> Answer:
    """What `ask` does with a run."""
    run.event("start", "starting")
    answer = asyncio.run(ask(QUESTION, sources=searched, not_asked={}, packs=Packs(packs=()), run=run, engine=ENGINE))
    run.finish(answer_json(answer), RunStatus.PARTIAL if run.short else RunStatus.DONE)
    return answer


def said(fields: dict[str, Any]) -> dict[str, Any]:
    """An answer without what differs between two runs that are the same."""
    return {name: value for name, value in fields.items() if name != "run"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the process that dies is a fork of this one")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # Python 3.12 warns where other tests left a thread
@pytest.mark.parametrize("after", [True, False])
def test_killed_at_any_write_and_taken_up_it_says_the_same_and_asks_nothing_twice(tmp_path: Path, after: bool) -> None:
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    ledger = Ledger(url)
    whole = answer_json(answered(Run.start(ledger, "ask", {}), sources(tmp_path / "whole")))
    calls = sorted((tmp_path / "whole").read_text().splitlines())
    ledger.close()  # a connection must not be shared with a child

    died = 0
    for n in range(1, 100):
        bill = tmp_path / f"bill-{n}"
        run = Run.start(ledger, "ask", {}).id
        ledger.close()
        code = in_a_process_that_may_die(
            lambda n=n, run=run, bill=bill: answered(Run.again(Mortal(url, n, after=after), run), sources(bill))
        )
        if code == 0:
            break
        assert code == KILLED
        died += 1
        assert ledger.get(run).status is (RunStatus.DONE if ledger.get(run).result else RunStatus.RUNNING)
        taken_up = answer_json(answered(Run.again(ledger, run), sources(bill)))
        ledger.close()

        assert said(taken_up) == said(whole)
        paid = sorted(bill.read_text().splitlines())
        # Killed between a reply and its keeping, that one reply is asked for again; nothing else ever is.
        assert len(paid) - len(calls) <= (0 if after else 1)
        assert sorted(set(paid)) == calls
    assert died > len(calls) + 5  # every call kept, and the events around them


def test_a_source_that_breaks_is_a_step_too_and_its_failure_is_replayed(tmp_path: Path) -> None:
    ledger = Ledger("sqlite://")
    run = Run.start(ledger, "ask", {})
    broken = (Paid("shelf", tmp_path / "bill", (record(1),)), Paid("broken", tmp_path / "bill", breaks=True))
    first = answered(run, broken)
    calls = (tmp_path / "bill").read_text()

    again = answered(Run.again(ledger, run.id, mode=Mode.REPLAY), broken)

    assert any("broken" in warning for warning in first.warnings)
    assert json.dumps(answer_json(again)) == json.dumps(answer_json(first))
    assert (tmp_path / "bill").read_text() == calls


def test_seconds_that_run_out_leave_a_marked_partial_answer_that_can_be_finished(tmp_path: Path) -> None:
    ledger = Ledger("sqlite://")
    searched = sources(tmp_path / "bill", seconds=30)
    run = Run.start(ledger, "ask", {}, budget=Budget(seconds=0.5))
    first = answered(run, searched)
    calls = (tmp_path / "bill").read_text().splitlines()

    assert first.partial
    assert first.warnings[0].startswith("Partial")
    assert ledger.get(run.id).status is RunStatus.PARTIAL
    assert ledger.get(run.id).usage.seconds >= 0.5
    slow = [s for s in first.package.searches if s.source == "attic"]
    assert slow
    assert all(s.status is Status.NOT_ASKED and "budget of 0.5 seconds" in s.reason for s in slow)
    assert {s.source for s in first.package.searches if s.status is Status.OK} == {"shelf", "desk"}

    again = answered(Run.again(ledger, run.id, mode=Mode.REPLAY), searched)
    assert answer_json(again) == answer_json(first)
    assert (tmp_path / "bill").read_text().splitlines() == calls

    finished = answered(Run.again(ledger, run.id), sources(tmp_path / "bill"))
    assert not finished.partial
    assert ledger.get(run.id).status is RunStatus.DONE
    more = (tmp_path / "bill").read_text().splitlines()[len(calls) :]
    assert more
    assert all(call.startswith("attic") for call in more)
    assert answer_json(answered(Run.again(ledger, run.id, mode=Mode.REPLAY), searched)) == answer_json(finished)


def test_what_a_run_has_cost_counts_when_it_is_taken_up(tmp_path: Path) -> None:
    ledger = Ledger("sqlite://")
    run = Run.start(ledger, "ask", {})
    ledger.finish(run.id, RunStatus.INTERRUPTED, None, Usage(seconds=60))

    taken_up = answered(Run.again(ledger, run.id, budget=Budget(seconds=60)), sources(tmp_path / "bill"))

    assert taken_up.partial
    assert not (tmp_path / "bill").exists()


def test_half_of_a_surrogate_pair_in_a_reply_is_kept(tmp_path: Path) -> None:
    ledger = Ledger("sqlite://")
    odd = Document(id="local:odd", title="Odd \ud800 zelfaban", text="Zelfaban \ud800 in atrial fibrillation.")
    run = Run.start(ledger, "ask", {})
    first = answered(run, (Paid("shelf", tmp_path / "bill", (odd,)),))

    again = answered(Run.again(ledger, run.id, mode=Mode.REPLAY), (Paid("shelf", tmp_path / "bill"),))

    assert odd.title in [one.document.title for one in (*first.package.items, *first.package.excluded)]
    assert again.package == first.package


# --- differences ---------------------------------------------------------------------------------------------------


def _asked(ledger: Ledger, bill: Path, *documents: Document) -> str:
    run = Run.start(ledger, "ask", {"question": QUESTION})
    answered(run, (Paid("shelf", bill, documents),))
    return run.id


def test_the_difference_of_two_runs_is_what_the_evidence_did(tmp_path: Path) -> None:
    ledger = Ledger("sqlite://")
    before = _asked(ledger, tmp_path / "bill", record(1), record(2), record(3, "increased"))
    after = _asked(ledger, tmp_path / "bill", record(1), record(2, retracted=True), record(6))

    changed = diff_runs(ledger, before, after).to_json()

    assert [r["document"] for r in changed["records"]["new"]] == ["pmid:90000006"]
    assert [r["document"] for r in changed["records"]["gone"]] == ["pmid:90000003"]
    assert [r["document"] for r in changed["records"]["newly_retracted"]] == ["pmid:90000002"]
    (notice,) = changed["records"]["notices"]
    assert (notice["before"], notice["after"]) == ("none", "retracted")
    assert {r["document"] for r in changed["references"]["gone"]} >= {"pmid:90000002", "pmid:90000003"}
    assert [r["document"] for r in changed["references"]["new"]] == ["pmid:90000006"]
    assert any("n=600" in s["text"] for s in changed["sentences"]["new"])
    assert any("n=200" in s["text"] for s in changed["sentences"]["gone"])
    sufficiency = changed["sufficiency"]
    assert sufficiency["change"] == pytest.approx(sufficiency["after"] - sufficiency["before"], abs=0.05)
    assert not changed["same"]


def test_the_difference_the_other_way_is_the_mirror(tmp_path: Path) -> None:
    ledger = Ledger("sqlite://")
    one = _asked(ledger, tmp_path / "bill", record(1), record(3))
    other = _asked(ledger, tmp_path / "bill", record(1), record(4))

    there, back = diff_runs(ledger, one, other), diff_runs(ledger, other, one)

    assert (there.records.new, there.records.gone) == (back.records.gone, back.records.new)
    assert (there.sentences.new, there.sentences.gone) == (back.sentences.gone, back.sentences.new)


def test_a_run_does_not_differ_from_one_that_found_the_same(tmp_path: Path) -> None:
    ledger = Ledger("sqlite://")
    one, other = (_asked(ledger, tmp_path / "bill", record(1), record(2)) for _ in range(2))

    assert diff_runs(ledger, one, other).same
    assert diff_runs(ledger, one, one).to_json()["records"] == {
        "new": [], "gone": [], "newly_retracted": [], "notices": [],
    }  # fmt: skip


def test_only_runs_that_showed_an_answer_can_be_compared(tmp_path: Path) -> None:
    ledger = Ledger("sqlite://")
    one = _asked(ledger, tmp_path / "bill", record(1))
    running = Run.start(ledger, "ask", {}).id

    with pytest.raises(InvalidInput, match="no answer"):
        diff_runs(ledger, one, running)


def test_two_libraries_of_one_name_each_answer_in_a_replay(tmp_path: Path) -> None:
    pytest.importorskip("lancedb", reason="the extra `library` is not installed")
    places = [tmp_path / "a" / "trials", tmp_path / "b" / "trials"]
    for number, place in enumerate(places):
        record = tmp_path / f"{number}.jsonl"
        abstract = f"In this invented trial {number}, apixaban reduced stroke in atrial fibrillation."
        title = f"Apixaban in atrial fibrillation, invented trial {number}"
        record.write_text(json.dumps({"pmid": f"9000000{number}", "title": title, "abstract": abstract}), "utf-8")
        evidencegate.Library(place).add(record)
    ledger = f"sqlite:///{tmp_path / 'runs.db'}"
    question = "Does apixaban reduce stroke in atrial fibrillation?"
    first = evidencegate.ask(question, libraries=places, ledger=ledger)
    again = evidencegate.replay(first.run, ledger=ledger)
    assert answer_json(again) == answer_json(first)
    searched = {record.source for record in first.package.searches if record.status.answered}
    assert searched == {"library:trials", "library:trials-2"}
