"""What is wanted several times at once is asked once: shared requests, records fetched together, one broad query."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from evidencegate.question import Question, understand
from evidencegate.sources import Client, SearchResult, Status, by_name, search
from evidencegate.sources._failure import Failure
from evidencegate.sources._http import Request
from evidencegate.sources._query import plan
from evidencegate.sources._shared import Shared
from simulated import Fault, LiteratureService

LONG = (
    "A 78-year-old woman with atrial fibrillation, stage 4 chronic kidney disease, heart failure with preserved "
    "ejection fraction and a gastrointestinal bleed two weeks ago, treated endoscopically, now stable on a proton "
    "pump inhibitor, asks whether and when anticoagulation should be restarted, which agent and dose would be "
    "preferred given her eGFR of 24 mL/min and weight of 52 kg, how her haemoglobin and renal function should be "
    "monitored in the first three months, what the risk of recurrent bleeding is compared with the risk of stroke, "
    "and whether left atrial appendage occlusion would be a reasonable alternative for her if anticoagulants cannot "
    "be tolerated in the long term."
)


def searched(service: LiteratureService, folder: Path, question: Question, name: str) -> tuple[SearchResult, ...]:
    async def run() -> tuple[SearchResult, ...]:
        async with Client(service.settings(folder)) as client:
            return await search(question, [by_name(name, client)], limit=30)

    return asyncio.run(run())


def test_a_long_question_fetches_its_records_once(service: LiteratureService, tmp_path: Path) -> None:
    question = understand(LONG)
    results = searched(service, tmp_path, question, "pubmed")
    asked = Counter(seen.path for seen in service.seen)

    assert len(question.sub_queries) == 4
    assert asked["/efetch.fcgi"] == 1
    assert all(result.record.status in (Status.OK, Status.EMPTY) for result in results)
    assert any(result.found for result in results)
    # Each search has its own records, in the order of its own listing.
    for result in results:
        assert [found.position for found in result.found] == list(range(1, len(result.found) + 1))


def test_no_query_is_sent_twice(service: LiteratureService, tmp_path: Path) -> None:
    searched(service, tmp_path, understand(LONG), "pubmed")
    terms = Counter(seen.params["term"] for seen in service.seen if seen.path == "/esearch.fcgi")

    assert set(terms.values()) == {1}
    # Four narrow ones; at three a second what broadens them must be few.
    assert len(terms) <= 7


@pytest.mark.parametrize("source", ["pubmed", "europe_pmc"])
def test_searches_that_find_too_little_end_in_one_query(source: str) -> None:
    question = understand(LONG)
    last = {plan(source, sub_query, question)[-1].shown for sub_query in question.sub_queries}

    assert len({sub_query.target_evidence for sub_query in question.sub_queries}) > 1
    assert len(last) == 1


def test_records_are_fetched_although_a_search_beside_them_fails(service: LiteratureService, tmp_path: Path) -> None:
    # One listing (of seven) is refused for good; the others' records come.
    service.fail("pubmed", Fault.FORBIDDEN, times=1, path="/esearch")
    results = searched(service, tmp_path, understand(LONG), "pubmed")
    statuses = Counter(result.record.status for result in results)

    assert statuses[Status.REFUSED] == 1
    assert statuses[Status.OK] == 3


def test_one_reply_serves_all_who_ask_for_it_at_once(service: LiteratureService, tmp_path: Path) -> None:
    async def run() -> list[int]:
        async with Client(service.settings(tmp_path)) as client:
            request = Request(path="/esearch.fcgi", params={"db": "pubmed", "term": '"apixaban"[tiab]'})
            pubmed = client.services["pubmed"]
            return await asyncio.gather(
                *(client.ask(pubmed, request, lambda reply: len(reply.content)) for _ in range(5))
            )

    sizes = asyncio.run(run())
    assert len(set(sizes)) == 1
    assert len(service.seen) == 1


def test_one_failure_is_told_to_all_who_asked(service: LiteratureService, tmp_path: Path) -> None:
    service.fail("pubmed", Fault.FORBIDDEN)

    async def run() -> list[object]:
        async with Client(service.settings(tmp_path)) as client:
            request = Request(path="/esearch.fcgi", params={"db": "pubmed", "term": '"apixaban"[tiab]'})
            asked = (client.ask(client.services["pubmed"], request, lambda reply: reply.text) for _ in range(3))
            return list(await asyncio.gather(*asked, return_exceptions=True))

    outcomes = asyncio.run(run())
    assert [type(outcome) for outcome in outcomes] == [Failure] * 3
    assert len(service.seen) == 1


def test_work_goes_on_while_somebody_waits_and_ends_with_the_last() -> None:
    ended: list[str] = []

    async def work() -> str:
        try:
            await asyncio.sleep(0)
            await gate.wait()
        except asyncio.CancelledError:
            ended.append("given up")
            raise
        return "done"

    async def first_leaves() -> str:
        shared = Shared(work())
        leaving, staying = asyncio.create_task(shared.result()), asyncio.create_task(shared.result())
        await asyncio.sleep(0)
        leaving.cancel()
        await asyncio.sleep(0)
        gate.set()
        return await staying

    async def all_leave() -> None:
        shared = Shared(work(), done=lambda: ended.append("told"))
        waiters = [asyncio.create_task(shared.result()) for _ in range(2)]
        await asyncio.sleep(0)
        for waiter in waiters:
            waiter.cancel()
        await asyncio.gather(*waiters, return_exceptions=True)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    gate = asyncio.Event()
    assert asyncio.run(first_leaves()) == "done"
    assert ended == []
    gate = asyncio.Event()
    asyncio.run(all_leave())
    assert ended == ["told", "given up"]


def test_nobody_is_given_up_with_work_that_others_left() -> None:
    begun: list[str] = []
    flights: dict[str, Shared[str]] = {}

    async def work() -> str:
        begun.append("once")
        if len(begun) == 1:
            try:
                await asyncio.sleep(60)
            finally:
                await asyncio.sleep(0.01)  # a connection takes its time to close
        return "done"

    async def wanted() -> str:
        if "key" not in flights:
            flights["key"] = Shared(work(), done=lambda: flights.pop("key", None))
        return await flights["key"].result()

    async def leave_and_ask_again() -> str:
        leaving = asyncio.create_task(wanted())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        leaving.cancel()
        leaving.add_done_callback(lambda _: again.append(asyncio.ensure_future(wanted())))
        await asyncio.gather(leaving, return_exceptions=True)
        return await again[0]

    again: list[asyncio.Future[str]] = []

    assert asyncio.run(leave_and_ask_again()) == "done"
    assert begun == ["once", "once"]
    assert not flights
