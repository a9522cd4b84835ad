from hypothesis import given
from hypothesis import strategies as st

from evidencegate.models.stance._text import blank, clean_claim, content, focus, nearest, topics

PASSAGE = (
    "Background: sleep is short in shift workers. We randomised 80 nurses to bright light or dim light. "
    "The food in the canteen was good. Melatonin was lower with bright light (p = 0.01). Weather was mild. "
    "Parking was free. Bright light improved alertness in nurses on night shifts."
)


def test_the_sentence_with_the_citation_mark_is_the_claim() -> None:
    claim = "Shifts are long. Bright light helps nurses stay alert [<|cit|>]. We therefore built a lamp."
    assert clean_claim(claim) == "Bright light helps nurses stay alert."


def test_other_marks_go_and_their_sentence_stays() -> None:
    assert clean_claim("Light helps <|other_cit|> and (<|multi_cit|>, 12) melatonin falls.") == (
        "Light helps and melatonin falls."
    )


def test_markup_and_controls_go_from_claims() -> None:
    assert clean_claim("Light <b>helps</b>\x00 &lt; 5\u200bmg") == "Light helps < 5 mg"


@given(st.text())
def test_blanking_keeps_every_offset(text: str) -> None:
    assert len(blank(text)) == len(text)


def test_focus_keeps_order_and_finds_what_bears_on_the_claim() -> None:
    window = focus("Bright light improves alertness of nurses", PASSAGE, 25)
    assert "improved alertness" in window.text
    assert "canteen" not in window.text
    assert [span.start for span in window.spans] == sorted(span.start for span in window.spans)
    assert all(PASSAGE[s.start : s.end] in window.text for s in window.spans)


def test_a_short_passage_is_kept_whole() -> None:
    assert len(focus("anything", PASSAGE, 500).spans) == 7


def test_locate_names_the_sentence_of_an_offset() -> None:
    window = focus("Bright light", PASSAGE, 500)
    for index, span in enumerate(window.spans):
        at = window.text.index(PASSAGE[span.start : span.end])
        assert window.locate(at) == index


def test_classes_of_drugs_are_understood_in_passages() -> None:
    assert set(content("macrolides and statins")) <= topics("azithromycin with simvastatin")


def test_nearest_sentences_stand_alone_in_their_order() -> None:
    """At most so many, each a window of its own that lies in the passage where it says."""
    whole = focus("Bright light improves alertness of nurses", PASSAGE, 500)
    alone = nearest("Bright light improves alertness of nurses", whole, 3)
    assert len(alone) == 3
    assert [w.spans[0] for w in alone] == sorted((w.spans[0] for w in alone), key=lambda span: span.start)
    for window in alone:
        (span,) = window.spans
        assert PASSAGE[span.start : span.end] == window.text


def test_a_single_sentence_is_not_read_twice() -> None:
    """Alone it says what the whole says."""
    assert nearest("Aspirin helps", focus("Aspirin helps", "Aspirin helped every patient of this ward.", 150), 3) == ()


def test_headings_are_not_read_alone() -> None:
    """They name the claim's words and say nothing of it."""
    text = "Aspirin and pain. Aspirin relieved the pain of most patients by the second day."
    alone = nearest("Aspirin relieves pain", focus("Aspirin relieves pain", text, 150), 3)
    assert [window.text for window in alone] == ["Aspirin relieved the pain of most patients by the second day."]
