"""What a passage says about a claim: supports, refutes, or nothing.

Rules over effect direction, negation, significance and figures come first and explain; a small cross-encoder
reads what rules cannot; a fitted logistic model joins the two into calibrated probabilities. Without the extra
`models` the rules decide alone, the same way every time.
"""

from typing import TYPE_CHECKING, Any

from evidencegate.models._onnx import models_installed
from evidencegate.models.stance._agreement import Agreement, agreement
from evidencegate.models.stance._comparisons import Arms, arms, figures_say
from evidencegate.models.stance._counterfactual import Validation, logit, supports_counterfactual, validate_all
from evidencegate.models.stance._findings import Direction, Effect, Reading, read
from evidencegate.models.stance._model import (
    EncoderModel,
    RulesModel,
    default_model,
    stance,
    stances,
)
from evidencegate.models.stance._text import clean_claim, stem
from evidencegate.models.stance._types import Label, Reason, ReasonCode, Stance, StanceModel

if TYPE_CHECKING:
    from evidencegate.models.stance._reader import LanguageModelReader

__all__ = [
    # values
    "Agreement",
    "Arms",
    "Direction",
    "Effect",
    "Label",
    "Reading",
    "Reason",
    "ReasonCode",
    "Stance",
    "StanceModel",
    "Validation",
    # readers
    "EncoderModel",
    "LanguageModelReader",
    "RulesModel",
    "default_model",
    "models_installed",
    # calls
    "agreement",
    "stance",
    "stances",
    "supports_counterfactual",
    "validate_all",
    # what one sentence states, by rules alone
    "arms",
    "clean_claim",
    "figures_say",
    "logit",
    "read",
    "stem",
]


def __getattr__(name: str) -> Any:
    # The second reader brings in the language models and the run ledger; nobody else should wait for them.
    if name != "LanguageModelReader":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from evidencegate.models.stance._reader import LanguageModelReader

    return LanguageModelReader
