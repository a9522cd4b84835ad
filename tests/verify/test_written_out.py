"""Abbreviations of the sources are written out on both sides before a claim is compared; quotes stay literal.

The articles are invented.
"""

from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document, Passage, Span, sentences
from evidencegate.verify import Agreement, GateReason, Verdict, check, gate
from evidencegate.verify._written import Glossary, glossary

TEXT = (
    "Parenteral nutrition associated cholestasis (PNAC) is common in extremely low birth weight (ELBW) infants. "
    "We gave ELBW infants tavaxin. PNAC was seen in 12% of ELBW infants on tavaxin and in 31% of those on zelfan. "
    "PNAC-free days did not differ."
)
SOURCE = Document(id="local:a", title="An invented trial", text=TEXT)
KNOWN = glossary([TEXT])


def test_a_claim_in_full_words_is_found_behind_abbreviations_and_quoted_literally(says) -> None:  # type: ignore[no-untyped-def]
    claim = "Parenteral nutrition associated cholestasis-free days did not differ."

    (found,) = check(claim, SOURCE, reader=says(0.3, 0.1)).claims

    assert found.verdict is Verdict.CORRECT
    assert found.decision.quote is not None
    assert found.decision.quote.text == "PNAC-free days did not differ"


def test_a_claim_in_abbreviations_is_found_behind_full_words(says) -> None:  # type: ignore[no-untyped-def]
    (found,) = check("PNAC is common in ELBW infants.", SOURCE, reader=says(0.3, 0.1)).claims

    assert found.verdict is Verdict.CORRECT
    assert found.decision.quote is not None
    assert found.decision.quote.text in TEXT


def test_a_wrong_number_is_marked_where_it_stands_in_the_text_as_written(says) -> None:  # type: ignore[no-untyped-def]
    text = "As told, PNAC was seen in 17% of ELBW infants on tavaxin."

    checked = check(text, SOURCE, reader=says(0.3, 0.1))

    (issue,) = checked.issue_spans
    (number,) = checked.claims[0].decision.numbers
    assert issue.span.of(text) == "17"
    assert issue.verdict is Verdict.INCORRECT
    assert number.found is not None
    assert number.found.span.of(TEXT) == number.found.text == "12%"


def test_the_reader_reads_both_sides_written_out() -> None:
    pairs: list[tuple[str, str]] = []

    def reader(asked):  # type: ignore[no-untyped-def]
        from evidencegate.models.stance import Stance

        pairs.extend(asked)
        return [Stance(0.2, 0.1, 0.7, reader="scripted") for _ in asked]

    check("Tavaxin helps ELBW infants against cholestasis.", SOURCE, reader=reader)

    assert "extremely low birth weight infants" in pairs[0][0]
    assert all("ELBW" not in text and "PNAC" not in text for pair in pairs for text in pair)


def test_what_the_text_defines_itself_goes_before_the_source() -> None:
    known = glossary(["Multiple sclerosis (MS) is treated."], own="Mitral stenosis (MS) is rare. MS is cured.")

    assert known.claim("MS is cured.").text == "Mitral stenosis is cured."
    assert known.text("MS is treated.") == "Multiple sclerosis is treated."


def test_two_meanings_of_sources_and_parts_of_numbers_are_left_alone() -> None:
    known = glossary(
        [
            "Multiple sclerosis (MS), hazard ratio (HR), a confidence interval (CI), international units (IU), "
            "angiopoietin-like protein 8 (ANGPTL8).",
            "Mitral stenosis (MS).",
        ]
    )

    assert known.text("MS: HR 0.7, 95% CI 0.5 to 0.9, 5 IU; ANGPTL8") == "MS: HR 0.7, 95% CI 0.5 to 0.9, 5 IU; ANGPTL8"


def test_one_abbreviation_within_another_is_written_out_too() -> None:
    known = glossary(["Low-density lipoprotein (LDL) was low. LDL cholesterol (LDLC) fell."])

    assert known.text("LDLC fell.") == "Low-density lipoprotein cholesterol fell."


def test_the_gate_alone_reads_the_abbreviations_of_its_passages() -> None:
    passage = Passage(SOURCE, sentences(TEXT))
    quote = "PNAC was seen in 12% of ELBW infants on tavaxin and in 31% of those on zelfan."

    decision = gate(
        {"label": "correct", "index": 0, "quote": quote, "confidence": 0.9},
        [passage],
        claim="Parenteral nutrition associated cholestasis was seen in 31% of extremely low birth weight infants "
        "on tavaxin.",
    )

    assert decision.trace.gate_reason is GateReason.NUMBERS_DIFFER
    assert decision.numbers[0].agreement is Agreement.SWAPPED
    assert decision.trace.coverage.share > 0.9


@given(st.text(alphabet="PNACELBW ()s.x-%1", max_size=60), st.data())
def test_every_place_written_out_has_its_literal_place(noise: str, data: st.DataObject) -> None:
    text = f"{TEXT} {noise} PNAC"
    written = KNOWN.claim(text)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))

    there = written.written(Span(start, end))
    back = written.literal(there)

    assert Span(start, end) in back
    assert len(there)
    assert written.written(back) == there


@given(st.text(alphabet="PNACELBW ()s.\nx%1", max_size=80))
def test_any_passage_can_be_written_out(noise: str) -> None:
    text = f"{noise} PNAC."
    document = Document(id="local:n", title="", text=text)
    passage = Passage(document, sentences(text))

    shown = KNOWN.passage(passage)

    assert len(shown.sentences) == len(passage.sentences)
    for sentence in shown.sentences:
        assert KNOWN.literal(sentence.of(shown.document.text), passage) in text


def test_without_abbreviations_nothing_is_changed() -> None:
    passage = Passage(SOURCE, sentences(TEXT))

    assert Glossary().passage(passage) is passage
    assert Glossary().claim("PNAC fell.").text == "PNAC fell."
