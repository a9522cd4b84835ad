"""Records by identifier: from whoever has them, compared with what was said, and with what became of them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from evidencegate.documents import Document, Identifiers, RetractionStatus
from evidencegate.errors import SourceError
from evidencegate.sources import (
    Claimed,
    Client,
    Identity,
    Mode,
    NoticeCheck,
    OpenCopy,
    OpenI,
    Perplexity,
    Status,
    Unavailable,
    compare,
    current_notices,
    fetch,
    fetch_all,
    full_text,
    resolver,
)
from evidencegate.sources._identity import same_title
from simulated import ARTICLES, RETRACTED, TRIALS, Fault, LiteratureService
from simulated._formats import jats

T = TypeVar("T")
TRIAL = ARTICLES[0]


def with_client(
    service: LiteratureService, tmp_path: Path, do: Callable[[Client], Awaitable[T]], mode: Mode = Mode.NORMAL
) -> T:
    async def run() -> T:
        async with Client(service.settings(tmp_path), mode=mode) as client:
            return await do(client)

    return asyncio.run(run())


@pytest.mark.parametrize(
    "wanted",
    [
        Identifiers(pmid=TRIAL.identifiers.pmid),
        Identifiers(pmcid=TRIAL.identifiers.pmcid),
        Identifiers(doi=TRIAL.identifiers.doi),
    ],
    ids=["pmid", "pmcid", "doi"],
)
def test_a_record_is_found_by_each_of_its_identifiers(
    service: LiteratureService, tmp_path: Path, wanted: Identifiers
) -> None:
    got = with_client(service, tmp_path, lambda client: fetch(wanted, client))
    assert isinstance(got, Document)
    assert got.identifiers == TRIAL.identifiers
    assert got.text == TRIAL.text


def test_a_trial_comes_from_its_registry(service: LiteratureService, tmp_path: Path) -> None:
    got = with_client(service, tmp_path, lambda client: fetch(TRIALS[0].identifiers, client))
    assert isinstance(got, Document)
    assert got.identifiers == TRIALS[0].identifiers
    assert "Apixaban: 11 Participants." in got.text
    assert "Hazard Ratio (HR) 0.47, 95% CI 0.23 to 0.96, p=0.04" in got.text


@pytest.mark.parametrize(
    "wanted",
    [
        Identifiers(pmid="1"),
        Identifiers(pmcid="PMC1"),
        Identifiers(doi="10.5555/nothing"),
        Identifiers(nct="NCT00000001"),
    ],
    ids=["pmid", "pmcid", "doi", "nct"],
)
def test_what_nobody_has_is_not_a_failure(service: LiteratureService, tmp_path: Path, wanted: Identifiers) -> None:
    got = with_client(service, tmp_path, lambda client: fetch(wanted, client))
    assert isinstance(got, Unavailable)
    assert got.status is Status.EMPTY
    assert got.identifier == wanted.keys()[0]


def test_the_next_source_is_asked_where_one_fails(service: LiteratureService, tmp_path: Path) -> None:
    service.fail("pubmed", Fault.SERVER_ERROR)
    got = with_client(service, tmp_path, lambda client: fetch(TRIAL.identifiers, client))
    assert isinstance(got, Document)
    assert got.source == "europe_pmc"


def test_that_nobody_could_be_asked_is_not_that_nobody_has_it(service: LiteratureService, tmp_path: Path) -> None:
    service.fail("pubmed", Fault.SERVER_ERROR)
    service.fail("europe_pmc", Fault.RESET)
    got = with_client(service, tmp_path, lambda client: fetch(Identifiers(pmid="90000001"), client))
    assert isinstance(got, Unavailable)
    assert got.status is Status.UNREACHABLE
    assert "PubMed" in got.reason
    assert "Europe PMC" in got.reason


def test_many_at_once_keep_their_order(service: LiteratureService, tmp_path: Path) -> None:
    wanted = [document.identifiers for document in ARTICLES]
    got = with_client(service, tmp_path, lambda client: fetch_all(wanted, client))
    assert [item.id for item in got if isinstance(item, Document)] == [document.id for document in ARTICLES]


def test_the_resolver_serves_synchronous_callers(service: LiteratureService, tmp_path: Path) -> None:
    with resolver(service.settings(tmp_path)) as resolve:
        found = resolve(TRIAL.identifiers)
        assert found is not None
        assert found.title == TRIAL.title
        assert resolve(Identifiers(pmid="1")) is None
        service.fail("pubmed", Fault.FORBIDDEN)
        service.fail("europe_pmc", Fault.FORBIDDEN)
        with pytest.raises(SourceError, match="PubMed refused"):
            resolve(Identifiers(pmid="90000002"))


# --- identity ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claimed",
    [
        Claimed(title=TRIAL.title),
        Claimed(title=TRIAL.title.upper().rstrip(".") + "."),
        Claimed(title=TRIAL.title.replace("randomised", "randomized")),
        Claimed(title="Apixaban or warfarin in atrial fibrillation with severe chronic kidney disease"),
        Claimed(authors=("Muster, A. B.", "et al."), year=2023),
        Claimed(authors=("Muster AB et al",), year=2024, journal="Journal of Invented Medicine"),
        Claimed(year=2022, journal="J. Invented Med."),
    ],
)
def test_the_same_work_is_verified(claimed: Claimed) -> None:
    assert compare(claimed, TRIAL).identity is Identity.VERIFIED


@pytest.mark.parametrize(
    ("claimed", "differs"),
    [
        (Claimed(title=TRIAL.title.replace("Apixaban", "Rivaroxaban")), "title"),
        (Claimed(title=TRIAL.title.replace("Apixaban", "Edoxaban")), "title"),
        (Claimed(title=TRIAL.title.replace("fibrillation", "flutter")), "title"),
        (Claimed(title=TRIAL.title.replace("severe", "stage 3")), "title"),
        (Claimed(title=RETRACTED.title), "title"),
        (Claimed(title=TRIAL.title, authors=("Somebody X",)), "authors"),
        (Claimed(title=TRIAL.title, year=2020), "year"),
        (Claimed(title=TRIAL.title, journal="Lancet"), "journal"),
    ],
)
def test_another_work_is_a_mismatch_and_says_what_differs(claimed: Claimed, differs: str) -> None:
    check = compare(claimed, TRIAL)
    assert check.identity is Identity.MISMATCH
    assert any(text.startswith(differs) for text in check.differences)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("N Engl J Med", "The New England Journal of Medicine", True),
        ("NEJM", "New England Journal of Medicine", True),
        ("JAMA", "JAMA", True),
        ("Lancet", "The Lancet (London, England)", True),
        ("J Am Coll Cardiol", "Journal of the American College of Cardiology", True),
        ("JACC", "Journal of the American College of Cardiology", True),
        ("Lancet", "Lancet Oncology", False),
        ("BMJ", "BMJ Open", False),
        ("Circulation", "Circulation Research", False),
        ("Heart", "Chest", False),
    ],
)
def test_journals_by_name_abbreviation_and_acronym(one: str, other: str, same: bool) -> None:
    record = replace(TRIAL, journal=other)
    assert (compare(Claimed(journal=one), record).identity is Identity.VERIFIED) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Treatment of hypertension in anaemic patients", "Treatment of hypertension in anemic patients", True),
        ("Randomised trial of tumour behaviour", "Randomized trials of tumor behavior", True),
        ("Outcomes of hypertension after stroke", "Outcomes of hypotension after stroke", False),
        ("Hyperkalaemia in renal failure therapy", "Hypokalaemia in renal failure therapy", False),
        ("Prednisone for sudden hearing loss", "Prednisolone for sudden hearing loss", False),
        ("Hip abduction exercises in adults", "Hip adduction exercises in adults", False),
        ("Anticoagulation in patients with fibrilation", "Anticoagulation in patients with fibrillation", True),
        ("Type 1 diabetes and pregnancy outcomes", "Type 2 diabetes and pregnancy outcomes", False),
        ("Aspirin for primary prevention: a trial", "Aspirin for primary prevention: a review", False),
        (
            "Aspirin for primary cardiovascular prevention",
            "Aspirin for primary cardiovascular prevention: a trial",
            True,
        ),
        ("Aspirin in pregnancy", "Aspirin in pregnancy and after birth", False),
        ("Anticoagulation in atrial fibrillation today", "Anticoagulation in atrial fibrillation today in Asia", False),
        ("", "", False),
    ],
)
def test_titles_but_for_spelling(one: str, other: str, same: bool) -> None:
    assert same_title(one, other) is same
    assert same_title(other, one) is same


def test_what_cannot_be_compared_is_never_accepted() -> None:
    gone = Unavailable(identifier="pmid:1", status=Status.UNREACHABLE, reason="PubMed could not be reached")
    assert compare(Claimed(title="x"), gone).reason == "PubMed could not be reached"
    assert compare(Claimed(), TRIAL).identity is Identity.COULD_NOT_CHECK
    bare = replace(TRIAL, journal="")
    assert compare(Claimed(journal="Lancet"), bare).identity is Identity.COULD_NOT_CHECK


# --- notices -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("on_notices", [False, True], ids=["updated-by", "update-to"])
def test_retractions_are_known_from_both_registers(
    service: LiteratureService, tmp_path: Path, on_notices: bool
) -> None:
    service.notices_on_notices = on_notices
    fresh = [replace(document, notices=()) for document in ARTICLES]
    check = with_client(service, tmp_path, lambda client: current_notices(fresh, client))
    assert check.checked_at
    assert not check.unanswered
    applied = {document.id: document for document in check.applied(fresh)}
    assert applied[RETRACTED.id].retracted
    assert {notice.source for notice in applied[RETRACTED.id].notices} == {"pubmed", "Crossref"}
    assert any(notice.date == "2024-01-15" for notice in applied[RETRACTED.id].notices)
    # An erratum is no retraction.
    assert applied["pmid:90000008"].retraction is RetractionStatus.CORRECTED
    assert applied[TRIAL.id].retraction is RetractionStatus.NONE
    assert set(check.notices) == {document.id for document in ARTICLES}


def test_notices_are_asked_for_anew(service: LiteratureService, tmp_path: Path) -> None:
    async def twice(client: Client) -> tuple[NoticeCheck, NoticeCheck]:
        await fetch(TRIAL.identifiers, client)
        first = await current_notices([TRIAL], client)
        service.articles = (replace(TRIAL, notices=RETRACTED.notices), *ARTICLES[1:])
        return first, await current_notices([TRIAL], client)

    before, after = with_client(service, tmp_path, twice)
    assert not before.applied([TRIAL])[0].retracted
    assert after.applied([TRIAL])[0].retracted


def test_a_register_that_does_not_answer_is_named(service: LiteratureService, tmp_path: Path) -> None:
    service.fail("crossref", Fault.SERVER_ERROR)
    check = with_client(service, tmp_path, lambda client: current_notices([RETRACTED], client))
    assert len(check.unanswered) == 1
    assert "Crossref" in check.unanswered[0]
    assert check.applied([replace(RETRACTED, notices=())])[0].retracted


def test_known_notices_are_never_taken_away(service: LiteratureService, tmp_path: Path) -> None:
    known = replace(TRIAL, notices=RETRACTED.notices)
    check = with_client(service, tmp_path, lambda client: current_notices([known], client))
    assert check.applied([known])[0].retracted


def test_an_unreadable_notice_is_told(service: LiteratureService, tmp_path: Path) -> None:
    async def notices(client: Client) -> NoticeCheck:
        return await current_notices([RETRACTED], client)

    service.fail("crossref", Fault.WRONG_SHAPE)
    assert with_client(service, tmp_path, notices).unanswered


# --- full text ---------------------------------------------------------------------------------------------------


def test_the_full_text_of_an_open_article(service: LiteratureService, tmp_path: Path) -> None:
    longer = replace(TRIAL, text=TRIAL.text + "\n\nFull text only.")
    service.full_texts[TRIAL.identifiers.pmcid or ""] = jats(longer).encode()
    got = with_client(service, tmp_path, lambda client: full_text(TRIAL, client))
    assert isinstance(got, Document)
    assert got.full_text
    assert "Full text only." in got.text
    assert got.mesh == TRIAL.mesh
    assert got.identifiers == TRIAL.identifiers


def test_without_a_full_text_the_open_copy_is_named(service: LiteratureService, tmp_path: Path) -> None:
    got = with_client(service, tmp_path, lambda client: full_text(ARTICLES[1], client))
    assert isinstance(got, OpenCopy)
    assert got.url == "https://repository.example.org/10.5555/invented.90000002.pdf"
    assert got.licence == "cc-by"


def test_another_article_is_not_taken_for_the_full_text(service: LiteratureService, tmp_path: Path) -> None:
    service.full_texts[TRIAL.identifiers.pmcid or ""] = jats(ARTICLES[1]).encode()
    got = with_client(service, tmp_path, lambda client: full_text(TRIAL, client))
    assert not isinstance(got, Document)


# --- images and the fallback --------------------------------------------------------------------------------------


def test_images_lead_to_their_article(service: LiteratureService, tmp_path: Path) -> None:
    query = '"atrial fibrillation" apixaban algorithm'
    service.articles = (replace(TRIAL, keywords=("algorithm",)), *ARTICLES[1:])
    result = with_client(service, tmp_path, lambda client: OpenI(client).pictures(query))
    assert result.record.status is Status.OK
    assert [picture.url for picture in result.pictures] == ["https://pubmed.ncbi.nlm.nih.gov/90000001/"]
    assert result.pictures[0].image_url == f"{service.url}/open_i/imgs/512/90000001/fig1.png"
    assert result.pictures[0].licence == "http://creativecommons.org/licenses/by/4.0/"


def test_the_fallback_gives_records_and_no_prose(service: LiteratureService, tmp_path: Path, question: object) -> None:
    def hit(document: Document, title: str = "") -> dict[str, str]:
        return {"title": title or f"{document.title} - PubMed", "url": document.identifiers.url or "", "date": "2024"}

    service.perplexity = [
        hit(ARTICLES[0]),
        hit(ARTICLES[1], "A title that belongs to something else entirely"),
        {"title": "A blog", "url": "https://blog.example.org/bleach"},
        {"title": "Nobody's", "url": "https://pubmed.ncbi.nlm.nih.gov/1/"},
        hit(TRIALS[0], TRIALS[0].title),
    ]

    async def ask(client: Client) -> object:
        return await Perplexity(client).search(question.sub_queries[0], question, limit=10)  # type: ignore[attr-defined]

    result = with_client(service, tmp_path, ask)
    assert [found.document.id for found in result.found] == [ARTICLES[0].id, TRIALS[0].id]  # type: ignore[attr-defined]
    record = result.record  # type: ignore[attr-defined]
    assert record.status is Status.PARTIAL
    assert "pmid:90000002 was dropped (title:" in record.reason
    assert "pmid:1 was dropped (no source has a record" in record.reason
    assert "1 addresses without an identifier" in record.reason
    assert "Bleach" not in repr(result)


@pytest.mark.parametrize(
    ("fault", "times"), [(Fault.RESET, 1), (Fault.CUT, 1), (Fault.SERVER_ERROR, 1), (Fault.TOO_MANY_REQUESTS, 2)]
)
def test_what_is_paid_for_is_not_sent_twice(
    service: LiteratureService, tmp_path: Path, question: object, fault: Fault, times: int
) -> None:
    service.fail("perplexity", fault, times=1)

    async def ask(client: Client) -> object:
        return await Perplexity(client).search(question.sub_queries[0], question, limit=3)  # type: ignore[attr-defined]

    with_client(service, tmp_path, ask)
    assert sum(seen.service == "perplexity" for seen in service.seen) == times


def test_the_fallback_without_a_key_is_not_asked(service: LiteratureService, tmp_path: Path, question: object) -> None:
    async def ask() -> Sequence[object]:
        async with Client(service.settings(tmp_path, perplexity_api_key=None)) as client:
            result = await Perplexity(client).search(question.sub_queries[0], question, limit=3)  # type: ignore[attr-defined]
            return [result.record.status, result.record.reason]

    status, reason = asyncio.run(ask())
    assert status is Status.NOT_ASKED
    assert "EVIDENCEGATE_PERPLEXITY_API_KEY" in str(reason)
    assert not service.seen
