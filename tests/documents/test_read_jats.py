"""JATS: what is text and what is not, and that every stretch of it stands literally in the article."""

import tarfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evidencegate.documents import Document, Identifiers, RetractionStatus
from evidencegate.documents.readers import Skipped, read, read_document

FIXTURE = Path(__file__).parent / "fixtures" / "article.nxml"


@pytest.fixture(scope="module")
def article() -> Document:
    return read_document(FIXTURE)


def test_its_record(article: Document) -> None:
    assert article.id == "pmid:990000101"
    assert article.identifiers == Identifiers(pmid="990000101", pmcid="PMC99000101", doi="10.9999/jats.1")
    assert article.title == "Samplinib in invented cough: a trial"
    assert article.authors == ("Example JPM", "The Cough Group")
    assert (article.journal, article.year, article.published) == ("J Invent Trials", 2020, "2020-12")
    assert (article.volume, article.issue, article.pages) == ("4", "2", "11-19")
    assert article.publication_types == ("Journal Article",)
    assert article.keywords == ("cough", "samplinib")
    assert (article.language, article.source, article.licence) == ("en", "pmc", "CC BY-NC 4.0")
    assert article.full_text
    assert [(n.status, n.reference) for n in article.notices] == [(RetractionStatus.CORRECTED, "10.9999/JATS.1.corr")]


def test_its_text(article: Document) -> None:
    labelled = [(s.label, s.span.of(article.text).split("\n\n")) for s in article.sections]

    assert labelled == [
        ("Abstract > Background", ["Cough is common."]),
        ("Abstract > Results", ["Cough fell by 12% (95% CI 5–19)."]),
        ("Introduction", ["Cough is common [1,2].3 CO2 matters — a little."]),
        ("Methods", ["We did this."]),
        (
            "Methods > Participants",
            [
                "We enrolled 90 adults with cough",
                "in two towns. They were:",
                "old;",
                "young.",
                "All agreed.",
                "The ratio a/b was kept, but",
                "was not.",
                "It held.",
                "I cough less.",
            ],
        ),
        ("Results", ["Cough fell.", "It did not return.", "We stopped."]),
        ("Results > Key points", ["Cough fell."]),
    ]
    assert "".join(s.span.of(article.text) for s in article.sections).replace("\n", "") == article.text.replace(
        "\n", ""
    )


def test_every_paragraph_is_literal_in_the_fixture(article: Document) -> None:
    # ElementTree resolves no named character without the DTD.
    text = FIXTURE.read_text("utf-8").replace("&mdash;", "—")
    root = ElementTree.fromstring(text)
    source = " ".join("".join(root.itertext()).split())

    assert all(span.of(article.text) in source for span in article.paragraphs())


def variant(tmp_path: Path, old: str, new: str) -> Document:
    path = tmp_path / "variant.nxml"
    text = FIXTURE.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    return read_document(path)


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("retraction-forward", RetractionStatus.RETRACTED),
        ("expression-of-concern-forward", RetractionStatus.CONCERN),
        ("companion", RetractionStatus.NONE),
        ("retracted-article", RetractionStatus.NONE),  # on a notice, it names the other article
    ],
)
def test_notices(tmp_path: Path, kind: str, status: RetractionStatus) -> None:
    assert variant(tmp_path, "correction-forward", kind).retraction is status


def test_a_withdrawn_title_and_article_type(tmp_path: Path) -> None:
    assert variant(tmp_path, "Samplinib in", "RETRACTED: Samplinib in").retracted
    assert variant(tmp_path, '"research-article"', '"retracted-article"').retracted
    notice = variant(tmp_path, '"research-article"', '"retraction"')
    assert not notice.retracted
    assert notice.publication_types == ("Retraction of Publication",)


def test_without_identifiers_it_has_an_id_of_its_own(tmp_path: Path) -> None:
    text = FIXTURE.read_text("utf-8")
    for kind in ("pmid", "pmc", "doi"):
        text = text.replace(f'pub-id-type="{kind}"', 'pub-id-type="other"')
    path = tmp_path / "bare.xml"
    path.write_text(text, "utf-8")
    first, second = read_document(path), read_document(path)

    assert first.id.startswith("local:")
    assert first == second
    assert first.url is None


def test_a_set_and_a_default_namespace(tmp_path: Path) -> None:
    text = FIXTURE.read_text("utf-8")
    body = text[text.index("<article ") :].replace("<article ", '<article xmlns="https://example.org/jats" ')
    other = body.replace("990000101", "990000102")
    path = tmp_path / "set.xml"
    path.write_text(f"<pmc-articleset>{body}<article><front/></article>{other}</pmc-articleset>", "utf-8")
    first, second, third = read(path)

    assert isinstance(first, Document)
    assert first.authors == ("Example JPM", "The Cough Group")
    assert isinstance(second, Skipped)
    assert second.path == f"{path}:2"
    assert isinstance(third, Document)
    assert third.id == "pmid:990000102"


def test_the_shared_articles_are_literal(shared_data: Path) -> None:
    """Each paragraph stands, to the character, in the article as another library reads it."""
    archive = shared_data / "corpora" / "pmc_rct_fulltext.tar.gz"
    documents = [item for item in read(archive) if isinstance(item, Document)]
    assert len(documents) == 829
    by_pmcid = {document.identifiers.pmcid: document for document in documents}
    assert len(by_pmcid) == 829
    wrong: list[str] = []
    with tarfile.open(archive) as tar:
        for number, member in enumerate(m for m in tar if m.isfile()):
            if number % 10:
                continue
            stream = tar.extractfile(member)
            assert stream is not None
            root = ElementTree.parse(stream).getroot()
            document = by_pmcid[Path(member.name).stem]
            source = " ".join("".join(root.itertext()).split())
            wrong += [
                f"{member.name}: {s.of(document.text)[:80]}"
                for s in document.paragraphs()
                if s.of(document.text) not in source
            ]
            body = root.find("body")
            assert (body is None) or document.text
            # Nothing that is prose is lost: paragraphs outside of tables, figures and notes are all there.
            if body is not None:
                assert len(document.text) > 0.75 * sum(len("".join(p.itertext())) for p in body.iterfind("sec/p"))

    assert wrong == []


def test_two_authors_of_one_name_are_two(tmp_path: Path) -> None:
    names = "<surname>Zhang</surname><given-names>{}</given-names>"
    people = "".join(
        f'<contrib contrib-type="author"><name>{names.format(given)}</name></contrib>' for given in ("Yan", "Yi")
    )
    path = tmp_path / "article.xml"
    path.write_text(
        "<article><front><article-meta><title-group><article-title>Invented</article-title></title-group>"
        f"<contrib-group>{people}</contrib-group></article-meta></front></article>"
    )
    assert read_document(path).authors == ("Zhang Y", "Zhang Y")
