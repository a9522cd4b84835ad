"""A written sentence says no more than its source, whatever a reader thinks of the two."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st
from test_answer import ENGINE

from evidencegate.documents import Document, Passage, Quote, sentences
from evidencegate.evidence import EvidenceItem, Level
from evidencegate.models.language._lies import altered
from evidencegate.models.language.scripted import Behaviour
from evidencegate.models.stance import RulesModel, Stance
from evidencegate.report import Engine
from evidencegate.report._faithful import borne_out
from evidencegate.report._gate_sentence import proof

RECORDS = yaml.safe_load((Path(__file__).parent / "data" / "paraphrases.yaml").read_text("utf-8"))


@dataclass(frozen=True)
class Credulous(RulesModel):
    """Takes everything for supported."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        return [Stance.of((0.98, 0.01, 0.01), reader="credulous") for _ in pairs]


BELIEVING = Engine(relevance=ENGINE.relevance, stance=Credulous())


def item(record: Any) -> EvidenceItem:
    document = Document(id="pmid:90000001", title=record["title"], text=record["text"].strip())
    nothing: frozenset[str] = frozenset()
    return EvidenceItem(document=document, level=Level.RCT, disease_tags=nothing, decision_tags=nothing, score=80.0)


def quoted(document: Document, number: int = 0) -> Quote:
    span = sentences(document.text)[number]
    return Quote(Passage(document, (span,)), span)


@pytest.mark.parametrize("engine", [ENGINE, BELIEVING], ids=["rules", "credulous"])
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["title"][:30])
def test_what_says_something_else_is_no_fact(record: Any, engine: Engine) -> None:
    passed = [one["text"] for one in record["altered"] if not isinstance(proof(one["text"], item(record), engine), str)]
    assert not passed


@pytest.mark.parametrize(("engine", "least"), [(ENGINE, 50), (BELIEVING, 60)], ids=["rules", "credulous"])
def test_what_says_the_same_in_other_words_is_seldom_refused(engine: Engine, least: int) -> None:
    judged = {text: proof(text, item(record), engine) for record in RECORDS for text in record["faithful"]}

    assert len(judged) >= 60
    refused = {text: why for text, why in judged.items() if isinstance(why, str)}
    assert len(judged) - len(refused) >= least, refused


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["title"][:30])
def test_every_sentence_says_no_more_than_itself(record: Any) -> None:
    document = item(record).document
    for number, span in enumerate(sentences(document.text)):
        said = span.of(document.text)
        assert isinstance(borne_out(said, said, quoted(document, number)), Quote)


_DRUGS = st.sampled_from(["zelfaban", "corvatinib", "nilocept"])
_OTHER_DRUGS = st.sampled_from(["metorvin", "sertavole"])
_OTHERS = st.sampled_from(["warfarin", "placebo", "naproxen", "insulin"])
_OUTCOMES = st.sampled_from(
    ["stroke", "major bleeding", "mortality", "hospital admission", "adverse events", "relapse"]
)
_PEOPLE = st.sampled_from(["patients", "adults", "women", "participants"])
_DISEASES = st.sampled_from(["atrial fibrillation", "heart failure", "asthma", "ulcerative colitis"])
_LIMITS = st.sampled_from(["", " who completed treatment", " older than 75 years", " and severe kidney disease"])
_FIGURES = st.integers(11, 49).map(str)


@st.composite
def _findings(draw: st.DrawFn, drugs: st.SearchStrategy[str] = _DRUGS) -> str:
    """A sentence of an invented abstract."""
    drug, other, outcome = draw(drugs), draw(_OTHERS), draw(_OUTCOMES)
    who = f"{draw(_PEOPLE)} with {draw(_DISEASES)}{draw(_LIMITS)}"
    low, high = sorted(draw(st.lists(_FIGURES, min_size=2, max_size=2, unique=True)))
    verb = draw(st.sampled_from(["reduced", "increased", "did not change", "may reduce", "could increase"]))
    linked = draw(st.sampled_from(["was associated with less", "was associated with more", "probably led to less"]))
    begun = drug.capitalize()
    return draw(
        st.sampled_from(
            [
                f"{begun} {verb} {outcome} compared with {other} in {who} (HR 0.{low}, 95% CI 0.{low}-1.{high}).",
                f"{begun} {linked} {outcome} than {other} in {who}.",
                f"In {who}, {outcome} was less common with {drug} than with {other}.",
                f"Over {high} months, {outcome} occurred in {low}% of {who} on {drug} and {high}% of those on {other}.",
                f"A benefit of {drug} on {outcome} was seen only in {who}.",
                f"{begun} should not be used in {who}.",
                f"{begun} was superior to {other} in {who}.",
                f"In conclusion, {drug} is recommended over {other} in {who}.",
            ]
        )
    )


_ALTERATIONS = [
    Behaviour.ALTER_QUOTES,
    Behaviour.SWAP_NUMBERS,
    Behaviour.SWAP_ARMS,
    Behaviour.CHANGE_POPULATION,
    Behaviour.CHANGE_OUTCOME,
    Behaviour.STRENGTHEN,
    Behaviour.DROP_LIMITATION,
    Behaviour.NEGATE,
]


@given(_findings(), _findings(_OTHER_DRUGS), st.sampled_from(_ALTERATIONS), st.booleans())
def test_no_alteration_passes_even_where_the_reader_believes_everything(
    finding: str, beside: str, behaviour: Behaviour, first: bool
) -> None:
    text = f"{finding} {beside}" if first else f"{beside} {finding}"
    record = item({"title": "An invented study", "text": text})
    said = altered(finding, behaviour)
    assume(said != finding)

    assert isinstance(proof(said, record, BELIEVING), str), said


@given(_findings(), _findings(_OTHER_DRUGS))
def test_a_literal_sentence_passes_beside_any_other(finding: str, beside: str) -> None:
    document = item({"title": "An invented study", "text": f"{beside} {finding}"}).document
    found = borne_out(finding, finding, quoted(document, 1))
    assert isinstance(found, Quote)
    assert found.text == finding


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        (
            "Over 45 months, relapse occurred in 26% of patients.",
            "Over 47 months, relapse occurred in 26% of patients.",
        ),
        ("Relapse was 0.6 per year.", "Relapse was 0.62 per year."),
        ("Some 200 patients relapsed.", "Some 208 patients relapsed."),
        ("Relapse occurred in about 30% of patients.", "Relapse occurred in 31% of patients."),
    ],
)
def test_a_number_is_its_sources_own_not_one_that_is_near(claimed: str, source: str) -> None:
    record = item({"title": "An invented study", "text": f"{source} Quality of life was measured with a diary."})
    assert isinstance(proof(claimed, record, BELIEVING), str)
    assert not isinstance(proof(source, record, BELIEVING), str)
