"""Answers as files, read back by readers that are not ours, whatever stands in titles and names."""

import io
import json
import re
import sys
import unicodedata
from pathlib import Path
from urllib.parse import unquote

import docx
import pypdf
import pytest
import rispy
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pybtex.database import BibliographyData, parse_string

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus, locate_quote
from evidencegate.documents.readers import Limits
from evidencegate.documents.readers import bibtex as bibtex_reader
from evidencegate.documents.readers import references as reference_readers
from evidencegate.errors import InvalidInput, MissingExtra
from evidencegate.evidence import EvidenceItem, EvidencePackage, Fallback, Level, score
from evidencegate.models.stance import Stance
from evidencegate.question import understand
from evidencegate.report import Answer, Citation, Contradiction, Reference, Section, Sentence, export, reference_list

QUESTION = "Does zelfaban reduce stroke in atrial fibrillation?"
LITERAL = Stance(1.0, 0.0, 0.0, None, (), "location")
HOSTILE = [
    "}, note = {swallowed",
    "@article{x, title = {no}}",
    "50% of $5 & #1_a ~ ^ \\textbf{x} \\",
    "`` quoted '' and -- dashed, {unclosed",
    "ER  - ",
    "line\nTY  - BOOK\r\nER  - ",
    '#read("/etc/passwd") #sys.inputs *bold* $x$ @ref <label> `raw` ] #eval("1")',
    "</w:t><w:p/> &amp; <script>alert(1)</script> ]]>",
    "{{ 7*7 }} {% include 'x' %}",
    "Größe ≥ 5 µg · 心房細動 · ﬁbrillation · \u202eRTL",
    "\u0000\u0007\u001b[31m\ud800\ufffe",
]
_text = st.one_of(
    st.sampled_from(HOSTILE), st.text(st.sampled_from("abcXYZ {}%&$#_^~\\\"'`<>[]()@,;=-–\n\té中≥.:/"), max_size=30)
)
_title = st.lists(_text, min_size=1, max_size=3).map(lambda parts: "Trial " + " ".join(parts))
_given = st.sampled_from(["A", "AB", "J-P", "ÅB"])
_family = st.sampled_from(["Muster", "van der Berg", "O'Neil", "Ñúñez-Gómez", "De Sand and Co", "M{uster"])
_person = st.builds("{} {}".format, _family, _given)
_group = st.one_of(st.sampled_from(["Zelfaban and Stroke Investigators", "Study {group", "A, B; C & D team"]), _text)
_authors = st.lists(st.one_of(_person, _group), max_size=5).map(tuple)
_doi = st.sampled_from([None, "10.5555/a_b%c&d", "10.1002/(sici)1097<1661::aid-sim968>3.0.co;2-2", "10.5555/x{y"])


def document(
    n: int = 1,
    title: str = "Zelfaban in atrial fibrillation",
    authors: tuple[str, ...] = ("Muster AB", "Beispiel C"),
    doi: str | None = None,
    text: str = "Zelfaban reduced stroke.",
    retracted: bool = False,
) -> Document:
    """An invented article."""
    notices = (Notice(status=RetractionStatus.RETRACTED, source="pubmed"),) if retracted else ()
    return Document(
        id=f"pmid:{90_000_000 + n}",
        title=title,
        text=text,
        identifiers=Identifiers(pmid=str(90_000_000 + n), doi=doi),
        authors=authors,
        journal="J Invented Med & Surg",
        year=2024,
        published="2024-03-09",
        volume="12",
        issue="3",
        pages="101-109",
        notices=notices,
    )


def listed(*documents: Document) -> tuple[Reference, ...]:
    """References of documents."""
    tags = frozenset({"AF"})
    items = [
        EvidenceItem(document=d, level=Level.RCT, disease_tags=tags, decision_tags=frozenset(), score=80.0)
        for d in documents
    ]
    return reference_list(items)[0]


def answer(*documents: Document) -> Answer:
    """An answer that quotes the first sentence of each document, the last one against the first."""
    sentences = []
    for n, one in enumerate(documents, start=1):
        quote = locate_quote(one.text, one)
        assert quote is not None
        sentences.append(Sentence(text=quote.text, citations=(Citation(n=n, quote=quote, stance=LITERAL),)))
    package = EvidencePackage(question=understand(QUESTION), items=())
    return Answer(
        package=package,
        sufficiency=score(package),
        direct=tuple(sentences[:1]),
        sections=(Section(heading="On the decision itself", sentences=tuple(sentences[1:])),),
        contradictory=(Contradiction(against=sentences[0].text, sentence=sentences[-1]),),
        references=listed(*documents),
        fallback=Fallback(called=False, reason="not needed"),
        warnings=("A warning with <b>marks</b> & more",),
    )


def shown(text: str) -> str:
    """`text` on one line, without what is no character in any file."""
    kept = (" " if unicodedata.category(c) in ("Cc", "Cs", "Cn") else c for c in text)
    return " ".join("".join(kept).split())


def from_tex(value: str) -> str:
    """What TeX prints for a field, by a table of its commands."""
    named = {
        "textbackslash": "\\", "textbraceleft": "{", "textbraceright": "}", "textasciitilde": "~",
        "textasciicircum": "^", "textless": "<", "textgreater": ">",
    }  # fmt: skip
    pieces = re.findall(r"\\([a-z]+)\{\}|\\([&%$#_])|([{}])|(.)", value, re.DOTALL)
    printed = "".join(named[name] if name else escaped or plain for name, escaped, _, plain in pieces)
    assert value.count("{") == value.count("}")
    return printed


def parsed(text: str) -> BibliographyData:
    return parse_string(text, "bibtex")


# --- references ----------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(_title, _authors, _doi), min_size=1, max_size=3))
def test_ris_is_read_by_others_as_it_was_meant(rows: list[tuple[str, tuple[str, ...], str | None]]) -> None:
    documents = [document(n, *row) for n, row in enumerate(rows, start=1)]
    references = listed(*documents)

    entries = rispy.loads(export.ris(references))

    assert len(entries) == len(documents)
    for entry, source, reference in zip(entries, documents, references, strict=True):
        assert entry["title"] == shown(source.title)
        assert entry["type_of_reference"] == "JOUR"
        assert entry["secondary_title"] == "J Invented Med & Surg"
        assert (entry["year"], entry["volume"], entry["number"]) == ("2024", "12", "3")
        assert (entry["start_page"], entry["end_page"]) == ("101", "109")
        assert entry["accession_number"] == source.identifiers.pmid
        assert entry.get("doi") == source.identifiers.doi
        assert entry["urls"] == [reference.url]
        given_names = [a for a in source.authors if shown(a).rstrip(".,;")]
        assert len(entry.get("authors", [])) == len(given_names)


@given(st.lists(st.tuples(_title, st.lists(_person, max_size=3, unique=True).map(tuple), _doi), min_size=1, max_size=3))
def test_our_own_readers_take_back_what_was_written(rows: list[tuple[str, tuple[str, ...], str | None]]) -> None:
    documents = [document(n, *row) for n, row in enumerate(rows, start=1)]
    references = listed(*documents)

    for written, read in (
        (export.ris(references), reference_readers.read_ris),
        (export.bibtex(references), bibtex_reader.read),
    ):
        back = list(read(io.BytesIO(written.encode()), "list", Limits()))
        assert [getattr(d, "title", d) for d in back] == [shown(d.title) for d in documents]
        for one, source in zip(back, documents, strict=True):
            assert isinstance(one, Document)
            assert one.identifiers == source.identifiers
            assert one.authors == tuple(a.replace("J-P", "JP") for a in source.authors)
            assert (one.year, one.volume, one.issue, one.pages) == (2024, "12", "3", "101-109")


@given(st.lists(st.tuples(_title, _authors, _doi), min_size=1, max_size=3))
def test_bibtex_is_read_by_others_as_it_was_meant(rows: list[tuple[str, tuple[str, ...], str | None]]) -> None:
    documents = [document(n, *row) for n, row in enumerate(rows, start=1)]
    references = listed(*documents)

    entries = list(parsed(export.bibtex(references)).entries.values())

    assert len(entries) == len(documents)
    for entry, source in zip(entries, documents, strict=True):
        assert from_tex(entry.fields["title"]) == shown(source.title)
        assert from_tex(entry.fields["journal"]) == source.journal
        assert entry.fields["year"] == "2024"
        assert entry.fields["pages"] == "101--109"
        assert entry.fields["pmid"] == source.identifiers.pmid
        assert (unquote(entry.fields["doi"]) if "doi" in entry.fields else None) == source.identifiers.doi
        assert len(entry.persons.get("author", [])) == len([a for a in source.authors if shown(a).rstrip(".,;")])


@given(st.lists(st.tuples(_title, _authors, _doi), min_size=1, max_size=3))
def test_csl_json_holds_text_as_it_is(rows: list[tuple[str, tuple[str, ...], str | None]]) -> None:
    documents = [document(n, *row) for n, row in enumerate(rows, start=1)]

    items = json.loads(export.csl_json(listed(*documents)))

    for item, source in zip(items, documents, strict=True):
        assert item["title"] == shown(source.title)
        assert item.get("DOI") == source.identifiers.doi
        assert item["issued"] == {"date-parts": [[2024, 3, 9]]}
        assert item["page"] == "101-109"
        assert item["type"] == "article-journal"


def test_people_are_parted_into_names_and_groups_are_not() -> None:
    one = document(authors=("van der Berg J-P", "Smith AB Jr", "Zelfaban and Stroke Investigators", "et al"))

    (item,) = json.loads(export.csl_json(listed(one)))
    (entry,) = rispy.loads(export.ris(listed(one)))
    ((_, bib),) = parsed(export.bibtex(listed(one))).entries.items()

    assert item["author"] == [
        {"family": "van der Berg", "given": "J. P."},
        {"family": "Smith", "given": "A. B.", "suffix": "Jr"},
        {"literal": "Zelfaban and Stroke Investigators"},
    ]
    assert entry["authors"] == ["van der Berg, J-P", "Smith, AB, Jr", "Zelfaban and Stroke Investigators"]
    assert [(p.prelast_names, p.last_names, p.lineage_names) for p in bib.persons["author"]] == [
        (["van", "der"], ["Berg"], []),
        ([], ["Smith"], ["Jr"]),
        ([], ["{Zelfaban {and} Stroke Investigators}"], []),
        ([], ["others"], []),
    ]


def test_what_is_retracted_or_has_no_journal_says_so_in_every_format() -> None:
    trial = Document(id="nct:NCT90000001", title="A trial", text="x", identifiers=Identifiers(nct="NCT90000001"))
    references = listed(document(retracted=True), trial)

    items = json.loads(export.csl_json(references))
    entries = rispy.loads(export.ris(references))
    bib = list(parsed(export.bibtex(references)).entries.values())

    assert "RETRACTED" in items[0]["note"]
    assert entries[0]["notes"] == ["RETRACTED"]
    assert bib[0].fields["note"] == "RETRACTED"
    assert (items[1]["type"], entries[1]["type_of_reference"], bib[1].type) == ("webpage", "ELEC", "misc")
    assert "year" not in entries[1]
    assert entries[1]["urls"] == ["https://clinicaltrials.gov/study/NCT90000001"]


def test_a_list_of_nothing_is_empty_and_valid() -> None:
    assert export.ris(()) == ""
    assert export.bibtex(()) == ""
    assert json.loads(export.csl_json(())) == []


# --- whole answers -------------------------------------------------------------------------------------------------


def _word(content: bytes) -> "docx.document.Document":
    return docx.Document(io.BytesIO(content))


@settings(max_examples=15)
@given(_title, _title, st.sampled_from(HOSTILE))
@example("Trial", "Trial :.", HOSTILE[0])
def test_a_word_document_holds_every_sentence_and_its_links_lead_somewhere(one: str, other: str, bad: str) -> None:
    said = answer(document(1, one, text=f"Zelfaban reduced stroke {bad}x."), document(2, other, text="No, it did not."))

    made = _word(export.docx(said))

    text = "\n".join(paragraph.text for paragraph in made.paragraphs)
    for sentence in said.sentences():
        assert shown(sentence.text) in text
    for reference in said.references:
        assert shown(reference.title).rstrip(".") in text  # ends with one mark, whatever it ended with
    anchors = {n.get(_w("anchor")) for n in made.element.iter(_w("hyperlink")) if n.get(_w("anchor"))}
    marks = {n.get(_w("name")) for n in made.element.iter(_w("bookmarkStart"))}
    assert anchors == marks == {"ref-1", "ref-2"}
    addresses = [rel.target_ref for rel in made.part.rels.values() if rel.is_external]
    assert addresses == [reference.url for reference in said.references]
    headings = [p.text for p in made.paragraphs if p.style.name.startswith("Heading")]
    assert headings[:3] == ["Answer", "On the decision itself", "What contradicts this"]
    assert headings[-2:] == ["References", "Warnings"]


def _w(tag: str) -> str:
    return f"{{http://schemas.openxmlformats.org/wordprocessingml/2006/main}}{tag}"


def test_a_pdf_holds_every_text_literally_and_opens_the_articles(tmp_path: Path) -> None:
    documents = [document(n, f"Title {bad}", text=f"Finding {n} {bad}x.") for n, bad in enumerate(HOSTILE, start=1)]
    said = answer(*documents)
    export.write(said, tmp_path / "answer.pdf")

    read = pypdf.PdfReader(tmp_path / "answer.pdf")

    text = _letters("".join(page.extract_text() for page in read.pages))
    for sentence in said.sentences():
        if "RTL" not in sentence.text:  # readers put text that is set from the right in an order of their own
            assert _letters(sentence.text) in text
    assert "/etc/passwd" in text
    assert "root:" not in text
    actions = [a.get_object().get("/A", {}) for page in read.pages for a in page.get("/Annots", [])]
    addresses = {str(action["/URI"]) for action in actions if "/URI" in action}
    assert addresses == {str(reference.url) for reference in said.references}
    assert read.metadata is not None
    assert read.metadata.title == QUESTION


def _letters(text: str) -> str:
    """Without space, which a page breaks anew, and with ligatures taken apart."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", shown(text)))


def test_the_same_answer_gives_the_same_pdf() -> None:
    assert export.pdf(answer(document())) == export.pdf(answer(document()))


@pytest.mark.parametrize("suffix", export.SUFFIXES)
def test_every_format_is_written_whole_in_place_of_what_was_there(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"Answer{suffix.upper()}"
    path.write_text("old")

    export.write(answer(document(1, HOSTILE[-1] + "x"), document(2)), path)

    assert path.read_bytes() not in (b"old", b"")
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("name", ["answer.xyz", "answer", "answer.pdf.zip", ".csl"])
def test_a_suffix_nobody_knows_is_refused_with_those_there_are(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"\.md, \.html, \.pdf, \.docx"):
        export.check(tmp_path / name)


def test_a_directory_that_is_not_there_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no directory"):
        export.check(tmp_path / "nowhere" / "answer.md")


def test_what_cannot_be_written_is_refused_before_any_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "answer.md").mkdir()
    with pytest.raises(InvalidInput, match="it is a directory"):
        export.check(tmp_path / "answer.md")
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != tmp_path)
    with pytest.raises(InvalidInput, match="choose another directory"):
        export.check(tmp_path / "other.md")


@pytest.mark.parametrize(("suffix", "module"), [(".pdf", "typst"), (".docx", "docx")])
def test_a_missing_part_names_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)

    with pytest.raises(MissingExtra, match=r'pip install "evidencegate\[pdf\]"'):
        export.check(tmp_path / f"answer{suffix}")
    export.check(tmp_path / "answer.ris")
