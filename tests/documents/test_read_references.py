"""Lists of references: CSV, RIS, MEDLINE, BibTeX."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from evidencegate.documents import Document
from evidencegate.documents.readers import Deleted, Skipped, read
from evidencegate.documents.readers.bibtex import plain


def items(tmp_path: Path, name: str, content: str, encoding: str = "utf-8") -> list[Document | Skipped | Deleted]:
    path = tmp_path / name
    path.write_bytes(content.encode(encoding))
    return list(read(path))


CSV = """PMID,Title,Authors,Journal/Book,Publication Year,PMCID,DOI,Abstract
123,"A title, with a comma","Example A; Sample B",J Invent,2020,PMC5,10.9999/a,"It fell.
It rose ""again""."
bad,Another,,,,,,
124,A third,,,,,,
,,,,,,,
"""


def test_csv(tmp_path: Path) -> None:
    for content, encoding in ((CSV, "utf-8"), (CSV, "utf-8-sig"), (CSV.replace("\n", "\r\n"), "utf-16")):
        first, second, third = items(tmp_path, "refs.csv", content, encoding)
        assert isinstance(first, Document)
        assert (first.id, first.title, first.year) == ("pmid:123", "A title, with a comma", 2020)
        assert first.authors == ("Example A", "Sample B")
        assert first.text.split() == 'It fell. It rose "again".'.split()
        assert isinstance(second, Skipped)
        assert "not a PMID" in second.reason
        assert isinstance(third, Document)
        assert third.id == "pmid:124"


def test_csv_with_other_separators_and_without_a_header(tmp_path: Path) -> None:
    [semicolons] = items(tmp_path, "a.csv", "title;abstract\nA;B, c\n")
    [tabs] = items(tmp_path, "a.tsv", "Title\tAbstract\nA\tB\n")
    [headless] = items(tmp_path, "b.csv", "1,2,3\n4,5,6\n")

    assert isinstance(semicolons, Document)
    assert semicolons.text == "B, c"
    assert isinstance(tabs, Document)
    assert isinstance(headless, Skipped)
    assert "column" in headless.reason


RIS = """TY  - JOUR
TI  - An invented title
AU  - Example, Anna Beate
AU  - The Group
PY  - 2019/03//
DA  - 2019/03/07
T2  - J Invent
VL  - 4
IS  - 2
SP  - 10
EP  - 19
DO  - 10.9999/ris
AN  - 777
KW  - fever
KW  - cough
AB  - It fell.
It rose.
ER  -

TY  - JOUR
TI  - From PubMed
AN  - 778
DB  - PubMed
DO  - see publisher
ER  -
TY  - JOUR
TI  - Cut off
"""


def test_ris(tmp_path: Path) -> None:
    for content in (RIS, "\ufeff" + RIS.replace("\n", "\r\n")):
        first, second, third = items(tmp_path, "refs.ris", content)
        assert isinstance(first, Document)
        assert (first.id, first.title, first.text) == ("doi:10.9999/ris", "An invented title", "It fell. It rose.")
        assert first.authors == ("Example AB", "The Group")
        assert (first.journal, first.year, first.published) == ("J Invent", 2019, "2019-03-07")
        assert (first.volume, first.issue, first.pages, first.keywords) == ("4", "2", "10-19", ("fever", "cough"))
        assert isinstance(second, Document)
        assert second.id == "pmid:778"
        assert isinstance(third, Skipped)
        assert "cut off" in third.reason


MEDLINE = """
PMID- 123
OWN - NLM
TI  - An invented title that goes
      on.
AB  - It fell.
FAU - Example, Anna
AU  - Example A
CN  - The Group
TA  - J Invent
DP  - 2018 Mar 4
LID - 10.9999/med [doi]
PT  - Journal Article
PT  - Retracted Publication
MH  - Fever/*drug therapy
MH  - *Adult
RIN - J Invent. 2019
LA  - eng
AID - S000 [pii]

PMID- 124
TI  - A second.
AID - 10.9999/two [doi]
"""


def test_medline(tmp_path: Path) -> None:
    first, second = items(tmp_path, "refs.nbib", MEDLINE)

    assert isinstance(first, Document)
    assert (first.id, first.title) == ("pmid:123", "An invented title that goes on.")
    assert first.authors == ("Example A", "The Group")
    assert (first.identifiers.doi, first.year, first.mesh) == ("10.9999/med", 2018, ("Fever", "Adult"))
    assert first.retracted
    assert len(first.notices) == 1
    assert isinstance(second, Document)
    assert second.identifiers.doi == "10.9999/two"


BIBTEX = r"""% A comment
@string{ji = "J Invent"}
@comment{ not this @article{x, title={no}} }
@article{muller2020,
  title = {An {Invented} title of {\"o}rtliche \& {\ss} \alpha-blockers},
  author = {M{\"u}ller, Anna Beate and John Sample and {The Group}},
  journal = ji # " Trials",
  year = 2020, month = mar,
  pages = "10--19",
  doi = {https://doi.org/10.9999/bib},
  abstract = {It fell by 5\% ("much") in {\'e}tude.},
}
@book(second, title = "A book", year = "1999")
@article{broken, title = {never closed
"""


def test_bibtex(tmp_path: Path) -> None:
    first, second, third = items(tmp_path, "refs.bib", BIBTEX)

    assert isinstance(first, Document)
    assert (first.id, first.year, first.journal) == ("doi:10.9999/bib", 2020, "J Invent Trials")
    assert first.title == "An Invented title of örtliche & ß α-blockers"
    assert first.authors == ("Müller AB", "Sample J", "The Group")
    assert (first.pages, first.text) == ("10-19", 'It fell by 5% ("much") in étude.')
    assert isinstance(second, Document)
    assert (second.id, second.publication_types) == ("local:second", ("Book",))
    assert isinstance(third, Skipped)
    assert "braces" in third.reason


def test_latex_letters() -> None:
    assert plain(r"{\'E}cole Na\"ive \v{S}koda \c{c}a {\aa} \O{} 5 $\pm$ 2~mg") == "École Naïve Škoda ça å Ø 5 ± 2 mg"


@given(
    st.sampled_from([".csv", ".ris", ".nbib", ".bib"]),
    st.lists(
        st.sampled_from(
            [
                "TY  - JOUR\n",
                "TI  - a\n",
                "ER  - \n",
                "PMID- 1\n",
                "@a{",
                "}",
                "=",
                '"',
                "{",
                ",",
                "title",
                "\n",
                "#",
                "\\",
                "x",
            ]
        )
    ),
)
def test_any_list_is_read_or_skipped(tmp_path_factory: object, suffix: str, parts: list[str]) -> None:
    path = tmp_path_factory.mktemp("any") / f"a{suffix}"  # type: ignore[attr-defined]
    path.write_text("".join(parts) or "x")
    for item in read(path):
        assert isinstance(item, Document | Skipped)
