"""The embedder inside the package: texts to vectors, on ONNX Runtime."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from evidencegate.errors import UnknownName
from evidencegate.models._onnx import TextModel, load_text_model

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DATA = Path(__file__).parent / "data"
MODEL = DATA / "embedder.onnx"
TOKENIZER = DATA / "tokenizer.json"
MAX_TOKENS = 256
DIMENSIONS = 384
FAMILY = "minilm-bio"


@dataclass(frozen=True, slots=True)
class Embedder:
    """Turns texts into unit vectors whose dot product is their nearness in meaning, from -1 to 1.

    `name` holds the first 12 hex digits of the SHA-256 of the weights: vectors of two embedders may be
    compared only if their names are equal. Texts are read up to `max_tokens` word pieces (about 190
    words); what lies beyond does not count.
    """

    name: str
    dimensions: int
    max_tokens: int
    _model: TextModel = field(repr=False, compare=False)

    def embed(self, texts: Sequence[str]) -> "npt.NDArray[np.float32]":
        """Vectors of the texts in their order: shape (n, dimensions), float32, each of length 1.

        Every string has a vector, the empty one too (that of a text without words). No texts give an
        array of shape (0, dimensions).
        """
        if isinstance(texts, str):
            raise TypeError("embed takes a sequence of texts; for one text pass [text]")
        return self._model.run(texts)


@cache
def default_embedder() -> Embedder:
    """The embedder inside the package, loaded at the first call and then kept.

    Raises `MissingExtra` without the extra `models`, `ModelError` if its files are missing or damaged.
    """
    model = load_text_model(MODEL, TOKENIZER, max_tokens=MAX_TOKENS)
    return Embedder(name=packaged_name(), dimensions=DIMENSIONS, max_tokens=MAX_TOKENS, _model=model)


@cache
def packaged_name() -> str:
    """Name of the embedder inside the package, without loading it."""
    return f"{FAMILY}-{hashlib.sha256(MODEL.read_bytes()).hexdigest()[:12]}"


def embedder(name: str) -> Embedder:
    """The embedder of that name, as a library stores it beside its vectors.

    Raises `UnknownName` when this installation does not have it, and so cannot search those vectors.
    """
    if name != packaged_name():
        raise UnknownName(
            f"No embedder named {name!r} here; this version has {packaged_name()!r}. "
            "Vectors made with another embedder have to be made again."
        )
    return default_embedder()
