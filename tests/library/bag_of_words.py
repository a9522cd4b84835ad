"""An embedder for tests of everything but embedding: a bag of words, hashed. Importable from child processes."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


class Words:
    """Texts that share words are near; the same text always has the same vector. Counts what it is asked."""

    def __init__(self, name: str = "words", dimensions: int = 32) -> None:
        self.name = name
        self.dimensions = dimensions
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.texts += texts
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.casefold()):
                row[hashlib.blake2b(word.encode(), digest_size=2).digest()[0] % self.dimensions] += 1.0
            if not row.any():
                row[0] = 1.0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)
