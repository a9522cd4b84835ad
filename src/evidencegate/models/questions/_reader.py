"""The reader of decisions inside the package: what is asked to log-odds of fifteen decisions, on ONNX Runtime."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

from evidencegate.models._onnx import TextModel, load_text_model, models_installed
from evidencegate.models.embedding import TOKENIZER

MODEL = Path(__file__).parent / "data" / "decisions.onnx"
MAX_TOKENS = 192
DECISIONS = tuple(
    "anticoagulation antiplatelet de-escalation diagnosis dose drug_choice duration interaction monitoring "
    "prevention procedure prognosis safety screening therapy".split()
)
"""What the outputs of the model stand for, in their order."""


@dataclass(frozen=True, slots=True)
class DecisionReader:
    """Tells what a clinical question asks to be decided. Thread-safe.

    `name` holds the first 12 hex digits of the SHA-256 of the weights it was written from.
    """

    name: str
    _model: TextModel = field(repr=False, compare=False)

    def read(self, asked: str) -> Mapping[str, float]:
        """The log-odds that `asked`, the part of a question that asks, asks for each of `DECISIONS`.

        English; of more than 112 word pieces the last count.
        """
        row = self._model.run([asked])[0]
        return MappingProxyType({name: float(value) for name, value in zip(DECISIONS, row, strict=True)})


@cache
def decision_reader() -> DecisionReader | None:
    """The reader, loaded at the first call and then kept; None without the extra `models`.

    Raises `ModelError` if its files are missing or damaged.
    """
    if not models_installed():
        return None
    model = load_text_model(MODEL, TOKENIZER, max_tokens=MAX_TOKENS, threads=1, keeps_end=True)
    return DecisionReader(model.session.get_modelmeta().custom_metadata_map["name"], model)
