"""What a passage says about a claim: supports, refutes, or nothing.

Rules over effect direction, negation, significance and figures come first and explain; a small cross-encoder
reads what rules cannot; a fitted logistic model joins the two into calibrated probabilities. Without the extra
`models` the rules decide alone, the same way every time.
"""

from evidencegate.models.stance._agreement import Agreement, agreement
from evidencegate.models.stance._counterfactual import Validation, supports_counterfactual, validate_all
from evidencegate.models.stance._model import (
    EncoderModel,
    RulesModel,
    default_model,
    models_installed,
    stance,
    stances,
)
from evidencegate.models.stance._reader import LanguageModelReader
from evidencegate.models.stance._types import Label, Reason, ReasonCode, Stance, StanceModel

__all__ = [
    # values
    "Agreement",
    "Label",
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
]
