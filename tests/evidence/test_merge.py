"""De-duplication: complete, transitive, without regard to order, and never across identities."""

import random
from itertools import permutations

from evidence_strategies import documents, result
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.evidence import merge, merge_documents

TITLE = "An invented trial of apixaban in dialysis"


def make(title: str = TITLE, text: str = "Invented text.", year: int | None = 2020, **ids: str) -> Document:
    parsed = Identifiers(**ids)
    name = parsed.keys()[0] if parsed else f"local:{title}{text}"
    return Document(id=name, title=title, text=text, identifiers=parsed, year=year)


@given(st.lists(documents(), max_size=12), st.randoms(use_true_random=False))
def test_the_result_does_not_depend_on_order(found: list[Document], shuffler: random.Random) -> None:
    shuffled = list(found)
    shuffler.shuffle(shuffled)
    one = merge([result(*found)])
    other = merge([result(*shuffled)])
    assert [m.document for m in one] == [m.document for m in other]


def test_two_works_under_one_id_come_in_one_order() -> None:
    works = [Document(id="local:1", title=title, text="Invented text.") for title in ("One title", "Another title")]
    found, turned = merge([result(*works)]), merge([result(*reversed(works))])
    assert len(found) == 2
    assert [m.document for m in found] == [m.document for m in turned]


@given(st.lists(documents(), max_size=12))
def test_no_two_works_share_an_article_identifier_unless_they_contradict(found: list[Document]) -> None:
    merged = [m.document for m in merge([result(*found)])]
    for a, b in ((a, b) for a in merged for b in merged if a is not b):
        shared = set(a.identifiers.keys()) & set(b.identifiers.keys())
        if any(not key.startswith("nct") for key in shared):
            assert a.identifiers.conflicts(b.identifiers)


@given(st.lists(documents(), max_size=12))
def test_no_identifier_and_no_retraction_is_lost(found: list[Document]) -> None:
    merged = [m.document for m in merge([result(*found)])]
    assert {d.identifiers.pmid for d in found} - {None} <= {d.identifiers.pmid for d in merged}
    retracted = {d.identifiers.pmid for d in found if d.retracted and d.identifiers.pmid}
    assert retracted <= {d.identifiers.pmid for d in merged if d.retracted}


@given(st.lists(documents(), max_size=10))
def test_merging_twice_changes_nothing(found: list[Document]) -> None:
    once = [m.document for m in merge([result(*found)])]
    assert [m.document for m in merge([result(*once)])] == once


def test_a_chain_of_identifiers_is_one_work() -> None:
    chain = [
        make(pmid="1", title="Title A of the chain here"),
        make(pmid="1", pmcid="PMC2", title="Title B of the chain here"),
        make(pmcid="PMC2", doi="10.1234/x", title="Title C of the chain here"),
        make(doi="10.1234/x", title="Title D of the chain here"),
    ]
    for order in permutations(chain):
        (work,) = merge([result(*order)])
        assert work.document.identifiers == Identifiers(pmid="1", pmcid="PMC2", doi="10.1234/x")


def test_letters_that_share_a_title_stay_apart() -> None:
    letters = [make(pmid="38091538"), make(pmid="38091539")]
    assert len(merge([result(*letters)])) == 2


def test_title_and_year_join_what_identifiers_do_not_part() -> None:
    same = [make(pmid="5"), make(title=TITLE.upper() + ".", text="Longer invented text of the record.")]
    (work,) = merge([result(*same)])
    assert work.document.identifiers.pmid == "5"
    assert work.document.text == "Longer invented text of the record."
    assert len(merge([result(make(year=2020, pmid="5"), make(year=2021, text="b"))])) == 2
    assert len(merge([result(make(title="Editorial", text="a"), make(title="Editorial", text="b"))])) == 2
    assert len(merge([result(make(pmid="5", doi="10.1234/a"), make(doi="10.1234/b"))])) == 2


def test_a_registration_joins_its_one_article_and_none_of_several() -> None:
    registration = make(title="Registered title of it", nct="NCT00000001")
    article = make(pmid="7", nct="NCT00000001", text="The article itself, longer than its registration.")
    second = make(title="A secondary analysis of the trial", pmid="8", nct="NCT00000001")
    (work,) = merge([result(registration, article)])
    assert work.document.id == "pmid:7"
    assert len(merge([result(registration, article, second)])) == 3


def test_the_gravest_notice_wins() -> None:
    fine = make(pmid="9", text="A longer invented text without any notice at all.")
    bad = Document(
        id="doi:10.1234/z",
        title=TITLE,
        text="",
        identifiers=Identifiers(pmid="9", doi="10.1234/z"),
        notices=(Notice(status=RetractionStatus.RETRACTED, source="crossref"),),
    )
    for pair in ((fine, bad), (bad, fine)):
        merged = merge_documents(pair)
        assert merged.retracted
        assert merged.text == fine.text


def test_where_and_how_well_it_was_found_is_kept() -> None:
    a, b = make(pmid="3"), make(pmid="3", text="Another longer invented text.")
    (work,) = merge([result(a, scores=(0.4,)), result(b, source="europe_pmc", scores=(0.7,))])
    assert {(p.source, p.position) for p in work.provenance} == {("pubmed", 1), ("europe_pmc", 1)}
    assert work.found_score == 0.7
    assert work.records == 2
