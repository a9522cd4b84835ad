"""How a document is cut: nothing lost, nothing twice, sentences whole."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document, Section, Span, sentences
from evidencegate.library._chunks import LEAST_WORDS, TARGET_WORDS, WHOLE_WORDS, chunks


def _document(parts: list[tuple[str, list[str]]], title: str = "Invented title") -> Document:
    text, sections = "", []
    for label, written in parts:
        start = len(text)
        text += " ".join(written)
        sections.append(Section(label=label, span=Span(start, len(text))))
        text += "\n\n"
    return Document(id="local:x", title=title, text=text.rstrip("\n"), sections=tuple(sections))


SENTENCE = st.integers(3, 60).map(lambda n: "The " + " ".join(["word"] * n) + " ended.")
PARTS = st.lists(
    st.tuples(st.sampled_from(["Methods", "Results", "Ethics", ""]), st.lists(SENTENCE, min_size=1, max_size=12)),
    min_size=1,
    max_size=8,
)


@given(PARTS)
def test_every_sentence_is_in_exactly_one_chunk_in_order(parts: list[tuple[str, list[str]]]) -> None:
    document = _document(parts)
    found = [span for chunk in chunks(document) for span in chunk.sentences]
    assert found == list(sentences(document.text))
    assert [chunk.ordinal for chunk in chunks(document)] == list(range(len(chunks(document))))


@given(PARTS)
def test_chunks_of_long_texts_have_about_the_size_that_the_embedder_reads(parts: list[tuple[str, list[str]]]) -> None:
    document = _document(parts)
    sizes = [sum(len(span.of(document.text).split()) for span in chunk.sentences) for chunk in chunks(document)]
    if sum(sizes) <= WHOLE_WORDS:
        assert len(sizes) == 1
        return
    assert all(size <= TARGET_WORDS for size in sizes)
    # A short chunk is the last one, or the one after it did not fit.
    for size, after in pairwise(sizes):
        assert size >= LEAST_WORDS or size + after > TARGET_WORDS


def test_an_abstract_is_one_chunk_indexed_with_its_title() -> None:
    document = _document([("BACKGROUND", ["One thing."]), ("RESULTS", ["Another thing."])], title="A trial")
    (chunk,) = chunks(document)
    assert chunk.text == "A trial. One thing.\n\nAnother thing."
    assert [span.of(document.text) for span in chunk.sentences] == ["One thing.", "Another thing."]


def test_a_title_that_ends_a_sentence_gets_no_second_stop() -> None:
    (chunk,) = chunks(_document([("", ["It does."])], title="Does it work?"))
    assert chunk.text == "Does it work? It does."


def test_chunks_of_a_full_text_know_their_section_and_carry_the_title() -> None:
    long = ["The " + "patients were observed " * 5 + "well."] * 12
    found = chunks(_document([("Methods", long), ("Results", long), ("Discussion", long)], title="A trial"))
    assert {chunk.section for chunk in found} == {"Methods", "Results", "Discussion"}
    assert all(chunk.text.startswith("A trial. ") for chunk in found)


def test_a_record_without_text_is_found_by_its_title() -> None:
    (chunk,) = chunks(Document(id="local:x", title="Only a title", text=""))
    assert chunk.text == "Only a title"
    assert chunk.sentences == ()
