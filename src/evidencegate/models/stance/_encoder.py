"""The cross-encoder: claim and passage in one small transformer on ONNX Runtime.

Long passages are narrowed to the sentences that bear on the claim before they are read, as in training. Those
sentences are then read once more, each alone: what one of them says plainly is easily lost among the others.
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
from evidencegate.models.embedding import TOKENIZER
from evidencegate.models.stance._text import Window, nearest

MAXIMUM_TOKENS = 264
CLAIM_TOKENS = 72
FOCUS_WORDS = 150
"""Words of a passage that the encoder is shown at once."""
SENTENCES_ALONE = 3
"""Sentences of a passage that are read once more alone: two and four give the same figures within noise."""
_PAIRS_PER_CHUNK = 1024
_CLS, _SEP = 101, 102


Logits = tuple[float, float, float]
"""Supports, refutes, neutral."""


@dataclass(frozen=True, slots=True)
class Read:
    """What the encoder says of one pair, and the sentence that decides."""

    logits: Logits
    alone: tuple[Logits, ...]
    """Of the nearest sentences, each read alone; none where the window has one sentence only."""
    sentence: int
    """Index among the window's sentences; -1 where it has none."""


@dataclass(frozen=True, slots=True)
class _Run:
    """One text against one claim: logits, and how much each token of the text counts."""

    logits: Logits
    weights: Sequence[float]


@dataclass(frozen=True, slots=True)
class Encoder:
    """The loaded session and tokenizer; `threads` pairs run at once. Thread-safe."""

    session: Any
    tokenizer: Any
    threads: int

    def read(self, pairs: Sequence[tuple[str, Window]]) -> list[Read]:
        """Each (clean claim, window) as a whole and its nearest sentences alone, in order."""
        result: list[Read] = []
        for start in range(0, len(pairs), _PAIRS_PER_CHUNK):
            result += self._chunk(pairs[start : start + _PAIRS_PER_CHUNK])
        return result

    def _chunk(self, pairs: Sequence[tuple[str, Window]]) -> list[Read]:
        views = [(whole, *nearest(claim, whole, SENTENCES_ALONE)) for claim, whole in pairs]
        claims = self.tokenizer.encode_batch([_utf8(claim) for claim, _ in pairs], add_special_tokens=False)
        texts = self.tokenizer.encode_batch([_utf8(w.text) for view in views for w in view], add_special_tokens=False)
        owner = [index for index, view in enumerate(views) for _ in view]

        look = may_go_on()

        def work(at: int) -> _Run:
            look()
            return self._one(claims[owner[at]], texts[at])

        if len(texts) == 1 or self.threads == 1:
            runs = [work(at) for at in range(len(texts))]
        else:
            # The longest first, so that no thread is left with a long one at the end.
            order = sorted(range(len(texts)), key=lambda at: -len(texts[at].ids))
            with ThreadPoolExecutor(min(self.threads, len(texts))) as pool:
                done = dict(zip(order, pool.map(work, order), strict=True))
            runs = [done[at] for at in range(len(texts))]
        result, at = [], 0
        for view in views:
            first, *rest = runs[at : at + len(view)]
            offsets = texts[at].offsets[: len(first.weights)]
            result.append(Read(first.logits, tuple(run.logits for run in rest), _decides(view[0], first, offsets)))
            at += len(view)
        return result

    def _one(self, claim: Any, text: Any) -> _Run:
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
        return _Run((values[0], values[1], values[2]), relevance[0, len(head) : len(head) + len(tail)].tolist())


def _decides(window: Window, run: _Run, offsets: Sequence[tuple[int, int]]) -> int:
    """The sentence whose tokens are the most relevant on average."""
    totals: dict[int, list[float]] = {}
    for weight, (left, _) in zip(run.weights, offsets, strict=True):
        totals.setdefault(window.locate(left), []).append(weight)
    if not totals:
        return -1
    return max(totals, key=lambda index: sum(totals[index]) / len(totals[index]))


def _utf8(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=4)
def load_encoder(folder: Path | None = None, threads: int | None = None) -> Encoder:
    """The encoder in the package, or in `folder` (`stance.onnx`), with the embedder's tokenizer; loaded once.

    Raises `MissingExtra` without the extra `models`, `ModelError` where a file is missing or broken.
    """
    place = folder or Path(str(files(__package__).joinpath("data")))
    loaded = load_text_model(place / "stance.onnx", TOKENIZER, max_tokens=MAXIMUM_TOKENS, threads=threads)
    loaded.tokenizer.no_truncation()  # claim and passage are cut separately, each at its own limit
    return Encoder(loaded.session, loaded.tokenizer, loaded.threads)
