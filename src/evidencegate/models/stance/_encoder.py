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
from evidencegate.models._onnx import TOKENS_PER_BATCH, length_sorted_batches, load_text_model
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
    """The loaded session and tokenizer; `threads` batches run at once. Thread-safe."""

    session: Any
    tokenizer: Any
    threads: int

    def read(self, pairs: Sequence[tuple[str, Window]]) -> list[Read]:
        """Logits and deciding sentence of each (clean claim, window), in order; sorted by length inside."""
        result: list[Read] = []
        for start in range(0, len(pairs), _PAIRS_PER_CHUNK):
            result += self._chunk(pairs[start : start + _PAIRS_PER_CHUNK])
        return result

    def _chunk(self, pairs: Sequence[tuple[str, Window]]) -> list[Read]:
        claims = self.tokenizer.encode_batch([_utf8(claim) for claim, _ in pairs], add_special_tokens=False)
        texts = self.tokenizer.encode_batch([_utf8(w.text) for _, w in pairs], add_special_tokens=False)
        heads = [[_CLS, *claim.ids[:CLAIM_TOKENS], _SEP] for claim in claims]
        tails = [t.ids[: MAXIMUM_TOKENS - len(h) - 1] for h, t in zip(heads, texts, strict=True)]
        lengths = [len(head) + len(tail) + 1 for head, tail in zip(heads, tails, strict=True)]
        batches = list(length_sorted_batches(lengths, TOKENS_PER_BATCH))

        def work(members: list[int]) -> list[tuple[list[float], list[float]]]:
            return self._run([heads[i] for i in members], [tails[i] for i in members])

        if len(batches) == 1 or self.threads == 1:
            outputs = list(map(work, batches))
        else:
            with ThreadPoolExecutor(min(self.threads, len(batches))) as pool:
                outputs = list(pool.map(work, batches))
        reads: dict[int, Read] = {}
        for members, output in zip(batches, outputs, strict=True):
            for i, (logits, weights) in zip(members, output, strict=True):
                offsets = texts[i].offsets[: len(tails[i])]
                sentence = _sentence(pairs[i][1], weights, offsets)
                reads[i] = Read((logits[0], logits[1], logits[2]), sentence)
        return [reads[i] for i in range(len(pairs))]

    def _run(self, heads: Sequence[list[int]], tails: Sequence[list[int]]) -> list[tuple[list[float], list[float]]]:
        """For each input: its logits, and the relevance of each token of its passage."""
        np = require("models", "numpy")
        shape = (len(heads), max(len(head) + len(tail) + 1 for head, tail in zip(heads, tails, strict=True)))
        ids, mask, segments = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        for row, (head, tail) in enumerate(zip(heads, tails, strict=True)):
            end = len(head) + len(tail) + 1
            ids[row, :end] = [*head, *tail, _SEP]
            mask[row, :end] = 1
            segments[row, len(head) : end] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}
        logits, relevance = self.session.run(["logits", "relevance"], feed)
        return [
            (logits[row].tolist(), relevance[row, len(head) : len(head) + len(tail)].tolist())
            for row, (head, tail) in enumerate(zip(heads, tails, strict=True))
        ]


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
