"""A text's own citations: read, fetched, compared, corrected."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document, Identifiers
from evidencegate.errors import EvidenceGateError
from evidencegate.models.stance import RulesModel
from evidencegate.sources import Identity
from evidencegate.verify import FailOn, Style, Verdict, check, failed, read_citations

rules = RulesModel().judge

ESSAY = """# Tavaxin

Tavaxin reduced stroke compared with placebo [1]. Mortality was 15% with tavaxin and 12% with placebo [1].
It was studied before [2, 9].

## References

1. Miller A, Okafor B. Tavaxin for the prevention of stroke in atrial fibrillation: an invented trial.
   J Invent Trials. 2020;1:1-9. PMID: 11111111.
2. Doe J. A wholly different work about invented shoes. Shoe J. 2011;3:4. PMID: 22222222.
3. Roe R. Never cited by anyone at all. Q J. 2001;3:4.
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It works [1].", [(Style.NUMBER, 1)]),
        ("It works [1, 3-5].", [(Style.NUMBER, n) for n in (1, 3, 4, 5)]),
        ("It works [1][2].", [(Style.NUMBER, 1), (Style.NUMBER, 2)]),
        ("It works.[^3]", [(Style.NUMBER, 3)]),
        ("See [1](https://example.org) for it.", []),
        ("It works (PMID: 12345678).", [(Style.PMID, "pmid:12345678")]),
        ("It works (PMC1234567).", [(Style.PMCID, "pmcid:PMC1234567")]),
        ("It works (doi:10.1000/abc.1).", [(Style.DOI, "doi:10.1000/abc.1")]),
        ("It works, https://doi.org/10.1000/abc.", [(Style.DOI, "doi:10.1000/abc")]),
        ("It works https://pubmed.ncbi.nlm.nih.gov/12345678/.", [(Style.PMID, "pmid:12345678")]),
        ("It works (NCT01234567).", [(Style.NCT, "nct:NCT01234567")]),
        ("It works (Miller et al., 2020).", [(Style.AUTHOR_YEAR, "Miller 2020")]),
        ("Miller and Okafor (2020) showed it.", [(Style.AUTHOR_YEAR, "Miller 2020")]),
        ("In March 2020 it began (from 2020).", []),
    ],
)
def test_mentions_are_read(text: str, expected: list[tuple[Style, object]]) -> None:
    found = [
        (m.style, m.n or (m.identifiers.keys()[0] if m.identifiers else f"{m.author} {m.year}"))
        for m in read_citations(text).mentions
    ]
    assert found == expected


def test_the_reference_list_is_no_text() -> None:
    cited = read_citations(ESSAY)
    assert [entry.n for entry in cited.entries] == [1, 2, 3]
    assert cited.entries[0].identifiers == Identifiers(pmid="11111111")
    assert all(entry.span.of(ESSAY) == entry.text for entry in cited.entries)
    assert [(m.n, m.sentence) for m in cited.mentions] == [(1, 1), (1, 2), (2, 3), (9, 3)]


@given(st.text(alphabet="[]()^0123456789,-–. Aaet.lPMID:DOI10/\n#References", max_size=150))
def test_any_text_has_citations_within_it(text: str) -> None:
    cited = read_citations(text)
    for mention in cited.mentions:
        assert mention.span.of(text)
    for entry in cited.entries:
        assert entry.span.of(text) == entry.text


@pytest.fixture
def shoes() -> Document:
    """What PMID 22222222 really is."""
    return Document(
        id="pmid:22222222",
        title="Zinc for the common cold",
        text="Zinc shortened colds by a day.",
        authors=("Poe E",),
        year=2015,
        identifiers=Identifiers(pmid="22222222"),
    )


def run(essay: str, *documents: Document):  # type: ignore[no-untyped-def]
    by_pmid = {document.identifiers.pmid: document for document in documents}
    return check(essay, resolve=lambda named: by_pmid.get(named.pmid), reader=rules)


def test_each_citation_is_compared_and_its_sentences_checked(article: Document, shoes: Document) -> None:
    checked = run(ESSAY, article, shoes)
    assert [(c.label, c.identity) for c in checked.citations] == [
        ("[1]", Identity.VERIFIED),
        ("[2]", Identity.MISMATCH),
        ("[9]", Identity.COULD_NOT_CHECK),
    ]
    assert any("Zinc for the common cold" in what for what in checked.citations[1].comparison.differences)
    assert [claim.verdict for claim in checked.claims] == [Verdict.CORRECT, Verdict.INCORRECT, Verdict.UNCERTAIN]
    assert checked.issue_spans[0].span.of(ESSAY) == "15"
    assert any("[3]" in w and "never cited" in w for w in checked.warnings)
    assert failed(checked, FailOn.CITATION)


def test_the_corrected_list_says_what_is_wrong(article: Document, shoes: Document) -> None:
    first, second, third = run(ESSAY, article, shoes).references.splitlines()
    assert first == (
        "1. Miller A, Okafor B. Tavaxin for the prevention of stroke in atrial fibrillation: an invented trial. "
        "Journal of Invented Trials. 2020. https://pubmed.ncbi.nlm.nih.gov/11111111/"
    )
    assert "the identifier belongs to: Poe E. Zinc for the common cold." in second
    assert "never cited" in third


def test_a_mismatched_record_supports_nothing(article: Document) -> None:
    wrong = replace(article, title="Zinc for the common cold", authors=("Poe E",), year=2001)
    checked = run(ESSAY, wrong)
    assert checked.citations[0].identity is Identity.MISMATCH
    assert all(claim.verdict is Verdict.UNCERTAIN for claim in checked.claims)


def test_a_year_off_by_one_is_no_mismatch_a_year_off_by_five_is(article: Document) -> None:
    assert run(ESSAY, replace(article, year=2021)).citations[0].identity is Identity.VERIFIED
    late = run(ESSAY, replace(article, year=2025)).citations[0].comparison
    assert late.identity is Identity.MISMATCH
    assert late.differences == ("year: 2020 was said, the record has 2025",)


def test_retractions_are_reported(retracted: Document) -> None:
    essay = "Tavaxin reduced stroke compared with placebo (PMID: 22222222)."
    checked = run(essay, retracted)
    assert checked.claims[0].verdict is Verdict.UNCERTAIN
    assert any("retracted" in warning for warning in checked.warnings)
    assert failed(checked, FailOn.CITATION)


def test_an_identifier_alone_gives_nothing_to_compare(article: Document) -> None:
    checked = run("Tavaxin reduced stroke compared with placebo (PMID: 11111111).", article)
    assert checked.citations[0].identity is Identity.COULD_NOT_CHECK
    assert "nothing but the identifier" in checked.citations[0].comparison.reason
    assert not checked.citations[0].faulty


def test_failures_to_fetch_are_said_and_support_nothing() -> None:
    def resolve(named: Identifiers) -> Document | None:
        raise EvidenceGateError("PubMed could not be reached")

    checked = check(ESSAY, resolve=resolve, reader=rules)
    assert all(claim.verdict is Verdict.UNCERTAIN for claim in checked.claims)
    assert any("PubMed could not be reached" in warning for warning in checked.warnings)


def test_a_text_that_cites_nothing_says_so() -> None:
    checked = check("Tavaxin reduced stroke compared with placebo.", reader=rules)
    assert any("cites nothing" in warning for warning in checked.warnings)
    assert checked.claims[0].verdict is Verdict.UNCERTAIN


def test_author_and_year_find_their_entry(article: Document) -> None:
    essay = ESSAY.replace("[1]", "(Miller et al., 2020)").replace("1. Miller", "- Miller").replace("2. Doe", "- Doe")
    essay = essay.replace("3. Roe", "- Roe").replace("[2, 9]", "")
    checked = run(essay, article)
    assert [c.identity for c in checked.citations] == [Identity.VERIFIED]
    assert checked.claims[0].verdict is Verdict.CORRECT


def test_a_sentence_without_a_citation_is_checked_against_all_that_is_cited(article: Document, shoes: Document) -> None:
    essay = ESSAY.replace("15% with tavaxin and 12% with placebo [1].", "12% with tavaxin and 15% with placebo.")
    assert run(essay, article, shoes).claims[1].verdict is Verdict.CORRECT
    cited_elsewhere = ESSAY.replace("12% with placebo [1].", "12% with placebo [9].")
    assert run(cited_elsewhere, article, shoes).claims[1].verdict is Verdict.UNCERTAIN
