from collections.abc import Sequence

import pytest

from evidencegate.errors import ModelError
from evidencegate.models.stance import (
    EncoderModel,
    RulesModel,
    Stance,
    StanceModel,
    Validation,
    models_installed,
    supports_counterfactual,
)

CLAIM = "Macrolides interact with statins via CYP3A4, leading to increased statin exposure and myopathy risk"
STATEMENT = "Macrolides do NOT interact with statins and do NOT increase statin exposure or myopathy risk"
CONFIRMS = "Clarithromycin increases simvastatin exposure >5-fold and caused rhabdomyolysis in 14 cases"
CONTRADICTS = (
    "In our large cohort study, azithromycin co-prescription with statins showed no significant increase in "
    "myopathy risk (RR 1.02, 95% CI 0.95-1.09)"
)
READERS = [RulesModel(), *([EncoderModel()] if models_installed() else [])]


@pytest.mark.parametrize("model", READERS, ids=lambda model: model.name)
def test_the_case_that_must_always_work(model: StanceModel) -> None:
    accepted = supports_counterfactual(CONTRADICTS, STATEMENT, CLAIM, model=model)
    rejected = supports_counterfactual(CONFIRMS, STATEMENT, CLAIM, model=model)
    assert accepted, accepted.reason
    assert not rejected
    assert rejected.reason


@pytest.mark.parametrize("model", READERS, ids=lambda model: model.name)
@pytest.mark.parametrize("passage", ["", "   ", "Macrolides and statins are often prescribed in clinics.", "🙂"])
def test_a_passage_about_the_topic_is_not_accepted(model: StanceModel, passage: str) -> None:
    assert not supports_counterfactual(passage, STATEMENT, CLAIM, model=model)


class _Broken:
    name = "broken"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        raise ModelError("out of order")


def test_an_error_is_a_rejection_with_its_reason() -> None:
    given = supports_counterfactual(CONTRADICTS, STATEMENT, CLAIM, model=_Broken())
    assert not given.accepted
    assert "out of order" in given.reason
    assert given.to_claim is None


def test_acceptance_cannot_contradict_its_own_stances() -> None:
    yes = Stance(1.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="does not contradict"):
        Validation(True, 0.9, "", yes, yes)
    with pytest.raises(ValueError, match="does not contradict"):
        Validation(True, 0.9, "", yes, None)
