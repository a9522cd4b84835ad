"""Passages are selected deterministically, within paragraphs, and without overlap."""

from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document
from evidencegate.verify import Evidence
from evidencegate.verify._evidence import WHOLE_WORDS, WINDOW

FILLER = " ".join(f"Sentence number {i} speaks of other invented matters entirely." for i in range(40))
LONG = Document(
    id="local:long",
    title="",
    text=f"{FILLER}\n\nTavaxin was given. In COMET-2, stroke fell by 28%. It was safe. {FILLER}\n\n{FILLER}",
)


def test_the_sentence_that_answers_is_in_the_first_passage() -> None:
    (first, *_) = Evidence([LONG]).select("Stroke fell by 28% in COMET-2.")
    assert "stroke fell by 28%" in first.passage.text
    assert 2 <= len(first.passage.sentences) <= WINDOW


def test_a_short_document_is_one_passage(article: Document) -> None:
    assert len(article.text.split()) <= WHOLE_WORDS
    (selected,) = Evidence([article]).select("Mortality with tavaxin")
    assert selected.passage.text == article.text


def test_nothing_shared_is_nothing_selected(article: Document) -> None:
    assert Evidence([article]).select("Zebras gallop.") == []
    assert Evidence([]).select("Zebras gallop.") == []
    assert Evidence([article]).select("") == []


WORDS = st.sampled_from("tavaxin stroke placebo 28% adults safe moon. cheese.\n\n bleeding; COMET-2".split(" "))


@given(st.lists(WORDS, max_size=300).map(" ".join), st.lists(WORDS, min_size=1, max_size=12).map(" ".join))
def test_passages_are_disjoint_ordered_by_score_and_repeatable(text: str, claim: str) -> None:
    document = Document(id="local:x", title="", text=text)
    evidence = Evidence([document, LONG])
    selected = evidence.select(claim)
    assert selected == Evidence([document, LONG]).select(claim)
    assert [s.score for s in selected] == sorted((s.score for s in selected), reverse=True)
    for i, one in enumerate(selected):
        for other in selected[i + 1 :]:
            assert one.passage.document is not other.passage.document or not one.passage.span.overlaps(
                other.passage.span
            )
        if len(one.passage.document.text.split()) > WHOLE_WORDS:
            assert len(one.passage.sentences) <= WINDOW
            assert "\n\n" not in one.passage.text
