"""Sentence spans: a table of cases, properties on any text, linear time, and a second opinion."""

import re
import tarfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Span, sentences

# Each case is one text with `¦` where its sentences end.
CASES = {
    "plain": "Mortality fell.¦ It did not rise.",
    "corrupt decimal": "It fell (p<0. 05 vs. control).¦ The rest did not.",
    "corrupt decimal after equals": "The ratio was HR = 0. 81 in both arms.¦ It held.",
    "corrupt interval": "HR 1. 25 (95% CI 1. 10–1. 42) was seen.¦ Of those, 25 died.",
    "decimal": "The dose was 2.5 mg.¦ Its half-life was 3.75 h.",
    "number begins": "Mortality was reduced.¦ 25 patients died.",
    "number ends": "Recruitment ended in 2010.¦ 25 patients were left.",
    "percent ends": "The rate was 25%.¦ 30 patients left.",
    "versus": "It was 12% vs. 15% in placebo.¦ No harm was seen.",
    "versus before capital": "Aspirin vs. Clopidogrel was tested.¦ We report both.",
    "et al": "Smith et al. found a fall.¦ It was small.",
    "et al before a year": "As in Smith et al. (2010), it fell.¦ It was small.",
    "et al ends": "We follow Smith et al.¦ The results agree.",
    "figure": "As Fig. 2 shows, it fell.¦ Figs. 3 and 4 do not.",
    "figure with letter": "See Fig. S1 and Suppl. Table 2.¦ Both agree.",
    "figure ends a caption number": "This is in Fig. 2.¦ The rest is not.",
    "equation, number": "By Eq. 4 and No. 12 it holds.¦ We stop.",
    "no as an answer": "Did it work? No.¦ The trial was neutral.".replace("? ", "?¦ "),
    "initials": "J. R. Smith and A. B. Jones wrote it.¦ We read it.",
    "species": "Growth of E. coli and S. aureus fell.¦ That of C. difficile rose.",
    "species with capital": "Counts of E. Coli fell.¦ We counted twice.",
    "subspecies": "Candida spp. were found.¦ Some were resistant.",
    "that is": "One arm (i.e. placebo) got none, e.g. no drug.¦ They did well.",
    "dosing": "They took 5 mg b.i.d. for two weeks.¦ Others took it p.o. once.",
    "dosing ends": "They took 5 mg b.i.d.¦ The others took none.",
    "unit ends": "It was given for 30 min.¦ Blood was then drawn.",
    "label": "OBJECTIVE: To test it.¦ METHODS: We enrolled 20.¦ RESULTS: It failed.",
    "citation in brackets": "Mortality was reduced.[12]¦ The rate fell.[3,4–6]¦ We agree.",
    "citation after a space": "Mortality was reduced. [12]¦ The rate fell.",
    "citation glued": "Mortality was reduced.12,13¦ The rate fell.",
    "citation superscript": "Mortality was reduced.¹²¦ The rate fell.",
    "citation before the stop": "Mortality was reduced [12].¦ The rate fell (3).¦ We agree.",
    "quotes": 'He said "it works."¦ She said “it does not.”¦ They left.',
    "brackets": "It fell. (It had risen before.)¦ Then it rose.".replace("fell. (", "fell.¦ ("),
    "question in brackets": "Was it safe (or was it not?) in all?¦ Yes, it was.",
    "exclamation": "It works!¦ It does.",
    "question before lower case": 'They asked "is it safe?" in both arms.¦ It was.',
    "no space": "Levels rose in both groups.The rest fell.".replace(".The", ".¦The"),
    "no space after number": "It was rare, p=0.05.Others were common.".replace("05.O", "05.¦O"),
    "gene and RNA": "Levels rose.¦ mRNA was low.¦ p53 was high.¦ eGFR fell.",
    "greek": "It was blocked.¦ α-Synuclein was not.",
    "lower case after a stop": "levels rose in both groups.¦ the rest fell.",
    "lower case inside": "It was appr. half of the rest.",
    "ellipsis": "It rose... and fell.¦ Then it stopped…¦ We waited.",
    "spaced ellipsis": "It rose . . . and fell.¦ We waited.",
    "address": "See https://example.org/a.B?c=Done.¦ Then read www.example.org.¦ Done.",
    "doi": "See doi:10.1000/Abc.Def.12.¦ It is old.",
    "version": "We used R version 4.1.2.¦ All tests were two-sided.",
    "registry": "It is at ClinicalTrials.gov and Node.js.¦ We looked.",
    "vitamin": "They took vitamin D.¦ Others had hepatitis C.¦ Children had none.",
    "roman": "Adults had type II.¦ Others had phase IV.¦ Class I.5 was rare.",
    "company": "It was made by Example Inc. (New York) in the U.S. in 2010.¦ We bought it.",
    "country ends": "It was done in the U.S.¦ The rest was not.",
    "title": "Dr. Smith and Prof. Jones agreed.¦ Mr. Brown did not.",
    "month": "It was done on Jan. 5, 2010.¦ It ended in Sept. 2011.",
    "enumerated": "Aims were: 1. to heal; 2. to teach.¦ Both were met.",
    "enumerator after a stop": "It was read twice.¦ (b) It was read aloud.",
    "blank line": "Methods¦\n\nWe enrolled 20¦\n\nand lost 2.",
    "blank line, CRLF": "Methods\r\n¦ \r\nWe enrolled 20.\r\nWe lost 2.".replace("20.\r", "20.¦\r"),
    "wrapped line": "We enrolled\n20 patients.¦\nWe lost\ntwo.",
    "wrapped line, CRLF": "We enrolled\r\n20 patients.¦\r\nWe lost\r\ntwo.",
    "bullets": "We saw:¦\n- a fall¦\n- a rise.¦\n• nothing",
    "numbered": "We saw:¦\n1. A fall¦\n2. A rise.¦\n3) Nothing",
    "number at a wrapped line's head": "It was seen in group\n2. The rest had none.".replace("2. ", "2.¦ "),
    "headings": "# Methods¦\nWe enrolled 20.¦\n## Results¦\nIt fell.",
    "heading without mark": "Methods¦\nWe enrolled 20.¦\nResults:¦\nIt fell.",
    "table": "It fell.¦\n| a | b |¦\n| 1. A | 2 |¦\nIt rose.",
    "other scripts": "它有效。¦它安全。¦它便宜。",
    "accents": "Élan fell.¦ Übelkeit rose.¦ Ähnlich good.",
    "footnote": "It was the mean.¦ †Per visit.",
    "comparator begins": "It was met.¦ ≥50 patients were needed.",
    "symbol goes on": "It was 5 mg. = a lot.",
    "number with a code": "It is registered under no. NCT09999999.¦ We checked.",
    "glued to a percent sign": "It was 51%vs. 35% in placebo.¦ We checked.",
    "corrupt spread": "It was 22.0 +/- 8.5 and 29. 3 +/- 8.3%.¦ We checked.",
    "chemical name in brackets": "It killed cells. [6]-Gingerol protected.".replace("cells. ", "cells.¦ "),
    "calcium and wild type": "They took Ca.¦ Estimated loss was low in the WT.¦ Blood was taken.",
    "letter after a hyphen": "They had UV-B.¦ Subsequently they had none.",
    "corrupt dose": "They took 2.5 to 7. 5 mg daily.¦ We checked.",
    "dose begins": "It ended in 2010.¦ 5 mg was then given.",
    "volume": "See Example et al. (J Physiol. 555:71-84).¦ We checked.",
    "parts joined": "It fell in all.; The rest did not; we checked.".replace("; The", ";¦ The"),
    "only a stop": ".",
    "nothing": "",
    "space": " \n\t\u00a0 ",
}


@pytest.mark.parametrize("marked", CASES.values(), ids=CASES.keys())
def test_cases(marked: str) -> None:
    text = marked.replace("¦", "")
    expected = [part.strip() for part in marked.split("¦") if part.strip()]

    assert [span.of(text) for span in sentences(text)] == expected


def assert_spans(text: str, spans: tuple[Span, ...]) -> None:
    assert all(a.end <= b.start for a, b in pairwise(spans))
    covered = set().union(*(range(s.start, s.end) for s in spans))
    assert all(i in covered for i, char in enumerate(text) if not char.isspace())
    for span in spans:
        piece = span.of(text)
        assert piece
        assert piece == piece.strip()


MARKS = (*".…?!。;,()[]\"'“”*_#-–•| \n\t\u00a0\u2029\x0c\u0301", "..", "\r\n", "\n\n")
# fmt: off
BITS = (
    "e.g", "vs", "al", "Fig", "No", "J", "D", "I", "IV", "p53", "mRNA", "The", "the", "we", "Patients", "0", "05",
    "12", "[12]", "¹²", "1.5", "U.S", "http://a.b/C", "10.1000/x",
)
# fmt: on
PIECES = st.sampled_from(MARKS + BITS)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)))
def test_ordered_disjoint_and_covering(text: str) -> None:
    assert_spans(text, sentences(text))


@given(st.lists(PIECES, max_size=30).map("".join))
def test_blank_lines_always_part(text: str) -> None:
    joined = f"{text}\n\n{text}"
    middle = len(text)

    assert not any(s.start < middle and s.end > middle + 2 for s in sentences(joined))


@given(st.lists(st.sampled_from([c.replace("¦", "") for c in CASES.values() if c.isascii()]), max_size=6))
def test_paragraphs_are_split_alone(parts: list[str]) -> None:
    """What a paragraph is split into does not depend on its neighbours."""
    text = "\n\n".join(parts)
    alone = [s.of(part) for part in parts for s in sentences(part)]

    assert [s.of(text) for s in sentences(text)] == alone


@pytest.mark.parametrize(
    "piece",
    [
        ".",
        " ",
        "a",
        "a.",
        ". ",
        ".(",
        ".[1",
        "\n",
        "\n ",
        "http://",
        "**a",
        "\n**a",
        "\n1. a",
        "1. ",
        ".¹",
        ".1,",
        "foo. x ",
    ],
)
def test_long_runs_take_linear_work(piece: str) -> None:
    """A long run of anything come back; a quadratic rule would not end within the suite's patience."""
    text = "xx" + piece * (300_000 // len(piece))
    spans = sentences(text)

    assert spans[0].start == 0
    assert spans[-1].end == len(text.rstrip())
    assert all(a.end <= b.start for a, b in pairwise(spans))


def paragraphs(archive: Path, articles: int) -> Iterator[str]:
    with tarfile.open(archive) as tar:
        for _, member in zip(range(articles), (m for m in tar if m.isfile()), strict=False):
            stream = tar.extractfile(member)
            assert stream is not None
            for p in ElementTree.parse(stream).iterfind(".//body//p"):
                if p.find(".//table-wrap") is None and p.find(".//fig") is None:
                    yield " ".join("".join(p.itertext()).split())


def test_agrees_with_a_second_splitter(shared_data: Path) -> None:
    """On real prose the two find the same ends, but for citations, which we keep with what they follow."""
    blingfire = pytest.importorskip("blingfire")
    ours_only = theirs_only = both = 0
    for text in paragraphs(shared_data / "corpora" / "pmc_rct_fulltext.tar.gz", 40):
        plain = re.sub(r"(?<=[a-z)])([.,])?\[[\d,–-]+\]", r"\1", text)
        if not plain:
            continue
        ours = {span.end for span in sentences(plain)[:-1]}
        _, offsets = blingfire.text_to_sentences_and_offsets(plain)
        theirs = {end for _, end in offsets[:-1]}
        both += len(ours & theirs)
        ours_only += len(ours - theirs)
        theirs_only += len(theirs - ours)

    assert both > 3000
    agreement = 2 * both / (2 * both + ours_only + theirs_only)
    assert agreement > 0.975, f"{agreement:.4f}: {both} shared, {ours_only} ours only, {theirs_only} theirs only"
