"""The case that must always work, and further pairs: with the rules alone and with the model."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from evidencegate.counter import counterfactual, main_claims, validate
from evidencegate.models.stance import RulesModel, StanceModel, default_model, models_installed

CLAIM = "Macrolides interact with statins via CYP3A4, leading to increased statin exposure and myopathy risk"
STATEMENT = "Macrolides do NOT interact with statins and do NOT increase statin exposure or myopathy risk"
CONFIRMS = "Clarithromycin increases simvastatin exposure >5-fold and caused rhabdomyolysis in 14 cases"
CONTRADICTS = (
    "In our large cohort study, azithromycin co-prescription with statins showed no significant increase in myopathy "
    "risk (RR 1.02, 95% CI 0.95-1.09)"
)
PAIRS: dict[str, list[dict[str, str]]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "pairs.yaml").read_text("utf-8")
)
ACCEPTED = 0.9
"""Share of the contradicting passages that each reader must accept; of the others it may accept none."""


@pytest.fixture(params=["rules", "default"])
def model(request: pytest.FixtureRequest) -> StanceModel:
    if request.param == "rules":
        return RulesModel()
    if not models_installed():
        pytest.skip("the extra `models` is not installed")
    return default_model()


@pytest.mark.parametrize("given", ["", STATEMENT], ids=["own statement", "given statement"])
def test_the_case_that_must_always_work(model: StanceModel, given: str) -> None:
    made, _ = counterfactual(main_claims(CLAIM)[0][0], model, given=given)
    confirms, contradicts = validate(made, [(CONFIRMS, ""), (CONTRADICTS, "")], model)
    assert not confirms.validation
    assert contradicts.validation


def test_there_are_enough_pairs() -> None:
    assert len(PAIRS) >= 10
    assert sum(len(rows) for rows in PAIRS.values()) >= 40


def test_pairs(model: StanceModel) -> None:
    found, wrong, total = 0, [], 0
    for rows in PAIRS.values():
        for row in rows:
            made, _ = counterfactual(main_claims(row["claim"])[0][0], model)
            against, confirming = validate(made, [(row["against"], ""), (row["not"], "")], model)
            total += 1
            found += bool(against.validation)
            if confirming.validation:
                wrong.append(row["claim"])
    assert wrong == []
    assert found >= ACCEPTED * total


def test_what_contradicts_one_claim_does_not_contradict_its_neighbours() -> None:
    model = RulesModel()
    wrong: list[Any] = []
    for rows in PAIRS.values():
        for row in rows:
            made, _ = counterfactual(main_claims(row["claim"])[0][0], model)
            others = [other["against"] for other in rows if other is not row]
            for text, verdict in zip(others, validate(made, [(o, "") for o in others], model), strict=True):
                if verdict.validation:
                    wrong.append((row["claim"], text))
    assert wrong == []
