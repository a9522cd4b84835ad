"""What is found, in which order, and that a query is only ever text."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from bag_of_words import Words
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evidencegate.documents import Document, Section, Span
from evidencegate.errors import InvalidInput
from evidencegate.library import Filters, Hit, Library, Mode
from evidencegate.library._search import QUERY_WORDS, plain_words

TOPICS = {
    "1": ("Apixaban in dialysis", "Apixaban was given to patients on haemodialysis. Bleeding was less frequent."),
    "2": ("Warfarin in dialysis", "Warfarin was given to patients on haemodialysis. Strokes were not prevented."),
    "3": ("Statins after stroke", "Atorvastatin lowered cholesterol. Fewer strokes occurred within five years."),
    "4": ("Exercise for back pain", "Walking helped. Swimming did too. Lifting did not. Nothing else was tried."),
}
YEARS = {"1": 2020, "2": 2009, "3": 2006, "4": None}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Library:
    from evidencegate.documents import Identifiers

    library = Library(tmp_path_factory.mktemp("search") / "library", embedder=Words())
    library.add_documents(
        Document(
            id=f"pmid:{pmid}",
            title=title,
            text=text,
            identifiers=Identifiers(pmid=pmid),
            year=YEARS[pmid],
            publication_types=("Journal Article", "Randomized Controlled Trial") if pmid != "4" else ("Letter",),
            mesh=("*Stroke/prevention & control",) if pmid in "23" else (),
            keywords=("Patient's choice",) if pmid == "4" else (),
            source="pubmed" if pmid in "12" else "file",
        )
        for pmid, (title, text) in TOPICS.items()
    )
    return library


def _ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.document.identifiers.pmid or "" for hit in hits]


@pytest.mark.parametrize("mode", list(Mode))
def test_the_record_that_says_it_comes_first_with_the_place_where(filled: Library, mode: Mode) -> None:
    hits = filled.search("apixaban bleeding in haemodialysis patients", mode=mode)
    assert _ids(hits)[0] == "1"
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)
    for hit in hits:
        assert hit.passage is not None
        assert hit.passage.document == hit.document
        assert hit.passage.text in hit.document.text


def test_components_say_what_each_ranking_gave(filled: Library) -> None:
    (first, *_) = filled.search("atorvastatin cholesterol")
    assert first.components["bm25"] > 0
    assert -1.0 <= first.components["cosine"] <= 1.0001
    assert "cosine" not in filled.search("atorvastatin", mode="bm25")[0].components


def test_words_are_stemmed_and_stop_words_ignored_by_bm25(filled: Library) -> None:
    assert _ids(filled.search("the bleed of a patient", mode="bm25"))[0] == "1"
    assert filled.search("the of and", mode="bm25") == ()


def test_the_passage_is_the_part_of_the_text_that_answers(tmp_path: Path, make: Callable[..., Document]) -> None:
    filler = "Nothing of note was seen in this part. " * 60
    finding = "Ketamine reduced pain at two hours. It lasted a day. Nausea was common."
    text = f"{filler.strip()}\n\n{finding}\n\n{filler.strip()}"
    start = text.index("Ketamine")
    sections = (
        Section(label="Methods", span=Span(0, start - 2)),
        Section(label="Results", span=Span(start, start + 70)),
    )
    library = Library(tmp_path / "library", embedder=Words())
    library.add_documents([make(pmid="1", text=text, sections=sections, full_text=True)])
    for mode in Mode:
        (hit,) = library.search("ketamine pain nausea", mode=mode)
        assert hit.passage is not None
        assert hit.passage.text == finding
        assert hit.to_json()["section"] == "Results"


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(year_from=2007), {"1", "2"}),
        (Filters(year_to=2009), {"2", "3"}),
        (Filters(year_from=2009, year_to=2009), {"2"}),
        (Filters(publication_types=("randomized controlled trial",)), {"1", "2", "3"}),
        (Filters(publication_types=("Letter", "Editorial")), {"4"}),
        (Filters(tags=("Stroke/prevention & control",)), {"2", "3"}),
        (Filters(tags=("stroke",)), {"2", "3"}),
        (Filters(tags=("DIALYSIS", "ESRD")), {"1", "2"}),
        (Filters(tags=("Patient's choice", "nothing")), {"4"}),
        (Filters(source="pubmed", tags=("STROKE",)), {"2"}),
        (Filters(source="' OR '1'='1"), set()),
        (Filters(), {"1", "2", "3", "4"}),
    ],
)
def test_filters_hold_in_every_mode(filled: Library, filters: Filters, expected: set[str]) -> None:
    query = "apixaban warfarin atorvastatin stroke dialysis walking"
    for mode in Mode:
        assert set(_ids(filled.search(query, mode=mode, filters=filters))) == expected


def test_limit_is_kept_and_bounded(filled: Library) -> None:
    assert len(filled.search("stroke dialysis", limit=2, mode="vector")) == 2
    for limit in (0, -1, 1001):
        with pytest.raises(InvalidInput, match="limit"):
            filled.search("stroke", limit=limit)


@pytest.mark.parametrize("year", [90_000_000_000_000_000_000_000, 10_000, -1])
def test_a_year_that_is_none_is_refused(year: int) -> None:
    with pytest.raises(InvalidInput, match="is no year"):
        Filters(year_from=year)


def test_mistakes_are_explained(filled: Library) -> None:
    for empty in ("", "  \n\t"):
        with pytest.raises(InvalidInput, match="empty"):
            filled.search(empty)
    with pytest.raises(InvalidInput, match=r"hybrid, bm25, vector"):
        filled.search("stroke", mode="fuzzy")
    with pytest.raises(InvalidInput, match="years"):
        Filters(year_from=2010, year_to=2000)
    with pytest.raises(InvalidInput, match="several names"):
        Filters(tags="Stroke")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "query",
    [
        '"apixaban',
        "apixaban AND NOT (dialysis",
        "text:apixaban OR title:*",
        "apixaban~2^5 +dialysis -bleeding",
        "apixaban'; DROP TABLE chunks; --",
        "{apixaban} [dialysis TO bleeding]",
        "apixaban \\ dialysis /.*/",
        "\x00apixaban dialysis\x1f",
        "apixaban dialysis \ud800",
        "apixaban dialysis " + "word " * 10_000,
    ],
)
def test_a_query_is_plain_text(filled: Library, query: str) -> None:
    assert _ids(filled.search(query, mode="bm25"))[0] == "1"
    assert len(filled.search(query)) == 4


@pytest.mark.parametrize("query", ["😀", "((((", "***", "-", "血栓", "٠١٢"])
def test_a_query_without_a_known_word_finds_nothing_by_words_and_breaks_nothing(filled: Library, query: str) -> None:
    assert filled.search(query, mode="bm25") == ()
    assert len(filled.search(query)) == 4


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(min_size=1, max_size=80), mode=st.sampled_from(list(Mode)))
def test_no_text_breaks_a_search(filled: Library, query: str, mode: Mode) -> None:
    try:
        hits = filled.search(query, mode=mode)
    except InvalidInput:
        assert not query.strip()
    else:
        assert set(_ids(hits)) <= TOPICS.keys()


def test_ten_thousand_distinct_words_are_cut_to_a_bounded_query() -> None:
    words = plain_words(" ".join(f"w{i}" for i in range(10_000)))
    assert len(words.split()) == QUERY_WORDS


def test_a_second_reader_decides_the_order(filled: Library) -> None:
    def shortest_first(query: str, hits: Sequence[Hit]) -> list[float]:
        assert query == "stroke dialysis"
        return [1.0 / len(hit.document.text) for hit in hits]

    hits = filled.search("stroke dialysis", rerank=shortest_first)
    lengths = [len(hit.document.text) for hit in hits]
    assert lengths == sorted(lengths)
    assert all("retrieval" in hit.components for hit in hits)
    with pytest.raises(InvalidInput, match="0 scores"):
        filled.search("stroke", rerank=lambda query, hits: [])


def test_an_empty_library_finds_nothing(library: Library) -> None:
    for mode in Mode:
        assert library.search("stroke", mode=mode) == ()


def test_records_that_wait_for_indexing_are_found(library: Library, make: Callable[..., Document]) -> None:
    library.add_documents([make(pmid="1", title="Indexed")])
    reader = Library(library.path, create=False, embedder=Words())
    library._store.commit(  # what a search sees between two commits of a long `add`
        [{**row, "key": "pmid:2#0", "document": "pmid:2"} for row in _rows(make(pmid="2", title="Waiting"))], []
    )
    for mode in Mode:
        assert "pmid:2" in _documents(reader, "waiting", mode)
    assert reader.info().unindexed == 1


def _rows(document: Document) -> list[dict[str, object]]:
    from evidencegate.library import _schema as schema
    from evidencegate.library._chunks import chunks

    found = chunks(document)
    return schema.rows(document, found, Words().embed([chunk.text for chunk in found]), "digest")


def _documents(library: Library, query: str, mode: Mode) -> list[str]:
    return [hit.document.id for hit in library.search(query, mode=mode)]
