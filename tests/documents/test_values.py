"""Spans, identifiers, documents, passages and quotes cannot be wrong; and documents survive storage."""

import json
from dataclasses import FrozenInstanceError, fields, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import (
    Document,
    Identifiers,
    Notice,
    Passage,
    Quote,
    RetractionStatus,
    Section,
    Span,
    from_json,
    passages,
    sentences,
    to_json,
)
from evidencegate.errors import InvalidInput


@given(st.integers(-5, 20), st.integers(-5, 20))
def test_a_span_is_half_open_and_forward(start: int, end: int) -> None:
    if 0 <= start <= end:
        span = Span(start, end)
        assert len(span) == end - start
        assert span.shift(3) == Span(start + 3, end + 3)
        assert span in Span(0, end)
        assert not span.overlaps(Span(end, end + 1))
    else:
        with pytest.raises(ValueError, match="half-open"):
            Span(start, end)


def test_a_span_never_leaves_its_text() -> None:
    assert Span(1, 3).of("abc") == "bc"
    with pytest.raises(ValueError, match="leaves"):
        Span(1, 4).of("abc")


@pytest.mark.parametrize(
    ("field", "raw", "value"),
    [
        ("pmid", " PMID: 012345 ", "12345"),
        ("pmid", 12345, "12345"),
        ("pmid", "https://pubmed.ncbi.nlm.nih.gov/12345/", "12345"),
        ("pmid", "https://pubmed.ncbi.nlm.nih.gov/12345/?from_term=x#abstract", "12345"),
        ("pmid", "https://www.ncbi.nlm.nih.gov/pubmed/12345?dopt=Abstract", "12345"),
        ("pmid", "https://pubmed.ncbi.nlm.nih.gov/?term=12345", None),
        ("pmid", "0", None),
        ("pmid", "12345678901", None),
        ("pmid", "12a", None),
        ("pmcid", "123", "PMC123"),
        ("pmcid", "pmc123.2", "PMC123"),
        ("pmcid", "https://pmc.ncbi.nlm.nih.gov/articles/PMC123/", "PMC123"),
        ("pmcid", "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123/?report=reader", "PMC123"),
        ("pmcid", "PMCX", None),
        ("doi", "https://doi.org/10.1000/ABC%20.", None),
        ("doi", "doi: 10.1000/ABC.1.", "10.1000/abc.1"),
        ("doi", "http://dx.doi.org/10.1000/a(b)c", "10.1000/a(b)c"),
        ("doi", "https://www.doi.org/10.1000/A", "10.1000/a"),
        ("doi", "doi.org/10.1000/a", "10.1000/a"),
        ("doi", "https://doi.org/doi:10.1000/a", "10.1000/a"),
        ("doi", "11.1000/a", None),
        ("nct", "nct01234567", "NCT01234567"),
        ("nct", "https://clinicaltrials.gov/study/NCT01234567?tab=results", "NCT01234567"),
        ("nct", "NCT1", None),
    ],
)
def test_identifiers_have_one_spelling_or_none(field: str, raw: object, value: str | None) -> None:
    assert getattr(Identifiers.parse(**{field: raw}), field) == value


@given(st.dictionaries(st.sampled_from(["pmid", "pmcid", "doi", "nct"]), st.text(max_size=30) | st.integers()))
def test_parsed_identifiers_are_stable_and_checked(raw: dict[str, object]) -> None:
    parsed = Identifiers.parse(**raw)

    assert Identifiers.parse(**{f.name: getattr(parsed, f.name) for f in fields(Identifiers)}) == parsed
    assert bool(parsed) == bool(parsed.keys()) == (parsed.url is not None)
    assert parsed.url is None or parsed.url.startswith("https://")


def test_identifiers_cannot_be_malformed() -> None:
    with pytest.raises(ValueError, match="not a PMID"):
        Identifiers(pmid="x")
    with pytest.raises(ValueError, match="not a DOI"):
        Identifiers(doi="10.1000/ABC")


def test_identifiers_merge_and_conflict() -> None:
    first, second = Identifiers(pmid="1", doi="10.1000/a"), Identifiers(pmid="2", pmcid="PMC3", doi="10.1000/a")

    assert first.merge(second) == Identifiers(pmid="1", pmcid="PMC3", doi="10.1000/a")
    assert first.conflicts(second)
    assert not first.conflicts(Identifiers(pmcid="PMC9"))


def test_documents_are_frozen_and_whole() -> None:
    document = Document(id="local:1", title="T", text="It fell.")
    with pytest.raises(FrozenInstanceError):
        document.text = "It rose."  # type: ignore[misc]
    with pytest.raises(ValueError, match="needs an id"):
        Document(id="", title="T", text="")
    with pytest.raises(ValueError, match="overlaps or leaves"):
        replace(document, sections=(Section(label="x", span=Span(0, 99)),))
    with pytest.raises(ValueError, match="overlaps or leaves"):
        replace(document, sections=(Section(label="x", span=Span(0, 5)), Section(label="y", span=Span(4, 8))))


def test_the_gravest_notice_decides() -> None:
    def noticed(*statuses: RetractionStatus) -> Document:
        return Document(
            id="local:1", title="", text="", notices=tuple(Notice(status=s, source="pubmed") for s in statuses)
        )

    status = RetractionStatus
    assert noticed().retraction is status.NONE
    assert noticed(status.CORRECTED, status.CONCERN).retraction is status.CONCERN
    assert noticed(status.RETRACTED, status.CORRECTED).retracted
    assert not noticed(status.CONCERN).retracted


TEXTS = st.lists(
    st.sampled_from(["It fell.", "It rose.", " ", "\n", "\r\n", "\r", "\n\n", "\n \n", "\r\n\r\n", "\t", "x"])
).map("".join)


@given(TEXTS | st.text())
def test_paragraphs_hold_all_but_space(text: str) -> None:
    spans = list(Document(id="local:1", title="", text=text).paragraphs())
    covered = {i for span in spans for i in range(span.start, span.end)}

    assert all(i in covered for i, char in enumerate(text) if not char.isspace())
    assert all(span.of(text) == span.of(text).strip() != "" for span in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    for span in spans:
        assert "\n\n" not in span.of(text)
        assert "\r\n\r\n" not in span.of(text)


@given(TEXTS, st.integers(1, 4))
def test_passages_are_windows_within_paragraphs(text: str, window: int) -> None:
    document = Document(id="local:1", title="", text=text)
    found = list(passages(document, window=window))
    paragraphs = list(document.paragraphs())

    assert {s for p in found for s in p.sentences} == {
        s.shift(p.start) for p in paragraphs for s in sentences(p.of(text))
    }
    for passage in found:
        assert len(passage.sentences) <= window
        assert passage.text == text[passage.span.start : passage.span.end]
        assert any(passage.span in paragraph for paragraph in paragraphs)


def test_passages_and_quotes_cannot_be_made_wrongly() -> None:
    document = Document(id="local:1", title="", text="It fell. It rose.")
    passage = Passage(document, (Span(0, 8),))

    assert Quote(passage, Span(0, 8)).text == "It fell."
    for wrong in ((), (Span(9, 17), Span(0, 8)), (Span(0, 0),), (Span(0, 99),)):
        with pytest.raises(ValueError, match=r"passage|sentences"):
            Passage(document, wrong)
    with pytest.raises(ValueError, match="inside its passage"):
        Quote(passage, Span(0, 12))
    with pytest.raises(ValueError, match="not empty"):
        Quote(passage, Span(2, 3))


WORDS = st.text(max_size=12)
MANY = st.lists(WORDS, max_size=3).map(tuple)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(st.text(max_size=60))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=6)))
    return Document(
        id=draw(st.text(min_size=1, max_size=10)),
        title=draw(WORDS),
        text=text,
        identifiers=draw(
            st.builds(
                Identifiers.parse,
                pmid=st.integers(0, 10**9),
                doi=st.none() | st.just("10.1000/x"),
                pmcid=st.none() | WORDS,
            )
        ),
        sections=tuple(
            Section(label=draw(WORDS), span=Span(a, b)) for a, b in zip(cuts[::2], cuts[1::2], strict=False)
        ),
        **{name: draw(MANY) for name in ("authors", "publication_types", "mesh", "keywords")},
        **{
            name: draw(WORDS)
            for name in ("journal", "published", "volume", "issue", "pages", "language", "source", "licence")
        },
        year=draw(st.none() | st.integers(1500, 2100)),
        stored_url=draw(st.none() | WORDS),
        citations=draw(st.none() | st.integers(0)),
        full_text=draw(st.booleans()),
        curated=draw(st.booleans()),
        notices=tuple(
            draw(
                st.lists(
                    st.builds(
                        Notice, status=st.sampled_from(RetractionStatus), source=WORDS, reference=WORDS, date=WORDS
                    ),
                    max_size=3,
                )
            )
        ),
    )


@given(documents())
def test_documents_survive_storage(document: Document) -> None:
    values = to_json(document)

    assert from_json(json.loads(json.dumps(values))) == document
    assert list(values) == [field.name for field in fields(Document)]
    assert json.dumps(to_json(from_json(values))) == json.dumps(values)


def test_storage_from_other_versions() -> None:
    values = to_json(Document(id="local:1", title="T", text="x"))

    assert from_json({**values, "later": 1}).title == "T"
    assert from_json({"id": "local:1", "title": "T", "text": "x"}) == from_json(values)
    for wrong in (
        {"title": "no id", "text": ""},
        {**values, "id": ""},
        {**values, "identifiers": {"pmid": "x"}},
        {**values, "sections": [{"label": "x"}]},
        {**values, "sections": [{"label": "x", "start": 0, "end": 9}]},
        {**values, "notices": [{"status": "unheard of", "source": ""}]},
        {**values, "identifiers": None},
    ):
        with pytest.raises(InvalidInput, match="not a stored document"):
            from_json(wrong)
