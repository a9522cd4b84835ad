"""The cross-encoder: claim and passage in one small transformer on ONNX Runtime.

Long passages are narrowed to the sentences that bear on the claim before they are read, as in training.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from evidencegate._extras import require
from evidencegate._giving_up import may_go_on
from evidencegate.models._onnx import load_text_model
from evidencegate.models.stance._text import Window

MAXIMUM_TOKENS = 264
CLAIM_TOKENS = 72
FOCUS_WORDS = 150
"""Words of a passage that the encoder is shown at once."""
_PAIRS_PER_CHUNK = 1024
_CLS, _SEP = 101, 102


@dataclass(frozen=True, slots=True)
class Read:
    """What the encoder says of one pair: three logits (supports, refutes, neutral) and the deciding sentence."""

    logits: tuple[float, float, float]
    sentence: int
    """Index among the window's sentences; -1 where it has none."""


@dataclass(frozen=True, slots=True)
class Encoder:
    """The loaded session and tokenizer; `threads` pairs run at once. Thread-safe."""

    session: Any
    tokenizer: Any
    threads: int

    def read(self, pairs: Sequence[tuple[str, Window]]) -> list[Read]:
        """Logits and deciding sentence of each (clean claim, window), in order."""
        result: list[Read] = []
        for start in range(0, len(pairs), _PAIRS_PER_CHUNK):
            result += self._chunk(pairs[start : start + _PAIRS_PER_CHUNK])
        return result

    def _chunk(self, pairs: Sequence[tuple[str, Window]]) -> list[Read]:
        claims = self.tokenizer.encode_batch([_utf8(claim) for claim, _ in pairs], add_special_tokens=False)
        texts = self.tokenizer.encode_batch([_utf8(w.text) for _, w in pairs], add_special_tokens=False)

        look = may_go_on()

        def work(index: int) -> Read:
            look()
            return self._one(pairs[index][1], claims[index], texts[index])

        if len(pairs) == 1 or self.threads == 1:
            return [work(index) for index in range(len(pairs))]
        # The longest first, so that no thread is left with a long one at the end.
        order = sorted(range(len(pairs)), key=lambda i: -len(texts[i].ids))
        with ThreadPoolExecutor(min(self.threads, len(pairs))) as pool:
            done = dict(zip(order, pool.map(work, order), strict=True))
        return [done[index] for index in range(len(pairs))]

    def _one(self, window: Window, claim: Any, text: Any) -> Read:
        """One pair, run by itself.

        Activations are quantised by the range of the whole input: in a batch, a pair's answer would hang on
        the pairs beside it. Alone it is always the same, and as fast, since nothing is padded.
        """
        np = require("models", "numpy")
        head = [_CLS, *claim.ids[:CLAIM_TOKENS], _SEP]
        tail = text.ids[: MAXIMUM_TOKENS - len(head) - 1]
        ids = np.array([[*head, *tail, _SEP]], dtype=np.int64)
        segments = np.zeros_like(ids)
        segments[0, len(head) :] = 1
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": segments}
        logits, relevance = self.session.run(["logits", "relevance"], feed)
        values = logits[0].tolist()
        weights = relevance[0, len(head) : len(head) + len(tail)].tolist()
        return Read((values[0], values[1], values[2]), _sentence(window, weights, text.offsets[: len(tail)]))


def _sentence(window: Window, weights: Sequence[float], offsets: Sequence[tuple[int, int]]) -> int:
    """The sentence whose tokens are the most relevant on average."""
    totals: dict[int, list[float]] = {}
    for weight, (left, _) in zip(weights, offsets, strict=True):
        totals.setdefault(window.locate(left), []).append(weight)
    if not totals:
        return -1
    return max(totals, key=lambda index: sum(totals[index]) / len(totals[index]))


def _utf8(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=4)
def load_encoder(folder: Path | None = None, threads: int | None = None) -> Encoder:
    """The encoder in the package, or in `folder` (`stance.onnx`, `tokenizer.json`); loaded once.

    Raises `MissingExtra` without the extra `models`, `ModelError` where a file is missing or broken.
    """
    place = folder or Path(str(files(__package__).joinpath("data")))
    loaded = load_text_model(
        place / "stance.onnx", place / "tokenizer.json", max_tokens=MAXIMUM_TOKENS, threads=threads
    )
    loaded.tokenizer.no_truncation()  # claim and passage are cut separately, each at its own limit
    return Encoder(loaded.session, loaded.tokenizer, loaded.threads)
