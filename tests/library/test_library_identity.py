"""Which records are one, and what becomes of them."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.library._merge import merge
from evidencegate.library._resolve import Resolver
from evidencegate.library._store import Stored

Make = Callable[..., Document]


def _works(*documents: Document, stored: tuple[Stored, ...] = ()) -> list[tuple[str, list[str]]]:
    resolver = Resolver(stored)
    for document in documents:
        resolver.add(document)
    return [(e.incoming.id, [s.document for s in e.stored]) for e in resolver if e.incoming is not None]


def test_a_record_known_by_pmid_and_later_by_pmid_and_doi_is_one(make: Make) -> None:
    assert _works(make(pmid="1"), make(pmid="1", doi="10.1000/a"), make(doi="10.1000/a")) == [("pmid:1", [])]


def test_two_records_become_one_when_a_third_names_both(make: Make) -> None:
    assert _works(make(pmid="1"), make(doi="10.1000/a"), make(pmid="1", doi="10.1000/a")) == [("pmid:1", [])]


def test_stored_records_are_found_by_any_identifier_and_replaced_together(make: Make) -> None:
    stored = (Stored("pmid:1", ("pmid:1",), "x"), Stored("doi:10.1000/a", ("doi:10.1000/a",), "y"))
    found = _works(make(pmid="1", doi="10.1000/a"), stored=stored)
    assert [(name, sorted(old)) for name, old in found] == [("pmid:1", ["doi:10.1000/a", "pmid:1"])]


def test_records_with_different_pmids_stay_apart_whatever_doi_they_claim(make: Make) -> None:
    found = _works(make(pmid="1", doi="10.1000/a"), make(pmid="2", doi="10.1000/a"))
    assert [name for name, _ in found] == ["pmid:1", "pmid:2"]


def test_one_pmid_is_one_article_whatever_doi_a_record_claims(make: Make) -> None:
    assert _works(make(pmid="1", doi="10.1000/a"), make(pmid="1", doi="10.1000/typo")) == [("pmid:1", [])]
    assert _works(make(pmcid="PMC1", doi="10.1000/a"), make(pmcid="PMC1", doi="10.1000/b")) == [("pmcid:PMC1", [])]
    stored = (Stored("pmid:1", ("pmid:1", "doi:10.1000/a"), "x"),)
    assert _works(make(pmid="1", doi="10.1000/typo"), stored=stored) == [("pmid:1", ["pmid:1"])]


def test_articles_of_one_trial_are_not_one_article(make: Make) -> None:
    number = "NCT01234567"
    found = _works(make(pmid="1", nct=number), make(pmid="2", nct=number), make(nct=number))
    assert [name for name, _ in found] == ["pmid:1", "pmid:2", f"nct:{number}"]


def test_records_without_identifiers_are_one_by_their_own_id(make: Make) -> None:
    assert len(_works(make(id="local:a"), make(id="local:b"), make(id="local:a"))) == 2


def test_a_deletion_takes_back_and_what_follows_stands_alone(make: Make) -> None:
    resolver = Resolver([Stored("pmid:1", ("pmid:1",), "x")])
    resolver.add(make(pmid="1", title="Before"))
    resolver.delete("pmid:1")
    resolver.delete("pmid:9")
    (entry,) = resolver
    assert entry.deleted
    assert entry.incoming is None
    resolver.add(make(pmid="1", title="After"))
    (entry,) = resolver
    assert entry.incoming is not None
    assert entry.incoming.title == "After"
    assert entry.deleted


def test_merging_keeps_the_full_text_and_completes_the_rest(make: Make) -> None:
    full = make(pmcid="PMC1", doi="10.1000/a", text="All of it. " * 50, full_text=True, authors=("Doe J",))
    abstract = make(pmid="1", pmcid="PMC1", text="In short.", title="Newer title", mesh=("Stroke",), year=2020)
    merged = merge(full, abstract)
    assert merged.id == "pmid:1"
    assert merged.identifiers.keys() == ("pmid:1", "pmcid:PMC1", "doi:10.1000/a")
    assert merged.full_text
    assert merged.text == full.text
    assert (merged.title, merged.year, merged.mesh, merged.authors) == ("Newer title", 2020, ("Stroke",), ("Doe J",))


def test_merging_lets_a_newer_abstract_replace_an_older_one(make: Make) -> None:
    assert merge(make(pmid="1", text="Old."), make(pmid="1", text="New.")).text == "New."
    assert merge(make(pmid="1", text="Old."), make(pmid="1", text="")).text == "Old."


def test_merging_never_forgets_a_retraction(make: Make) -> None:
    notice = Notice(status=RetractionStatus.RETRACTED, source="pubmed", reference="pmid:2")
    assert merge(make(pmid="1", notices=(notice,)), make(pmid="1")).retracted
    assert merge(make(pmid="1"), make(pmid="1", notices=(notice,))).retracted


def test_merging_a_record_with_itself_changes_nothing(make: Make) -> None:
    document = make(pmid="1", mesh=("Stroke",), keywords=("a", "b"), year=2001)
    assert merge(document, document) == document


IDENTIFIED = st.fixed_dictionaries(
    {},
    optional={
        "pmid": st.sampled_from(["1", "2"]),
        "pmcid": st.sampled_from(["PMC1", "PMC2"]),
        "doi": st.sampled_from(["10.1000/a", "10.1000/b"]),
        "nct": st.just("NCT01234567"),
    },
)


@given(st.lists(IDENTIFIED, max_size=8))
def test_no_two_works_ever_have_one_id(records: list[dict[str, str]]) -> None:
    resolver = Resolver(())
    for number, record in enumerate(records):
        identifiers = Identifiers(**record)
        name = (identifiers.keys() or (f"local:{number}",))[0]
        resolver.add(Document(id=name, title="An invented trial", text="", identifiers=identifiers))
    works = [entry.incoming for entry in resolver]
    names = [work.id for work in works if work is not None]
    assert len(set(names)) == len(names) == len(works)
    pmids = {record["pmid"] for record in records if "pmid" in record}
    assert {name for name in names if name.startswith("pmid:")} == {f"pmid:{pmid}" for pmid in pmids}
