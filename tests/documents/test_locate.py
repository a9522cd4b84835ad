"""A quote is literal (rule 1): only typography may differ, and no edge may cut off a meaning."""

import re
import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from evidencegate.documents import Document, Kind, Passage, Span, locate, locate_quote, passages, sentences, tokens


def document(text: str) -> Document:
    return Document(id="local:test", title="An invented article", text=text)


def found(quote: str, text: str) -> str | None:
    located = locate_quote(quote, document(text))
    return None if located is None else located.text


TEXT = (
    "In this trial 1,250 patients took 5 mg/kg of the drug twice daily. Mortality was 12.5% vs. 15.0% "
    "(HR 0.82, 95% CI 0.70–0.96; p<0.05). The drug did not reduce stroke (p = 0.40), and no patient died of "
    "bleeding.\n\nIt was non-inferior to placebo. Levels rose by 1.5×10−3 mM in 5–10 days."
)


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("mortality was 12.5% vs. 15.0%", "Mortality was 12.5% vs. 15.0%"),
        ("Mortality  was\n12.5% vs.\u00a015.0%", "Mortality was 12.5% vs. 15.0%"),
        ("95% CI 0.70-0.96", "95% CI 0.70–0.96"),
        ("95% CI 0.70\u20120.96", "95% CI 0.70–0.96"),
        ("Mortal\u00adity was 12.5%", "Mortality was 12.5%"),
        ("“The drug did not reduce stroke”", "The drug did not reduce stroke"),
        ('"p = 0.40"', "p = 0.40"),
        ("Levels rose by 1.5×10-3 mM", "Levels rose by 1.5×10−3 mM"),
        ("did not reduce stroke (p=0.40)", "did not reduce stroke (p = 0.40)"),
    ],
)
def test_typography_may_differ(quote: str, expected: str) -> None:
    assert found(quote, TEXT) == expected


@pytest.mark.parametrize(
    "quote",
    [
        "Mortality was 12.6% vs. 15.0%",  # a digit
        "Mortality was 12.5 vs. 15.0%",  # a unit left out
        "Mortality was 125% vs. 15.0%",  # a decimal point
        "1250 patients took 5 mg/kg",  # a separator: 1,250 may be 1.25 elsewhere
        "5 Mg/kg of the drug",  # megagrams
        "5 µg/kg of the drug",
        "5 mg/L of the drug",
        "p>0.05",
        "p≤0.05",
        "p=0.05",
        "p 0.05",
        "The drug did reduce stroke",  # the negation left out
        "The drug not reduce stroke",
        "It was inferior to placebo",
        "It was noninferior to placebo",
        "Levels rose by 1.5×10 mM",
        "Levels rose by 1.5×103 mM",
        "Levels rose by 1.5×10−3 MM",
        "95% CI 0.70 0.96",
        "95% CI 0.70, 0.96",
        "died of bleeding. It was non-inferior",  # over a blank line
        "HR 0.82 ... p<0.05",
        "",
        " ",
        "...",
        "“”",
    ],
)
def test_nothing_else_may_differ(quote: str) -> None:
    assert found(quote, TEXT) is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("reduce stroke", "It did not reduce stroke."),
        ("improve survival", "It didn't improve survival."),
        ("improve survival", "It didn’t improve survival."),
        ("patient died", "There no patient died."),
        ("of the patients died", "After a year none of the patients died."),
        ("inferior to placebo", "It was non-inferior to placebo."),
        ("inferior to placebo", "It was non‐inferior to placebo."),
        ("blinded trial", "It was an un-blinded trial."),
        ("patients were symptom", "Most patients were symptom-free."),
        ("0.05", "It fell, p<0.05 in all."),
        ("0.05 in all", "It fell, p < 0.05 in all."),
        ("0.3 points", "It fell by −0.3 points."),
        ("= 0.05 in all", "It fell, p<= 0.05 in all."),
        ("5 days passed", "Then less than 5 days passed."),
        ("5 days passed", "Then at least 5 days passed."),
        ("05 in all", "It fell, p=.05 in all."),
        ("reduced by 5", "It was reduced by 5% in all."),
        ("reduced by 5", "It was reduced by 5 % in all."),
        ("a dose of 5", "They took a dose of 5–10 mg daily."),
        ("a dose of 5", "They took a dose of 5 – 10 mg daily."),
        ("10 mg daily", "They took a dose of 5–10 mg daily."),
        ("pressure of 120", "A pressure of 120/80 was seen."),
        ("80 was seen", "A pressure of 120/80 was seen."),
        ("a dose of 5 mg", "They took a dose of 5 mg/kg daily."),
        ("a dose of 5 mg", "They took a dose of 5 mg·kg−1 daily."),
        ("about 10", "There were about 10^6 cells."),
        ("6 cells", "There were about 10^6 cells."),
        ("about 10", "There were about 10⁶ cells."),
        ("about 2", "It took about 2½ years."),
        ("about 1.5", "It was about 1.5×10−3 mM."),
        ("3 mM", "It was about 1.5×10−3 mM."),
        ("at 1", "They were at 1 000 sites."),
        ("000 sites", "They were at 1 000 sites."),
        ("at 1", "They were at 1\u2009000 sites."),
        ("year mortality", "The 1-year mortality fell."),
        ("the p<0", "By the p<0. 05 level it fell."),
        ("50 patients were needed", "It was met. ≥50 patients were needed."),
        ("by 5", "It fell by 5-fold."),
    ],
)
def test_no_edge_cuts_off_a_meaning(quote: str, text: str) -> None:
    assert found(quote, text) is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("25 patients died", "We saw:\n- 25 patients died.\n- two left."),
        ("25 patients died", "We saw:\n1. 25 patients died.\n2. two left."),
        ("250 patients died", "It ended in week 1.\n\n250 patients died."),
        ("controlled trial", "It was a placebo-controlled trial."),
        ("It fell in 5", "It fell in 5.[12] The rest did not."),
        ("(n = 5)", "Some (n = 5) fell."),
        ("grew for 5 years", "It grew for 5 years."),
        ("The drug helped", "Did it help? No. The drug helped once."),
        ("It fell by 5%", "It fell by 5%."),
        ("caused by IL-6", "It was caused by IL-6 alone."),
        ("p = 0.40", "That was p = 0.40, so no."),
    ],
)
def test_honest_edges_are_kept(quote: str, text: str) -> None:
    assert found(quote, text) is not None


def test_the_first_place_with_whole_edges_is_taken() -> None:
    text = "It did not reduce stroke here. It did reduce stroke there."
    quote = locate_quote("reduce stroke", document(text))

    assert quote is not None
    assert quote.span.start == text.rindex("reduce")


def test_a_passage_holds_only_its_own_quotes() -> None:
    doc = document("It fell in men. It rose in women. It held in children. It fell in men.")
    first, *_ = passages(doc, window=1)
    middle = Passage(doc, (sentences(doc.text)[1],))

    assert locate("It rose in women", first) is None
    assert locate("It rose in women", middle) is not None
    last = Passage(doc, (sentences(doc.text)[3],))
    quote = locate("It fell in men.", last)
    assert quote is not None
    assert quote.span == last.span


def test_a_quote_over_two_sentences_has_both_in_its_passage() -> None:
    doc = document("One rose. Two fell. Three held.")
    quote = locate_quote("rose. Two", doc)

    assert quote is not None
    assert quote.passage.text == "One rose. Two fell."


WORDS = st.sampled_from(
    "the drug did not reduce stroke no non inferior p < = > 0.05 12 95 % CI 0.70 – 0.96 mg kg / 10 ⁶ ½ × - − . , ; "
    '( ) [ ] " “ ’ t é ß İ µ ﬁ · 1 000 5 °C vs. … E. coli \u0301 \u00ad ² Å'.split()
)
JOINS = st.sampled_from(["", " ", " ", "\n", "\u2009", "\u00a0"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    parts = draw(st.lists(st.tuples(WORDS, JOINS), min_size=1, max_size=25))
    return "".join(word + join for word, join in parts)


@given(st.one_of(texts(), st.text(max_size=80)), st.data())
@example("`a’ b", None)
def test_what_is_located_is_a_slice_with_the_same_tokens(text: str, data: st.DataObject | None) -> None:
    """Any slice at token boundaries is refused or found as itself: never as anything else."""
    parts = tokens(text)
    assume(parts)
    first = data.draw(st.integers(0, len(parts) - 1)) if data else 0
    last = data.draw(st.integers(first, len(parts) - 1)) if data else len(parts) - 1
    slice_ = text[parts[first].start : parts[last].end]
    quote = locate_quote(slice_, document(text))

    if quote is not None:
        assert quote.text == text[quote.span.start : quote.span.end]
        assert [t.folded for t in tokens(quote.text)] == [t.folded for t in tokens(slice_)]
        assert quote.span in quote.passage.span


@given(texts())
def test_every_sentence_is_found(text: str) -> None:
    for span in sentences(text):
        sentence = span.of(text)
        if any(token.kind is not Kind.SYMBOL for token in tokens(sentence)):
            quote = locate_quote(sentence, document(text))
            assert quote is not None
            assert [t.folded for t in tokens(quote.text)] == [t.folded for t in tokens(sentence)]


PROSE = [span.of(TEXT) for span in sentences(TEXT)]
VARIANTS = {
    "-": "-‐‑‒–—−",
    "–": "-‐‑‒–—−",
    "−": "-‐‑‒–—−",
    "'": "'‘’",
    '"': '"“”«»',
    " ": [" ", "  ", "\n", "\u00a0", "\u2009", " \u200b"],
}


@given(st.sampled_from(PROSE), st.data())
def test_random_typography_still_locates(sentence: str, data: st.DataObject) -> None:
    changed = ""
    for char in sentence:
        options = [*VARIANTS.get(char, ""), char]
        if char.isalpha():
            options += [char.lower()] if char.islower() else [char, char + "\u00ad"]
        changed += data.draw(st.sampled_from(options))
    form = data.draw(st.sampled_from(["NFC", "NFD"]))
    quote = locate_quote(unicodedata.normalize(form, changed), document(TEXT))

    assert quote is not None
    assert quote.text.rstrip(".") == sentence.rstrip(".")


@given(st.sampled_from(PROSE), st.data())
def test_a_changed_digit_never_locates(sentence: str, data: st.DataObject) -> None:
    digits = [i for i, char in enumerate(sentence) if char.isdigit()]
    assume(digits)
    at = data.draw(st.sampled_from(digits))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != sentence[at]]))

    assert found(sentence[:at] + other + sentence[at + 1 :], TEXT) is None
    assert found(sentence[:at] + sentence[at + 1 :], TEXT) is None
    assert found(sentence[:at] + other + sentence[at:], TEXT) is None


CHANGES = [
    *(("not ", ""), ("no ", ""), ("non-", ""), ("did not", "did"), ("drug did", "drug never did")),
    *(("mg/kg", "µg/kg"), ("mg/kg", "mg/L"), ("mg/kg", "g/kg"), ("mM", "µM"), ("mM", "MM"), ("%", ""), ("%", "‰")),
    *(("<", ">"), ("<", "≤"), ("<", "="), ("=", "<"), ("=", ""), ("<", "")),
    *(("–", ", "), ("×", ""), ("−3", "3"), ("−", "+"), (".", ",")),
]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_a_changed_unit_comparator_or_negation_never_locates(old: str, new: str) -> None:
    changed = [
        sentence[: m.start()] + new + sentence[m.end() :]
        for sentence in PROSE
        for m in re.finditer(re.escape(old), sentence[:-1])
    ]

    assert changed
    assert [quote for quote in changed if found(quote, TEXT) is not None] == []


def test_many_places_take_linear_work() -> None:
    """A quote that nearly stands everywhere is looked for once, not once a place."""
    text = "no a " * 100_000

    assert locate_quote("a no a no b", document(text)) is None
    assert locate_quote("5 Mg a", document("5 mg a " * 100_000)) is None
    assert locate_quote("reduce", document("It did not reduce. " * 30_000)) is None


def test_spans_lie_in_the_document_not_the_normalised_text() -> None:
    text = "\u200b\u00ad ﬁrst: caf\u0065\u0301 cost … 5\u2009€."
    quote = locate_quote("first: café cost ... 5 €", document(text))

    assert quote is not None
    assert quote.span == Span(3, len(text) - 1)
