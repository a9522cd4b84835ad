"""PubMed XML: every field, deletions, and what happens to broken, hostile and cut-off files."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evidencegate.documents import Document, Identifiers, Notice, RetractionStatus
from evidencegate.documents.readers import Deleted, Limits, Skipped, read

FIXTURE = Path(__file__).parent / "fixtures" / "pubmed.xml"


@pytest.fixture(scope="module")
def items() -> list[Document | Skipped | Deleted]:
    return list(read(FIXTURE))


def article(number: int, body: str = "") -> str:
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{number}</PMID><Article><ArticleTitle>T{number}.</ArticleTitle>"
        f"<Abstract><AbstractText>Text {number}.{body}</AbstractText></Abstract></Article></MedlineCitation>"
        "</PubmedArticle>"
    )


def written(tmp_path: Path, *records: str, head: str = "", name: str = "set.xml") -> Path:
    path = tmp_path / name
    path.write_text(f'<?xml version="1.0"?>{head}<PubmedArticleSet>{"".join(records)}</PubmedArticleSet>', "utf-8")
    return path


def test_every_field_of_an_article(items: list[Document | Skipped | Deleted]) -> None:
    found = items[0]

    assert isinstance(found, Document)
    assert found.id == "pmid:990000001"
    assert found.identifiers == Identifiers(
        pmid="990000001", pmcid="PMC99000001", doi="10.9999/invent.2021.1", nct=None
    )
    assert found.title == "Examplumab in invented fever: a randomised trial."
    assert found.text == (
        "Invented fever has no treatment.\n\n"
        "We assigned 240 patients to examplumab 5 mg/kg or placebo.\n\n"
        "Fever fell in 60% vs. 30% (ptrend<0.001; r2=0.4)."
    )
    assert [(s.label, s.span.of(found.text).split()[0]) for s in found.sections] == [
        ("BACKGROUND", "Invented"),
        ("METHODS", "We"),
        ("RESULTS", "Fever"),
    ]
    assert found.authors == ("Müller-Example AB", "Sample J Jr", "Invented Fever Study Group")
    assert (found.journal, found.year, found.published) == ("J Invent Trials", 2021, "2021-03-09")
    assert (found.volume, found.issue, found.pages) == ("12", "3", "101-9")
    assert found.publication_types == ("Journal Article", "Randomized Controlled Trial")
    assert found.mesh == ("Adult", "Fever")
    assert found.keywords == ("examplumab", "fever, invented")
    assert (found.language, found.source, found.full_text, found.curated) == ("en", "pubmed", False, False)
    assert found.notices == (
        Notice(
            status=RetractionStatus.CORRECTED,
            source="pubmed",
            reference="J Invent Trials. 2021;12:200 PMID: 990000010",
        ),
    )
    assert found.retraction is RetractionStatus.CORRECTED


def test_a_retracted_article_and_a_date_in_words(items: list[Document | Skipped | Deleted]) -> None:
    found = items[1]

    assert isinstance(found, Document)
    assert found.retracted
    assert [notice.status for notice in found.notices] == [RetractionStatus.RETRACTED, RetractionStatus.CONCERN]
    assert (found.year, found.published, found.language) == (1998, "1998-12", "de")
    assert found.journal == "Annals of withdrawn work"


def test_the_notice_itself_is_not_retracted(items: list[Document | Skipped | Deleted]) -> None:
    found = items[2]

    assert isinstance(found, Document)
    assert found.notices == ()
    assert found.title == "Rücknahme einer Behauptung."
    assert (found.text, found.year, found.published) == ("", 2001, "2001-02-03")


def test_a_publication_type_alone_marks_a_retraction(tmp_path: Path) -> None:
    retracted = article(1).replace(
        "</Article>",
        "<PublicationTypeList><PublicationType>Retracted Publication</PublicationType></PublicationTypeList></Article>",
    )
    [found] = read(written(tmp_path, retracted))

    assert isinstance(found, Document)
    assert found.retracted


def test_a_book_chapter(items: list[Document | Skipped | Deleted]) -> None:
    found = items[3]

    assert isinstance(found, Document)
    assert (found.id, found.title, found.journal) == ("pmid:990000020", "Invented fever", "Invented Reviews")
    assert (found.authors, found.year, found.publication_types) == (("Writer W",), 2019, ("Review",))


def test_deletions(items: list[Document | Skipped | Deleted]) -> None:
    assert items[4:] == [Deleted("pmid:990000030"), Deleted("pmid:990000031")]


def test_a_broken_record_costs_only_itself(tmp_path: Path) -> None:
    broken = article(2).replace("</Abstract>", "")
    path = written(tmp_path, article(1), broken, article(3), article(0))
    first, second, third, fourth = read(path)

    assert isinstance(first, Document)
    assert isinstance(second, Skipped)
    assert second.path == f"{path}:2"
    assert "not well-formed" in second.reason
    assert isinstance(third, Document)
    assert third.id == "pmid:3"
    assert fourth == Skipped(f"{path}:4", "not a PMID: '0'")


def test_a_file_cut_off(tmp_path: Path) -> None:
    path = written(tmp_path, article(1), article(2))
    path.write_bytes(path.read_bytes()[:-80])
    first, second = read(path)

    assert isinstance(first, Document)
    assert isinstance(second, Skipped)
    assert "cut off" in second.reason


def test_a_gzip_cut_off(tmp_path: Path) -> None:
    raw = written(tmp_path, *(article(n, f" {n * 7919} {n * 104729}") for n in range(1, 2000))).read_bytes()
    path = tmp_path / "set.xml.gz"
    path.write_bytes(gzip.compress(raw)[:-2000])
    found = list(read(path))

    assert sum(isinstance(item, Document) for item in found) > 500
    assert isinstance(found[-1], Skipped)
    assert "cut off" in found[-1].reason


def test_records_split_over_every_chunk_border(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, *(article(n) for n in range(1, 30)))
    for size in (1, 2, 7, 64, 333):
        monkeypatch.setattr("evidencegate.documents.readers._xml._CHUNK", size)
        assert [d.id for d in read(path) if isinstance(d, Document)] == [f"pmid:{n}" for n in range(1, 30)]


def test_a_record_over_the_limit_is_refused_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evidencegate.documents.readers._xml._CHUNK", 1000)
    path = written(tmp_path, article(1, "x" * 50_000), article(2))
    first, *_, last = read(path, limits=Limits(record_bytes=10_000))

    assert isinstance(first, Skipped)
    assert "more than 0.0 MB" in first.reason
    assert isinstance(last, Document)
    assert last.id == "pmid:2"


BOMB = '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>'
SECRET = '<!DOCTYPE x [<!ENTITY c SYSTEM "file://{path}">]>'


def test_entities_are_never_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("do not read me")
    for head in (BOMB, SECRET.format(path=secret)):
        first, second = read(written(tmp_path, article(1, "&c;"), article(2), head=head))
        assert isinstance(first, Skipped)
        assert "'c'" in first.reason
        assert isinstance(second, Document)


def test_named_characters_are_read(tmp_path: Path) -> None:
    [found] = read(written(tmp_path, article(1, " &beta;-blockers &lt; 5 &amp; &nbsp;more")))

    assert isinstance(found, Document)
    assert found.text == "Text 1. β-blockers < 5 & more"


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "utf-8-sig"])
def test_other_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "set.xml"
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?><PubmedArticleSet>{article(1, " Größe")}</PubmedArticleSet>'
    path.write_bytes(text.encode(encoding))
    [found] = read(path)

    assert isinstance(found, Document)
    assert found.text == "Text 1. Größe"


def test_an_empty_set_and_other_xml_say_what_they_are(tmp_path: Path) -> None:
    [empty] = read(written(tmp_path))
    other = tmp_path / "search.xml"
    other.write_text('<?xml version="1.0"?><eSearchResult><Count>0</Count></eSearchResult>')
    [search] = read(other)

    assert isinstance(empty, Skipped)
    assert "without any PubmedArticle" in empty.reason
    assert isinstance(search, Skipped)
    assert "eSearchResult" in search.reason
    assert "efetch" in search.reason


def recorded(shared: Path) -> Iterator[Path]:
    folder = shared / "http" / "ncbi"
    yield from (path for path in sorted(folder.glob("*.xml")) if "<PubmedArticle>" in path.read_text("utf-8"))


def test_recorded_replies_against_another_reading(shared_data: Path) -> None:
    paths = list(recorded(shared_data))
    assert paths
    for path in paths:
        root = ElementTree.parse(path).getroot()
        documents = [item for item in read(path) if isinstance(item, Document)]
        for found, element in zip(documents, root.findall("PubmedArticle"), strict=True):
            abstract = element.find(".//Abstract")
            assert found.identifiers.pmid == element.findtext("MedlineCitation/PMID")
            parts = abstract.findall("AbstractText") if abstract is not None else []
            assert found.text.split("\n\n") == [" ".join("".join(part.itertext()).split()) for part in parts]
            assert [s.label for s in found.sections] == [part.get("Label") for part in parts if part.get("Label")]
            assert len(found.authors) == len(element.findall("MedlineCitation/Article/AuthorList/Author"))
            assert len(found.mesh) == len(element.findall(".//MeshHeading"))
