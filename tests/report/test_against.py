"""What an answer shows as contradicting it is proved: one matter, its opposite supported, itself refuted (rule 5)."""

import asyncio
from collections.abc import Sequence

import pytest

from evidencegate.documents import Document, Identifiers, locate_quote
from evidencegate.evidence import EvidenceItem, Level, Packs
from evidencegate.models.stance import Label, RulesModel, Stance
from evidencegate.question import Question, SubQuery, understand
from evidencegate.report import Answer, Engine, ask
from evidencegate.report._against import opposing
from evidencegate.report._extract import Candidate
from evidencegate.report._relevance import shared_words
from evidencegate.runs import Ledger, Run
from evidencegate.sources import Found, SearchRecord, SearchResult, Status


class Shelf:
    name = "shelf"

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        self.documents = [
            Document(
                id=f"pmid:{90_000_100 + n}",
                title=f"{title}: invented study {n}",
                text=text,
                identifiers=Identifiers(pmid=str(90_000_100 + n)),
                journal="Journal of Invented Trials",
                year=2024,
                publication_types=("Randomized Controlled Trial",),
            )
            for n, (title, text) in enumerate(texts)
        ]

    async def search(self, sub_query: SubQuery, question: Question, *, limit: int) -> SearchResult:
        found = tuple(Found(document=d, position=i) for i, d in enumerate(self.documents, 1))
        log = SearchRecord(source=self.name, query=sub_query.query, status=Status.OK, records=len(found))
        return SearchResult(record=log, found=found)


class Lying:
    name = "lying"

    def __init__(self, supports: float, refutes: float) -> None:
        self.given = Stance(supports, refutes, 1.0 - supports - refutes, reader=self.name)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        return [self.given for _ in pairs]


def answered(question: str, *texts: tuple[str, str], stance: object = None) -> Answer:
    engine = Engine(relevance=shared_words, stance=stance or RulesModel())  # type: ignore[arg-type]
    run = Run.start(Ledger("sqlite://"), "ask", {})
    return asyncio.run(ask(question, sources=[Shelf(texts)], not_asked={}, packs=Packs(()), run=run, engine=engine))


QUESTION = "Does spironolactone or finerenone or an SGLT2 inhibitor reduce death in heart failure?"


def test_two_treatments_that_agree_do_not_contradict_each_other() -> None:
    answer = answered(
        QUESTION,
        ("SGLT2 inhibitors", "SGLT2 inhibitors reduced cardiovascular death in patients with heart failure (p=0.01)."),
        ("Finerenone", "Finerenone reduced heart failure events in patients with heart failure (p=0.02)."),
        (
            "SGLT2 inhibitors",
            "In heart failure, SGLT2 inhibitors significantly lowered the risk of cardiovascular death.",
        ),
    )
    assert answer.contradictory == ()


def test_opposite_findings_on_one_treatment_and_outcome_do() -> None:
    answer = answered(
        "Does spironolactone reduce death in heart failure?",
        (
            "Spironolactone",
            "Spironolactone reduced death in patients with heart failure compared with placebo (p=0.01).",
        ),
        ("Spironolactone", "Spironolactone did not reduce death in patients with heart failure compared with placebo."),
    )
    (contradiction,) = answer.contradictory
    (citation,) = contradiction.sentence.citations
    assert citation.stance.label is Label.REFUTES
    assert {contradiction.against, contradiction.sentence.text} == {
        "Spironolactone reduced death in patients with heart failure compared with placebo (p=0.01).",
        "Spironolactone did not reduce death in patients with heart failure compared with placebo.",
    }


@pytest.mark.parametrize(("supports", "refutes"), [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0), (0.6, 0.4)])
def test_a_reader_that_says_the_same_of_everything_proves_nothing(supports: float, refutes: float) -> None:
    answer = answered(
        "Does spironolactone reduce death in heart failure?",
        (
            "Spironolactone",
            "Spironolactone reduced death in patients with heart failure compared with placebo (p=0.01).",
        ),
        ("Spironolactone", "Spironolactone did not reduce death in patients with heart failure compared with placebo."),
        stance=Lying(supports, refutes),
    )
    assert answer.contradictory == ()


def _candidates(*texts: str) -> list[Candidate]:
    made = []
    for document in Shelf([("Zelfaban in atrial fibrillation", text) for text in texts]).documents:
        quote = locate_quote(document.text, document)
        assert quote is not None
        nothing = frozenset[str]()
        item = EvidenceItem(document=document, level=Level.RCT, disease_tags=nothing, decision_tags=nothing, score=80.0)
        made.append(Candidate(item, quote, quote.text, 1.0, 1.0))
    return made


def _opposing(direct: Sequence[Candidate], found: Sequence[Candidate]) -> list[tuple[str, str]]:
    question = understand("Does zelfaban reduce major bleeding compared with warfarin in atrial fibrillation?")
    engine = Engine(relevance=shared_words, stance=RulesModel())
    oppositions = opposing(question, direct, [candidate.item for candidate in found], engine)
    assert all(one.stance.label is Label.REFUTES for one in oppositions)
    return [(one.against.text, one.candidate.text) for one in oppositions]


def test_an_answer_that_says_both_shows_the_one_against_the_other() -> None:
    direct = _candidates(
        "Zelfaban reduced major bleeding compared with warfarin in patients with atrial fibrillation (p=0.01).",
        "Zelfaban increased major bleeding compared with warfarin in patients with atrial fibrillation (p=0.02).",
    )

    assert _opposing(direct, direct) == [(direct[0].text, direct[1].text)]


def test_many_nearer_findings_that_agree_do_not_hide_one_that_opposes() -> None:
    agree = "Zelfaban reduced major bleeding compared with warfarin in {} patients with atrial fibrillation (p=0.01)."
    found = _candidates(
        *(agree.format(100 + n) for n in range(20)),
        "Zelfaban increased major bleeding compared with warfarin (p=0.02).",
    )

    assert _opposing(found[:1], found) == [(found[0].text, found[-1].text)]


def _on(question: str, *texts: tuple[str, str]) -> list[tuple[str, str]]:
    """What contradicts what among sentences, each the last of its article, when `question` is asked."""
    made = []
    for document in Shelf(texts).documents:
        quote = locate_quote(document.text.rsplit("\n\n", 1)[-1], document)
        assert quote is not None
        nothing = frozenset[str]()
        item = EvidenceItem(
            document=document, level=Level.COHORT, disease_tags=nothing, decision_tags=nothing, score=80
        )
        made.append(Candidate(item, quote, quote.text, 1.0, 1.0))
    engine = Engine(relevance=shared_words, stance=RulesModel())
    found = opposing(understand(question), made, [one.item for one in made], engine)
    assert all(one.stance.sentence is None for one in found)
    return [(one.against.text, one.candidate.text) for one in found]


EGGS = "Does egg consumption increase the risk of type 2 diabetes?"
MORE = (
    "High levels of egg consumption (daily) are associated with an increased risk of type 2 diabetes in men and women."
)


def test_what_the_question_asks_about_makes_two_findings_one_matter() -> None:
    # Neither names all words of the other: "high levels", "in either sex and overall".
    other = "There was no association between egg consumption and increased risk of type 2 diabetes in either sex."

    assert _on(EGGS, ("Eggs", MORE), ("Eggs in older adults", other)) == [(MORE, other)]


def test_abbreviations_of_an_article_are_written_out_before_it_is_compared() -> None:
    other = "There was no association between egg consumption and increased risk of T2D in either sex."
    defining = f"We followed 3898 people for type 2 diabetes (T2D).\n\n{other}"

    assert _on(EGGS, ("Eggs", MORE), ("Eggs in older adults", defining)) == [(MORE, other)]


@pytest.mark.parametrize(
    "other",
    [
        "There was no association between egg consumption and increased risk of type 2 diabetes compared with soy.",
        "There was no association between egg consumption with metformin and increased risk of type 2 diabetes.",
        "There was no association between nut consumption and increased risk of type 2 diabetes in either sex.",
    ],
)
def test_another_comparison_or_treatment_makes_another_matter(other: str) -> None:
    assert _on(EGGS, ("Eggs", MORE), ("Food in older adults", other)) == []


def test_an_outcome_wider_than_the_one_asked_about_is_another_matter() -> None:
    question = "Do probiotics prevent antibiotic-associated diarrhoea in children?"
    narrow = "Probiotics reduced the incidence of antibiotic-associated diarrhea in children."
    wide = "There was no effect of fortified probiotics on diarrhea in children."
    same = "There was no effect of fortified probiotics on antibiotic-associated diarrhea in children."

    assert _on(question, ("Probiotics", narrow), ("Milk", wide)) == []
    assert _on(question, ("Probiotics", narrow), ("Milk", same)) == [(narrow, same)]
