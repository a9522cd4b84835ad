"""What the tests of the sources share: the simulated services, and questions to ask them."""

from collections.abc import Iterator

import pytest

from evidencegate.question import PICO, Category, Classification, Question, SubQuery, Tags, TargetEvidence
from simulated import LiteratureService


def ask_about(
    *queries: str,
    condition: str = "atrial fibrillation",
    interventions: tuple[str, ...] = ("apixaban", "warfarin"),
    mesh: tuple[str, ...] = ("Atrial Fibrillation", "Anticoagulants", "Kidney Failure, Chronic"),
    excluded: tuple[str, ...] = ("Diet",),
    target: TargetEvidence = TargetEvidence.TRIAL,
) -> Question:
    """A question with these sub-queries."""
    texts = queries or ("apixaban versus warfarin in atrial fibrillation with chronic kidney disease",)
    return Question(
        text=texts[0],
        pico=PICO(condition=condition),
        disease_tags=Tags(("AF",)),
        decision_tags=Tags(("anticoagulation",)),
        classification=Classification(name="cardiology/anticoagulation", allowed_mesh=mesh, excluded_mesh=excluded),
        sub_queries=tuple(
            SubQuery(query=text, category=Category.CORE_DECISION, target_evidence=target) for text in texts
        ),
        intervention_terms=interventions,
    )


@pytest.fixture
def service() -> Iterator[LiteratureService]:
    """The simulated services, answering."""
    with LiteratureService() as running:
        yield running


@pytest.fixture
def question() -> Question:
    """A question that the invented articles answer."""
    return ask_about()
