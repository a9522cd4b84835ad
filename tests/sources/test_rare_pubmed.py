"""What E-utilities may legally send and rarely do: everything of it arrives, and nothing is misread. All invented."""

import asyncio
from pathlib import Path

import pytest

from evidencegate.documents import Document, Identifiers, RetractionStatus
from evidencegate.sources import Client, NoticeCheck, Unavailable, current_notices, fetch
from simulated import LiteratureService

PMID = "990000101"
OTHER = Identifiers(pmid=PMID)


def read(service: LiteratureService, tmp_path: Path, record: str) -> Document:
    """The record of `PMID`, as PubMed sends it in `record`."""
    service.verbatim["pubmed/efetch.fcgi"] = (
        '<?xml version="1.0" ?><!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" '
        f'"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd"><PubmedArticleSet>{record}</PubmedArticleSet>'
    )

    async def run() -> Document | Unavailable:
        async with Client(service.settings(tmp_path)) as client:
            return await fetch(OTHER, client)

    document = asyncio.run(run())
    assert isinstance(document, Document), document
    return document


def article(
    *,
    title: str = "<ArticleTitle>An invented title.</ArticleTitle>",
    date: str = "<Year>2021</Year>",
    abstract: str = "",
    authors: str = "",
    more: str = "",
    after: str = "",
    pages: str = "",
    ids: str = "",
) -> str:
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="2">{PMID}</PMID><Article>'
        f"<Journal><JournalIssue><PubDate>{date}</PubDate></JournalIssue><Title>Journal of Invention</Title></Journal>"
        f"{title}{pages}{abstract}<AuthorList>{authors}</AuthorList><Language>eng</Language>{more}</Article>{after}"
        f'</MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pubmed">{PMID}</ArticleId>{ids}'
        "</ArticleIdList></PubmedData></PubmedArticle>"
    )


def test_people_are_all_named(service: LiteratureService, tmp_path: Path) -> None:
    names = (
        '<Author ValidYN="Y"><LastName>Zhang</LastName><ForeName>Yan</ForeName><Initials>Y</Initials></Author>'
        "<Author><LastName>Zhang</LastName><ForeName>Yi</ForeName><Initials>Y</Initials></Author>"
        "<Author><LastName>van der Berg</LastName><ForeName>Jan-Luc P</ForeName></Author>"
        "<Author><LastName>Suharto</LastName></Author>"
        "<Author><LastName>Inventor</LastName><Initials>AB</Initials><Suffix>2<sup>nd</sup></Suffix></Author>"
        '<Author ValidYN="N"><LastName>Mistake</LastName></Author>'
        "<Author><CollectiveName>The <i>INVENT</i> Study Group.</CollectiveName></Author>"
    )
    document = read(service, tmp_path, article(authors=names))
    assert document.authors == (
        "Zhang Y",
        "Zhang Y",
        "van der Berg JLP",
        "Suharto",
        "Inventor AB 2nd",
        "The INVENT Study Group",
    )


@pytest.mark.parametrize(
    ("given", "year", "published"),
    [
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", 1998, "1998-12"),
        ("<MedlineDate>Spring 2003</MedlineDate>", 2003, "2003"),
        ("<MedlineDate>2000-2001</MedlineDate>", 2000, "2000"),
        ("<Year>2004</Year><Season>Summer</Season>", 2004, "2004"),
        ("<Year>2004</Year><Month>06</Month>", 2004, "2004-06"),
        ("<Year>2004</Year><Month>Sep</Month><Day>5</Day>", 2004, "2004-09-05"),
    ],
)
def test_dates_as_far_as_they_are_known(
    service: LiteratureService, tmp_path: Path, given: str, year: int, published: str
) -> None:
    document = read(service, tmp_path, article(date=given))
    assert (document.year, document.published) == (year, published)


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("<ArticleTitle/><VernacularTitle>Erfundene Studie.</VernacularTitle>", "Erfundene Studie."),
        (
            "<ArticleTitle>[Not Available].</ArticleTitle><VernacularTitle>Étude inventée.</VernacularTitle>",
            "Étude inventée.",
        ),
        (
            "<ArticleTitle>[An invented study].</ArticleTitle><VernacularTitle>x</VernacularTitle>",
            "[An invented study].",
        ),
        ("<ArticleTitle>CO<sub>2</sub> &amp;lt; 5 in <i>E. coli</i></ArticleTitle>", "CO2 < 5 in E. coli"),
        (
            "<ArticleTitle>&amp;lt;i&amp;gt;E. coli&amp;lt;/i&amp;gt; at 5 &amp;amp; 6</ArticleTitle>",
            "E. coli at 5 & 6",
        ),
    ],
)
def test_titles(service: LiteratureService, tmp_path: Path, given: str, title: str) -> None:
    assert read(service, tmp_path, article(title=given)).title == title


def test_an_abstract_with_markup_and_parts_without_a_name(service: LiteratureService, tmp_path: Path) -> None:
    abstract = (
        '<Abstract><AbstractText Label="UNLABELLED">First part.</AbstractText>'
        '<AbstractText Label="AIM &amp; METHODS" NlmCategory="METHODS">We gave <b>5&#xa0;mg</b> (<i>p</i>&lt;0.001)'
        '<mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:mi>x</mml:mi><mml:mo>≤</mml:mo><mml:mn>3</mml:mn>'
        '</mml:math>; eGFR &amp;lt; 30.</AbstractText><AbstractText NlmCategory="RESULTS">Third.</AbstractText>'
        "<AbstractText/><CopyrightInformation>© Nobody</CopyrightInformation></Abstract>"
    )
    document = read(service, tmp_path, article(abstract=abstract))
    assert document.text == "First part.\n\nWe gave 5 mg (p<0.001)x≤3; eGFR < 30.\n\nThird."
    assert [section.label for section in document.sections] == ["AIM & METHODS", "RESULTS"]


OTHERS = (
    '<OtherAbstract Type="Publisher" Language="spa"><AbstractText>Texto inventado.</AbstractText></OtherAbstract>'
    '<OtherAbstract Type="plain-language-summary" Language="eng"><AbstractText>In plain words.</AbstractText>'
    "</OtherAbstract>"
)


def test_a_summary_in_plain_words_stands_after_the_abstract(service: LiteratureService, tmp_path: Path) -> None:
    abstract = "<Abstract><AbstractText>The abstract.</AbstractText></Abstract>"
    document = read(service, tmp_path, article(abstract=abstract, after=OTHERS))
    assert document.text == "The abstract.\n\nIn plain words."
    assert [section.label for section in document.sections] == ["Plain language summary"]


def test_without_an_abstract_another_stands_for_it(service: LiteratureService, tmp_path: Path) -> None:
    assert read(service, tmp_path, article(after=OTHERS)).text == "In plain words."


def test_a_translation_is_better_than_nothing(service: LiteratureService, tmp_path: Path) -> None:
    assert read(
        service, tmp_path, article(after=OTHERS.partition("</OtherAbstract>")[0] + "</OtherAbstract>")
    ).text == ("Texto inventado.")


def test_a_record_of_almost_nothing(service: LiteratureService, tmp_path: Path) -> None:
    document = read(service, tmp_path, article())
    assert (document.text, document.authors, document.pages, document.notices) == ("", (), "", ())
    assert (document.journal, document.year, document.language) == ("Journal of Invention", 2021, "en")


def test_identifiers_beside_the_wrong_ones(service: LiteratureService, tmp_path: Path) -> None:
    record = article(
        pages="<Pagination><StartPage>e12</StartPage><EndPage>e19</EndPage></Pagination>"
        '<ELocationID EIdType="doi" ValidYN="N">10.5555/wrong</ELocationID>'
        '<ELocationID EIdType="pii" ValidYN="Y">S1</ELocationID>'
        '<ELocationID EIdType="doi" ValidYN="Y">10.5555/Right.(1)&lt;2::AID&gt;3.0.CO;2-9</ELocationID>',
        ids='<ArticleId IdType="pii">S1</ArticleId><ArticleId IdType="pmc">PMC9900001</ArticleId>'
        '<ArticleId IdType="mid">NIHMS1</ArticleId>',
    ).replace(
        "</PubmedData>",
        "<ReferenceList><Reference><Citation>Another.</Citation><ArticleIdList>"
        '<ArticleId IdType="doi">10.5555/cited</ArticleId></ArticleIdList></Reference></ReferenceList></PubmedData>',
    )
    document = read(service, tmp_path, record)
    assert document.identifiers == Identifiers(pmid=PMID, pmcid="PMC9900001", doi="10.5555/right.(1)<2::aid>3.0.co;2-9")
    assert document.pages == "e12-e19"


STATUS = {
    "RetractionIn": RetractionStatus.RETRACTED,
    "RetractedandRepublishedIn": RetractionStatus.RETRACTED,
    "ExpressionOfConcernIn": RetractionStatus.CONCERN,
    "ErratumIn": RetractionStatus.CORRECTED,
    "CorrectedandRepublishedIn": RetractionStatus.CORRECTED,
}
NEUTRAL = (
    "AssociatedDataset AssociatedPublication CommentIn CommentOn CorrectedandRepublishedFrom ErratumFor "
    "ExpressionOfConcernFor RepublishedIn RepublishedFrom RetractedandRepublishedFrom RetractionOf UpdateIn UpdateOf "
    "SummaryForPatientsIn OriginalReportIn ReprintIn ReprintOf Cites"
).split()


@pytest.mark.parametrize("kind", [*STATUS, *NEUTRAL])
def test_every_kind_of_comment_and_correction(service: LiteratureService, tmp_path: Path, kind: str) -> None:
    listed = (
        f'<CommentsCorrectionsList><CommentsCorrections RefType="{kind}"><RefSource>J Invent. 2024;1:2</RefSource>'
        '<PMID Version="1">990000999</PMID><Note>n</Note></CommentsCorrections></CommentsCorrectionsList>'
    )
    document = read(service, tmp_path, article(after=listed))
    assert document.retraction is STATUS.get(kind, RetractionStatus.NONE)
    assert [notice.reference for notice in document.notices] == ["J Invent. 2024;1:2 PMID: 990000999"] * (
        kind in STATUS
    )

    async def run() -> RetractionStatus:
        async with Client(service.settings(tmp_path)) as client:
            return (await current_notices([document], client)).applied([document])[0].retraction

    assert asyncio.run(run()) is document.retraction


@pytest.mark.parametrize(
    ("title", "retracted"),
    [
        ("RETRACTED: An invented trial.", True),
        ("WITHDRAWN: An invented review.", True),
        ("Withdrawn: An invented review.", True),
        ("Retraction: An invented trial.", False),
        ("Withdrawn patients in invented trials.", False),
    ],
)
def test_a_title_that_says_what_became_of_it(
    service: LiteratureService, tmp_path: Path, title: str, retracted: bool
) -> None:
    document = read(service, tmp_path, article(title=f"<ArticleTitle>{title}</ArticleTitle>"))
    assert document.retracted is retracted


BOOK = f"""<PubmedBookArticle><BookDocument><PMID Version="1">{PMID}</PMID><ArticleIdList>
<ArticleId IdType="bookaccession">NBK1</ArticleId><ArticleId IdType="doi">10.5555/chapter</ArticleId></ArticleIdList>
<Book><Publisher><PublisherName>Invented Press</PublisherName></Publisher><BookTitle book="gene">Invented<sup>®</sup>
Reviews</BookTitle><PubDate><Year>1993</Year></PubDate><BeginningDate><Year>1993</Year></BeginningDate>
<AuthorList Type="editors"><Author><LastName>Editor</LastName><Initials>E</Initials></Author></AuthorList>
<Volume>2</Volume><Medium>Internet</Medium></Book><LocationLabel Type="chapter">7</LocationLabel>
<ArticleTitle book="gene" part="x">Invented Syndrome</ArticleTitle><Pagination><MedlinePgn>1-9</MedlinePgn></Pagination>
<Language>eng</Language><AuthorList Type="authors"><Author><LastName>Writer</LastName><ForeName>Wilma</ForeName>
</Author></AuthorList><PublicationType UI="D016454">Review</PublicationType><Abstract>
<AbstractText Label="CLINICAL CHARACTERISTICS">Invented.</AbstractText></Abstract>
<Sections><Section><SectionTitle book="gene" part="x">Summary</SectionTitle></Section></Sections>
<KeywordList Owner="NLM"><Keyword MajorTopicYN="N">invention</Keyword></KeywordList>
<ContributionDate><Year>2016</Year><Month>3</Month><Day>10</Day></ContributionDate>
<DateRevised><Year>2023</Year><Month>9</Month><Day>1</Day></DateRevised></BookDocument>
<PubmedBookData><ArticleIdList><ArticleId IdType="pubmed">{PMID}</ArticleId></ArticleIdList></PubmedBookData>
</PubmedBookArticle><DeleteCitation><PMID Version="1">990000777</PMID></DeleteCitation>"""


def test_a_chapter_of_a_book_is_of_the_day_it_was_written(service: LiteratureService, tmp_path: Path) -> None:
    document = read(service, tmp_path, BOOK)
    assert (document.title, document.journal) == ("Invented Syndrome", "Invented® Reviews")
    assert (document.year, document.published) == (2016, "2016-03-10")
    assert (document.authors, document.volume, document.pages) == (("Writer W",), "2", "1-9")
    assert document.identifiers == Identifiers(pmid=PMID, doi="10.5555/chapter")
    assert (document.publication_types, document.keywords) == (("Review",), ("invention",))
    assert [section.label for section in document.sections] == ["CLINICAL CHARACTERISTICS"]


def test_an_empty_set_is_no_record(service: LiteratureService, tmp_path: Path) -> None:
    service.articles = ()
    service.verbatim["pubmed/efetch.fcgi"] = '<?xml version="1.0" ?><PubmedArticleSet></PubmedArticleSet>'

    async def run() -> Document | Unavailable:
        async with Client(service.settings(tmp_path)) as client:
            return await fetch(OTHER, client)

    assert isinstance(asyncio.run(run()), Unavailable)


def test_a_record_that_cannot_be_read_is_not_taken_for_one_without_notices(
    service: LiteratureService, tmp_path: Path
) -> None:
    """It might be retracted: that it was not read is said."""
    document = read(service, tmp_path, article())
    service.verbatim["pubmed/efetch.fcgi"] = (
        "<PubmedArticleSet><PubmedArticle><MedlineCitation/></PubmedArticle></PubmedArticleSet>"
    )

    async def run() -> NoticeCheck:
        async with Client(service.settings(tmp_path)) as client:
            return await current_notices([document], client)

    check = asyncio.run(run())
    assert check.unanswered == ("PubMed sent 1 of 1 records in a form that cannot be read",)


def test_a_blank_line_before_the_declaration_is_passed_over(service: LiteratureService, tmp_path: Path) -> None:
    read(service, tmp_path, article())
    service.verbatim["pubmed/efetch.fcgi"] = "\n" + service.verbatim["pubmed/efetch.fcgi"]

    async def run() -> Document | Unavailable:
        async with Client(service.settings(tmp_path / "again")) as client:
            return await fetch(OTHER, client)

    assert isinstance(asyncio.run(run()), Document)
