"""A report whose process is killed, at any write and again and again, ends as if nothing had happened."""

import asyncio
import hashlib
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from test_answer import ENGINE, NO_PACKS, QUESTION, Shelf, record

from evidencegate.models.language import Prompt, Reply
from evidencegate.models.language._types import S
from evidencegate.models.language.scripted import Behaviour, Scripted
from evidencegate.question import Question, SubQuery
from evidencegate.report import Report, report_json, write_report
from evidencegate.runs import Ledger, Mode, Run, RunStatus
from evidencegate.sources import SearchResult
from simulated import KILLED, Mortal, in_a_process_that_may_die

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the process that dies is a fork of this one"),
    # Python 3.12 warns where other tests left a thread.
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]

FOUND = (
    record(
        1,
        "Zelfaban reduced stroke compared with warfarin in patients with atrial fibrillation (HR 0.62, 95% CI "
        "0.48-0.80).",
    ),
    record(2, "Zelfaban increased major bleeding compared with warfarin in patients with atrial fibrillation."),
)
LIES = (Behaviour.NEGATE, Behaviour.INVENT_CITATIONS, Behaviour.BREAK_JSON)
_LIVES = 4
"""A report that is killed at each of its first `n` writes never ends; after so many lives it is let live."""


@dataclass(frozen=True)
class PaidShelf(Shelf):
    """A source that writes down every search before it answers."""

    bill: Path = Path()

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        _charge(self.bill, f"search {sub_query.query} {sub_query.target_evidence}")
        return await super().search(sub_query, question, limit=limit)


@dataclass
class PaidModel:
    """A model that writes down every call before it answers, and answers a prompt the same way in every life."""

    bill: Path
    lies: Sequence[Behaviour]
    name: str = "scripted:paid"
    inner: Scripted = field(default_factory=Scripted)

    async def complete(self, prompt: Prompt, schema: type[S]) -> Reply[S]:
        content = hashlib.sha256(repr((prompt.name, prompt.data)).encode()).digest()
        _charge(self.bill, f"call {prompt.name} {content.hex()}")
        behaviour = self.lies[content[0] % len(self.lies)] if self.lies else Behaviour.OBEY
        return await Scripted(behaviours=(behaviour,)).complete(prompt, schema)


def _charge(bill: Path, entry: str) -> None:
    with bill.open("a") as book:
        book.write(entry + "\n")


def _paid(bill: Path) -> Counter[str]:
    return Counter(bill.read_text().splitlines()) if bill.exists() else Counter()


def _written(run: Run, bill: Path, lies: Sequence[Behaviour] | None) -> Report:
    """What `report` does with a run; without a model where `lies` is None."""
    shelf = PaidShelf(FOUND, bill=bill)
    report = asyncio.run(
        write_report(
            QUESTION,
            sources=[shelf],
            not_asked={},
            packs=NO_PACKS,
            run=run,
            engine=ENGINE,
            model=None if lies is None else PaidModel(bill, lies),
            headings=["Stroke", "Bleeding"],
        )
    )
    run.finish(report_json(report), RunStatus.PARTIAL if run.short else RunStatus.DONE)
    return report


def _said(report: Report) -> dict[str, Any]:
    """A report without what differs between two runs that are the same."""
    return {name: value for name, value in report_json(report).items() if name != "run"}


@pytest.mark.parametrize(
    ("lies", "after", "least"),
    [
        pytest.param(None, True, 50, id="local-after"),
        pytest.param((), True, 60, id="obedient-after"),
        pytest.param((), False, 60, id="obedient-before"),
        pytest.param(LIES, False, 60, id="lying-before"),
    ],
)
def test_killed_at_every_write_and_in_every_life_it_says_the_same_and_pays_nothing_twice(
    lies: Sequence[Behaviour] | None, after: bool, least: int, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    ledger = Ledger(url)
    whole = _said(_written(Run.start(ledger, "report", {}), tmp_path / "whole", lies))
    once = _paid(tmp_path / "whole")
    ledger.close()  # a connection must not be shared with a child

    kills = 0
    for n in range(1, 200):
        bill = tmp_path / f"bill-{n}"
        run = Run.start(ledger, "report", {}).id
        lives = 0
        while lives < _LIVES:
            kept = {name for name, _ in ledger.steps(run)}
            ledger.close()
            code = in_a_process_that_may_die(
                lambda n=n, run=run, bill=bill: _written(Run.again(Mortal(url, n, after=after), run), bill, lies)
            )
            assert code in (0, KILLED)
            assert {name for name, _ in ledger.steps(run)} >= kept  # nothing that was kept is lost
            if code == 0:
                break
            lives += 1
        kills += lives
        taken_up = _said(_written(Run.again(ledger, run), bill, lies))
        ledger.close()

        assert taken_up == whole
        paid = _paid(bill)
        assert set(paid) == set(once)
        # Killed between a reply and its keeping, that one reply is asked for again; nothing else ever is.
        assert sum((paid - once).values()) <= (0 if after else lives)
        if not lives:
            break
    replayed = _said(_written(Run.again(ledger, run, mode=Mode.REPLAY), tmp_path / "nobody", lies))
    assert replayed == whole
    assert not _paid(tmp_path / "nobody")
    assert kills >= least
