"""A library as a source: what it found is a value, and so is that it failed."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from bag_of_words import Words

from evidencegate.documents import Document
from evidencegate.library import Library
from evidencegate.question import PICO, Category, Classification, Question, SubQuery, Tags, TargetEvidence, understand
from evidencegate.sources import SearchResult, Source, Status
from evidencegate.sources.library import LibrarySource, wording

QUESTION = Question(
    text="Does aspirin prevent stroke?",
    pico=PICO(intervention="aspirin", outcome="stroke"),
    disease_tags=Tags(("STROKE",)),
    decision_tags=Tags(("prevention",)),
    classification=Classification(name="general"),
    sub_queries=(SubQuery(query="aspirin stroke prevention"),),
)


def _ask(source: Source, query: str = "aspirin stroke", limit: int = 10) -> SearchResult:
    return asyncio.run(source.search(SubQuery(query=query), QUESTION, limit=limit))


def test_what_is_found_comes_with_its_place_and_the_search_that_found_it(
    library: Library, make: Callable[..., Document]
) -> None:
    library.add_documents([make(pmid=str(n), title="Aspirin in stroke", text=f"Case {n}.") for n in range(1, 6)])
    result = _ask(LibrarySource(library), limit=3)
    assert (result.record.status, result.record.records, result.record.query) == (Status.OK, 3, QUESTION.text)
    assert result.record.source == "library:library"
    assert result.record.asked_at.endswith("+00:00")
    assert [found.position for found in result.found] == [1, 2, 3]
    assert all(found.passages[0].text == found.document.text for found in result.found)
    assert all(found.score is not None and 0.0 <= found.score <= 1.0 for found in result.found)


@pytest.mark.parametrize(
    ("sub_query", "words", "asked"),
    [
        (SubQuery(query="aspirin stroke"), 5, "the question"),
        (SubQuery(query="aspirin stroke"), 60, "aspirin stroke"),
        (SubQuery(query="aspirin stroke", category=Category.ALTERNATIVES), 5, "aspirin stroke"),
        (SubQuery(query="aspirin stroke", target_evidence=TargetEvidence.TRIAL), 5, "aspirin stroke randomized trial"),
    ],
)
def test_a_short_question_is_asked_as_it_stands(sub_query: SubQuery, words: int, asked: str) -> None:
    question = replace(QUESTION, text=" ".join(["aspirin"] * words))

    assert wording(sub_query, question) == (question.text if asked == "the question" else asked)


@pytest.mark.parametrize(
    "asked", ["How fast should enteral feeds be advanced in preterm infants?", "Is soy safe in gout?"]
)
def test_the_first_search_holds_the_words_that_no_vocabulary_knows(asked: str) -> None:
    question = understand(asked)

    assert wording(question.sub_queries[0], question) == asked


def test_nothing_found_is_an_answer(library: Library) -> None:
    assert _ask(LibrarySource(library)).record.status is Status.EMPTY


def test_a_library_that_broke_is_unreachable_and_says_why(library: Library, make: Callable[..., Document]) -> None:
    library.add_documents([make(pmid="1")])
    for data in (Path(library.path) / "chunks.lance" / "data").iterdir():
        data.unlink()
    result = _ask(LibrarySource(library))
    assert result.record.status is Status.UNREACHABLE
    assert "damaged" in result.record.reason
    assert result.found == ()


def test_searches_run_side_by_side(library: Library, make: Callable[..., Document]) -> None:
    library.add_documents([make(pmid=str(n), title=f"Topic{n} alone") for n in range(1, 9)])
    source = LibrarySource(Library(library.path, create=False, embedder=Words()))

    async def many() -> list[SearchResult]:
        return await asyncio.gather(
            *(source.search(SubQuery(query=f"topic{n}"), QUESTION, limit=1) for n in range(1, 9))
        )

    assert all(result.record.status is Status.OK for result in asyncio.run(many()))


def test_the_name_is_that_of_the_directory(tmp_path: Path) -> None:
    source = LibrarySource(Library(f"{tmp_path}/trials/", embedder=Words()))
    assert source.name == "library:trials"


def test_libraries_of_one_name_are_told_apart_and_one_named_twice_is_asked_once(tmp_path: Path) -> None:
    made = [Library(tmp_path / place / "trials", embedder=Words()) for place in ("a", "b", "c")]
    made.append(Library(tmp_path / "trials-2", embedder=Words()))
    again = Library(f"{tmp_path}/b/../a/trials/", embedder=Words())
    sources = LibrarySource.each([*made, again])
    assert [source.name for source in sources] == [
        "library:trials",
        "library:trials-2",
        "library:trials-3",
        "library:trials-2-2",
    ]
    assert [source.library for source in sources] == made
